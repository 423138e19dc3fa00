//! Every packet is accounted for, whatever happens: `run` checks that no sum is broken.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use lightloom_topology::electrical::{FatTree, LeafSpine, Link, Network, NodeId};
use lightloom_twin::params::{Forwarding, Marks, Overflows, Params, RETH, Recovery, Reserves};
use lightloom_twin::{
    Class, DeadLink, Dest, DropReason, End, Flow, FlowId, Kind, LinkLoss, Outcome, Setup, Verb,
    simulate,
};
use lightloom_units::{BitRate, DataSize, Instant, Span};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::given::*;

/// Small networks: a star, leaves and spines, a fat tree, and switches in a ring with chords.
pub fn any_network() -> impl Strategy<Value = Network> {
    let rates = || prop_oneof![Just(G100), (1_u64..200).prop_map(BitRate::from_gbps)];
    let leaf_spine = (1_u32..4, 1_u32..4, 2_u32..4, rates(), rates()).prop_map(
        |(leaves, spines, h, rate, r)| {
            LeafSpine { leaves, spines, hosts_per_leaf: h, rate, host_rate: Some(r), delay: US }
                .network()
                .unwrap()
        },
    );
    let tree = rates().prop_map(|rate| {
        FatTree { ports: 4, hosts_per_edge: Some(1), rate, host_rate: None, delay: US }
            .network()
            .unwrap()
    });
    let link = move || (rates(), (500_000_u64..5_000_000).prop_map(Span::from_ps));
    let any = (2_usize..6, 2_usize..6).prop_flat_map(move |(hosts, switches)| {
        let chords = vec((0..switches, 1..switches, link()), 0..4);
        let down = vec((0..switches, link()), hosts);
        (Just((hosts, switches)), down, vec(link(), switches), chords)
    });
    let any = any.prop_map(|((hosts, switches), down, ring, chords)| {
        let at = |switch: usize| hosts + switch % switches;
        let mut links: Vec<Link> = Vec::new();
        links.extend(down.iter().enumerate().map(|(i, &(s, (r, d)))| (i, at(s), r, d)));
        links.extend(ring.iter().enumerate().map(|(i, &(r, d))| (at(i), at(i + 1), r, d)));
        links.extend(chords.iter().map(|&(a, by, (r, d))| (at(a), at(a + by), r, d)));
        wired(hosts, switches, &links)
    });
    prop_oneof![leaf_spine, tree, any]
}

pub fn any_params() -> impl Strategy<Value = Params> {
    let recovery = prop_oneof![Just(Recovery::GoBackN), (1_u32..80).prop_map(selective)];
    let switch = (5_000_u64..300_000, 0_u64..120_000, 0.02..1.0_f64, 0.1..2.0_f64, any::<bool>());
    let modes = (any::<bool>(), any::<bool>(), 0_u64..500_000, any::<bool>());
    let transport = (recovery, 1_u32..5, 50_u64..300, any::<u32>());
    let mtu = prop_oneof![Just(1024_u16), Just(4096)];
    let forks = (any::<bool>(), any::<bool>(), 0_u64..20_000, 0.0..3.0_f64);
    (switch, modes, transport, mtu, forks).prop_map(|(switch, modes, transport, mtu, forks)| {
        let mut params = if modes.0 { with_dcqcn() } else { params() };
        params.wire.mtu = mtu;
        let of = &mut params.switch;
        of.buffer_per_port = DataSize::from_bytes(switch.0);
        of.headroom_per_port = DataSize::from_bytes(switch.1);
        (of.pause_share, of.drop_share, of.pfc) = (switch.2, switch.3, switch.4);
        if modes.1 {
            of.forwarding = Forwarding::CutThrough;
        }
        // What the RDMA forks of ns-3 do otherwise.
        if forks.0 {
            of.reserves = Reserves::Within;
            of.buffer = DataSize::from_bytes(2_000_000);
        }
        (of.minimum_per_port, of.headroom_delays) = (DataSize::from_bytes(forks.2), forks.3);
        if let (true, Some(ecn)) = (forks.1, &mut of.ecn) {
            ecn.when = Marks::Leaving;
            params.dcqcn = Some(rdma_ns3());
        }
        of.latency = Span::from_ps(modes.2);
        of.overflow = if modes.3 { Overflows::End } else { Overflows::Drop };
        params.transport.recovery = transport.0;
        params.transport.ack_every = transport.1;
        params.transport.timeout = Span::from_us(transport.2);
        params.transport.first_psn = transport.3;
        params
    })
}

/// Flows, losses and deaths, whose nodes and ports are taken modulo what the network has.
pub type Traffic = (Vec<Flow>, Vec<LinkLoss>, Vec<DeadLink>);

