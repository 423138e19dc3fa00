//! JSON Schemas of design and scenario files, made from the declarations of settings and fields. Editors use
//! them to complete and check files.

use lightloom_request::key::Default;
use lightloom_request::{Key, Takes, Value as Said, setting};
use lightloom_scenario::said::{self, Kind};
use serde_json::{Map, Value, json};

/// The JSON Schema dialect.
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// The schema of design files.
pub fn design() -> Value {
    let all = setting::all();
    let of = |section: &str| -> Map<String, Value> {
        let keys = all.iter().filter(|key| key.section() == section);
        keys.map(|key| (key.field().to_owned(), of_key(key))).collect()
    };
    let mut properties = of("");
    properties
        .insert("version".into(), json!({ "const": 1, "description": setting::VERSION.help }));
    for (section, about) in setting::sections() {
        properties.insert((*section).into(), object(about.trim(), of(section), &[]));
    }
    let mut schema = object("A design of lightloom.", properties, &["version"]);
    schema["$schema"] = DIALECT.into();
    schema["title"] = "lightloom design".into();
    schema
}

fn object(about: &str, properties: Map<String, Value>, required: &[&str]) -> Value {
    json!({
        "description": about,
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn of_key(key: &Key) -> Value {
    let mut schema = match key.takes {
        Takes::Whole { least, most } => {
            json!({ "type": "integer", "minimum": least, "maximum": most })
        }
        Takes::Number | Takes::Text | Takes::Path => json!({ "type": "string" }),
        Takes::Choice(choices) => {
            let word = |(word, about)| json!({ "const": word, "description": about });
            json!({ "oneOf": choices().into_iter().map(word).collect::<Vec<_>>() })
        }
        Takes::Texts { .. } => json!({ "type": "array", "items": { "type": "string" } }),
        Takes::Quantity(what, unit) => quantity(what(), unit),
        Takes::Quantities(what, unit) => {
            json!({ "type": "array", "items": quantity(what(), unit) })
        }
    };
    schema["description"] = key.help.into();
    match key.default {
        Default::Value(written) => schema["default"] = plain(&written.into()),
        Default::Depends(words, written) => {
            schema["description"] = format!("{} Default: {words}.", key.help).into();
            schema["examples"] = json!([plain(&written.into())]);
        }
    }
    schema
}

/// A text with a number and a unit. The schema does not check the unit; the reader does.
fn quantity(what: &str, unit: &str) -> Value {
    json!({ "type": "string", "pattern": "^\\s*[-+]?[0-9.]", "title": what, "examples": [format!("1 {unit}")] })
}

fn plain(said: &Said) -> Value {
    match said {
        Said::Integer(number) => json!(number),
        Said::Text(text) => json!(text),
        Said::List(list) => json!(list),
    }
}

/// The schema of scenario files.
pub fn scenario() -> Value {
    let mut properties = Map::new();
    let mut parameters = Map::new();
    for section in said::SECTIONS {
        let fields = section.fields.iter().map(|field| (field.name.to_owned(), of_field(field)));
        let fields: Map<String, Value> = fields.collect();
        let needed = section.fields.iter().filter(|field| is_needed(field));
        let needed: Vec<&str> = needed.map(|field| field.name).collect();
        match section.name.split_once('.') {
            _ if section.name.is_empty() => properties.extend(fields),
            None if section.name == "parameters" => parameters = fields,
            None => {
                let table = object(section.about, fields, &needed);
                let schema = match section.is_list {
                    true => json!({ "type": "array", "items": table }),
                    false => table,
                };
                properties.insert(section.name.into(), schema);
            }
            Some((_, name)) => {
                parameters.insert(name.into(), object(section.about, fields, &[]));
            }
        }
    }
    let about = said::section("parameters").about;
    properties.insert("parameters".into(), object(about, parameters, &[]));
    let required = ["version", "until", "network"];
    let mut schema = object("A scenario of lightloom's twin.", properties, &required);
    schema["$schema"] = DIALECT.into();
    schema["title"] = "lightloom scenario".into();
    schema
}

/// Whether a field is required regardless of the other fields.
fn is_needed(field: &said::Field) -> bool {
    field.default.is_empty() && field.only.is_empty()
}

fn of_field(field: &said::Field) -> Value {
    let node = json!({ "type": ["integer", "string"] });
    let mut schema = match field.kind {
        Kind::Whole => json!({ "type": "integer", "minimum": 0 }),
        Kind::WholeOr(word) => {
            json!({ "anyOf": [{ "type": "integer", "minimum": 0 }, { "const": word }] })
        }
        Kind::Number => json!({ "type": "number" }),
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Text | Kind::Path => json!({ "type": "string" }),
        Kind::Word(words) => json!({ "enum": words }),
        Kind::Quantity(what, unit) => quantity(what, unit),
        Kind::QuantityOr(what, unit, word) => {
            json!({ "anyOf": [quantity(what, unit), { "const": word }] })
        }
        Kind::Node => node,
        Kind::Nodes => {
            json!({ "anyOf": [{ "type": "integer" }, { "type": "array", "items": node }] })
        }
        Kind::NodeList => json!({ "type": "array", "items": node }),
        Kind::Members => {
            json!({ "anyOf": [{ "const": "all" }, { "type": "array", "items": node }] })
        }
        Kind::Flows => {
            let number = json!({ "type": "integer", "minimum": 0 });
            let one = json!({ "anyOf": [number, { "type": "string" }] });
            json!({ "anyOf": [one, { "type": "array", "items": one }] })
        }
    };
    let only = match field.only {
        [] => String::new(),
        only => format!(" Only of {}.", only.join(", ")),
    };
    let default = match field.default {
        "" | said::ONE_OF => String::new(),
        default => format!(" Default: {default}."),
    };
    schema["description"] = format!("{}{only}{default}", field.help).into();
    schema
}
