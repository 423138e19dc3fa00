//! Why things do not fit.

use lightloom_topology::hall::Name;

/// Why things do not fit their racks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlantError {
    /// Trunks without frames.
    #[error(
        "trunks run between panels in the rows and frames. Between racks nothing gathers: each pair of racks shares \
         one fibre or none"
    )]
    TrunksWithoutFrames,
    /// A zone without frames.
    #[error("the hall has no frame for the splitters")]
    NoFrame,
    /// A module whose place is given does not fit there.
    #[error(
        "the splitter module in rack \"{rack}\", unit {unit}, slot {slot} is not in free slots of a frame, or holds \
         other splitters than a module can"
    )]
    GivenModule {
        /// The rack.
        rack: Name,
        /// The rack unit.
        unit: u16,
        /// The slot.
        slot: u16,
    },
    /// A panel module whose place is given does not fit there.
    #[error(
        "the panel module in rack \"{rack}\", unit {unit}, slot {slot} is not in a free slot of its row or of a frame"
    )]
    GivenPanel {
        /// The rack.
        rack: Name,
        /// The rack unit.
        unit: u16,
        /// The slot.
        slot: u16,
    },
    /// A trunk that is said to be there cannot be.
    #[error("trunk {label} cannot be there: {fault}")]
    GivenTrunk {
        /// Its label.
        label: String,
        /// What is wrong.
        fault: &'static str,
    },
    /// The frames are too small.
    #[error("the splitters and panels need {needed} rack units; {}", of_frames(*.frames, *.units))]
    FramesTooSmall {
        /// Rack units that are needed.
        needed: u32,
        /// Number of frames.
        frames: usize,
        /// Rack units of all frames.
        units: u32,
    },
    /// No frame has room for what must stay together, although all frames together have room for everything.
    #[error(
        "the panels of a row, and each module of splitters, must be in one frame: {needed} rack unit(s) are needed, \
         and frame \"{frame}\" has the most left, {most}"
    )]
    NoRoomInFrame {
        /// Rack units that are needed in one frame.
        needed: u32,
        /// The frame with the most free rack units.
        frame: Name,
        /// Its whole free rack units.
        most: u32,
    },
    /// A rack has no room for a shelf of splitters.
    #[error(
        "rack \"{rack}\" has no {units} free rack unit(s) in one piece for a shelf of splitters; {}{}",
        of_piece(*.most), of_others(*.others)
    )]
    NoRoomInRack {
        /// The rack.
        rack: Name,
        /// Rack units that are needed.
        units: u16,
        /// Rack units of its largest free piece.
        most: u16,
        /// Number of other racks in which the shelf could stand too, none of which has a larger free piece.
        others: usize,
    },
    /// No rack of a row has room for the panels of the row.
    #[error(
        "no rack of row \"{row}\" has {units} free rack unit(s) in one piece for the panels of the row; {}",
        of_row(.roomiest.as_ref())
    )]
    NoRoomInRow {
        /// Name of the row, with its room if there are several.
        row: String,
        /// Rack units that are needed.
        units: u16,
        /// The rack with the largest free piece, and the rack units of that piece. `None`: all racks are full.
        roomiest: Option<(Name, u16)>,
    },
}

fn of_piece(most: u16) -> String {
    match most {
        0 => "it has none".into(),
        most => format!("its largest free piece has {most}"),
    }
}

fn of_others(others: usize) -> String {
    match others {
        0 => String::new(),
        others => format!(", and the racks of its {others} other receiver(s) have no larger one"),
    }
}

fn of_row(roomiest: Option<&(Name, u16)>) -> String {
    match roomiest {
        None => "no rack of it has a free unit".into(),
        Some((rack, most)) => format!("rack \"{rack}\" has the largest free piece, {most}"),
    }
}

fn of_frames(frames: usize, units: u32) -> String {
    match frames {
        1 => format!("the only frame has {units}"),
        frames => format!("the {frames} frames have {units}"),
    }
}
