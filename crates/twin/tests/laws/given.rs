//! Networks, parameters and runs to hold the laws against.

use std::sync::atomic::AtomicBool;

use lightloom_topology::electrical::{LeafSpine, Link, Network, NodeId, edge_list};
use lightloom_twin::params::{
    Alpha, Clamp, Dcqcn, EcnParams, Marks, Notices, Params, Recovery, Stages,
};
use lightloom_twin::{
    Class, End, Flow, Group, Hop, Kind, Outcome, Service, Setup, Simulation, Verb, simulate,
};
use lightloom_units::{BitRate, DataSize, Instant, Span};
use proptest::test_runner::Config as ProptestConfig;

pub const G100: BitRate = BitRate::from_gbps(100);
pub const US: Span = Span::from_us(1);
/// Bytes of a data packet that are not payload.
pub const HEADER: u64 = 62;
/// Bytes of an acknowledgement or a notification.
pub const CONTROL: u64 = 66;
pub const PREAMBLE: u64 = 8;
pub const GAP: u64 = 12;
/// Payload of a full packet.
pub const MTU: u64 = 4096;

/// Lossless, without congestion control, nothing but links in the way, every packet acknowledged.
pub fn params() -> Params {
    Params::default()
}

/// The parameters of Zhu et al. (SIGCOMM 2015, figure 14), at 40 Gb/s.
pub fn with_dcqcn() -> Params {
    let mut params = params();
    params.switch.ecn = Some(EcnParams {
        at: BitRate::from_gbps(40),
        kmin: DataSize::from_bytes(5_000),
        kmax: DataSize::from_bytes(200_000),
        pmax: 0.01,
        when: Marks::Joining,
    });
    let least = BitRate::from_bps(10_000_000);
    params.dcqcn = Some(Dcqcn { least, ..Dcqcn::default() });
    params
}

/// The reaction point of HPCC's simulator (`catalogue/twin-rdma-ns3.toml`), for links of 100 Gb/s.
pub fn rdma_ns3() -> Dcqcn {
    Dcqcn {
        g: 1.0 / 256.0,
        alpha: Alpha::Periodic,
        alpha_timer: Span::from_us(1),
        first_share: 1.0,
        cut_interval: Span::from_us(4),
        clamp: Clamp::AfterIncrease,
        increase_timer: Span::from_us(300),
        byte_counter: None,
        fast_steps: 1,
        stages: Stages::Ahead,
        additive: BitRate::from_bps(20_000_000),
        hyper: BitRate::from_bps(200_000_000),
        at: Some(G100),
        least: BitRate::from_gbps(1),
        cnp_interval: Span::ZERO,
        notices: Notices::Answers,
    }
}

/// Selective repeat with a window of so many packets.
pub fn selective(window: u32) -> Recovery {
    Recovery::SelectiveRepeat { window, short_timeout: Span::from_us(100), few: 3, reorder: 0 }
}

/// A network of these links; hosts are numbered first.
pub fn wired(hosts: usize, switches: usize, links: &[Link]) -> Network {
    let names = |kind: &str, n: usize| (0..n).map(|i| format!("{kind}{i}")).collect::<Vec<_>>();
    edge_list(&names("h", hosts), &names("s", switches), links).unwrap()
}

/// Hosts on one switch, at 100 Gb/s and 1 us.
pub fn star(hosts: u32) -> Network {
    star_at(hosts, G100)
}

/// Hosts on one switch.
pub fn star_at(hosts: u32, rate: BitRate) -> Network {
    LeafSpine { leaves: 1, spines: 0, hosts_per_leaf: hosts, rate, host_rate: None, delay: US }
        .network()
        .unwrap()
}

/// So many switches in a row with two hosts at each end: 0 and 1 at the first, 2 and 3 at the last.
pub fn dumbbell(switches: usize, rate: BitRate) -> Network {
    let (first, last) = (4, 3 + switches);
    let mut links: Vec<Link> =
        [(0, first), (1, first), (2, last), (3, last)].map(|(a, b)| (a, b, rate, US)).to_vec();
    links.extend((first..last).map(|s| (s, s + 1, rate, US)));
    wired(4, switches, &links)
}

