//! Headroom: whether each port has what its link needs.

use lightloom_topology::electrical::{Network, NodeId, PortId};
use lightloom_twin::params::Params;
use lightloom_twin::{Class, Flow, needed_headroom};

/// Message about the port that lacks most headroom. `None`: all ports have enough.
pub fn too_small(network: &Network, params: &Params, flows: &[Flow]) -> Option<String> {
    let is_lossless = params.switch.pfc && flows.iter().any(|flow| flow.class == Class::LOSSLESS);
    let switches = (network.hosts()..network.nodes()).map(NodeId::at).filter(|_| is_lossless);
    let ports = switches
        .flat_map(|node| (0..).zip(network.ports(node)).map(move |(port, _)| (node, PortId(port))));
    let has = |node, port: PortId| {
        let link = &network.ports(node)[port.index()];
        params.switch.headroom(link.rate, link.delay)
    };
    // A ToR does not pause another one over circuits, so those ports need no headroom.
    let ports = ports.filter(|&(node, port)| !network.is_circuit(node, port.index()));
    let needs = ports.filter_map(|(node, port)| {
        Some((needed_headroom(network, params, node, port)?, node, port))
    });
    let mut short = 0_usize;
    // The first of equal ports.
    let worst = needs
        .filter(|&(needed, node, port)| needed > has(node, port))
        .inspect(|_| short += 1)
        .reduce(|worst, next| if next.0 > worst.0 { next } else { worst });
    let (needed, node, port) = worst?;
    let (link, has) = (&network.ports(node)[port.index()], has(node, port));
    let others = match short - 1 {
        0 => String::new(),
        others => format!("; {others} other ports lack some too"),
    };
    Some(format!(
        "{}, port {} (from {}) needs headroom of {needed} for a link of {} and {}, and has {has}{others}: when \
         it pauses its sender lossless packets may be lost; give [parameters.switch] headroom_per_port = \
         \"{needed}\"",
        network.name(node),
        port.0,
        network.name(link.peer),
        link.rate,
        link.delay
    ))
}
