//! All that a user can do. Views emit commands, and [`crate::state::State`] carries them out.

use std::path::PathBuf;

use lightloom::{Case, CassetteId, Dialect, Encoding, TorId};
use serde::{Deserialize, Serialize};

use crate::draw::camera::Camera;
use crate::panel::Panel;
use crate::twin::Twin;

/// Something that a user does.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Starts a new design: the shipped example.
    New,
    /// Asks for a file and opens it.
    Open,
    /// Opens this design file.
    OpenFile(PathBuf),
    /// Saves the design to its file.
    Save,
    /// Saves the design, and then does what waited for the answer.
    SaveFirst,
    /// Asks for a file and saves the design there.
    SaveAs,
    /// Saves the design to this file.
    SaveTo(PathBuf),
    /// Saves although the file was changed by somebody else.
    Overwrite,
    /// Takes the file's text in place of the unsaved one.
    Reload,
    /// Takes the unsaved text of an earlier session.
    TakeUnsaved,
    /// Closes a question without doing anything.
    Dismiss,
    /// Gives up unsaved changes, and does what waited for the answer.
    Discard,
    /// Closes the window.
    Quit,

    /// Gives a setting a value. `None`: its default applies.
    Change {
        /// Name of the setting, as in `fabric.p`.
        setting: &'static str,
        /// The value, as typed.
        value: Option<String>,
    },
    /// Replaces the text of the design.
    Write(String),
    /// Goes back by one change.
    Undo,
    /// Goes forward again by one change.
    Redo,

    /// Selects a thing, in all views.
    Select(Selection),
    /// Selects the thing of this name, and centres all views on it.
    Find(String),
    /// Centres the views on the selection.
    Centre,

    /// Breaks a part, written as for the command `impact`, such as `relay:8`.
    Break(String),
    /// Mends a part.
    Mend(String),
    /// Mends all parts.
    MendAll,
    /// Computes the rules that restore what is lost.
    Recover,
    /// Gives up the repair.
    Unrecover,
    /// Shows the rollout after this number of phases.
    Phases(usize),

    /// Brings a panel to the front.
    Show(Panel),
    /// Shows only this panel. `None`: all of them.
    Only(Option<Panel>),
    /// Moves or zooms a drawing.
    Look(Panel, Camera),
    /// Shows all of a drawing.
    Fit(Panel),
    /// Changes how the fabric is laid out.
    LayOut(FabricLayout),
    /// Shows or hides the fibres of all sources.
    AllFibres(bool),
    /// Starts or pauses the animation of the tree.
    Animate(bool),
    /// Shows the tree up to this hop. `None`: all of it.
    Hop(Option<u32>),
    /// Colours fibres in the hall.
    ColourBy(HallColour),
    /// Filters the rows of a table.
    Filter(Panel, String),
    /// Sorts a table by a column, ascending or descending.
    Sort(Panel, Sorted),
    /// The case of the light.
    LightCase(Case),
    /// Light or dark.
    Theme(egui::ThemePreference),
    /// Size of all text and symbols, in percent.
    Scale(u32),
    /// Opens or closes the list of commands.
    Palette(bool),
    /// Puts the panels back to where they were at first.
    ResetLayout,

    /// Searches all designs for these ToRs.
    Explore,
    /// Makes the design of this number of the search the design.
    TakeDesign(usize),
    /// Asks for a scenario and opens it in the twin.
    OpenScenario,
    /// Opens this scenario in the twin.
    ScenarioFile(PathBuf),
    /// Runs the scenario.
    Run,
    /// Does something with a run that is at work, or that was recorded.
    Twin(Twin),
    /// Keeps the last run, to compare later ones with it.
    KeepRun,
    /// Stops the work of a panel.
    Stop(Panel),

    /// The dialect of the rules that are shown.
    ShowDialect(Dialect),
    /// The encoding of the rules that are shown.
    ShowEncoding(Encoding),
    /// Asks for a folder and writes something to it.
    Export(Export),
    /// Writes something to this folder or file.
    ExportTo(Export, PathBuf),
}

/// What is selected. There is one selection for all views.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Selection {
    /// Nothing.
    #[default]
    Nothing,
    /// A ToR. Its tree is shown.
    Tor(TorId),
    /// A cassette.
    Cassette(CassetteId),
    /// A fibre: a branch of the first ToR's splitter to the second ToR.
    Fibre(TorId, TorId),
}

impl Selection {
    /// The source whose tree is shown.
    pub fn source(self) -> Option<TorId> {
        match self {
            Self::Tor(tor) | Self::Fibre(tor, _) => Some(tor),
            Self::Nothing | Self::Cassette(_) => None,
        }
    }
}

/// How the fabric is laid out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FabricLayout {
    /// Columns and rows of ToRs, where the fabric is a Shufflecast.
    #[default]
    Columns,
    /// Cassettes as vertices, ToRs as edges.
    Cassettes,
}

/// What the colour of a tray in the hall means.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum HallColour {
    /// Fill of its cross-section.
    #[default]
    Fill,
    /// Number of fibres.
    Fibres,
}

/// The order of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Sorted {
    /// Index of the column.
    pub column: usize,
    /// Whether the largest value comes first.
    pub descending: bool,
}

/// What can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Export {
    /// The files of the plan.
    Plan,
    /// The configurations of all switches, in the dialect and encoding that are shown.
    Configs,
    /// A picture of a panel, as PNG.
    Picture(Panel),
}

impl Export {
    /// What is written, as in "Export the plan".
    pub fn name(self) -> String {
        match self {
            Self::Plan => "the plan".to_owned(),
            Self::Configs => "the switch configurations".to_owned(),
            Self::Picture(panel) => format!("a picture of {}", panel.title()),
        }
    }
}
