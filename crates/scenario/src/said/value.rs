//! Types of the values of fields.

use std::fmt::Display;

use lightloom_request::Said;
use lightloom_units::{BitRate, DataSize, Instant, Length, Percent, Span, Speed};

use crate::said::declared::Kind;

/// A type that the values of fields have.
pub trait FieldValue: Sized {
    /// Kind of the values. A quantity lacks its unit here, and a word in place of a value the word; the field adds
    /// both.
    const KIND: Kind;

    /// Reads a value. `kind` is that of the field.
    ///
    /// # Errors
    /// The message: what was found and what is expected.
    fn read(said: &Said<'_>, kind: Kind) -> Result<Self, String>;
}

/// A value that reports show.
pub trait Shown: FieldValue {
    /// The value with its unit, as a report shows it. `kind` is that of the field.
    fn shown(&self, kind: Kind) -> String;
}

/// Kind of the values of a field: that of their type, with the unit and the word that the field adds.
pub(super) const fn kind(of_type: Kind, unit: &'static str, word: &'static str) -> Kind {
    match of_type {
        Kind::WholeOr(_) => Kind::WholeOr(word),
        Kind::Quantity(what, _) => Kind::Quantity(what, unit),
        Kind::QuantityOr(what, ..) => Kind::QuantityOr(what, unit, word),
        other => other,
    }
}

macro_rules! values {
    ($($type:ty: $kind:expr, $read:ident;)+) => {$(
        impl FieldValue for $type {
            const KIND: Kind = $kind;

            fn read(said: &Said<'_>, _: Kind) -> Result<Self, String> {
                said.$read()
            }
        }

        impl Shown for $type {
            fn shown(&self, _: Kind) -> String {
                self.to_string()
            }
        }
    )+};
}

values! {
    u32: Kind::Whole, number;
    u64: Kind::Whole, count;
    f64: Kind::Number, ratio;
    bool: Kind::Flag, flag;
    Instant: Kind::Quantity("a time", ""), quantity;
    Span: Kind::Quantity("a time", ""), quantity;
    DataSize: Kind::Quantity("a data size", ""), quantity;
    BitRate: Kind::Quantity("a rate", ""), quantity;
    Speed: Kind::Quantity("a speed", ""), quantity;
    Length: Kind::Quantity("a length", ""), quantity;
    Percent: Kind::Quantity("a share", ""), quantity;
}

impl FieldValue for String {
    const KIND: Kind = Kind::Text;

    fn read(said: &Said<'_>, _: Kind) -> Result<Self, String> {
        said.text().map(str::to_owned)
    }
}

/// The path of a file, relative to the folder of the scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileName(pub String);

impl FieldValue for FileName {
    const KIND: Kind = Kind::Path;

    fn read(said: &Said<'_>, _: Kind) -> Result<Self, String> {
        said.text().map(|text| Self(text.to_owned()))
    }
}

/// A value, or none where the word of the field stands in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrWord<T> {
    /// The word.
    Word,
    /// The value.
    Value(T),
}

impl<T> OrWord<T> {
    /// The value. `None`: the word stands in its place.
    pub fn value(self) -> Option<T> {
        match self {
            Self::Word => None,
            Self::Value(value) => Some(value),
        }
    }
}

impl<T: FieldValue> FieldValue for OrWord<T> {
    const KIND: Kind = match T::KIND {
        Kind::Quantity(what, unit) => Kind::QuantityOr(what, unit, ""),
        _ => Kind::WholeOr(""),
    };

    fn read(said: &Said<'_>, kind: Kind) -> Result<Self, String> {
        let (Kind::WholeOr(word) | Kind::QuantityOr(_, _, word)) = kind else {
            return T::read(said, kind).map(Self::Value);
        };
        match said {
            Said::Text(text) if *text == word => Ok(Self::Word),
            Said::Text(text) if matches!(kind, Kind::WholeOr(_)) => {
                Err(format!("found {text:?}; expected a whole number, or {word:?}"))
            }
            said => T::read(said, kind).map(Self::Value),
        }
    }
}

impl<T: Shown> Shown for OrWord<T> {
    fn shown(&self, kind: Kind) -> String {
        match (self, kind) {
            (Self::Value(value), _) => value.shown(kind),
            (Self::Word, Kind::WholeOr(word) | Kind::QuantityOr(_, _, word)) => word.to_owned(),
            (Self::Word, _) => String::new(),
        }
    }
}

/// A value with an amount that a range can bound.
pub(super) trait Amount<T> {
    /// The amount. `None`: a word stands in its place.
    fn amount(&self) -> Option<T>;
}

impl<T: Copy + PartialOrd + Display> Amount<T> for T {
    fn amount(&self) -> Option<T> {
        Some(*self)
    }
}

impl<T: Copy + PartialOrd + Display> Amount<T> for OrWord<T> {
    fn amount(&self) -> Option<T> {
        self.value()
    }
}
