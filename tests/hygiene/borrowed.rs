//! Parameters that borrow from the arguments, and descriptions with odd characters in them.

use std::borrow::Cow;

use agent_core::{Tool, tool};
use serde_json::json;

#[tool("Count words.", register = false)]
fn text(q: &str) -> usize {
    q.split_whitespace().count()
}

#[tool("Count words, later.", register = false)]
async fn text_later(q: &str) -> usize {
    std::future::ready(text(q)).await
}

#[tool("Count texts.", register = false)]
fn list(xs: &[String]) -> usize {
    xs.len()
}

#[tool("Count texts, later.", register = false)]
async fn list_later(xs: &[String]) -> usize {
    std::future::ready(list(xs)).await
}

#[tool("Say whether it is borrowed.", register = false)]
fn either(q: Cow<'_, str>) -> bool {
    matches!(q, Cow::Borrowed(_))
}

#[tool("Say whether it is borrowed, later.", register = false)]
async fn either_later(q: Cow<'_, str>) -> bool {
    std::future::ready(either(q)).await
}

/// Say "hi" \\ {x} 50% 日
///
/// ```text
///   kept
/// ```
#[tool(register = false)]
fn odd() {}

/** Say "hi" \\ {x} 50% 日

```text
  kept
``` */
#[tool(register = false)]
fn odd_block() {}

#[doc = "Say \"hi\" \\\\ {x} 50% 日\n\n```text\n  kept\n```"]
#[tool(register = false)]
fn odd_attribute() {}

#[tokio::test]
async fn what_is_borrowed_is_lent_to_sync_and_async_tools() {
    for tool in [Tool::of::<text>(), Tool::of::<text_later>()] {
        assert_eq!(super::call(tool, json!({"q": "a \u{1F600} \"b\""})).await.content, "3");
    }
    for tool in [Tool::of::<list>(), Tool::of::<list_later>()] {
        assert_eq!(super::call(tool, json!({"xs": ["a", "b"]})).await.content, "2");
    }
    for tool in [Tool::of::<either>(), Tool::of::<either_later>()] {
        let answer = super::call(tool, json!({"q": "a"})).await;
        assert!(["true", "false"].contains(&answer.content.as_str()), "{}", answer.content);
    }
}

#[test]
fn a_description_arrives_verbatim_however_it_is_written() {
    for tool in [Tool::of::<odd>(), Tool::of::<odd_block>(), Tool::of::<odd_attribute>()] {
        let expected = "Say \"hi\" \\\\ {x} 50% 日\n\n```text\n  kept\n```";
        assert_eq!(tool.description(), expected);
    }
}
