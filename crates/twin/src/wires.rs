//! Who transmits to whom: two-way links, and splitters, on which nothing comes back.
//!
//! The ports of a node that transmit and those that receive are numbered apart. Its links come first and have
//! the same number on both sides. After them come, on the transmitting side, the splitters that it transmits
//! into, and on the receiving side the branches that end at it.

use std::collections::BTreeMap;

use lightloom_setup::{Egress, Ingress, Splitter};
use lightloom_topology::electrical::{Network, NodeId};
use lightloom_units::{BitRate, Span};

/// A node and one of its ports.
pub(crate) type Place = (NodeId, u16);

/// What a packet that arrives at a port has come over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// The link whose other end is this port.
    Link(Place),
    /// A branch of a splitter.
    Branch { splitter: u32, branch: u32 },
}

/// All links and splitters.
#[derive(Debug, Clone)]
pub(crate) struct Wires<'a> {
    pub(crate) network: &'a Network,
    /// The splitters that each node transmits into, and the branches that end at it.
    glass: BTreeMap<NodeId, Glass>,
    splitters: Vec<Ends>,
}

/// Networks of more nodes leave the cache of a core between two windows. Measured with fat-trees: prefetching
/// gains 5 % at 9,472 nodes and up to 5 % at 1,344, and costs 3 % at 208.
const CACHED_NODES: usize = 1_024;

/// The one-way ports of a node.
#[derive(Debug, Clone, Default)]
struct Glass {
    out: Vec<u32>,
    into: Vec<(u32, u32)>,
}

/// The ports that a splitter joins.
#[derive(Debug, Clone)]
struct Ends {
    from: Place,
    rate: BitRate,
    branches: Vec<(Place, Span)>,
}

impl<'a> Wires<'a> {
    /// Whether the state of the nodes is too much for the cache, so that prefetching pays.
    pub(crate) fn are_cold(&self) -> bool {
        self.network.nodes() > CACHED_NODES
    }

    /// The wires of a network and of splitters between its switches.
    pub(crate) fn new(network: &'a Network, splitters: &[Splitter]) -> Self {
        let mut wires = Self { network, glass: BTreeMap::new(), splitters: Vec::new() };
        for (splitter, number) in splitters.iter().zip(0..) {
            let from = (splitter.from, wires.transmitters(splitter.from));
            wires.glass.entry(splitter.from).or_default().out.push(number);
            let end = |(branch, number_of): (&lightloom_setup::Branch, u32)| {
                let end = (branch.to, wires.receivers(branch.to));
                let into = &mut wires.glass.entry(branch.to).or_default().into;
                into.push((number, number_of));
                (end, branch.delay)
            };
            let branches = splitter.branches.iter().zip(0..).map(end).collect();
            wires.splitters.push(Ends { from, rate: splitter.rate, branches });
        }
        wires
    }

    /// The two-way links of a node.
    pub(crate) fn links(&self, node: NodeId) -> u16 {
        u16::try_from(self.network.ports(node).len()).unwrap_or(u16::MAX)
    }

    /// The ports of a node that transmit.
    pub(crate) fn transmitters(&self, node: NodeId) -> u16 {
        let more = self.glass.get(&node).map_or(0, |glass| glass.out.len());
        self.links(node).saturating_add(u16::try_from(more).unwrap_or(u16::MAX))
    }

    /// The ports of a node that receive.
    pub(crate) fn receivers(&self, node: NodeId) -> u16 {
        let more = self.glass.get(&node).map_or(0, |glass| glass.into.len());
        self.links(node).saturating_add(u16::try_from(more).unwrap_or(u16::MAX))
    }

    /// The splitter that a port transmits into; none of a link.
    pub(crate) fn splitter(&self, (node, port): Place) -> Option<u32> {
        let place = usize::from(port.checked_sub(self.links(node))?);
        self.glass.get(&node)?.out.get(place).copied()
    }

