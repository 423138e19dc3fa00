//! All parts of a plan that may fail, and what each of them takes with it.

use std::collections::BTreeMap;

use lightloom_design::rates::PartKind;
use lightloom_plan::laid::Laid;
use lightloom_routing::failure::Failure;
use lightloom_topology::RackId;

use crate::common::{common_causes, failure_of};

/// A part, or what parts have in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) kind: PartKind,
    pub(super) name: String,
    /// What fails with it.
    pub(super) failures: Vec<Failure>,
}

/// All parts of a plan, by kind, and of each kind in the order of the fabric.
pub(super) fn parts_of(laid: &Laid) -> Vec<Part> {
    let (project, plant) = (laid.project(), laid.plant());
    let fabric = project.fabric();
    let mut parts = Vec::new();
    let mut add = |kind, name, failures| parts.push(Part { kind, name, failures });
    let mut racks: BTreeMap<RackId, Vec<Failure>> = BTreeMap::new();
    for tor in fabric.tor_ids() {
        if !project.is_logical() {
            add(PartKind::Tor, format!("ToR {tor}"), vec![Failure::Tor(tor)]);
        }
        racks.entry(project.placement().rack(tor)).or_default().push(Failure::Tor(tor));
        for port in fabric.ports(tor) {
            let number = port.number;
            let receiver = port.hears.map(|_| Failure::Receiver { tor, port: number });
            let transmitter = port.transmits.then_some(Failure::Transmitter(tor));
            let failures = receiver.into_iter().chain(transmitter).collect();
            add(PartKind::Transceiver, format!("transceiver {tor}/{number}"), failures);
        }
        add(PartKind::Splitter, format!("splitter {tor}"), vec![Failure::Splitter(tor)]);
    }
    for (_, fibre) in plant.numbered() {
        let failure = failure_of(fibre);
        let name = match failure {
            Failure::Branch { from, to } => format!("branch {from}>{to}"),
            _ => format!("feed {}", fibre.from),
        };
        add(PartKind::Fibre, name, vec![failure]);
    }
    for (rack, failures) in racks {
        add(PartKind::Rack, format!("rack {}", project.hall().rack(rack).name), failures);
    }
    for (kind, name, failures) in common_causes(laid) {
        add(kind, name, failures);
    }
    parts.sort_by_key(|part| part.kind);
    parts
}
