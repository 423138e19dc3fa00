//! Serde for every quantity: `Display` text out, `FromStr` in.

use std::{fmt, marker::PhantomData, str::FromStr};

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error, Visitor},
};

use crate::parse::ParseError;
use crate::{
    attenuation, data, length, money, optical, percent, power, rate, reliability, time, wavelength,
};

/// Parses the string of a deserializer.
struct Text<T> {
    expected: &'static str,
    parsed: PhantomData<T>,
}

impl<T: FromStr<Err = ParseError>> Visitor<'_> for Text<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a string with {}", self.expected)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

macro_rules! serde_as_text {
    ($($quantity:ty: $expected:expr;)*) => {$(
        impl Serialize for $quantity {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $quantity {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(Text {
                    expected: $expected,
                    parsed: PhantomData,
                })
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $quantity {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($quantity).rsplit([' ', ':']).next().unwrap_or_default().into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string", "description": $expected })
            }
        }
    )*};
}

serde_as_text! {
    time::Instant: time::NOTATION.expected;
    time::Span: time::NOTATION.expected;
    rate::BitRate: rate::NOTATION.expected;
    data::DataSize: data::NOTATION.expected;
    length::Length: length::NOTATION.expected;
    percent::Percent: percent::NOTATION.expected;
    power::Power: power::NOTATION.expected;
    reliability::FailureRate: reliability::RATE.expected;
    reliability::RepairTime: reliability::REPAIR.expected;
    optical::Db: optical::DB_EXPECTED;
    optical::Dbm: optical::DBM_EXPECTED;
    attenuation::Attenuation: attenuation::EXPECTED;
    wavelength::Wavelength: wavelength::NOTATION.expected;
    money::Money: money::EXPECTED;
    money::Currency: money::CURRENCY_EXPECTED;
}
