//! Measures how long steps take. The times depend on the machine and its load.

use std::time::Instant;

/// Measures the time since its creation. A build without the feature `system` has no clock.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock(Option<Instant>);

impl Clock {
    pub(crate) fn start() -> Self {
        Self(cfg!(feature = "system").then(Instant::now))
    }

    /// Seconds since the creation. `None`: there is no clock.
    pub(crate) fn seconds(self) -> Option<f64> {
        self.0.map(|began| began.elapsed().as_secs_f64())
    }
}
