//! Changes one setting in the text of a design file. Everything else stays as it is, comments included.

use std::path::Path;

use lightloom_request::key::Key;
use lightloom_request::{InputError, Value};
use toml_edit::{Array, DocumentMut, Item, Table};

/// The text with another value of a setting. `None` removes the setting, so that its default applies.
///
/// # Errors
/// [`InputError`] if the text is not TOML, or if something else stands in place of the section.
pub fn with_setting(
    text: &str,
    file: &Path,
    key: &Key,
    value: Option<&Value>,
) -> Result<String, InputError> {
    let mut document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| {
        let refused = InputError::new(format!("is not TOML: {}", error.message())).in_file(file);
        let line =
            |at: usize| 1 + text.as_bytes()[..at].iter().filter(|&&byte| byte == b'\n').count();
        match error.span() {
            Some(span) => refused.at_line(line(span.start) as u64),
            None => refused,
        }
    })?;
    let table = match key.section() {
        "" => document.as_table_mut() as &mut dyn toml_edit::TableLike,
        section => {
            let missing = || Item::Table(Table::new());
            let found = document.entry(section).or_insert_with(missing).as_table_like_mut();
            found.ok_or_else(|| {
                let message = format!("`{section}` is no section; write [{section}] in its place");
                InputError::new(message).in_file(file)
            })?
        }
    };
    match value {
        None => {
            table.remove(key.field());
        }
        Some(value) => {
            let mut new = written(value);
            // A comment behind the old value stays.
            if let Some(old) = table.get(key.field()).and_then(Item::as_value) {
                *new.decor_mut() = old.decor().clone();
            }
            table.insert(key.field(), Item::Value(new));
        }
    }
    Ok(document.to_string())
}

/// A value as TOML. Texts are quoted, so that a text cannot be read as anything else.
fn written(value: &Value) -> toml_edit::Value {
    match value {
        Value::Integer(number) => (*number).into(),
        Value::Text(text) => text.as_str().into(),
        Value::List(list) => list.iter().map(String::as_str).collect::<Array>().into(),
    }
}
