//! Priorities of packets.

/// Priority classes, the first served first.
pub const CLASSES: usize = 3;

/// A priority class, below [`CLASSES`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Class(u8);

impl Class {
    /// Acknowledgements and notifications.
    pub const CONTROL: Self = Self(0);
    /// Data that priority flow control protects.
    pub const LOSSLESS: Self = Self(1);
    /// Data that may be dropped.
    pub const LOSSY: Self = Self(2);

    /// The classes that data travels in.
    pub const DATA: [Self; 2] = [Self::LOSSLESS, Self::LOSSY];

    /// The class as an index below [`CLASSES`].
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0) % CLASSES
    }
}
