//! All that a user can do. Views emit commands, and [`crate::state::State`] carries them out.

use std::path::PathBuf;

use lightloom::configs::{Dialect, Encoding};
use lightloom::failures::Method;
use lightloom::light::Case;
use lightloom::{CassetteId, TorId};
use serde::{Deserialize, Serialize};

use crate::draw::camera::Camera;
pub use crate::export::{Export, ExportOption};
use crate::layers::{Group, Layer, Shown};
use crate::panel::Panel;
use crate::place::Place;
use crate::placing::PlacingField;
use crate::search::SearchField;
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
    /// Opens the dialog of the desktop to answer the question for a path.
    Browse,
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
    /// Goes to what a line of the log, a problem or a difference is about.
    GoTo(Place),

    /// Breaks a part, written as for the command `impact`, such as `relay:8`.
    Break(String),
    /// Breaks a part in standard form, in which ToRs are numbers, also where racks have numbers as names.
    BreakPart(String),
    /// Mends a part.
    Mend(String),
    /// Mends all parts.
    MendAll,
    /// Computes the rules that restore what is lost.
    Recover,
    /// Chooses the method of repairs.
    RecoverBy(Method),
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
    /// Shows, dims or hides a layer.
    SetLayer(Layer, Shown),
    /// Draws only this layer. `None`: all of them, as they are set.
    Isolate(Option<Layer>),
    /// Draws a group as one mark.
    Collapse(Group),
    /// Draws the things of a group again.
    Expand(Group),
    /// Draws the things of all groups again.
    ExpandAll,
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
    /// Moves the focus to the next panel in sight, or to the one before.
    NextPanel(Way),
    /// Brings the next panel of all to the front, or the one before.
    NextTab(Way),

    /// Asks for the name of a view: of the present one, or another name for the view of this name.
    AskViewName(Option<String>),
    /// Keeps how everything looks now, under this name.
    SaveView(String),
    /// Makes everything look as it did under this name.
    GoToView(String),
    /// Gives a view another name.
    RenameView {
        /// The name that it has.
        from: String,
        /// The name that it gets.
        to: String,
    },
    /// Forgets the view of this name.
    DeleteView(String),

    /// Types into a field of the search.
    SearchField(SearchField, String),
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
    /// Reads the files again that the design and the scenario name.
    ReadAgain,
    /// Reads them again if one of them was changed by another program.
    LookAgain,

    /// Keeps the last run, to compare later ones with it.
    KeepRun,
    /// Forgets the run that was kept.
    ForgetRun,
    /// Stops the work of a panel.
    Stop(Panel),

    /// Types into a field of the growth.
    GrowthField(GrowthField, String),
    /// Computes the growth that the fields ask for.
    Grow,
    /// Computes the shrinking that the fields ask for.
    Shrink,
    /// Types into a field of the search for racks.
    PlacingField(PlacingField, String),
    /// Searches the racks of all ToRs for the cheapest cords.
    SearchRacks,
    /// Shows one of the tables of the cables.
    CablingTable(CablingTable),
    /// Asks for the sheet that a crew returned.
    OpenReturned,
    /// Takes this sheet into the plan.
    ReturnedFile(PathBuf),

    /// The dialect of the rules that are shown.
    ShowDialect(Dialect),
    /// The encoding of the rules that are shown.
    ShowEncoding(Encoding),
    /// Asks for a folder and writes something to it.
    Export(Export),
    /// Writes something to this folder or file, after asking if something there would be lost.
    ExportTo(Export, PathBuf),
    /// Writes what was asked about, although something is lost.
    Replace,
    /// Puts these rows of a panel's table into the clipboard.
    CopyRows(Panel, String),
    /// Writes these rows of a table as CSV, after asking for a file.
    ExportRows(Panel, String),
    /// Changes an option of what is written.
    ExportWith(ExportOption),
}

/// Forward or back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Forward.
    Forward,
    /// Back.
    Back,
}

/// A field of the growth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GrowthField {
    /// Number of ToRs afterwards.
    Tors,
    /// Numbers of ToRs of this and later phases.
    Phases,
    /// ToRs and ports whose cords must not move.
    Pin,
    /// Largest number of ToRs whose cords may move.
    MostMoves,
    /// The inventory with more racks.
    Inventory,
    /// The ToRs that leave.
    Racks,
}

impl GrowthField {
    /// All fields.
    pub const ALL: [Self; 6] =
        [Self::Tors, Self::Phases, Self::Pin, Self::MostMoves, Self::Inventory, Self::Racks];

    /// The name of the field in the panel.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tors => "ToRs afterwards",
            Self::Phases => "Later phases",
            Self::Pin => "Must not move",
            Self::MostMoves => "Most moves",
            Self::Inventory => "Inventory with more racks",
            Self::Racks => "ToRs that leave",
        }
    }
}

/// The tables of the cables.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum CablingTable {
    /// Trunks.
    Trunks,
    /// Cables to pull, run by run.
    #[default]
    Pulls,
    /// Trays.
    Trays,
    /// What is ordered.
    Orders,
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
    /// A port of a ToR, by its number: the fibre that it receives, and those that it feeds.
    Port(TorId, u32),
}

impl Selection {
    /// What is selected when a design is opened: its first ToR, so that a tree is shown.
    pub const FIRST: Self = Self::Tor(TorId(0));

    /// The source whose tree is shown.
    pub fn source(self) -> Option<TorId> {
        match self {
            Self::Tor(tor) | Self::Fibre(tor, _) | Self::Port(tor, _) => Some(tor),
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
    /// Number of cables side by side.
    Fibres,
    /// Length of the longest fibre.
    Length,
    /// Least margin of the fibres.
    Margin,
}

impl HallColour {
    /// All of them, with their names in menus.
    pub const ALL: [(Self, &'static str); 4] = [
        (Self::Fill, "Fill"),
        (Self::Fibres, "Load"),
        (Self::Length, "Length"),
        (Self::Margin, "Margin"),
    ];
}

/// The order of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Sorted {
    /// Index of the column.
    pub column: usize,
    /// Whether the largest value comes first.
    pub descending: bool,
}
