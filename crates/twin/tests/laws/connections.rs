//! Queue pairs that outlive their messages, and messages that wait for several others.

use lightloom_topology::electrical::NodeId;
use lightloom_twin::params::{Params, Recovery};
use lightloom_twin::{Class, DeadLink, Flow, FlowId, Kind, LinkLoss, Outcome, Setup, Verb};
use lightloom_units::{BitRate, Instant, Span};
use proptest::prelude::*;

use crate::given::*;

fn on(connection: u32, flow: Flow) -> Flow {
    Flow { connection: Some(connection), ..flow }
}

/// The sequence numbers that arrive at a host, in order of arrival.
fn psns(outcome: &Outcome, host: usize) -> Vec<u32> {
    arrivals(outcome, host, Kind::Data).map(|hop| hop.packet.psn.get()).collect()
}

/// Messages of one connection go one after the other without a gap, sequence numbers run on, and each is told
/// from the others at both ends.
#[test]
fn messages_of_a_connection_follow_each_other() {
    let network = star(3);
    let mut params = params();
    params.transport.first_psn = 0xff_fffe;
    let sizes = [3 * MTU, 1, 5 * MTU];
    let flows = sizes.map(|size| on(7, flow(0, 1, size))).to_vec();
    let outcome = lossless(&Setup { traced: true, ..simulation(&network, params, flows) });
    let expected: Vec<u32> = (0..9).map(|i| (0xff_fffe + i) & 0xff_ffff).collect();
    assert_eq!(psns(&outcome, 1), expected);
    let of: Vec<u32> = arrivals(&outcome, 1, Kind::Data).map(|hop| hop.flow.unwrap().0).collect();
    assert_eq!(of, [0, 0, 0, 1, 2, 2, 2, 2, 2]);
    // The link of the sender never idles: four full packets, a small one, five full ones.
    let (full, small) = (MTU + HEADER, 1 + HEADER);
    let period = |bytes: u64| time(PREAMBLE + bytes + GAP, G100);
    let frame = |bytes: u64| time(PREAMBLE + bytes, G100);
    let three = 2 * period(full) + 2 * (frame(full) + US.as_ps());
    assert_eq!(received(&outcome, 0), three);
    let starts = 3 * period(full) + period(small) + 4 * period(full);
    assert_eq!(received(&outcome, 2), starts + 2 * (frame(full) + US.as_ps()));
    let sent: Vec<u64> = outcome.flows.iter().map(|flow| flow.sent).collect();
    assert_eq!(sent, [3, 1, 5]);
}

/// A message that is alone on its connection is what it is without one.
#[test]
fn a_connection_of_one_message_changes_nothing() {
    let network = dumbbell(2, G100);
    let losses = crate::loss::on(&network, &[(0, 0), (5, 0)], 0.02, 1);
    let flows = vec![flow(0, 2, 90 * MTU), flow(1, 3, 70 * MTU), flow(0, 3, 5 * MTU)];
    let run_of = |flows: Vec<Flow>| {
        let losses = losses.clone();
        run(&Setup { losses, traced: true, ..simulation(&network, with_dcqcn(), flows) })
    };
    let named = (0..).zip(&flows).map(|(name, flow)| on(name, flow.clone())).collect();
    assert!(run_of(flows.clone()) == run_of(named));
}

