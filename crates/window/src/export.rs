//! All that can be written, by name.

use std::path::PathBuf;

use lightloom::configs::Dialect;
use lightloom::netbox::Origin;

use crate::panel::{About, Panel};

/// What can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Export {
    /// The files of the plan.
    Plan,
    /// The files of the plan with the rules of the repair.
    Recovered,
    /// The files of the plan that grew or shrank.
    Grown,
    /// The files of the plan with its ToRs in the racks that a search has found.
    Placed,
    /// The racks that a search has found, as a placement file.
    Placement,
    /// The same, and the design names the file.
    UsedPlacement,
    /// The files of the plan as it was built.
    AsBuilt,
    /// The form for crews.
    AsBuiltForm,
    /// The report to read, print and sign.
    Report,
    /// Floor plan and elevations.
    Drawings,
    /// Import files for NetBox.
    Netbox,
    /// The repairs of all single failures.
    Repairs,
    /// The configurations of all switches, in the dialect and encoding that are shown.
    Configs,
    /// The same in this dialect.
    ConfigsIn(Dialect),
    /// What changes on the switches from an older plan to this one.
    Rollout,
    /// The results of the last run.
    Results,
    /// Every arrival of a packet in a run of the scenario, as CSV.
    Arrivals,
    /// The packets that cross a link in a run of the scenario, as pcapng.
    Capture,
    /// The trace of the selected fibre or port, as CSV.
    Trace,
    /// The answer of a panel as JSON, as the command prints it.
    Answer(Panel),
    /// The rows of a table as CSV, as they are filtered and sorted.
    Rows(Panel),
    /// A picture of a panel, as PNG.
    Picture(Panel),
    /// A picture of a panel, as SVG.
    Svg(Panel),
}

/// Whether a folder or a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// A folder.
    Folder,
    /// A file.
    File,
}

impl Export {
    /// All that is written of the design and its answers, without pictures.
    pub fn all() -> Vec<Self> {
        let before = [
            Self::Plan,
            Self::Recovered,
            Self::Grown,
            Self::Placed,
            Self::Placement,
            Self::UsedPlacement,
            Self::AsBuilt,
            Self::AsBuiltForm,
            Self::Report,
            Self::Drawings,
            Self::Netbox,
            Self::Repairs,
            Self::Configs,
        ];
        let dialects = Dialect::ALL.into_iter().map(Self::ConfigsIn);
        let answered = |panel: &Panel| panel.about() != About::Nothing;
        let answers = Panel::ALL.into_iter().filter(answered).map(Self::Answer);
        let after = [Self::Rollout, Self::Results, Self::Arrivals, Self::Capture, Self::Trace];
        before.into_iter().chain(dialects).chain(after).chain(answers).collect()
    }

    /// What is written, as in "Export the plan".
    pub fn name(self) -> String {
        match self {
            Self::Plan => "the plan".to_owned(),
            Self::Recovered => "the plan with the repair".to_owned(),
            Self::Grown => "the plan that grew".to_owned(),
            Self::Placed => "the plan with the racks that were found".to_owned(),
            Self::Placement => "the placement".to_owned(),
            Self::UsedPlacement => "the placement, and name it in the design".to_owned(),
            Self::AsBuilt => "the plan as built".to_owned(),
            Self::AsBuiltForm => "the form for crews".to_owned(),
            Self::Report => "the report".to_owned(),
            Self::Drawings => "the drawings".to_owned(),
            Self::Netbox => "the files for NetBox".to_owned(),
            Self::Repairs => "the repairs of all single failures".to_owned(),
            Self::Configs => "the switch configurations".to_owned(),
            Self::ConfigsIn(dialect) => format!("the configurations for {}", dialect.name()),
            Self::Rollout => "the rollout from an older plan".to_owned(),
            Self::Results => "the results of the run".to_owned(),
            Self::Arrivals => "the arrivals of a run as CSV".to_owned(),
            Self::Capture => "a capture of a link".to_owned(),
            Self::Trace => "the trace as CSV".to_owned(),
            Self::Answer(panel) => format!("the answer of {} as JSON", panel.title()),
            Self::Rows(panel) => format!("the rows of {} as CSV", panel.title()),
            Self::Picture(panel) => format!("a picture of {}", panel.title()),
            Self::Svg(panel) => format!("a picture of {} as SVG", panel.title()),
        }
    }

