//! Priority flow control: nothing is lost while there is headroom, and what goes wrong is told.

use std::collections::BTreeMap;

use lightloom_topology::electrical::{FatTree, LeafSpine, Link, Network, NodeId};
use lightloom_twin::params::Params;
use lightloom_twin::{Class, DropReason, End, Flow, Kind, Outcome, PauseStorm, Setup, Verb};
use lightloom_units::{BitRate, DataSize, Instant, Span};
use proptest::prelude::*;

use crate::given::*;

/// Bytes that a link of 100 Gb/s and 1 us may still deliver when a queue begins to be too long: a
/// frame that has begun at each end, the pause, and a round trip.
const HEADROOM: u64 = 2 * (MTU + HEADER + PREAMBLE + GAP) + 64 + PREAMBLE + 2 * 12_500 + 4_158;

/// Buffers of so many bytes a port, and just the headroom that is needed.
fn tight(buffer: u64) -> Params {
    let mut params = params();
    params.switch.buffer_per_port = DataSize::from_bytes(buffer);
    params.switch.headroom_per_port = DataSize::from_bytes(HEADROOM);
    params
}

fn incast(n: usize, packets: u64) -> Vec<Flow> {
    (0..n).map(|host| flow(host, n, packets * MTU)).collect()
}

#[test]
fn incast_loses_nothing() {
    for (n, buffer, share) in [(16, 50_000, 0.125), (32, 20_000, 0.125), (64, 100_000, 0.05)] {
        let network = star(n as u32 + 1);
        let mut params = tight(buffer);
        params.switch.pause_share = share;
        let outcome = finished(&simulation(&network, params, incast(n, 60)));
        assert!(outcome.flows.iter().all(|flow| flow.dropped == 0), "{:?}", outcome.drops);
        assert!(outcome.links.iter().any(|link| link.pauses > 0), "{n} to 1 stops nobody");
    }
}

/// Lossless packets may take all of the shared buffer, headroom aside; acknowledgements are of a
/// class of their own, and they are not lost for it.
#[test]
fn a_full_buffer_loses_no_acknowledgement() {
    let network = star(17);
    let mut params = tight(40_000);
    params.switch.pause_share = 1.0;
    let outcome = finished(&simulation(&network, params, incast(16, 60)));
    assert!(outcome.drops.is_empty(), "{:?}", outcome.drops);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(24) })]
    #[test]
    fn permutations_lose_nothing(
        order in Just((0..16_usize).collect::<Vec<_>>()).prop_shuffle(),
        buffer in 10_000_u64..200_000,
        share in 0.05..0.5_f64,
        packets in 1_u64..80,
        seed in any::<u64>(),
        hosts_per_edge in prop_oneof![Just(None), Just(Some(4))],
        ecn in any::<bool>(),
    ) {
        let (rate, host_rate) = (G100, None);
        let network = FatTree { ports: 4, hosts_per_edge, rate, host_rate, delay: US };
        let network = network.network().unwrap();
        let mut params = tight(buffer);
        params.switch.pause_share = share;
        if ecn {
            (params.switch.ecn, params.dcqcn) = (with_dcqcn().switch.ecn, with_dcqcn().dcqcn);
        }
        // Two flows a host where they are 32, so that uplinks are shared.
        let flows = (0..network.hosts()).map(|host| flow(host, order[host % 16], packets * MTU));
        let flows = flows.filter(|flow| flow.from != flow.to).collect();
        let outcome = finished(&Setup { seed, ..simulation(&network, params, flows) });
        prop_assert!(outcome.flows.iter().all(|flow| flow.dropped == 0), "{:?}", outcome.drops);
    }
}

