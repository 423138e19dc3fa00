//! What is otherwise than planned, as reports and files tell it.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_plant::{CableId, CableKind, Plant};
use lightloom_power_cost::Spread;
use lightloom_power_cost::spec::{Limits, PadCheck};
use lightloom_request::InputError;
use lightloom_units::{Db, Length, named_enum};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::acceptance::branches;
use crate::as_built::applying::own;
use crate::as_built::index::{Index, plug_name};
use crate::as_built::marks::{Mark, Measured};
use crate::as_built::resolve::{Resolved, resolve};
use crate::laid::Laid;
use crate::project::Project;
use lightloom_plant::end_labels::{cable_label, port_label};

named_enum! {
    /// Verdict on a measured loss.
    #[derive(JsonSchema)]
    pub enum Acceptance {
        /// Within the limits.
        Pass = "pass",
        /// Above the largest loss.
        TooMuchLoss = "too much loss",
        /// Below the smallest loss: a splitter or a pad is missing.
        TooLittleLoss = "too little loss",
        /// No light arrived.
        NoLight = "no light",
        /// The plan has no optics, and so no limits.
        NoLimits = "no limits",
    }
}

/// Summary of a plan as it was built.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AsBuiltReport {
    /// The plugs that are in other sockets than planned.
    pub moved: Vec<MovedPlug>,
    /// Cords that carry another fibre than planned, and so have another label.
    pub relabelled: Vec<Relabelled>,
    /// The cables, by their labels now, whose labels must be printed again.
    pub to_print: Vec<String>,
    /// Cables of other lengths than planned.
    pub lengths: Vec<OtherLength>,
    /// Number of branches.
    pub branches: usize,
    /// Number of measured branches.
    pub measured: usize,
    /// Measured branches that do not pass.
    pub failed: Vec<FailedBranch>,
    /// Number of branches that pass by limits that do not show whether their pad is in. The column `pad_test` of
    /// `acceptance.csv` asks for a test that does.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub pads_not_shown: usize,
}

impl AsBuiltReport {
    /// What the limits of the measured branches do not show, as a sentence. `None`: they show all.
    pub fn pads_text(&self) -> Option<String> {
        let count = self.pads_not_shown;
        (count > 0).then(|| {
            format!(
                "Branches that pass by limits that do not show whether their pad is in: {count}. The column \
                 pad_test of acceptance.csv has a test that does."
            )
        })
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// A plug that is in another socket than planned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MovedPlug {
    /// The planned label of the cable, and the end.
    pub plug: String,
    /// The plug whose planned socket it is in.
    pub at: String,
    /// The port.
    pub port: String,
}

/// A cord with another label than planned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Relabelled {
    /// The planned label.
    pub planned: String,
    /// The label now.
    pub now: String,
}

/// A cable of another length than planned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OtherLength {
    /// The label now.
    pub label: String,
    /// The planned length to order, in metres.
    pub planned_m: f64,
    /// The length that was built.
    pub built_m: f64,
    /// Whether the cable is shorter than its way along the trays, with drops and slack.
    pub shorter_than_way: bool,
}

/// A measured branch that does not pass.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FailedBranch {
    /// The branch.
    pub label: String,
    /// What is wrong.
    pub verdict: Acceptance,
    /// The measured loss. `None`: no light.
    pub measured_db: Option<f64>,
    /// Smallest accepted loss.
    pub least_db: Option<f64>,
    /// Largest accepted loss.
    pub most_db: Option<f64>,
}

/// One mark, with the plan's own values beside it.
#[derive(Debug, Clone)]
pub struct MarkRow {
    /// The mark.
    pub mark: Mark,
    /// The label of the cable now.
    pub now: String,
    /// Its planned length to order. `None`: it is a connector of a trunk.
    pub planned: Option<Length>,
    /// The limits of the branch. `None`: it was not measured, or the plan has no limits.
    pub limits: Option<Limits>,
    /// The verdict on the branch. `None`: it was not measured.
    pub verdict: Option<Acceptance>,
}

/// A plan as it was built.
#[derive(Debug, Clone)]
pub struct BuiltRecord {
    /// The summary.
    pub summary: AsBuiltReport,
    /// The marks, sorted by label.
    pub rows: Vec<MarkRow>,
}

/// Judges a measured loss. Limits are compared as the test sheet prints them, in hundredths of a decibel.
pub fn judge(measured: Measured, limits: Option<Spread>) -> Acceptance {
    let hundredths = |db: Db| (100.0 * db.get()).round();
    match (measured, limits) {
        (Measured::NoLight, _) => Acceptance::NoLight,
        (_, None) => Acceptance::NoLimits,
        (Measured::Loss(loss), Some(limits)) => {
            if hundredths(loss) > hundredths(limits.most) {
                Acceptance::TooMuchLoss
            } else if hundredths(loss) < hundredths(limits.least) {
                Acceptance::TooLittleLoss
            } else {
                Acceptance::Pass
            }
        }
    }
}

