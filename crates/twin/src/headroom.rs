//! The buffer of a switch and its parts, and how much headroom a port needs so that no lossless packet is lost.

use lightloom_setup::params::{Params, RETH, Reserves, SwitchParams};
use lightloom_topology::electrical::{Network, NodeId, PortId};
use lightloom_units::{DataSize, Span};

use crate::link::Pace;

/// Bytes that may come in at a port of a switch from the first packet on that is one too many for the shared
/// buffer, so that headroom of so many is enough. With S the longest frame, R the rate and d the delay of the
/// link with the latencies of the switches at its ends, that is S + R W, where the sender may begin frames for
/// W = S/R (that packet) + d + S/R (a frame that is on its way out before the pause) + pause/R + d + the response of
/// the sender, each frame with its preamble, and with its gap where another one follows.
/// None where the network has no such node, or the node no such port.
pub fn needed_headroom(
    network: &Network,
    params: &Params,
    node: NodeId,
    port: PortId,
) -> Option<DataSize> {
    let ports = (node.index() < network.nodes()).then(|| network.ports(node))?;
    let (link, wire) = (ports.get(port.index())?, &params.wire);
    let pace = Pace::of(link.rate);
    let [preamble, gap, pause] = [wire.preamble, wire.gap, wire.pause].map(u32::from);
    let data = u32::from(wire.mtu) + u32::from(wire.header) + u32::from(RETH);
    let longest = data.max(wire.control.into()).max(pause);
    let through = |at: NodeId| {
        if network.is_host(at) { Span::ZERO } else { params.switch.latency }
    };
    let ways = link.delay + through(node) + link.delay + through(link.peer);
    let frames = pace.time(preamble + data)
        + pace.time(preamble + longest + gap)
        + pace.time(preamble + pause);
    let window = (ways + frames + params.switch.pause_response).as_ps();
    let bits = u128::from(window) * u128::from(link.rate.as_bps());
    let bytes = bits.div_ceil(8_000_000_000_000) + u128::from(data);
    Some(DataSize::from_bytes(u64::try_from(bytes).unwrap_or(u64::MAX)))
}

/// The buffer of a switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BufferSizes {
    /// What all its ports share.
    pub shared: DataSize,
    /// Headroom and minimum of all ports together.
    pub reserved: DataSize,
    /// All that it can hold.
    pub all: DataSize,
}

/// The buffer of a switch with so many ports, of which those of its links have headroom and a minimum: on
/// others no sender can be paused. The links that stand for circuits have as many ports as there are circuit switches,
/// and no sender is paused over them either.
pub fn buffer_sizes(
    network: &Network,
    params: &SwitchParams,
    node: NodeId,
    ports: u64,
) -> BufferSizes {
    let is_circuit = |port: usize| network.is_circuit(node, port);
    let all = (0..).zip(network.ports(node));
    let (circuits, links): (Vec<_>, Vec<_>) = all.partition(|&(port, _)| is_circuit(port));
    let uplinks = network.circuits().filter(|_| !circuits.is_empty()).map_or(0, u64::from);
    let ports = ports.saturating_sub(circuits.len() as u64) + uplinks;
    let headroom = links.iter().map(|(_, link)| params.headroom(link.rate, link.delay).as_bytes());
    let minimum = params.minimum_per_port.as_bytes().saturating_mul(links.len() as u64);
    let reserved = headroom.fold(minimum, u64::saturating_add);
    let each = params.buffer_per_port.as_bytes().saturating_mul(ports);
    let buffer = params.buffer.as_bytes().saturating_add(each);
    let (shared, all) = match params.reserves {
        Reserves::Beside => (buffer, buffer.saturating_add(reserved)),
        Reserves::Within => (buffer.saturating_sub(reserved), buffer.max(reserved)),
    };
    let [shared, reserved, all] = [shared, reserved, all].map(DataSize::from_bytes);
    BufferSizes { shared, reserved, all }
}
