//! A message as its sender knows it.

use lightloom_units::Instant;

use crate::messages::{FlowId, Run};
use crate::series::{self, ALONE};

/// A message to be sent.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Outgoing {
    /// Its first packet, and the one after its last.
    pub(super) first: u64,
    pub(super) end: u64,
    /// Payload.
    pub(super) bytes: u64,
    /// Packets that went out, repeated ones included.
    pub sent: u64,
    /// Of those, packets that had gone out before.
    pub resent: u64,
    /// Bytes of all packets that went out, without preamble and gap.
    pub sent_bytes: u64,
    /// The flow that the message is.
    pub flow: FlowId,
    /// Header that the first packet has beyond the others'.
    pub(super) extra: u16,
    /// What goes before its payload (gleam:3.3.write), and the packets of that.
    announced: u32,
    lead: u32,
    /// Of the packets that had gone out before, those that were repeated after a timeout.
    pub resent_late: u64,
    /// Bytes of the packets that had gone out before.
    pub resent_bytes: u64,
    /// Messages that it waits for.
    pub(super) missing: u32,
    /// When the application asked for it; none before that.
    pub asked: Option<Instant>,
    /// The earliest start of its first packet; before it is asked for, the earliest time for that.
    pub(super) ready: Instant,
    /// How often the oldest packet counted as lost.
    pub timeouts: u64,
    /// When all of it was acknowledged.
    pub done: Option<Instant>,
}

impl Outgoing {
    /// A message of so much payload, with the extra header of its first packet.
    pub fn new(flow: FlowId, bytes: u64, mtu: u16, extra: u16) -> Self {
        Self { flow, end: packets(bytes, mtu), bytes, extra, ..Self::default() }
    }

    /// The place after its last packet.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// The same message with its first packet at this place.
    pub fn from(self, first: u64) -> Self {
        Self { first, end: self.end - self.first + first, ..self }
    }

    /// The same message, which so many bytes announce. They go out before its payload, in packets of their own. Zero
    /// bytes announce nothing. Each message of a series is announced.
    pub fn announced(self, bytes: u32, mtu: u16) -> Self {
        let lead = bytes.div_ceil(mtu.into());
        let all = u64::from(lead) * series::messages(self.bytes, mtu);
        Self { announced: bytes, lead, end: self.end + all, ..self }
    }

    /// Bytes of all its packets, without preamble and gap, each sent once.
    pub fn all_bytes(&self, mtu: u16, header: u16) -> u64 {
        let packets = self.end - self.first;
        let messages = series::messages(self.bytes, mtu);
        // The first packet of a message has it, and the first that announces one.
        let extras = messages * if self.lead > 0 { 2 } else { 1 };
        let announced = messages * u64::from(self.announced);
        self.bytes + announced + packets * u64::from(header) + extras * u64::from(self.extra)
    }

    /// Payload and extra header of a packet, by its place in the message.
    #[inline]
    pub(super) fn content(&self, place: u64, mtu: u16) -> (u64, u16) {
        let lead = self.lead.into();
        // What is longer than a message may be is a series of messages.
        let (place, before) =
            if self.bytes > ALONE { series::place(place, lead, mtu) } else { (place, 0) };
        let mtu = u64::from(mtu);
        // Before the payload comes what announces it, in packets of its own.
        let (place, bytes) = match place.checked_sub(lead) {
            Some(place) => (place, self.bytes - before),
            None => (place, self.announced.into()),
        };
        let extra = if place == 0 { self.extra } else { 0 };
        (bytes.saturating_sub(place * mtu).min(mtu), extra)
    }

    /// The same message, which waits for `missing` others and then for the time `earliest`.
    pub fn waits_for(self, missing: u32, earliest: Instant) -> Self {
        Self { missing, ready: earliest, ..self }
    }
}

impl Default for Outgoing {
    fn default() -> Self {
        Self {
            flow: FlowId(0),
            first: 0,
            end: 0,
            bytes: 0,
            extra: 0,
            announced: 0,
            lead: 0,
            missing: 0,
            asked: None,
            ready: Instant::from_ps(0),
            sent: 0,
            resent: 0,
            resent_late: 0,
            sent_bytes: 0,
            resent_bytes: 0,
            timeouts: 0,
            done: None,
        }
    }
}

impl Run for Outgoing {
    fn run(&self) -> (u64, u64) {
        (self.first, self.end)
    }
}

/// Packets of a message; an empty one is a packet without payload.
pub(super) fn packets(bytes: u64, mtu: u16) -> u64 {
    bytes.div_ceil(mtu.into()).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A message of more than 2^31 bytes goes out as if it were several, each announced and with its own header.
    #[test]
    fn what_is_too_long_for_a_message_goes_out_as_several() {
        for (mtu, announced) in [(4096, 0), (4096, 9000), (1000, 0), (1000, 1500)] {
            let full = series::LONGEST - series::LONGEST % u64::from(mtu);
            let parts = [full, full, 12_345];
            let one = |bytes| Outgoing::new(FlowId(0), bytes, mtu, 16).announced(announced, mtu);
            let whole = one(parts.iter().sum());
            let mut place = 0;
            for bytes in parts {
                // Near the borders of each, where something changes.
                let part = one(bytes);
                let near = (0..part.end()).filter(|at| *at < 8 || part.end() - at < 8);
                for at in near {
                    assert_eq!(whole.content(place + at, mtu), part.content(at, mtu), "{mtu} {at}");
                }
                place += part.end();
            }
            assert_eq!(whole.end(), place);
        }
    }
}