/// A lossless SEND at the start.
pub fn flow(from: usize, to: usize, bytes: u64) -> Flow {
    Flow {
        from: NodeId::at(from),
        to: NodeId::at(to),
        size: DataSize::from_bytes(bytes),
        start: Instant::ZERO,
        after: Vec::new(),
        class: Class::LOSSLESS,
        verb: Verb::Send,
        connection: None,
    }
}

pub fn simulation(network: &Network, params: Params, flows: Vec<Flow>) -> Setup<'_> {
    Setup { flows, until: Instant::from_s(10), ..Setup::new(network, params) }
}

/// The setup, checked.
pub fn checked<'a>(setup: &Setup<'a>) -> Simulation<'a> {
    Simulation::new(setup.clone()).unwrap()
}

/// Runs it; whatever comes of it, every packet is accounted for, and no answer covers what a receiver lacks.
pub fn run(simulation: &Setup<'_>) -> Outcome {
    let mut one = checked(simulation);
    one.check_answers();
    let outcome = simulate(&one, &AtomicBool::new(false), &|_| {});
    assert_eq!(outcome.unbalanced, [], "{:?} {:?}", outcome.end, outcome.fatal);
    let answers = outcome.answers.as_ref().unwrap();
    assert_eq!(answers.wrong, [], "of {}", answers.checked);
    // What is acknowledged has gone out once in full; what reached members without their group went over connections of
    // their own.
    let by_group = outcome.groups.iter().all(|group| group.fell_back == 0);
    let casts = outcome.casts.iter().map(|cast| &cast.all).filter(|_| by_group);
    for flow in outcome.flows.iter().chain(casts).filter(|flow| flow.acknowledged.is_some()) {
        assert_eq!(flow.bytes.first, flow.bytes.asked, "{flow:?}");
    }
    outcome
}

/// Runs it to its end, at which everything has arrived and nothing is left.
pub fn finished(simulation: &Setup<'_>) -> Outcome {
    let outcome = run(simulation);
    assert_eq!((outcome.end, &outcome.fatal), (End::Done, &None));
    for flow in &outcome.flows {
        assert!(flow.received.is_some() && flow.acknowledged.is_some(), "{flow:?}");
        assert_eq!(flow.in_flight, 0);
    }
    assert!(outcome.links.iter().all(|link| link.in_flight == 0));
    assert_eq!(outcome.paused, []);
    outcome
}

/// [`finished`], and nothing was dropped anywhere.
pub fn lossless(simulation: &Setup<'_>) -> Outcome {
    let outcome = finished(simulation);
    assert!(outcome.drops.is_empty(), "{:?}", outcome.drops);
    assert!(outcome.flows.iter().all(|flow| flow.repeated == 0 && flow.timeouts == 0));
    outcome
}

/// When a flow was received, in picoseconds.
pub fn received(outcome: &Outcome, flow: usize) -> u64 {
    outcome.flows[flow].received.unwrap().as_ps()
}

/// When the last flow was received, in picoseconds.
pub fn last_received(outcome: &Outcome) -> u64 {
    (0..outcome.flows.len()).map(|flow| received(outcome, flow)).max().unwrap()
}

/// What arrived at a host of one kind, in order.
pub fn arrivals(outcome: &Outcome, host: usize, kind: Kind) -> impl Iterator<Item = &Hop> {
    let at = NodeId::at(host);
    outcome.trace.iter().filter(move |hop| hop.node == at && hop.packet.kind == kind)
}

/// Picoseconds of bytes at a rate, rounded up.
pub fn time(bytes: u64, rate: BitRate) -> u64 {
    let bits = u128::from(bytes) * 8_000_000_000_000;
    u64::try_from(bits.div_ceil(rate.as_bps().into())).unwrap()
}

/// A group of datagrams.
pub fn datagrams(members: Vec<NodeId>) -> Group {
    Group { members, service: Service::Datagrams }
}

/// Cases of a property: so many, or what the environment says.
pub fn cases(usual: u32) -> ProptestConfig {
    let said = std::env::var("PROPTEST_CASES").ok().and_then(|said| said.parse().ok());
    ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(said.unwrap_or(usual))
    }
}