    /// The receiving end of a link, by its transmitting port; none of a splitter.
    pub(crate) fn other_end(&self, (node, port): Place) -> Option<Place> {
        let link = self.network.ports(node).get(usize::from(port))?;
        Some((link.peer, link.peer_port.0))
    }

    /// What a receiving port hears.
    pub(crate) fn source(&self, (node, port): Place) -> Source {
        if let Some(link) = self.network.ports(node).get(usize::from(port)) {
            return Source::Link((link.peer, link.peer_port.0));
        }
        let place = usize::from(port - self.links(node));
        let (splitter, branch) = self.glass[&node].into[place];
        Source::Branch { splitter, branch }
    }

    /// The port that transmits to whom a receiving port hears; none where nothing goes back.
    pub(crate) fn way_back(&self, (node, port): Place) -> Option<u16> {
        let is_link = port < self.links(node);
        // What goes back over circuits comes at other times: a pause would be too late.
        (is_link && !self.network.is_circuit(node, usize::from(port))).then_some(port)
    }

    /// The rate of a transmitting port.
    pub(crate) fn rate_out(&self, (node, port): Place) -> BitRate {
        match self.splitter((node, port)) {
            Some(splitter) => self.splitters[splitter as usize].rate,
            None => self.network.ports(node)[usize::from(port)].rate,
        }
    }

    /// The rate at which packets come in at a receiving port.
    pub(crate) fn rate_in(&self, place: Place) -> BitRate {
        match self.source(place) {
            Source::Link(other) => self.network.ports(other.0)[usize::from(other.1)].rate,
            Source::Branch { splitter, .. } => self.splitters[splitter as usize].rate,
        }
    }

    /// The propagation delay to a receiving port.
    pub(crate) fn delay_in(&self, place: Place) -> Span {
        match self.source(place) {
            Source::Link(other) => self.network.ports(other.0)[usize::from(other.1)].delay,
            Source::Branch { splitter, branch } => {
                self.splitters[splitter as usize].branches[branch as usize].1
            }
        }
    }

    /// The receiving ends of a splitter with their delays.
    pub(crate) fn branches(&self, splitter: u32) -> &[(Place, Span)] {
        &self.splitters[splitter as usize].branches
    }

    /// The transmitting port of a splitter.
    pub(crate) fn transmitter(&self, splitter: u32) -> Place {
        self.splitters[splitter as usize].from
    }

    /// The splitters.
    pub(crate) fn splitters(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.splitters).map(|(number, _)| number)
    }

    /// The receiving port of a way into a node; none where it does not end there.
    pub(crate) fn port_in(&self, node: NodeId, way: Ingress) -> Option<u16> {
        match way {
            Ingress::Link(port) => (port < self.links(node)).then_some(port),
            Ingress::Splitter(splitter) => {
                let mut ends = self.splitters.get(splitter as usize)?.branches.iter();
                ends.find(|((end, _), _)| *end == node).map(|((_, port), _)| *port)
            }
        }
    }

    /// The transmitting port of an egress of a node; none where it does not begin there.
    pub(crate) fn port_out(&self, node: NodeId, way: Egress) -> Option<u16> {
        match way {
            Egress::Link(port) => (port < self.links(node)).then_some(port),
            Egress::Splitter(splitter) => {
                let (from, port) = self.splitters.get(splitter as usize)?.from;
                (from == node).then_some(port)
            }
        }
    }

    /// Every way from a transmitter to a receiver: its rate and its delay.
    pub(crate) fn ways(&self) -> impl Iterator<Item = (BitRate, Span)> {
        let nodes = (0..self.network.nodes()).map(NodeId::at);
        let links = nodes.flat_map(|node| self.network.ports(node));
        let links = links.map(|port| (port.rate, port.delay));
        let branch = |ends: &'_ Ends| {
            let rate = ends.rate;
            ends.branches.iter().map(move |&(_, delay)| (rate, delay)).collect::<Vec<_>>()
        };
        links.chain(self.splitters.iter().flat_map(branch))
    }
}
