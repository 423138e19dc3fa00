//! Copies of messages to groups over links and branches, and the traffic that they save.

use lightloom_topology::electrical::NodeId;
use lightloom_twin::{CastOutcome, Outcome};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use lightloom_scenario::scenario::Scenario;

/// Packets of a message to a group over all links and branches, and what unicasts would need.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CopiesReport {
    /// Packets times the links that they crossed, repetitions included.
    pub links: u64,
    /// Copies times the branches of splitters that they crossed.
    pub branches: u64,
    /// Packets times links of one unicast along shortest ways to each receiver, if nothing is lost.
    pub unicasts: u64,
    /// Share of that traffic that the group saves: 1 - (links + branches) / unicasts. Negative: it costs more.
    pub saved: Option<f64>,
}

impl CopiesReport {
    /// The copies of each message, in order. All are 0 in a run that did not count them.
    pub fn all(scenario: &Scenario, outcome: &Outcome) -> Vec<Self> {
        let casts = scenario.multicast.casts.iter().zip(&outcome.casts);
        let mut all: Vec<Self> = casts
            .map(|(cast, came)| {
                let mtu = u64::from(scenario.parameters.params.wire.mtu);
                let packets = cast.size.as_bytes().div_ceil(mtu).max(1);
                let unicasts = packets * Self::hops(scenario, cast.from, came);
                Self { links: 0, branches: 0, unicasts, saved: None }
            })
            .collect();
        for counted in &outcome.copies {
            let copies = &mut all[counted.cast];
            match counted.way.splitter {
                None => copies.links += counted.copies,
                Some(_) => copies.branches += counted.copies,
            }
        }
        for copies in &mut all {
            let crossed = (copies.links + copies.branches) as f64;
            copies.saved = (copies.unicasts > 0).then(|| 1.0 - crossed / copies.unicasts as f64);
        }
        all
    }

    /// Links of the shortest ways from a sender to all receivers of a message.
    pub(crate) fn hops(scenario: &Scenario, from: NodeId, came: &CastOutcome) -> u64 {
        let receivers = came.receivers.iter();
        receivers.map(|receiver| scenario.network.hops(from, receiver.host) as u64).sum()
    }
}
