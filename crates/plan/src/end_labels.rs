//! Labels after ANSI/TIA-606: near end / far end, each rack-unit:port.
//!
//! A label has only one reading. From the right: the text after the last `:` is the port, the text after the
//! last `-` before it is the place in the rack, and the rest is the rack's name. `:` and `/` in names are
//! escaped, and places have no `-`.

use std::fmt::Write as _;

use lightloom_topology::hall::Name;
use lightloom_topology::{Fabric, TRANSMIT_PORT, TorId};

use crate::wiring::{Cable, Far, WiringPlan};

/// Characters that spreadsheets read as the start of a formula.
pub const FORMULA_STARTS: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// Label of a fibre. It depends only on the numbers of ToR and splitter, and on the branch.
pub fn cable_label(fabric: &Fabric, cable: &Cable) -> String {
    match cable.far {
        Far::SplitterInput => feed_label(fabric, cable.from),
        Far::Receiver { branch, .. } => branch_label(fabric, cable.from, branch),
    }
}

/// Label of a ToR's feed.
pub fn feed_label(fabric: &Fabric, tor: TorId) -> String {
    format!("F{}", fabric.number(tor))
}

/// Label of a branch of the splitter that a ToR feeds.
pub fn branch_label(fabric: &Fabric, tor: TorId, branch: u32) -> String {
    format!("B{}.{branch}", fabric.splitter_number(tor))
}

/// Labels of the near and the far end of a fibre, in the direction of the light.
pub fn end_labels(plan: &WiringPlan<'_>, cable: &Cable) -> (String, String) {
    match cable.far {
        Far::SplitterInput => {
            (tor_end(plan, cable.from, TRANSMIT_PORT), splitter_end(plan, cable.from, None))
        }
        Far::Receiver { branch, tor, port } => {
            (splitter_end(plan, cable.from, Some(branch)), tor_end(plan, tor, port))
        }
    }
}

/// Label of a ToR's port: rack, unit and port, as in `R101-42:0`. If the inventory has no unit, the ToR's
/// number is used: `R101-T7:0`.
fn tor_end(plan: &WiringPlan<'_>, tor: TorId, port: u32) -> String {
    let site = plan.site();
    let rack = site.hall.rack(site.placement.rack(tor));
    let name = escaped(&rack.name);
    match rack.tor_unit {
        Some(unit) => format!("{name}-{unit:02}:{port}"),
        None => format!("{name}-T{}:{port}", site.fabric.number(tor)),
    }
}

/// Label of a splitter's input or output: `R101-S7:IN`, `R101-S7:2`.
fn splitter_end(plan: &WiringPlan<'_>, from: TorId, output: Option<u32>) -> String {
    let name = escaped(&plan.site().hall.rack(plan.splitter_rack(from)).name);
    let splitter = plan.site().fabric.splitter_number(from);
    match output {
        Some(output) => format!("{name}-S{splitter}:{output}"),
        None => format!("{name}-S{splitter}:IN"),
    }
}

/// A name within a label. `%`, `:` and `/` are percent-escaped (RFC 3986, 2.1). So is a first character that
/// is an apostrophe, or that a spreadsheet would need an apostrophe for. A label is then the same in every
/// file, and two names never become one.
fn escaped(name: &Name) -> String {
    let name = name.as_str();
    let mut text = String::with_capacity(name.len());
    for (at, c) in name.char_indices() {
        let leads = at == 0 && (c == '\'' || FORMULA_STARTS.contains(&c));
        if leads || matches!(c, '%' | ':' | '/') {
            // All these characters are ASCII. Writing to a string does not fail.
            let _ = write!(text, "%{:02X}", u32::from(c));
        } else {
            text.push(c);
        }
    }
    text
}
