//! Errors: bad input with its place, and every other reason why there is no answer.

use std::fmt;
use std::path::{Path, PathBuf};

use lightloom_units::text::{shown, shown_lines, shown_path};
use lightloom_watch::Stopped;

use crate::folder::FolderError;
use crate::key::Key;
use crate::message::Message;
use crate::words::{Flags, Words};

/// The setting, option or column that an [`InputError`] is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Field {
    /// A setting of a design.
    Setting(Box<Key>),
    /// An option of a request. The name is the field of the request type, such as `core_ports`.
    Option(&'static str),
    /// A part of an option's value, such as one failure of a list: the option's name and the part.
    Part(&'static str, String),
    /// A column or a field of a file, by its name in the file.
    Named(String),
    /// A field of a scenario, whatever says it.
    At(At),
}

/// A field of a scenario: of a file, of a mapping, or of a call of its builder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct At {
    /// The section, such as `flow` or `parameters.wire`. Empty: the field is before all sections.
    pub section: &'static str,
    /// Place of the row in the list, from 0. `None`: the section is no list.
    pub number: Option<usize>,
    /// The field. Empty: the section as a whole.
    pub field: &'static str,
}

impl fmt::Display for At {
    /// `until`, `network.ports`, `flow[3].size`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { section, number, field } = self;
        f.write_str(section)?;
        if let Some(number) = number {
            write!(f, "[{number}]")?;
        }
        let dot = if section.is_empty() || field.is_empty() { "" } else { "." };
        write!(f, "{dot}{field}")
    }
}

/// Bad input: its place, what was found, and what to do. If a table has several errors, the first one holds
/// the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputError {
    /// The file. `None`: the value is in the request itself.
    pub file: Option<PathBuf>,
    /// The line in the file, from 1.
    pub line: Option<u64>,
    /// The setting, option or column.
    pub field: Option<Field>,
    /// What was found and what to do.
    pub message: Message,
    /// Further errors in the same file, in file order. Their own `others` are empty.
    pub others: Vec<InputError>,
    /// Number of errors that are not in `others`.
    pub unlisted: usize,
}

impl InputError {
    /// An error without a place.
    pub fn new(message: impl fmt::Display) -> Self {
        Self::mentioning(Message::new(message))
    }

    /// An error without a place. Its message mentions settings or options.
    pub fn mentioning(message: Message) -> Self {
        Self { file: None, line: None, field: None, message, others: Vec::new(), unlisted: 0 }
    }

    /// Sets the file.
    #[must_use]
    pub fn in_file(mut self, file: &Path) -> Self {
        self.file = Some(file.to_path_buf());
        self
    }

    /// Sets the line, counted from 1.
    #[must_use]
    pub fn at_line(mut self, line: u64) -> Self {
        self.line = Some(line);
        self
    }

    /// Sets the column, or the field of a file.
    #[must_use]
    pub fn in_field(mut self, field: impl Into<String>) -> Self {
        self.field = Some(Field::Named(field.into()));
        self
    }

    /// Sets the field of a scenario.
    #[must_use]
    pub fn at(mut self, at: At) -> Self {
        self.field = Some(Field::At(at));
        self
    }

    /// Sets the setting.
    #[must_use]
    pub fn in_setting(mut self, key: &Key) -> Self {
        self.field = Some(Field::Setting(Box::new(*key)));
        self
    }

    /// Sets the option of a request. `name` is the field of the request type.
    #[must_use]
    pub fn in_option(mut self, name: &'static str) -> Self {
        self.field = Some(Field::Option(name));
        self
    }

    /// Sets the part of an option's value.
    #[must_use]
    pub fn in_part(mut self, name: &'static str, part: impl Into<String>) -> Self {
        self.field = Some(Field::Part(name, part.into()));
        self
    }

    /// The field as a front end names it. A setting from a file keeps its name in the file.
    pub fn field_text(&self, words: &dyn Words) -> Option<String> {
        Some(match self.field.as_ref()? {
            Field::Setting(key) if self.file.is_some() => key.name.to_owned(),
            Field::Setting(key) => words.setting(key),
            Field::Option(name) => words.option(name),
            Field::Part(name, part) => words.part(name, part),
            Field::Named(name) => name.clone(),
            Field::At(at) => at.to_string(),
        })
    }

    /// The error text for a front end. Hidden characters ([`is_hidden`](lightloom_units::text::is_hidden)) are escaped,
    /// so that a terminal does not obey them.
    pub fn in_words(&self, words: &dyn Words) -> String {
        let mut text = String::new();
        if let Some(file) = &self.file {
            text += &format!("{}:", shown_path(file));
            text += &self.line.map_or_else(|| " ".to_owned(), |line| format!("{line}: "));
        }
        if let Some(field) = self.field_text(words) {
            text += &format!("{}: ", shown(&field));
        }
        text += &shown_lines(&self.message.in_words(words)).to_string();
        for other in &self.others {
            text += &format!("\n{}", other.in_words(words));
        }
        if self.unlisted > 0 {
            text += &format!("\n… and {} more", self.unlisted);
        }
        text
    }
}

impl fmt::Display for InputError {
    /// The error text for the command line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_words(&Flags))
    }
}

/// Collects the errors of a file, so that one run reports all of them.
#[derive(Debug, Default)]
pub struct Complaints {
    first: Option<InputError>,
}

impl Complaints {
    /// Number of errors that are kept. Further errors are only counted.
    const MOST: usize = 20;

    /// Adds an error.
    pub fn add(&mut self, error: InputError) {
        match &mut self.first {
            None => self.first = Some(error),
            Some(first) if first.others.len() + 1 < Self::MOST => first.others.push(error),
            Some(first) => first.unlisted += 1,
        }
    }

    /// The value of a result. An error is added to the collection.
    pub fn take<T>(&mut self, result: Result<T, InputError>) -> Option<T> {
        result.map_err(|error| self.add(error)).ok()
    }

    /// # Errors
    /// All collected errors as one [`InputError`].
    pub fn end(&mut self) -> Result<(), InputError> {
        self.first.take().map_or(Ok(()), Err)
    }
}

impl std::error::Error for InputError {}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The input is bad. Nothing was written.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The folder could not be written. Its old content is unchanged.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The finished plan failed its own checks. It was not written.
    #[error("the plan does not hold and was not written: {}", shown_lines(.0))]
    PlanRejected(String),
    /// The twin's packet counts do not add up, so its results cannot be trusted.
    #[error("a fault of the twin: {} do not add up; report it with the scenario and its seed", shown_lines(.0))]
    Twin(String),
    /// The caller stopped the work.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl Error {
    /// Exit code of a command that ends with this error: 1 if the plan or the twin is wrong, 2 for bad input,
    /// 130 if stopped.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::PlanRejected(_) | Self::Twin(_) => 1,
            Self::Input(_) | Self::Folder(_) => 2,
            Self::Stopped(_) => 130,
        }
    }
}
