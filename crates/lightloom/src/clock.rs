//! Measures how long steps take. The times depend on the machine and its load.

/// Measures the time since its creation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock {
    #[cfg(feature = "clock")]
    began: std::time::Instant,
}

impl Clock {
    pub(crate) fn start() -> Self {
        Self {
            #[cfg(feature = "clock")]
            began: std::time::Instant::now(),
        }
    }

    /// Seconds since the creation. 0 in a build without clocks.
    #[cfg_attr(not(feature = "clock"), allow(clippy::unused_self, reason = "it has no clock"))]
    pub(crate) fn seconds(self) -> f64 {
        #[cfg(feature = "clock")]
        return self.began.elapsed().as_secs_f64();
        #[cfg(not(feature = "clock"))]
        return 0.0;
    }
}
