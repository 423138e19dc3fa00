//! Who goes first: flows at one port take turns, and those of one host share it by their rates.

use lightloom_topology::electrical::{FatTree, Link, NodeId};
use lightloom_twin::{Class, Flow, Kind, Outcome, Setup};
use lightloom_units::{BitRate, DataSize, Instant, Span};

use crate::given::*;

/// The flows whose data arrives at a host, in order.
fn order(outcome: &Outcome, host: usize) -> Vec<usize> {
    arrivals(outcome, host, Kind::Data)
        .map(|hop| hop.flow.expect("data belongs to a flow").index())
        .collect()
}

fn takes_turns(order: &[usize], flows: usize) -> bool {
    order.iter().enumerate().all(|(i, &flow)| flow == i % flows)
}

#[test]
fn hosts_take_turns_at_a_port() {
    for m in [2, 3, 7] {
        let network = star(m as u32 + 1);
        let flows = (0..m).map(|host| flow(host, m, 40 * MTU)).collect();
        let mut params = params();
        params.switch.pfc = false;
        let outcome = lossless(&Setup { traced: true, ..simulation(&network, params, flows) });
        let order = order(&outcome, m);
        assert_eq!(order.len(), 40 * m);
        assert!(takes_turns(&order, m), "{order:?}");
    }
}

#[test]
fn flows_of_a_host_take_turns() {
    for m in [2, 3, 7] {
        let network = star(2);
        let flows = (0..m).map(|_| flow(0, 1, 40 * MTU)).collect();
        let outcome = lossless(&Setup { traced: true, ..simulation(&network, params(), flows) });
        let order = order(&outcome, 1);
        assert_eq!(order.len(), 40 * m);
        assert!(takes_turns(&order, m), "{order:?}");
    }
}

/// Two flows with a head start have no debt: from the moment a third begins, all three take turns.
#[test]
fn a_late_flow_gets_its_share_at_once_and_no_more() {
    let network = star(2);
    let late = Flow { start: Instant::from_us(20), ..flow(0, 1, 40 * MTU) };
    let flows = vec![flow(0, 1, 100 * MTU), flow(0, 1, 100 * MTU), late];
    let outcome = lossless(&Setup { traced: true, ..simulation(&network, params(), flows) });
    let order = order(&outcome, 1);
    let first = order.iter().position(|&flow| flow == 2).unwrap();
    for (i, window) in order[first..first + 100].windows(3).enumerate() {
        let mut window = window.to_vec();
        window.sort_unstable();
        assert_eq!(window, [0, 1, 2], "{i} packets after the third flow began");
    }
}

/// A flow that its rate holds back leaves the rest of the link to its neighbour: host 0 sends to a
/// host of 10 Gb/s and to one of 40.
#[test]
fn flows_of_a_host_share_by_their_rates() {
    let (fast, slow) = (BitRate::from_gbps(40), BitRate::from_gbps(10));
    let links: Vec<Link> = vec![(0, 3, fast, US), (1, 3, slow, US), (2, 3, fast, US)];
    let network = wired(3, 1, &links);
    let flows = vec![flow(0, 1, 1 << 30), flow(0, 2, 1 << 30)];
    let (from, until) = (Instant::from_ms(20), Instant::from_ms(40));
    let outcome = run(&Setup { traced: true, until, ..simulation(&network, with_dcqcn(), flows) });
    let gbps = |host: usize| {
        let late = arrivals(&outcome, host, Kind::Data).filter(|hop| hop.at >= from);
        late.map(|hop| f64::from(hop.packet.bytes) * 8.0).sum::<f64>() / 0.02 / 1e9
    };
    let (held, free) = (gbps(1), gbps(2));
    assert!((8.0..=10.0).contains(&held), "{held} Gb/s");
    assert!((28.0..=32.0).contains(&free), "{held} and {free} Gb/s");
}

