//! Fresh data that wait at the sender's switch until what was repeated over links has arrived everywhere.
//!
//! Light is not slower than links. Without this, fresh data overtake repairs, and each member behind the loss
//! reports them as missing again.

use super::buffer::Queue;
use crate::packet::Psn;

/// What waits for repairs.
#[derive(Debug)]
pub(super) struct Held {
    /// The packet after the last that the sender has sent.
    fresh: Psn,
    /// The packet after the last that was repeated over links.
    repaired: Psn,
    /// Packets that members may have without saying so: they acknowledge every so many.
    unsaid: i64,
    pub(super) queue: Queue,
}

impl Held {
    /// Before the first packet of the sequence.
    pub(super) fn new(first: Psn, ack_every: u32) -> Self {
        let unsaid = i64::from(ack_every) - 1;
        Self { fresh: first, repaired: first, unsaid, queue: Queue::EMPTY }
    }

    /// Whether the sender sends a packet for the first time.
    pub(super) fn is_fresh(&mut self, psn: Psn) -> bool {
        // Numbers wrap at 24 bits, so a packet is fresh if it is ahead of the last by less than half of the circle.
        let is_fresh = psn.after(self.fresh) >= 0;
        if is_fresh {
            self.fresh = psn.next();
        }
        is_fresh
    }

    /// All before a packet is acknowledged: a switch on the way to a stand-in may not have seen the data for long.
    pub(super) fn catch_up(&mut self, floor: Psn) {
        // Packets went another way while this switch was not on it. What is acknowledged is not fresh any more.
        if self.fresh.after(floor) < 0 {
            self.fresh = floor;
        }
    }

    /// A packet is repeated over links.
    pub(super) fn repairs(&mut self, psn: Psn) {
        if psn.next().after(self.repaired) > 0 {
            self.repaired = psn.next();
        }
    }

    /// Whether fresh packets wait, where all before `floor` is acknowledged.
    pub(super) fn waits(&mut self, floor: Psn) -> bool {
        // A number that is never moved on would be ahead one day.
        if self.repaired.after(floor) < 0 {
            self.repaired = floor;
        }
        // What came before goes first, or the hold itself would reorder.
        self.lacks(floor) || !self.queue.is_empty()
    }

    /// Whether those that wait may go.
    pub(super) fn may_go(&self, floor: Psn) -> bool {
        !self.queue.is_empty() && !self.lacks(floor)
    }

    /// Whether repairs are on the way. The last of them, which nobody acknowledges before more data come, are close
    /// behind those that are acknowledged.
    fn lacks(&self, floor: Psn) -> bool {
        self.repaired.after(floor) > self.unsaid
    }
}
