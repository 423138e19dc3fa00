//! What a command prints, and its exit code.

use lightloom::units::text::{shown_json, shown_lines};
use lightloom::{Error, to_json};
use serde::Serialize;

use crate::width::wrapped;

/// What to print, and the exit code.
pub(crate) struct Answer {
    pub(crate) text: String,
    pub(crate) code: u8,
    /// Whether the outputs that its flags name were written.
    pub(crate) is_written: bool,
}

impl Answer {
    /// A text, for a command that has done all that it was asked for.
    pub(crate) fn of(text: String, code: u8) -> Self {
        Self { text, code, is_written: true }
    }
}

/// The answer as one JSON document, or as `table` writes it. A terminal obeys nothing of what it quotes.
pub(crate) fn say<T: Serialize>(
    json: bool,
    report: &T,
    table: impl FnOnce(&T) -> String,
) -> Result<Answer, Error> {
    let text = if json {
        shown_json(&(to_json(report)? + "\n"))
    } else {
        wrapped(&shown_lines(&table(report)).to_string())
    };
    Ok(Answer::of(text, 0))
}
