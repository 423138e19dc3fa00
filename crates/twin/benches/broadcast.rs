//! Small runs of reliable groups: 4 MB to all hosts of a fat tree, alone and beside losses.

use std::sync::atomic::AtomicBool;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lightloom_topology::electrical::{FatTree, Network, NodeId};
use lightloom_twin::params::Params;
use lightloom_twin::{
    Cast, Class, Data, Dialect, Group, GroupId, GroupVerb, LinkLoss, Multicast, Outcome, Reliable,
    Service, Setup, Simulation, simulate,
};
use lightloom_units::{BitRate, DataSize, Instant, Span};

/// One host sends 4 MB to all others of a fat tree.
fn broadcast(network: &Network) -> Setup<'_> {
    let members: Vec<NodeId> = (0..network.hosts()).map(NodeId::at).collect();
    let service = Service::Reliable(Reliable {
        leader: members[0],
        start: Instant::ZERO,
        dialect: Dialect::Cepheus,
        verb: GroupVerb::default(),
        data: Data::Electrons,
        changes: Vec::new(),
    });
    let cast = Cast {
        from: members[0],
        to: GroupId(0),
        size: DataSize::from_bytes(4_000_000),
        start: Instant::ZERO,
        class: Class::LOSSLESS,
        after: Vec::new(),
    };
    let multicast = Multicast {
        groups: vec![Group { members, service }],
        casts: vec![cast],
        ..Multicast::default()
    };
    Setup { multicast, ..Setup::new(network, Params::default()) }
}

fn run(setup: &Setup<'_>, counts: bool) -> Outcome {
    let mut simulation = Simulation::new(setup.clone()).expect("the setup fits its network");
    if counts {
        simulation.count_copies();
    }
    let outcome = simulate(&simulation, &AtomicBool::new(false), &|_| {});
    assert!(outcome.casts[0].all.acknowledged.is_some(), "everybody has all of it");
    outcome
}

fn runs(c: &mut Criterion) {
    let rate = BitRate::from_gbps(100);
    let delay = Span::from_us(1);
    let tree = FatTree { ports: 8, hosts_per_edge: None, rate, host_rate: None, delay };
    let network = tree.network().expect("8 ports make a fat tree");
    let lossless = broadcast(&network);
    // The switch of the last host loses packets to it.
    let last = NodeId::at(network.hosts() - 1);
    let up = &network.ports(last)[0];
    let loss =
        LinkLoss { from: up.peer, port: up.peer_port.0, rate: 1e-3, burst: 1, corrupt: false };
    let lossy = Setup { losses: vec![loss], ..lossless.clone() };
    let mut group = c.benchmark_group("broadcast_128");
    group.sample_size(20);
    for (name, setup, counts) in
        [("lossless", &lossless, false), ("lossy", &lossy, false), ("counted", &lossless, true)]
    {
        group.throughput(Throughput::Elements(run(setup, counts).data_hops));
        group.bench_function(name, |b| b.iter(|| run(setup, counts).data_hops));
    }
    group.finish();
}

criterion_group!(benches, runs);
criterion_main!(benches);
