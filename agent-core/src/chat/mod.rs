//! OpenAI's Chat Completions: as a protocol that a model speaks, and as the form of scripts and
//! transcript files.

#[cfg(feature = "http")]
mod assemble;
#[cfg(feature = "http")]
mod builder;
#[cfg(feature = "http")]
mod calls;
#[cfg(feature = "http")]
mod encode;
#[cfg(feature = "http")]
mod model;
mod read;
#[cfg(feature = "http")]
mod recover;
#[cfg(feature = "http")]
mod request;
#[cfg(all(test, feature = "http"))]
mod tests;
#[cfg(feature = "http")]
mod think;
mod transcript;
mod write;

#[cfg(feature = "http")]
pub use builder::ChatCompletionsBuilder;
#[cfg(feature = "http")]
pub use model::ChatCompletions;
pub use read::{ChatFormatError, replies};
pub use transcript::transcript;
pub use write::ChatMessage;
