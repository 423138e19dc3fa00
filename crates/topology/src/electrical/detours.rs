//! Next hops of a network in which links are dead.
//!
//! Next hops of regular networks are computed from a few numbers a switch, and most of them stay right when a link
//! dies. So only what changes is listed: for a switch and the last switch of the way, the ports.

use std::collections::{BTreeMap, BTreeSet};

use crate::electrical::id::{NodeId, PortId};
use crate::electrical::network::Network;
use crate::electrical::next_hops::NextHops;
use crate::electrical::wiring::UNREACHED;

/// Next hops that differ from the usual ones while links are dead.
///
/// Where no way is left the usual next hops stay: they lead to a dead link, and in no ring.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Detours {
    /// By switch, and by the switch of the destination: all ports on shortest ways, ascending.
    by_switch: BTreeMap<NodeId, BTreeMap<NodeId, Box<[u16]>>>,
    cut_off: Vec<NodeId>,
}

impl Detours {
    /// The next hops of a switch toward the hosts of another. `None`: the usual ones.
    #[inline]
    pub fn ports(&self, at: NodeId, last: NodeId) -> Option<&[u16]> {
        self.by_switch.get(&at)?.get(&last).map(AsRef::as_ref)
    }

    /// Whether a switch has next hops that differ.
    pub fn differs_at(&self, at: NodeId) -> bool {
        self.by_switch.contains_key(&at)
    }

    /// Number of pairs of a switch and a destination switch whose next hops differ.
    pub fn entries(&self) -> usize {
        self.by_switch.values().map(BTreeMap::len).sum()
    }

    /// Number of pairs whose next hops are not the same as in other detours.
    pub fn changed_from(&self, other: &Self) -> usize {
        self.differ(other).count()
    }

    /// Number of switches with next hops that are not the same as in other detours.
    pub fn switches_changed_from(&self, other: &Self) -> usize {
        self.differ(other).map(|(at, _)| at).collect::<BTreeSet<_>>().len()
    }

    /// The pairs of a switch and a destination switch whose next hops are not the same as in other detours.
    fn differ<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = (NodeId, NodeId)> + 'a {
        let pairs = |of: &'a Self| {
            of.by_switch.iter().flat_map(|(&at, to)| to.keys().map(move |&last| (at, last)))
        };
        let gone = pairs(other).filter(|&(at, last)| self.ports(at, last).is_none());
        let new = pairs(self);
        new.filter(|&(at, last)| self.ports(at, last) != other.ports(at, last)).chain(gone)
    }

    /// Hosts outside of the part of the network that has the most hosts.
    pub fn cut_off(&self) -> &[NodeId] {
        &self.cut_off
    }

    /// Whether all switches and ports that are listed are in a network.
    pub fn fits(&self, network: &Network) -> bool {
        let is_switch = |at: NodeId| at.index() < network.nodes() && !network.is_host(at);
        self.by_switch.iter().all(|(&at, to)| {
            let exists = |port: &u16| usize::from(*port) < network.ports(at).len();
            let are_ports = |ports: &[u16]| !ports.is_empty() && ports.iter().all(exists);
            is_switch(at) && to.iter().all(|(&last, ports)| is_switch(last) && are_ports(ports))
        })
    }
}

