//! A module in which every name that generated code might lean on means something else.

#![forbid(non_camel_case_types, deprecated, unused_qualifications)]

#[expect(dead_code, reason = "they are here to be in the way")]
mod taken {
    pub(super) struct String;
    pub(super) struct Result;
    pub(super) struct Option;
    pub(super) struct Vec;
    pub(super) struct Box;
    pub(super) struct Some;
    pub(super) struct None;
    pub(super) struct Ok;
    pub(super) struct Err;
    pub(super) struct Arc;
    pub(super) struct Param;
    pub(super) struct Spec;
    pub(super) fn range() {}
    pub(super) fn length() {}
    pub(super) trait Default {}
    pub(super) trait Fn {}
    pub(super) trait Into {}
    pub(super) trait Send {}
    pub(super) trait Sync {}
    pub(super) mod std {}
    pub(super) mod core {}
    pub(super) mod alloc {}
    pub(super) mod serde {}
    pub(super) mod serde_json {}
    pub(super) mod schemars {}
    pub(super) mod inventory {}
    pub(super) mod agent_core {}
}

#[expect(unused_imports, reason = "they are here to be in the way")]
use taken::*;

#[allow(unused_macros, reason = "it is here to be in the way")]
macro_rules! file {
    () => {
        compile_error!("the user's own macro was called")
    };
}
#[expect(unused_imports, reason = "it is here to be in the way")]
use {file as line, file as column, file as reply, file as default_json, file as submit};

use ::agent_core::tool;

#[tool("Join words.", register = false)]
fn join(
    words: &[::std::string::String],
    #[arg(default = "-")] with: ::std::string::String,
) -> ::std::string::String {
    words.join(&with)
}

#[tool("Halve a number.", register = false)]
async fn halve(
    args: f64,
    call: ::std::option::Option<f64>,
) -> ::std::result::Result<f64, ::std::string::String> {
    ::std::result::Result::Ok(::std::future::ready(args).await / call.unwrap_or(2.0))
}

const SPEC: u8 = 2;
const LEAST: u8 = 1;

#[tool("Multiply.", register = false)]
fn multiply(
    #[arg(range = LEAST.., default = SPEC)] times: u8,
    #[arg(length = ..=SPEC as usize, default = "ab")] text: &str,
) -> ::std::string::String {
    text.repeat(usize::from(times))
}

#[tokio::test]
async fn names_that_are_taken_are_in_nobody_s_way() {
    let joined =
        super::call(::agent_core::Tool::of::<join>(), ::serde_json::json!({"words": ["a", "b"]}))
            .await;
    assert_eq!(joined.content, "a-b");
    let halved =
        super::call(::agent_core::Tool::of::<halve>(), ::serde_json::json!({"args": 3})).await;
    assert_eq!(halved.content, "1.5");
    let multiplied =
        super::call(::agent_core::Tool::of::<multiply>(), ::serde_json::json!({})).await;
    assert_eq!(multiplied.content, "abab");
}
