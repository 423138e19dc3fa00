//! The ports of all nodes and their links.

use lightloom_units::{BitRate, Span};

use crate::electrical::error::NetworkError;
use crate::electrical::id::{NodeId, PortId};
use crate::electrical::limits::{MAX_HOSTS, MAX_LINKS, MAX_PORTS};
use crate::electrical::link::Link;
use crate::electrical::names::Names;

/// One direction of a link, seen from its transmitter. The other direction is the peer's port, with
/// the same rate and the same delay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Port {
    /// The node at the other end.
    pub peer: NodeId,
    /// The port of that node.
    pub peer_port: PortId,
    /// Line rate, not 0.
    pub rate: BitRate,
    /// Propagation delay, not 0.
    pub delay: Span,
}

/// The depth of a node that a search did not reach.
pub(super) const UNREACHED: u32 = u32::MAX;

/// A connected multigraph of hosts with one port each and switches with any number.
#[derive(Debug, Clone)]
pub(super) struct Wiring {
    hosts: usize,
    /// The start of each node's ports. Host *h* has only port *h*.
    start: Vec<u32>,
    ports: Vec<Port>,
}

impl Wiring {
    /// Wires the first `hosts` of the named nodes as hosts and the others as switches. Ports of a
    /// node are numbered in the order of the links.
    pub(super) fn new(hosts: usize, names: &Names, links: &[Link]) -> Result<Self, NetworkError> {
        check_size(hosts as u64, links.len() as u64)?;
        check_links(hosts, names, links)?;
        let mut start = vec![0_u32; names.nodes() + 1];
        for end in links.iter().flat_map(|link| [link.0, link.1]) {
            start[end + 1] += 1;
        }
        check_degrees(hosts, names, &start[1..])?;
        for node in 1..start.len() {
            start[node] += start[node - 1];
        }
        let wiring = Self { hosts, ports: ports(&start, links), start };
        let mut search = Search::default();
        search.run(&wiring, [NodeId(0)]);
        match search.depth.iter().position(|&depth| depth == UNREACHED) {
            Some(node) => {
                Err(NetworkError::Unreachable { node: names.of(node), from: names.of(0) })
            }
            None => Ok(wiring),
        }
    }

    #[inline]
    pub(super) fn hosts(&self) -> usize {
        self.hosts
    }

    #[inline]
    pub(super) fn nodes(&self) -> usize {
        self.start.len() - 1
    }

    #[inline]
    pub(super) fn switches(&self) -> usize {
        self.nodes() - self.hosts
    }

    /// The ports of a node by their numbers.
    #[inline]
    pub(super) fn ports(&self, node: NodeId) -> &[Port] {
        let node = node.index();
        &self.ports[self.start[node] as usize..self.start[node + 1] as usize]
    }

    /// The one port of a host.
    #[inline]
    pub(super) fn host_port(&self, host: NodeId) -> &Port {
        &self.ports[host.index()]
    }

    /// Every direction of every link.
    pub(super) fn all_ports(&self) -> &[Port] {
        &self.ports
    }
}

/// A breadth-first search over links, with reusable buffers.
#[derive(Debug, Default)]
pub(super) struct Search {
    /// Links between each node and the nearest root; [`UNREACHED`] if there is no way.
    pub(super) depth: Vec<u32>,
    order: Vec<NodeId>,
}

impl Search {
    pub(super) fn run(&mut self, wiring: &Wiring, roots: impl IntoIterator<Item = NodeId>) {
        self.depth.clear();
        self.depth.resize(wiring.nodes(), UNREACHED);
        self.order.clear();
        self.order.extend(roots);
        for root in &self.order {
            self.depth[root.index()] = 0;
        }
        let mut next = 0;
        while let Some(&node) = self.order.get(next) {
            next += 1;
            let depth = self.depth[node.index()] + 1;
            for port in wiring.ports(node) {
                let reached = &mut self.depth[port.peer.index()];
                if *reached == UNREACHED {
                    *reached = depth;
                    self.order.push(port.peer);
                }
            }
        }
    }
}

/// Refuses too large sizes before anything is allocated.
pub(super) fn check_size(hosts: u64, links: u64) -> Result<(), NetworkError> {
    if !(2..=u64::from(MAX_HOSTS)).contains(&hosts) {
        return Err(NetworkError::Hosts(hosts));
    }
    if links > u64::from(MAX_LINKS) {
        return Err(NetworkError::Links(links));
    }
    Ok(())
}

fn check_links(hosts: usize, names: &Names, links: &[Link]) -> Result<(), NetworkError> {
    let nodes = names.nodes();
    for (link, &(a, b, rate, delay)) in links.iter().enumerate() {
        if let Some(node) = [a, b].into_iter().find(|&end| end >= nodes) {
            return Err(NetworkError::NoSuchNode { link, node, nodes });
        }
        let ends = || (names.of(a), names.of(b));
        if a == b {
            return Err(NetworkError::SelfLoop { link, node: names.of(a) });
        }
        if rate == BitRate::from_bps(0) {
            let (from, to) = ends();
            return Err(NetworkError::ZeroRate { link, from, to });
        }
        if delay == Span::ZERO {
            let (from, to) = ends();
            return Err(NetworkError::ZeroDelay { link, from, to });
        }
        if a.max(b) < hosts {
            let (from, to) = ends();
            return Err(NetworkError::HostToHost { link, from, to });
        }
    }
    Ok(())
}

fn check_degrees(hosts: usize, names: &Names, degrees: &[u32]) -> Result<(), NetworkError> {
    for (node, &degree) in degrees.iter().enumerate() {
        let found = degree as usize;
        if node < hosts && degree != 1 {
            return Err(NetworkError::HostLinks { host: names.of(node), links: found });
        }
        if degree > u32::from(MAX_PORTS) {
            return Err(NetworkError::TooManyPorts { switch: names.of(node), ports: found });
        }
    }
    Ok(())
}

/// The ports of all nodes, given the start of each node's ports.
fn ports(start: &[u32], links: &[Link]) -> Vec<Port> {
    let mut next = start.to_vec();
    let mut take = |node: usize| {
        let place = next[node];
        next[node] += 1;
        (place as usize, PortId::at((place - start[node]) as usize))
    };
    let (rate, delay) = (BitRate::from_bps(0), Span::ZERO);
    let unset = Port { peer: NodeId(0), peer_port: PortId(0), rate, delay };
    let mut ports = vec![unset; 2 * links.len()];
    for &(a, b, rate, delay) in links {
        let ((at_a, port_a), (at_b, port_b)) = (take(a), take(b));
        ports[at_a] = Port { peer: NodeId::at(b), peer_port: port_b, rate, delay };
        ports[at_b] = Port { peer: NodeId::at(a), peer_port: port_a, rate, delay };
    }
    ports
}
