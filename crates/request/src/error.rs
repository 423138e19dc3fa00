//! What can go wrong, and how it is said.

use std::fmt;
use std::path::{Path, PathBuf};

use lightloom_watch::Stopped;

use crate::folder::FolderError;
use crate::key::Key;
use crate::message::Message;
use crate::words::{Flags, Words};

/// What in a file or a request a refusal is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Field {
    /// A setting of a design.
    Setting(Key),
    /// An option of a question, by its name in the typed door, such as `core_ports`.
    Option(&'static str),
    /// A part of an option's value, such as one failure of a list.
    Part(&'static str, String),
    /// A column or a field of a file.
    Named(String),
}

/// Bad input: its place, what was found, and what to do. A table may have several faults; the first one
/// then holds the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputError {
    /// The file; none for what was said in the request itself.
    pub file: Option<PathBuf>,
    /// The line in the file, from 1.
    pub line: Option<u64>,
    /// What in the file or the request.
    pub field: Option<Field>,
    /// What was found and what to do.
    pub message: Message,
    /// Further faults of the same file, in its order; none of them has others.
    pub others: Vec<InputError>,
    /// Faults beyond those in `others`.
    pub unlisted: usize,
}

impl InputError {
    /// A refusal without a place.
    pub fn new(message: impl fmt::Display) -> Self {
        Self::mentioning(Message::new(message))
    }

    /// A refusal without a place, whose message mentions settings or options.
    pub fn mentioning(message: Message) -> Self {
        Self { file: None, line: None, field: None, message, others: Vec::new(), unlisted: 0 }
    }

    /// Names the file.
    #[must_use]
    pub fn in_file(mut self, file: &Path) -> Self {
        self.file = Some(file.to_path_buf());
        self
    }

    /// Names the line.
    #[must_use]
    pub fn at_line(mut self, line: u64) -> Self {
        self.line = Some(line);
        self
    }

    /// Names the column, or the field of a file.
    #[must_use]
    pub fn in_field(mut self, field: impl Into<String>) -> Self {
        self.field = Some(Field::Named(field.into()));
        self
    }

    /// Names the setting.
    #[must_use]
    pub fn in_setting(mut self, key: &Key) -> Self {
        self.field = Some(Field::Setting(*key));
        self
    }

    /// Names the option of a question, by its name in the typed door.
    #[must_use]
    pub fn in_option(mut self, name: &'static str) -> Self {
        self.field = Some(Field::Option(name));
        self
    }

    /// Names the part of an option's value.
    #[must_use]
    pub fn in_part(mut self, name: &'static str, part: impl Into<String>) -> Self {
        self.field = Some(Field::Part(name, part.into()));
        self
    }

    /// The field in the words of a face. A setting that a file says has its name in the file.
    pub fn field_told(&self, words: &dyn Words) -> Option<String> {
        Some(match self.field.as_ref()? {
            Field::Setting(key) if self.file.is_some() => key.name.to_owned(),
            Field::Setting(key) => words.setting(key),
            Field::Option(name) => words.option(name),
            Field::Part(name, part) => words.part(name, part),
            Field::Named(name) => name.clone(),
        })
    }

    /// The refusal in the words of a face. What a terminal would obey is escaped.
    pub fn told(&self, words: &dyn Words) -> String {
        let mut text = String::new();
        if let Some(file) = &self.file {
            text += &format!("{}:", file.display());
            text += &self.line.map_or_else(|| " ".to_owned(), |line| format!("{line}: "));
        }
        if let Some(field) = self.field_told(words) {
            text += &format!("{}: ", printable(&field));
        }
        text += &printable(&self.message.told(words));
        for other in &self.others {
            text += &format!("\n{}", other.told(words));
        }
        if self.unlisted > 0 {
            text += &format!("\n… and {} more", self.unlisted);
        }
        text
    }
}

impl fmt::Display for InputError {
    /// The refusal in the words of the command line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.told(&Flags))
    }
}

/// Collects the faults of a file, so that they are told at once.
#[derive(Debug, Default)]
pub struct Complaints {
    first: Option<InputError>,
}

impl Complaints {
    /// Faults that are told; of further ones only the number.
    const MOST: usize = 20;

    /// Collects a fault.
    pub fn add(&mut self, error: InputError) {
        match &mut self.first {
            None => self.first = Some(error),
            Some(first) if first.others.len() + 1 < Self::MOST => first.others.push(error),
            Some(first) => first.unlisted += 1,
        }
    }

    /// The value of a result; an error is collected.
    pub fn take<T>(&mut self, result: Result<T, InputError>) -> Option<T> {
        result.map_err(|error| self.add(error)).ok()
    }

    /// # Errors
    /// All that was collected, as one error.
    pub fn end(&mut self) -> Result<(), InputError> {
        self.first.take().map_or(Ok(()), Err)
    }
}

/// A text that may quote a user's file: what a terminal would obey is escaped.
fn printable(text: &str) -> String {
    let mut printable = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() && c != '\n' {
            printable.extend(c.escape_default());
        } else {
            printable.push(c);
        }
    }
    printable
}

impl std::error::Error for InputError {}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The input is bad; nothing was written.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The folder could not be written; what it held is untouched.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The plan that was made does not hold; it was not written.
    #[error("the plan does not hold and was not written: {0}")]
    PlanRejected(String),
    /// The twin lost count of packets, so that nothing it found can be trusted.
    #[error("a fault of the twin: {0} do not add up; report it with the scenario and its seed")]
    Twin(String),
    /// The work was ended from outside.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl Error {
    /// The exit code of a command that ends with this error: 1 the plan, or the twin, is
    /// wrong, 2 bad input, 130 stopped.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::PlanRejected(_) | Self::Twin(_) => 1,
            Self::Input(_) | Self::Folder(_) => 2,
            Self::Stopped(_) => 130,
        }
    }
}
