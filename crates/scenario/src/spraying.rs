//! Packets that pass each other, where a transport takes that for losses.

use lightloom_topology::electrical::Network;
use lightloom_twin::Flow;
use lightloom_twin::params::{Multipath, Params, Recovery};

/// A warning if data are sprayed over several ways, and the transport repeats what is passed.
pub(crate) fn reorders(network: &Network, params: &Params, flows: &[Flow]) -> Option<String> {
    let is_sprayed = params.switch.multipath == Multipath::Packet;
    let bears = matches!(params.transport.recovery, Recovery::SelectiveRepeat { reorder: 1.., .. });
    if !is_sprayed || bears {
        return None;
    }
    let has_ways = |flow: &Flow| {
        let tor = network.ports(flow.from).first().map(|port| port.peer);
        tor.is_some_and(|tor| !network.is_host(tor) && network.routes(tor, flow.to).len() > 1)
    };
    flows.iter().any(has_ways).then(|| {
        "packets that are sprayed over several ways pass each other, and the transport takes that for losses; give \
         [parameters.transport] recovery = \"selective-repeat\" and reorder = 64, or multipath = \"flow\" in \
         [parameters.switch]"
            .to_owned()
    })
}
