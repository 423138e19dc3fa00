//! Odd but legal runs that once went wrong.

use lightloom_topology::electrical::{FatTree, Link, NodeId};
use lightloom_twin::params::Forwarding;
use lightloom_twin::{Class, DeadLink, End, Flow, Kind, LinkLoss, Setup, Verb};
use lightloom_units::{BitRate, DataSize, Instant, Span};

use crate::given::*;

/// Messages whose repetitions wait at the port while their acknowledgements come in, however many.
#[test]
fn senders_that_are_done_while_they_wait_are_passed_over() {
    let links: Vec<Link> = (0..2).map(|host| (host, 2, G100, Span::from_us(5))).collect();
    let network = wired(2, 1, &links);
    let mut params = params();
    params.transport.timeout = Span::from_us(5);
    let small = Flow { class: Class::LOSSY, ..flow(0, 1, 64) };
    finished(&simulation(&network, params, vec![small; 60_000]));
}

/// A host that is stopped for long is told again, although packets that need not wait take the port without
/// a gap.
#[test]
fn stops_are_told_again_beside_a_stream() {
    let slow = BitRate::from_bps(100_000_000);
    let links: Vec<Link> =
        (0..3).map(|host| (host, 3, if host == 2 { slow } else { G100 }, US)).collect();
    let network = wired(3, 1, &links);
    let mut params = params();
    params.transport.ack_every = 1000;
    params.transport.timeout = Span::from_ms(100);
    let stopped = flow(0, 2, 5_000_000);
    for start in [0, 150, 151, 400] {
        let start = Instant::from_us(start);
        let stream = Flow { class: Class::LOSSY, start, ..flow(1, 0, 50_000_000) };
        let outcome = run(&simulation(&network, params, vec![stopped.clone(), stream]));
        assert_eq!((outcome.end, outcome.fatal), (End::Done, None), "from {start}");
    }
}

/// Which ports are stopped at the end does not depend on threads, nor does their order.
#[test]
fn stopped_ports_are_in_order() {
    let tree = FatTree { ports: 4, hosts_per_edge: None, rate: G100, host_rate: None, delay: US };
    let network = tree.network().unwrap();
    let mut params = params();
    params.switch.buffer_per_port = DataSize::from_bytes(200_000);
    let flows = (1..16).map(|host| flow(host, 0, 10_000_000)).collect();
    let one = Setup { until: Instant::from_us(400), ..simulation(&network, params, flows) };
    let paused = run(&one).paused;
    assert!(paused.len() > 3 && paused.is_sorted(), "{paused:?}");
    for threads in [2, 3, 7] {
        assert_eq!(run(&Setup { threads, ..one.clone() }).paused, paused);
    }
}

/// A repetition that closes a gap is acknowledged at once, however rarely others are.
#[test]
fn a_closed_gap_is_acknowledged() {
    let network = star(2);
    for ack_every in [1, 8, 16] {
        let mut params = params();
        params.transport.recovery = selective(16);
        params.transport.ack_every = ack_every;
        let losses =
            vec![LinkLoss { from: NodeId(0), port: 0, rate: 0.01, burst: 1, corrupt: false }];
        let flows = vec![Flow { class: Class::LOSSY, ..flow(0, 1, 1000 * MTU) }];
        let outcome = finished(&Setup { losses, ..simulation(&network, params, flows) });
        let flow = &outcome.flows[0];
        assert!(flow.repeated > 3, "{flow:?}");
        // Only what is lost again, or at the end of the window, must wait for silence.
        assert!(flow.timeouts <= 2, "every {ack_every}: {flow:?}");
    }
}

/// A long way or a long timeout is no standstill.
#[test]
fn waiting_is_not_stalling() {
    let links: Vec<Link> = (0..2).map(|host| (host, 2, G100, Span::from_ms(150))).collect();
    let network = wired(2, 1, &links);
    let mut patient = params();
    patient.transport.timeout = Span::from_s(1);
    finished(&simulation(&network, patient, vec![flow(0, 1, 1000)]));

    let network = star(2);
    let mut slow = params();
    slow.transport.timeout = Span::from_ms(200);
    let node = NodeId(0);
    let (from, to) = (Instant::ZERO, Instant::from_us(5));
    let dead = vec![DeadLink { node, port: 0, from, to }];
    let flows = vec![Flow { class: Class::LOSSY, ..flow(0, 1, 1000) }];
    finished(&Setup { dead, ..simulation(&network, slow, flows) });
}

