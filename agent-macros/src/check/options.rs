//! Rules about what options mean together.

use crate::diag::Diag;
use crate::model::Tool;

pub(super) fn check(tool: &Tool, diag: &mut Diag) {
    inline_is_for_sync(tool, diag);
    inline_has_no_timeout(tool, diag);
    read_only_destroys_nothing(tool, diag);
    tags_tell_tools_apart(tool, diag);
}

/// An async function is not sent to a thread of its own in the first place.
fn inline_is_for_sync(tool: &Tool, diag: &mut Diag) {
    if let (Some(inline), Some(_)) = (&tool.options.inline, &tool.item.sig.asyncness) {
        diag.on(
            &inline.key,
            "an `async` function runs on the async threads anyway: remove `inline`",
        );
    }
}

/// What runs on the async thread itself cannot be abandoned.
fn inline_has_no_timeout(tool: &Tool, diag: &mut Diag) {
    if let (Some(_), Some(timeout)) = (&tool.options.inline, &tool.options.timeout) {
        diag.on(
            &timeout.key,
            "an `inline` tool cannot be stopped when its time is up: remove `timeout` or `inline`",
        );
    }
}

/// One of the two would be a lie to whoever approves calls.
fn read_only_destroys_nothing(tool: &Tool, diag: &mut Diag) {
    if let (Some(_), Some(destructive)) = (&tool.options.read_only, &tool.options.destructive) {
        diag.on(
            &destructive.key,
            "a `read_only` tool destroys nothing: keep one of `read_only` and `destructive`",
        );
    }
}

/// A tag that is blank or repeated selects nothing more.
fn tags_tell_tools_apart(tool: &Tool, diag: &mut Diag) {
    let tags = tool.options.tags.as_ref().map_or(&[][..], |given| &given.value);
    for (index, tag) in tags.iter().enumerate() {
        let repeated = tags[..index].iter().any(|earlier| earlier.value() == tag.value());
        if tag.value().trim().is_empty() {
            diag.on(tag, "this tag is empty: write a word to select tools by");
        } else if repeated {
            diag.on(tag, "this tag is given twice: keep one");
        }
    }
}
