//! Declarations of all fields of a scenario file.
//!
//! The known fields of a section, the reference page and the JSON Schema of scenario files come from these
//! declarations.

mod congestion;
mod declared;
mod general;
mod group_parameters;
mod groups;
mod network;
mod parameters;
mod traffic;
mod trouble;

pub use declared::{Field, Kind, ONE_OF, Section, written};

/// All sections, in the order of a file.
pub const SECTIONS: &[Section] = &[
    general::ROOT,
    network::NETWORK,
    parameters::PARAMETERS,
    parameters::FIBRE,
    parameters::WIRE,
    parameters::SWITCH,
    congestion::ECN,
    parameters::TRANSPORT,
    congestion::DCQCN,
    parameters::STACK,
    group_parameters::GROUPS,
    traffic::FLOW,
    traffic::TRAFFIC,
    groups::GROUP,
    groups::CHANGE,
    groups::MULTICAST,
    groups::ADMISSION,
    trouble::LOSS,
    trouble::FAILURE,
    trouble::RECOVERY,
    general::PROBES,
];

/// The section with a name.
///
/// # Panics
/// Panics if no section has this name.
pub fn section(name: &str) -> &'static Section {
    let found = SECTIONS.iter().find(|section| section.name == name);
    found.unwrap_or_else(|| panic!("{name} is a section of scenarios"))
}
