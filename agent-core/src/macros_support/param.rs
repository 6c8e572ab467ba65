//! Parameters, as the macro describes them.

use std::any::type_name;
use std::sync::Arc;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::value::Error as DeError;
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde_json::Value;

use super::args::Args;
use crate::schema::{Bounds, Described, as_written};
use crate::tool::StateMap;

/// A type that a model can fill in.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a parameter of a tool",
    label = "cannot be read from JSON, or has no schema",
    note = "derive both for it, or for the type in it: `#[derive(serde::Deserialize, schemars::JsonSchema)]`",
    note = "or mark the parameter `#[state]` if the agent provides it and not the model"
)]
pub trait ToolParam<'a>: Sized {
    /// Reads it from an argument.
    #[doc(hidden)]
    fn read(value: &'a Value) -> Result<Self, serde_json::Error>;
    /// What it is when the argument is absent, if it may be.
    #[doc(hidden)]
    fn absent() -> Option<Self>;
    /// Its schema.
    #[doc(hidden)]
    fn schema(generator: &mut SchemaGenerator) -> Schema;
}

#[diagnostic::do_not_recommend]
impl<'a, T: Deserialize<'a> + JsonSchema> ToolParam<'a> for T {
    fn read(value: &'a Value) -> Result<Self, serde_json::Error> {
        T::deserialize(value)
    }

    fn absent() -> Option<Self> {
        T::deserialize(Absent).ok()
    }

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<T>()
    }
}

/// Nothing at all. Only an `Option` can be read from it, whatever name it goes by.
struct Absent;

impl<'de> Deserializer<'de> for Absent {
    type Error = DeError;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, DeError> {
        Err(DeError::custom("absent"))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeError> {
        visitor.visit_none()
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// State as a tool takes it: by reference or as an [`Arc`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the state of a tool",
    label = "state is shared, so it is taken by reference or as an `Arc`",
    note = "write `&T` or `Arc<T>`, where `T` is `Send + Sync + 'static`"
)]
pub trait FromState<'a>: Sized {
    /// The type that the agent is given.
    #[doc(hidden)]
    type State: 'static;
    /// Takes it.
    #[doc(hidden)]
    fn take(args: &'a Args) -> Option<Self>;
}

// That `T` is shared between threads is left to `Param::lent_state`: there, the compiler names what in it is not.
#[diagnostic::do_not_recommend]
impl<'a, T: 'static> FromState<'a> for &'a T {
    type State = T;

    fn take(args: &'a Args) -> Option<Self> {
        args.states.get()
    }
}

#[diagnostic::do_not_recommend]
impl<T: Send + Sync + 'static> FromState<'_> for Arc<T> {
    type State = T;

    fn take(args: &Args) -> Option<Self> {
        args.states.get_arc()
    }
}

/// One parameter.
#[expect(missing_debug_implementations, reason = "holds function pointers")]
#[derive(Clone, Copy)]
pub struct Param(Kind);

#[derive(Clone, Copy)]
enum Kind {
    Argument {
        name: &'static str,
        description: Option<&'static str>,
        default: Option<fn() -> Option<Value>>,
        bounds: Option<Bounds>,
        optional: fn() -> bool,
        secret: bool,
        schema: fn(&mut SchemaGenerator) -> Schema,
    },
    State {
        is_given: fn(&StateMap) -> bool,
        type_name: fn() -> &'static str,
    },
}

impl Param {
    /// A parameter that the model fills in.
    #[must_use]
    pub const fn new<T: ToolParam<'static>>(name: &'static str) -> Self {
        Self(Kind::Argument {
            name,
            description: None,
            default: None,
            bounds: None,
            secret: false,
            optional: || T::absent().is_some(),
            schema: T::schema,
        })
    }

    /// A parameter that the agent provides.
    #[must_use]
    pub const fn state<T: FromState<'static>>() -> Self {
        Self(Kind::State {
            is_given: |states| states.get::<T::State>().is_some(),
            type_name: type_name::<T::State>,
        })
    }

    /// A parameter that the agent provides by reference.
    #[must_use]
    pub const fn lent_state<T: Send + Sync + 'static>() -> Self {
        Self::state::<&T>()
    }

    /// Sets the description.
    #[must_use]
    pub const fn describe(mut self, text: &'static str) -> Self {
        if let Kind::Argument { description, .. } = &mut self.0 {
            *description = Some(text);
        }
        self
    }

    /// Sets the default, as JSON for the schema.
    #[must_use]
    pub const fn default(mut self, json: fn() -> Option<Value>) -> Self {
        if let Kind::Argument { default, .. } = &mut self.0 {
            *default = Some(json);
        }
        self
    }

    /// Sets how large or how long it may be.
    #[must_use]
    pub const fn within(mut self, within: Bounds) -> Self {
        if let Kind::Argument { bounds, .. } = &mut self.0 {
            *bounds = Some(within);
        }
        self
    }

    /// Marks a value that is not to be seen by others.
    #[must_use]
    pub const fn secret(mut self) -> Self {
        if let Kind::Argument { secret, .. } = &mut self.0 {
            *secret = true;
        }
        self
    }

    /// The parameter for the schema, unless the model has no part in it.
    pub(crate) fn described(&self) -> Option<Described> {
        match self.0 {
            Kind::Argument { name, description, default, bounds, optional, secret, schema } => {
                Some(Described {
                    name,
                    description,
                    default: default.and_then(|json| json()).map(as_written),
                    bounds: bounds.map(Bounds::as_written),
                    optional: default.is_some() || optional(),
                    secret,
                    schema,
                })
            }
            Kind::State { .. } => None,
        }
    }

    /// The name, if its values are not to be seen by others.
    pub(crate) fn as_secret(&self) -> Option<&'static str> {
        match self.0 {
            Kind::Argument { name, secret: true, .. } => Some(name),
            Kind::Argument { .. } | Kind::State { .. } => None,
        }
    }

    /// The name of the type, if the parameter is state that is not among `states`.
    pub(crate) fn lacking(&self, states: &StateMap) -> Option<&'static str> {
        match self.0 {
            Kind::State { is_given, type_name } if !is_given(states) => Some(type_name()),
            _ => None,
        }
    }
}

/// The JSON of a default, where its type can be written.
#[derive(Debug)]
pub struct DefaultJson<T>(pub T);

/// For defaults that can be written.
pub trait ViaSerialize {
    /// The JSON.
    fn json(&self) -> Option<Value>;
}

impl<T: serde::Serialize> ViaSerialize for &DefaultJson<T> {
    fn json(&self) -> Option<Value> {
        serde_json::to_value(&self.0).ok()
    }
}

/// For those that cannot.
pub trait ViaNothing {
    /// Nothing.
    fn json(&self) -> Option<Value>;
}

impl<T> ViaNothing for DefaultJson<T> {
    fn json(&self) -> Option<Value> {
        None
    }
}

/// The JSON of a default value of a type, as a function for [`Param::default`].
#[doc(hidden)]
#[macro_export]
macro_rules! __default_json {
    ($type:ty, $value:expr) => {{
        fn json() -> ::core::option::Option<$crate::__private::Value> {
            #[allow(unused_imports)]
            use $crate::__private::{DefaultViaSerialize as _, ViaNothing as _};
            let value: $type = $value;
            (&&$crate::__private::DefaultJson(value)).json()
        }
        json
    }};
}
