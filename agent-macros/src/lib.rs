//! The `#[tool]` attribute of `agent-core`, which re-exports it.

mod check;
mod crate_path;
mod diag;
mod doc_text;
mod expand;
mod lower;
mod model;
mod parse;
mod suggest;
#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;

use crate::crate_path::HiddenPath;
use crate::diag::Diag;
use crate::parse::list;

/// Makes a function a tool: something that a model may call.
///
/// The function stays as it is. Beside it comes a type of the same name, which `tools![..]` takes,
/// and an entry in the registry that the linker gathers.
///
/// ```
/// use agent_core::{tool, tools};
///
/// /// Subtract b from a.
/// #[tool]
/// fn subtract(a: f64, b: f64) -> f64 {
///     a - b
/// }
///
/// assert_eq!(subtract(5.0, 3.0), 2.0);
/// assert_eq!(tools![subtract].len(), 1);
/// ```
///
/// The model is told the function's name, what it does, and the name, type and purpose of each
/// parameter. What it does is said by the attribute's first string, or else by the doc comment.
///
/// # Options
///
/// | option | what it says |
/// |---|---|
/// | `"..."` | what the tool does; goes before the doc comment |
/// | `name = "..."` | the name the model calls it by: ASCII letters, digits, `_` and `-`, at most 64 |
/// | `handle = Name` | the name of the generated type, where the function's own is taken |
/// | `read_only` | it changes nothing, so calls may run at the same time |
/// | `destructive` | it may delete or overwrite |
/// | `idempotent` | a second call with the same arguments changes nothing more |
/// | `open_world` | it deals with things outside, such as the web |
/// | `tags("..", "..")` | words to select tools by |
/// | `timeout = "5s"` | how long a call may take |
/// | `max_output = 3000` | how many characters of its result the model gets |
/// | `inline` | it is not `async`, yet quick enough to run on the async thread |
/// | `register = false` | it is left out of the registry, so only `tools![..]` finds it |
/// | `crate = path` | where `agent_core` is, if it is no dependency by its own name |
///
/// ```
/// use agent_core::tool;
///
/// #[tool("Delete a file for good.", name = "rm", destructive, idempotent, timeout = "5s", tags("files"))]
/// fn remove_file(path: &str) -> std::io::Result<()> {
///     std::fs::remove_file(path)
/// }
/// # let _ = remove_file;
/// ```
///
/// # Parameters
///
/// A parameter is anything that `serde` reads and `schemars` describes, by value, or a `&str`, or a
/// `&[T]`. The model may leave out an `Option` and what has a default. Its description is its doc
/// comment, or the first string of `#[arg(..)]`, which takes these options as well:
///
/// | option | what it says |
/// |---|---|
/// | `"..."` | what the parameter is |
/// | `default = value` | what it is when the model leaves it out |
/// | `rename = "..."` | the name the model knows it by |
///
/// What the model does not send is marked: `#[state]` on what the agent shares with its tools, a
/// `&T` or an `Arc<T>`, and `#[context]` on a `&ToolContext`.
///
/// ```
/// use agent_core::{ToolContext, ToolError, tool};
///
/// struct Docs(Vec<String>);
///
/// #[tool("Find lines that hold a text.", read_only)]
/// async fn find(
///     #[state] docs: &Docs,
///     #[context] cx: &ToolContext,
///     /// The text to look for.
///     text: &str,
///     /// How many lines at most.
///     #[arg(default = 20)]
///     limit: usize,
///     #[arg("Whether case matters.", rename = "case")] exact: Option<bool>,
/// ) -> Result<Vec<String>, ToolError> {
///     # let _ = (cx, exact);
///     Ok(docs.0.iter().filter(|line| line.contains(text)).take(limit).cloned().collect())
/// }
/// # let _ = find;
/// ```
///
/// # What it returns
///
/// `()`, or anything that is `Display` or `Serialize`, or a `Result` of that and any error. An error
/// goes to the model, with its causes.
#[proc_macro_attribute]
pub fn tool(
    options: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    expand(options.into(), item.into()).into()
}

fn expand(options: TokenStream, item: TokenStream) -> TokenStream {
    let mut diag = Diag::default();
    let options = list::read(vec![options], &mut diag);
    let item = match syn::parse2(item.clone()) {
        Ok(parsed) => parsed,
        Err(error) => return expand::unparsed(item, &error),
    };
    let tool = lower::lower(item, options, &mut diag);
    check::check(&tool, &mut diag);
    let path = tool.options.krate.as_ref().map(|given| &given.value);
    let hidden = HiddenPath::new(path, &mut diag);
    match diag.finish() {
        Ok(()) => expand::expand(&tool, &hidden),
        Err(error) => expand::fallback(&tool, &hidden, &error),
    }
}
