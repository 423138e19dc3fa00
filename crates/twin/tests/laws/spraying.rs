//! Packets of a flow that are spread over all equal ways (Dixit, Prakash, Hu, Kompella, INFOCOM 2013).

use lightloom_topology::electrical::{FatTree, Link, Network, NodeId};
use lightloom_twin::params::{Multipath, Params, Recovery};
use lightloom_twin::{Outcome, Setup};
use lightloom_units::Span;

use crate::given::*;

fn sprayed() -> Params {
    let mut params = params();
    params.switch.multipath = Multipath::Packet;
    params.transport.recovery = Recovery::SelectiveRepeat {
        window: 4096,
        short_timeout: Span::from_us(100),
        few: 3,
        reorder: 1024,
    };
    params
}

/// Packets over each link from a switch to one nearer to the core.
fn up(network: &Network, outcome: &Outcome, switch: NodeId) -> Vec<u64> {
    let links = outcome.links.iter().filter(|link| link.from == switch);
    let up = links.filter(|link| {
        let peer = network.ports(switch)[usize::from(link.port)].peer;
        network.tier(peer) > network.tier(switch)
    });
    up.map(|link| link.sent).collect()
}

/// One flow takes one way, or all of them evenly: chi-square within five standard deviations.
#[test]
fn packets_spread_evenly() {
    let tree = FatTree { ports: 8, hosts_per_edge: None, rate: G100, host_rate: None, delay: US };
    let network = tree.network().unwrap();
    let last = network.hosts() - 1;
    let flows = || vec![flow(0, last, 4000 * MTU)];
    let edge = network.ports(NodeId::at(0))[0].peer;
    let one = finished(&simulation(&network, params(), flows()));
    let used = up(&network, &one, edge).into_iter().filter(|&sent| sent > 0).count();
    assert_eq!(used, 1);
    let setup = simulation(&network, sprayed(), flows());
    let all = finished(&setup);
    let counts = up(&network, &all, edge);
    assert_eq!((counts.len(), counts.iter().sum::<u64>()), (4, all.flows[0].sent));
    let mean = all.flows[0].sent as f64 / 4.0;
    let chi: f64 = counts.iter().map(|&sent| (sent as f64 - mean).powi(2) / mean).sum();
    assert!((chi - 3.0).abs() < 5.0 * f64::sqrt(6.0), "{counts:?}");
    // The switches behind do not all choose alike.
    let behind = network.ports(edge).iter().map(|port| port.peer);
    for switch in behind.filter(|node| !network.is_host(*node)) {
        assert!(up(&network, &all, switch).iter().all(|&sent| sent > 100), "{switch}");
    }
    for threads in [2, 3] {
        assert_eq!(run(&Setup { threads, ..setup.clone() }).flows, all.flows);
    }
}

/// Four hosts of a leaf send to four of another over four spines. Sprayed, they share all ways; by flow some meet.
#[test]
fn sprayed_flows_share_all_ways() {
    let mut links: Vec<Link> = (0..8).map(|host| (host, 8 + host / 4, G100, US)).collect();
    links.extend((0..4).flat_map(|spine| (0..2).map(move |leaf| (8 + leaf, 10 + spine, G100, US))));
    let network = wired(8, 6, &links);
    let last = |seed: u64, params: Params| {
        let flows = (0..4).map(|host| flow(host, host + 4, 2000 * MTU)).collect();
        let outcome = finished(&Setup { seed, ..simulation(&network, params, flows) });
        (0..4).map(|host| received(&outcome, host)).max().unwrap()
    };
    let ideal = 2000 * time(MTU + HEADER + PREAMBLE + GAP, G100);
    let mut selective = params();
    selective.transport.recovery = crate::given::selective(4096);
    let by_flow: Vec<u64> = (0..8).map(|seed| last(seed, selective)).collect();
    let by_packet: Vec<u64> = (0..8).map(|seed| last(seed, sprayed())).collect();
    // Every packet that another one passes is repeated where none may pass.
    let mut hasty = sprayed();
    hasty.transport.recovery = crate::given::selective(4096);
    assert!(last(0, hasty) > by_packet[0] + ideal / 4);
    assert!(by_flow.iter().any(|&last| last > 2 * ideal), "{by_flow:?} of {ideal}");
    assert!(by_packet.iter().all(|&last| last < ideal + ideal / 4), "{by_packet:?} of {ideal}");
}
