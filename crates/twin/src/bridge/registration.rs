//! Registration packets (Cepheus, HPCA 2024, section III-C, figure 5; Gleam calls them envelopes, its figure 17).

use lightloom_topology::electrical::NodeId;

use crate::multicast::LightStop;
use crate::packet::{GroupId, Psn};

/// The most nodes of a packet: 1,500 bytes less IP, UDP and metadata, at 8 bytes a node.
pub(crate) const NODES: usize = 183;

/// Ethernet with its check sequence, IP and UDP.
const HEADERS: usize = 18 + 20 + 8;
/// Epoch 2, first packet 3, sequence 1, total 1, what it asks for 1: enough for 255 packets, 46,665 nodes.
const METADATA: usize = 8;
const NODE: usize = 8;
/// The shortest Ethernet frame.
const SHORTEST: usize = 64;

/// What a registration tells a switch about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Node {
    /// A member: an address and a queue pair.
    Member { host: NodeId, qp: u32 },
    /// What one switch does with the light of one source.
    Stop(Stop),
}

/// What a switch does with the light of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stop {
    pub(crate) source: NodeId,
    /// A host at the switch. Packets are routed to hosts, so the packet for the switch goes this way.
    pub(crate) via: NodeId,
    pub(crate) light: LightStop,
}

impl Node {
    /// The host that a packet about the node travels toward.
    pub(crate) fn toward(&self) -> NodeId {
        match self {
            Self::Member { host, .. } => *host,
            Self::Stop(stop) => stop.via,
        }
    }

    /// Who confirms it: the member, or the switch for a source.
    pub(crate) fn confirms(&self) -> (NodeId, Option<NodeId>) {
        match self {
            Self::Member { host, .. } => (*host, None),
            Self::Stop(stop) => (stop.light.at, Some(stop.source)),
        }
    }
}

/// What a registration packet asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ask {
    /// The nodes join.
    Join,
    /// The nodes leave, or what they were given is given back.
    Leave,
}

/// A registration packet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Registration {
    pub(crate) group: GroupId,
    pub(crate) ask: Ask,
    /// Grows with every change of the group; wraps.
    pub(crate) epoch: u16,
    /// The first packet that a member may lack.
    pub(crate) first: Psn,
    /// Its place among the packets of the list, from 0, and their number.
    pub(crate) sequence: u16,
    pub(crate) total: u16,
    pub(crate) nodes: Vec<Node>,
}

impl Registration {
    /// The packets for a list of nodes.
    pub(crate) fn packets(
        (group, epoch, first): (GroupId, u16, Psn),
        ask: Ask,
        nodes: &[Node],
    ) -> Vec<Self> {
        let total = u16::try_from(nodes.len().div_ceil(NODES)).unwrap_or(u16::MAX);
        let packet = |(sequence, nodes): (u16, &[Node])| Self {
            group,
            ask,
            epoch,
            first,
            sequence,
            total,
            nodes: nodes.to_vec(),
        };
        (0..).zip(nodes.chunks(NODES)).map(packet).collect()
    }

    /// The same packet about fewer nodes, as a switch hands it on.
    pub(crate) fn about(&self, nodes: Vec<Node>) -> Self {
        Self { nodes, ..self.clone() }
    }

    /// Bytes from the first bit of the Ethernet header to the last of the check sequence.
    pub(crate) fn bytes(&self) -> u16 {
        let bytes = HEADERS + METADATA + NODE * self.nodes.len();
        u16::try_from(bytes.max(SHORTEST)).unwrap_or(u16::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(count: u32) -> Vec<Node> {
        (0..count).map(|host| Node::Member { host: NodeId(host), qp: host * 2 }).collect()
    }

    #[test]
    fn packets_hold_183_nodes() {
        let sizes = |count| {
            let packets =
                Registration::packets((GroupId(3), 7, Psn::new(5)), Ask::Join, &members(count));
            let nodes: Vec<Node> = packets.iter().flat_map(|packet| packet.nodes.clone()).collect();
            assert_eq!(nodes, members(count), "each node once, in order");
            for (place, packet) in packets.iter().enumerate() {
                assert_eq!(usize::from(packet.sequence), place);
                assert_eq!(usize::from(packet.total), packets.len());
            }
            packets.iter().map(|packet| (packet.nodes.len(), packet.bytes())).collect::<Vec<_>>()
        };
        assert_eq!(sizes(1), [(1, 64)]);
        assert_eq!(sizes(2), [(2, 70)]);
        // A frame of 1,518 bytes: the largest of Ethernet.
        assert_eq!(sizes(183), [(183, 1518)]);
        assert_eq!(sizes(184), [(183, 1518), (1, 64)]);
        assert_eq!(sizes(2047).len(), 12);
    }
}
