//! Which messages wait where a run stands still.

use super::Outcome;
use super::waiting::{Waiting, WaitsFor};

impl Outcome {
    /// Puts what waits in order, one for each message. Of a group whose sender has begun, its packet is what waits.
    pub(super) fn end_waiting(&mut self) {
        let rank = |waiting: &Waiting| u8::from(waiting.what == WaitsFor::Turn);
        self.waiting.sort_by_key(|waiting| (waiting.message, rank(waiting)));
        self.waiting.dedup_by_key(|waiting| waiting.message);
        let flows = self.flows.len();
        let is_over = |waiting: &Waiting| {
            let cast = waiting.message.index().checked_sub(flows);
            waiting.what == WaitsFor::Turn
                && cast.is_some_and(|cast| self.casts[cast].all.acknowledged.is_some())
        };
        self.waiting.retain(|waiting| !is_over(waiting));
    }
}
