//! Changes one setting in the text of a design file. Everything else stays as it is, comments included.

use std::path::Path;

use lightloom_request::key::Key;
use lightloom_request::{InputError, Value};
use toml_edit::{Array, Document, Item, Table, TableLike};

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
    let mut document = parsed(text, file)?.into_mut();
    let table = match key.section() {
        "" => document.as_table_mut() as &mut dyn TableLike,
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
            set(table, key.field(), written(value));
        }
    }
    Ok(document.to_string())
}

/// Gives a field a value. Comments above and behind the old one stay.
pub(crate) fn set(table: &mut dyn TableLike, field: &str, mut new: toml_edit::Value) {
    let Some(old) = table.get_mut(field) else {
        table.insert(field, Item::Value(new));
        return;
    };
    if let Some(value) = old.as_value() {
        *new.decor_mut() = value.decor().clone();
    }
    *old = Item::Value(new);
}

/// The text as TOML, with the places of everything in it.
///
/// # Errors
/// [`InputError`] at the line if the text is not TOML.
pub(crate) fn parsed<'a>(text: &'a str, file: &Path) -> Result<Document<&'a str>, InputError> {
    Document::parse(text).map_err(|error| {
        let refused = InputError::new(format!("is not TOML: {}", error.message())).in_file(file);
        let line =
            |at: usize| 1 + text.as_bytes()[..at].iter().filter(|&&byte| byte == b'\n').count();
        match error.span() {
            Some(span) => refused.at_line(line(span.start) as u64),
            None => refused,
        }
    })
}

/// A value as TOML. Texts are quoted, so that a text cannot be read as anything else.
fn written(value: &Value) -> toml_edit::Value {
    match value {
        Value::Integer(number) => (*number).into(),
        Value::Text(text) => text.as_str().into(),
        Value::List(list) => list.iter().map(String::as_str).collect::<Array>().into(),
    }
}