/// What is otherwise than planned in a project that is laid as it was built. `None`: nothing is.
///
/// # Errors
/// [`InputError`] if a mark is wrong: then somebody edited `plan.json`.
pub fn record(laid: &Laid) -> Result<Option<BuiltRecord>, InputError> {
    let (project, wires) = (laid.project(), laid.plant());
    if project.as_built.is_empty() {
        return Ok(None);
    }
    let planned = project.laid_as_planned()?;
    let planned = planned.plant();
    let marks = resolve(&project.as_built, planned, planned).map_err(|fault| own(&fault))?;
    let rows = rows(project, planned, wires, &marks);
    let cables = || (0..).map(CableId).take(wires.cables().len());
    let label = |plant: &Plant, id: CableId| cable_label(plant, plant.cable(id));
    let renamed = cables().map(|id| (label(planned, id), label(wires, id)));
    let relabelled = renamed.filter(|(planned, now)| planned != now);
    let moved = marks.built.moves.iter().map(|(&plug, &of)| MovedPlug {
        plug: plug_name(planned, plug),
        at: plug_name(planned, of),
        port: port_label(wires, wires.socket(plug)),
    });
    let shows_no_pad = |check: PadCheck| !check.is_told;
    let not_shown = |row: &&MarkRow| {
        row.verdict == Some(Acceptance::Pass)
            && row.limits.and_then(|limits| limits.pad).is_some_and(shows_no_pad)
    };
    let failed = rows.iter().filter_map(|row| {
        let verdict = row.verdict.filter(|verdict| *verdict != Acceptance::Pass)?;
        let measured_db = match row.mark.measured {
            Some(Measured::Loss(db)) => Some(db.get()),
            _ => None,
        };
        Some(FailedBranch {
            label: row.mark.label.clone(),
            verdict,
            measured_db,
            least_db: row.limits.map(|limits| limits.loss.least.get()),
            most_db: row.limits.map(|limits| limits.loss.most.get()),
        })
    });
    let failed = failed.filter(|found| found.verdict != Acceptance::NoLimits);
    let summary = AsBuiltReport {
        moved: moved.collect(),
        relabelled: relabelled.map(|(planned, now)| Relabelled { planned, now }).collect(),
        to_print: cables()
            .filter(|&id| printed(planned, id) != printed(wires, id))
            .map(|id| label(wires, id))
            .collect(),
        lengths: marks
            .built
            .lengths
            .iter()
            .map(|(&id, &built)| OtherLength {
                label: label(wires, id),
                planned_m: planned.cable(id).stock.as_m(),
                built_m: built.as_m(),
                shorter_than_way: built < way(wires, id),
            })
            .collect(),
        branches: wires.fibres().iter().filter(|fibre| !fibre.is_feed()).count(),
        measured: marks.measured.len(),
        failed: failed.collect(),
        pads_not_shown: rows.iter().filter(not_shown).count(),
    };
    Ok(Some(BuiltRecord { summary, rows }))
}

/// The texts on the labels of a cable.
fn printed(plant: &Plant, id: CableId) -> Vec<String> {
    let cable = plant.cable(id);
    let mut texts = vec![cable_label(plant, cable)];
    match cable.kind {
        CableKind::Cord(..) => texts.extend(cable.ends.map(|end| port_label(plant, end))),
        CableKind::Trunk(number) => {
            let legs = &plant.trunks()[number as usize].legs;
            texts.extend(legs.iter().flat_map(|leg| leg.ends.map(|end| port_label(plant, end))));
        }
    }
    texts
}

/// Length of the way of a cable.
fn way(plant: &Plant, id: CableId) -> Length {
    let [near, far] = plant.cable(id).ends.map(|end| plant.place(end.thing));
    plant.site().hall.route(near, far).length
}

fn rows(project: &Project, planned: &Plant, wires: &Plant, marks: &Resolved) -> Vec<MarkRow> {
    let index = Index::new(planned);
    let judged: BTreeSet<_> = marks.measured.keys().copied().collect();
    let limits: BTreeMap<_, _> = branches(wires, project.optics.as_deref())
        .filter(|accepted| judged.contains(&accepted.branch.0))
        .map(|accepted| (accepted.branch.0, accepted.limits))
        .collect();
    let row = |mark: &Mark| {
        let cable = index.cable(&mark.label);
        let branch = index.branch(&mark.label).filter(|branch| judged.contains(branch));
        let limits = branch.and_then(|branch| limits.get(&branch).copied().flatten());
        MarkRow {
            now: cable.map_or_else(|| mark.label.clone(), |id| cable_label(wires, wires.cable(id))),
            planned: cable.map(|id| planned.cable(id).stock),
            limits,
            verdict: branch
                .and_then(|branch| marks.measured.get(&branch))
                .map(|&measured| judge(measured, limits.map(|limits| limits.loss))),
            mark: mark.clone(),
        }
    };
    project.as_built.marks.iter().map(row).collect()
}