#[test]
fn too_little_headroom_is_a_fault_with_its_place() {
    let network = star(9);
    let mut params = tight(20_000);
    params.switch.headroom_per_port = DataSize::from_bytes(1_000);
    for threads in [1, 3] {
        let simulation = simulation(&network, params, incast(8, 200));
        let outcome = run(&Setup { threads, ..simulation });
        assert_eq!(outcome.end, End::Overflow);
        let fault = outcome.fatal.unwrap();
        assert_eq!(fault.node, NodeId(9));
        assert!(fault.port < 8, "{fault}");
        assert!(fault.at.as_ps() < 30_000_000, "the buffer is full after 15 us: {fault}");
        assert!(outcome.reached >= fault.at && outcome.reached <= fault.at + US + US);
        assert!(outcome.drops.contains_key(&(fault.node, fault.port, DropReason::Headroom)));
        assert!(outcome.flows.iter().all(|flow| flow.received.is_none()));
    }
}

/// So many switches in a ring, each with a host and a link of its own rate to the next.
pub fn ring(n: usize) -> Network {
    let mut links: Vec<Link> = (0..n).map(|i| (i, n + i, G100, US)).collect();
    links.extend((0..n).map(|i| (n + i, n + (i + 1) % n, G100, US)));
    wired(n, n, &links)
}

/// Every host sends a third of the way round, where the shortest way is unique: each link between
/// switches waits for the next, all round.
#[test]
fn a_ring_that_stops_itself_is_told() {
    let n = 7;
    let network = ring(n);
    let flows = (0..n).map(|i| flow(i, (i + 3) % n, 2_000 * MTU)).collect();
    let simulation = simulation(&network, tight(40_000), flows);
    for threads in [1, 2] {
        let patience = Span::from_ms(10);
        let outcome = run(&Setup { threads, patience, ..simulation.clone() });
        assert_eq!((outcome.end, &outcome.fatal), (End::Stalled, &None));
        let places: Vec<NodeId> = outcome.paused.iter().map(|stopped| stopped.0).collect();
        assert_eq!(places, (n..2 * n).map(NodeId::at).collect::<Vec<_>>(), "all round");
        for &(node, port, bytes) in &outcome.paused {
            assert!(!network.is_host(network.ports(node)[usize::from(port)].peer));
            assert!(bytes >= MTU);
        }
        assert!(outcome.reached > Instant::ZERO + patience);
        assert!(outcome.drops.is_empty());
    }
    // Without flow control packets fall instead, and all gets through.
    let mut open = simulation;
    open.params.switch.pfc = false;
    open.params.transport.recovery = selective(16);
    finished(&open);
}

/// What a port tells a sender: (when, how long, in picoseconds) of each pause that arrived there.
fn pauses(outcome: &Outcome, host: usize) -> Vec<(u64, u64)> {
    let pauses = arrivals(outcome, host, Kind::Pause);
    pauses.map(|hop| (hop.at.as_ps(), u64::from(hop.packet.psn.get()) * 64 * 80)).collect()
}

/// Hosts of 100 Gb/s send to one of 100 Mb/s: their queues take longer to shrink than one pause
/// lasts (65,535 quanta of 512 bits: 335 us), so that pauses are told again in time. While it is
/// stopped a host sends nothing.
#[test]
fn long_stops_are_told_again() {
    let slow = BitRate::from_bps(100_000_000);
    let links: Vec<Link> =
        (0..5).map(|host| (host, 5, if host == 4 { slow } else { G100 }, US)).collect();
    let network = wired(5, 1, &links);
    let mut params = tight(20_000);
    params.transport.timeout = Span::from_ms(100);
    let simulation = simulation(&network, params, incast(4, 30));
    let outcome = lossless(&Setup { traced: true, ..simulation });
    let longest = 65_535 * 64 * 80;
    let mut again = 0;
    for host in 0..4 {
        let pauses = pauses(&outcome, host);
        // Pairs of one pause and the next, without a resume between.
        for pair in pauses.windows(2).filter(|pair| pair[0].1 > 0 && pair[1].1 > 0) {
            again += 1;
            assert_eq!(pair[0].1, longest);
            assert!(pair[1].0 - pair[0].0 < longest * 3 / 4, "told again well before it ends");
        }
        let stopped = |at: u64| {
            let last = pauses.iter().rfind(|pause| pause.0 <= at);
            last.is_some_and(|pause| pause.0 + pause.1 > at)
        };
        let switch = outcome.trace.iter().filter(|hop| hop.node == NodeId(5));
        let data =
            switch.filter(|hop| usize::from(hop.port) == host && hop.packet.kind == Kind::Data);
        for hop in data {
            let start =
                hop.at.as_ps() - US.as_ps() - time(PREAMBLE + u64::from(hop.packet.bytes), G100);
            assert!(!stopped(start), "host {host} sends at {start} ps though it is stopped");
        }
    }
    assert!(again > 100, "{again}");
}

