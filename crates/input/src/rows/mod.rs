//! Reads rows of TOML files: catalogues and scenarios. Every error names the file, the line and the field.

mod nested;
mod provenance;

use std::fmt::Display;
use std::path::Path;
use std::str::FromStr;

use lightloom_request::spelling::{nearest, unknown};
use lightloom_request::{InputError, Texts, of};
use lightloom_units::ParseError;
use toml::de::{DeTable, DeValue};

use crate::text;

/// Longest name, source or date of a row, in bytes.
const LONGEST: usize = 300;

/// A parsed TOML file with rows.
pub struct Document<'a> {
    file: &'a Path,
    text: &'a str,
    /// Source of the texts of the files that the rows name.
    texts: Texts,
    table: DeTable<'a>,
}

/// A row: a table of the file, with its section.
#[derive(Clone, Copy)]
pub struct Row<'a> {
    /// The file that the row is in.
    pub document: &'a Document<'a>,
    /// Name of its section.
    pub section: &'a str,
    /// Name of the row. Empty if its section is a single row.
    pub name: &'a str,
    /// Byte offset of the row in the text. Lines are counted only for messages.
    pub at: usize,
    /// The fields of the row.
    pub table: &'a DeTable<'a>,
}

impl<'a> Document<'a> {
    /// Parses a text. `file` is for error messages.
    ///
    /// # Errors
    /// [`InputError`] at the line if the text is not TOML.
    pub fn parse(file: &'a Path, text: &'a str) -> Result<Self, InputError> {
        let table = DeTable::parse(text).map_err(|error| {
            let refused =
                InputError::new(format!("is not TOML: {}", error.message())).in_file(file);
            let line = error.span().map(|span| text::line_at(text.as_bytes(), span.start));
            line.map_or(refused.clone(), |line| refused.at_line(line))
        })?;
        Ok(Self { file, text, texts: Texts::default(), table: table.into_inner() })
    }

    /// Sets the source of the texts of files that the rows name.
    pub fn beside(self, texts: &Texts) -> Self {
        Self { texts: texts.clone(), ..self }
    }

    fn line(&self, at: usize) -> u64 {
        text::line_at(self.text.as_bytes(), at)
    }

    /// The top level of the file as a row, for values before all sections.
    pub fn root(&self) -> Row<'_> {
        Row { document: self, section: "", name: "", at: 0, table: &self.table }
    }

    /// The rows, in the order of sections and names. `is_row` returns whether a section is a single row;
    /// other sections hold named rows.
    pub fn rows(&'a self, is_row: impl Fn(&str) -> bool) -> Result<Vec<Row<'a>>, InputError> {
        let refuse = |at, field: &str, message: String| {
            InputError::new(message).in_file(self.file).at_line(self.line(at)).in_field(field)
        };
        let mut rows = Vec::new();
        for (key, value) in &self.table {
            let (section, at) = (key.get_ref().as_ref(), key.span().start);
            let DeValue::Table(table) = value.get_ref() else {
                let message = format!(
                    "found {}; expected a table such as [transceiver.10gbase-lr]",
                    a_kind(value.get_ref())
                );
                return Err(refuse(at, section, message));
            };
            if is_row(section) {
                rows.push(Row { document: self, section, name: "", at, table });
                continue;
            }
            for (key, value) in table {
                let (name, at) = (key.get_ref().as_ref(), key.span().start);
                let field = format!("{section}.{name}");
                let DeValue::Table(table) = value.get_ref() else {
                    let message = format!(
                        "found {}; rows have a name, as in [{section}.my-part]",
                        a_kind(value.get_ref())
                    );
                    return Err(refuse(at, &field, message));
                };
                if !is_name(name) {
                    let message = "is no name for a row; take up to 64 letters, digits, -, _ and .";
                    return Err(refuse(at, &field, message.into()));
                }
                rows.push(Row { document: self, section, name, at, table });
            }
        }
        Ok(rows)
    }
}

/// Whether a name is plain. Names go into tables, files and flags.
fn is_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    name.len() <= 64
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.chars().all(plain)
}

