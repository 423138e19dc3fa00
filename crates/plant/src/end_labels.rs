//! Labels after ANSI/TIA-606: near end / far end, each rack-unit:port.
//!
//! A label has only one reading. The text after the first `:` is the port: a number, or the name of an interface,
//! which may have `:` and `/` itself. The text after the last `-` before that `:` is the place in the rack, and
//! the rest is the rack's name. `:` and `/` in names of racks are escaped, and places have no `-`. The two ends of
//! a label are separated by ` / `, which no name of an interface has.

use std::fmt::Write as _;

use lightloom_topology::hall::{Housing, Name};
use lightloom_topology::{Fabric, RackId, TorId};
use lightloom_units::text::FORMULA_STARTS;

use crate::cable::{Cable, CableKind, End, Part, Port};
use crate::connector::Connector;
use crate::fibre::{Far, Fibre, FibreId};
use crate::plant::Plant;
use crate::thing::{ThingId, ThingKind};

/// Label of a fibre. It depends only on the numbers of ToR and splitter, and on the branch.
pub fn fibre_label(fabric: &Fabric, fibre: &Fibre) -> String {
    match fibre.far {
        Far::SplitterInput => feed_label(fabric, fibre.from),
        Far::Receiver { branch, .. } => branch_label(fabric, fibre.from, branch),
    }
}

/// Label of a cable. A cord has the label of its fibre; a jumper has a `J` after it. Trunks are `T1`, `T2`, and
/// so on.
pub fn cable_label(plant: &Plant, cable: &Cable) -> String {
    match cable.kind {
        CableKind::Cord(fibre, part) => {
            let suffix = if part == Part::Jumper { "J" } else { "" };
            format!("{}{suffix}", fibre_label(&plant.site().fabric, &plant.fibres()[fibre.index()]))
        }
        CableKind::Trunk(number) => format!("T{}", number + 1),
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
pub fn end_labels(plan: &Plant, id: FibreId) -> (String, String) {
    let chain = plan.chain(id);
    let (first, last) = (chain[0], chain[chain.len() - 1]);
    let near = strand_label(plan, plan.link_ends(id, first)[0], first.strand);
    let far = strand_label(plan, plan.link_ends(id, last)[1], last.strand);
    (near, far)
}

/// Label of one fibre of a port: the port, and behind a module also the position, as in `Z.01-12.3:M1.5`.
pub fn strand_label(plan: &Plant, end: End, strand: u16) -> String {
    let label = port_label(plan, end);
    match end.port {
        Port::Rear(_) => format!("{label}.{}", strand % Connector::MPO_FIBRES + 1),
        Port::Tx(_) | Port::Rx(_) | Port::Front(_) => label,
    }
}

/// Label of a port: rack, unit and port of a switch; rack, unit and slot of a module and its port, of which those
/// behind start with `M`. A splitter at a sender or a receiver is named by its ToR: `R101-S7:IN`, `R101-S7:2`.
pub fn port_label(plan: &Plant, end: End) -> String {
    let thing = plan.thing(end.thing);
    match (thing.kind, end.port) {
        (ThingKind::Switch(tor), Port::Tx(port) | Port::Rx(port)) => {
            tor_end(plan, tor, port.into())
        }
        (_, port) => splitter_end(plan, end).unwrap_or_else(|| {
            let rack = escaped(&plan.site().hall.rack(thing.rack).name);
            let at = format!("{rack}-{:02}.{}", thing.unit, thing.slot.unwrap_or(0));
            match port {
                Port::Rear(port) => format!("{at}:M{port}"),
                Port::Tx(port) | Port::Rx(port) | Port::Front(port) => format!("{at}:{port}"),
            }
        }),
    }
}

/// Label of a port of a splitter at a sender or a receiver. `None`: it is none, or the splitter is dark, so that no
/// ToR gives it a number.
fn splitter_end(plan: &Plant, end: End) -> Option<String> {
    let Port::Front(port) = end.port else { return None };
    if plan.housing() == Housing::Zone {
        return None;
    }
    let taps = plan.site().fabric.fan_out() + 1;
    let (place, tap) = (u32::from(port - 1) / taps, u32::from(port - 1) % taps);
    let fed_by = plan.splitters_of(end.thing).get(place as usize).copied().flatten()?;
    let splitter = plan.site().fabric.splitter_number(fed_by);
    let rack = escaped(&plan.site().hall.rack(plan.thing(end.thing).rack).name);
    Some(match tap {
        0 => format!("{rack}-S{splitter}:IN"),
        output => format!("{rack}-S{splitter}:{}", output - 1),
    })
}

/// Label of a thing: rack and place. The place of a module is its unit and slot.
pub fn module_label(plan: &Plant, id: ThingId) -> String {
    let thing = plan.thing(id);
    let rack = plan.site().hall.rack(thing.rack);
    let name = escaped(&rack.name);
    match thing.kind {
        ThingKind::Switch(tor) => switch_label(plan, tor),
        _ => format!("{name}-{:02}.{}", thing.unit, thing.slot.unwrap_or(0)),
    }
}

/// Label of a shelf: rack and top unit.
pub fn shelf_label(plan: &Plant, rack: RackId, unit: u16) -> String {
    format!("{}-{unit:02}", escaped(&plan.site().hall.rack(rack).name))
}

/// Label of a ToR's port: rack, unit and port, as in `R101-42:Ethernet1/1`. If nothing names interfaces, the port is
/// a number: `R101-42:0`. If the inventory has no unit, the ToR's number is used: `R101-T7:0`.
fn tor_end(plan: &Plant, tor: TorId, port: u32) -> String {
    let (site, switch) = (plan.site(), switch_label(plan, tor));
    match site.ports.as_ref().and_then(|ports| ports.interface(tor, port)) {
        Some(interface) => format!("{switch}:{interface}"),
        None => format!("{switch}:{}", site.placement.switch_port(&site.fabric, tor, port)),
    }
}

/// Label of the switch of a ToR: rack and unit. If the inventory has no unit, the ToR's number is used: that of the
/// first ToR, if the switch is several logical ones.
fn switch_label(plan: &Plant, tor: TorId) -> String {
    let site = plan.site();
    let rack = site.hall.rack(site.placement.rack(tor));
    let first = || site.placement.beside(tor).next().unwrap_or(tor);
    let place = rack
        .tor_unit
        .map_or_else(|| format!("T{}", site.fabric.number(first())), |unit| format!("{unit:02}"));
    format!("{}-{place}", escaped(&rack.name))
}

/// A name within a label. `%`, `:` and `/` are percent-escaped (RFC 3986, 2.1). So is a first character that
/// is an apostrophe, or that a spreadsheet would need an apostrophe for. A label is then the same in every
/// file, and two names never become one.
pub fn escaped(name: &Name) -> String {
    let name = name.as_str();
    let mut text = String::with_capacity(name.len());
    for (at, c) in name.char_indices() {
        let leads = at == 0 && (c == '\'' || FORMULA_STARTS.contains(&c));
        if leads || matches!(c, '%' | ':' | '/') {
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                // Writing to a string does not fail.
                let _ = write!(text, "%{byte:02X}");
            }
        } else {
            text.push(c);
        }
    }
    text
}
