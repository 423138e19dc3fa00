//! Racks with hosts and two spines, parameters, and runs.

use std::sync::atomic::AtomicBool;

use lightloom_topology::electrical::{Link, Network, NodeId, edge_list};
use lightloom_twin::params::Params;
use lightloom_twin::{
    Cast, Class, Data, DeadLink, Dialect, Group, GroupId, GroupVerb, LightTree, Multicast, Outcome,
    Reliable, Repair, Service, Setup, Simulation, simulate,
};
use lightloom_units::{BitRate, DataSize, Instant, Span};

pub const G100: BitRate = BitRate::from_gbps(100);
pub const US: Span = Span::from_us(1);

/// No timeout within a run.
pub fn params() -> Params {
    let mut params = Params::default();
    params.transport.timeout = Span::from_s(1);
    params
}

/// Racks with the same number of hosts each, and a link from each rack to each of two spines. Rack *i* has the hosts
/// from *i* times `each` on, and the switch after all hosts and *i* racks.
pub fn racks(tors: usize, each: usize) -> Network {
    let name = |kind: &str, n: usize| (0..n).map(|i| format!("{kind}{i}")).collect::<Vec<_>>();
    let hosts = tors * each;
    let mut links: Vec<Link> = (0..hosts).map(|h| (h, hosts + h / each, G100, US)).collect();
    links.extend(
        (0..tors).flat_map(|t| (0..2).map(move |s| (hosts + t, hosts + tors + s, G100, US))),
    );
    edge_list(&name("h", hosts), &name("s", tors + 2), &links).unwrap()
}

/// A group of datagrams.
pub fn datagrams(members: Vec<NodeId>) -> Group {
    Group { members, service: Service::Datagrams }
}

/// A reliable group over the light of one sender, which leads it.
pub fn lit(members: Vec<NodeId>, leader: NodeId, repair: Repair, tree: LightTree) -> Group {
    let service = Service::Reliable(Reliable {
        leader,
        start: Instant::ZERO,
        dialect: Dialect::Cepheus,
        verb: GroupVerb::default(),
        data: Data::Light { repair, trees: vec![tree] },
        changes: Vec::new(),
    });
    Group { members, service }
}

/// A message of one packet to a group.
pub fn packet(from: NodeId, to: GroupId) -> Cast {
    let start = Instant::ZERO;
    let (size, after) = (DataSize::from_bytes(1000), Vec::new());
    Cast { from, to, size, start, after, class: Class::LOSSLESS }
}

pub fn run(
    network: &Network,
    (params, multicast): (Params, Multicast),
    dead: Vec<DeadLink>,
) -> Outcome {
    let setup = Setup {
        computations: Vec::new(),
        network,
        params,
        flows: Vec::new(),
        losses: Vec::new(),
        dead,
        reroutes: Vec::new(),
        restarts: Vec::new(),
        storms: Vec::new(),
        accelerators: Vec::new(),
        circuits: None,
        multicast,
        patience: Span::from_ms(10),
        traced: false,
        seed: 1,
        until: Instant::from_ps(100_000_000_000),
        interval: Span::from_ms(1),
        by_flow: false,
        threads: 1,
    };
    let outcome = simulate(&Simulation::new(setup).unwrap(), &AtomicBool::new(false), &|_| ());
    assert_eq!(outcome.unbalanced, [], "every copy is accounted for");
    outcome
}
