//! What a user can do with runs of the twin: watch one that is at work, and play one that was recorded.

use std::path::PathBuf;
use std::time::Duration;

use lightloom::twin::EventOf;
use lightloom::units::{Instant, Span};
use serde::{Deserialize, Serialize};

/// Something that a user does with a run.
#[derive(Debug, Clone, PartialEq)]
pub enum Twin {
    /// Shows a part of the panel.
    Show(TwinView),
    /// Whether the next run is recorded.
    Record(bool),
    /// Whether the next run holds answers of reliable groups against what their receivers had.
    Check(bool),
    /// Number of runs with consecutive seeds. 1: one run.
    Seeds(u32),

    /// Makes, changes or saves the scenario.
    Build(Build),

    /// Runs the scenario, and lets the run wait at a simulated time. It is known before the run starts, so that a run
    /// that is over at once waits too.
    RunTo(Instant),
    /// Lets the run that is at work wait.
    Hold,
    /// Lets it go on.
    GoOn,
    /// Lets it go on until a simulated time, and wait there.
    HoldAt(Instant),

    /// Plays the recording.
    Play,
    /// Stops playing.
    Pause,
    /// Real time has passed while the recording plays.
    Tick(Duration),
    /// Simulated time that is played in a second.
    Speed(Span),
    /// Goes to a time.
    To(Instant),
    /// Goes to the next or last event of those that are followed.
    StepEvent(Step),
    /// Goes on or back by the length of a step.
    StepTime(Step),
    /// The length of a step.
    StepLength(Span),
    /// The events that steps go to.
    Follow(EventOf),
    /// Goes to the next event of these. If there is none, to the end.
    Until(EventOf),
    /// Chooses a packet by its index, and shows its history.
    Packet(Option<u32>),
}

/// Something that a user does with the text of a scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Build {
    /// Starts a scenario for the design that is open.
    OfDesign,
    /// Starts a scenario for an electrical network.
    Electrical,
    /// Replaces the text.
    Write(String),
    /// Gives a field of a row a value. An empty value takes it away.
    Change {
        /// Index of the row.
        row: usize,
        /// Name of the field.
        field: &'static str,
        /// The value, as typed.
        value: String,
    },
    /// Adds a section, or a table of a list.
    Add(&'static str),
    /// Removes a row by its index.
    Remove(usize),
    /// Shows this page of a long scenario. Pages count from 0.
    Page(usize),
    /// Saves the scenario to its file, or asks for one.
    Save,
    /// Asks for a file and saves the scenario there.
    SaveAs,
    /// Saves the scenario to this file.
    SaveTo(PathBuf),
}

/// Which way a step goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// To later times.
    Onward,
    /// To earlier times.
    Back,
}

/// The parts of the panel.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum TwinView {
    /// Figures and series of runs.
    #[default]
    Figures,
    /// The packets of a recorded run.
    Packets,
    /// The form that makes a scenario.
    Scenario,
}

impl TwinView {
    /// All parts, in the order of the panel.
    pub const ALL: [Self; 3] = [Self::Figures, Self::Packets, Self::Scenario];

    /// The name of the part.
    pub fn title(self) -> &'static str {
        match self {
            Self::Figures => "Figures",
            Self::Packets => "Packets",
            Self::Scenario => "Scenario",
        }
    }
}
