//! Copies of messages to groups by link and branch, where they were counted.

use std::collections::BTreeMap;

use lightloom_topology::electrical::NodeId;

use super::CastCopies;
use super::owners::Owners;
use crate::engine::Counts;
use crate::simulation::Simulation;
use crate::wires::Place;

/// Copies by message and receiving port.
pub(super) type Counted = BTreeMap<(usize, Place), u64>;

/// Adds what was counted in a part. What belongs to no message to a group is left out.
pub(super) fn add(
    counted: &mut Counted,
    counts: &Counts,
    nodes: &[NodeId],
    owners: &Owners<'_, '_>,
) {
    for ((local, port, owner), packets) in counts {
        if let Some(cast) = owners.cast(owner) {
            let place = (nodes[*local as usize], *port);
            *counted.entry((cast, place)).or_default() += packets;
        }
    }
}

/// All copies, in order.
pub(super) fn listed(counted: Counted, simulation: &Simulation<'_>) -> Vec<CastCopies> {
    let one =
        |((cast, place), copies)| CastCopies { cast, way: simulation.way_into(place), copies };
    counted.into_iter().map(one).collect()
}
