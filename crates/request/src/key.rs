//! What a setting is: its name, kind, default and help, declared once.

use std::fmt;
use std::str::FromStr;

use lightloom_units::ParseError;

use crate::value::Value;

/// A setting as every face sees it.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// `section.key` in a design file.
    pub name: &'static str,
    /// The flag of the command line, if it has one.
    pub flag: Option<&'static str>,
    /// Another flag that means the same.
    pub alias: Option<&'static str>,
    /// What the help of the command line calls the value.
    pub value_name: Option<&'static str>,
    /// What its value is.
    pub takes: Takes,
    /// What holds where it is not said: a value as a design file writes it, or a sentence.
    pub default: Default,
    /// What it means.
    pub help: &'static str,
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Key {}

impl Key {
    /// A setting without a flag.
    pub const fn new(
        name: &'static str,
        takes: Takes,
        default: Default,
        help: &'static str,
    ) -> Self {
        Self { name, flag: None, alias: None, value_name: None, takes, default, help }
    }

    /// The same with a flag.
    #[must_use]
    pub const fn flag(self, flag: &'static str) -> Self {
        Self { flag: Some(flag), ..self }
    }

    /// The same with another flag that means the same.
    #[must_use]
    pub const fn alias(self, alias: &'static str) -> Self {
        Self { alias: Some(alias), ..self }
    }

    /// The same with a name for its value.
    #[must_use]
    pub const fn called(self, value_name: &'static str) -> Self {
        Self { value_name: Some(value_name), ..self }
    }

    /// The section of the design file; empty for what stands before all sections.
    pub fn section(&self) -> &'static str {
        section_of(self.name)
    }

    /// The name within its section.
    pub fn field(&self) -> &'static str {
        self.name.rsplit('.').next().unwrap_or_default()
    }
}

/// The section of a key's name.
pub fn section_of(name: &str) -> &str {
    name.split_once('.').map_or("", |(section, _)| section)
}

/// A value that is written in the sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// A whole number.
    Whole(i64),
    /// A text.
    Text(&'static str),
    /// A list of texts.
    List(&'static [&'static str]),
}

impl From<Written> for Value {
    fn from(written: Written) -> Self {
        match written {
            Written::Whole(number) => Self::Integer(number),
            Written::Text(text) => Self::Text(text.to_owned()),
            Written::List(list) => Self::List(list.iter().map(|&text| text.to_owned()).collect()),
        }
    }
}

/// What holds where a setting is not said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Default {
    /// This value.
    Value(Written),
    /// Something that depends on the rest, in words; and a value that could be said.
    Depends(&'static str, Written),
}

/// What the value of a setting is.
#[derive(Debug, Clone, Copy)]
pub enum Takes {
    /// A whole number in a range.
    Whole {
        /// The least.
        least: i64,
        /// The most.
        most: i64,
    },
    /// A number, written as a text.
    Number,
    /// A text, mostly a name.
    Text,
    /// One of a few words.
    Choice(fn() -> Vec<&'static str>),
    /// The path of a file or folder.
    Path,
    /// Texts in a list. On a command line, commas may separate them.
    Texts {
        /// Whether commas separate them.
        commas: bool,
    },
    /// A text of a number and a unit: what its type asks for, and the unit that a refusal suggests.
    Quantity(fn() -> &'static str, &'static str),
    /// Quantities in a list.
    Quantities(fn() -> &'static str, &'static str),
}

/// The whole numbers of 32 bits.
pub const U32: Takes = Takes::Whole { least: 0, most: u32::MAX as i64 };

impl Takes {
    /// The kind's name: `whole`, `number`, `text`, `path` or `list`. A quantity and a choice are texts.
    pub fn kind(self) -> &'static str {
        match self {
            Self::Whole { .. } => "whole",
            Self::Number => "number",
            Self::Text | Self::Choice(_) | Self::Quantity(..) => "text",
            Self::Path => "path",
            Self::Texts { .. } | Self::Quantities(..) => "list",
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
            Self::Whole { .. } => "a whole number".into(),
            Self::Number => "a number".into(),
            Self::Text | Self::Choice(_) | Self::Texts { .. } => "a text".into(),
            Self::Path => "a path".into(),
            Self::Quantity(what, _) | Self::Quantities(what, _) => {
                format!("{}, with its unit", what())
            }
        }
    }

    /// The range of a whole number, as the end of "expected".
    pub fn range(least: i64, most: i64) -> String {
        match (least, most) {
            (0, most) if most == i64::from(u32::MAX) => {
                "a whole number from 0 to 4294967295".into()
            }
            (least, i64::MAX) => format!("{least} or more"),
            (least, most) if most == i64::from(u32::MAX) => format!("{least} or more"),
            (0, 1) => "0 or 1".into(),
            (least, most) => format!("{least} to {most}"),
        }
    }
}

impl fmt::Display for Takes {
    /// What a design file takes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole { .. } => f.write_str("a whole number"),
            Self::Number => f.write_str("a number in quotes"),
            Self::Text | Self::Choice(_) | Self::Path => f.write_str("a text in quotes"),
            Self::Texts { .. } | Self::Quantities(..) => {
                f.write_str("a list such as [\"a\", \"b\"]")
            }
            Self::Quantity(what, _) => write!(f, "{}, with its unit and in quotes", what()),
        }
    }
}

/// What a text must be to be a quantity of this type, as its own refusal says it.
pub fn of<T: FromStr<Err = ParseError>>() -> &'static str {
    "".parse::<T>().err().map_or("a quantity", |error| error.expected)
}
