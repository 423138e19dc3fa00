//! The ways of packets to one host.

use lightloom_topology::electrical::{NextHops, NodeId};
use lightloom_units::Instant;

use super::Switch;
use crate::packet::{Kind, Packet};
use crate::random::mix;

impl Switch<'_> {
    /// The shortest ways to a host.
    #[inline(always)]
    pub(super) fn routes(&self, now: Instant, to: NodeId) -> NextHops<'_> {
        match &self.rerouted {
            None => self.network.routes(self.id, to),
            Some(rerouted) => rerouted.routes(now, self.network, (self.id, to)),
        }
    }

    /// The way of a packet to a host: the same for all packets of a flow, or another one for each of its data packets.
    #[inline(always)]
    pub(super) fn way_of(&self, now: Instant, to: NodeId, packet: &Packet) -> u16 {
        let number = match self.sprays && packet.kind == Kind::Data {
            true => u64::from(packet.psn.get()) << 16,
            false => 0,
        };
        self.one_way(now, to, number ^ u64::from(packet.entropy))
    }

    /// One of the shortest ways to a host, always the same.
    #[inline(always)]
    pub(super) fn way(&self, now: Instant, to: NodeId) -> u16 {
        self.one_way(now, to, 0)
    }

    #[inline(always)]
    fn one_way(&self, now: Instant, to: NodeId, of: u64) -> u16 {
        let routes = self.routes(now, to);
        // The high bits of the product choose evenly among the ways.
        // Equal-cost multipath: a hash of the flow, with a salt of the switch, so that switches in a row do not all
        // choose alike.
        let hash = mix(self.salt ^ of) >> 32;
        let choice = usize::try_from((hash * routes.len() as u64) >> 32).unwrap_or(0);
        routes.get(choice).0
    }
}
