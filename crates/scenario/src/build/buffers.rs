//! Sizes of switch buffers. The twin counts the bytes of a switch in 32 bits.

use lightloom_request::InputError;
use lightloom_topology::electrical::{Network, NodeId};
use lightloom_twin::buffer_sizes;
use lightloom_twin::params::{Reserves, SwitchParams};
use lightloom_units::DataSize;

use crate::build::parameters::SCENARIO;
use crate::said::{NetworkRow, Row as _, SwitchRow};
use crate::scenario::Parameters;

/// Largest buffer with its headroom.
const MOST: DataSize = DataSize::from_bytes(u32::MAX as u64 - (1 << 16));

/// Refuses buffers that cannot be: at the buffer if the scenario itself says something of switches, else at the size of
/// the network.
pub(super) fn check(
    row: &NetworkRow,
    network: &Network,
    parameters: &Parameters,
) -> Result<(), InputError> {
    let mut switches = (network.hosts()..network.nodes()).map(NodeId::at);
    let switch = &parameters.params.switch;
    let Some(message) = switches.find_map(|node| wrong(switch, network, node)) else {
        return Ok(());
    };
    let said = parameters.in_force.iter().filter(|parameter| parameter.source == SCENARIO);
    let said: Vec<&str> =
        said.filter_map(|parameter| parameter.name.strip_prefix("switch.")).collect();
    if said.is_empty() {
        let sizes = ["ports", "hosts_per_leaf", "hosts_per_tor", "file"];
        let field = sizes.into_iter().find(|field| row.has(field));
        return Err(NetworkRow::place().refuse(field.unwrap_or("kind"), message));
    }
    let is_per_port = said.contains(&"buffer_per_port");
    let field = if is_per_port { "buffer_per_port" } else { "buffer" };
    Err(SwitchRow::place().refuse(field, message))
}

/// Why the buffer of a switch cannot be. `None`: it can.
fn wrong(switch: &SwitchParams, network: &Network, node: NodeId) -> Option<String> {
    let ports = network.ports(node).len() as u64;
    let sizes = buffer_sizes(network, switch, node, ports);
    let name = network.name(node);
    if sizes.all > MOST {
        return Some(format!(
            "buffer and headroom of {name} with its {ports} ports are {} in all, more than {MOST}; give less \
             of either",
            sizes.all
        ));
    }
    let is_empty = switch.reserves == Reserves::Within && sizes.shared == DataSize::ZERO;
    is_empty.then(|| {
        format!(
            "headroom and minimum of {name} with its {ports} ports are {}, all of its buffer, so that nothing \
             is left to share; give more buffer, less of either, or reserves = \"beside\"",
            sizes.reserved
        )
    })
}
