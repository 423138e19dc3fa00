//! From the outcome of a run to its recording.

use std::collections::BTreeMap;

use lightloom_topology::electrical::NodeId;
use lightloom_twin::{
    Dest, DropReason, DropSpot, Dropped, FlowId, GroupId, Hop, Kind, Outcome, Packet, Simulation,
};

use crate::kinds::PacketKind;
use crate::recording::network::{Places, number};
use crate::recording::{
    DropPlace, LeftOut, RecordedDrop, RecordedHop, RecordedMessage, RecordedPacket, RecordingReport,
};
use lightloom_scenario::scenario::Scenario;

/// What tells packets apart: of a message the kind and the number, else all that they say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Identity {
    OfMessage(FlowId, Kind, u32),
    Control(Kind, Dest, u32, (u32, u32)),
}

/// Packets by identity, in the order of their first event.
#[derive(Default)]
struct Packets {
    by_identity: BTreeMap<Identity, u32>,
    listed: Vec<RecordedPacket>,
}

impl Packets {
    fn number(&mut self, packet: &Packet, (flow, group): (Option<FlowId>, Option<GroupId>)) -> u32 {
        let (kind, psn) = (packet.kind, packet.psn.get());
        let next = number(self.listed.len());
        let described = RecordedPacket {
            kind: PacketKind::from(kind),
            flow: flow.map(|flow| flow.0),
            group: group.map(|group| group.0),
            psn,
        };
        if kind == Kind::Pause {
            self.listed.push(described);
            return next;
        }
        let identity = match flow {
            Some(flow) => Identity::OfMessage(flow, kind, psn),
            None => Identity::Control(kind, packet.to, packet.qp, (psn, packet.seen.get())),
        };
        let found = *self.by_identity.entry(identity).or_insert(next);
        if found == next {
            self.listed.push(described);
        }
        found
    }
}

impl RecordingReport {
    /// The recording of a run that was told to [record](Simulation::record).
    pub fn new(scenario: &Scenario, simulation: &Simulation<'_>, outcome: &Outcome) -> Self {
        let places = Places::new(scenario, simulation);
        let mut packets = Packets::default();
        let (mut hops, mut drops) = (Vec::new(), Vec::new());
        let mut later = outcome.dropped.iter().peekable();
        // In the order of time, so that packets are listed in it.
        for hop in &outcome.trace {
            while let Some(dropped) = later.next_if(|dropped| dropped.at < hop.at) {
                drops.push(drop(dropped, scenario, &places, &mut packets));
            }
            hops.push(arrival(hop, simulation, &places, &mut packets));
        }
        drops.extend(later.map(|dropped| drop(dropped, scenario, &places, &mut packets)));
        let flows = scenario.flows.iter().map(|flow| RecordedMessage {
            from: flow.from.0,
            to: Some(flow.to.0),
            group: None,
            bytes: flow.size.as_bytes(),
        });
        let casts = scenario.multicast.casts.iter().map(|cast| RecordedMessage {
            from: cast.from.0,
            to: None,
            group: Some(cast.to.0),
            bytes: cast.size.as_bytes(),
        });
        let cut = outcome.cut;
        Self {
            messages: flows.chain(casts).collect(),
            groups: scenario.groups.names.clone(),
            packets: packets.listed,
            longest_ps: hops.iter().map(|hop| hop.at_ps - hop.left_ps).max().unwrap_or(0),
            hops,
            drops,
            until_ps: cut.map_or(outcome.reached, |cut| cut.at).as_ps(),
            cut: cut.map(|cut| LeftOut { hops: cut.arrivals, drops: cut.drops }),
            network: places.network,
        }
    }
}

fn arrival(
    hop: &Hop,
    simulation: &Simulation<'_>,
    places: &Places,
    packets: &mut Packets,
) -> RecordedHop {
    RecordedHop {
        left_ps: simulation
            .left((hop.node, hop.port), (hop.packet.kind, hop.packet.bytes), hop.at)
            .as_ps(),
        at_ps: hop.at.as_ps(),
        way: places.into(hop.node, hop.port),
        packet: packets.number(&hop.packet, (hop.flow, hop.group)),
        bytes: hop.packet.bytes,
        ecn: hop.packet.ecn.into(),
        corrupt: hop.packet.is_corrupt(),
        lost: hop.is_lost,
    }
}

fn drop(
    dropped: &Dropped,
    scenario: &Scenario,
    places: &Places,
    packets: &mut Packets,
) -> RecordedDrop {
    let Dropped { at, node, port, spot, reason, ref packet, flow, group } = *dropped;
    let is_on_way = matches!(reason, DropReason::Link | DropReason::Dead);
    let (place, way) = match spot {
        DropSpot::Inside => (DropPlace::Node, Some(places.into(node, port))),
        DropSpot::Leaving if is_on_way => (DropPlace::Way, link_out(scenario, places, node, port)),
        DropSpot::Leaving => (DropPlace::Port, link_out(scenario, places, node, port)),
        DropSpot::Branch(branch) => {
            (DropPlace::Way, branch_out(scenario, places, (node, port), branch))
        }
    };
    RecordedDrop {
        at_ps: at.as_ps(),
        node: node.0,
        port,
        place,
        way,
        packet: packets.number(packet, (flow, group)),
        reason: reason.into(),
    }
}

/// The way that begins at a port. `None`: a splitter is there.
fn link_out(scenario: &Scenario, places: &Places, node: NodeId, port: u16) -> Option<u32> {
    let link = scenario.network.ports(node).get(usize::from(port))?;
    Some(places.into(link.peer, link.peer_port.0))
}

/// The way over a branch of the splitter at a port.
fn branch_out(
    scenario: &Scenario,
    places: &Places,
    (node, port): (NodeId, u16),
    branch: u32,
) -> Option<u32> {
    let splitters = &scenario.multicast.splitters;
    // The splitters of a node are numbered after its links, in their order.
    let place = usize::from(port).checked_sub(scenario.network.ports(node).len())?;
    let mut own = (0..).zip(splitters).filter(|(_, splitter)| splitter.from == node);
    let (number, splitter) = own.nth(place)?;
    let to = splitter.branches.get(usize::try_from(branch).ok()?)?.to;
    places.branch(number, to)
}
