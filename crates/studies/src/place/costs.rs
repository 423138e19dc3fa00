//! What a placement is counted by, for solvers outside; and the cords of a fabric that stands where it is told.

use std::collections::BTreeMap;

use lightloom_plan::laid::Laid;
use lightloom_plan::project::Project;
use lightloom_plant::Fibre;
use lightloom_request::{Error, InputError};
use lightloom_topology::RackId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::place::ground::{Ground, IMPOSSIBLE};
use crate::place::question::check_memory;
use crate::place::report::{PlaceFigures, PlaceObjective};

/// The racks where ToRs may stand, and what a cord between two of them costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RackCosts {
    /// The racks.
    pub racks: Vec<RackId>,
    /// What is counted.
    pub objective: PlaceObjective,
    /// Shape (racks, racks): the cost of a cord by the rack of a splitter's shelf and the rack of a ToR, in micro-units
    /// of money or in micrometres. [`Self::IMPOSSIBLE`]: the rack has no room for a shelf.
    pub costs: Vec<i64>,
}

impl RackCosts {
    /// What stands for a cord that cannot be laid.
    pub const IMPOSSIBLE: i64 = IMPOSSIBLE;
}

/// The costs of cords between all racks for ToRs, with one splitter in each shelf: those of splitters at the senders.
///
/// # Errors
/// [`InputError`] if they need more memory than the design may take, or if a price is too large.
#[allow(clippy::cast_possible_truncation, reason = "racks are counted by 32 bits")]
pub fn rack_costs(project: &Project) -> Result<RackCosts, InputError> {
    let racks = project.hall().racks_for_tors();
    check_memory(project, racks.len())?;
    let Ground { racks, objective, costs } = Ground::new(project, racks, 1)?;
    let all = 0..racks.len() as u32;
    let row = |from: u32| all.clone().map(move |to| (from, to));
    let costs = all.clone().flat_map(row).map(|(from, to)| costs.cost(from, to)).collect();
    Ok(RackCosts { racks, objective, costs })
}

/// The number of cords of an old plan that do not run between the same racks in a new one.
///
/// # Errors
/// [`Error`] if one of them cannot be laid.
pub fn moved_cords(old: &Project, new: &Project) -> Result<usize, Error> {
    let mut left: BTreeMap<(bool, String, String), usize> = BTreeMap::new();
    for cord in between_racks(&new.laid()?) {
        *left.entry(cord).or_default() += 1;
    }
    let stays = |cord: (bool, String, String)| match left.get_mut(&cord) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    };
    let old = between_racks(&old.laid()?);
    let all = old.len();
    Ok(all - old.into_iter().map(stays).filter(|&stays| stays).count())
}

/// Whether each fibre is a feed, and the racks of its splitter and its ToR by name.
fn between_racks(laid: &Laid) -> Vec<(bool, String, String)> {
    let (plant, project) = (laid.plant(), laid.project());
    let name = |rack| project.hall().rack(rack).name.to_string();
    let of = |fibre: &Fibre| {
        let (splitter, tor) = (plant.splitter_rack(fibre.from), fibre.tor());
        (fibre.is_feed(), name(splitter), name(project.placement().rack(tor)))
    };
    plant.fibres().iter().map(of).collect()
}

/// The cords of a fabric, as the planner lays and prices them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CordReport {
    /// Currency of the prices. Null: no price is known.
    pub currency: Option<String>,
    /// The cords.
    pub cords: PlaceFigures,
}

/// The cords of a project.
///
/// # Errors
/// [`Error`] if the project cannot be laid or priced.
pub fn cords(project: &Project) -> Result<CordReport, Error> {
    let (cords, currency) = PlaceFigures::of(&project.laid()?)?;
    Ok(CordReport { currency, cords })
}
