//! Questions that wait for the user's answer.

use std::path::PathBuf;
use std::sync::Arc;

use lightloom::edit::{ChangedLines, ReplacedReport};

use crate::command::Command;
use crate::export::Export;
use crate::state::unsaved::Kept;
use crate::twin::{Build, Twin};

/// A question. It is shown in front of everything else.
#[derive(Debug, Clone, PartialEq)]
pub enum Question {
    /// A path is wanted.
    Path(PathFor),
    /// The command would lose unsaved changes of this text.
    Unsaved(Edited, Box<Command>),
    /// Somebody else has changed the file of this text since it was read.
    ChangedOnDisk(Theirs),
    /// Something that is there would be lost by an export.
    Replace {
        /// What is written.
        export: Export,
        /// The file or folder.
        path: PathBuf,
        /// What it changes.
        replaced: Arc<ReplacedReport>,
    },
    /// The window would be closed before all exports are written.
    Writing,
    /// A name for a view is wanted: for the present one, or another one for the view of this name.
    ViewName(Option<String>),
    /// An earlier session ended with unsaved text.
    Found(Kept),
    /// Something could not be done.
    Told {
        /// What could not be done.
        title: String,
        /// Why.
        message: String,
    },
}

/// A text that is edited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edited {
    /// The design.
    Design,
    /// The scenario of the twin.
    Scenario,
}

impl Edited {
    /// Its name in sentences.
    pub fn name(self) -> &'static str {
        match self {
            Self::Design => "design",
            Self::Scenario => "scenario",
        }
    }
}

/// A file that has another text than it had when it was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Theirs {
    /// What is edited.
    pub of: Edited,
    /// The file.
    pub path: PathBuf,
    /// Its text. `None`: it is gone, or no text.
    pub text: Option<Arc<str>>,
    /// What a save would change in it.
    pub lines: Option<Arc<ChangedLines>>,
}

/// What a path is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathFor {
    /// A design to open.
    Open,
    /// The place of a design.
    SaveAs,
    /// A scenario to open.
    Scenario,
    /// A sheet that a crew returned.
    Returned,
    /// The place of a scenario.
    SaveScenario,
    /// The place of something that is written.
    Export(Export),
}

impl PathFor {
    /// The title of the question.
    pub fn title(self) -> String {
        match self {
            Self::Open => "Open a design, the folder of a plan, or a scenario".to_owned(),
            Self::SaveAs => "Save the design as".to_owned(),
            Self::Scenario => "Open a scenario".to_owned(),
            Self::Returned => "Open the sheet that a crew returned".to_owned(),
            Self::SaveScenario => "Save the scenario as".to_owned(),
            Self::Export(export) => format!("Export {}", export.name()),
        }
    }

    /// The command that a path answers with.
    pub fn command(self, path: PathBuf) -> Command {
        match self {
            Self::Open => Command::OpenFile(path),
            Self::SaveAs => Command::SaveTo(path),
            Self::Scenario => Command::ScenarioFile(path),
            Self::Returned => Command::ReturnedFile(path),
            Self::SaveScenario => Command::Twin(Twin::Build(Build::SaveTo(path))),
            Self::Export(export) => Command::ExportTo(export, path),
        }
    }
}
