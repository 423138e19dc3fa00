//! What is known of a folder before it is written.

use super::inputs::Inputs;

/// A kind of folders. They have the names of their files in common.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// Its word in the list of files.
    pub name: &'static str,
    /// Whether a folder of this kind may have a file of this name.
    pub knows: fn(&str) -> bool,
    /// The names that a folder had at least before folders had lists of their files: all of one of these sets.
    pub always: &'static [&'static [&'static str]],
}

impl Kind {
    /// Whether a folder without a list has the files of this kind.
    pub(super) fn is_older(&self, has: impl Fn(&str) -> bool) -> bool {
        self.always.iter().any(|names| names.iter().all(|name| has(name)))
    }
}

/// What becomes of a file of lightloom that somebody has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edited {
    /// It stays, and so does the folder.
    Stays,
    /// It is replaced: the user has seen what changes, and agreed.
    Replaced,
}

/// What a folder is replaced by, and what must stay.
#[derive(Debug, Clone, Copy)]
pub struct Terms<'a> {
    /// What is written.
    pub kind: &'a Kind,
    /// What is read. A folder that has one of these files is not replaced.
    pub inputs: &'a Inputs,
    /// What becomes of changed files.
    pub edited: Edited,
}

impl<'a> Terms<'a> {
    /// A folder of a kind that holds none of the inputs, and nothing that somebody changed.
    pub fn of(kind: &'a Kind, inputs: &'a Inputs) -> Self {
        Self { kind, inputs, edited: Edited::Stays }
    }
}