/// A host whose lossless class is stopped goes on with its lossy flows, as if it had no other.
#[test]
fn a_stopped_class_holds_back_no_other() {
    let slow = BitRate::from_bps(100_000_000);
    let links: Vec<Link> =
        (0..3).map(|host| (host, 3, if host == 1 { slow } else { G100 }, US)).collect();
    let network = wired(3, 1, &links);
    let mut params = params();
    params.switch.buffer_per_port = DataSize::from_bytes(20_000);
    params.transport.timeout = Span::from_ms(100);
    // The way to host 1 is slow, so that host 0 is soon stopped.
    let stopped = flow(0, 1, 100 * MTU);
    let start = Instant::from_ms(1);
    let lossy = Flow { class: Class::LOSSY, start, ..flow(0, 2, 20 * MTU) };
    let both = finished(&simulation(&network, params, vec![lossy.clone(), stopped]));
    let alone = finished(&simulation(&network, params, vec![lossy]));
    assert!(both.links[0].paused > Span::from_ms(10), "{}", both.links[0].paused);
    // A lossless packet that may go now and then, when the switch lets it, takes its time at most.
    let frame = time(MTU + HEADER + PREAMBLE + GAP, G100);
    let later = received(&both, 0) - received(&alone, 0);
    assert!(later <= 2 * frame, "{later} ps later");
}

/// The series of all flows add up to that of all hosts, and each to its flow's size.
#[test]
fn series_add_up() {
    let network = star(5);
    let flows: Vec<Flow> = (0..4).map(|host| flow(host, 4, (host as u64 + 1) * 30 * MTU)).collect();
    let interval = Span::from_us(10);
    let asked = Setup { interval, by_flow: true, ..simulation(&network, params(), flows) };
    let outcome = finished(&asked);
    for (series, flow) in outcome.flow_goodput.iter().zip(&asked.flows) {
        assert_eq!(series.iter().sum::<u64>(), flow.size.as_bytes());
    }
    let mut sum = vec![0; outcome.goodput.len()];
    for series in &outcome.flow_goodput {
        series.iter().zip(&mut sum).for_each(|(add, sum)| *sum += add);
    }
    assert_eq!(sum, outcome.goodput);
    let silent = Setup { by_flow: false, ..asked.clone() };
    let silent = finished(&silent);
    assert!(silent.flow_goodput.is_empty());
    assert_eq!(silent.flows, outcome.flows, "who watches changes nothing");
}

/// Every switch spreads flows over its equal ways as a fair draw does: chi-square over all switches within
/// five standard deviations.
#[test]
fn equal_ways_are_taken_evenly() {
    let tree = FatTree { ports: 8, hosts_per_edge: None, rate: G100, host_rate: None, delay: US };
    let network = tree.network().unwrap();
    let hosts = network.hosts();
    // Each host sends one packet to 64 hosts of other pods.
    let to = |from: usize, i: usize| (from + 16 + i) % hosts;
    let flows: Vec<Flow> =
        (0..hosts).flat_map(|from| (0..64).map(move |i| flow(from, to(from, i), 64))).collect();
    let outcome = finished(&simulation(&network, params(), flows));
    let (mut chi, mut free) = (0.0, 0.0);
    for switch in (hosts..network.nodes()).map(NodeId::at) {
        let links = outcome.links.iter().filter(|link| link.from == switch);
        let up = links.filter(|link| {
            let peer = network.ports(switch)[usize::from(link.port)].peer;
            network.tier(peer) > network.tier(switch)
        });
        let counts: Vec<f64> = up.map(|link| link.sent as f64).collect();
        if counts.is_empty() {
            continue;
        }
        let mean = counts.iter().sum::<f64>() / counts.len() as f64;
        assert!(mean > 50.0, "{mean} packets a link");
        chi += counts.iter().map(|count| (count - mean).powi(2) / mean).sum::<f64>();
        free += (counts.len() - 1) as f64;
    }
    assert!((chi - free).abs() < 5.0 * f64::sqrt(2.0 * free), "chi-square {chi} of {free}");
}
