//! What a host has received.

use super::Host;
use crate::sample::Sample;

impl Host<'_> {
    /// Adds its payload so far, and the messages that its application has.
    pub(crate) fn sample(&self, sample: &mut Sample) {
        sample.delivered += self.desk.goodput.iter().sum::<u64>();
        let completed = self.slots.iter().map(|slot| slot.endpoint.transport().completed() as u64);
        sample.completed += completed.sum::<u64>();
    }
}
