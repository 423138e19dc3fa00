//! Deserialised parts pass the same checks as new ones.

use lightloom_power_cost::parts::{Inline, Joint, Splitter, SwitchModel, Transceiver};
use serde::Deserialize;
use serde::de::value::{Error, MapDeserializer, SeqDeserializer};
use serde::de::{Deserializer, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;

/// The part of a file format that rows need.
#[derive(Clone)]
enum Value {
    Text(&'static str),
    Whole(u32),
    Map(Vec<(&'static str, Value)>),
    List(Vec<Value>),
}

impl<'de> Deserializer<'de> for Value {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Self::Text(text) => visitor.visit_str(text),
            Self::Whole(number) => visitor.visit_u32(number),
            Self::Map(fields) => visitor.visit_map(MapDeserializer::new(fields.into_iter())),
            Self::List(values) => visitor.visit_seq(SeqDeserializer::new(values.into_iter())),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self {
            Self::Text(text) => text.into_deserializer().deserialize_enum(name, variants, visitor),
            other => other.deserialize_any(visitor),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct newtype_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

impl IntoDeserializer<'_, Error> for Value {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// A row with these fields, a name and a source.
fn row(fields: &[(&'static str, Value)]) -> Value {
    let source = vec![("source", Value::Text("a test")), ("date", Value::Text("2026-11"))];
    let always = [("name", Value::Text("x")), ("provenance", Value::Map(source))];
    Value::Map(always.into_iter().chain(fields.iter().cloned()).collect())
}

/// The message of an error.
fn refused<Part: for<'de> Deserialize<'de>>(fields: &[(&'static str, Value)]) -> Option<String> {
    Part::deserialize(row(fields)).err().map(|error| error.to_string())
}

fn names(message: Option<String>, field: &str) -> bool {
    message.is_some_and(|message| message.starts_with(&format!("{field}: ")))
}

#[test]
fn splitters() {
    let of = |loss| [("fan_out", Value::Whole(8)), ("loss_max", Value::Text(loss))];
    assert_eq!(refused::<Splitter>(&of("10.7 dB")), None);
    assert!(names(refused::<Splitter>(&of("5 dB")), "loss_max"));
    assert!(names(refused::<Splitter>(&of("-10.7 dB")), "loss_max"));
    assert!(refused::<Splitter>(&of("NaN dB")).is_some());
    assert!(refused::<Splitter>(&of("10.7 dBm")).is_some());
    let more = [of("10.7 dB").to_vec(), vec![("reflectance", Value::Text("50 dB"))]].concat();
    assert!(names(refused::<Splitter>(&more), "reflectance"));
    let unknown = [of("10.7 dB").to_vec(), vec![("los_typ", Value::Text("9 dB"))]].concat();
    assert!(refused::<Splitter>(&unknown).is_some_and(|message| message.contains("los_typ")));
}

#[test]
fn transceivers() {
    let of = |levels: &[(&'static str, Value)]| {
        let always = [
            ("rate", Value::Text("10 Gb/s")),
            ("modulation", Value::Text("nrz")),
            ("fibres", Value::Whole(1)),
            ("fec", Value::Text("none")),
        ];
        [&always, levels].concat()
    };
    let levels = |sensitivity, overload| {
        let (sensitivity, overload) = (Value::Text(sensitivity), Value::Text(overload));
        of(&[("sensitivity", sensitivity), ("overload", overload)])
    };
    assert_eq!(refused::<Transceiver>(&of(&[])), None);
    assert_eq!(refused::<Transceiver>(&levels("-14 dBm", "0.5 dBm")), None);
    assert!(names(refused::<Transceiver>(&levels("-14 dBm", "-15 dBm")), "sensitivity"));
    let launch = [("launch_min", Value::Text("0 dBm")), ("launch_max", Value::Text("-6 dBm"))];
    assert!(names(refused::<Transceiver>(&of(&launch)), "launch_min"));
}

#[test]
fn other_rows() {
    assert!(names(refused::<Joint>(&[("loss_max", Value::Text("-0.1 dB"))]), "loss_max"));
    let inline = [("loss_min", Value::Text("2 dB")), ("loss_max", Value::Text("1 dB"))];
    assert!(names(refused::<Inline>(&inline), "loss_min"));
    let model = |ports: Vec<Value>| [("ports", Value::List(ports)), ("height", Value::Whole(1))];
    let group = [("count", Value::Whole(32)), ("rate", Value::Text("10 Gb/s"))];
    assert_eq!(refused::<SwitchModel>(&model(vec![Value::Map(group.to_vec())])), None);
    assert!(names(refused::<SwitchModel>(&model(Vec::new())), "ports"));
}
