//! Things with a place.

use lightloom_topology::{RackId, RowId, TorId};

/// Number of a thing in a plant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThingId(pub u32);

impl ThingId {
    pub(crate) fn at(index: usize) -> Self {
        Self(u32::try_from(index).expect("a plan has at most 2^24 fibres, and fewer things"))
    }

    /// The position in [`crate::Plant::things`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A thing with ports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thing {
    /// What it is.
    pub kind: ThingKind,
    /// Its rack.
    pub rack: RackId,
    /// Its rack unit, counted from 1 at the bottom.
    pub unit: u16,
    /// Its slot in the shelf of that unit, counted from 1. `None` for a switch.
    pub slot: Option<u16>,
}

/// Kinds of things.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThingKind {
    /// The switch of a ToR. Its ports transmit and receive.
    Switch(TorId),
    /// A module of splitters. Its front ports are the input of the first splitter, its outputs, the input of the
    /// second one, and so on.
    Splitters {
        /// Position of its first splitter among all splitters of the plant.
        first: u32,
        /// Number of splitters.
        count: u16,
        /// Whether its outputs leave on MPO connectors behind. Its front ports are then only inputs.
        shuffles: bool,
    },
    /// A module of a panel among the racks of a row: LC in front, MPO behind.
    RowPanel(RowId),
    /// A module of a panel in a frame, for the trunks of a row: LC in front, MPO behind.
    FramePanel(RowId),
}