impl Network {
    /// The next hops of a switch toward a host, with detours.
    ///
    /// # Panics
    /// If `at` is not in this network or `to` is not one of its hosts.
    pub fn routes_around<'a>(
        &'a self,
        detours: &'a Detours,
        at: NodeId,
        to: NodeId,
    ) -> NextHops<'a> {
        match detours.ports(at, self.ports(to)[0].peer) {
            Some(ports) => NextHops::List(ports),
            None => self.routes(at, to),
        }
    }

    /// The shortest ways over what is left where links are dead. A link is named by a port of one of its ends.
    ///
    /// # Panics
    /// If a port is not in this network.
    pub fn detours(&self, dead: impl IntoIterator<Item = (NodeId, u16)>) -> Detours {
        let mut all: BTreeSet<(NodeId, PortId)> = BTreeSet::new();
        for (node, port) in dead {
            let link = &self.ports(node)[usize::from(port)];
            all.extend([(node, PortId(port)), (link.peer, link.peer_port)]);
        }
        let mut detours = Detours::default();
        if all.is_empty() {
            return detours;
        }
        let dead: Vec<Vec<bool>> = (0..self.nodes())
            .map(NodeId::at)
            .map(|node| {
                let ports = 0..self.ports(node).len();
                let has = all.range((node, PortId(0))..=(node, PortId(u16::MAX))).next().is_some();
                if has {
                    ports.map(|p| all.contains(&(node, PortId::at(p)))).collect()
                } else {
                    vec![]
                }
            })
            .collect();
        let alive =
            |node: NodeId, port: usize| !dead[node.index()].get(port).copied().unwrap_or(false);
        let mut depth = Vec::new();
        let mut done = BTreeSet::new();
        for host in (0..self.hosts()).map(NodeId::at) {
            let last = self.ports(host)[0].peer;
            let on_way = |&(at, port): &(NodeId, PortId)| {
                !self.is_host(at)
                    && at != last
                    && self.routes(at, host).iter().any(|hop| hop == port)
            };
            // Where no shortest way has lost a link, all stay as they are.
            if !done.insert(last) || !all.iter().any(on_way) {
                continue;
            }
            self.search(last, &alive, &mut depth);
            for at in (self.hosts()..self.nodes()).map(NodeId::at) {
                let own = depth[at.index()];
                if at == last || own == UNREACHED {
                    continue;
                }
                let links = self.ports(at).iter().enumerate();
                let nearer =
                    links.filter(|(port, link)| alive(at, *port) && depth[link.peer.index()] < own);
                let ports: Vec<u16> = nearer.map(|(port, _)| PortId::at(port).0).collect();
                if !ports.iter().copied().eq(self.routes(at, host).iter().map(|port| port.0)) {
                    detours.by_switch.entry(at).or_default().insert(last, ports.into());
                }
            }
        }
        detours.cut_off = self.outside_of_largest(&alive);
        detours
    }

    /// Links between a node and all others over links that are alive.
    fn search(&self, from: NodeId, alive: &impl Fn(NodeId, usize) -> bool, depth: &mut Vec<u32>) {
        depth.clear();
        depth.resize(self.nodes(), UNREACHED);
        depth[from.index()] = 0;
        let mut order = vec![from];
        let mut next = 0;
        while let Some(&node) = order.get(next) {
            next += 1;
            for (port, link) in self.ports(node).iter().enumerate() {
                if depth[link.peer.index()] == UNREACHED && alive(node, port) {
                    depth[link.peer.index()] = depth[node.index()] + 1;
                    order.push(link.peer);
                }
            }
        }
    }

    /// The hosts outside of the connected part with the most hosts; of equal ones the first counts.
    fn outside_of_largest(&self, alive: &impl Fn(NodeId, usize) -> bool) -> Vec<NodeId> {
        let mut part = vec![usize::MAX; self.hosts()];
        let mut sizes: Vec<usize> = Vec::new();
        let mut depth = Vec::new();
        for host in (0..self.hosts()).map(NodeId::at) {
            if part[host.index()] != usize::MAX {
                continue;
            }
            self.search(host, alive, &mut depth);
            let reached = (0..self.hosts()).filter(|&host| depth[host] != UNREACHED);
            let number = sizes.len();
            sizes.push(reached.map(|host| part[host] = number).count());
        }
        let most = sizes.iter().max();
        let largest = sizes.iter().position(|size| Some(size) == most);
        let hosts = (0..self.hosts()).filter(|&host| Some(part[host]) != largest);
        hosts.map(NodeId::at).collect()
    }
}