    /// Whether a folder or a file is written.
    pub fn written(self) -> Written {
        match self {
            Self::Plan
            | Self::Recovered
            | Self::Grown
            | Self::Placed
            | Self::AsBuilt
            | Self::Netbox
            | Self::Repairs
            | Self::Configs
            | Self::ConfigsIn(_)
            | Self::Rollout
            | Self::Results => Written::Folder,
            Self::AsBuiltForm
            | Self::Placement
            | Self::UsedPlacement
            | Self::Report
            | Self::Drawings
            | Self::Arrivals
            | Self::Capture
            | Self::Trace
            | Self::Answer(_)
            | Self::Rows(_)
            | Self::Picture(_)
            | Self::Svg(_) => Written::File,
        }
    }

    /// The panel that a picture is of. `None`: it is no picture.
    pub fn pictured(self) -> Option<Panel> {
        match self {
            Self::Picture(panel) | Self::Svg(panel) => Some(panel),
            _ => None,
        }
    }

    /// The name that is proposed for the file or folder.
    pub fn proposed(self) -> String {
        let of = |panel: Panel| panel.title().to_lowercase();
        match self {
            Self::Plan => "plan".to_owned(),
            Self::Recovered => "plan-recovered".to_owned(),
            Self::Grown => "plan-grown".to_owned(),
            Self::Placed => "plan-placed".to_owned(),
            Self::Placement | Self::UsedPlacement => "placement.csv".to_owned(),
            Self::AsBuilt => "plan-as-built".to_owned(),
            Self::AsBuiltForm => "as-built-form.csv".to_owned(),
            Self::Report => "report.html".to_owned(),
            Self::Drawings => "drawings.html".to_owned(),
            Self::Netbox => "netbox".to_owned(),
            Self::Repairs => "repairs".to_owned(),
            Self::Configs => "configs".to_owned(),
            Self::ConfigsIn(dialect) => format!("configs-{}", dialect.name()),
            Self::Rollout => "rollout".to_owned(),
            Self::Results => "results".to_owned(),
            Self::Arrivals => "arrivals.csv".to_owned(),
            Self::Capture => "capture.pcapng".to_owned(),
            Self::Trace => "trace.csv".to_owned(),
            Self::Answer(panel) => format!("{}.json", of(panel)),
            Self::Rows(panel) => format!("{}.csv", of(panel)),
            Self::Picture(panel) => format!("{}.png", of(panel)),
            Self::Svg(panel) => format!("{}.svg", of(panel)),
        }
    }
}

/// Options of what is written. They are those of the command.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ExportOptions {
    /// The site in NetBox. Empty: the sites of the plan's rooms.
    pub site: String,
    /// The location in NetBox. Empty: racks are found by site and name.
    pub location: String,
    /// Whether racks are in NetBox already.
    pub racks: Origin,
    /// Whether switches are in NetBox already.
    pub switches: Origin,
    /// The date on the report, such as `2026-03-31`. Empty: a line is left to fill in.
    pub date: String,
    /// The file of servers and groups. `None`: no servers.
    pub groups: Option<PathBuf>,
    /// The plan or design whose rules the switches have, for a rollout.
    pub old: Option<PathBuf>,
    /// The link of a capture, as for the command: `host 0>leaf 0` one way, `host 0<>leaf 0` both ways.
    pub link: String,
}

/// A change of one option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExportOption {
    /// The site in NetBox.
    Site(String),
    /// The location in NetBox.
    Location(String),
    /// Whether racks are in NetBox already.
    Racks(Origin),
    /// Whether switches are in NetBox already.
    Switches(Origin),
    /// The date on the report.
    Date(String),
    /// The file of servers and groups.
    Groups(String),
    /// The plan or design whose rules the switches have.
    Old(String),
    /// The link of a capture.
    Link(String),
}

impl ExportOptions {
    /// Changes one of them.
    pub fn change(&mut self, option: ExportOption) {
        let path =
            |text: String| Some(PathBuf::from(text.trim())).filter(|p| !p.as_os_str().is_empty());
        match option {
            ExportOption::Site(site) => self.site = site,
            ExportOption::Location(location) => self.location = location,
            ExportOption::Racks(racks) => self.racks = racks,
            ExportOption::Switches(switches) => self.switches = switches,
            ExportOption::Date(date) => self.date = date,
            ExportOption::Groups(groups) => self.groups = path(groups),
            ExportOption::Old(old) => self.old = path(old),
            ExportOption::Link(link) => self.link = link,
        }
    }
}
