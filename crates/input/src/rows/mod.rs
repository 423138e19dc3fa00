//! Reading rows of TOML, of catalogues and of scenarios: every refusal names file, line and field.

mod nested;

use std::fmt::Display;
use std::path::Path;
use std::str::FromStr;

use lightloom_power_cost::parts::Provenance;
use lightloom_request::spelling::{nearest, unknown};
use lightloom_request::{InputError, Texts, of};
use lightloom_units::ParseError;
use toml::de::{DeTable, DeValue};

use crate::text;

/// The longest name, source or date of a row.
const LONGEST: usize = 300;

/// A file of rows, parsed.
pub struct Document<'a> {
    file: &'a Path,
    text: &'a str,
    /// Where the texts of the files come from that its rows name.
    texts: Texts,
    table: DeTable<'a>,
}

/// A row: a table of the file, with the section that it is in.
#[derive(Clone, Copy)]
pub struct Row<'a> {
    pub document: &'a Document<'a>,
    pub section: &'a str,
    /// Empty for a section that is a row itself.
    pub name: &'a str,
    /// Where it begins in the text; lines are counted only for messages.
    pub at: usize,
    pub table: &'a DeTable<'a>,
}

impl<'a> Document<'a> {
    pub fn parse(file: &'a Path, text: &'a str) -> Result<Self, InputError> {
        let table = DeTable::parse(text).map_err(|error| {
            let refused =
                InputError::new(format!("is not TOML: {}", error.message())).in_file(file);
            let line = error.span().map(|span| text::line_at(text.as_bytes(), span.start));
            line.map_or(refused.clone(), |line| refused.at_line(line))
        })?;
        Ok(Self { file, text, texts: Texts::default(), table: table.into_inner() })
    }

    /// The same document, whose rows name files among these texts.
    pub fn beside(self, texts: &Texts) -> Self {
        Self { texts: texts.clone(), ..self }
    }

    fn line(&self, at: usize) -> u64 {
        text::line_at(self.text.as_bytes(), at)
    }

    /// The file itself as a row, for the values that stand before its sections.
    pub fn root(&self) -> Row<'_> {
        Row { document: self, section: "", name: "", at: 0, table: &self.table }
    }

    /// The rows, in the order of sections and names. `is_row` says which sections are rows
    /// themselves; all others hold rows by name.
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

/// Names go into tables, files and flags, so they are plain.
fn is_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    name.len() <= 64
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.chars().all(plain)
}

impl<'a> Row<'a> {
    /// Where the texts of the files come from that it names.
    pub fn texts(&self) -> &'a Texts {
        &self.document.texts
    }

    /// An error of a file that a field names: told at the field where the file as a whole cannot be read,
    /// as it is where something within the file is wrong.
    pub fn of_file(&self, field: &str, path: &Path, error: InputError) -> InputError {
        let whole = error.line.is_none() && error.field.is_none();
        if whole && error.file.as_deref() == Some(path) { self.refuse(field, error) } else { error }
    }

    /// `section.name`.
    pub fn path(&self) -> String {
        let row = [self.section, self.name];
        row.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(".")
    }

    /// A complaint about a field of this row, at its line, or at the row's where it has none.
    pub fn refuse(&self, field: &str, message: impl Display) -> InputError {
        let said = self.table.iter().find(|(key, _)| key.get_ref().as_ref() == field);
        let line = self.document.line(said.map_or(self.at, |(key, _)| key.span().start));
        let row = [self.path(), field.to_owned()];
        let path = row.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(".");
        InputError::new(message).in_file(self.document.file).at_line(line).in_field(path)
    }

    /// Refuses fields that are not known; where values come from may be said of any row.
    pub fn only(&self, known: &[&str]) -> Result<(), InputError> {
        let known = known.iter().chain(&["source", "date"]).copied().collect::<Vec<_>>();
        self.only_these(&known)
    }

    /// Refuses fields that are not known. A known table may be written as in the file, `[network]` or
    /// `[[flow]]`.
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

    /// Whether a field was said.
    pub fn has(&self, field: &str) -> bool {
        self.table.keys().any(|key| key.get_ref().as_ref() == field)
    }

    pub fn value(&self, field: &str) -> Option<&'a DeValue<'a>> {
        let said = self.table.iter().find(|(key, _)| key.get_ref().as_ref() == field);
        said.map(|(_, value)| value.get_ref())
    }

    /// A field with the place that it stands at.
    pub fn entry(&self, field: &str) -> Option<(usize, &'a DeValue<'a>)> {
        let said = self.table.iter().find(|(key, _)| key.get_ref().as_ref() == field);
        said.map(|(key, value)| (key.span().start, value.get_ref()))
    }

    pub fn missing(&self, field: &str, example: &str) -> InputError {
        self.refuse(field, format!("is missing; give one such as {example}"))
    }

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

    /// A quantity in quotes, with its unit.
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

    pub fn required<T: FromStr<Err = ParseError>>(
        &self,
        field: &str,
        example: &str,
    ) -> Result<T, InputError> {
        self.quantity(field)?.ok_or_else(|| self.missing(field, example))
    }

    /// A quantity that this row says, or an older one of its name did.
    pub fn over<T: FromStr<Err = ParseError>>(
        &self,
        old: Option<T>,
        field: &str,
        example: &str,
    ) -> Result<T, InputError> {
        match old {
            Some(old) => Ok(self.quantity(field)?.unwrap_or(old)),
            None => self.required(field, example),
        }
    }

    /// A whole number.
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

    pub fn required_number(&self, field: &str, example: &str) -> Result<u32, InputError> {
        self.number(field)?.ok_or_else(|| self.missing(field, example))
    }

    /// A bare number without a unit, such as a ratio.
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

    /// One of a few words.
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

    /// The same over an older row, whose values stay where this one is silent.
    pub fn provenance_over(&self, old: Option<&Provenance>) -> Result<Provenance, InputError> {
        let new = self.provenance()?;
        let whole = |old: &&Provenance| old.source != new.source;
        Ok(match old.filter(whole) {
            None => new,
            Some(old) => Provenance {
                source: format!("{}; the rest: {} ({})", new.source, old.source, old.date),
                date: new.date,
            },
        })
    }

    /// Where the row's values come from; every row must say so.
    pub fn provenance(&self) -> Result<Provenance, InputError> {
        let said = |field, example| {
            let text = self.text(field)?.filter(|text| !text.trim().is_empty());
            text.map(str::to_owned).ok_or_else(|| self.missing(field, example))
        };
        let date = said("date", "\"2026-11\"")?;
        if !is_date(&date) {
            let message = format!("found {date:?}; expected a year and month such as \"2026-11\"");
            return Err(self.refuse("date", message));
        }
        Ok(Provenance { source: said("source", "\"data sheet XYZ, table 3\"")?, date })
    }
}

/// A year, a year and month, or a day.
fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let digits =
        |part: &str, count| part.len() == count && part.bytes().all(|b| b.is_ascii_digit());
    let within = |part: &str, most: u8| part.parse().is_ok_and(|n: u8| (1..=most).contains(&n));
    match parts.as_slice() {
        [year, rest @ ..] if digits(year, 4) && rest.len() <= 2 => {
            rest.iter().zip([12, 31]).all(|(part, most)| digits(part, 2) && within(part, most))
        }
        _ => false,
    }
}

/// What was found, with its article.
pub fn a_kind(value: &DeValue<'_>) -> String {
    match value.type_str() {
        kind @ ("integer" | "array") => format!("an {kind}"),
        kind => format!("a {kind}"),
    }
}