/// The rate that congestion has left is where the next message begins; a new queue pair begins at line rate.
#[test]
fn the_rate_is_kept() {
    let rate = BitRate::from_gbps(40);
    let network = star_at(9, rate);
    let first: Vec<Flow> = (0..8).map(|host| flow(host, 8, 400 * MTU)).collect();
    let alone = finished(&simulation(&network, with_dcqcn(), first.clone()));
    let start = alone.flows[0].acknowledged.unwrap() + Span::from_us(10);
    let gap = |connection: Option<u32>| {
        let mut flows = first.clone();
        flows[0].connection = connection;
        flows.push(Flow { connection, start, ..flow(0, 8, 20 * MTU) });
        let setup = Setup { traced: true, ..simulation(&network, with_dcqcn(), flows) };
        let outcome = finished(&setup);
        assert_eq!(outcome.flows[0].received, alone.flows[0].received);
        let mut last = outcome.trace.iter().filter(|hop| {
            hop.flow == Some(FlowId(8)) && hop.packet.kind == Kind::Data && hop.node == NodeId(9)
        });
        let (one, two) = (last.next().unwrap().at, last.next().unwrap().at);
        (two - one).as_ps()
    };
    let line = time(PREAMBLE + MTU + HEADER + GAP, rate);
    assert_eq!(gap(None), line);
    assert!(gap(Some(0)) > 2 * line, "{} and {line}", gap(Some(0)));
}

/// Both directions of one queue pair, each with numbers and losses of its own.
#[test]
fn queue_pairs_are_two_way() {
    let network = star(2);
    for recovery in [Recovery::GoBackN, selective(32)] {
        let mut params = params();
        params.transport.recovery = recovery;
        params.transport.timeout = Span::from_us(200);
        let flows: Vec<Flow> = [(0, 1, 40), (1, 0, 60), (0, 1, 20), (1, 0, 10)]
            .map(|(from, to, packets)| {
                on(1, Flow { class: Class::LOSSY, ..flow(from, to, packets * MTU) })
            })
            .to_vec();
        let losses = crate::loss::on(&network, &[(0, 0), (1, 0)], 0.05, 1);
        let setup = Setup { losses, traced: true, ..simulation(&network, params, flows) };
        let outcome = finished(&setup);
        let qps = outcome.trace.iter().filter(|hop| hop.node.0 < 2).map(|hop| hop.packet.qp);
        assert!(qps.into_iter().all(|qp| qp == 0), "one queue pair at each host");
        assert!(outcome.flows[0].received < outcome.flows[2].received);
        assert!(outcome.flows[1].received < outcome.flows[3].received);
        let repeated: u64 = outcome.flows.iter().map(|flow| flow.repeated).sum();
        assert!(repeated > 0);
    }
}

/// A message that is not asked for yet holds back those after it on its connection, and no others.
#[test]
fn messages_keep_their_order() {
    let network = star(3);
    let late = Instant::from_us(300);
    let flows = vec![
        on(1, flow(0, 1, MTU)),
        on(1, Flow { start: late, ..flow(0, 1, MTU) }),
        on(1, flow(0, 1, MTU)),
        flow(0, 1, MTU),
    ];
    let outcome = lossless(&simulation(&network, params(), flows));
    assert!(received(&outcome, 0) < 10_000_000 && received(&outcome, 3) < 10_000_000);
    assert!(received(&outcome, 1) > late.as_ps());
    assert_eq!(outcome.flows[2].asked, Some(Instant::ZERO));
    let period = time(PREAMBLE + MTU + HEADER + GAP, G100);
    assert_eq!(received(&outcome, 2), received(&outcome, 1) + period);
}

/// A message that is asked for later does not hold up the repetitions of the one before it.
#[test]
fn repetitions_do_not_wait_for_the_next_message() {
    let network = star(2);
    for recovery in [Recovery::GoBackN, selective(32)] {
        let mut params = params();
        params.transport.recovery = recovery;
        params.transport.timeout = Span::from_us(100);
        let (node, port) = (NodeId(0), 0);
        let (from, to) = (Instant::from_us(2), Instant::from_us(5));
        let dead = vec![DeadLink { node, port, from, to }];
        let late = Instant::from_ms(20);
        let flows = vec![
            on(1, Flow { class: Class::LOSSY, ..flow(0, 1, 10 * MTU) }),
            on(1, Flow { class: Class::LOSSY, start: late, ..flow(0, 1, MTU) }),
        ];
        let outcome = finished(&Setup { dead, ..simulation(&network, params, flows) });
        assert!(outcome.flows[0].repeated > 0);
        assert!(received(&outcome, 0) < 1_000_000_000, "{}", received(&outcome, 0));
        assert!(outcome.flows[0].acknowledged < Some(late));
        assert!(received(&outcome, 1) < late.as_ps() + 5_000_000);
    }
}

