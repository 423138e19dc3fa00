//! The sending side of a reliable connection, without any input or output: handlers take the time and
//! say what to do.
//!
//! Packets are counted over all messages of the connection; a message takes a run of them. Messages go out one
//! after the other, each as soon as the last packet of the one before is out and the application has asked for
//! it. Sequence numbers, timers and the rate belong to the connection and go on.

mod retries;
mod silence;
mod then;

use std::collections::VecDeque;

use lightloom_units::{Instant, Span};

use crate::dcqcn::Rate;
use crate::messages::{Messages, Then};
use crate::outgoing::Outgoing;
use crate::params::{Recovery, Transport};
use crate::psn::Psn;
pub use retries::QueuePairError;
use retries::Retries;

/// The sending side of a queue pair. What every packet touches stands first.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct Sender {
    /// All packets before this one are acknowledged.
    acked: u64,
    /// The next new packet.
    next: u64,
    /// The packets of all messages that are posted: that the application has asked for, and that may go out.
    posted: u64,
    /// The end of the first message that is not acknowledged.
    due: u64,
    deadline: Instant,
    /// When the silence began that the deadline ends.
    since: Instant,
    /// When the next message is ready that is asked for and not posted; the end of time where there is none.
    gate: Instant,
    /// What has arrived beyond `acked`, with selective repeat.
    selective: Option<Box<Selective>>,
    // From here on what sending alone touches.
    /// The next packet may go out at this time.
    pub eligible: Instant,
    /// The highest packet that ever went out, and one more.
    highest: u64,
    /// The messages that go out.
    pub messages: Messages<Outgoing>,
    /// The rate of the connection.
    pub rate: Rate,
    /// Messages that are posted, and those that are acknowledged.
    asked: u32,
    done: u32,
    /// Whether what is repeated was last repeated for a timeout.
    is_late: bool,
    /// Timeouts in a row; none before the first.
    retries: Option<Box<Retries>>,
    /// What waits until its messages are acknowledged.
    then: Then,
    /// Packets that went out again, of all messages.
    repeated: u64,
}

/// Selective repeat (IRN, section 3.1): what has arrived, and what is still to be repeated.
#[derive(Debug, Default)]
struct Selective {
    /// From `acked` on: whether the packet has arrived.
    arrived: VecDeque<bool>,
    /// Recovery lasts until everything before this is acknowledged.
    until: Option<u64>,
    /// The next packet to look at for repeating.
    look: u64,
    /// What has not arrived of the packets before this one counts as lost.
    lost: u64,
}

impl Sender {
    /// A sender with its first message.
    pub fn new(message: Outgoing, rate: Rate, transport: &Transport) -> Self {
        let selective = match transport.recovery {
            Recovery::GoBackN => None,
            Recovery::SelectiveRepeat { .. } => Some(Box::default()),
        };
        let zero = Instant::from_ps(0);
        Self {
            acked: 0,
            next: 0,
            posted: 0,
            highest: 0,
            due: message.end,
            eligible: zero,
            deadline: zero,
            since: zero,
            gate: Instant::NEVER,
            rate,
            selective,
            messages: Messages::new(message),
            asked: 0,
            done: 0,
            is_late: false,
            retries: None,
            then: None,
            repeated: 0,
        }
    }

    /// Packets that went out again, of all messages.
    pub fn repeated(&self) -> u64 {
        self.repeated
    }

    /// Adds a message after all others; its place.
    pub fn push(&mut self, message: Outgoing) -> u32 {
        let place = self.messages.len();
        let end = self.messages.get(place - 1).map_or(0, |last| last.end);
        self.append(message.from(end));
        place
    }

    /// Adds a message after all others, at the place that it has.
    pub fn append(&mut self, message: Outgoing) {
        self.messages.push(message);
    }

    /// Nothing is under way, and the next packet is this one: packets of others came between.
    pub fn synchronise(&mut self, next: u64) {
        debug_assert!(self.is_idle() && self.acked <= next, "what is under way is answered first");
        // The members of a group share one sequence. What others sent meanwhile is neither this one's to repeat nor a
        // gap.
        (self.acked, self.next, self.posted, self.highest) = (next, next, next, next);
        if let Some(selective) = &mut self.selective {
            **selective = Selective::default();
        }
    }

    /// The first packet that is not acknowledged.
    pub fn acked(&self) -> u64 {
        self.acked
    }