/// A pause of 65,535 quanta is 4 MB of time, also where a byte is no whole number of picoseconds.
#[test]
fn pauses_last_at_any_rate() {
    for rate in [G100, BitRate::from_bps(25_781_250_000), BitRate::from_bps(41_250_000_001)] {
        let network = star_at(5, rate);
        let simulation = simulation(&network, tight(40_000), incast(4, 100));
        let outcome = lossless(&Setup { traced: true, ..simulation });
        assert!(outcome.links.iter().any(|link| link.pauses > 0));
        let last = time(MTU + HEADER + PREAMBLE + GAP, rate) * 400 + 4_000_000;
        assert!(last_received(&outcome) < last, "the link idles at {rate}");
    }
}

/// Control packets of a stopped host go on: the acknowledgements of host 0 are no later for it than
/// one frame that is going out.
#[test]
fn stopped_data_does_not_stop_control() {
    let slow = BitRate::from_bps(100_000_000);
    let links: Vec<Link> =
        (0..3).map(|host| (host, 3, if host == 2 { slow } else { G100 }, US)).collect();
    let network = wired(3, 1, &links);
    let mut params = tight(20_000);
    params.transport.timeout = Span::from_ms(100);
    let late = Flow { start: Instant::from_ms(1), ..flow(1, 0, 50 * MTU) };
    let alone = lossless(&simulation(&network, params, vec![late.clone()]));
    let both = lossless(&simulation(&network, params, vec![late, flow(0, 2, 100 * MTU)]));
    let acknowledged = |outcome: &Outcome| outcome.flows[0].acknowledged.unwrap();
    // Data to host 0 may wait for an acknowledgement and a pause that go there.
    let wait = 2 * time(CONTROL + PREAMBLE + GAP, G100);
    assert!(received(&both, 0) <= received(&alone, 0) + wait, "nothing stops host 1");
    let later = (acknowledged(&both) - acknowledged(&alone)).as_ps();
    let frame = time(MTU + HEADER + PREAMBLE + GAP, G100);
    assert!(later <= frame + wait, "{later} ps later");
    let stopped = both.links.iter().map(|link| link.pauses).sum::<u64>();
    assert!(stopped > 2, "{stopped}");
}

/// Every direction of a link that was stopped, and how long, by its outcome and by the pauses that
/// arrived at its transmitter until the end.
fn stopped_times(until: Instant) -> Vec<(NodeId, u64, u64)> {
    let (leaves, spines, hosts_per_leaf, rate, delay) = (3, 1, 4, G100, US);
    let network = LeafSpine { leaves, spines, hosts_per_leaf, rate, host_rate: None, delay };
    let network = network.network().unwrap();
    let flows = (0..11).map(|host| flow(host, 11, 100 * MTU)).collect();
    let simulation = simulation(&network, tight(30_000), flows);
    let outcome = run(&Setup { traced: true, until, ..simulation });
    let mut told: BTreeMap<(NodeId, u16), Vec<(u64, bool)>> = BTreeMap::new();
    for hop in outcome.trace.iter().filter(|hop| hop.packet.kind == Kind::Pause) {
        assert_eq!(hop.packet.class, Class::LOSSLESS);
        let stops = hop.packet.psn.get() > 0;
        told.entry((hop.node, hop.port)).or_default().push((hop.at.as_ps(), stops));
    }
    let times = told.into_iter().map(|(place, pauses)| {
        let (mut since, mut sum) = (None, 0);
        for (at, stops) in pauses {
            match (since, stops) {
                (None, true) => since = Some(at),
                (Some(start), false) => {
                    sum += at - start;
                    since = None;
                }
                _ => {}
            }
        }
        sum += since.map_or(0, |start| outcome.reached.as_ps().saturating_sub(start));
        let link = outcome.links.iter().find(|link| (link.from, link.port) == place).unwrap();
        (place.0, link.paused.as_ps(), sum)
    });
    times.collect()
}

