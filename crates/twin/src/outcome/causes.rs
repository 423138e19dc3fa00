//! What became of the packets that a receiver lacks.

/// The packets of a message that a receiver lacks, by what became of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Causes {
    /// A link, a splitter or a node was dead, or shut.
    pub dead: u64,
    /// A link or a branch lost or corrupted them.
    pub lost: u64,
    /// A queue was too long, or a buffer full.
    pub overflow: u64,
    /// No rule leads them to the receiver.
    pub rules: u64,
    /// They were not sent yet, or under way, when the run ended.
    pub end: u64,
}

impl Causes {
    /// All packets that the receiver lacks.
    pub fn sum(&self) -> u64 {
        self.dead + self.lost + self.overflow + self.rules + self.end
    }
}
