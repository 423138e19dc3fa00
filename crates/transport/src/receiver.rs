//! The receiving side of a reliable connection, without any input or output.

use std::collections::VecDeque;

use lightloom_units::{Instant, Span};

use crate::messages::{FlowId, Messages, Run, Waiter};
use crate::outgoing::packets;
use crate::params::{Recovery, Transport};
use crate::psn::Psn;
use crate::series::{self, ALONE};

/// What takes the payload that has arrived.
pub trait Application {
    /// Payload of a message has arrived in order. Its series is filled where it is recorded.
    fn deliver(&mut self, now: Instant, payload: u64, series: &mut Vec<u64>);

    /// Takes the messages that waited for one that is complete now.
    fn hand_on(&mut self, waiters: &mut Vec<Waiter>);

    /// Payload of a full packet.
    fn mtu(&self) -> u16;

    /// Time from the last packet of a message until the application has it. `bytes` is its payload.
    fn takes(&self, bytes: u64) -> Span;
}

/// A message that is received.
#[derive(Debug)]
#[repr(C)]
pub struct Incoming {
    /// Its first packet, and the one after its last.
    first: u64,
    end: u64,
    /// Payload.
    bytes: u64,
    /// Packets before the first that has payload.
    lead: u64,
    /// Packets that arrived, copies and those out of order included.
    pub delivered: u64,
    /// Their bytes, without preamble and gap.
    pub delivered_bytes: u64,
    /// Of those, packets that had arrived before.
    pub copies: u64,
    /// The flow that the message is.
    pub flow: FlowId,
    /// When the application had all of it.
    pub done: Option<Instant>,
    /// Messages of the same host that wait for it.
    pub then: Vec<Waiter>,
    /// Payload that has arrived in order, by interval, where that is recorded.
    pub goodput: Vec<u64>,
    /// The first packet that had not arrived when the rest was given up; none where it was not.
    given_up: Option<u64>,
}

impl Incoming {
    /// A message of so much payload.
    pub fn new(flow: FlowId, bytes: u64, mtu: u16) -> Self {
        Self { flow, end: packets(bytes, mtu), bytes, ..Self::default() }
    }

    /// The same message with its first packet at this place.
    pub fn from(self, first: u64) -> Self {
        Self { first, end: self.end - self.first + first, ..self }
    }

    /// Payload in the packets of it before a packet.
    #[inline]
    fn payload_before(&self, packet: u64, mtu: u64) -> u64 {
        if self.bytes > ALONE {
            let mtu = u16::try_from(mtu).unwrap_or(u16::MAX);
            let place = packet.saturating_sub(self.first);
            let (within, before) = series::place(place, self.lead, mtu);
            return (before + within.saturating_sub(self.lead) * u64::from(mtu)).min(self.bytes);
        }
        (packet.saturating_sub(self.first + self.lead) * mtu).min(self.bytes)
    }

    /// The same message, which so many bytes announce. They come in before its payload, in packets of their own. Zero
    /// bytes announce nothing. Each message of a series is announced.
    pub fn announced(self, bytes: u32, mtu: u16) -> Self {
        let lead = u64::from(bytes.div_ceil(mtu.into()));
        Self { lead, end: self.end + lead * series::messages(self.bytes, mtu), ..self }
    }
}

impl Default for Incoming {
    fn default() -> Self {
        Self {
            flow: FlowId(0),
            first: 0,
            end: 0,
            bytes: 0,
            lead: 0,
            delivered: 0,
            delivered_bytes: 0,
            copies: 0,
            done: None,
            then: Vec::new(),
            goodput: Vec::new(),
            given_up: None,
        }
    }
}

impl Run for Incoming {
    fn run(&self) -> (u64, u64) {
        (self.first, self.end)
    }
}

/// The receiving side of a queue pair. What every packet touches stands first.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct Receiver {
    /// All packets before this one have arrived.
    expected: u64,
    /// The end of the first message that is not complete.
    due: u64,
    unacknowledged: u32,
    /// Whether the gap was reported, with go-back-N.
    reported: bool,
    /// What has arrived beyond a gap, with selective repeat; none before the first gap.
    beyond: Option<Box<Beyond>>,
    /// The messages that come in.
    pub messages: Messages<Incoming>,
    /// When the sender was last told of congestion.
    pub notified: Option<Instant>,
    /// Messages that are complete.
    done: u32,
}

/// Packets that have arrived out of order.
#[derive(Debug, Default)]
struct Beyond {
    /// From the first expected packet on: whether it has arrived.
    arrived: VecDeque<bool>,
}

/// What to tell the sender.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reply {
    /// Nothing.
    Nothing,
    /// All before this have arrived.
    Ack(Psn),
    /// The first is missing, the second has arrived.
    Nack(Psn, Psn),
}

impl Receiver {
    /// A receiver with its first message.
    pub fn new(message: Incoming) -> Self {
        Self {
            expected: 0,
            due: message.end,
            unacknowledged: 0,
            reported: false,
            beyond: None,
            notified: None,
            messages: Messages::new(message),
            done: 0,
        }
    }

    /// Lets a message of the same host wait until a message has arrived; false where there is no such message.
    pub fn then(&mut self, place: u32, waiter: Waiter) -> bool {
        self.messages.get_mut(place).map(|message| message.then.push(waiter)).is_some()
    }

    /// Adds a message after all others; its place.
    pub fn push(&mut self, message: Incoming) -> u32 {
        let place = self.messages.len();
        let end = self.messages.get(place - 1).map_or(0, |last| last.end);
        self.append(message.from(end));
        place
    }

