//! Packet sequence numbers.

/// A packet sequence number: 24 bits that wrap (InfiniBand Architecture 1.4, 9.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Psn([u8; 3]);

impl Psn {
    const BITS: u32 = 24;

    /// The sequence number of a packet's place in its flow, which starts at `first`.
    #[allow(clippy::cast_possible_truncation, reason = "the number is modular")]
    pub fn of(first: Self, place: u64) -> Self {
        Self::new(first.get().wrapping_add(place as u32))
    }

    /// The number, of which only 24 bits are taken.
    pub fn new(number: u32) -> Self {
        let [low, middle, high, _] = number.to_le_bytes();
        Self([low, middle, high])
    }

    /// The number.
    pub fn get(self) -> u32 {
        let [low, middle, high] = self.0;
        u32::from_le_bytes([low, middle, high, 0])
    }

    /// The number after this one.
    pub fn next(self) -> Self {
        Self::of(self, 1)
    }

    /// How far this is after `other`, the shorter way round: negative before it.
    #[allow(clippy::cast_possible_wrap, reason = "the sign is what is asked for")]
    pub fn after(self, other: Self) -> i64 {
        // The difference is shifted to the top of the word and back, which extends its sign from bit 23.
        let unused = u32::BITS - Self::BITS;
        i64::from((self.get().wrapping_sub(other.get()) << unused) as i32 >> unused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequence_numbers_wrap() {
        let first = Psn::new(0x00ff_fffe);
        assert_eq!(Psn::of(first, 3).get(), 1);
        assert_eq!(Psn::of(first, 3).after(first), 3);
        assert_eq!(first.after(Psn::of(first, 3)), -3);
        assert_eq!(Psn::new(1 << 23).after(Psn::new(0)), -(1 << 23));
        assert_eq!(Psn::new((1 << 23) - 1).after(Psn::new(0)), (1 << 23) - 1);
    }
}
