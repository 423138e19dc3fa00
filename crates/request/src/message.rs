//! Messages that mention settings and options. Each front end inserts its own names.

use std::fmt;

use crate::key::Key;
use crate::words::{Flags, Words};

/// A message.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Message {
    pieces: Vec<Piece>,
}

/// A piece of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Text(String),
    Setting(Key, Option<String>),
    Option(&'static str, Option<String>),
}

impl Message {
    /// A message that is only text.
    pub fn new(text: impl fmt::Display) -> Self {
        Self { pieces: vec![Piece::Text(text.to_string())] }
    }

    /// Appends text.
    #[must_use]
    pub fn text(mut self, text: impl fmt::Display) -> Self {
        self.pieces.push(Piece::Text(text.to_string()));
        self
    }

    /// Appends the name of a setting, with an example value.
    #[must_use]
    pub fn setting(mut self, key: &Key, value: Option<String>) -> Self {
        self.pieces.push(Piece::Setting(*key, value));
        self
    }

    /// Appends the name of an option, with an example value. `name` is the field of the request type.
    #[must_use]
    pub fn option(mut self, name: &'static str, value: Option<String>) -> Self {
        self.pieces.push(Piece::Option(name, value));
        self
    }

    /// The message with the names of a front end.
    pub fn in_words(&self, words: &dyn Words) -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Setting(key, value) => words.give(&words.setting(key), value.as_deref()),
            Piece::Option(name, value) => words.give(&words.option(name), value.as_deref()),
        };
        self.pieces.iter().map(piece).collect()
    }
}

impl fmt::Display for Message {
    /// The message with the flags of the command line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_words(&Flags))
    }
}
