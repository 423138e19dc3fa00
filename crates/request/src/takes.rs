//! What the value of a key is. Messages about a value of another kind say it, in all faces alike.

use std::fmt;
use std::str::FromStr;

use lightloom_units::ParseError;

/// What the value of a key is.
#[derive(Debug, Clone, Copy)]
pub enum Takes {
    /// A whole number.
    Whole,
    /// A number, written as a text.
    Number,
    /// A text, mostly a name.
    Text,
    /// The path of a file or folder.
    Path,
    /// Texts in a list.
    Texts,
    /// A text of a number and a unit: what its type asks for, and the unit that a refusal suggests.
    Quantity(fn() -> &'static str, &'static str),
    /// Quantities in a list.
    Quantities(fn() -> &'static str, &'static str),
}

impl Takes {
    /// The kind's name: `whole`, `number`, `text`, `path` or `list`. A quantity is a text.
    pub fn kind(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Number => "number",
            Self::Text | Self::Quantity(..) => "text",
            Self::Path => "path",
            Self::Texts | Self::Quantities(..) => "list",
        }
    }

    /// The unit that people use most for it; none where it is no quantity.
    pub fn unit(self) -> Option<&'static str> {
        match self {
            Self::Quantity(_, unit) | Self::Quantities(_, unit) => Some(unit),
            _ => None,
        }
    }

    /// What a single value is, as the end of "expected".
    pub fn one(self) -> String {
        match self {
            Self::Whole => "a whole number".into(),
            Self::Number => "a number".into(),
            Self::Text | Self::Texts => "a text".into(),
            Self::Path => "a path".into(),
            Self::Quantity(what, _) | Self::Quantities(what, _) => {
                format!("{}, with its unit", what())
            }
        }
    }
}

impl fmt::Display for Takes {
    /// What a design file takes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole => f.write_str("a whole number"),
            Self::Number => f.write_str("a number in quotes"),
            Self::Text | Self::Path => f.write_str("a text in quotes"),
            Self::Texts | Self::Quantities(..) => f.write_str("a list such as [\"a\", \"b\"]"),
            Self::Quantity(what, _) => write!(f, "{}, with its unit and in quotes", what()),
        }
    }
}

/// What a text must be to be a quantity of this type, as its own refusal says it.
pub fn of<T: FromStr<Err = ParseError>>() -> &'static str {
    "".parse::<T>().err().map_or("a quantity", |error| error.expected)
}
