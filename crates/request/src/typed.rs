//! Settings with values of one type, and how values are read.

use std::marker::PhantomData;
use std::ops::Deref;
use std::path::PathBuf;

use lightloom_power_cost::{Accounting, Case};
use lightloom_topology::hall::Housing;
use lightloom_units::{BitRate, Db, Length, Money, ParseError};

use crate::choices::{CatalogueName, Criterion, Family, RouterName, RowsFrom};
use crate::error::InputError;
use crate::key::{Default, Key, Takes};
use crate::value::Value;

/// A setting with values of one type.
#[derive(Debug)]
pub struct Setting<T: 'static> {
    key: Key,
    value: PhantomData<fn() -> T>,
}

impl<T: SettingValue> Setting<T> {
    /// The value that holds where the setting is not said.
    ///
    /// # Panics
    /// When the setting has no such value, or it cannot be read. A test reads all of them.
    pub fn default_value(&self) -> T {
        let Default::Value(written) = self.key.default else {
            panic!("{} has no default of its own", self.key.name)
        };
        let read = T::read(&written.into(), self.key.takes);
        read.unwrap_or_else(|message| panic!("the default of {}: {message}", self.key.name))
    }
}

impl<T> Setting<T> {
    /// A setting with this key; [`SettingValue::read`] of `T` must read what the key takes.
    pub const fn new(key: Key) -> Self {
        Self { key, value: PhantomData }
    }
}

impl<T> Deref for Setting<T> {
    type Target = Key;

    fn deref(&self) -> &Key {
        &self.key
    }
}

/// A type of values of settings.
pub trait SettingValue: Sized {
    /// Reads a value; the refusal says what was found and what is expected.
    ///
    /// # Errors
    /// The message of the refusal.
    fn read(value: &Value, takes: Takes) -> Result<Self, String>;
}

fn wrong_kind(found: &Value, takes: Takes) -> String {
    format!("found {found}; expected {takes}")
}

macro_rules! whole {
    ($($type:ty),*) => {$(
        impl SettingValue for $type {
            fn read(value: &Value, takes: Takes) -> Result<Self, String> {
                let Value::Integer(number) = value else { return Err(wrong_kind(value, takes)) };
                let Takes::Whole { least, most } = takes else { return Err(wrong_kind(value, takes)) };
                let within = Some(*number).filter(|number| (least..=most).contains(number));
                let read = within.and_then(|number| Self::try_from(number).ok());
                read.ok_or_else(|| format!("found {number}; expected {}", Takes::range(least, most)))
            }
        }
    )*};
}

whole!(u32, u64, i64);

impl SettingValue for String {
    fn read(value: &Value, takes: Takes) -> Result<Self, String> {
        match value {
            Value::Text(text) => Ok(text.clone()),
            other => Err(wrong_kind(other, takes)),
        }
    }
}

impl SettingValue for PathBuf {
    fn read(value: &Value, takes: Takes) -> Result<Self, String> {
        String::read(value, takes).map(Self::from)
    }
}

impl SettingValue for Vec<String> {
    fn read(value: &Value, takes: Takes) -> Result<Self, String> {
        match value {
            Value::List(list) => Ok(list.clone()),
            other => Err(wrong_kind(other, takes)),
        }
    }
}

macro_rules! quantity {
    ($($type:ty),*) => {$(
        impl SettingValue for $type {
            fn read(value: &Value, takes: Takes) -> Result<Self, String> {
                let text = String::read(value, takes)?;
                text.parse().map_err(|error: ParseError| error.to_string())
            }
        }

        impl SettingValue for Vec<$type> {
            fn read(value: &Value, takes: Takes) -> Result<Self, String> {
                let parse = |text: &String| text.parse().map_err(|error: ParseError| error.to_string());
                Vec::<String>::read(value, takes)?.iter().map(parse).collect()
            }
        }
    )*};
}

quantity!(Length, BitRate, Db, Money);

macro_rules! choice {
    ($($type:ty),*) => {$(
        impl SettingValue for $type {
            fn read(value: &Value, takes: Takes) -> Result<Self, String> {
                let text = String::read(value, takes)?;
                let expected = || format!("found {text:?}; expected one of {}", Self::names().join(", "));
                Self::named(&text).ok_or_else(expected)
            }
        }
    )*};
}

choice!(Family, RouterName, RowsFrom, CatalogueName, Criterion, Housing, Case, Accounting);

/// Reads an option of a question that was given as a text.
///
/// # Errors
/// [`InputError`] at the option, where the text is no such value.
pub fn read_option<T: SettingValue>(
    name: &'static str,
    said: Option<&str>,
) -> Result<Option<T>, InputError> {
    let read = |text: &str| T::read(&Value::Text(text.to_owned()), Takes::Text);
    said.map(read).transpose().map_err(|message| InputError::new(message).in_option(name))
}
