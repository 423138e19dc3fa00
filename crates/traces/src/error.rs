//! What is wrong with a trace.

use std::fmt;

use crate::at::At;
use crate::program::Rank;

/// What is wrong with a trace, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct TraceError {
    /// The rank. None: the trace as a whole.
    pub rank: Option<Rank>,
    /// The place in the file of the trace, or of the rank.
    pub at: Option<At>,
    /// What was found, and what to do.
    pub message: String,
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Rank(rank)) = self.rank {
            write!(f, "rank {rank}: ")?;
        }
        // Whoever reads a text says the line.
        if let Some(at @ At::Record(_)) = self.at {
            write!(f, "{at}: ")?;
        }
        f.write_str(&self.message)
    }
}

impl TraceError {
    /// About a trace as a whole.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { rank: None, at: None, message: message.into() }
    }

    /// The line of a text.
    pub fn line(&self) -> Option<u32> {
        match self.at? {
            At::Line(line) => Some(line),
            At::Record(_) => None,
        }
    }

    /// The same, at a place.
    pub(crate) fn at(self, at: At) -> Self {
        Self { at: Some(at), ..self }
    }

    /// The same, at a line.
    pub(crate) fn at_line(self, line: u32) -> Self {
        self.at(At::Line(line))
    }

    /// The same, of a rank.
    pub(crate) fn of_rank(self, rank: Rank) -> Self {
        Self { rank: Some(rank), ..self }
    }
}
