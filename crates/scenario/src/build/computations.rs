//! What hosts compute, for traces and collective operations.

use std::collections::BTreeMap;

use lightloom_topology::electrical::NodeId;
use lightloom_twin::{Computation, FlowId, Multicast};
use lightloom_units::{Instant, Span};

use crate::build::flows::Traffic;
use crate::build::sent::{Owner, Sent};

/// The computations of a scenario, by their places. What waits for them is entered last, because their numbers follow
/// those of all messages.
#[derive(Debug, Clone, Default)]
pub(super) struct Computations {
    pub(super) all: Vec<Computation>,
    /// What waits for the end of a computation.
    awaited: Vec<(Sent, usize)>,
    /// Computations that wait for the begin of another one.
    begun: Vec<(usize, usize)>,
    /// The number of each stream, by who computes in it: a host has several, and no two operations share one.
    streams: BTreeMap<(Owner, NodeId, u32), u32>,
}

impl Computations {
    /// Adds a computation; its place.
    pub(super) fn push(
        &mut self,
        host: NodeId,
        stream: Option<u32>,
        (takes, start): (Span, Instant),
    ) -> usize {
        let (after, begun) = (Vec::new(), Vec::new());
        self.all.push(Computation { host, stream, takes, start, after, begun });
        self.all.len() - 1
    }

    /// The number of a stream of a host, which belongs to one operation or trace.
    pub(super) fn stream(&mut self, of: Owner, host: NodeId, name: u32) -> u32 {
        let next = u32::try_from(self.streams.len()).unwrap_or(u32::MAX);
        *self.streams.entry((of, host, name)).or_insert(next)
    }

    /// Lets a message or a computation wait until a computation has ended.
    pub(super) fn after(&mut self, waits: Sent, computation: usize) {
        self.awaited.push((waits, computation));
    }

    /// Lets a computation wait until another one has begun.
    pub(super) fn after_begin(&mut self, waits: usize, computation: usize) {
        self.begun.push((waits, computation));
    }

    /// Lets a computation wait for a flow.
    pub(super) fn after_flow(&mut self, waits: usize, flow: usize) {
        self.all[waits].after.push(id(flow));
    }

    /// Enters what waits for computations, when all messages have their numbers; the computations.
    pub(super) fn entered(
        mut self,
        traffic: &mut Traffic,
        multicast: &mut Multicast,
    ) -> Vec<Computation> {
        let first = traffic.flows.len() + multicast.casts.len();
        for (waits, computation) in self.awaited {
            let before = id(first + computation);
            match waits {
                Sent::Flow(flow) => traffic.flows[flow].after.push(before),
                Sent::Cast(cast) => multicast.casts[cast].after.push(before),
                Sent::Computation(waits) => self.all[waits].after.push(before),
            }
        }
        for (waits, computation) in self.begun {
            self.all[waits].begun.push(id(first + computation));
        }
        self.all
    }
}

fn id(number: usize) -> FlowId {
    FlowId(u32::try_from(number).unwrap_or(u32::MAX))
}
