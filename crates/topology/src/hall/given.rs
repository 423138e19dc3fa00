//! Modules, panels and trunks that were there before a fabric grew or shrank. They keep their places.

use crate::id::{RackId, RowId};

/// A module of splitters whose place is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GivenModule {
    /// Its rack.
    pub rack: RackId,
    /// Its rack unit, counted from 1 at the bottom.
    pub unit: u16,
    /// Its first slot in the shelf of that unit, counted from 1.
    pub slot: u16,
    /// The numbers of its splitters on labels, in order. `None`: a splitter that became free earlier.
    pub splitters: Vec<Option<u32>>,
}

/// Panels and trunks that are there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GivenTrunks {
    /// The modules of panels.
    pub panels: Vec<GivenPanel>,
    /// The trunks between them, in the order of their labels.
    pub trunks: Vec<GivenTrunk>,
}

/// A module of a panel whose place is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GivenPanel {
    /// The row whose trunks end at it.
    pub row: RowId,
    /// Whether it is in a frame. Otherwise it is among the racks of the row.
    pub in_frame: bool,
    /// Its rack.
    pub rack: RackId,
    /// Its rack unit, counted from 1 at the bottom.
    pub unit: u16,
    /// Its slot in the shelf of that unit, counted from 1.
    pub slot: u16,
}

/// A trunk that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GivenTrunk {
    /// Number of its fibres, those of spare connectors included.
    pub fibres: u16,
    /// The connectors that are plugged in: the sockets at the row and in the frame.
    pub legs: Vec<[GivenSocket; 2]>,
    /// What each fibre of these connectors carries, leg by leg. `None`: it is free.
    pub strands: Vec<Option<GivenFibre>>,
}

/// A socket behind a panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct GivenSocket {
    /// Position among the panels that are there.
    pub panel: u32,
    /// Its port, counted from 1.
    pub port: u16,
}

/// A fibre by the numbers on its label. They stay when a fabric grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum GivenFibre {
    /// The feed of a ToR: the number of the ToR.
    Feed(u32),
    /// A branch: the number of the splitter, and the output.
    Branch(u32, u32),
}
