//! What goes wrong on the way of a packet: random loss, and times in which nothing comes through.

use lightloom_units::Instant;

use crate::drops::DropReason;
use crate::random::Stream;

/// What goes wrong on one way from a transmitter to a receiver.
#[derive(Debug, Default)]
pub(crate) struct Trouble {
    /// When it is dead.
    dead: Vec<Dead>,
    loss: Option<Loss>,
    /// Packets lost.
    lost: u64,
}

impl Trouble {
    pub(crate) fn new(dead: Vec<Dead>, loss: Option<Loss>) -> Self {
        Self { dead, loss, lost: 0 }
    }

    /// Whether it can ever matter.
    pub(crate) fn is_any(&self) -> bool {
        self.loss.is_some() || !self.dead.is_empty()
    }

    /// Packets that were lost.
    pub(crate) fn lost(&self) -> u64 {
        self.lost
    }

    pub(super) fn is_dead(&self, now: Instant) -> bool {
        self.dead.iter().any(|dead| dead.holds(now))
    }

    /// What becomes of a packet: whether it comes through with wrong bits, or why it does not.
    pub(super) fn passes(&mut self, now: Instant) -> Result<bool, DropReason> {
        if self.is_dead(now) {
            self.lost += 1;
            return Err(DropReason::Dead);
        }
        let Some(loss) = &mut self.loss else { return Ok(false) };
        let taken = loss.takes();
        if taken && !loss.corrupts {
            self.lost += 1;
            return Err(DropReason::Link);
        }
        Ok(taken)
    }
}

/// When a link is dead: from the first time until before the second.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Dead {
    pub(crate) from: Instant,
    pub(crate) to: Instant,
}

impl Dead {
    /// Whether it is dead now.
    pub(crate) fn holds(&self, now: Instant) -> bool {
        self.from <= now && now < self.to
    }
}

/// Random loss of a link. A geometric number of packets passes between losses, so nothing is drawn for
/// those that pass.
#[derive(Debug)]
pub(crate) struct Loss {
    rate: f64,
    /// Packets lost at once: 1 where losses are independent.
    burst: u32,
    random: Stream,
    /// Whether a lost packet still travels, with its bits changed, and is dropped at the receiver.
    corrupts: bool,
    /// Packets that pass before the next loss.
    left: u64,
    /// Packets of the burst that are lost already.
    gone: u32,
}

impl Loss {
    pub(crate) fn new(rate: f64, burst: u32, corrupts: bool, random: Stream) -> Self {
        let mut loss = Self { rate, burst, random, corrupts, left: 0, gone: 0 };
        loss.left = loss.next();
        loss
    }

    /// Whether the next packet is lost.
    fn takes(&mut self) -> bool {
        if self.left > 0 {
            self.left -= 1;
            return false;
        }
        self.gone += 1;
        if self.gone >= self.burst {
            self.gone = 0;
            self.left = self.next();
        }
        true
    }

    /// Packets that pass before the next loss begins: geometric. Outside a burst of b packets one begins
    /// with probability r / (b (1 - r) + r), so that a share r of all packets is lost.
    fn next(&mut self) -> u64 {
        let burst = f64::from(self.burst.max(1));
        let begins = self.rate / (burst * (1.0 - self.rate) + self.rate);
        if begins <= 0.0 {
            return u64::MAX;
        }
        if begins >= 1.0 {
            return 0;
        }
        let u = 1.0 - self.random.unit();
        let skips = u.ln() / (-begins).ln_1p();
        // At least 0 since both logarithms are at most 0; beyond u64 it is never.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let skips = skips as u64;
        skips
    }
}