impl<'a> Row<'a> {
    /// Source of the texts of the files that the row names.
    pub fn texts(&self) -> &'a Texts {
        &self.document.texts
    }

    /// Places an error about a file that a field names. If the whole file is unreadable, the error is at the
    /// field. If something within the file is wrong, the error keeps its place in that file.
    pub fn of_file(&self, field: &str, path: &Path, error: InputError) -> InputError {
        let whole = error.line.is_none() && error.field.is_none();
        if whole && error.file.as_deref() == Some(path) { self.refuse(field, error) } else { error }
    }

    /// The row as `section.name`.
    pub fn path(&self) -> String {
        let row = [self.section, self.name];
        row.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(".")
    }

    /// The line that the row begins in, counted from 1.
    pub fn line(&self) -> u64 {
        self.document.line(self.at)
    }

    /// An error about a field, at the line of the field. If the row lacks the field, at the line of the row.
    pub fn refuse(&self, field: &str, message: impl Display) -> InputError {
        let said = self.table.iter().find(|(key, _)| key.get_ref().as_ref() == field);
        let line = self.document.line(said.map_or(self.at, |(key, _)| key.span().start));
        let row = [self.path(), field.to_owned()];
        let path = row.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(".");
        InputError::new(message).in_file(self.document.file).at_line(line).in_field(path)
    }

    /// Refuses unknown fields. Fields about provenance are always known.
    pub fn only(&self, known: &[&str]) -> Result<(), InputError> {
        let known =
            known.iter().chain(&["source", "date", "part_number"]).copied().collect::<Vec<_>>();
        self.only_these(&known)
    }

    /// Refuses unknown fields. A known table may be given as in the file: `[network]` or `[[flow]]`.
    pub fn only_these(&self, known: &[&str]) -> Result<(), InputError> {
        let is_known =
            |said: &str| known.iter().any(|known| known.trim_matches(['[', ']']) == said);
        match self.table.keys().find(|key| !is_known(key.get_ref())) {
            None => Ok(()),
            Some(key) => {
                let meant = nearest(key.get_ref(), known.iter().copied());
                Err(self.refuse(key.get_ref(), unknown("field", meant, known)))
            }
        }
    }

    /// Whether the row has a field.
    pub fn has(&self, field: &str) -> bool {
        self.table.keys().any(|key| key.get_ref().as_ref() == field)
    }

    /// The value of a field. `None`: the row lacks it.
    pub fn value(&self, field: &str) -> Option<&'a DeValue<'a>> {
        let said = self.table.iter().find(|(key, _)| key.get_ref().as_ref() == field);
        said.map(|(_, value)| value.get_ref())
    }

    /// The value of a field, with its byte offset in the text.
    pub fn entry(&self, field: &str) -> Option<(usize, &'a DeValue<'a>)> {
        let said = self.table.iter().find(|(key, _)| key.get_ref().as_ref() == field);
        said.map(|(key, value)| (key.span().start, value.get_ref()))
    }

    /// The error about a missing field, with an example value.
    pub fn missing(&self, field: &str, example: &str) -> InputError {
        self.refuse(field, format!("is missing; give one such as {example}"))
    }

    /// A text without control characters. `None`: the row lacks the field.
    ///
    /// # Errors
    /// [`InputError`] at the field if it is not a text, is too long or has control characters.
    pub fn text(&self, field: &str) -> Result<Option<&str>, InputError> {
        match self.value(field) {
            None => Ok(None),
            Some(DeValue::String(text)) if text.len() > LONGEST => {
                Err(self.refuse(field, format!("is longer than {LONGEST} bytes")))
            }
            Some(DeValue::String(text)) if text.chars().any(char::is_control) => {
                Err(self.refuse(field, "has control characters; take plain text"))
            }
            Some(DeValue::String(text)) => Ok(Some(text)),
            Some(other) => {
                let message = format!("found {}; expected a text in quotes", a_kind(other));
                Err(self.refuse(field, message))
            }
        }
    }

    /// A quantity with its unit, in quotes.
    pub fn quantity<T: FromStr<Err = ParseError>>(
        &self,
        field: &str,
    ) -> Result<Option<T>, InputError> {
        let number = match self.value(field) {
            Some(DeValue::Integer(number)) => Some(number.as_str()),
            Some(DeValue::Float(number)) => Some(number.as_str()),
            _ => None,
        };
        if let Some(number) = number {
            let message =
                format!("found {number} without a unit; expected {}, in quotes", of::<T>());
            return Err(self.refuse(field, message));
        }
        let Some(text) = self.text(field)? else { return Ok(None) };
        text.parse().map(Some).map_err(|error| self.refuse(field, error))
    }

    /// Like [`Self::quantity`], for a required field.
    pub fn required<T: FromStr<Err = ParseError>>(
        &self,
        field: &str,
        example: &str,
    ) -> Result<T, InputError> {
        self.quantity(field)?.ok_or_else(|| self.missing(field, example))
    }

    /// A value of this row, or else of the earlier row of the same name. The word `"unknown"` removes an inherited
    /// value. `read` gives the value that this row has.
    pub fn inherited<T>(
        &self,
        field: &str,
        old: Option<T>,
        read: impl FnOnce(&Self, &str) -> Result<Option<T>, InputError>,
    ) -> Result<Option<T>, InputError> {
        if self.is_unknown(field) {
            return Ok(None);
        }
        Ok(read(self, field)?.or(old))
    }

    /// Whether the row says that a value is unknown.
    fn is_unknown(&self, field: &str) -> bool {
        matches!(self.value(field), Some(DeValue::String(text)) if text == "unknown")
    }

    /// A quantity of this row, or else of the earlier row of the same name. It is required, so it is never unknown.
    pub fn over<T: FromStr<Err = ParseError>>(
        &self,
        old: Option<T>,
        field: &str,
        example: &str,
    ) -> Result<T, InputError> {
        if self.is_unknown(field) {
            let message = format!("is needed, so it cannot be unknown; give one such as {example}");
            return Err(self.refuse(field, message));
        }
        match old {
            Some(old) => Ok(self.quantity(field)?.unwrap_or(old)),
            None => self.required(field, example),
        }
    }

    /// A whole number of 32 bits.
    pub fn number(&self, field: &str) -> Result<Option<u32>, InputError> {
        match self.value(field) {
            None => Ok(None),
            Some(DeValue::Integer(number)) => {
                u32::from_str_radix(number.as_str(), number.radix()).map(Some).map_err(|_| {
                    let message =
                        format!("found {number}; expected a whole number from 0 to 4294967295");
                    self.refuse(field, message)
                })
            }
            Some(other) => {
                let message = format!("found {}; expected a whole number", a_kind(other));
                Err(self.refuse(field, message))
            }
        }
    }

    /// Like [`Self::number`], for a required field.
    pub fn required_number(&self, field: &str, example: &str) -> Result<u32, InputError> {
        self.number(field)?.ok_or_else(|| self.missing(field, example))
    }

    /// A decimal number without a unit, such as a ratio.
    pub fn ratio(&self, field: &str) -> Result<Option<f64>, InputError> {
        let text = match self.value(field) {
            None => return Ok(None),
            Some(DeValue::Float(number)) => number.as_str(),
            Some(DeValue::Integer(number)) => number.as_str(),
            Some(other) => {
                let message = format!("found {}; expected a number such as 1e-12", a_kind(other));
                return Err(self.refuse(field, message));
            }
        };
        let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
        let message = || format!("found {text}; expected a finite number such as 1e-12");
        number.map(Some).ok_or_else(|| self.refuse(field, message()))
    }

    /// One of several words.
    pub fn choice<T: Copy>(
        &self,
        field: &str,
        choices: &[(&str, T)],
    ) -> Result<Option<T>, InputError> {
        let Some(text) = self.text(field)? else { return Ok(None) };
        let found = choices.iter().find(|(word, _)| *word == text).map(|(_, choice)| *choice);
        found.map(Some).ok_or_else(|| {
            let words = choices.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", ");
            self.refuse(field, format!("found {text:?}; expected one of {words}"))
        })
    }

    /// A list of texts.
    pub fn list(&self, field: &str) -> Result<Option<Vec<&str>>, InputError> {
        match self.value(field) {
            None => Ok(None),
            Some(DeValue::Array(items)) => {
                let texts = items.iter().map(|item| item.get_ref().as_str()).collect::<Option<_>>();
                texts.map(Some).ok_or_else(|| {
                    self.refuse(field, "found a list of other things; expected texts in quotes")
                })
            }
            Some(other) => {
                let message = format!("found {}; expected a list of texts", a_kind(other));
                Err(self.refuse(field, message))
            }
        }
    }
}

/// The kind of a value with its article, for messages.
pub fn a_kind(value: &DeValue<'_>) -> String {
    match value.type_str() {
        kind @ ("integer" | "array") => format!("an {kind}"),
        kind => format!("a {kind}"),
    }
}
