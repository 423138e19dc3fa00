//! Places in the files of traces.

use std::fmt;

/// A place in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum At {
    /// A line of a text, from 1.
    Line(u32),
    /// A record of a binary file, from 1.
    Record(u32),
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Record(record) => write!(f, "record {record}"),
        }
    }
}
