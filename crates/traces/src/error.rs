//! What is wrong with a trace.

use std::fmt;

use crate::program::Rank;

/// What is wrong with a trace, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct TraceError {
    /// The rank. None: the trace as a whole.
    pub rank: Option<Rank>,
    /// The line of a text, from 1.
    pub line: Option<u32>,
    /// What was found, and what to do.
    pub message: String,
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.rank {
            Some(Rank(rank)) => write!(f, "rank {rank}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl TraceError {
    /// About a trace as a whole.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { rank: None, line: None, message: message.into() }
    }

    /// The same, at a line.
    pub(crate) fn at_line(self, line: u32) -> Self {
        Self { line: Some(line), ..self }
    }

    /// The same, of a rank.
    pub(crate) fn of_rank(self, rank: Rank) -> Self {
        Self { rank: Some(rank), ..self }
    }
}
