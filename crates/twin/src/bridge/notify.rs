//! Which notifications of congestion reach the sender: those of the most congested port (Cepheus, HPCA 2024,
//! section III-D).

use lightloom_units::{Instant, Span};

/// Notifications of one group at one switch, counted by port in windows of time.
#[derive(Debug, Clone)]
pub(crate) struct Notify {
    window: Span,
    /// When the window that is counted now ends.
    ends: Instant,
    /// Ports with the notifications of the last window and of this one, by port.
    counts: Vec<(u16, u32, u32)>,
}

impl Notify {
    pub(crate) fn new(window: Span) -> Self {
        Self { window, ends: Instant::ZERO, counts: Vec::new() }
    }

    /// A notification comes in at a port: whether it goes on.
    pub(crate) fn passes(&mut self, port: u16, now: Instant) -> bool {
        self.age(now);
        let at = self.counts.binary_search_by_key(&port, |&(port, ..)| port);
        let at = at.unwrap_or_else(|at| {
            self.counts.insert(at, (port, 0, 0));
            at
        });
        self.counts[at].2 += 1;
        // Of equal ports the first.
        let most = self.counts.iter().map(|&(_, last, this)| last + this).max();
        let mut leaders = self.counts.iter().filter(|&&(_, last, this)| Some(last + this) == most);
        leaders.next().is_some_and(|&(leader, ..)| leader == port)
    }

    /// A port is no part of the group any more.
    pub(crate) fn remove(&mut self, port: u16) {
        self.counts.retain(|&(other, ..)| other != port);
    }

    fn age(&mut self, now: Instant) {
        if now < self.ends {
            return;
        }
        // After two windows of silence nothing counts.
        let is_next = now < self.ends + self.window;
        for (_, last, this) in &mut self.counts {
            (*last, *this) = (if is_next { *this } else { 0 }, 0);
        }
        self.counts.retain(|&(_, last, _)| last > 0);
        self.ends = now + self.window;
    }
}
