//! A run over time: when each message was asked for and when its receivers had it. As events of the Chrome trace
//! format, which Perfetto opens, or as a space-time diagram.

mod diagram;
mod events;
mod messages;

use std::io::{self, Write};
use std::path::Path;

use lightloom_request::InputError;
use lightloom_scenario::scenario::Scenario;
use lightloom_twin::Outcome;

use crate::results::MEMORY;

/// How a timeline is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Events of the Chrome trace format.
    Events,
    /// A space-time diagram in SVG.
    Diagram,
}

impl Form {
    /// The form of a file, by the ending of its name.
    ///
    /// # Errors
    /// [`InputError`] at `timeline`, with the endings that there are.
    pub fn of(path: &Path) -> Result<Self, InputError> {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("json") => Ok(Self::Events),
            Some("svg") => Ok(Self::Diagram),
            _ => {
                let message = "names no kind of timeline; end it in .json for Perfetto, or in .svg for a diagram";
                Err(InputError::new(message).in_file(path).in_option("timeline"))
            }
        }
    }
}

/// The bytes of a timeline.
pub fn bytes(form: Form, scenario: &Scenario, outcome: &Outcome) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(form, &mut bytes, scenario, outcome).expect(MEMORY);
    bytes
}

/// Writes a timeline.
///
/// # Errors
/// [`io::Error`] of `out`.
pub fn write(
    form: Form,
    out: impl Write,
    scenario: &Scenario,
    outcome: &Outcome,
) -> io::Result<()> {
    match form {
        Form::Events => events::write(out, scenario, outcome),
        Form::Diagram => diagram::write(out, scenario, outcome),
    }
}
