//! Arrivals by node and window.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use lightloom_prefetch::prefetch_read;
use lightloom_units::{Instant, Span};

use crate::packet::Packet;

/// The most windows that are held apart, a bit for each; what comes later waits in a heap.
const MOST_RING: u64 = u64::BITS as u64;

/// A packet that arrives: half of a cache line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Arrival {
    pub(crate) at: Instant,
    pub(crate) packet: Packet,
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

/// Vectors without arrivals, by the logarithm of their size; of equal ones the last one used first, since
/// it is still in the cache.
#[derive(Debug, Default)]
struct Spare(Vec<Vec<Vec<Arrival>>>);

impl Spare {
    const SIZES: usize = usize::BITS as usize;

    /// The logarithm of a size, rounded up.
    #[inline]
    fn log(size: usize) -> u8 {
        // Below 64.
        (usize::BITS - size.saturating_sub(1).leading_zeros()).to_le_bytes()[0]
    }

    fn take(&mut self, log: u8) -> Vec<Arrival> {
        let spare = self.0[usize::from(log)].pop();
        spare.unwrap_or_else(|| Vec::with_capacity(1 << log))
    }

    fn give_back(&mut self, mut arrivals: Vec<Arrival>) {
        arrivals.clear();
        let log = Self::log(arrivals.capacity());
        self.0[usize::from(log)].push(arrivals);
    }
}

/// Arrivals at the nodes of a part, by node and window.
#[derive(Debug, Default)]
pub(crate) struct Mail {
    /// Windows that are held apart: a power of two.
    // The ring is a calendar queue (Brown, CACM 1988) whose days are windows: putting and taking cost the same for any
    // number of packets on the way.
    ring: u64,
    /// For each node its windows in a ring.
    slots: Vec<Vec<Arrival>>,
    /// For each node a bit for each of its windows in which something arrives.
    filled: Vec<u64>,
    /// What comes after them, at any node.
    // A heap for the few that lie further ahead than the ring is long: slow links beside fast ones.
    far: BinaryHeap<Reverse<Far>>,
    spare: Spare,
    /// For each node the logarithm of the most that arrived in a window.
    most: Vec<u8>,
}

/// An arrival beyond the ring, ordered by time, node and port, which no two share.
#[derive(Debug, Clone, Copy)]
struct Far {
    node: usize,
    arrival: Arrival,
}

impl Far {
    fn key(&self) -> (Instant, usize, u16) {
        (self.arrival.at, self.node, self.arrival.packet.port)
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
        // Two windows at least: this one and the next. A power of two makes the place of a window a mask.
        let ring = usual.clamp(2, MOST_RING).next_power_of_two();
        let slots = nodes * usize::try_from(ring).unwrap_or(1);
        Self {
            ring,
            slots: (0..slots).map(|_| Vec::new()).collect(),
            filled: vec![0; nodes],
            far: BinaryHeap::new(),
            spare: Spare((0..Spare::SIZES).map(|_| Vec::new()).collect()),
            most: vec![0; nodes],
        }
    }

    /// The place of a window in the ring.
    #[inline]
    fn place(&self, number: u64) -> u64 {
        number & (self.ring - 1)
    }

    #[inline]
    fn slot(&self, node: usize, number: u64) -> usize {
        // A ring has at most 64 windows.
        node * usize::try_from(self.ring).unwrap_or(1)
            + usize::try_from(self.place(number)).unwrap_or(0)
    }

    #[inline(always)]
    pub(crate) fn put(&mut self, node: usize, window: &Window, arrival: Arrival) {
        let ahead = window.ahead(arrival.at);
        if ahead >= self.ring {
            self.far.push(Reverse(Far { node, arrival }));
            return;
        }
        // Only the window itself is noted here. Within it arrivals lie in any order: a node sorts them once, when it
        // runs.
        let number = window.number + ahead;
        self.filled[node] |= 1 << self.place(number);
        let slot = self.slot(node, number);
        let slot = &mut self.slots[slot];
        if slot.capacity() == 0 {
            // A slot owns memory only while something waits in it. So memory follows the packets on the way, and not
            // nodes times windows; and it is as large as this node needed before, so that it rarely grows.
            *slot = self.spare.take(self.most[node]);
        }
        slot.push(arrival);
    }

    /// When the first of what lies beyond the ring arrives.
    pub(crate) fn next_far(&self) -> Option<Instant> {
        self.far.peek().map(|Reverse(far)| far.arrival.at)
    }

    /// Takes out one arrival of a window that was beyond the ring until now, with its node.
    pub(crate) fn take_far(&mut self, window: &Window) -> Option<(usize, Arrival)> {
        let near = self.next_far().is_some_and(|at| window.ahead(at) < self.ring);
        let Reverse(Far { node, arrival }) = near.then(|| self.far.pop()).flatten()?;
        Some((node, arrival))
    }

    /// The arrivals of a window will be taken soon: the first of them are brought into the cache, and the
    /// processor sees by itself that the others follow.
    pub(crate) fn prefetch(&self, node: usize, window: &Window) {
        const MOST: usize = 8;
        for pair in self.slots[self.slot(node, window.number)].chunks(2).take(MOST) {
            prefetch_read(pair.as_ptr());
        }
    }

    /// Takes the arrivals of a window; their vector is to be given back.
    pub(crate) fn take(&mut self, node: usize, window: &Window) -> Vec<Arrival> {
        self.filled[node] &= !(1 << self.place(window.number));
        let slot = self.slot(node, window.number);
        std::mem::take(&mut self.slots[slot])
    }

    pub(crate) fn give_back(&mut self, node: usize, arrivals: Vec<Arrival>) {
        if arrivals.capacity() > 0 {
            self.most[node] = self.most[node].max(Spare::log(arrivals.len()));
            self.spare.give_back(arrivals);
        }
    }

    /// The start of the first window from this one on in which something within the ring arrives.
    pub(crate) fn next(&self, node: usize, window: &Window) -> Option<Instant> {
        let (filled, place) = (self.filled[node], self.place(window.number));
        if filled == 0 {
            return None;
        }
        // The ring turned so that this window comes first; windows before it are those of the next turn.
        let later = filled >> place;
        let ahead = if later > 0 {
            later.trailing_zeros().into()
        } else {
            u64::from(filled.trailing_zeros()) + self.ring - place
        };
        Some(window.start + window.length * ahead)
    }

    /// All that has not arrived yet, with its node.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = (usize, &Arrival)> {
        let ring = usize::try_from(self.ring).unwrap_or(1);
        let near = self.slots.iter().enumerate();
        let near = near.flat_map(move |(i, slot)| slot.iter().map(move |a| (i / ring, a)));
        near.chain(self.far.iter().map(|Reverse(far)| (far.node, &far.arrival)))
    }
}
