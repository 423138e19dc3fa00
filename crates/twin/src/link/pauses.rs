//! What the other end of a link has paused.

use lightloom_units::{Instant, Span};

use crate::packet::CLASSES;

/// What the other end of a link has paused, class by class.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pauses {
    until: [Instant; CLASSES],
    since: [Instant; CLASSES],
    total: Span,
}

impl Pauses {
    pub(crate) const NONE: Self = Self {
        until: [Instant::from_ps(0); CLASSES],
        since: [Instant::from_ps(0); CLASSES],
        total: Span::from_ps(0),
    };

    /// Until when a class is paused.
    #[inline]
    pub(crate) fn until(&self, class: usize) -> Instant {
        self.until[class]
    }

    /// The other end says: stop a class for a time, or go on.
    pub(crate) fn stop(&mut self, now: Instant, class: usize, time: Span) {
        self.total = self.total_at(now, class);
        self.since[class] = now;
        self.until[class] = now + time;
    }

    /// How long a class has been paused by now, added to what was counted before.
    fn total_at(&self, now: Instant, class: usize) -> Span {
        let end = self.until[class].min(now);
        self.total + end.checked_since(self.since[class]).unwrap_or_default()
    }

    /// How long all classes together have been paused.
    pub(crate) fn total(mut self, now: Instant) -> Span {
        for class in 0..CLASSES {
            self.total = self.total_at(now, class);
        }
        self.total
    }
}
