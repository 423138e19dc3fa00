//! Why the headroom of a port overflowed.

use lightloom_topology::electrical::PortId;
use lightloom_twin::{Outcome, Overflow, needed_headroom};
use lightloom_units::DataSize;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kinds::{DropCause, TrafficClass};
use lightloom_scenario::scenario::Scenario;

/// Overflow of the headroom of one port and class.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OverflowReport {
    /// The switch.
    pub node: String,
    /// Number of the port that received the packets.
    pub port: u16,
    /// Class of the packets.
    pub class: TrafficClass,
    /// The node at the other end of the port, which sent the packets.
    pub peer: String,
    /// Time of the first lost packet, in picoseconds.
    pub at_ps: u64,
    /// Number of lost packets.
    pub packets: u64,
    /// Headroom of the port, in bytes.
    pub headroom_bytes: u64,
    /// Headroom that its link needs, in bytes.
    pub needed_bytes: u64,
    /// Time at which a pause to the other end was lost, in picoseconds. `None`: no lost pause caused the
    /// overflow.
    pub pause_lost_ps: Option<u64>,
    /// Why it was.
    pub pause_lost_by: Option<DropCause>,
}

impl OverflowReport {
    /// All overflows of a run, by time.
    pub fn all(scenario: &Scenario, outcome: &Outcome) -> Vec<Self> {
        outcome.overflows.iter().map(|overflow| Self::new(scenario, overflow)).collect()
    }

    fn new(scenario: &Scenario, overflow: &Overflow) -> Self {
        let (network, params) = (&scenario.network, &scenario.parameters.params);
        let Overflow { at, node, port, class, packets, lost_pause } = *overflow;
        let link = &network.ports(node)[usize::from(port)];
        Self {
            node: network.name(node),
            port,
            class: class.into(),
            peer: network.name(link.peer),
            at_ps: at.as_ps(),
            packets,
            headroom_bytes: params.switch.headroom(link.rate, link.delay).as_bytes(),
            needed_bytes: needed_headroom(network, params, node, PortId(port))
                .map_or(0, DataSize::as_bytes),
            pause_lost_ps: lost_pause.map(|pause| pause.at.as_ps()),
            pause_lost_by: lost_pause.map(|pause| pause.reason.into()),
        }
    }
}

/// Message about an overflow: its cause and a remedy.
fn text(scenario: &Scenario, overflow: &Overflow) -> String {
    let OverflowReport { node, port, class, peer, headroom_bytes, needed_bytes, .. } =
        OverflowReport::new(scenario, overflow);
    let [headroom, needed] = [headroom_bytes, needed_bytes].map(DataSize::from_bytes);
    let place = format!(
        "at {}, {node}, port {port} (from {peer}): a {class} packet found the headroom of {headroom} full",
        overflow.at
    );
    match overflow.lost_pause {
        Some(lost) => format!(
            "{place}, since a pause to {peer} was lost at {} ({}); more headroom does not help: mend the link, \
             or its [[loss]]",
            lost.at,
            DropCause::from(lost.reason)
        ),
        None => format!(
            "{place}, and its link needs {needed}; give [parameters.switch] headroom_per_port = \"{}\"",
            needed.max(headroom)
        ),
    }
}

/// Message about a run that ended at an overflow.
pub fn fault(scenario: &Scenario, overflow: &Overflow) -> String {
    text(scenario, overflow)
        + ", or overflow = \"drop\" in [parameters.switch] to count such packets"
}

/// Warning about overflows in a run that continued. `None`: there were none.
pub fn warning(scenario: &Scenario, outcome: &Outcome) -> Option<String> {
    let first = outcome.overflows.first().filter(|_| outcome.fatal.is_none())?;
    let packets: u64 = outcome.overflows.iter().map(|overflow| overflow.packets).sum();
    let ports = outcome.overflows.len();
    Some(format!(
        "{packets} lossless packets were dropped at {ports} ports whose headroom was full; the first {}",
        text(scenario, first)
    ))
}