const HOSTS: usize = 12;

#[test]
fn stopped_time_of_switches_is_counted() {
    let times = stopped_times(Instant::from_s(1));
    let (_, switches): (Vec<_>, Vec<_>) = times.iter().partition(|time| time.0.index() < HOSTS);
    assert!(!switches.is_empty());
    assert!(switches.iter().all(|(_, said, seen)| said == seen), "{switches:?}");
}

#[test]
fn stopped_time_of_hosts_is_counted() {
    let times = stopped_times(Instant::from_s(1));
    let (hosts, _): (Vec<_>, Vec<_>) = times.iter().partition(|time| time.0.index() < HOSTS);
    assert!(!hosts.is_empty());
    assert!(hosts.iter().all(|(_, said, seen)| said == seen), "{hosts:?}");
}

/// A stop that goes on at the end counts until there.
#[test]
fn stopped_time_ends_with_the_run() {
    for until in (20..200).step_by(10).map(Instant::from_us) {
        for (node, said, _) in stopped_times(until) {
            assert!(said <= until.as_ps(), "node {node} stopped for {said} ps of {until}");
        }
    }
}

/// Neither the class of data that may be dropped nor control is ever stopped.
#[test]
fn other_classes_are_never_stopped() {
    let network = star(17);
    let lossy = |flow| Flow { class: Class::LOSSY, verb: Verb::Write, ..flow };
    let flows = incast(16, 60).into_iter().map(lossy).collect();
    let mut params = tight(20_000);
    params.transport.timeout = Span::from_us(200);
    let outcome = finished(&simulation(&network, params, flows));
    assert!(outcome.links.iter().all(|link| link.pauses == 0 && link.paused == Span::ZERO));
    assert!(outcome.drops.keys().all(|drop| drop.2 == DropReason::Buffer));
    assert!(!outcome.drops.is_empty());
}

/// A host that stops its switch for a while holds back all who send to it, and those who share their way;
/// after it nothing is lost. One that never ends brings all of them to a standstill.
#[test]
fn pause_storms_spread_and_end() {
    let (leaves, spines, hosts_per_leaf, rate, delay) = (2, 1, 3, G100, US);
    let network = LeafSpine { leaves, spines, hosts_per_leaf, rate, host_rate: None, delay };
    let network = network.network().unwrap();
    let host = NodeId(5);
    // Host 0 sends to the stormy host, host 1 to its neighbour over the same spine.
    let flows = vec![flow(0, 5, 500 * MTU), flow(1, 4, 500 * MTU)];
    let mut params = tight(50_000);
    params.transport.timeout = Span::from_ms(50);
    let calm = simulation(&network, params, flows);
    let alone = lossless(&calm);
    let (from, to) = (Instant::from_us(20), Instant::from_us(1_020));
    let storms = vec![PauseStorm { host, from, to }];
    let stormy = Setup { storms, ..calm.clone() };
    let outcome = lossless(&stormy);
    for flow in 0..2 {
        let later = received(&outcome, flow) - received(&alone, flow);
        assert!(later > 900_000_000, "flow {flow} waits for the storm: {later} ps");
    }
    for threads in [2, 7] {
        assert_eq!(lossless(&Setup { threads, ..stormy.clone() }).flows, outcome.flows);
    }
    let storms = vec![PauseStorm { host, from, to: Instant::from_s(100) }];
    let endless = Setup { patience: Span::from_ms(20), storms, ..calm };
    let outcome = run(&endless);
    assert_eq!(outcome.end, End::Stalled);
    let leaf_of_storm = NodeId(7);
    assert!(outcome.paused.iter().any(|stopped| stopped.0 == leaf_of_storm), "{outcome:?}");
    assert!(outcome.drops.is_empty());
}
