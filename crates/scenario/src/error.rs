//! What can go wrong, and how it is said.

use std::fmt;
use std::path::{Path, PathBuf};

use lightloom_export::folder::FolderError;
use lightloom_routing::progress::Stopped;

/// Bad input: where it stands, what was found, and what to do. A table may have several faults; the
/// first one then holds the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputError {
    /// The file; none for a flag.
    pub file: Option<PathBuf>,
    /// The line in the file, from 1.
    pub line: Option<u64>,
    /// The key, column or flag.
    pub field: Option<String>,
    /// What was found and what to do.
    pub message: String,
    /// Further faults of the same file, in its order; none of them has others.
    pub others: Vec<InputError>,
    /// Faults beyond those in `others`.
    pub unlisted: usize,
}

impl InputError {
    /// A complaint about no place in particular.
    pub fn new(message: impl fmt::Display) -> Self {
        Self {
            file: None,
            line: None,
            field: None,
            message: message.to_string(),
            others: Vec::new(),
            unlisted: 0,
        }
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

    /// Names the key, column or flag.
    #[must_use]
    pub fn in_field(mut self, field: impl Into<String>) -> Self {
        self.field = Some(field.into());
        self
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{}:", file.display())?;
            match self.line {
                Some(line) => write!(f, "{line}: ")?,
                None => write!(f, " ")?,
            }
        }
        if let Some(field) = &self.field {
            write!(f, "{}: ", Printable(field))?;
        }
        Printable(&self.message).fmt(f)?;
        for other in &self.others {
            write!(f, "\n{other}")?;
        }
        match self.unlisted {
            0 => Ok(()),
            more => write!(f, "\n… and {more} more"),
        }
    }
}

/// Collects the faults of a file, so that they are told at once.
#[derive(Debug, Default)]
pub(crate) struct Complaints {
    first: Option<InputError>,
}

impl Complaints {
    /// Faults that are told; of further ones only the number.
    const MOST: usize = 20;

    pub(crate) fn add(&mut self, error: InputError) {
        match &mut self.first {
            None => self.first = Some(error),
            Some(first) if first.others.len() + 1 < Self::MOST => first.others.push(error),
            Some(first) => first.unlisted += 1,
        }
    }

    /// The value of a result; an error is collected.
    pub(crate) fn take<T>(&mut self, result: Result<T, InputError>) -> Option<T> {
        result.map_err(|error| self.add(error)).ok()
    }

    /// # Errors
    /// All that was collected, as one error.
    pub(crate) fn end(&mut self) -> Result<(), InputError> {
        self.first.take().map_or(Ok(()), Err)
    }
}

/// A text that may quote a user's file: what a terminal would obey is escaped.
struct Printable<'a>(&'a str);

impl fmt::Display for Printable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                c if c.is_control() && c != '\n' => write!(f, "{}", c.escape_default())?,
                c => write!(f, "{c}")?,
            }
        }
        Ok(())
    }
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
