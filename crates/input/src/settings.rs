//! Reads design files: TOML becomes settings, each with its line.

use std::ops::Range;
use std::path::Path;

use lightloom_request::unknown::unknown;
use lightloom_request::{InputError, Request, Settings, Takes, Value, setting};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::text;

/// Reads a request: first its design file, if any, then its flags, which override the file.
///
/// # Errors
/// [`InputError`] if the file cannot be read, is not TOML, or has an unknown key.
pub fn read(request: &Request) -> Result<Settings, InputError> {
    let mut settings = Settings::new(request.design.as_deref(), request.texts.clone());
    if let Some(path) = &request.design {
        if request.texts.get(path).is_none() && path.is_dir() {
            let message = "is a folder; give a design file here. The plan in a folder takes other questions, such as \
                           info, recover, configs and verify";
            return Err(InputError::new(message).in_file(path));
        }
        let text = text::read_up_to(&request.texts, path, 16 << 20)?;
        read_toml(&mut settings, path, &text)?;
        match settings.get(&setting::VERSION)? {
            Some(1) => {}
            Some(found) => {
                let message = format!("found {found}; this lightloom reads version 1");
                return Err(settings.refuse(&setting::VERSION, message));
            }
            None => {
                let message = "is missing; start the file with: version = 1";
                return Err(settings.refuse(&setting::VERSION, message));
            }
        }
    }
    for (name, value) in &request.flags {
        settings.say(name, value.clone());
    }
    Ok(settings)
}

fn read_toml(settings: &mut Settings, path: &Path, text: &str) -> Result<(), InputError> {
    let line = |span: Range<usize>| text::line_at(text.as_bytes(), span.start);
    let table = DeTable::parse(text).map_err(|error| {
        let refused = InputError::new(format!("is not TOML: {}", error.message())).in_file(path);
        error.span().map_or(refused.clone(), |span| refused.at_line(line(span)))
    })?;
    let keys = setting::all();
    let mut leaves = Vec::new();
    for (key, value) in table.get_ref() {
        match value.get_ref() {
            DeValue::Table(section) => {
                for (inner, value) in section {
                    leaves.push((format!("{}.{}", key.get_ref(), inner.get_ref()), inner, value));
                }
                if section.is_empty() && !setting::sections().any(|(name, _)| name == key.get_ref())
                {
                    leaves.push((key.get_ref().to_string(), key, value));
                }
            }
            _ => leaves.push((key.get_ref().to_string(), key, value)),
        }
    }
    for (name, key, value) in leaves {
        let refuse =
            |m: String| InputError::new(m).in_file(path).at_line(line(key.span())).in_field(&name);
        let known = keys.iter().find(|k| k.name == name).ok_or_else(|| refuse(unknown(&name)))?;
        let value = match bare_number(known.takes, value) {
            Some(message) => return Err(refuse(message)),
            None => toml_value(value).map_err(refuse)?,
        };
        settings.say_at(known, value, line(key.span()));
    }
    Ok(())
}

/// The error about a number without a unit, if the setting takes a quantity or a list of quantities.
fn bare_number(takes: Takes, value: &Spanned<DeValue<'_>>) -> Option<String> {
    let number = |value: &DeValue<'_>| match value {
        DeValue::Integer(number) => Some(number.as_str().to_owned()),
        DeValue::Float(number) => Some(number.as_str().to_owned()),
        _ => None,
    };
    let found = match value.get_ref() {
        DeValue::Array(items) => items.iter().find_map(|item| number(item.get_ref()))?,
        value => number(value)?,
    };
    let unit = takes.unit()?;
    Some(format!(
        "found {found} without a unit; write it in quotes with its unit, such as \"{found} {unit}\""
    ))
}

fn toml_value(value: &Spanned<DeValue<'_>>) -> Result<Value, String> {
    match value.get_ref() {
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
            .map(Value::Integer)
            .map_err(|_| format!("found {}; that number is too large", number.as_str())),
        DeValue::String(text) => Ok(Value::Text(text.to_string())),
        DeValue::Array(items) => items
            .iter()
            .map(|item| item.get_ref().as_str().map(str::to_owned))
            .collect::<Option<Vec<_>>>()
            .map(Value::List)
            .ok_or_else(|| "found a list of other things; expected texts in quotes".into()),
        other => Err(format!(
            "found a {}; expected a whole number, a text in quotes such as \"2 m\", or a list",
            other.type_str()
        )),
    }
}
