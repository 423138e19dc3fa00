//! Which cords of a plan are long enough for other places.

use lightloom_plant::{Far, middle_of};
use lightloom_request::InputError;
use lightloom_routing::growth::TooShort;
use lightloom_topology::hall::{Hall, Housing, Place, Placement};
use lightloom_topology::{CassetteId, RackId, TorId};
use lightloom_units::Length;

use crate::project::Project;

/// For each ToR of a plan, how many of its cords are too short if it transmits into each new cassette. `fed_by` and
/// `placement` are those of the plan that it grows into, in the hall of that plan. Empty with splitters in frames:
/// the modules of all new cassettes come side by side, so their places make no difference.
///
/// # Errors
/// [`InputError`] if the plan is too large to list.
pub(super) fn too_short(
    before: &Project,
    hall: &Hall,
    placement: &Placement,
    fed_by: &[CassetteId],
) -> Result<TooShort, InputError> {
    let old = before.fabric.cassettes();
    let count = fed_by.iter().map(|cassette| cassette.index() + 1).max().unwrap_or(0);
    let mut fed: Vec<Vec<RackId>> = vec![Vec::new(); count.saturating_sub(old)];
    for (tor, cassette) in fed_by.iter().enumerate() {
        if let Some(new) = cassette.index().checked_sub(old) {
            fed[new].push(placement.rack(TorId::at(tor)));
        }
    }
    let receivers = before.design.scheme.housing == Housing::Sender;
    if before.design.scheme.housing == Housing::Zone {
        return Ok(TooShort::new());
    }
    let mut stocks: Vec<Vec<Length>> = vec![Vec::new(); before.fabric.tors()];
    for fibre in before.laid_as_planned()?.plant().fibres() {
        // Branches are in the order of the ToRs that they go to, not of the outputs.
        match fibre.far {
            Far::SplitterInput if !receivers => stocks[fibre.from.index()].push(fibre.stock),
            Far::Receiver { branch, .. } if receivers => {
                let of = &mut stocks[fibre.from.index()];
                of.resize(of.len().max(branch as usize + 1), Length::ZERO);
                of[branch as usize] = fibre.stock;
            }
            _ => {}
        }
    }
    let tor = |rack: RackId| Place { rack, height: hall.tor_height(rack) };
    let shelf = |rack: RackId| Place { rack, height: hall.shelf_height(rack) };
    let needed = |from: RackId, to: &[RackId]| -> Vec<Length> {
        if receivers {
            to.iter().map(|&to| hall.route(shelf(from), tor(to)).length).collect()
        } else {
            vec![hall.route(tor(from), shelf(middle_of(hall, to))).length]
        }
    };
    let short = |from: TorId, to: &Vec<RackId>| -> u32 {
        let pairs = needed(placement.rack(from), to).into_iter().zip(&stocks[from.index()]);
        // An output without a cord gets a new one.
        let there = pairs.filter(|(_, stock)| **stock > Length::ZERO);
        there.map(|(needed, &stock)| u32::from(needed > stock)).sum()
    };
    let row = |from: TorId| fed.iter().map(|to| short(from, to)).collect();
    Ok(before.fabric.tor_ids().map(row).collect())
}