/// A connection that rests has no timer that keeps a run going, and wakes up again.
#[test]
fn connections_rest_between_messages() {
    let network = star(2);
    let mut params = params();
    params.transport.timeout = Span::from_us(50);
    let starts = [0, 10, 20_000, 20_001].map(Instant::from_us);
    let flows = starts.map(|start| on(1, Flow { start, ..flow(0, 1, MTU) })).to_vec();
    let outcome = lossless(&simulation(&network, params, flows));
    // A timer every 50 us for 20 ms would be 400 events.
    assert!(outcome.events < 80, "{}", outcome.events);
    assert!(outcome.reached.as_ps() < 20_200_000_000);
    let mut lossy = params;
    lossy.transport.timeout = Span::from_us(100);
    let loss = LinkLoss { from: NodeId(0), port: 0, rate: 0.5, burst: 1, corrupt: false };
    let class = Class::LOSSY;
    let flows = (0..40).map(|_| on(1, Flow { class, ..flow(0, 1, 3 * MTU) })).collect();
    let setup = Setup { losses: vec![loss], ..simulation(&network, lossy, flows) };
    assert!(finished(&setup).flows.iter().any(|flow| flow.timeouts > 0));
}

/// A message that waits for several is asked for when the last of them has arrived.
#[test]
fn messages_wait_for_several() {
    let network = star(5);
    let mut params = params();
    let (receive, forward) = (Span::from_ns(300), Span::from_ns(700));
    (params.stack.receive, params.stack.forward) = (receive, forward);
    let sizes = [10 * MTU, MTU, 30 * MTU];
    let mut flows: Vec<Flow> = (0..).zip(sizes).map(|(from, size)| flow(from, 3, size)).collect();
    flows.push(Flow { after: vec![FlowId(0), FlowId(1), FlowId(2)], ..flow(3, 4, MTU) });
    // What waits for nothing of this is not held back.
    flows.push(Flow { verb: Verb::Write, ..flow(3, 4, MTU) });
    let outcome = lossless(&simulation(&network, params, flows.clone()));
    let last = (0..3).map(|flow| received(&outcome, flow)).max().unwrap() - receive.as_ps();
    assert_eq!(outcome.flows[3].asked.unwrap().as_ps(), last);
    assert!(received(&outcome, 4) < last);
    // Later than its own start, or not before it.
    flows[3].start = Instant::from_ms(1);
    let outcome = lossless(&simulation(&network, params, flows.clone()));
    assert_eq!(outcome.flows[3].asked, Some(Instant::from_ms(1)));
    // One that never comes is waited for for ever.
    flows[2].size = lightloom_units::DataSize::from_bytes(1 << 40);
    let until = Instant::from_ms(2);
    let outcome = run(&Setup { until, ..simulation(&network, params, flows) });
    assert_eq!((outcome.flows[3].asked, outcome.flows[3].sent), (None, 0));
}

