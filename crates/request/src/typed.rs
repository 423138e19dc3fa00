//! Settings whose values have one type, and the readers of these values.

use std::marker::PhantomData;
use std::ops::Deref;
use std::path::PathBuf;

use lightloom_power_cost::parts::{FaultSignalling, PadPlace, Polish};
use lightloom_power_cost::price::{PriceBasis, PriceCase};
use lightloom_power_cost::{Accounting, Case};
use lightloom_topology::TransmitPort;
use lightloom_topology::hall::{Cabling, Housing, Shuffle};
use lightloom_units::{BitRate, DataSize, Db, Length, Money, ParseError, Span, Speed};

use crate::choices::{CatalogueName, Criterion, Family, RouterName, RowsFrom};
use crate::error::InputError;
use crate::key::{Default, Key, Takes};
use crate::value::Value;

/// A setting whose values have type `T`.
#[derive(Debug)]
pub struct Setting<T: 'static> {
    key: Key,
    value: PhantomData<fn() -> T>,
}

impl<T: SettingValue> Setting<T> {
    /// The value that applies if the setting is not given.
    ///
    /// # Panics
    /// Panics if the setting has no fixed default, or if the default cannot be read. A test reads all
    /// defaults.
    pub fn default_value(&self) -> T {
        let Default::Value(written) = self.key.default else {
            panic!("{} has no default of its own", self.key.name)
        };
        let read = T::read(&written.into(), self.key.takes);
        read.unwrap_or_else(|message| panic!("the default of {}: {message}", self.key.name))
    }
}

impl<T> Setting<T> {
    /// Declares a setting. [`SettingValue::read`] of `T` must accept every value of the key's kind.
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

/// A type that settings can have.
pub trait SettingValue: Sized {
    /// Reads a value.
    ///
    /// # Errors
    /// The message of the error: what was found and what is expected.
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

quantity!(Length, BitRate, DataSize, Db, Money, Span, Speed);

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

choice!(
    Family,
    RouterName,
    RowsFrom,
    CatalogueName,
    Criterion,
    Housing,
    TransmitPort,
    Cabling,
    Shuffle,
    Polish,
    Case,
    Accounting
);
choice!(PadPlace, FaultSignalling, PriceBasis, PriceCase);

/// Reads an option of a request from a text.
///
/// # Errors
/// [`InputError`] with the option's name if the text is not a valid value.
pub fn read_option<T: SettingValue>(
    name: &'static str,
    said: Option<&str>,
) -> Result<Option<T>, InputError> {
    let read = |text: &str| T::read(&Value::Text(text.to_owned()), Takes::Text);
    said.map(read).transpose().map_err(|message| InputError::new(message).in_option(name))
}
