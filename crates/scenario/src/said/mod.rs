//! What a scenario says: its sections and their fields, each declared once, and the types of their rows.
//!
//! The known fields of a section, their readers, the reference page, the JSON Schema and the window's form of scenarios
//! come from these declarations. What a scenario may say is decided in `build`.

mod accelerators;
mod choices;
mod circuits;
mod collectives;
mod congestion;
mod declared;
mod general;
mod group_parameters;
mod groups;
pub(crate) mod limits;
mod network;
mod nodes;
mod parameters;
mod place;
mod section;
mod traces;
mod traffic;
mod trouble;
mod value;

pub use accelerators::AcceleratorRow;
pub use choices::{DarkBranches, Distribution, LossRepair, Order, ParameterSet, Pattern, Way};
pub use circuits::{CircuitRow, CircuitsRow};
pub use collectives::CollectiveRow;
pub use congestion::{DcqcnRow, EcnRow};
pub use declared::{CATALOGUE, Field, Kind, ONE_OF, Section, written};
pub use general::{ProbesRow, RunRow};
pub use group_parameters::GroupParametersRow;
pub use groups::{AdmissionRow, ChangeRow, GroupRow, MulticastRow, SetupRow};
pub use network::NetworkRow;
pub use nodes::{Awaited, Members, Node, Senders};
pub use parameters::{FibreRow, ParametersRow, StackRow, SwitchRow, TransportRow, WireRow};
pub use place::Place;
pub use section::{Row, Source};
pub use traces::TraceRow;
pub use traffic::{FlowRow, TrafficRow};
pub use trouble::{FailureRow, LossRow, RecoveryRow};
pub use value::{FieldValue, FileName, OrWord};

/// All sections, in the order of a file.
pub const SECTIONS: &[Section] = &[
    RunRow::SECTION,
    NetworkRow::SECTION,
    CircuitsRow::SECTION,
    CircuitRow::SECTION,
    AcceleratorRow::SECTION,
    ParametersRow::SECTION,
    FibreRow::SECTION,
    WireRow::SECTION,
    SwitchRow::SECTION,
    EcnRow::SECTION,
    TransportRow::SECTION,
    DcqcnRow::SECTION,
    StackRow::SECTION,
    GroupParametersRow::SECTION,
    FlowRow::SECTION,
    TrafficRow::SECTION,
    GroupRow::SECTION,
    ChangeRow::SECTION,
    MulticastRow::SECTION,
    CollectiveRow::SECTION,
    TraceRow::SECTION,
    SetupRow::SECTION,
    AdmissionRow::SECTION,
    LossRow::SECTION,
    FailureRow::SECTION,
    RecoveryRow::SECTION,
    ProbesRow::SECTION,
];

/// The section with a name.
///
/// # Panics
/// Panics if no section has this name.
pub fn section(name: &str) -> &'static Section {
    let found = SECTIONS.iter().find(|section| section.name == name);
    found.unwrap_or_else(|| panic!("{name} is a section of scenarios"))
}
