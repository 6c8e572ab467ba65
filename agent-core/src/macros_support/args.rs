//! The arguments of one call, as generated code takes them.

use std::any::type_name;

use serde_json::Value;

use super::param::{FromState, ToolParam};
use super::reply::{CallError, Returned};
use crate::call::Problem;
use crate::message::Arguments;
use crate::tool::{StateMap, ToolContext};

/// The arguments of one call, with the state and the context.
#[derive(Debug)]
pub struct Args {
    pub(crate) values: Arguments,
    /// What [fitting](crate::call::fit_arguments) found; the function is not called if there is any.
    pub(crate) problems: Vec<Problem>,
    pub(crate) states: StateMap,
    pub(crate) context: ToolContext,
}

/// Why one argument was not given to the function; `None` where another one is the reason.
#[derive(Debug)]
pub struct Refused(Option<Problem>);

impl Args {
    /// The argument `name`.
    ///
    /// # Errors
    ///
    /// It does not fit its type, or another argument does not.
    pub fn get<'a, T: ToolParam<'a>>(&'a self, name: &str) -> Result<T, Refused> {
        match self.find(name)? {
            Some(value) => self.admit(name, T::read(value)),
            None => self.admit_absent(name, T::absent()),
        }
    }

    /// The argument `name`, or its default where it is absent.
    ///
    /// # Errors
    ///
    /// It does not fit its type, or another argument does not.
    pub fn get_or<'a, T: ToolParam<'a>>(
        &'a self,
        name: &str,
        default: impl FnOnce() -> T,
    ) -> Result<T, Refused> {
        match self.find(name)? {
            Some(value) => self.admit(name, T::read(value)),
            None => Ok(default()),
        }
    }

    /// The state that the parameter asks for.
    pub fn state<'a, S: FromState<'a>>(&'a self) -> S {
        match S::take(self) {
            Some(state) => state,
            #[expect(
                clippy::panic,
                reason = "an agent is not built without the state its tools need"
            )]
            None => panic!("the agent has no state of type {}", type_name::<S::State>()),
        }
    }

    /// The context of the call.
    pub fn context<'a, C: FromContext<'a>>(&'a self) -> C {
        C::of(&self.context)
    }

    fn find(&self, name: &str) -> Result<Option<&Value>, Refused> {
        match self.problems.is_empty() {
            true => Ok(self.values.get(name)),
            false if self.problems.iter().any(|problem| problem.is_at(name)) => Err(Refused(None)),
            false => Ok(self.values.get(name)),
        }
    }

    fn admit<T>(&self, name: &str, read: Result<T, serde_json::Error>) -> Result<T, Refused> {
        match read {
            Ok(value) if self.problems.is_empty() => Ok(value),
            Ok(_) => Err(Refused(None)),
            Err(error) => Err(Refused(Some(Problem::new(name, error.to_string())))),
        }
    }

    fn admit_absent<T>(&self, name: &str, absent: Option<T>) -> Result<T, Refused> {
        match absent {
            Some(value) if self.problems.is_empty() => Ok(value),
            Some(_) => Err(Refused(None)),
            None => Err(Refused(Some(Problem::new(name, "missing")))),
        }
    }
}

/// The context as a tool takes it. [`ToolContext`] is lent, and there is no other.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the context of a call",
    label = "write `&ToolContext`"
)]
pub trait FromContext<'a> {
    /// Takes it.
    #[doc(hidden)]
    fn of(context: &'a ToolContext) -> Self;
}

#[diagnostic::do_not_recommend]
impl<'a> FromContext<'a> for &'a ToolContext {
    fn of(context: &'a ToolContext) -> Self {
        context
    }
}

/// Leaves out of a refusal what the type said of the value, which may be the value itself.
#[must_use]
pub fn masked(Refused(problem): Refused) -> Refused {
    Refused(problem.map(Problem::masked))
}

/// The outcome of a call whose arguments were refused.
///
/// # Errors
///
/// Always: with what was wrong.
pub fn refuse(refused: impl IntoIterator<Item = Option<Refused>>) -> Returned {
    Err(CallError::Arguments(
        refused.into_iter().flatten().filter_map(|Refused(problem)| problem).collect(),
    ))
}
