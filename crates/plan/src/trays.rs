//! Fill of the trays of a plan. It is reported; above the planned share it is a warning, above 100 % an
//! error.

use lightloom_request::setting;
use lightloom_request::{InputError, Message};
use lightloom_topology::hall::Housing;
use lightloom_topology::hall::{CableSpace, Peak, TrayId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::laid::lay_as;
use crate::project::Project;
use lightloom_plant::{Plant, Scheme};

/// Number of trays that an error or a list names. Further ones are only counted.
const NAMED: usize = 4;
/// Fill of a full tray, in percent.
const ALL: f64 = 100.0;

/// One cable tray.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TrayReport {
    /// Name of the tray.
    pub tray: String,
    /// Number of cables side by side where they take the most room.
    pub fibres: u64,
    /// Fill of the cross-section at that place, in percent. Plan for at most 25 (TIA-569).
    pub fill_percent: f64,
    /// Start of that stretch along the tray, in metres from the hall's corner.
    pub from_m: f64,
    /// End of that stretch, in metres.
    pub to_m: f64,
}

impl TrayReport {
    /// Share of a tray's cross-section to plan for, in percent (TIA-569).
    pub const PLANNED_PERCENT: f64 = 100.0 * CableSpace::PLANNED_FILL;

    /// Whether the fill is above the planned share.
    pub fn is_crowded(&self) -> bool {
        self.fill_percent > Self::PLANNED_PERCENT
    }

    /// Whether the fibres do not fit.
    pub fn overflows(&self) -> bool {
        self.fill_percent > ALL
    }

    /// The tray, its fill and the place of that fill.
    fn told(&self) -> String {
        format!(
            "tray {:?}: {} by {} fibres side by side, {} m to {} m along it",
            self.tray,
            percent(self.fill_percent),
            self.fibres,
            metres(self.from_m),
            metres(self.to_m)
        )
    }

    /// The error about a plan with this tray.
    pub fn fault(&self) -> String {
        format!("{}; the fibres do not fit", self.told())
    }
}

/// A warning about a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Warning {
    /// Kind of the warning.
    #[serde(flatten)]
    pub kind: WarningKind,
    /// The warning as a sentence.
    pub message: String,
}

/// Kinds of warnings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum WarningKind {
    /// A tray is filled above the planned share.
    TrayOverPlannedShare {
        /// The tray.
        #[serde(flatten)]
        tray: TrayReport,
        /// Planned share, in percent.
        planned_percent: f64,
    },
    /// Link fault signalling of the ToR switches is on.
    FaultSignallingOn {
        /// The switch model. `None`: the design names none.
        model: Option<String>,
        /// Largest number of other ToRs that a single dead transmitter silences.
        most_silenced: usize,
    },
}

/// The trays of a wiring plan, fullest first.
pub fn reports(wires: &Plant<'_>) -> Vec<TrayReport> {
    let space = wires.site().hall.rules().space;
    let report = |(tray, Peak { run, cables, squares }): (TrayId, Peak)| TrayReport {
        tray: wires.tray_name(tray),
        fibres: cables,
        fill_percent: 100.0 * space.fill(squares),
        from_m: run.from.as_m(),
        to_m: run.to.as_m(),
    };
    let mut trays: Vec<TrayReport> = wires.tray_fill().fullest().into_iter().map(report).collect();
    trays.sort_by(|a, b| b.fill_percent.total_cmp(&a.fill_percent));
    trays
}

/// A warning for each tray above the planned share, fullest first.
pub fn warnings(trays: &[TrayReport]) -> Vec<Warning> {
    let planned = TrayReport::PLANNED_PERCENT;
    let warning = |tray: &TrayReport| Warning {
        message: format!("{}; plan for at most {planned} % (TIA-569)", tray.told()),
        kind: WarningKind::TrayOverPlannedShare { tray: tray.clone(), planned_percent: planned },
    };
    trays.iter().filter(|tray| tray.is_crowded()).map(warning).collect()
}

/// Refuses a plan whose fibres do not fit its trays.
///
/// # Errors
/// [`InputError`] at the width of the trays, with the fullest trays and possible remedies.
pub fn refuse_overfull(project: &Project, wires: &Plant<'_>) -> Result<(), InputError> {
    let trays = reports(wires);
    let over: Vec<&TrayReport> = trays.iter().filter(|tray| tray.overflows()).collect();
    if over.is_empty() {
        return Ok(());
    }
    let told: Vec<String> = over.iter().take(NAMED).map(|tray| tray.told()).collect();
    let more = match over.len() - told.len() {
        0 => String::new(),
        more => format!("; and {more} more trays"),
    };
    let space = wires.site().hall.rules().space;
    let text = format!(
        "the fibres do not fit: {}{more}. Fibres of {} in trays of {} by {}; give wider or deeper \
         trays (hall.tray_width, hall.tray_depth), thinner fibre (hall.fibre_diameter) or more \
         cross-aisles (hall.cross_aisles)",
        told.join("; "),
        space.fibre_diameter,
        space.tray_width,
        space.tray_depth,
    );
    let message = at_receivers(project, wires, Message::new(text));
    Err(project.design.settings.refuse_mentioning(&setting::hall::TRAY_WIDTH, message))
}

/// Adds to a message the fill with splitters at the receivers, if that is lower.
fn at_receivers(project: &Project, wires: &Plant<'_>, message: Message) -> Message {
    if wires.housing() == Housing::Receiver {
        return message;
    }
    let Ok(other) = lay_as(project, Scheme::point_to_point(Housing::Receiver)) else {
        return message;
    };
    match reports(&other).first() {
        Some(fullest) if fullest.overflows() => message,
        fullest => {
            let fill = percent(fullest.map_or(0.0, |tray| tray.fill_percent));
            let receiver = Housing::Receiver.name().to_owned();
            message
                .text("; with the splitters at the receivers (")
                .setting(&setting::splitters::HOUSING, Some(receiver))
                .text(format!(") the fullest tray has {fill}"))
        }
    }
}

/// A percentage for messages. Very large ones are powers of ten.
fn percent(percent: f64) -> String {
    if percent < 1e6 { format!("{percent:.1} %") } else { format!("{percent:.1e} %") }
}

fn metres(metres: f64) -> String {
    format!("{metres:.2}")
}