/// When everything is done the run ends, although a stop would have been told again later.
#[test]
fn a_run_ends_when_all_is_done() {
    let network = star_at(3, BitRate::from_bps(10_000_000));
    let mut params = params();
    params.switch.buffer_per_port = DataSize::from_bytes(30_000);
    params.transport.timeout = Span::from_s(100);
    let flows = vec![flow(0, 2, 20 * MTU), flow(1, 2, 20 * MTU)];
    let asked = Setup { patience: Span::from_s(900), ..simulation(&network, params, flows) };
    let outcome = lossless(&asked);
    assert!(outcome.links.iter().any(|link| link.pauses > 0));
    let last = outcome.flows.iter().filter_map(|flow| flow.acknowledged).max().unwrap();
    assert!(outcome.reached < last + Span::from_ms(1), "{} after {last}", outcome.reached);
}

/// A switch that cuts through has sent the head of a frame before it can know that its tail is wrong: such
/// frames fall at the host.
#[test]
fn cut_through_hands_on_corrupt_frames() {
    let network = star(2);
    for forwarding in [Forwarding::StoreAndForward, Forwarding::CutThrough] {
        let mut params = params();
        params.switch.forwarding = forwarding;
        let (from, port) = (NodeId(0), 0);
        let losses = vec![LinkLoss { from, port, rate: 0.02, burst: 1, corrupt: true }];
        let flows = vec![Flow { class: Class::LOSSY, ..flow(0, 1, 500 * MTU) }];
        let outcome = finished(&Setup { losses, ..simulation(&network, params, flows) });
        let at_host = outcome.drops.keys().all(|&(node, ..)| network.is_host(node));
        assert_eq!(at_host, forwarding == Forwarding::CutThrough, "{:?}", outcome.drops);
    }
}

/// A packet from a slow way that cuts through to a fast one leaves the port to others until it can go
/// without a gap.
#[test]
fn slow_packets_do_not_hold_the_port() {
    let slow = BitRate::from_gbps(1);
    let links = [(0, 3, slow, US), (1, 3, G100, US), (2, 3, G100, US)];
    let network = wired(3, 1, &links);
    let mut params = params();
    params.switch.forwarding = Forwarding::CutThrough;
    let start = Instant::from_us(3);
    let quick = Flow { class: Class::LOSSY, verb: Verb::Send, start, ..flow(1, 2, 64) };
    let both = Setup { traced: true, ..simulation(&network, params, vec![flow(0, 2, MTU), quick]) };
    let outcome = lossless(&both);
    let order: Vec<_> = arrivals(&outcome, 2, Kind::Data).map(|hop| hop.flow.unwrap().0).collect();
    assert_eq!(order, [1, 0]);
    let alone = lossless(&simulation(&network, params, vec![flow(0, 2, MTU)]));
    assert_eq!(received(&outcome, 0), received(&alone, 0), "the slow one is not later for it");
}

/// What the application would have after the end of the run it does not have.
#[test]
fn messages_that_are_late_are_unfinished() {
    let network = star(2);
    let mut params = params();
    params.stack.receive = Span::from_ms(10);
    let flows = vec![flow(0, 1, 100 * MTU)];
    let whole = finished(&simulation(&network, params, flows.clone()));
    assert_eq!(whole.reached, whole.flows[0].received.unwrap());
    let until = Instant::from_ms(5);
    let cut = run(&Setup { until, ..simulation(&network, params, flows) });
    assert_eq!((cut.flows[0].received, cut.reached), (None, until));
    assert_eq!(cut.flows[0].delivered, 100);
}

/// A flow that starts later than patience lasts is waited for, whatever else is stuck.
#[test]
fn later_flows_are_waited_for() {
    let network = star(3);
    let node = NodeId(1);
    let dead = vec![DeadLink { node, port: 0, from: Instant::ZERO, to: Instant::from_s(100) }];
    let start = Instant::from_ms(300);
    let late = Flow { start, ..flow(0, 2, MTU) };
    let flows = vec![Flow { class: Class::LOSSY, ..flow(0, 1, MTU) }, late];
    let outcome = run(&Setup { dead, ..simulation(&network, params(), flows) });
    assert!(outcome.flows[1].received.is_some());
    assert_eq!(outcome.end, End::Stalled, "the other one never arrives");
}
