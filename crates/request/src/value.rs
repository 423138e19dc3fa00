//! Raw values of settings.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The raw value of a setting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// A whole number.
    Integer(i64),
    /// A text.
    Text(String),
    /// A list of texts.
    List(Vec<String>),
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Integer(number)
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Self::Integer(number.into())
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(number) => number.fmt(f),
            Self::Text(text) => write!(f, "{text:?}"),
            Self::List(list) => write!(f, "{list:?}"),
        }
    }
}
