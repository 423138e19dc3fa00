//! What waits in a switch and for what, looked at when a run has ended.

use std::collections::BTreeSet;

use lightloom_units::Instant;

use super::Switch;
use super::by_ingress::{ByIngress, of_port};
use super::port::{Overflowed, PortQueues};
use crate::overflow::Overflow;
use crate::packet::{Class, Packet};

impl Switch<'_> {
    /// Ports whose lossless packets the other end has paused, and to which pauses come on a way that never dies
    /// again, so that no pause falls there.
    pub(crate) fn paused_lossless(&self, now: Instant) -> impl Iterator<Item = u16> {
        // A ring of paused ports is a deadlock only if no pause of it is ever lost: a dead way would let it go.
        let paused = (0..).zip(&self.ports);
        let paused = paused.filter(move |(_, port)| port.is_paused(now, Class::LOSSLESS));
        let stays = move |port: &u16| {
            let mut pauses = (0..).zip(&self.ingress).filter(|(_, way)| way.back() == Some(*port));
            pauses.all(|(ingress, _)| !self.reception.dies_after(ingress, now))
        };
        paused.map(|(port, _)| port).filter(stays)
    }

    /// Whether the sender to a receiving port is to stop, and was told so last.
    pub(crate) fn holds(&self, ingress: u16) -> bool {
        let ingress = &self.ingress[usize::from(ingress)];
        let told = |back| self.ports[usize::from(back)].rare().holds();
        ingress.paused && ingress.back().is_some_and(told)
    }

    /// Lossless bytes that wait at a port, or until it goes on.
    pub(crate) fn lossless_bytes(&self, port: u16) -> u64 {
        let queued = self.ports[usize::from(port)].queues[Class::LOSSLESS.index()].bytes;
        u64::from(queued) + self.halted_bytes(port)
    }

    /// Lossless bytes that wait at a port, by the port that they came in on and by body.
    pub(crate) fn lossless_by_ingress(&self, port: u16) -> ByIngress {
        let queue = &self.ports[usize::from(port)].queues[Class::LOSSLESS.index()];
        let waits = self.buffer.iter(queue).chain(self.halted_by(port));
        waits.map(|(body, packet)| ((packet.port, body), packet.bytes.into())).collect()
    }

    /// The senders that are never told to go on again, by the port that they send to, if of the packets that
    /// came in on each port these bodies never leave. `comes` says whether lossless packets are on their way to
    /// a port.
    pub(crate) fn held_for_ever<'a>(
        &'a self,
        never_leave: &'a ByIngress,
        comes: impl Fn(u16) -> bool + 'a,
    ) -> impl Iterator<Item = u16> + 'a {
        // What never leaves always waits, so no sender ever goes on above this.
        let by_port: BTreeSet<u16> = never_leave.keys().map(|&(port, _)| port).collect();
        // The thresholds follow what is free, and what never leaves bounds that from above.
        let all = never_leave.values().sum();
        let used = self.buffer.counted_at_least(all, by_port.iter().copied());
        let resume_below = self.buffer.resume_below_at(used);
        let stays = move |port: &u16| {
            let never = of_port(never_leave, *port);
            // A sender goes on when one of its packets leaves and few enough are left.
            let none_leaves = never == u64::from(self.ingress[usize::from(*port)].waiting);
            never > 0 && (never > u64::from(resume_below) || (none_leaves && !comes(*port)))
        };
        by_port.into_iter().filter(stays)
    }

    /// Ports whose packets wait because the other end has paused them: (port, bytes).
    pub(crate) fn held_by_pauses(&self, now: Instant) -> impl Iterator<Item = (u16, u64)> {
        let paused = (0..).zip(&self.ports).map(move |(port, queues)| {
            let is_paused = queues.is_paused(now, Class::LOSSLESS);
            let halted = if is_paused { self.halted_bytes(port) } else { 0 };
            (port, queues.paused_bytes(now) + halted)
        });
        paused.filter(|&(_, bytes)| bytes > 0)
    }

    /// Headroom that overflowed.
    pub(crate) fn overflows(&self) -> impl Iterator<Item = Overflow> {
        let of = |(_, queues): (u16, &PortQueues)| {
            let Overflowed { at, packets, lost_pause } = queues.rare().overflow()?;
            let (node, class, port) = (self.id, Class::LOSSLESS, queues.rare().ingress);
            Some(Overflow { at, node, port, class, packets, lost_pause })
        };
        (0..).zip(&self.ports).filter_map(of)
    }

    /// Packets that wait in the buffer.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = Packet> {
        let queues = self.ports.iter().flat_map(|port| port.queues.iter());
        // What a group holds back is in the buffer too, though in no queue of a port.
        let held = self.bridges.tables.iter().flat_map(|table| table.waiting());
        let beside = self.bridges.accelerator.iter();
        let held = held.chain(beside.clone().flat_map(|beside| beside.queues()));
        let queued = queues.chain(held).flat_map(|queue| self.buffer.iter(queue));
        let back = beside.flat_map(|beside| beside.on_the_way_back());
        queued.map(|(_, packet)| packet).chain(back)
    }
}
