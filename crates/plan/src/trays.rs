//! Fill of the trays and ways of a plan, existing cables included. It is reported; above the planned share it
//! is a warning, above 100 % an error.

use lightloom_request::setting;
use lightloom_request::{InputError, Key, Message};
use lightloom_topology::hall::Housing;
use lightloom_topology::hall::{Pathway, PathwayKind, Peak, TrayId, TrayLevel};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::laid::Laid;
use lightloom_plant::{Plant, Scheme};

/// Number of trays that an error or a list names. Further ones are only counted.
const NAMED: usize = 4;
/// Fill of a full tray, in percent.
const ALL: f64 = 100.0;

/// One cable tray, or a way between rooms.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TrayReport {
    /// Name of the tray.
    pub tray: String,
    /// Kind. `None`: the hall has no building file.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pathway: Option<PathwayKind>,
    /// The room that it is in. `None`: it is a way, or the hall has no building file.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub room: Option<String>,
    /// Number of cables side by side where they take the most room.
    pub fibres: u64,
    /// Fill of the cross-section at that place, existing cables included, in percent. Plan for at most 25
    /// in trays (TIA-569).
    pub fill_percent: f64,
    /// Fill by existing cables, in percent. `None`: the hall has no building file.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub existing_percent: Option<f64>,
    /// Fill to plan for, in percent. `None`: 25, as the hall has no building file.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub most_percent: Option<f64>,
    /// Start of that stretch along the tray, in metres from its room's corner, or from the first end of a way.
    pub from_m: f64,
    /// End of that stretch, in metres.
    pub to_m: f64,
}

impl TrayReport {
    /// Share of the cross-section to plan for, in percent.
    pub fn planned_percent(&self) -> f64 {
        self.most_percent.unwrap_or(Pathway::PLANNED_IN_TRAYS.get())
    }

    /// Whether the fill is above the planned share.
    pub fn is_crowded(&self) -> bool {
        self.fill_percent > self.planned_percent()
    }

    /// Whether the fibres do not fit.
    pub fn overflows(&self) -> bool {
        self.fill_percent > ALL
    }

    /// Whether it is a way between rooms.
    fn is_way(&self) -> bool {
        self.pathway.is_some() && self.room.is_none()
    }

    /// The tray, its fill and the place of that fill.
    fn text(&self) -> String {
        let what = self.pathway.filter(|_| self.is_way()).map_or("tray", PathwayKind::name);
        let fill = percent(self.fill_percent);
        let existing = match self.existing_percent {
            Some(existing) if existing > 0.0 => {
                format!(" ({} of it by existing cables)", percent(existing))
            }
            _ => String::new(),
        };
        let place = format!("{} m to {} m along it", metres(self.from_m), metres(self.to_m));
        let fibres = self.fibres;
        format!("{what} {:?}: {fill}{existing} by {fibres} cables side by side, {place}", self.tray)
    }

    /// The error about a plan with this tray.
    pub fn fault(&self) -> String {
        format!("{}; the fibres do not fit", self.text())
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
    /// Mirrored relays are logical ToRs of one switch.
    MirrorsTogether {
        /// Number of cassettes with such relays.
        cassettes: usize,
        /// Of them, those all of whose relays are one switch.
        on_one: usize,
    },
}

/// The trays and ways with fibres of a wiring plan, fullest first.
pub fn reports(wires: &Plant) -> Vec<TrayReport> {
    let hall = &wires.site().hall;
    let rooms = hall.building();
    let report = |(tray, Peak { run, cables, squares }): (TrayId, Peak)| {
        let room = hall.room_of_tray(tray).map(|room| rooms.room(room));
        let kind = match (tray, room) {
            (TrayId::Way(way), _) => Some(rooms.way(way).kind),
            (_, Some(room)) if room.name.is_some() => Some(match room.trays {
                TrayLevel::Overhead => PathwayKind::Tray,
                TrayLevel::Floor => PathwayKind::UnderFloor,
            }),
            _ => None,
        };
        let space = hall.pathway(tray);
        TrayReport {
            tray: wires.tray_name(tray),
            pathway: kind,
            room: room.and_then(|room| Some(room.name.as_ref()?.to_string())),
            fibres: cables,
            fill_percent: 100.0 * hall.fill(tray, squares),
            existing_percent: kind.map(|_| 100.0 * space.existing_fill()),
            most_percent: kind.map(|_| space.planned.get()),
            from_m: run.from.as_m(),
            to_m: run.to.as_m(),
        }
    };
    let mut trays: Vec<TrayReport> = wires.tray_fill().fullest().into_iter().map(report).collect();
    trays.sort_by(|a, b| b.fill_percent.total_cmp(&a.fill_percent));
    trays
}

/// A warning for each tray or way above its planned share, fullest first.
pub fn warnings(trays: &[TrayReport]) -> Vec<Warning> {
    let warning = |tray: &TrayReport| {
        let planned = tray.planned_percent();
        let source = if tray.is_way() { "most_fill" } else { "TIA-569" };
        Warning {
            message: format!("{}; plan for at most {planned} % ({source})", tray.text()),
            kind: WarningKind::TrayOverPlannedShare {
                tray: tray.clone(),
                planned_percent: planned,
            },
        }
    };
    trays.iter().filter(|tray| tray.is_crowded()).map(warning).collect()
}

/// Refuses a plan whose fibres do not fit its trays and ways.
///
/// # Errors
/// [`InputError`] at the width of the trays or at the building file, with the fullest trays and possible
/// remedies.
pub fn refuse_overfull(laid: &Laid) -> Result<(), InputError> {
    let wires = laid.plant();
    let trays = reports(wires);
    let over: Vec<&TrayReport> = trays.iter().filter(|tray| tray.overflows()).collect();
    let Some(fullest) = over.first() else { return Ok(()) };
    let told: Vec<String> = over.iter().take(NAMED).map(|tray| tray.text()).collect();
    let more = match over.len() - told.len() {
        0 => String::new(),
        more => format!("; and {more} more trays"),
    };
    let told = told.join("; ");
    let space = wires.site().hall.rules().space;
    let fibre = space.fibre_diameter;
    let (key, text): (&Key, String) = if fullest.pathway.is_some() {
        let text = format!(
            "the fibres do not fit: {told}{more}. Fibres of {fibre}; give larger trays and ways, or further \
             ones (width, depth, diameter), or thinner fibre (hall.fibre_diameter)"
        );
        (&setting::hall::BUILDING, text)
    } else {
        let text = format!(
            "the fibres do not fit: {told}{more}. Fibres of {fibre} in trays of {} by {}; give wider or deeper \
             trays (hall.tray_width, hall.tray_depth), thinner fibre (hall.fibre_diameter) or more \
             cross-aisles (hall.cross_aisles)",
            space.tray_width, space.tray_depth,
        );
        (&setting::hall::TRAY_WIDTH, text)
    };
    let message = at_receivers(laid, Message::new(text));
    Err(laid.project().design.settings.refuse_mentioning(key, message))
}

/// Adds to a message the fill with splitters at the receivers, if that is lower.
fn at_receivers(laid: &Laid, message: Message) -> Message {
    if laid.plant().housing() == Housing::Receiver {
        return message;
    }
    let Ok(other) = laid.project().laid_by(Scheme::point_to_point(Housing::Receiver)) else {
        return message;
    };
    match reports(other.plant()).first() {
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
