//! The network that all families make.

use lightloom_units::Span;

use crate::electrical::error::NetworkError;
use crate::electrical::forwarding::Forwarding;
use crate::electrical::id::NodeId;
use crate::electrical::link::Link;
use crate::electrical::names::Names;
use crate::electrical::next_hops::NextHops;
use crate::electrical::wiring::{Port, Search, Wiring};

/// An immutable network of hosts and switches. Every node reaches every other; a host has exactly
/// one port, linked to a switch.
#[derive(Debug, Clone)]
pub struct Network {
    wiring: Wiring,
    names: Names,
    tiers: Vec<u8>,
    shortest_delay: Span,
    forwarding: Forwarding,
    /// Circuit switches that join its switches. `None`: the links between switches are always there.
    circuits: Option<u16>,
}

impl Network {
    /// Makes a network: the first `hosts` names are hosts, the others are switches. The ports of a
    /// node are numbered in the order of the links.
    pub(super) fn new(
        hosts: usize,
        names: Names,
        links: &[Link],
        forwarding: impl FnOnce(&Wiring) -> Result<Forwarding, NetworkError>,
    ) -> Result<Self, NetworkError> {
        let wiring = Wiring::new(hosts, &names, links)?;
        let forwarding = forwarding(&wiring)?;
        let mut search = Search::default();
        search.run(&wiring, (0..hosts).map(NodeId::at));
        let tiers = search.depth.iter().map(|&tier| u8::try_from(tier).unwrap_or(u8::MAX));
        let tiers = tiers.collect();
        let delays = wiring.all_ports().iter().map(|port| port.delay);
        let shortest_delay = delays.min().unwrap_or(Span::ZERO);
        Ok(Self { wiring, names, tiers, shortest_delay, forwarding, circuits: None })
    }

    /// The same network, whose links between switches stand for circuits over this number of circuit switches.
    pub(super) fn over_circuits(self, switches: u16) -> Self {
        Self { circuits: Some(switches), ..self }
    }

    /// The number of circuit switches that join the switches. `None`: links between switches are always there.
    #[inline]
    pub fn circuits(&self) -> Option<u16> {
        self.circuits
    }

    /// Whether a port of a node is for circuits, which are there at times.
    ///
    /// # Panics
    /// If the node is not in this network, or has no such port.
    pub fn is_circuit(&self, node: NodeId, port: usize) -> bool {
        let peer = self.ports(node)[port].peer;
        self.circuits.is_some() && !self.is_host(node) && !self.is_host(peer)
    }

    /// The number of hosts: nodes 0 … hosts-1.
    #[inline]
    pub fn hosts(&self) -> usize {
        self.wiring.hosts()
    }

    /// The number of switches. They are numbered after the hosts.
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
    /// If the node is not in this network.
    #[inline]
    pub fn ports(&self, node: NodeId) -> &[Port] {
        self.wiring.ports(node)
    }

    /// The name of a node: the user's name in an edge list, else its kind and number, such as `host
    /// 3` or `edge 1.2` (pod, index in the pod).
    pub fn name(&self, node: NodeId) -> String {
        self.names.of(node.index())
    }

    /// Links between a node and the nearest host, at most 255: 0 for a host, 1 for an edge or leaf
    /// switch, 2 for an aggregation or spine switch, 3 for a core switch.
    ///
    /// # Panics
    /// If the node is not in this network.
    pub fn tier(&self, node: NodeId) -> u8 {
        self.tiers[node.index()]
    }

    /// The least delay of all links, which is not 0.
    pub fn shortest_delay(&self) -> Span {
        self.shortest_delay
    }

    /// The next hops: all ports of a node that lead one link nearer to the host `to`, for
    /// equal-cost multipath routing. There are none at `to` itself.
    ///
    /// # Panics
    /// If `at` is not in this network or `to` is not one of its hosts.
    #[inline(always)]
    pub fn routes(&self, at: NodeId, to: NodeId) -> NextHops<'_> {
        assert!(self.is_host(to), "packets are sent to hosts");
        if self.is_host(at) {
            return NextHops::Range { first: 0, count: u16::from(at != to) };
        }
        match &self.forwarding {
            Forwarding::Computed(subtrees) => subtrees[at.index() - self.hosts()].routes(to),
            Forwarding::Listed(table) => table.routes(&self.wiring, at, to),
        }
    }

    /// Links on a shortest way between two hosts, or from a switch to a host. Takes time in
    /// proportion to the result.
    ///
    /// # Panics
    /// If `from` is not in this network or `to` is not one of its hosts.
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
