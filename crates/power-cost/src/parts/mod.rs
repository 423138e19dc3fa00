//! Components as data sheets describe them. Each has a raw form (`…Row`: the values of a catalogue, `None` if
//! absent) and a checked form, whose values do not contradict each other.

#[macro_use]
mod row;

mod levels;
mod pad;
mod passive;
mod switch;
mod transceiver;

pub use levels::{AverageLaunch, Incomparable, LaunchKind, LightLevels, Pair, SensitivityKind};
pub use pad::{FittedPad, Pad, PadPlace, PadRow};
pub use passive::{
    Fibre, FibreRow, Inline, InlineRow, Joint, JointRow, Polish, Shelf, ShelfRow, Splitter,
    SplitterFormula, SplitterFormulaRow, SplitterRow,
};
pub use row::{Provenance, RowError};
pub use switch::{
    FaultSignalling, MOST_PORTS, PortGroup, SwitchModel, SwitchModelRow, SwitchPort, SwitchPortRow,
};
pub use transceiver::{Fec, Modulation, ReceiverKind, Transceiver, TransceiverRow};
