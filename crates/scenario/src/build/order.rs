//! The order of hosts in a collective operation or a trace.

use lightloom_request::InputError;
use lightloom_topology::electrical::NodeId;

use crate::build::context::Context;
use crate::build::patterns::each_once;
use crate::build::random::{Purpose, below, stream};
use crate::said::{Members, Order, Place};

/// The hosts that a field lists; all of them by default.
pub(super) fn listed(
    said: Option<&Members>,
    at: (Place, &'static str),
    context: &Context,
) -> Result<Vec<NodeId>, InputError> {
    match said {
        None | Some(Members::All) => {
            Ok((0..context.nodes.network.hosts()).map(NodeId::at).collect())
        }
        Some(Members::Listed(listed)) => each_once(listed, at, context),
    }
}

/// Puts hosts in order. `random` is the stream of a random order: its purpose, and the number of who asks.
pub(super) fn put(
    order: Order,
    hosts: &mut [NodeId],
    (purpose, number): (Purpose, u64),
    context: &Context,
) {
    let network = &context.nodes.network;
    match order {
        Order::Listed => {}
        Order::Racks => {
            hosts.sort_by_key(|&host| (network.ports(host).first().map(|port| port.peer), host));
        }
        Order::Random => {
            let mut random = stream(context.run.seed, purpose, number, 0);
            for last in (1..hosts.len()).rev() {
                hosts.swap(last, below(&mut random, last + 1));
            }
        }
    }
}
