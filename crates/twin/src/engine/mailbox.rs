//! Arrivals at one node, by window.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use lightloom_units::{Instant, Span};

use crate::packet::Packet;

/// Windows that a mailbox holds apart; what comes later waits in a heap.
const RING: usize = 8;

/// A packet that arrives on a port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Arrival {
    pub(crate) at: Instant,
    pub(crate) packet: Packet,
    pub(crate) port: u16,
}

/// The window that is running.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Window {
    pub(crate) start: Instant,
    pub(crate) length: Span,
    /// The slot of this window in every ring.
    slot: usize,
}

impl Window {
    pub(crate) fn first(length: Span) -> Self {
        Self { start: Instant::from_ps(0), length, slot: 0 }
    }

    pub(crate) fn end(&self) -> Instant {
        self.start + self.length
    }

    /// The window that holds a later time; windows between are skipped.
    pub(crate) fn holding(self, at: Instant) -> Self {
        let ahead = self.ahead(at);
        let skipped = usize::try_from(ahead % RING as u64).unwrap_or(0);
        let start = self.start + self.length * ahead;
        Self { start, slot: (self.slot + skipped) % RING, ..self }
    }

    /// How many windows ahead of this one a time lies.
    #[inline]
    fn ahead(&self, at: Instant) -> u64 {
        let (mut left, length) = ((at - self.start).as_ps(), self.length.as_ps());
        let mut windows = 0;
        while left >= length {
            if windows == RING as u64 {
                return windows + left / length;
            }
            left -= length;
            windows += 1;
        }
        windows
    }
}

/// Vectors without arrivals, the last one used first: it is still in the cache.
#[derive(Debug, Default)]
pub(crate) struct Spare(Vec<Vec<Arrival>>);

impl Spare {
    pub(crate) fn put(&mut self, mut arrivals: Vec<Arrival>) {
        if arrivals.capacity() > 0 {
            arrivals.clear();
            self.0.push(arrivals);
        }
    }
}

/// Arrivals at one node.
#[derive(Debug, Default)]
pub(crate) struct Mailbox {
    ring: [Vec<Arrival>; RING],
    far: BinaryHeap<Reverse<Far>>,
}

/// An arrival beyond the ring, ordered by time and port, which no two share.
#[derive(Debug, Clone, Copy)]
struct Far(Arrival);

impl Far {
    fn key(&self) -> (Instant, u16) {
        (self.0.at, self.0.port)
    }
}

impl PartialEq for Far {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Far {}

impl PartialOrd for Far {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Far {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

impl Mailbox {
    #[inline]
    pub(crate) fn put(&mut self, window: &Window, arrival: Arrival, spare: &mut Spare) {
        let ahead = window.ahead(arrival.at);
        match usize::try_from(ahead) {
            Ok(ahead) if ahead < RING => {
                let slot = &mut self.ring[(window.slot + ahead) % RING];
                if slot.capacity() == 0 {
                    *slot = spare.0.pop().unwrap_or_default();
                }
                slot.push(arrival);
            }
            _ => self.far.push(Reverse(Far(arrival))),
        }
    }

    /// Takes the arrivals of a window; their vector is to go to the spare ones.
    pub(crate) fn take(&mut self, window: &Window) -> Vec<Arrival> {
        let mut arrivals = std::mem::take(&mut self.ring[window.slot]);
        while self.far.peek().is_some_and(|Reverse(far)| far.0.at < window.end()) {
            if let Some(Reverse(Far(arrival))) = self.far.pop() {
                arrivals.push(arrival);
            }
        }
        arrivals
    }

    /// A time that no arrival after this window comes before; none where there is none.
    pub(crate) fn earliest_after(&self, window: &Window) -> Option<Instant> {
        let near = (1..RING).find(|ahead| !self.ring[(window.slot + ahead) % RING].is_empty());
        let near = near.map(|ahead| window.start + window.length * ahead as u64);
        let far = self.far.peek().map(|Reverse(far)| far.0.at);
        near.into_iter().chain(far).min()
    }

    /// All that has not arrived yet.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = &Arrival> {
        self.ring.iter().flatten().chain(self.far.iter().map(|Reverse(far)| &far.0))
    }
}