/// A barrier of all hosts, round after round on the same connections, is the same for any number of threads.
#[test]
fn rounds_of_barriers() {
    let (network, hosts, rounds) = (star(6), 6_u32, 5_u32);
    let mut flows: Vec<Flow> = Vec::new();
    for round in 0..rounds {
        for from in 0..hosts {
            let to = (from + 1) % hosts;
            // From the neighbour, in the round before.
            let before = (from + hosts - 1) % hosts;
            let waits = (round > 0).then(|| FlowId((round - 1) * hosts + before));
            let own = flow(from as usize, to as usize, 3 * MTU);
            flows.push(on(from, Flow { after: waits.into_iter().collect(), ..own }));
        }
    }
    let one = simulation(&network, params(), flows);
    let outcome = lossless(&one);
    for threads in [2, 5] {
        assert_eq!(lossless(&Setup { threads, ..one.clone() }).flows, outcome.flows);
    }
    for flow in hosts as usize..outcome.flows.len() {
        assert!(outcome.flows[flow].asked > outcome.flows[flow - hosts as usize].asked);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(120) })]
    /// Every message of a connection arrives, in order, with any losses, recovery and first number.
    #[test]
    fn messages_arrive_in_order(
        sizes in proptest::collection::vec((0_u64..12 * MTU, any::<bool>(), 0_u64..40), 1..30),
        rate in 0.0..0.3_f64,
        window in proptest::option::of(2_u32..40),
        ack_every in 1_u32..4,
        first_psn in any::<u32>(),
        threads in 1_usize..3,
    ) {
        let network = star(2);
        let mut params = params();
        params.transport.recovery = window.map_or(Recovery::GoBackN, selective);
        params.transport.ack_every = ack_every.min(window.unwrap_or(4));
        params.transport.first_psn = first_psn;
        params.transport.timeout = Span::from_us(60);
        let flows: Vec<Flow> = sizes.iter().map(|&(size, back, start)| {
            let (from, to) = if back { (1, 0) } else { (0, 1) };
            let start = Instant::from_us(start);
            on(9, Flow { class: Class::LOSSY, start, ..flow(from, to, size) })
        }).collect();
        let losses = crate::loss::on(&network, &[(0, 0), (1, 0), (2, 0), (2, 1)], rate, 1);
        let setup = Setup { losses, threads, traced: true, ..simulation(&network, params, flows.clone()) };
        let outcome = finished(&setup);
        for from in [0, 1] {
            let of = |flow: &&Flow| flow.from == NodeId(from);
            let received = flows.iter().zip(&outcome.flows).filter(|(flow, _)| of(flow));
            let received: Vec<Instant> = received.map(|(_, came)| came.received.unwrap()).collect();
            prop_assert!(received.is_sorted(), "{:?}", received);
        }
        let total: u64 = sizes.iter().map(|size| size.0).sum();
        prop_assert_eq!(outcome.goodput.iter().sum::<u64>(), total);
    }
}

/// A message that waits for one that its host sends begins when that is acknowledged, to the picosecond, whether both
/// share a connection or not, and after the software's time for what is handed on.
#[test]
fn messages_wait_until_their_host_is_answered() {
    let network = star(4);
    for connection in [None, Some(1)] {
        let params = params_of(700);
        let first = Flow { connection, ..flow(0, 1, 40 * MTU) };
        let to = if connection.is_some() { 1 } else { 2 };
        let second = Flow { connection, after: vec![FlowId(0)], ..flow(0, to, 9 * MTU) };
        let late = Instant::from_ps(1_000_000_000);
        let third = Flow { after: vec![FlowId(1)], start: late, ..flow(0, 3, MTU) };
        let outcome = lossless(&simulation(&network, params, vec![first, second, third]));
        let flows = &outcome.flows;
        assert!(flows[0].acknowledged > flows[0].received);
        assert_eq!(flows[1].asked, flows[0].acknowledged);
        // The links carry nothing else, so it takes the time that it takes alone, after the software's time.
        let alone = lossless(&simulation(&network, params_of(700), vec![flow(0, to, 9 * MTU)]));
        let takes = alone.flows[0].received.unwrap() - Instant::ZERO;
        let began = flows[1].asked.unwrap() + Span::from_ns(700);
        assert_eq!(flows[1].received, Some(began + takes));
        assert_eq!(flows[2].asked, Some(late));
    }
}

/// The parameters with a time of the software before what is handed on.
fn params_of(forward: u64) -> Params {
    let mut params = params();
    params.stack.forward = Span::from_ns(forward);
    params
}
