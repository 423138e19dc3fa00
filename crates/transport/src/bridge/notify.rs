//! Which notifications of congestion a switch passes on.

use lightloom_units::{Instant, Span};

/// The filter of one group at one switch (cepheus:III-D.cc, gleam:3.5.cc): notifications pass from the port that has
/// sent the most in the current window of time. The papers name counters and their ageing and leave both open. Here
/// counters end with their window, so that others pass when the most congested port has been silent for one.
///
/// A notification passes when it makes its port's count larger than every count before. So as many pass as the most
/// congested port has sent, and of ports with equal counts the one that was first.
#[derive(Debug, Clone)]
pub struct Notify {
    window: Span,
    /// When the current window began.
    since: Instant,
    /// The largest count.
    most: u32,
    /// Notifications in the current window, by port.
    counts: Vec<(u16, u32)>,
}

impl Notify {
    /// A filter whose counters live for a window.
    pub fn new(window: Span) -> Self {
        Self { window, since: Instant::from_ps(0), most: 0, counts: Vec::new() }
    }

    /// A notification has come in at a port: whether it goes on.
    pub fn passes(&mut self, port: u16, now: Instant) -> bool {
        // The window begins with the notification that ends the last one, and not by the clock: silence costs nothing.
        if now >= self.since + self.window {
            self.since = now;
            self.most = 0;
            self.counts.clear();
        }
        let at = match self.counts.binary_search_by_key(&port, |(port, _)| *port) {
            Ok(at) => at,
            Err(at) => {
                self.counts.insert(at, (port, 0));
                at
            }
        };
        let count = &mut self.counts[at].1;
        *count = count.saturating_add(1);
        // Greater, and not as great: of two ports that send equally often one passes, so the sender hears one stream.
        let passes = *count > self.most;
        self.most = self.most.max(*count);
        passes
    }

    /// A port has left the group.
    pub fn remove(&mut self, port: u16) {
        self.counts.retain(|(other, _)| *other != port);
        self.most = self.counts.iter().map(|(_, count)| *count).max().unwrap_or(0);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const WINDOW: Span = Span::from_us(50);

    fn at(us: u64) -> Instant {
        Instant::from_us(us)
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        /// cepheus:III-D.cc, gleam:3.5.cc: within a window as many pass as the most congested port has sent, and at
        /// every moment the last to pass came from a port that has the most.
        #[test]
        fn one_stream_passes(ports in prop::collection::vec(0_u16..5, 1..200)) {
            let mut filter = Notify::new(WINDOW);
            let (mut counts, mut passed) = ([0_u32; 5], 0);
            for port in ports {
                counts[usize::from(port)] += 1;
                if filter.passes(port, at(60)) {
                    passed += 1;
                    prop_assert_eq!(Some(&counts[usize::from(port)]), counts.iter().max());
                }
                prop_assert_eq!(Some(&passed), counts.iter().max());
            }
        }
    }

    #[test]
    fn a_tie_lets_one_stream_through() {
        let mut filter = Notify::new(WINDOW);
        let passed = (0..20).map(|us| filter.passes(u16::from(us % 2 == 0), at(100 + us)));
        assert_eq!(passed.filter(|passes| *passes).count(), 10);
    }

    #[test]
    fn others_pass_one_window_after_the_most_congested_falls_silent() {
        let mut filter = Notify::new(WINDOW);
        assert_eq!((0..30).filter(|&us| filter.passes(7, at(100 + us))).count(), 30);
        assert!(!filter.passes(3, at(131)), "port 7 has more");
        assert!(!filter.passes(3, at(149)));
        assert!(filter.passes(3, at(150)), "the window of port 7 is over");
        assert!(filter.passes(3, at(151)));
        assert!(!filter.passes(7, at(152)), "port 7 has fewer now");
    }

    #[test]
    fn a_port_that_leaves_holds_nothing_back() {
        let mut filter = Notify::new(WINDOW);
        assert!((0..9).all(|_| filter.passes(1, at(100))));
        assert!(!filter.passes(2, at(101)));
        filter.remove(1);
        assert!(filter.passes(2, at(102)));
        filter.remove(9);
        assert!(filter.passes(2, at(103)));
    }
}
