//! The receiving side of the ports of a switch.

use lightloom_units::Instant;

use crate::link::{Dead, Pace};
use crate::wires::{Place, Wires};

/// No way back.
const NONE: u16 = u16::MAX;

/// What came in at a port.
#[derive(Debug, Clone, Copy)]
pub(crate) struct IngressState {
    /// Packets.
    pub(crate) received: u64,
    /// Lossless bytes that are still in the buffer.
    pub(super) waiting: u32,
    /// The port that transmits to the sender.
    back: u16,
    /// Whether the sender was told to stop sending lossless packets, or is to be.
    pub(super) paused: bool,
}

impl IngressState {
    /// What comes in at a receiving port.
    pub(super) fn new(wires: &Wires<'_>, place: Place) -> Self {
        let back = wires.way_back(place).unwrap_or(NONE);
        Self { received: 0, waiting: 0, back, paused: false }
    }

    /// The port that transmits to the sender; none on a one-way link, whose sender cannot be paused.
    #[inline]
    pub(super) fn back(&self) -> Option<u16> {
        (self.back != NONE).then_some(self.back)
    }

    /// Whether the sender can be told anything.
    #[inline]
    pub(super) fn hears_us(&self) -> bool {
        self.back != NONE
    }
}

/// What only some runs ask of the receiving side: kept apart, by port.
#[derive(Debug)]
pub(super) struct Reception {
    /// The pace at which packets come in.
    paces: Vec<Pace>,
    /// When the ingress is dead. Empty where none ever is.
    dead: Vec<Vec<Dead>>,
    /// Packets that were under way when the ingress died. Empty where none ever is dead.
    lost: Vec<u64>,
}

impl Reception {
    /// Ports with these paces and times in which their ways in are dead.
    pub(super) fn new(paces: Vec<Pace>, dead: Vec<Vec<Dead>>) -> Self {
        // Nothing is kept where no way ever dies, so that the check costs one look at a length.
        let never = dead.iter().all(Vec::is_empty);
        let dead = if never { Vec::new() } else { dead };
        Self { paces, lost: vec![0; dead.len()], dead }
    }

    /// The pace at which packets come in at a port.
    pub(super) fn pace(&self, port: u16) -> Pace {
        self.paces[usize::from(port)]
    }

    /// Whether any ingress is ever dead.
    pub(super) fn is_mortal(&self) -> bool {
        !self.dead.is_empty()
    }

    /// Whether the way into a port is dead now.
    pub(super) fn is_dead(&self, port: u16, now: Instant) -> bool {
        self.dead.get(usize::from(port)).is_some_and(|dead| dead.iter().any(|d| d.holds(now)))
    }

    /// Whether the way into a port is dead when a packet arrives, which is counted then.
    pub(super) fn loses(&mut self, port: u16, now: Instant) -> bool {
        let is_dead = self.is_dead(port, now);
        if let Some(lost) = self.lost.get_mut(usize::from(port)) {
            *lost += u64::from(is_dead);
        }
        is_dead
    }

    /// The packets that were lost so.
    pub(super) fn lost(&self, port: u16) -> u64 {
        self.lost.get(usize::from(port)).copied().unwrap_or(0)
    }

    /// Whether the way into a port is dead, or dies again, after a time.
    pub(super) fn dies_after(&self, port: u16, now: Instant) -> bool {
        self.dead.get(usize::from(port)).is_some_and(|dead| dead.iter().any(|d| now < d.to))
    }
}
