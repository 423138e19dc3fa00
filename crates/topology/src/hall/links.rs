//! Shortest routes between entrances: through ways, junctions and the trays of other rooms.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use lightloom_units::Length;

use crate::hall::building::{Building, Way, WayEnd};
use crate::hall::trays::{Grid, TrayPoint};
use crate::id::{EntranceId, RoomId, WayId};

/// One part of a route between entrances.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Leg {
    /// The whole of a way.
    Way(WayId),
    /// The trays between two entrances of a room, with their leads.
    Trays(EntranceId, EntranceId),
}

/// Length of a route. Of routes of one length, that of the fewest legs is taken.
pub(super) type Cost = (Length, u32);

/// How a node was reached: the cost, and the last leg with the node before it. The first node has no last leg.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Reached {
    cost: Cost,
    last: Option<(u32, Leg)>,
}

/// The shortest routes between all pairs of entrances over some of the ways.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reach {
    nodes: usize,
    /// For each entrance, each node. `None`: it is not reached.
    found: Vec<Option<Reached>>,
}

impl Reach {
    /// Routes over the allowed ways. `points` has the point of each entrance on the trays of its room.
    pub fn new(
        building: &Building,
        grid: &Grid,
        points: &[TrayPoint],
        allowed: impl Fn(&Way) -> bool,
    ) -> Self {
        let entrances = building.entrances.len();
        let nodes = entrances + building.junctions.len();
        let node = |end: WayEnd| match end {
            WayEnd::Entrance(id) => id.index(),
            WayEnd::Junction(id) => entrances + id.index(),
        };
        let mut edges: Vec<Vec<(usize, Length, Leg)>> = vec![Vec::new(); nodes];
        for (id, way) in building.ways.iter().enumerate().filter(|(_, way)| allowed(way)) {
            let [a, b] = way.ends.map(node);
            edges[a].push((b, way.length, Leg::Way(WayId::at(id))));
            edges[b].push((a, way.length, Leg::Way(WayId::at(id))));
        }
        for room in (0..building.rooms.len()).map(RoomId::at) {
            let inside: Vec<EntranceId> = building.entrances_of(room).collect();
            for &a in &inside {
                for &b in inside.iter().filter(|&&b| b != a) {
                    let path = grid.shortest(points[a.index()], points[b.index()]);
                    let Some(path) = path else { continue };
                    let leads = [a, b].map(|id| building.entrance(id).lead.unwrap_or_default());
                    let length = leads[0] + path.length + leads[1];
                    edges[a.index()].push((b.index(), length, Leg::Trays(a, b)));
                }
            }
        }
        let mut found = Vec::with_capacity(entrances * nodes);
        for source in 0..entrances {
            found.extend(from(source, &edges));
        }
        Self { nodes, found }
    }

    /// The cost of the route between two entrances. `None`: no ways join them.
    pub fn cost(&self, a: EntranceId, b: EntranceId) -> Option<Cost> {
        self.found[a.index() * self.nodes + b.index()].map(|reached| reached.cost)
    }

    /// The legs of the route between two entrances, in order.
    pub fn legs(&self, a: EntranceId, b: EntranceId) -> Vec<Leg> {
        let mut legs = Vec::new();
        let mut node = b.index();
        let reached = |node: usize| self.found[a.index() * self.nodes + node];
        while let Some((before, leg)) = reached(node).and_then(|reached| reached.last) {
            legs.push(leg);
            node = before as usize;
        }
        legs.reverse();
        legs
    }
}

/// Dijkstra's algorithm from one node. Of several last legs with one cost, the first that was found stays.
fn from(source: usize, edges: &[Vec<(usize, Length, Leg)>]) -> Vec<Option<Reached>> {
    let mut found: Vec<Option<Reached>> = vec![None; edges.len()];
    let start = (Length::ZERO, 0);
    found[source] = Some(Reached { cost: start, last: None });
    let mut open = BinaryHeap::from([Reverse((start, source))]);
    while let Some(Reverse((cost, node))) = open.pop() {
        if found[node].is_none_or(|best| best.cost < cost) {
            continue;
        }
        for &(next, length, leg) in &edges[node] {
            let cost = (cost.0 + length, cost.1 + 1);
            if found[next].is_none_or(|best| cost < best.cost) {
                let before = u32::try_from(node).unwrap_or(u32::MAX);
                found[next] = Some(Reached { cost, last: Some((before, leg)) });
                open.push(Reverse((cost, next)));
            }
        }
    }
    found
}