fn any_traffic() -> impl Strategy<Value = Traffic> {
    let class = prop_oneof![Just(Class::LOSSLESS), Just(Class::LOSSY), Just(Class::CONTROL)];
    let verb = prop_oneof![Just(Verb::Send), Just(Verb::Write)];
    let node = || (0_u32..1000).prop_map(NodeId);
    let connection = proptest::option::of(0_u32..6);
    let flow = (node(), node(), 0_u64..100_000, 0_u64..100_000_000, class, verb, connection);
    let flow = flow.prop_map(|(from, to, size, start, class, verb, connection)| Flow {
        from,
        to,
        size: DataSize::from_bytes(size),
        start: Instant::from_ps(start),
        after: Vec::new(),
        class,
        verb,
        connection,
    });
    let loss = (node(), any::<u16>(), 0.0..0.3_f64, 1_u32..8, any::<bool>());
    let loss = loss.prop_map(|(from, port, rate, burst, corrupt)| LinkLoss {
        from,
        port,
        rate,
        burst,
        corrupt,
    });
    let dead = (node(), any::<u16>(), 0_u64..100_000_000, 0_u64..300_000_000);
    let dead = dead.prop_map(|(node, port, from, time)| DeadLink {
        node,
        port,
        from: Instant::from_ps(from),
        to: Instant::from_ps(from + time),
    });
    (vec(flow, 1..12), vec(loss, 0..4), vec(dead, 0..3))
}

/// A simulation of what was drawn.
pub fn drawn<'a>(
    network: &'a Network,
    params: Params,
    (flows, losses, dead): &Traffic,
) -> Setup<'a> {
    let (hosts, nodes) = (network.hosts() as u32, network.nodes() as u32);
    let host = |node: NodeId| NodeId(node.0 % hosts);
    let place = |node: NodeId, port: u16| {
        let node = NodeId(node.0 % nodes);
        (node, port % network.ports(node).len() as u16)
    };
    let mut simulation = simulation(network, params, flows.clone());
    for flow in &mut simulation.flows {
        (flow.from, flow.to) = (host(flow.from), host(flow.to));
    }
    tie(&mut simulation.flows);
    simulation.losses = losses.clone();
    for loss in &mut simulation.losses {
        (loss.from, loss.port) = place(loss.from, loss.port);
    }
    simulation.dead = dead.clone();
    for dead in &mut simulation.dead {
        (dead.node, dead.port) = place(dead.node, dead.port);
    }
    simulation.patience = Span::from_ms(1);
    simulation.until = Instant::from_ms(4);
    simulation
}

/// Lets flows with a drawn connection share those of their hosts and class, and wait for some that come to
/// their senders.
fn tie(flows: &mut [Flow]) {
    let mut names: BTreeMap<(NodeId, NodeId, Class, u32), u32> = BTreeMap::new();
    for i in 0..flows.len() {
        let (from, to, class) = (flows[i].from, flows[i].to, flows[i].class);
        let Some(drawn) = flows[i].connection.filter(|_| class != Class::CONTROL) else {
            flows[i].connection = None;
            continue;
        };
        let name = names.len() as u32;
        let key = (from.min(to), from.max(to), class, drawn % 2);
        flows[i].connection = Some(*names.entry(key).or_insert(name));
        let before = (0..i).filter(|&before| drawn % 3 == 0 && flows[before].to == from);
        flows[i].after = before.map(|before| FlowId(before as u32)).take(3).collect();
    }
}

pub fn any_drawn() -> impl Strategy<Value = (Network, Params, Traffic)> {
    (any_network(), any_params(), any_traffic())
}

