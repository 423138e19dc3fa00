//! What a leader knows of registering all members anew while a run of messages is under way: ways have changed, or a
//! switch has lost its tables.

use std::collections::VecDeque;

use lightloom_units::Instant;

use crate::packet::Psn;

/// Registering all members anew.
#[derive(Debug)]
pub(crate) struct Renewal {
    /// When the leader is told to.
    told: VecDeque<Instant>,
    /// What data carry before it is ever done.
    entropy: u16,
    /// How often it was begun, and what that was when all members had last confirmed.
    pub(super) again: u16,
    pub(super) complete: u16,
    /// What is waited for. `None`: nothing.
    pub(super) stage: Option<Renews>,
}

/// What a leader waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Renews {
    /// The sender is to say what is acknowledged.
    Asks,
    /// Members are to confirm; they may lack this packet and all after it.
    Registers(Psn),
}

impl Renewal {
    /// What a leader is told at these times, in order. `entropy` is that of the data of its group.
    pub(crate) fn new(entropy: u16, told: impl Iterator<Item = Instant>) -> Self {
        Self { told: told.collect(), entropy, again: 0, complete: 0, stage: None }
    }

    /// When the leader is told next.
    pub(super) fn next_told(&self) -> Option<Instant> {
        self.told.front().copied()
    }

    /// Whether the leader is told now.
    pub(super) fn is_told(&mut self, now: Instant) -> bool {
        let mut is_told = false;
        while self.told.pop_front_if(|at| *at <= now).is_some() {
            is_told = true;
        }
        is_told
    }

    /// A run begins. Whether the members of the one before were being registered anew, so that some switches may not
    /// know all of them.
    pub(super) fn begins(&mut self) -> bool {
        self.gives_up();
        let is_patchy = self.again != self.complete;
        self.again += u16::from(is_patchy);
        is_patchy
    }

    /// Nothing is waited for any more. What was not done is done when the next run begins.
    pub(super) fn gives_up(&mut self) {
        let asked = self.stage.take() == Some(Renews::Asks);
        self.again += u16::from(asked);
    }

    /// What data carry when all have confirmed.
    pub(super) fn mark(&self) -> u16 {
        self.entropy.wrapping_add(self.again)
    }
}
