//! Next hops in layered networks: a packet goes down if its host is below, else up.
//!
//! Every regular family numbers its nodes layer by layer and gives a switch its downlinks first.
//! Consecutive hosts are below each downlink, the same number below each except perhaps the last.
//! Hosts that are not below a switch are equally far over each of its uplinks. So a few numbers per
//! switch replace a table.

use crate::electrical::id::{NodeId, PortId};
use crate::electrical::next_hops::NextHops;
use crate::electrical::wiring::Wiring;

/// The hosts below a switch and the ports that go up from it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Subtree {
    /// The first host below.
    first: u32,
    /// Hosts below.
    hosts: u32,
    /// Hosts below each downlink except perhaps the last; at least 1.
    stride: u32,
    /// The first uplink, which is also the number of downlinks.
    up: u16,
    /// Uplinks.
    ups: u16,
}

impl Subtree {
    /// The subtrees of all switches of a layered network.
    pub(super) fn all(wiring: &Wiring) -> Vec<Self> {
        let hosts = wiring.hosts();
        let mut subtrees: Vec<Self> = Vec::with_capacity(wiring.switches());
        for at in (hosts..wiring.nodes()).map(NodeId::at) {
            // The first host below a peer, and the number of hosts below it.
            let below = |peer: NodeId| match peer.index().checked_sub(hosts) {
                None => (peer.0, 1),
                Some(switch) => (subtrees[switch].first, subtrees[switch].hosts),
            };
            let ports = wiring.ports(at);
            let downs = ports.partition_point(|port| port.peer < at);
            let children = ports[..downs].iter().map(|port| below(port.peer));
            let (first, stride) = children.clone().next().unwrap_or((0, 1));
            let hosts = children.map(|(_, hosts)| hosts).sum();
            let (up, ups) = (PortId::at(downs).0, PortId::at(ports.len() - downs).0);
            subtrees.push(Self { first, hosts, stride, up, ups });
        }
        subtrees
    }

    /// The next hops toward a host.
    #[inline]
    pub(super) fn routes(&self, to: NodeId) -> NextHops<'static> {
        // A host before the first wraps to a number beyond all hosts.
        let offset = to.0.wrapping_sub(self.first);
        if offset < self.hosts {
            let down = (offset / self.stride) as usize;
            NextHops::Range { first: PortId::at(down).0, count: 1 }
        } else {
            NextHops::Range { first: self.up, count: self.ups }
        }
    }
}
