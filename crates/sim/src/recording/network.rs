//! The network of a recording: nodes, and the ways between them.

use std::collections::BTreeMap;

use lightloom_topology::TorId;
use lightloom_topology::electrical::NodeId;
use lightloom_twin::{Simulation, Way};
use lightloom_units::named_enum;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use lightloom_scenario::scenario::Scenario;

/// Nodes and ways of a scenario.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DrawnNetwork {
    /// Nodes by number, hosts first.
    pub nodes: Vec<DrawnNode>,
    /// Directions of links and branches of splitters, by the node and the port at which they end.
    pub ways: Vec<DrawnWay>,
}

named_enum! {
    /// Kinds of nodes.
    #[derive(JsonSchema)]
    pub enum NodeKind {
        /// A host.
        Host = "host",
        /// A packet switch.
        Switch = "switch",
    }
}

/// A host or a switch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DrawnNode {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: NodeKind,
    /// Number of links to the nearest host.
    pub tier: u8,
    /// The ToR of the plan that the switch is. `None`: it is none, or the scenario uses no splitters.
    pub tor: Option<TorId>,
}

/// One direction of a link, or a branch of a splitter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DrawnWay {
    /// Number of the node that sends.
    pub from: u32,
    /// Port of that node.
    pub from_port: u16,
    /// Number of the node that receives.
    pub to: u32,
    /// Receiving port of that node. The ports of branches come after those of links.
    pub to_port: u16,
    /// Number of the splitter. `None`: a link.
    pub splitter: Option<u32>,
}

/// The network of a scenario, with the places of its ways.
pub(super) struct Places {
    pub(super) network: DrawnNetwork,
    /// Index of the first way into each node.
    first: Vec<u32>,
    /// Ways by splitter and by the node at their end.
    branches: BTreeMap<(u32, NodeId), u32>,
}

impl Places {
    pub(super) fn new(scenario: &Scenario, simulation: &Simulation<'_>) -> Self {
        let of = &scenario.network;
        let tors: BTreeMap<NodeId, TorId> = match &scenario.glass {
            None => BTreeMap::new(),
            Some(glass) => {
                glass.tors.iter().enumerate().map(|(tor, &node)| (node, TorId::at(tor))).collect()
            }
        };
        let mut places = Self {
            network: DrawnNetwork { nodes: Vec::new(), ways: Vec::new() },
            first: Vec::new(),
            branches: BTreeMap::new(),
        };
        for node in (0..of.nodes()).map(NodeId::at) {
            let kind = if of.is_host(node) { NodeKind::Host } else { NodeKind::Switch };
            let (name, tor) = (of.name(node), tors.get(&node).copied());
            places.network.nodes.push(DrawnNode { name, kind, tier: of.tier(node), tor });
            places.first.push(number(places.network.ways.len()));
            for Way { from, out, to, port, splitter } in simulation.ways_into(node) {
                if let Some(splitter) = splitter {
                    places.branches.insert((splitter, to), number(places.network.ways.len()));
                }
                places.network.ways.push(DrawnWay {
                    from: from.0,
                    from_port: out,
                    to: to.0,
                    to_port: port,
                    splitter,
                });
            }
        }
        places
    }

    /// The way that ends at a receiving port.
    pub(super) fn into(&self, node: NodeId, port: u16) -> u32 {
        self.first[node.index()] + u32::from(port)
    }

    /// The branch of a splitter that ends at a node.
    pub(super) fn branch(&self, splitter: u32, to: NodeId) -> Option<u32> {
        self.branches.get(&(splitter, to)).copied()
    }
}

/// An index in 32 bits. A recording has fewer things.
pub(super) fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
