//! What transmits at a port: a link, a link with trouble, or a splitter.

use lightloom_units::{Instant, Span};

use super::pace::Pace;
use super::sent::Sent;
use super::splitter::Split;
use super::trouble::Trouble;
use crate::drops::DropReason;
use crate::engine::{Address, Arrival, Out};
use crate::packet::Packet;

/// What transmits at a port. Every packet touches it, so it is one cache line, and what only trouble or a
/// splitter needs stands elsewhere.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct Transmitter {
    pub(crate) busy_until: Instant,
    pub(crate) pace: Pace,
    /// Along the fibre, and through the node at its end until it acts on a packet.
    pub(crate) delay: Span,
    /// Packets put on the wire.
    pub(crate) sent: u64,
    /// Their bytes, from the first of the Ethernet header to the last of the check sequence.
    pub(crate) sent_bytes: u64,
    /// Trouble or branches; none of a sound link.
    pub(crate) beyond: Option<Box<Beyond>>,
    pub(crate) peer: Address,
    pub(crate) peer_port: u16,
    /// Bytes of time on the wire before a frame, and after it.
    pub(crate) preamble: u16,
    pub(crate) gap: u16,
    /// Bytes that the other end waits for before it acts on a packet; all of it where 0.
    pub(crate) header: u8,
    /// Whether anything waits for the port or has paused it, so that a packet cannot just go out.
    pub(crate) waits: bool,
}

impl Transmitter {
    /// How long the port is busy with a frame.
    #[inline]
    pub(crate) fn busy(&self, bytes: u16) -> Span {
        self.pace.time(u32::from(self.preamble) + u32::from(bytes) + u32::from(self.gap))
    }

    /// How long a frame of so many bytes is on the wire, or the first so many of one: preamble and all.
    #[inline]
    pub(crate) fn on_wire(&self, bytes: u16) -> Span {
        self.pace.time(u32::from(self.preamble) + u32::from(bytes))
    }

    /// Puts a packet on the wire: what becomes of it, or the reason why it does not arrive.
    #[inline]
    pub(crate) fn send(
        &mut self,
        start: Instant,
        packet: &Packet,
        out: &mut Out<'_>,
    ) -> Result<Sent, DropReason> {
        self.busy_until = start + self.busy(packet.bytes);
        self.sent += 1;
        self.sent_bytes += u64::from(packet.bytes);
        if self.beyond.is_some() {
            return self.send_beyond(start, packet, out);
        }
        out.count(packet.kind, 1);
        Ok(self.put_on(start, packet, out))
    }

    /// Puts a pause on the wire. The other end acts on it as if it arrived later by its `response`.
    pub(crate) fn send_pause(
        &mut self,
        start: Instant,
        (packet, response): (&Packet, Span),
        out: &mut Out<'_>,
    ) -> Result<Sent, DropReason> {
        let delay = self.delay;
        self.delay = delay + response;
        let sent = self.send(start, packet, out);
        self.delay = delay;
        sent
    }

    /// Puts a packet on the fibre of a link.
    #[inline(always)]
    fn put_on(&self, start: Instant, packet: &Packet, out: &mut Out<'_>) -> Sent {
        let header = u16::from(self.header);
        let needed = if header == 0 { packet.bytes } else { header.min(packet.bytes) };
        let at = start + self.on_wire(needed) + self.delay;
        let mut arrival = Arrival { at, packet: *packet };
        arrival.packet.port = self.peer_port;
        out.send(self.peer, arrival);
        Sent { at, corrupt: packet.is_corrupt() }
    }

    /// Puts a packet on a link that may lose it, or on the branches of a splitter.
    #[cold]
    #[inline(never)]
    fn send_beyond(
        &mut self,
        start: Instant,
        packet: &Packet,
        out: &mut Out<'_>,
    ) -> Result<Sent, DropReason> {
        let (preamble, pace, header) = (self.preamble, self.pace, self.header);
        match self.beyond.as_deref_mut() {
            Some(Beyond::Split(split)) => {
                return Ok(split.send(start, *packet, (preamble, pace, header), out));
            }
            Some(Beyond::Trouble(trouble)) => {
                out.count(packet.kind, 1);
                let life = packet.life.damaged(trouble.passes(start)?);
                return Ok(self.put_on(start, &Packet { life, ..*packet }, out));
            }
            None => {}
        }
        Ok(self.put_on(start, packet, out))
    }

    /// What goes wrong on the link; none of a sound one and of a splitter.
    fn trouble(&self) -> Option<&Trouble> {
        match self.beyond.as_deref() {
            Some(Beyond::Trouble(trouble)) => Some(trouble),
            _ => None,
        }
    }

    /// The branches of a splitter; none of a link.
    pub(crate) fn split(&self) -> Option<&Split> {
        match self.beyond.as_deref() {
            Some(Beyond::Split(split)) => Some(split),
            _ => None,
        }
    }

    /// The same, to be changed.
    pub(crate) fn split_mut(&mut self) -> Option<&mut Split> {
        match self.beyond.as_deref_mut() {
            Some(Beyond::Split(split)) => Some(split),
            _ => None,
        }
    }

    /// Whether the link is dead now.
    pub(crate) fn is_dead(&self, now: Instant) -> bool {
        self.trouble().is_some_and(|trouble| trouble.is_dead(now))
    }

    /// Packets that were lost on the link.
    pub(crate) fn lost(&self) -> u64 {
        self.trouble().map_or(0, Trouble::lost)
    }

    /// Packets that were put on the link, or on all branches of the splitter together.
    pub(crate) fn put(&self) -> u64 {
        self.sent * self.split().map_or(1, |split| split.branches.len() as u64)
    }
}

/// What is beyond a transmitter that is not the transmitting end of a sound link.
#[derive(Debug)]
pub(crate) enum Beyond {
    /// A link on which packets are lost.
    Trouble(Trouble),
    /// A splitter.
    Split(Split),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transmitter_is_one_cache_line() {
        assert_eq!(size_of::<Transmitter>(), 64);
    }
}
