//! Places that a line of the log, a problem or a difference leads to.

use std::ops::Deref;
use std::path::PathBuf;

use lightloom::{CassetteId, Error, Field, InputError, TorId};

use crate::panel::Panel;

/// Where something is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A panel.
    Panel(Panel),
    /// A setting of the design, by its name.
    Setting(&'static str),
    /// A ToR.
    Tor(TorId),
    /// A cassette.
    Cassette(CassetteId),
    /// A fibre: a branch of the first ToR's splitter to the second ToR.
    Fibre(TorId, TorId),
    /// A cable, a plug or a port, by its label.
    Label(String),
    /// A ToR, a rack or a cassette, by its name.
    Named(String),
    /// A file or a folder.
    File(PathBuf),
}

impl Place {
    /// The place that a refusal is about. `None`: it names none.
    pub fn of(error: &Error) -> Option<Self> {
        match error {
            Error::Input(error) => Self::of_input(error),
            _ => None,
        }
    }

    /// The same of bad input.
    pub fn of_input(error: &InputError) -> Option<Self> {
        match (&error.field, &error.file) {
            (Some(Field::Setting(key)), _) => Some(Self::Setting(key.name)),
            (_, Some(file)) => Some(Self::File(file.clone())),
            _ => None,
        }
    }

    /// What a click does, in words.
    pub fn text(&self) -> String {
        match self {
            Self::Panel(panel) => format!("Show {}", panel.title()),
            Self::Setting(name) => format!("Go to the setting {name}"),
            Self::Tor(tor) => format!("Go to ToR {tor}"),
            Self::Cassette(cassette) => format!("Go to cassette {cassette}"),
            Self::Fibre(from, to) => format!("Go to the fibre from ToR {from} to ToR {to}"),
            Self::Named(label) | Self::Label(label) => format!("Go to {label}"),
            Self::File(path) => format!("Open {}, or copy its path", path.display()),
        }
    }
}

/// A line of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// What happened.
    pub text: String,
    /// Where. `None`: nowhere that can be shown.
    pub place: Option<Place>,
}

impl Line {
    /// A line about a place.
    pub fn at(text: impl Into<String>, place: Place) -> Self {
        Self { text: text.into(), place: Some(place) }
    }

    /// A line about a refusal.
    pub fn refused(text: impl Into<String>, error: &Error) -> Self {
        Self { text: text.into(), place: Place::of(error) }
    }
}

impl From<String> for Line {
    fn from(text: String) -> Self {
        Self { text, place: None }
    }
}

impl From<&str> for Line {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl Deref for Line {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}