    /// Adds a message after all others, at the place that it has.
    pub fn append(&mut self, message: Incoming) {
        self.messages.push(message);
    }

    /// All packets before this one were for others, or have arrived.
    pub fn synchronise(&mut self, expected: u64) {
        if expected > self.expected {
            let had = self.expected;
            // What is beyond the old place was of another run, and says nothing about this one.
            (self.expected, self.reported, self.unacknowledged) = (expected, false, 0);
            self.beyond = None;
            // What was not complete never will be.
            while self.due <= expected {
                if let Some(message) = self.messages.get_mut(self.done) {
                    message.given_up = Some(had);
                }
                self.done += 1;
                self.due = self.messages.get(self.done).map_or(u64::MAX, |message| message.end);
            }
        }
    }

    /// The first packet that has not arrived.
    pub fn expected(&self) -> u64 {
        self.expected
    }

    /// Payload of a message of this receiver that has arrived in order, in bytes.
    pub fn in_order(&self, message: &Incoming, mtu: u16) -> u64 {
        let upto = message.given_up.unwrap_or(self.expected);
        message.payload_before(upto, mtu.into())
    }

    /// Whether a packet that is so far after the first that has not arrived is kept, out of order.
    pub fn keeps(&self, ahead: i64) -> bool {
        let ahead = usize::try_from(ahead).ok().filter(|&ahead| ahead > 0);
        let beyond = self.beyond.as_deref();
        let kept = ahead.zip(beyond).and_then(|(ahead, beyond)| beyond.arrived.get(ahead));
        kept.copied().unwrap_or(false)
    }

    /// Takes a packet of `bytes` bytes. Returns how many more packets are now in order, and what to tell the sender.
    #[inline]
    pub fn data(&mut self, psn: Psn, bytes: u16, transport: &Transport) -> (u64, Reply) {
        // A number has 24 bits. The place that it stands for is the one nearest to what is expected.
        let ahead = psn.after(transport.psn(self.expected));
        let message = self.messages.of(self.expected.saturating_add_signed(ahead));
        message.delivered += 1;
        message.delivered_bytes += u64::from(bytes);
        match (ahead, transport.recovery) {
            (0, _) => {
                let before = self.expected;
                self.expected += 1;
                let mut gaps = false;
                if let Some(Beyond { arrived }) = self.beyond.as_deref_mut() {
                    arrived.pop_front();
                    // The packet closes a gap: all that waited behind it is in order now.
                    while arrived.front() == Some(&true) {
                        arrived.pop_front();
                        self.expected += 1;
                    }
                    gaps = !arrived.is_empty();
                }
                let in_order = self.expected - before;
                // A sender that has repeated something waits to hear that it has arrived.
                let closed = self.reported || in_order > 1 || gaps;
                self.reported = false;
                self.unacknowledged += 1;
                // The last packet of a message is always acknowledged, or its sender would wait for a timeout.
                let last = self.expected >= self.due;
                let due = closed || last || self.unacknowledged >= transport.ack_every;
                (in_order, if due { self.ack(transport) } else { Reply::Nothing })
            }
            // A copy: its acknowledgement may have been lost.
            (..0, _) => {
                message.copies += 1;
                (0, self.ack(transport))
            }
            (1.., Recovery::GoBackN) => {
                let reply = if self.reported {
                    Reply::Nothing
                } else {
                    Reply::Nack(transport.psn(self.expected), psn)
                };
                // One report a gap: the sender goes back once, and all packets
                // meanwhile are out of order.
                self.reported = true;
                (0, reply)
            }
            (1.., Recovery::SelectiveRepeat { window, .. }) => {
                let place = usize::try_from(ahead).unwrap_or(usize::MAX);
                if place > window as usize {
                    return (0, Reply::Nothing);
                }
                let Beyond { arrived } = self.beyond.get_or_insert_default().as_mut();
                if arrived.len() <= place {
                    arrived.resize(place + 1, false);
                }
                message.copies += u64::from(arrived[place]);
                arrived[place] = true;
                (0, Reply::Nack(transport.psn(self.expected), psn))
            }
        }
    }

    /// The last so many packets are in order now: their payload goes to the application. Whether messages are
    /// complete by them; those that wait for them are handed on.
    #[inline]
    pub fn deliver(
        &mut self,
        now: Instant,
        packets: u64,
        application: &mut impl Application,
    ) -> bool {
        let mtu = u64::from(application.mtu());
        let mut from = self.expected - packets;
        while from < self.expected {
            let message = self.messages.of(from);
            let upto = |packet: u64| message.payload_before(packet, mtu);
            let to = self.expected.min(message.end);
            if to <= from {
                // Beyond the last message.
                break;
            }
            application.deliver(now, upto(to) - upto(from), &mut message.goodput);
            from = to;
        }
        let before = self.done;
        while self.expected >= self.due {
            self.complete(now, application);
        }
        self.done > before
    }

    /// The first message that was not is complete.
    #[cold]
    fn complete(&mut self, now: Instant, application: &mut impl Application) {
        if let Some(message) = self.messages.get_mut(self.done) {
            message.done = Some(now + application.takes(message.bytes));
            application.hand_on(&mut message.then);
        }
        self.done += 1;
        self.due = self.messages.get(self.done).map_or(u64::MAX, |message| message.end);
    }

    fn ack(&mut self, transport: &Transport) -> Reply {
        self.unacknowledged = 0;
        Reply::Ack(transport.psn(self.expected))
    }
}
