//! What waits in a switch.

use super::Switch;
use crate::sample::Sample;

impl Switch<'_> {
    /// Adds the bytes that wait before each port.
    pub(crate) fn sample(&self, sample: &mut Sample) {
        for (port, queues) in (0..).zip(&self.ports) {
            let bytes = queues.queues.iter().map(|queue| queue.bytes).sum();
            sample.add_port(self.id, port, bytes);
        }
    }
}
