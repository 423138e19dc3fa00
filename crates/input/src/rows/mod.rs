//! Reads rows of TOML files: catalogues and scenarios. Every error names the file, the line and the field. A program
//! can give the same rows as values; their errors name the field and, in a list, its place.

mod fields;
mod nested;
mod provenance;

use std::fmt::Display;
use std::path::Path;
use std::str::FromStr;

use lightloom_request::given::Fields;
use lightloom_request::spelling::{nearest, unknown};
use lightloom_request::{InputError, Said, Texts};
use lightloom_units::ParseError;
use toml::de::DeTable;

use crate::rows::fields::{Entry, Table};
use crate::text;

/// A file with rows.
pub struct Document<'a> {
    file: &'a Path,
    /// Source of the texts of the files that the rows name.
    texts: Texts,
    content: Content<'a>,
}

/// What the rows of a file are in.
enum Content<'a> {
    /// A text in TOML.
    Toml { text: &'a str, table: DeTable<'a> },
    /// Values of a program.
    Given(&'a Fields),
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
    /// Place in the list of its section, from 0. `None`: the section is no list.
    number: Option<usize>,
    /// The fields of the row.
    table: Table<'a>,
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
        let content = Content::Toml { text, table: table.into_inner() };
        Ok(Self { file, texts: Texts::default(), content })
    }

    /// The fields that a program gives in place of a file. `file` is for error messages.
    pub fn given(file: &'a Path, fields: &'a Fields) -> Self {
        Self { file, texts: Texts::default(), content: Content::Given(fields) }
    }

    /// Sets the source of the texts of files that the rows name.
    pub fn beside(self, texts: &Texts) -> Self {
        Self { texts: texts.clone(), ..self }
    }

    /// The line at a byte offset, from 1. `None`: a program gives the rows.
    fn line(&self, at: usize) -> Option<u64> {
        match &self.content {
            Content::Toml { text, .. } => Some(text::line_at(text.as_bytes(), at)),
            Content::Given(_) => None,
        }
    }

    fn refuse(&self, at: usize, field: &str, message: impl Display) -> InputError {
        let refused = InputError::new(message).in_file(self.file).in_field(field);
        match self.line(at) {
            Some(line) => refused.at_line(line),
            None => refused,
        }
    }

    /// The top level of the file as a row, for values before all sections.
    pub fn root(&self) -> Row<'_> {
        let table = match &self.content {
            Content::Toml { table, .. } => Table::Toml(table),
            Content::Given(fields) => Table::Given(fields),
        };
        Row { document: self, section: "", name: "", at: 0, number: None, table }
    }

    /// The rows, in the order of sections and names. `is_row` returns whether a section is a single row;
    /// other sections hold named rows.
    pub fn rows(&'a self, is_row: impl Fn(&str) -> bool) -> Result<Vec<Row<'a>>, InputError> {
        let mut rows = Vec::new();
        for (section, (at, value)) in self.root().table.entries() {
            let Some(table) = value.table() else {
                let message = format!(
                    "found {}; expected a table such as [transceiver.10gbase-lr]",
                    value.said().kind()
                );
                return Err(self.refuse(at, section, message));
            };
            if is_row(section) {
                rows.push(Row { document: self, section, name: "", at, number: None, table });
                continue;
            }
            for (name, (at, value)) in table.entries() {
                let field = format!("{section}.{name}");
                let Some(table) = value.table() else {
                    let message = format!(
                        "found {}; rows have a name, as in [{section}.my-part]",
                        value.said().kind()
                    );
                    return Err(self.refuse(at, &field, message));
                };
                if !is_name(name) {
                    let message = "is no name for a row; take up to 64 letters, digits, -, _ and .";
                    return Err(self.refuse(at, &field, message));
                }
                rows.push(Row { document: self, section, name, at, number: None, table });
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

    /// The row as `section.name`; as `section[number]` in a list of a program.
    pub fn path(&self) -> String {
        let row = [self.section, self.name];
        let path = row.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(".");
        match (self.number, &self.document.content) {
            (Some(number), Content::Given(_)) => format!("{path}[{number}]"),
            _ => path,
        }
    }

    /// The line that the row begins in, counted from 1. 0: a program gives the row.
    pub fn line(&self) -> u64 {
        self.document.line(self.at).unwrap_or(0)
    }

    /// An error about a field, at the line of the field. If the row lacks the field, at the line of the row.
    pub fn refuse(&self, field: &str, message: impl Display) -> InputError {
        let at = self.table.find(field).map_or(self.at, |(at, _)| at);
        let row = [self.path(), field.to_owned()];
        let path = row.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(".");
        self.document.refuse(at, &path, message)
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
        match self.table.entries().into_iter().find(|(name, _)| !is_known(name)) {
            None => Ok(()),
            Some((name, _)) => {
                let meant = nearest(name, known.iter().copied());
                Err(self.refuse(name, unknown("field", meant, known)))
            }
        }
    }

    /// Whether the row has a field.
    pub fn has(&self, field: &str) -> bool {
        self.entry(field).is_some()
    }

    fn entry(&self, field: &str) -> Option<Entry<'a>> {
        self.table.find(field)
    }

    /// The value of a field. `None`: the row lacks it.
    pub fn said(&self, field: &str) -> Option<Said<'a>> {
        self.entry(field).map(|(_, value)| value.said())
    }

    /// The value of a field as `read` types it. `None`: the row lacks it.
    ///
    /// # Errors
    /// [`InputError`] at the field, with the message of `read`.
    fn typed<T>(
        &self,
        field: &str,
        read: impl FnOnce(Said<'a>) -> Result<T, String>,
    ) -> Result<Option<T>, InputError> {
        let typed = self.said(field).map(read).transpose();
        typed.map_err(|message| self.refuse(field, message))
    }

    /// The error about a missing field, with an example value.
    pub fn missing(&self, field: &str, example: &str) -> InputError {
        self.refuse(field, format!("is missing; give one such as {example}"))
    }

    /// A text without control characters. `None`: the row lacks the field.
    ///
    /// # Errors
    /// [`InputError`] at the field if it is not a text, is too long or has control characters.
    pub fn text(&self, field: &str) -> Result<Option<&'a str>, InputError> {
        self.typed(field, |said| said.text())
    }

    /// A quantity with its unit, in quotes.
    pub fn quantity<T: FromStr<Err = ParseError>>(
        &self,
        field: &str,
    ) -> Result<Option<T>, InputError> {
        self.typed(field, |said| said.quantity())
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
        matches!(self.said(field), Some(Said::Text("unknown")))
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
        self.typed(field, |said| said.number())
    }

    /// Like [`Self::number`], for a required field.
    pub fn required_number(&self, field: &str, example: &str) -> Result<u32, InputError> {
        self.number(field)?.ok_or_else(|| self.missing(field, example))
    }

    /// A decimal number without a unit, such as a ratio.
    pub fn ratio(&self, field: &str) -> Result<Option<f64>, InputError> {
        self.typed(field, |said| said.ratio())
    }

    /// One of several words.
    pub fn choice<T: Copy>(
        &self,
        field: &str,
        choices: &[(&str, T)],
    ) -> Result<Option<T>, InputError> {
        self.typed(field, |said| said.choice(choices))
    }

    /// A list of texts.
    pub fn list(&self, field: &str) -> Result<Option<Vec<&'a str>>, InputError> {
        self.typed(field, |said| said.texts())
    }
}
