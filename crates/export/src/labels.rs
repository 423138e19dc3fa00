//! Labels after ANSI/TIA-606: near end / far end, each rack-unit:port.

use lightloom_topology::TorId;

use crate::{Cable, Far, WiringPlan};

/// The name of a fibre. It depends on nothing but the ToR and the branch.
pub(crate) fn cable_label(cable: &Cable) -> String {
    match cable.far {
        Far::SplitterInput => feed_label(cable.from),
        Far::Receiver { branch, .. } => branch_label(cable.from, branch),
    }
}

/// The name of a ToR's feed.
pub(crate) fn feed_label(tor: TorId) -> String {
    format!("F{tor}")
}

/// The name of a branch of a ToR's splitter.
pub(crate) fn branch_label(tor: TorId, branch: u32) -> String {
    format!("B{tor}.{branch}")
}

/// The near and the far end of a fibre, in the direction of the light.
pub(crate) fn ends(plan: &WiringPlan<'_>, cable: &Cable) -> (String, String) {
    match cable.far {
        Far::SplitterInput => (tor_end(plan, cable.from, 0), splitter_end(plan, cable.from, None)),
        Far::Receiver { branch, tor, port } => {
            (splitter_end(plan, cable.from, Some(branch)), tor_end(plan, tor, port))
        }
    }
}

/// The rack, its unit where the inventory has it, and the port: `R101-42:0`.
fn tor_end(plan: &WiringPlan<'_>, tor: TorId, port: u32) -> String {
    let site = plan.site();
    let rack = site.hall.rack(site.placement.rack(tor));
    match rack.tor_unit {
        Some(unit) => format!("{}-{unit:02}:{port}", rack.name),
        None => format!("{}:{port}", rack.name),
    }
}

/// The rack, the splitter, and its input or output: `R101-S7:IN`, `R101-S7:2`.
fn splitter_end(plan: &WiringPlan<'_>, splitter: TorId, output: Option<u32>) -> String {
    let rack = &plan.site().hall.rack(plan.splitter_rack(splitter)).name;
    match output {
        Some(output) => format!("{rack}-S{splitter}:{output}"),
        None => format!("{rack}-S{splitter}:IN"),
    }
}
