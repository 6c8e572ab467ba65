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

#[diagnostic::do_not_recommend]
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
        if let Integers { min: Some(min), max: Some(max) } = self.0 {
            assert!(min <= max, "{}", EMPTY);
        }
        Bounds::Integers(self.0)
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
        const ENDLESS: &str = "a range ends at a number: leave out an end that is none";
        let Numbers { min, max } = self.0;
        assert!(is_finite(min) && is_finite(max), "{}", ENDLESS);
        if let (Some(min), Some(max)) = (min, max) {
            let some = min.number < max.number || min.number == max.number && !max.open;
            assert!(some, "{}", EMPTY);
        }
        Bounds::Numbers(self.0)
    }
}

const fn is_finite(end: Option<End>) -> bool {
    if let Some(end) = end { end.number.is_finite() } else { true }
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
        #[diagnostic::do_not_recommend]
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
            pub const fn below(self, max: $number) -> Self {
                let max = wide!($number, max);
                let least = wide!($number, $number::MIN);
                // No number of the type is below its least, which shows if that is the smaller end.
                let min = if max == least { Some(least) } else { self.0.min };
                Self::new(min, Some(max - 1))
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
        #[diagnostic::do_not_recommend]
        impl Ranged for $number {
            type Range = NumberRange<Self>;
            const ALL: NumberRange<Self> = NumberRange::new(None, None);
        }

        impl NumberRange<$number> {
            /// `min..`
            #[must_use]
            pub const fn at_least(self, min: $number) -> Self {
                Self::new(Some(End { number: min as f64, open: false }), self.0.max)
            }

            /// `..=max`
            #[must_use]
            pub const fn at_most(self, max: $number) -> Self {
                Self::new(self.0.min, Some(End { number: max as f64, open: false }))
            }

            /// `..max`
            #[must_use]
            pub const fn below(self, max: $number) -> Self {
                Self::new(self.0.min, Some(End { number: max as f64, open: true }))
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
