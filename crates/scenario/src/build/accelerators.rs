//! `[[accelerator]]`: accelerators beside switches.

use std::collections::BTreeMap;

use lightloom_request::InputError;
use lightloom_topology::electrical::{Network, NodeId};
use lightloom_twin::params::{Accelerator, Forwarding, Params};
use lightloom_units::BitRate;

use crate::build::nodes::Nodes;
use crate::build::of_design::CUT_THROUGH;
use crate::said::limits::MOST_RATE;
use crate::said::{AcceleratorRow, Place, Row as _};

/// The accelerators of the rows and of the design, by switch. A row goes before the design.
/// `is_reliable`: the scenario has reliable groups.
///
/// # Errors
/// [`InputError`] if a row names no switch, or one a second time, if switches cut through, or if reliable groups need
/// an accelerator of the design whose latency is unknown.
pub(super) fn entered(
    rows: &[AcceleratorRow],
    nodes: &Nodes,
    params: &Params,
    is_reliable: bool,
) -> Result<Vec<(NodeId, Accelerator)>, InputError> {
    let mut named: BTreeMap<NodeId, Accelerator> = BTreeMap::new();
    let mut others = None;
    for (number, row) in rows.iter().enumerate() {
        let place = AcceleratorRow::place_of(number);
        row.check(place)?;
        if params.switch.forwarding == Forwarding::CutThrough {
            return Err(place.refuse("node", format!("stands beside {CUT_THROUGH}")));
        }
        let part = part(row, place)?;
        let Some(said) = &row.node else {
            if others.replace(part).is_some() {
                let message = "is left out in two rows; every other switch has one accelerator";
                return Err(place.refuse("node", message));
            }
            continue;
        };
        let node = nodes.node(place, "node", said)?;
        if nodes.network.is_host(node) {
            let name = nodes.network.name(node);
            return Err(place.refuse("node", format!("found {name:?}, a host; name a switch")));
        }
        if named.insert(node, part).is_some() {
            let name = nodes.network.name(node);
            let message = format!("found {name:?}, which has an accelerator already");
            return Err(place.refuse("node", message));
        }
    }
    let network = &nodes.network;
    let by_rows = |node: NodeId| named.get(&node).or(others.as_ref()).copied();
    let of_design = match &nodes.beside {
        // Nothing else goes to an accelerator.
        Some(beside) if is_reliable => {
            let needs = |node| beside.has(node, network) && by_rows(node).is_none();
            let is_needed = switches(network).any(needs);
            is_needed.then(|| beside.entered(params)).transpose()?.map(|part| (beside, part))
        }
        _ => None,
    };
    let switch = |node: NodeId| {
        let planned = of_design.filter(|(beside, _)| beside.has(node, network));
        Some((node, by_rows(node).or(planned.map(|(_, part)| part))?))
    };
    Ok(switches(network).filter_map(switch).collect())
}

fn switches(network: &Network) -> impl Iterator<Item = NodeId> {
    (0..network.nodes()).map(NodeId::at).filter(|&node| !network.is_host(node))
}

fn part(row: &AcceleratorRow, place: Place) -> Result<Accelerator, InputError> {
    let ports = row.ports.ok_or_else(|| place.missing("ports", "4"))?;
    let port_rate = row.port_rate.ok_or_else(|| place.missing("port_rate", "\"100 Gb/s\""))?;
    let latency = row.latency.ok_or_else(|| place.missing("latency", "\"1 us\""))?;
    let all =
        BitRate::from_bps(port_rate.as_bps().saturating_mul(ports.into()).min(MOST_RATE.as_bps()));
    let rate = row.rate.unwrap_or(all);
    if rate > all {
        let message =
            format!("found {rate}; {ports} ports of {port_rate} take and send {all} at most");
        return Err(place.refuse("rate", message));
    }
    Ok(Accelerator {
        port_rate,
        rate,
        latency,
        fan_out: row.fan_out.and_then(|most| u16::try_from(most).ok()),
        memory: row.memory,
    })
}
