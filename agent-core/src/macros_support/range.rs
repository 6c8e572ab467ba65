//! `#[arg(range = ..)]`, as generated code says it. All of it is evaluated at compile time, and a
//! panic is an error of the compiler at the caller.

use std::marker::PhantomData;
use std::num::NonZero;

use super::EMPTY;
use crate::schema::{Bounds, End, Integers, Numbers};

/// A type that a range can bound.
#[diagnostic::on_unimplemented(
    message = "`range` does not fit `{Self}`",
    label = "is not a number: write `length = ..` for a text, a list or a map",
    note = "the range of a type of your own is said where it is declared: `#[schemars(range(min = 1, max = 9))]`"
)]
pub trait Ranged {
    /// The range of such a value.
    type Range;
    /// Without ends.
    const ALL: Self::Range;
}

impl<T: Ranged> Ranged for Option<T> {
    type Range = T::Range;
    const ALL: T::Range = T::ALL;
}

/// A range of integers.
#[derive(Debug)]
pub struct IntegerRange<T>(Integers, PhantomData<T>);

/// A range of numbers.
#[derive(Debug)]
pub struct NumberRange<T>(Numbers, PhantomData<T>);

/// A range without ends.
#[must_use]
pub const fn range<T: Ranged>() -> T::Range {
    T::ALL
}

impl<T> IntegerRange<T> {
    const fn new(min: Option<i128>, max: Option<i128>) -> Self {
        Self(Integers { min, max }, PhantomData)
    }

    /// The range, if there is any number in it.
    #[must_use]
    #[track_caller]
    pub const fn bounds(self) -> Bounds {
        match self.0 {
            Integers { min: Some(min), max: Some(max) } if min > max => panic!("{}", EMPTY),
            range => Bounds::Integers(range),
        }
    }
}

impl<T> NumberRange<T> {
    const fn new(min: Option<End>, max: Option<End>) -> Self {
        Self(Numbers { min, max }, PhantomData)
    }

    /// The range, if there is any number in it.
    #[must_use]
    #[track_caller]
    pub const fn bounds(self) -> Bounds {
        if let Numbers { min: Some(min), max: Some(max) } = self.0 {
            let some = if max.open { min.number < max.number } else { min.number <= max.number };
            assert!(some, "{}", EMPTY);
        }
        Bounds::Numbers(self.0)
    }
}

/// An end, if it is one.
#[track_caller]
const fn end(number: f64, open: bool) -> Option<End> {
    assert!(number.is_finite(), "a range ends at a number: leave out an end that is none");
    Some(End { number, open })
}

/// Any integer as one that is compared with all others. Those of 128 bits are beyond JSON anyway.
macro_rules! wide {
    (u128, $number:expr) => {
        if $number > i128::MAX as u128 { i128::MAX } else { $number as i128 }
    };
    ($type:ident, $number:expr) => {
        $number as i128
    };
}

macro_rules! integers {
    ($($number:ident)*) => {$(
        integers!($number, $number, |value| value);
        integers!(NonZero<$number>, $number, |value| value.get());
    )*};
    ($value:ty, $number:ident, |$given:ident| $get:expr) => {
        impl Ranged for $value {
            type Range = IntegerRange<Self>;
            const ALL: IntegerRange<Self> = IntegerRange::new(None, None);
        }

        impl IntegerRange<$value> {
            /// `min..`
            #[must_use]
            pub const fn at_least(self, min: $number) -> Self {
                Self::new(Some(wide!($number, min)), self.0.max)
            }

            /// `..=max`
            #[must_use]
            pub const fn at_most(self, max: $number) -> Self {
                Self::new(self.0.min, Some(wide!($number, max)))
            }

            /// `..max`
            #[must_use]
            #[track_caller]
            pub const fn below(self, max: $number) -> Self {
                assert!(max > $number::MIN, "{}", EMPTY);
                Self::new(self.0.min, Some(wide!($number, max) - 1))
            }

            /// Checks a default.
            #[track_caller]
            pub const fn holds(self, $given: $value, message: &str) {
                assert!(self.0.contains(wide!($number, $get)), "{}", message);
            }
        }
    };
}

integers! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }

macro_rules! floats {
    ($($number:ident)*) => {$(
        impl Ranged for $number {
            type Range = NumberRange<Self>;
            const ALL: NumberRange<Self> = NumberRange::new(None, None);
        }

        impl NumberRange<$number> {
            /// `min..`
            #[must_use]
            #[track_caller]
            pub const fn at_least(self, min: $number) -> Self {
                Self::new(end(min as f64, false), self.0.max)
            }

            /// `..=max`
            #[must_use]
            #[track_caller]
            pub const fn at_most(self, max: $number) -> Self {
                Self::new(self.0.min, end(max as f64, false))
            }

            /// `..max`
            #[must_use]
            #[track_caller]
            pub const fn below(self, max: $number) -> Self {
                Self::new(self.0.min, end(max as f64, true))
            }

            /// Checks a default.
            #[track_caller]
            pub const fn holds(self, default: $number, message: &str) {
                assert!(self.0.contains(default as f64), "{}", message);
            }
        }
    )*};
}

floats! { f32 f64 }
