//! Arrivals at one node, by window.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use lightloom_units::{Instant, Span};

use crate::packet::Packet;

/// The most windows that are held apart; what comes later waits in a heap.
const MOST_RING: u64 = 64;

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
    /// Its number from the start of time.
    number: u64,
}

impl Window {
    pub(crate) fn first(length: Span) -> Self {
        Self { start: Instant::from_ps(0), length, number: 0 }
    }

    pub(crate) fn end(&self) -> Instant {
        self.start + self.length
    }

    /// The window that holds a later time; windows between are skipped.
    pub(crate) fn holding(self, at: Instant) -> Self {
        let ahead = self.ahead(at);
        Self { start: self.start + self.length * ahead, number: self.number + ahead, ..self }
    }

    /// How many windows ahead of this one a time lies.
    #[inline]
    fn ahead(&self, at: Instant) -> u64 {
        let (mut left, length) = ((at - self.start).as_ps(), self.length.as_ps());
        let mut windows = 0;
        while left >= length {
            // Most lie in one of the next two; a division takes longer than that.
            if windows == 4 {
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
struct Spare(Vec<Vec<Arrival>>);

/// Arrivals at the nodes of a part, by node and window.
#[derive(Debug)]
pub(crate) struct Mail {
    /// Windows that are held apart: a power of two.
    ring: u64,
    /// For each node its windows in a ring.
    slots: Vec<Vec<Arrival>>,
    /// For each node what comes after them.
    far: Vec<BinaryHeap<Reverse<Far>>>,
    spare: Spare,
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

impl Mail {
    /// Mail of so many nodes, of which most arrives within `usual` windows.
    pub(crate) fn new(nodes: usize, usual: u64) -> Self {
        let ring = usual.clamp(2, MOST_RING).next_power_of_two();
        let slots = nodes * usize::try_from(ring).unwrap_or(1);
        Self {
            ring,
            slots: (0..slots).map(|_| Vec::new()).collect(),
            far: (0..nodes).map(|_| BinaryHeap::new()).collect(),
            spare: Spare::default(),
        }
    }

    #[inline]
    fn slot(&self, node: usize, number: u64) -> usize {
        // A ring has at most 64 windows.
        node * usize::try_from(self.ring).unwrap_or(1)
            + usize::try_from(number & (self.ring - 1)).unwrap_or(0)
    }

    #[inline]
    pub(crate) fn put(&mut self, node: usize, window: &Window, arrival: Arrival) {
        let ahead = window.ahead(arrival.at);
        if ahead >= self.ring {
            self.far[node].push(Reverse(Far(arrival)));
            return;
        }
        let slot = self.slot(node, window.number + ahead);
        let slot = &mut self.slots[slot];
        if slot.capacity() == 0 {
            *slot = self.spare.0.pop().unwrap_or_default();
        }
        slot.push(arrival);
    }

    /// Takes the arrivals of a window; their vector is to be given back.
    pub(crate) fn take(&mut self, node: usize, window: &Window) -> Vec<Arrival> {
        let slot = self.slot(node, window.number);
        let mut arrivals = std::mem::take(&mut self.slots[slot]);
        let far = &mut self.far[node];
        while far.peek().is_some_and(|Reverse(far)| far.0.at < window.end()) {
            if let Some(Reverse(Far(arrival))) = far.pop() {
                arrivals.push(arrival);
            }
        }
        arrivals
    }

    pub(crate) fn give_back(&mut self, mut arrivals: Vec<Arrival>) {
        if arrivals.capacity() > 0 {
            arrivals.clear();
            self.spare.0.push(arrivals);
        }
    }

    /// A time that no arrival after this window comes before; none where there is none.
    pub(crate) fn earliest_after(&self, node: usize, window: &Window) -> Option<Instant> {
        let waits = |ahead: &u64| !self.slots[self.slot(node, window.number + ahead)].is_empty();
        let near = (1..self.ring).find(waits).map(|ahead| window.start + window.length * ahead);
        let far = self.far[node].peek().map(|Reverse(far)| far.0.at);
        near.into_iter().chain(far).min()
    }

    /// All that has not arrived yet, with its node.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = (usize, &Arrival)> {
        let ring = usize::try_from(self.ring).unwrap_or(1);
        let near = self.slots.iter().enumerate();
        let near = near.flat_map(move |(i, slot)| slot.iter().map(move |a| (i / ring, a)));
        let far = self.far.iter().enumerate();
        near.chain(far.flat_map(|(i, far)| far.iter().map(move |Reverse(far)| (i, &far.0))))
    }
}