    /// The application asks for a message, now or at a later time, and the software takes a time before its first
    /// packet.
    pub fn ask(
        &mut self,
        place: u32,
        now: Instant,
        (at, takes): (Instant, Span),
        transport: &Transport,
    ) {
        let Some(message) = self.messages.get_mut(place) else { return };
        (message.asked, message.ready) = (Some(at), at + takes);
        self.post(now, transport);
    }

    /// Posts the messages that are asked for and ready by a time, in order. Where nothing is left to be
    /// acknowledged the next one is posted at once, and goes out when it is ready.
    #[cold]
    #[inline(never)]
    fn post(&mut self, by: Instant, transport: &Transport) {
        self.gate = Instant::NEVER;
        while let Some(&Outgoing { end, ready, asked: Some(_), .. }) = self.messages.get(self.asked)
        {
            // The timer guards what is under way. A sender with nothing under way starts it with the message; else it
            // goes on.
            let was_idle = self.is_idle();
            if ready > by && !was_idle {
                // Repetitions of others do not wait for it.
                self.gate = ready;
                return;
            }
            self.posted = end;
            self.asked += 1;
            if was_idle {
                self.eligible = self.eligible.max(ready);
                self.listen_from(self.eligible.max(by), transport);
            }
        }
    }

    /// One of the messages that a message waits for has arrived. After the last, the earliest time at which it is
    /// asked for.
    pub fn one_less(&mut self, place: u32) -> Option<Instant> {
        let message = self.messages.get_mut(place)?;
        message.missing = message.missing.checked_sub(1)?;
        (message.missing == 0).then_some(message.ready)
    }

    /// Payload of a message, in bytes.
    pub fn bytes(&self, place: u32) -> u64 {
        self.messages.get(place).map_or(0, |message| message.bytes)
    }

    /// Whether a message waits for others.
    pub fn is_waiting(&self, place: u32) -> bool {
        self.messages.get(place).is_some_and(|message| message.missing > 0)
    }

    /// The earliest time at which a message is asked for that waits for nothing more.
    pub fn earliest(&self, place: u32) -> Instant {
        self.messages.get(place).map_or(Instant::ZERO, |message| message.ready)
    }

    /// A message that waits for nothing more is asked for at this time, or later.
    pub fn may_begin(&mut self, place: u32, at: Instant) {
        if let Some(message) = self.messages.get_mut(place) {
            message.ready = at;
        }
    }

    /// Whether all that was asked for is acknowledged.
    pub fn is_idle(&self) -> bool {
        self.acked == self.posted
    }

    /// Whether there is anything that may go out.
    pub fn has_work(&mut self, transport: &Transport) -> bool {
        if self.is_idle() {
            return false;
        }
        match transport.recovery {
            // Sequence numbers have 24 bits: beyond half of the circle an old packet could not be told from a new one.
            Recovery::GoBackN => self.next < self.posted && self.next - self.acked < MOST_UNDER_WAY,
            Recovery::SelectiveRepeat { window, .. } => {
                let new = self.next < self.posted && self.next - self.acked < u64::from(window);
                new || self.missing().is_some()
            }
        }
    }

    /// The next packet to go out.
    pub fn take(&mut self) -> u64 {
        // Repetitions go before new packets, oldest first.
        if let Some(missing) = self.missing() {
            if let Some(selective) = &mut self.selective {
                selective.look = missing + 1;
            }
            return missing;
        }
        self.next += 1;
        self.next - 1
    }

    /// In recovery, the first packet that was not repeated yet and that a later one has overtaken.
    fn missing(&mut self) -> Option<u64> {
        let selective = self.selective.as_mut()?;
        // Outside of recovery nothing is repeated, whatever has arrived out of order: the first report of a gap starts
        // it.
        selective.until?;
        let from = selective.look.max(self.acked);
        let has_arrived = |place: u64| {
            let at = usize::try_from(place - self.acked).unwrap_or(usize::MAX);
            selective.arrived.get(at).copied().unwrap_or(false)
        };
        // A packet counts as lost only if enough later ones have arrived. What is beyond may be on its way.
        let missing = (from..selective.lost).find(|&place| !has_arrived(place));
        // What has arrived is not looked at again.
        selective.look = missing.unwrap_or(from.max(selective.lost));
        missing
    }

