//! What lossless packets of a switch wait for, looked at when a run has ended.

use std::collections::BTreeMap;

use lightloom_units::Instant;

use super::Switch;
use crate::packet::Class;

/// By the port that packets came in on.
pub(crate) type ByIngress = BTreeMap<u16, u64>;

impl Switch<'_> {
    /// Ports whose lossless packets the other end has stopped, and whose link never dies again, so that no
    /// pause falls there.
    pub(crate) fn stopped_lossless(&self, now: Instant) -> impl Iterator<Item = u16> {
        let stopped = (0_u16..).zip(&self.ports).zip(&self.links);
        let stays = move |((_, port), link): &((u16, &super::PortQueues), &super::Transmitter)| {
            port.is_stopped(now, Class::LOSSLESS) && !link.dies_after(now)
        };
        stopped.filter(stays).map(|((number, _), _)| number)
    }

    /// Whether the sender at the other end of a port is to stop, and was told so last.
    pub(crate) fn holds(&self, port: u16) -> bool {
        let at = usize::from(port);
        self.ways_in[at].stopped && self.ports[at].rare().holds()
    }

    /// Lossless bytes that wait at a port.
    pub(crate) fn lossless_bytes(&self, port: u16) -> u64 {
        self.ports[usize::from(port)].queues[Class::LOSSLESS.index()].bytes.into()
    }

    /// Lossless bytes that wait at a port, by the port that they came in on.
    pub(crate) fn lossless_by_ingress(&self, port: u16) -> ByIngress {
        let queue = &self.ports[usize::from(port)].queues[Class::LOSSLESS.index()];
        let mut bytes = ByIngress::new();
        for packet in self.buffer.iter(queue) {
            *bytes.entry(packet.port).or_default() += u64::from(packet.bytes);
        }
        bytes
    }

    /// The senders that are never told to go on again, by the port that they send to, if of the packets that
    /// came in on each port so many bytes never leave. `comes` says whether lossless packets are on their way to
    /// a port.
    pub(crate) fn held_for_ever<'a>(
        &'a self,
        never_leave: &'a ByIngress,
        comes: impl Fn(u16) -> bool + 'a,
    ) -> impl Iterator<Item = u16> + 'a {
        // What never leaves always waits, so no sender ever goes on above this.
        let resume_below = self.buffer.resume_below_at(never_leave.values().sum());
        let stays = move |(&port, &never): (&u16, &u64)| {
            // A sender goes on when one of its packets leaves and few enough are left.
            let none_leaves = never == u64::from(self.ways_in[usize::from(port)].waiting);
            let for_ever = never > u64::from(resume_below) || (none_leaves && !comes(port));
            (never > 0 && for_ever).then_some(port)
        };
        never_leave.iter().filter_map(stays)
    }
}
