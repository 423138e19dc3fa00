//! Failures of a fabric as dead links, splitters and branches of the twin.

use lightloom_routing::failure::Failure;
use lightloom_topology::electrical::{Network, NodeId};
use lightloom_topology::{Fabric, TorId};
use lightloom_twin::{DeadLink, DeadSplitter};
use lightloom_units::Instant;

use super::rollout::Latch;

/// What dies in the twin.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Death {
    /// Links.
    pub links: Vec<DeadLink>,
    /// Splitters and branches.
    pub splitters: Vec<DeadSplitter>,
}

/// What stays shut while a part that works again is not back in service: of a ToR its fabric ports.
pub fn shut(
    fabric: &Fabric,
    network: &Network,
    tors: &[NodeId],
    latches: &[Latch],
) -> Vec<DeadSplitter> {
    let of = |latch: &Latch| {
        deaths(fabric, network, tors, &[latch.failure], (latch.from, latch.to)).splitters
    };
    latches.iter().flat_map(of).collect()
}

/// What dies while failures last. The fabric must have the parts that they name.
pub fn deaths(
    fabric: &Fabric,
    network: &Network,
    tors: &[NodeId],
    failures: &[Failure],
    (from, to): (Instant, Instant),
) -> Death {
    let mut death = Death::default();
    let whole = |tor: TorId| DeadSplitter { splitter: tor.0, branch: None, from, to };
    let branch = |sender: TorId, receiver: TorId| {
        let receivers = fabric.receivers(fabric.transmits_into(sender));
        let place = receivers.iter().position(|&tor| tor == receiver)?;
        let branch = Some(u32::try_from(place).ok()?);
        Some(DeadSplitter { splitter: sender.0, branch, from, to })
    };
    for &failure in failures {
        match failure {
            Failure::Relay(tor) | Failure::Transmitter(tor) | Failure::Splitter(tor) => {
                death.splitters.push(whole(tor));
            }
            Failure::Branch { from: sender, to: receiver } => {
                death.splitters.extend(branch(sender, receiver));
            }
            Failure::Receiver { tor, port } => {
                let sender = fabric.heard_at(tor, port);
                death.splitters.extend(sender.and_then(|sender| branch(sender, tor)));
            }
            Failure::Tor(tor) => {
                death.splitters.push(whole(tor));
                let senders = fabric.heard_by(tor).iter();
                death.splitters.extend(senders.filter_map(|&sender| branch(sender, tor)));
                let node = tors[tor.index()];
                let ports = 0..network.ports(node).len();
                let ports = ports.filter_map(|port| u16::try_from(port).ok());
                death.links.extend(ports.map(|port| DeadLink { node, port, from, to }));
            }
            Failure::Cassette(cassette) => {
                death.splitters.extend(fabric.transmitters(cassette).iter().copied().map(whole));
            }
        }
    }
    death
}
