//! Ternary matches.

/// A match on the bits of a code: those of the mask must be those of the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ternary {
    value: u32,
    mask: u32,
}

impl Ternary {
    /// Matches codes that have the bits of `value` where `mask` has ones. Other bits of the value are ignored, so that
    /// equal matches are equal.
    pub fn new(value: u32, mask: u32) -> Self {
        Self { value: value & mask, mask }
    }

    /// Matches one code of this many bits.
    pub fn exact(code: u32, bits: u32) -> Self {
        Self::new(code, ones(bits))
    }

    /// Matches every code.
    pub fn any() -> Self {
        Self { value: 0, mask: 0 }
    }

    /// The value of the bits that must fit. Other bits are 0.
    pub fn value(self) -> u32 {
        self.value
    }

    /// The bits that must fit.
    pub fn mask(self) -> u32 {
        self.mask
    }

    /// Whether it matches a code.
    pub fn matches(self, code: u32) -> bool {
        code & self.mask == self.value
    }
}

/// This many ones.
pub(super) fn ones(bits: u32) -> u32 {
    u32::MAX.checked_shr(32 - bits).unwrap_or(0)
}
