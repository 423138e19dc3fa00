//! Messages that can mention settings and options, which each face names in its own words.

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
    /// A message of text alone.
    pub fn new(text: impl fmt::Display) -> Self {
        Self { pieces: vec![Piece::Text(text.to_string())] }
    }

    /// More text.
    #[must_use]
    pub fn text(mut self, text: impl fmt::Display) -> Self {
        self.pieces.push(Piece::Text(text.to_string()));
        self
    }

    /// A setting, with a value that could be given to it.
    #[must_use]
    pub fn setting(mut self, key: &Key, value: Option<String>) -> Self {
        self.pieces.push(Piece::Setting(*key, value));
        self
    }

    /// An option of a question, by its name in the typed door.
    #[must_use]
    pub fn option(mut self, name: &'static str, value: Option<String>) -> Self {
        self.pieces.push(Piece::Option(name, value));
        self
    }

    /// The message in the words of a face.
    pub fn told(&self, words: &dyn Words) -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Setting(key, value) => words.give(&words.setting(key), value.as_deref()),
            Piece::Option(name, value) => words.give(&words.option(name), value.as_deref()),
        };
        self.pieces.iter().map(piece).collect()
    }
}

impl fmt::Display for Message {
    /// The message in the words of the command line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.told(&Flags))
    }
}
