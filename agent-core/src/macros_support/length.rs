//! `#[arg(length = ..)]`, as generated code says it. All of it is evaluated at compile time, and a
//! panic is an error of the compiler at the caller.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};

use serde_json::{Map, Value};

use super::EMPTY;
use crate::schema::{Bounds, Lengths, Unit};

/// A type that has a length.
#[diagnostic::on_unimplemented(
    message = "`length` does not fit `{Self}`",
    label = "is no text, list or map: write `range = ..` for a number",
    note = "the length of a type of your own is said where it is declared: `#[schemars(length(min = 1, max = 9))]`"
)]
pub trait Measured {
    /// What its length counts.
    const UNIT: Unit;
}

macro_rules! measured {
    ($($unit:ident: $([$($generics:tt)*] $type:ty),*;)*) => {$($(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> Measured for $type {
            const UNIT: Unit = Unit::$unit;
        }
    )*)*};
}

measured! {
    Characters: [] str, [] String;
    Items: [T] [T], [T] Vec<T>, [T] VecDeque<T>, [T] LinkedList<T>, [T] BinaryHeap<T>, [T] BTreeSet<T>, [T, S] HashSet<T, S>;
    Entries: [K, V] BTreeMap<K, V>, [K, V, S] HashMap<K, V, S>, [] Map<String, Value>;
}

macro_rules! measured_as {
    ($([$($generics:tt)*] $type:ty => $within:ty),* $(,)?) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> Measured for $type {
            const UNIT: Unit = <$within>::UNIT;
        }
    )*};
}

measured_as! {
    [T: Measured] Option<T> => T,
    [T: Measured + ?Sized] &T => T,
    [T: Measured + ?Sized] Box<T> => T,
    [T: Measured + ToOwned + ?Sized] Cow<'_, T> => T,
}

/// The range of a length.
#[derive(Debug, Clone, Copy)]
pub struct Length(Lengths);

/// Any length of a parameter of type `T`.
#[must_use]
pub const fn length<T: Measured>() -> Length {
    Length(Lengths { unit: T::UNIT, min: None, max: None })
}

impl Length {
    const fn between(self, min: Option<usize>, max: Option<usize>) -> Self {
        Self(Lengths { unit: self.0.unit, min, max })
    }

    /// `min..`
    #[must_use]
    pub const fn at_least(self, min: usize) -> Self {
        self.between(Some(min), self.0.max)
    }

    /// `..=max`
    #[must_use]
    pub const fn at_most(self, max: usize) -> Self {
        self.between(self.0.min, Some(max))
    }

    /// `..max`
    #[must_use]
    pub const fn below(self, max: usize) -> Self {
        match max {
            // Nothing is that short.
            0 => self.between(Some(1), Some(0)),
            max => self.between(self.0.min, Some(max - 1)),
        }
    }

    /// The range, if there is any length in it.
    #[must_use]
    #[track_caller]
    pub const fn bounds(self) -> Bounds {
        if let Lengths { min: Some(min), max: Some(max), .. } = self.0 {
            assert!(min <= max, "{}", EMPTY);
        }
        Bounds::Lengths(self.0)
    }

    /// Checks a default that is text.
    #[track_caller]
    pub const fn holds(self, text: &str, message: &str) {
        let (bytes, mut at, mut characters) = (text.as_bytes(), 0, 0);
        while at < bytes.len() {
            // Each character has one byte that goes on no other.
            if bytes[at] & 0b1100_0000 != 0b1000_0000 {
                characters += 1;
            }
            at += 1;
        }
        assert!(self.0.contains(characters), "{}", message);
    }

    /// Checks a default that is a list.
    #[track_caller]
    pub const fn holds_items<T>(self, items: &[T], message: &str) {
        assert!(self.0.contains(items.len()), "{}", message);
    }
}
