//! The fibres of a fabric.

use lightloom_topology::TorId;
use lightloom_units::Length;

/// Number of a fibre in a plant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FibreId(pub u32);

impl FibreId {
    pub(crate) fn at(index: usize) -> Self {
        Self(u32::try_from(index).expect("a plan has at most 2^24 fibres"))
    }

    /// The position in [`crate::Plant::fibres`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One fibre: the way of light between a port of a ToR and a port of a splitter. It is one cord, or a chain of
/// cords and positions of trunks. Its light starts at the transmitter of `from`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fibre {
    /// The ToR whose light it carries. It also identifies the splitter.
    pub from: TorId,
    /// The far end.
    pub far: Far,
    /// Length of all its cables, routed along trays, with drops, entries and slack.
    pub length: Length,
    /// Stock length of all its cables.
    pub stock: Length,
}

/// Kinds of fibres, by their far end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Far {
    /// `feed`: from the transmitter to the splitter's input.
    SplitterInput,
    /// `branch`: from a splitter output to a receiver.
    Receiver {
        /// The splitter output.
        branch: u32,
        /// The receiving ToR.
        tor: TorId,
        /// Number of the receiver's port.
        port: u32,
    },
}

impl Fibre {
    /// The ToR at one end: the transmitting one of a feed, the receiving one of a branch.
    pub fn tor(&self) -> TorId {
        match self.far {
            Far::SplitterInput => self.from,
            Far::Receiver { tor, .. } => tor,
        }
    }

    /// Whether this is a feed.
    pub fn is_feed(&self) -> bool {
        self.far == Far::SplitterInput
    }
}