    /// All before `psn` have arrived. Whether that ends a message: others may have waited for it.
    #[inline]
    pub fn acknowledged(&mut self, now: Instant, psn: Psn, transport: &Transport) -> bool {
        let ahead = psn.after(transport.psn(self.acked));
        // An answer from before: one that was overtaken by a later one, or repeated.
        let Ok(ahead) = u64::try_from(ahead) else { return false };
        let acked = self.acked + ahead;
        // Nobody can have what was never posted: such an answer is of another run of the group.
        if ahead == 0 || acked > self.posted {
            return false;
        }
        self.acked = acked;
        // A go-back may have set it behind what has arrived by now.
        self.next = self.next.max(acked);
        if let Some(selective) = &mut self.selective {
            for _ in 0..ahead {
                selective.arrived.pop_front();
            }
            if selective.until.is_some_and(|until| acked >= until) {
                selective.until = None;
            }
        }
        self.listen_from(now, transport);
        let ends = acked >= self.due;
        // One answer can end several short messages.
        while acked >= self.due {
            self.complete(now);
        }
        if self.is_idle() {
            self.post(now, transport);
        }
        ends
    }

    /// The first message that was not is acknowledged.
    #[cold]
    fn complete(&mut self, now: Instant) {
        if let Some(message) = self.messages.get_mut(self.done) {
            message.done = Some(now);
        }
        self.done += 1;
        self.due = self.messages.get(self.done).map_or(u64::MAX, |message| message.end);
    }

    /// The message that the oldest packet which is not acknowledged belongs to; the last where all are.
    pub fn waited_for(&self) -> Option<&Outgoing> {
        self.messages.get(self.done.min(self.messages.len() - 1))
    }

    /// `psn` is missing; with selective repeat `seen` has arrived. Whether that ends a message: a report of a gap also
    /// says that all before it is there.
    pub fn missed(&mut self, now: Instant, psn: Psn, seen: Psn, transport: &Transport) -> bool {
        let ends = self.acknowledged(now, psn, transport);
        if !self.is_idle() {
            self.lacks(psn, seen, transport);
        }
        ends
    }

    /// `psn` is missing of what is under way; with selective repeat `seen` has arrived.
    fn lacks(&mut self, psn: Psn, seen: Psn, transport: &Transport) {
        let Some(selective) = &mut self.selective else {
            // Only what was sent can be missing.
            if psn.after(transport.psn(self.acked)) == 0 {
                (self.next, self.is_late) = (self.acked, false);
            }
            return;
        };
        let Ok(ahead) = usize::try_from(seen.after(transport.psn(self.acked))) else {
            return;
        };
        // What is said to have arrived was never sent: no answer of this run.
        if self.acked + ahead as u64 >= self.next {
            return;
        }
        if selective.arrived.len() <= ahead {
            selective.arrived.resize(ahead + 1, false);
        }
        selective.arrived[ahead] = true;
        let passed = match transport.recovery {
            Recovery::SelectiveRepeat { reorder, .. } => reorder.into(),
            Recovery::GoBackN => 0,
        };
        let lost = (self.acked + ahead as u64 + 1).saturating_sub(passed);
        selective.lost = selective.lost.max(lost);
        // Recovery ends when all that was out at its begin is acknowledged (IRN, section 3.1). A second gap does not
        // extend it.
        selective.until.get_or_insert(self.next);
        self.is_late = false;
    }

    /// Notes that a packet goes out: its size on the wire without preamble and gap, the place of its message, and
    /// whether it goes out for the first time.
    #[inline]
    pub fn goes_out(&mut self, packet: u64, mtu: u16, header: u16) -> (u16, u32, bool) {
        let is_first = packet >= self.highest;
        self.highest = self.highest.max(packet + 1);
        // Most packets are of the message at hand, which lies within the sender. Only a repetition across a border
        // moves it.
        let message = self.messages.of(packet);
        let (payload, extra) = message.content(packet - message.first, mtu);
        // At most a full packet and its headers, which are checked to fit 16 bits.
        let bytes = u16::try_from(payload + u64::from(header) + u64::from(extra));
        let bytes = bytes.unwrap_or(u16::MAX);
        message.sent += 1;
        message.sent_bytes += u64::from(bytes);
        if !is_first {
            message.resent += 1;
            message.resent_bytes += u64::from(bytes);
            message.resent_late += u64::from(self.is_late);
            self.repeated += 1;
        }
        (bytes, self.messages.at(), is_first)
    }

    /// The next packet may go out at this time.
    #[inline]
    pub fn may_go_on(&mut self, at: Instant, transport: &Transport) {
        self.eligible = at;
        if self.next == self.posted {
            self.post(at, transport);
        }
    }

    /// Whether more than the packet that goes out now is under way, so that the clock runs already.
    pub fn is_waiting_since_before(&self) -> bool {
        self.next > self.acked + 1
    }
}

/// A quarter of the sequence numbers: no more packets may be under way, so that old and new are told
/// apart with room to spare.
const MOST_UNDER_WAY: u64 = 1 << 22;
