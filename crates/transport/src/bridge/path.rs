//! What a switch keeps of one port of a group.

use crate::psn::Psn;

/// A port of a group, with what the receivers behind it have. 24 bytes; with selective repeat also a bitmap of
/// the window, made at the first gap.
#[derive(Debug, Clone)]
pub(super) struct Path {
    pub(super) port: u16,
    /// Feedback of an older epoch is void.
    pub(super) epoch: u16,
    /// All receivers behind the port have everything before it (cepheus:III-B1.acked).
    acked: Psn,
    /// With go-back-N: whether `acked` itself was reported missing.
    pub(super) reported: bool,
    /// With selective repeat: what has arrived beyond `acked`.
    beyond: Option<Box<Beyond>>,
}

/// Packets that have arrived out of order. Bit `i` is for the packet `i` after the acknowledged one; bit 0 is
/// never set.
#[derive(Debug, Clone, Default)]
struct Beyond {
    words: Vec<u64>,
}

impl Beyond {
    fn has(&self, place: u64) -> bool {
        let word = usize::try_from(place / 64).ok().and_then(|word| self.words.get(word));
        word.is_some_and(|word| word >> (place % 64) & 1 == 1)
    }

    fn set(&mut self, place: u64) {
        let word = usize::try_from(place / 64).unwrap_or(usize::MAX);
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (place % 64);
    }

    /// Drops the first bits.
    fn shift(&mut self, by: u64) {
        let words = usize::try_from(by / 64).unwrap_or(usize::MAX).min(self.words.len());
        self.words.drain(..words);
        let bits = by % 64;
        if bits > 0 {
            let mut carry = 0;
            for word in self.words.iter_mut().rev() {
                (*word, carry) = (*word >> bits | carry, *word << (64 - bits));
            }
        }
    }

    /// The number of bits set from the first on.
    fn run(&self) -> u64 {
        let mut run = 0;
        for word in &self.words {
            let ones = word.trailing_ones();
            run += u64::from(ones);
            if ones < u64::BITS {
                break;
            }
        }
        run
    }

    /// The place of the last bit that is set.
    fn last(&self) -> Option<u64> {
        let (at, word) = self.words.iter().enumerate().rfind(|(_, word)| **word != 0)?;
        Some(at as u64 * 64 + u64::from(word.ilog2()))
    }
}

impl Path {
    pub(super) fn new(port: u16, epoch: u16, acked: Psn) -> Self {
        Self { port, epoch, acked, reported: false, beyond: None }
    }

    pub(super) fn acked(&self) -> Psn {
        self.acked
    }

    /// Nothing from this packet on counts as received any more.
    pub(super) fn fall_to(&mut self, psn: Psn) {
        *self = Self::new(self.port, self.epoch, psn);
    }

    /// All before a later packet have arrived.
    pub(super) fn advance(&mut self, psn: Psn) {
        let Ok(by) = u64::try_from(psn.after(self.acked)) else { return };
        if by == 0 {
            return;
        }
        self.acked = psn;
        self.reported = false;
        if let Some(beyond) = self.beyond.as_deref_mut() {
            beyond.shift(by);
            // The packet that is next may have arrived before.
            let run = beyond.run();
            beyond.shift(run);
            self.acked = Psn::of(psn, run);
            if beyond.last().is_none() {
                self.beyond = None;
            }
        }
    }

    /// A packet beyond the acknowledged one has arrived. Nothing is noted outside of the window.
    pub(super) fn arrived(&mut self, psn: Psn, window: u32) {
        let Ok(place) = u64::try_from(psn.after(self.acked)) else { return };
        if place > 0 && place <= u64::from(window) {
            self.beyond.get_or_insert_default().set(place);
        }
    }

    /// Whether all receivers behind the port are known to have a packet.
    pub(super) fn has(&self, psn: Psn) -> bool {
        let ahead = psn.after(self.acked);
        let beyond =
            || self.beyond.as_deref().is_some_and(|beyond| beyond.has(ahead.unsigned_abs()));
        ahead < 0 || (ahead > 0 && beyond())
    }

    /// The packet after the last one that all receivers behind the port are known to have.
    pub(super) fn end(&self) -> Psn {
        let last = self.beyond.as_deref().and_then(Beyond::last);
        last.map_or(self.acked, |last| Psn::of(self.acked, last + 1))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    #[derive(Debug, Clone)]
    enum Step {
        Advance(u32),
        Arrived(u32),
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![(0_u32..200).prop_map(Step::Advance), (0_u32..200).prop_map(Step::Arrived)]
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        /// The acknowledged number (cepheus:III-B1.acked) and the bitmap are the set of packets, over the end of the
        /// sequence numbers too.
        #[test]
        fn a_bitmap_is_a_set(first in 0xff_ff00_u32..0x100_0000, steps in prop::collection::vec(step(), 1..60)) {
            let first = Psn::new(first);
            let (mut path, mut acked) = (Path::new(3, 0, first), 0_u64);
            let mut set = BTreeSet::new();
            for step in steps {
                match step {
                    Step::Advance(by) => {
                        // Most steps are short.
                        let by = u64::from(by / 8);
                        acked += by;
                        path.advance(Psn::of(first, acked));
                        while by > 0 && set.contains(&acked) {
                            acked += 1;
                        }
                    }
                    Step::Arrived(ahead) => {
                        path.arrived(Psn::of(first, acked + u64::from(ahead)), 150);
                        if (1..=150).contains(&ahead) {
                            set.insert(acked + u64::from(ahead));
                        }
                    }
                }
                set.retain(|&packet| packet > acked);
                prop_assert_eq!(path.acked(), Psn::of(first, acked));
                let end = set.last().map_or(acked, |last| last + 1);
                prop_assert_eq!(path.end(), Psn::of(first, end));
                for packet in 0..acked + 220 {
                    let has = packet < acked || set.contains(&packet);
                    prop_assert_eq!(path.has(Psn::of(first, packet)), has, "{}", packet);
                }
            }
        }
    }

    #[test]
    fn a_port_is_small() {
        assert!(size_of::<Path>() <= 24);
    }
}
