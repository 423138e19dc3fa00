//! What a receiver lacks of a message to a group, and why.

use lightloom_topology::electrical::NodeId;
use lightloom_twin::{Causes, Outcome, ReceiverOutcome, Service, Standing};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::errors::MessageStatus;
use lightloom_scenario::scenario::Scenario;

/// What a receiver lacks of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LacksReport {
    /// Number of packets.
    pub packets: u64,
    /// What became of them: numbers that add up to it. `None`: it is not known, because the rules for the sender change
    /// while the message is under way, a switch begins anew, a lossless buffer overflowed, or a reliable connection
    /// gave up.
    pub causes: Option<CausesReport>,
}

/// Packets that a receiver lacks, by what became of them. The first loss on their way decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct CausesReport {
    /// No rule of a switch leads them there.
    pub rules: u64,
    /// A link, a splitter or a node was dead, or shut until its rules are back.
    pub dead: u64,
    /// A link or a branch lost or corrupted them.
    pub lost: u64,
    /// A queue was too long, or a buffer full.
    pub overflow: u64,
    /// The run ended before they were sent, or before they arrived.
    pub end: u64,
}

impl From<Causes> for CausesReport {
    fn from(causes: Causes) -> Self {
        let Causes { dead, lost, overflow, rules, end } = causes;
        Self { rules, dead, lost, overflow, end }
    }
}

impl CausesReport {
    /// All packets.
    pub fn sum(&self) -> u64 {
        self.rules + self.dead + self.lost + self.overflow + self.end
    }
}

impl LacksReport {
    /// What a receiver lacks of a message, by its number among those to groups. `None`: nothing.
    pub(crate) fn of(
        scenario: &Scenario,
        outcome: &Outcome,
        (number, got): (usize, &ReceiverOutcome),
    ) -> Option<Self> {
        if got.received.is_some() {
            return None;
        }
        let cast = &scenario.multicast.casts[number];
        let mtu = u64::from(scenario.parameters.params.wire.mtu);
        let all = cast.size.as_bytes().div_ceil(mtu).max(1);
        let group = cast.to.0 as usize;
        if scenario.multicast.groups[group].service == Service::Datagrams {
            let packets = all.saturating_sub(got.delivered - got.spurious);
            return Some(Self { packets, causes: got.causes.map(CausesReport::from) });
        }
        let packets = all.saturating_sub(got.in_order / mtu);
        let standing = outcome.groups[group].standing;
        let status = MessageStatus::of_cast(outcome, number as u64);
        let none = CausesReport::default();
        let causes = if is_dead(scenario, outcome, got.host) {
            Some(CausesReport { dead: packets, ..none })
        } else if status != MessageStatus::Unfinished {
            None
        } else {
            match standing {
                // No switch on the way has the group.
                Some(Standing::Failed) => Some(CausesReport { rules: packets, ..none }),
                Some(Standing::CutOff | Standing::Over) => None,
                Some(Standing::Registering | Standing::Sending) | None => {
                    Some(CausesReport { end: packets, ..none })
                }
            }
        };
        Some(Self { packets, causes })
    }
}

/// Whether the link of a host is dead at the end.
fn is_dead(scenario: &Scenario, outcome: &Outcome, host: NodeId) -> bool {
    let network = &scenario.network;
    let of_host = scenario.failures.dead.iter().filter(|dead| {
        let peer = network.ports(dead.node).get(usize::from(dead.port)).map(|port| port.peer);
        dead.node == host || peer == Some(host)
    });
    of_host.into_iter().any(|dead| dead.from <= outcome.reached && outcome.reached < dead.to)
}
