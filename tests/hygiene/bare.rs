//! A module without the prelude.

#![no_implicit_prelude]

use ::agent_core::tool;

#[tool("Say how long a text is.", register = false)]
pub(super) fn length(text: &str, #[arg(default = false)] bytes: bool) -> usize {
    if bytes { text.len() } else { ::std::iter::Iterator::count(text.chars()) }
}

#[tool("Repeat a text.", register = false)]
pub(super) async fn repeat(
    text: &str,
    times: ::std::option::Option<usize>,
) -> ::std::result::Result<::std::string::String, ::agent_core::ToolError> {
    match ::std::future::ready(times).await {
        ::std::option::Option::Some(times) => ::std::result::Result::Ok(text.repeat(times)),
        ::std::option::Option::None => {
            ::std::result::Result::Err(::agent_core::ToolError::new("how often?"))
        }
    }
}