/// What else must add up.
fn adds_up(simulation: &Setup<'_>, outcome: &Outcome) {
    let sum =
        |of: fn(&lightloom_twin::FlowOutcome) -> u64| -> u64 { outcome.flows.iter().map(of).sum() };
    // Drops by place are those of flows and of control packets.
    let drops: u64 = outcome.drops.values().sum();
    assert!(drops >= sum(|flow| flow.dropped));
    let overflowed: u64 = outcome.overflows.iter().map(|overflow| overflow.packets).sum();
    let in_headroom = outcome.drops.iter().filter(|(drop, _)| drop.2 == DropReason::Headroom);
    assert_eq!(overflowed, in_headroom.map(|(_, packets)| packets).sum::<u64>());
    // What went over links is data or control.
    let sent: u64 = outcome.links.iter().map(|link| link.sent).sum();
    assert_eq!(sent, outcome.data_hops + outcome.control_hops);
    // What a link has sent and not lost is in the trace or under way, byte for byte.
    let mut arrived: BTreeMap<(NodeId, u16), u64> = BTreeMap::new();
    for hop in outcome.trace.iter().filter(|hop| !hop.is_lost) {
        *arrived.entry((hop.node, hop.port)).or_default() += u64::from(hop.packet.bytes);
    }
    for link in &outcome.links {
        let end = &simulation.network.ports(link.from)[usize::from(link.port)];
        let arrived = arrived.get(&(end.peer, end.peer_port.0)).copied().unwrap_or_default();
        assert!(link.sent_bytes >= arrived, "{link:?}: {arrived}");
        assert!(
            link.lost + link.in_flight > 0 || link.sent_bytes == arrived,
            "{link:?}: {arrived}"
        );
        let largest = u64::from(simulation.params.wire.mtu) + 1_000;
        assert!(link.sent_bytes - arrived <= (link.lost + link.in_flight) * largest, "{link:?}");
    }
    // The trace has every arrival, and what was under way to a part that died.
    let received: u64 = outcome.links.iter().map(|link| link.received).sum();
    let (lost, arrived): (Vec<&_>, Vec<&_>) = outcome.trace.iter().partition(|hop| hop.is_lost);
    assert_eq!(received, arrived.len() as u64);
    let dead = outcome.drops.iter().filter(|(drop, _)| drop.2 == DropReason::Dead);
    assert!(lost.len() as u64 <= dead.map(|(_, packets)| packets).sum::<u64>());
    assert!(lost.len() as u64 <= outcome.links.iter().map(|link| link.lost).sum::<u64>());
    let mut delivered = vec![(0_u64, 0_u64); outcome.flows.len()];
    let mut seen = 0;
    for hop in &outcome.trace {
        let packet = &hop.packet;
        assert!(hop.at >= Instant::from_ps(seen), "time never goes back");
        seen = hop.at.as_ps();
        let at_end =
            packet.kind == Kind::Data && packet.to == Dest::host(hop.node) && !packet.is_corrupt();
        let at_end = at_end && !hop.is_lost;
        if let Some(flow) = hop.flow {
            let (packets, bytes) = &mut delivered[flow.index()];
            *packets += u64::from(at_end);
            *bytes += u64::from(at_end) * u64::from(packet.bytes);
        }
    }
    for ((flow, said), delivered) in outcome.flows.iter().zip(&simulation.flows).zip(delivered) {
        let mtu = u64::from(simulation.params.wire.mtu);
        let packets = said.size.as_bytes().div_ceil(mtu).max(1);
        let (delivered, delivered_bytes) = delivered;
        assert!(flow.delivered <= delivered);
        // A packet that its host does not expect counts as dropped, not as delivered.
        assert!(flow.bytes.delivered <= delivered_bytes);
        assert!(flow.delivered < delivered || flow.bytes.delivered == delivered_bytes);
        let header = u64::from(simulation.params.wire.header);
        let extra = if said.verb == Verb::Write { u64::from(RETH) } else { 0 };
        let asked = said.size.as_bytes() + packets * header + extra;
        assert_eq!(flow.bytes.asked, asked);
        assert!(flow.bytes.first <= asked && flow.bytes.sent >= flow.bytes.first);
        assert!(flow.acknowledged.is_none() || flow.bytes.first == asked);
        assert_eq!(flow.bytes.sent == flow.bytes.first, flow.repeated == 0);
        assert!(flow.received.is_none() || flow.delivered >= packets);
        assert!(flow.acknowledged.is_none() || flow.received.is_some());
        assert!(flow.repeated <= flow.sent && flow.sent - flow.repeated <= packets);
        assert!(flow.spurious <= flow.repeated && flow.spurious <= flow.delivered);
    }
    if outcome.end == End::Done {
        assert!(outcome.flows.iter().all(|flow| flow.acknowledged.is_some()));
        // A run is done too that stands still after the last acknowledgement, with repetitions on long ways.
        assert!(outcome.flows.iter().all(|flow| flow.in_flight <= flow.repeated));
    }
    assert_eq!(outcome.end == End::Overflow, outcome.fatal.is_some());
    let ends = simulation.params.switch.overflow == Overflows::End;
    assert!(!ends || outcome.fatal.is_some() || outcome.overflows.is_empty());
    assert!(outcome.reached <= simulation.until);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(150) })]
    #[test]
    fn nothing_appears_or_vanishes(
        drawn_ in any_drawn(),
        threads in 1_usize..3,
        seed in any::<u64>(),
        until in prop_oneof![Just(None), (0_u64..300_000_000).prop_map(Some)],
    ) {
        let (network, params, traffic) = &drawn_;
        let mut simulation = drawn(network, *params, traffic);
        (simulation.threads, simulation.seed, simulation.traced) = (threads, seed, true);
        if let Some(until) = until {
            simulation.until = Instant::from_ps(until);
        }
        adds_up(&simulation, &run(&simulation));
    }

    /// Stopped from outside, before the start or on the way.
    #[test]
    fn nothing_vanishes_when_stopped(drawn_ in any_drawn(), threads in 1_usize..3, after in 0_u64..200_000_000) {
        let (network, params, traffic) = &drawn_;
        let mut simulation = drawn(network, *params, traffic);
        (simulation.threads, simulation.traced) = (threads, true);
        let stop = AtomicBool::new(after == 0);
        let told = |now: Instant| {
            if now.as_ps() >= after {
                stop.store(true, Ordering::Relaxed);
            }
        };
        let outcome = simulate(&checked(&simulation), &stop, &told);
        prop_assert_eq!(&outcome.unbalanced, &[]);
        adds_up(&simulation, &outcome);
    }
}
