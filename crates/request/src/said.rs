//! Values before they have a type: as a file or a program says them.

use std::fmt;
use std::str::FromStr;

use lightloom_units::ParseError;

use crate::key::of;

/// Longest text, in bytes: a name, a source or a date.
const LONGEST: usize = 300;

/// A value without a type. Its methods are the readers of all types; their errors are messages without a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said<'a> {
    /// A text.
    Text(&'a str),
    /// A whole number.
    Whole {
        /// Its digits, with a sign.
        digits: &'a str,
        /// Base of the digits: 2, 8, 10 or 16.
        radix: u32,
    },
    /// A number with a fraction or an exponent, as it is written.
    Number(&'a str),
    /// True or false.
    Flag(bool),
    /// A list.
    List(Vec<Said<'a>>),
    /// A value that no field takes, by the name of its kind.
    Other(&'static str),
}

impl<'a> Said<'a> {
    /// The kind of the value with its article, for messages.
    pub fn kind(&self) -> String {
        match self {
            Self::Text(_) => "a string".to_owned(),
            Self::Whole { .. } => "an integer".to_owned(),
            Self::Number(_) => "a float".to_owned(),
            Self::Flag(_) => "a boolean".to_owned(),
            Self::List(_) => "an array".to_owned(),
            Self::Other(kind) => format!("a {kind}"),
        }
    }

    /// A text without control characters.
    ///
    /// # Errors
    /// The message if it is not a text, is too long or has control characters.
    pub fn text(&self) -> Result<&'a str, String> {
        match self {
            Self::Text(text) if text.len() > LONGEST => {
                Err(format!("is longer than {LONGEST} bytes"))
            }
            Self::Text(text) if text.chars().any(char::is_control) => {
                Err("has control characters; take plain text".to_owned())
            }
            Self::Text(text) => Ok(text),
            other => Err(format!("found {}; expected a text in quotes", other.kind())),
        }
    }

    /// A quantity with its unit, in quotes.
    ///
    /// # Errors
    /// The message if it has no unit, or is no such quantity.
    pub fn quantity<T: FromStr<Err = ParseError>>(&self) -> Result<T, String> {
        if let Self::Whole { digits: number, .. } | Self::Number(number) = self {
            return Err(format!(
                "found {number} without a unit; expected {}, in quotes",
                of::<T>()
            ));
        }
        self.text()?.parse().map_err(|error: ParseError| error.to_string())
    }

    /// A whole number of 32 bits.
    ///
    /// # Errors
    /// The message if it is not one.
    pub fn number(&self) -> Result<u32, String> {
        let Self::Whole { digits, radix } = self else { return Err(self.not_whole()) };
        u32::from_str_radix(digits, *radix)
            .map_err(|_| format!("found {self}; expected a whole number from 0 to 4294967295"))
    }

    /// A whole number from 0 to 2^63-1.
    ///
    /// # Errors
    /// The message if it is not one.
    pub fn count(&self) -> Result<u64, String> {
        let Self::Whole { digits, radix } = self else { return Err(self.not_whole()) };
        let read = i64::from_str_radix(digits, *radix).ok().and_then(|n| u64::try_from(n).ok());
        read.ok_or_else(|| {
            format!("found {self}; expected a whole number from 0 to 9223372036854775807")
        })
    }

    fn not_whole(&self) -> String {
        format!("found {}; expected a whole number", self.kind())
    }

    /// A finite decimal number without a unit, such as a ratio.
    ///
    /// # Errors
    /// The message if it is not one.
    pub fn ratio(&self) -> Result<f64, String> {
        let (Self::Whole { digits: text, .. } | Self::Number(text)) = self else {
            return Err(format!("found {}; expected a number such as 1e-12", self.kind()));
        };
        let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
        number.ok_or_else(|| format!("found {text}; expected a finite number such as 1e-12"))
    }

    /// True or false.
    ///
    /// # Errors
    /// The message if it is neither.
    pub fn flag(&self) -> Result<bool, String> {
        match self {
            Self::Flag(said) => Ok(*said),
            other => Err(format!("found {}; expected true or false", other.kind())),
        }
    }

    /// One of several words.
    ///
    /// # Errors
    /// The message, with all words.
    pub fn choice<T: Copy>(&self, choices: &[(&str, T)]) -> Result<T, String> {
        let text = self.text()?;
        let found = choices.iter().find(|(word, _)| *word == text).map(|(_, choice)| *choice);
        found.ok_or_else(|| {
            let words = choices.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", ");
            format!("found {text:?}; expected one of {words}")
        })
    }

    /// The values of a list, of any kind.
    ///
    /// # Errors
    /// The message if it is not a list.
    pub fn values(&self) -> Result<&[Said<'a>], String> {
        match self {
            Self::List(items) => Ok(items),
            other => Err(format!("found {}; expected a list in [ ]", other.kind())),
        }
    }

    /// A list of texts.
    ///
    /// # Errors
    /// The message if it is not one.
    pub fn texts(&self) -> Result<Vec<&'a str>, String> {
        let Self::List(items) = self else {
            return Err(format!("found {}; expected a list of texts", self.kind()));
        };
        let text = |item: &Said<'a>| if let Self::Text(text) = item { Some(*text) } else { None };
        let texts = items.iter().map(text).collect::<Option<_>>();
        texts.ok_or_else(|| "found a list of other things; expected texts in quotes".to_owned())
    }
}

impl fmt::Display for Said<'_> {
    /// A number as it is written, and the kind of any other value.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole { digits, radix } => {
                let prefix = match radix {
                    2 => "0b",
                    8 => "0o",
                    16 => "0x",
                    _ => "",
                };
                write!(f, "{prefix}{digits}")
            }
            Self::Number(number) => f.write_str(number),
            other => f.write_str(&other.kind()),
        }
    }
}
