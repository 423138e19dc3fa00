//! `[[loss]]`: random losses of packets.

use std::collections::BTreeMap;

use lightloom_request::InputError;
use lightloom_topology::TorId;
use lightloom_topology::electrical::{Network, NodeId};
use lightloom_twin::{BranchLoss, LinkLoss, Splitter};

use crate::build::nodes::Nodes;
use crate::build::planned::NO_PLAN;
use crate::said::{LossRow, Place, Row as _};

/// Random losses. Of several entries for one place the last applies.
#[derive(Debug, Clone, Default)]
pub(super) struct Losses {
    links: BTreeMap<(NodeId, u16), LinkLoss>,
    /// By splitter; with the place of a branch where it is for that branch alone.
    splitters: BTreeMap<(u32, Option<usize>), BranchLoss>,
    /// Number of rows.
    pub(super) rows: usize,
}

impl Losses {
    /// Adds the losses of a row.
    pub(super) fn add(&mut self, row: &LossRow, nodes: &Nodes) -> Result<(), InputError> {
        let place = LossRow::place_of(self.rows);
        self.rows += 1;
        row.check(place)?;
        let rate = row.rate.ok_or_else(|| place.missing("rate", "1e-5"))?;
        let burst = row.burst.unwrap_or(1);
        let corrupt = row.corrupt.unwrap_or(false);
        if row.splitter.is_some() {
            let splitter = splitter(row, place, nodes)?;
            self.splitters.insert(splitter, BranchLoss { rate, burst, corrupt });
            return Ok(());
        }
        if row.branch.is_some() {
            return Err(place.refuse("branch", "is for a splitter; give splitter too"));
        }
        for (from, port) in transmitters(row, place, nodes)? {
            let loss = LinkLoss { from, port, rate, burst, corrupt };
            self.links.insert((from, port), loss);
        }
        Ok(())
    }

    /// Enters the losses of splitters, and answers those of links. The splitters are those of the plan that the
    /// losses were read with, in the order of the ToRs.
    pub(super) fn enter(self, splitters: &mut [Splitter]) -> Vec<LinkLoss> {
        for ((splitter, branch), loss) in self.splitters {
            // Both were found in the plan that the splitters are made from.
            let splitter = &mut splitters[splitter as usize];
            match branch {
                None => splitter.loss = Some(loss),
                Some(branch) => splitter.branches[branch].loss = Some(loss),
            }
        }
        self.links.into_values().collect()
    }
}

/// The splitter of a loss, and the place of the branch that it is for alone.
fn splitter(
    row: &LossRow,
    place: Place,
    nodes: &Nodes,
) -> Result<(u32, Option<usize>), InputError> {
    for field in ["link", "layer"] {
        if row.has(field) {
            let message = format!("is given together with {field}; give one of them");
            return Err(place.refuse("splitter", message));
        }
    }
    if row.one_way.is_some() {
        return Err(place.refuse("one_way", "is for a link; light goes one way anyway"));
    }
    let Some(planned) = &nodes.planned else {
        return Err(place.refuse("splitter", NO_PLAN));
    };
    let tor = |field, said: &Option<String>| {
        let said = said.as_deref().unwrap_or_default();
        planned.project.tor(said).map_err(|error| place.refuse(field, error.message))
    };
    let from = tor("splitter", &row.splitter)?;
    if row.branch.is_none() {
        return Ok((from.0, None));
    }
    let (to, fabric) = (tor("branch", &row.branch)?, planned.project.fabric());
    let receivers = fabric.receivers(fabric.transmits_into(from));
    match receivers.iter().position(|&tor| tor == to) {
        Some(place) => Ok((from.0, Some(place))),
        None => {
            let name = |tor: TorId| planned.project.own_tor_name(tor);
            let known: Vec<_> = receivers.iter().map(|&tor| name(tor).to_string()).collect();
            let message = format!(
                "found {:?}, which the splitter of {:?} does not reach; it reaches {}",
                name(to),
                name(from),
                known.join(", ")
            );
            Err(place.refuse("branch", message))
        }
    }
}

/// The ports of a loss: those of a link, or of all nodes of a layer.
fn transmitters(
    row: &LossRow,
    place: Place,
    nodes: &Nodes,
) -> Result<Vec<(NodeId, u16)>, InputError> {
    match (nodes.link(place, row.link.as_ref())?, row.layer) {
        (Some(ends), None) => {
            let back = if row.one_way == Some(true) { Vec::new() } else { ends.back };
            Ok([ends.forth, back].concat())
        }
        (None, Some(_)) if row.one_way.is_some() => {
            Err(place
                .refuse("one_way", "is for a link; a layer is that of the transmitters anyway"))
        }
        (None, Some(layer)) => layer_ports(place, &nodes.network, layer),
        (Some(_), Some(_)) => {
            Err(place.refuse("layer", "is given together with link; give one of the two"))
        }
        (None, None) => {
            let message =
                "is missing; give link = [\"leaf 0\", \"spine 1\"], layer = 1 or a splitter";
            Err(place.refuse("link", message))
        }
    }
}

fn layer_ports(
    place: Place,
    network: &Network,
    layer: u32,
) -> Result<Vec<(NodeId, u16)>, InputError> {
    let of_layer = |node: &NodeId| u32::from(network.tier(*node)) == layer;
    let all = || (0..network.nodes()).map(NodeId::at);
    let ports: Vec<(NodeId, u16)> = all()
        .filter(of_layer)
        .flat_map(|node| (0..).zip(network.ports(node)).map(move |(port, _)| (node, port)))
        .collect();
    if ports.is_empty() {
        let top = all().map(|node| network.tier(node)).max().unwrap_or(0);
        let message =
            format!("found {layer}; expected the layer of the transmitters, 0 (hosts) to {top}");
        return Err(place.refuse("layer", message));
    }
    Ok(ports)
}
