//! Tools that another macro writes.

use agent_core::{Tool, ToolContext, tool};
use serde_json::json;

use super::lints::Library;

mod kit {
    pub(super) use agent_core as reexported;
}

macro_rules! joining_tool {
    ($name:ident: $item:ty, $default:expr, $state:ty, $context:ty, $crate_path:path, $text:literal) => {
        #[tool($text, register = false, crate = $crate_path)]
        fn $name(
            #[state] library: $state,
            items: &[$item],
            #[context] cx: $context,
            #[arg(default = $default)] last: $item,
        ) -> String {
            let _ = (library, cx);
            items.iter().chain([&last]).map(ToString::to_string).collect()
        }
    };
}

joining_tool!(numbers: u8, 7, &Library, &ToolContext, kit::reexported, "Join numbers.");
joining_tool!(texts: &str, "z", &Library, &ToolContext, ::agent_core, "Join texts.");

#[tokio::test]
async fn what_comes_from_another_macro_is_a_tool_as_well() {
    let numbers = super::call(Tool::of::<numbers>(), json!({"items": [1, 2]})).await;
    assert_eq!(numbers.content, "127");
    let texts = super::call(Tool::of::<texts>(), json!({"items": ["a"]})).await;
    assert_eq!(texts.content, "az");
}
