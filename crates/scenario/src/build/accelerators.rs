//! `[[accelerator]]`: accelerators beside switches.

use std::collections::BTreeMap;

use lightloom_request::InputError;
use lightloom_topology::electrical::{Network, NodeId};
use lightloom_twin::params::{Accelerator, Forwarding, Params};
use lightloom_units::BitRate;

use crate::build::nodes::Nodes;
use crate::said::limits::MOST_RATE;
use crate::said::{AcceleratorRow, Place, Row as _};

/// The accelerators of the rows, by switch.
///
/// # Errors
/// [`InputError`] if a row names no switch, or one a second time, or if switches cut through.
pub(super) fn entered(
    rows: &[AcceleratorRow],
    nodes: &Nodes,
    params: &Params,
) -> Result<Vec<(NodeId, Accelerator)>, InputError> {
    let mut named: BTreeMap<NodeId, Accelerator> = BTreeMap::new();
    let mut others = None;
    for (number, row) in rows.iter().enumerate() {
        let place = AcceleratorRow::place_of(number);
        row.check(place)?;
        if params.switch.forwarding == Forwarding::CutThrough {
            let message = "stands beside switches that cut through, and it stores each packet; say forwarding = \
                           \"store-and-forward\" in [parameters.switch]";
            return Err(place.refuse("node", message));
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
    let switch = |node: NodeId| Some((node, *named.get(&node).or(others.as_ref())?));
    Ok(switches(&nodes.network).filter_map(switch).collect())
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
