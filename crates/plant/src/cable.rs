//! Cords and trunks.

use lightloom_units::Length;

use crate::fibre::FibreId;
use crate::thing::ThingId;

/// Number of a cable in a plant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CableId(pub u32);

impl CableId {
    pub(crate) fn at(index: usize) -> Self {
        Self(
            u32::try_from(index)
                .expect("a plan has at most 2^24 fibres, and three cables for each"),
        )
    }

    /// The position in [`crate::Plant::cables`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A cable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cable {
    /// What it is.
    pub kind: CableKind,
    /// Its ends. Those of a cord are in the direction of the light. The first end of a trunk is at the row. If a
    /// trunk has several connectors, these are the first ones.
    pub ends: [End; 2],
    /// Routed length, with drops, entries and slack.
    pub length: Length,
    /// Stock length to order.
    pub stock: Length,
}

/// Kinds of cables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CableKind {
    /// A cord of one fibre, and which part of the fibre's way it is.
    Cord(FibreId, Part),
    /// A trunk, by its position in [`crate::Plant::trunks`].
    Trunk(u32),
}

/// Parts of a fibre's way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The whole way.
    Whole,
    /// Between a switch and the panel of its row.
    Drop,
    /// Between a panel and a splitter in the frames.
    Jumper,
}

/// An end of a cable: a port of a thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct End {
    /// The thing.
    pub thing: ThingId,
    /// The port.
    pub port: Port,
}

/// A port of a thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Port {
    /// The transmitter of a switch port, counted from 0.
    Tx(u16),
    /// The receiver of a switch port, counted from 0.
    Rx(u16),
    /// An LC port in front, counted from 1.
    Front(u16),
    /// An MPO port behind, counted from 1.
    Rear(u16),
}

/// A trunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trunk {
    /// Number of its fibres, 12 for each connector at an end.
    pub fibres: u16,
    /// Outer diameter.
    pub diameter: Length,
    /// The connectors that are plugged in. Others stay at both ends as spares.
    pub legs: Vec<Leg>,
    /// What each fibre of these connectors carries, leg by leg. `None`: dark.
    pub strands: Vec<Option<FibreId>>,
}

/// A connector of a trunk at each of its ends. Position n of one is position n of the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leg {
    /// The MPO ports that they are plugged into.
    pub ends: [End; 2],
}

/// One cable on the way of a fibre.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link {
    /// The cable.
    pub cable: CableId,
    /// The fibre of a trunk, counted from 0. Always 0 for a cord.
    pub strand: u16,
}
