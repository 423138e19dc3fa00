//! The network: what all families make, and all that a simulator asks.

use lightloom_units::Span;

use super::names::Names;
use super::routes::NextHops;
use super::wiring::{Search, Wiring};
use super::{Link, NetworkError, NodeId, Port, Routes};

/// An immutable network of hosts and switches. Every node reaches every other; a host has exactly
/// one port, linked to a switch.
#[derive(Debug, Clone)]
pub struct Network {
    wiring: Wiring,
    names: Names,
    tiers: Vec<u8>,
    shortest_delay: Span,
    next_hops: NextHops,
}

impl Network {
    /// The one way to make a network: the first `hosts` names are hosts, the others switches, and
    /// the ports of a node are numbered in the order of the links.
    pub(super) fn new(
        hosts: usize,
        names: Names,
        links: &[Link],
        next_hops: impl FnOnce(&Wiring) -> Result<NextHops, NetworkError>,
    ) -> Result<Self, NetworkError> {
        let wiring = Wiring::new(hosts, &names, links)?;
        let next_hops = next_hops(&wiring)?;
        let mut search = Search::default();
        search.run(&wiring, (0..hosts).map(NodeId::at));
        let tiers = search.depth.iter().map(|&tier| u8::try_from(tier).unwrap_or(u8::MAX));
        let tiers = tiers.collect();
        let delays = wiring.all_ports().iter().map(|port| port.delay);
        let shortest_delay = delays.min().unwrap_or(Span::ZERO);
        Ok(Self { wiring, names, tiers, shortest_delay, next_hops })
    }

    /// The number of hosts: nodes 0 … hosts-1.
    #[inline]
    pub fn hosts(&self) -> usize {
        self.wiring.hosts()
    }

    /// The number of switches, which are numbered after the hosts.
    #[inline]
    pub fn switches(&self) -> usize {
        self.wiring.switches()
    }

    /// The number of hosts and switches.
    #[inline]
    pub fn nodes(&self) -> usize {
        self.wiring.nodes()
    }

    /// Whether a node is a host.
    #[inline]
    pub fn is_host(&self, node: NodeId) -> bool {
        node.index() < self.hosts()
    }

    /// The ports of a node; port *i* is at position *i*.
    ///
    /// # Panics
    /// When the node is not of this network.
    #[inline]
    pub fn ports(&self, node: NodeId) -> &[Port] {
        self.wiring.ports(node)
    }

    /// What a node is called: the user's name in an edge list, else what and which it is, such as
    /// `host 3` or `edge 1.2` (pod, place in the pod).
    pub fn name(&self, node: NodeId) -> String {
        self.names.of(node.index())
    }

    /// Links between a node and the host nearest to it, at most 255: 0 a host, 1 an edge or leaf
    /// switch, 2 an aggregation or spine switch, 3 a core switch.
    ///
    /// # Panics
    /// When the node is not of this network.
    pub fn tier(&self, node: NodeId) -> u8 {
        self.tiers[node.index()]
    }

    /// The least delay of all links, which is not 0.
    pub fn shortest_delay(&self) -> Span {
        self.shortest_delay
    }

    /// All ports of a node that lead one link nearer to the host `to`, for equal-cost multipath
    /// routing; none at `to` itself.
    ///
    /// # Panics
    /// When `at` is not of this network or `to` is not a host of it.
    #[inline]
    pub fn routes(&self, at: NodeId, to: NodeId) -> Routes<'_> {
        assert!(self.is_host(to), "packets are sent to hosts");
        if self.is_host(at) {
            return Routes::Range { first: 0, count: u16::from(at != to) };
        }
        match &self.next_hops {
            NextHops::Computed(subtrees) => subtrees[at.index() - self.hosts()].routes(to),
            NextHops::Listed(table) => table.routes(&self.wiring, at, to),
        }
    }

    /// Links on a shortest way between two hosts, or from a switch to a host; in time proportional
    /// to it.
    ///
    /// # Panics
    /// When `from` is not of this network or `to` is not a host of it.
    pub fn hops(&self, from: NodeId, to: NodeId) -> usize {
        let (mut at, mut hops) = (from, 0);
        loop {
            let routes = self.routes(at, to);
            if routes.is_empty() {
                return hops;
            }
            at = self.ports(at)[routes.get(0).index()].peer;
            hops += 1;
        }
    }
}
