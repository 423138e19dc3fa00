//! Next hops of a switch that differ from the usual ones for a time.

use std::sync::Arc;

use lightloom_topology::electrical::{Detours, Network, NextHops, NodeId};
use lightloom_units::Instant;

/// The next hops that a switch has at each time.
#[derive(Debug)]
pub(crate) struct Rerouted {
    /// From when which next hops differ, by time.
    stages: Vec<(Instant, Arc<Detours>)>,
}

impl Rerouted {
    /// The stages of a switch, in the order of time. `None`: its next hops never differ.
    pub(crate) fn new(at: NodeId, stages: Vec<(Instant, Arc<Detours>)>) -> Option<Self> {
        let differs = stages.iter().any(|(_, detours)| detours.differs_at(at));
        differs.then_some(Self { stages })
    }

    /// The next hops of a switch to a host. What arrives when they change goes the old way.
    #[inline(never)]
    pub(super) fn routes<'a>(
        &'a self,
        now: Instant,
        network: &'a Network,
        (at, to): (NodeId, NodeId),
    ) -> NextHops<'a> {
        // Stages are few, and the last one is in force most of the time.
        match self.stages.iter().rev().find(|(from, _)| *from < now) {
            Some((_, detours)) => network.routes_around(detours, at, to),
            None => network.routes(at, to),
        }
    }
}
