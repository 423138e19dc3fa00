//! The declaration of a setting: name, flag, kind, unit, default and help.

use std::fmt;
use std::str::FromStr;

use lightloom_units::ParseError;

use crate::value::Value;

/// Declaration of a setting. All front ends read it.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// `section.key` in a design file.
    pub name: &'static str,
    /// Flag of the command line. `None`: no flag.
    pub flag: Option<&'static str>,
    /// Second flag with the same meaning.
    pub alias: Option<&'static str>,
    /// Placeholder of the value in the help of the command line.
    pub value_name: Option<&'static str>,
    /// Kind of the value.
    pub takes: Takes,
    /// The value that applies if the setting is not given.
    pub default: Default,
    /// Help text: what the setting means.
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

    /// Adds a flag.
    #[must_use]
    pub const fn flag(self, flag: &'static str) -> Self {
        Self { flag: Some(flag), ..self }
    }

    /// Adds a second flag with the same meaning.
    #[must_use]
    pub const fn alias(self, alias: &'static str) -> Self {
        Self { alias: Some(alias), ..self }
    }

    /// Adds a placeholder for the value.
    #[must_use]
    pub const fn called(self, value_name: &'static str) -> Self {
        Self { value_name: Some(value_name), ..self }
    }

    /// Name as a keyword argument of Python: the flag with underscores.
    pub fn keyword(&self) -> String {
        self.flag.unwrap_or(self.field()).trim_start_matches('-').replace('-', "_")
    }

    /// The value that a typed text stands for. Commas separate the items of a list; texts that may have commas in them
    /// are separated by ends of lines. A text that is no whole number stays a text, which is refused where the value
    /// is used.
    pub fn typed(&self, text: &str) -> Value {
        let text = text.trim();
        match self.takes {
            Takes::Whole { .. } => {
                text.parse().map_or_else(|_| Value::Text(text.to_owned()), Value::Integer)
            }
            Takes::Texts { .. } | Takes::Quantities(..) => {
                let commas = !matches!(self.takes, Takes::Texts { commas: false });
                let items = text
                    .split(if commas { ',' } else { '\n' })
                    .map(str::trim)
                    .filter(|item| !item.is_empty());
                Value::List(items.map(str::to_owned).collect())
            }
            _ => Value::Text(text.to_owned()),
        }
    }

    /// The section of the design file. Empty for settings before all sections.
    pub fn section(&self) -> &'static str {
        section_of(self.name)
    }

    /// The name without its section.
    pub fn field(&self) -> &'static str {
        self.name.rsplit('.').next().unwrap_or_default()
    }
}

/// The section part of a setting's name. Empty if the name has no dot.
pub fn section_of(name: &str) -> &str {
    name.split_once('.').map_or("", |(section, _)| section)
}

/// A constant value in the sources.
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

/// The value that applies if a setting is not given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Default {
    /// This value.
    Value(Written),
    /// A default that depends on other settings: its description, and an example value.
    Depends(&'static str, Written),
}

/// Kind of value that a setting takes.
#[derive(Debug, Clone, Copy)]
pub enum Takes {
    /// A whole number in a range.
    Whole {
        /// Smallest allowed value.
        least: i64,
        /// Largest allowed value.
        most: i64,
    },
    /// A decimal number, written as a text.
    Number,
    /// A text, mostly a name.
    Text,
    /// One of several words. The function lists them with their meanings.
    Choice(fn() -> Vec<(&'static str, &'static str)>),
    /// The path of a file or folder.
    Path,
    /// A list of texts. On a command line, commas may separate them.
    Texts {
        /// Whether commas separate the texts on a command line.
        commas: bool,
    },
    /// A number with a unit, as a text: the description of its type, and the unit that error messages
    /// suggest.
    Quantity(fn() -> &'static str, &'static str),
    /// A list of quantities: the description of the type, and the unit that error messages suggest.
    Quantities(fn() -> &'static str, &'static str),
}

/// Number of things that a crew does in a shift.
pub const PER_SHIFT: Takes = Takes::Whole { least: 1, most: 100_000 };

/// Whole numbers of 32 bits.
pub const U32: Takes = Takes::Whole { least: 0, most: u32::MAX as i64 };

impl Takes {
    /// Name of the kind: `whole`, `number`, `text`, `path` or `list`. A quantity and a choice are texts.
    pub fn kind(self) -> &'static str {
        match self {
            Self::Whole { .. } => "whole",
            Self::Number => "number",
            Self::Text | Self::Choice(_) | Self::Quantity(..) => "text",
            Self::Path => "path",
            Self::Texts { .. } | Self::Quantities(..) => "list",
        }
    }

    /// The usual unit of a quantity. `None`: the value is not a quantity.
    pub fn unit(self) -> Option<&'static str> {
        match self {
            Self::Quantity(_, unit) | Self::Quantities(_, unit) => Some(unit),
            _ => None,
        }
    }

    /// The words of a choice. Empty: the value is not a choice.
    pub fn words(self) -> Vec<&'static str> {
        match self {
            Self::Choice(choices) => choices().into_iter().map(|(word, _)| word).collect(),
            _ => Vec::new(),
        }
    }

    /// Description of a single value, for the text after "expected".
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

    /// Description of a range of whole numbers, for the text after "expected".
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
    /// Describes what a design file must write for this kind.
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

/// Description of a quantity type, from its own parse error.
pub fn of<T: FromStr<Err = ParseError>>() -> &'static str {
    "".parse::<T>().err().map_or("a quantity", |error| error.expected)
}
