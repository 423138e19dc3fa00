//! Components as data sheets describe them. Each has a raw form (`…Row`: the values of a catalogue, `None` if
//! absent) and a checked form, whose values do not contradict each other.

#[macro_use]
mod row;

mod accelerator;
mod interfaces;
mod levels;
mod pad;
mod passive;
mod pipeline;
mod plant;
mod switch;
mod transceiver;

pub use accelerator::{Accelerator, AcceleratorRow};
pub use interfaces::{
    BETWEEN_ENDS, Breakout, Connector, InterfaceGroup, MOST_PORTS, ModelInterface,
    interface_name_fault,
};
pub use levels::{AverageLaunch, Incomparable, LaunchKind, LightLevels, Pair, SensitivityKind};
pub use pad::{FittedPad, Pad, PadPlace, PadRow};
pub use passive::{
    Fibre, FibreRow, Inline, InlineRow, Joint, JointRow, Polish, Splitter, SplitterFormula,
    SplitterFormulaRow, SplitterRow,
};
pub use pipeline::Pipeline;
pub use plant::{PlantPart, PlantPartRow, Shelf, ShelfRow};
pub use row::{Provenance, RowError};
pub use switch::{
    CircuitPort, CircuitPortRow, FaultSignalling, PortGroup, SwitchModel, SwitchModelRow,
    SwitchPort, SwitchPortRow,
};
pub use transceiver::{Fec, Modulation, ReceiverKind, Transceiver, TransceiverRow};
