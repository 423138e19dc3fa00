//! What a registration packet lists (cepheus:III-C.packet, gleam:A.packet).

use lightloom_setup::ADDRESS;
use lightloom_topology::electrical::NodeId;

use crate::packet::Kind;

/// A node of a registration packet: 8 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Node {
    /// A host, with its queue pair.
    Member {
        /// The host.
        host: NodeId,
        /// Its queue pair.
        qp: u32,
    },
    /// A switch that light stops at.
    Stop(Stop),
}

/// A switch that light stops at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stop {
    /// The switch.
    pub at: NodeId,
    /// A host of it: what is told to the switch goes the way to this host.
    pub via: NodeId,
    /// The splitter whose light it takes; none at the source's own switch.
    pub accept: Option<u32>,
    /// The splitter that it sends into, where it does.
    pub relay: Option<u32>,
    /// Whether it is the stand-in of the sender's own switch, or may become it.
    pub is_spare: bool,
}

/// What a registration packet tells of its nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Who they are, and their queue pairs.
    Members,
    /// In addition where members want a WRITE (cepheus:III-B2.write).
    Addresses,
}

impl Step {
    /// Bytes of a node.
    fn node(self) -> usize {
        match self {
            Self::Members => 8,
            Self::Addresses => 8 + usize::from(ADDRESS),
        }
    }

    /// The most nodes of a packet: 1,500 bytes less 20 of IP, 8 of UDP and 8 of metadata.
    pub(crate) fn most_nodes(self) -> usize {
        (1_500 - 20 - 8 - 8) / self.node()
    }

    /// Bytes of a packet on the wire, from the Ethernet header to the check sequence.
    pub(crate) fn bytes(self, nodes: usize) -> u16 {
        u16::try_from(14 + 20 + 8 + 8 + self.node() * nodes + 4).unwrap_or(u16::MAX)
    }

    /// The kind of packet that tells so.
    pub(crate) fn tells(self) -> Kind {
        match self {
            Self::Members => Kind::Register,
            Self::Addresses => Kind::Address,
        }
    }
}
