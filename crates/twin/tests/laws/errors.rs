//! Queue pairs that repeat a packet as often as they may and hear nothing: they go to the error state, and what they
//! carry ends with it.

use std::collections::BTreeSet;

use lightloom_topology::electrical::NodeId;
use lightloom_twin::params::Params;
use lightloom_twin::{
    Completion, DeadLink, End, FailedMessage, Flow, FlowId, Hop, Kind, LinkLoss, Outcome, Verb,
};
use lightloom_units::{Instant, Span};
use proptest::prelude::*;

use crate::given::*;

const TIMEOUT: Span = Span::from_us(100);

/// A number of retries, each after 100 us.
pub fn retrying(retries: u32) -> Params {
    let mut params = params();
    params.transport.timeout = TIMEOUT;
    params.transport.retries = Some(retries);
    params
}

/// The link of a host of [`star`] is dead for a while.
pub fn outage(host: usize, from: Instant, lasts: Span) -> DeadLink {
    DeadLink { node: NodeId::at(host), port: 0, from, to: from + lasts }
}

/// Payload of a flow that arrived in order at its receiver, counted from the trace alone. `first` is the place of its
/// first packet on its connection; `keeps` says whether the receiver keeps what overtakes a lost packet.
pub fn in_order(
    outcome: &Outcome,
    (at, dead): (usize, &DeadLink),
    message: u32,
    (first, mtu, keeps): (u32, u64, bool),
) -> u64 {
    let of_it = |hop: &&Hop| hop.flow == Some(FlowId(message)) && is_taken(hop, dead);
    let arrived = arrivals(outcome, at, Kind::Data).filter(of_it).map(|hop| hop.packet.psn.get());
    let whole = if keeps {
        // What arrives before a gap closes counts once the gap has closed.
        let arrived: BTreeSet<u32> = arrived.collect();
        (first..).zip(arrived).take_while(|(expected, psn)| expected == psn).count() as u64
    } else {
        arrived.fold(0, |whole, psn| whole + u64::from(u64::from(psn - first) == whole))
    };
    whole * mtu
}

/// Whether a host takes what arrives: what comes in over a link that has just died is lost.
pub fn is_taken(hop: &Hop, dead: &DeadLink) -> bool {
    hop.node != dead.node || hop.at < dead.from || hop.at >= dead.to
}

fn message(failed: &FailedMessage) -> (u32, Completion) {
    (failed.message.0, failed.how)
}

proptest! {
    #![proptest_config(cases(60))]

    /// An outage shorter than retries × timeout is nothing but a delay. One that is longer by more than a timeout and
    /// a round trip is an error, so many timeouts after the last acknowledgement, and what the receiver had is what
    /// has come in.
    #[test]
    fn an_outage_is_an_error_from_its_length_on(
        from_ns in 2_000_u64..60_000,
        retries in 0_u32..5,
        share in 0.0_f64..1.0,
        is_longer in any::<bool>(),
        at in 0_usize..2,
        window in prop::option::of(8_u32..64),
        lossy in prop::option::of(0.001_f64..0.02),
    ) {
        let network = star(3);
        let mut params = retrying(retries);
        if let Some(window) = window {
            params.transport.recovery = selective(window);
        }
        let timeout = TIMEOUT.as_ps();
        let shortest = if is_longer { (u64::from(retries) + 1) * timeout + 20_000_000 } else { 0 };
        // What is lost at random takes some of the repetitions away: outages are then long ones only.
        prop_assume!(is_longer || lossy.is_none());
        let most = u64::from(retries) * timeout;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let lasts = Span::from_ps(shortest + (share * most.saturating_sub(20_000_000) as f64) as u64);
        let from = Instant::from_ps(from_ns * 1000);
        let mut setup = simulation(&network, params, vec![flow(0, 1, 400 * MTU)]);
        setup.traced = true;
        setup.dead = vec![outage(at, from, lasts)];
        let loss = |rate| LinkLoss { from: NodeId(3), port: 1, rate, burst: 1, corrupt: false };
        setup.losses = lossy.map(loss).into_iter().collect();
        let outcome = run(&setup);
        prop_assert_eq!(outcome.end, End::Done);
        let came = &outcome.flows[0];
        prop_assert_eq!(came.in_order, in_order(&outcome, (1, &setup.dead[0]), 0, (0, MTU, window.is_some())));
        if !is_longer {
            prop_assert_eq!(&outcome.errors, &vec![]);
            prop_assert!(came.acknowledged.is_some());
            prop_assert_eq!(came.in_order, 400 * MTU);
            return Ok(());
        }
        let [failed] = outcome.errors.as_slice() else { panic!("{outcome:?}") };
        prop_assert_eq!(message(failed), (0, Completion::RetriesExceeded));
        prop_assert_eq!((came.acknowledged, came.in_flight), (None, 0));
        let error = failed.error;
        prop_assert_eq!(error.timeouts, retries + 1);
        // The last acknowledgement of anything new, and the packet after it.
        let answers = || {
            let is_one = |hop: &&Hop| matches!(hop.packet.kind, Kind::Ack | Kind::Nack);
            let at_sender = outcome.trace.iter().filter(|hop| hop.node == NodeId(0));
            at_sender.filter(is_one).filter(|hop| is_taken(hop, &setup.dead[0]))
        };
        let acked = answers().map(|hop| hop.packet.psn.get()).max().unwrap_or(0);
        prop_assert_eq!(error.psn.get(), acked);
        let last = answers().find(|hop| hop.packet.psn.get() == acked);
        let last = last.map_or(0, |hop| hop.at.as_ps());
        let waited = error.at.as_ps() - last;
        let expected = (u64::from(retries) + 1) * timeout;
        // With few packets under way the short timeout holds; each repetition may wait for the port.
        let frame = time(MTU + HEADER + PREAMBLE + GAP, G100);
        prop_assert!((expected..expected + (u64::from(retries) + 2) * 2 * frame).contains(&waited),
            "{waited} of {expected}");
    }
}

/// Flows 0 to 2 share a connection from host 0 to host 1, which dies; flow 3 is its other direction; flow 4 waits for
/// flow 1, and flow 5 for flow 4. Flow 6 has nothing to do with them, and flow 7 waits for it.
fn together(threads: usize) -> Outcome {
    let network = star(4);
    let on = |flow| Flow { connection: Some(1), ..flow };
    let after = |before: u32, flow: Flow| Flow { after: vec![FlowId(before)], ..flow };
    let late = Flow { start: Instant::from_ms(2), ..on(flow(0, 1, 3 * MTU)) };
    let flows = vec![
        on(flow(0, 1, 20 * MTU)),
        on(flow(0, 1, 200 * MTU)),
        late,
        on(Flow { start: Instant::from_us(100), ..flow(1, 0, 100 * MTU) }),
        after(1, flow(1, 2, MTU)),
        after(4, flow(2, 3, MTU)),
        flow(2, 3, 300 * MTU),
        after(6, flow(3, 2, MTU)),
    ];
    let mut setup = simulation(&network, retrying(2), flows);
    setup.traced = true;
    setup.threads = threads;
    setup.dead = vec![outage(1, Instant::from_us(30), Span::from_ms(1))];
    run(&setup)
}

#[test]
fn what_is_behind_an_error_ends_and_the_rest_goes_on() {
    let outcome = together(1);
    assert_eq!(outcome.end, End::Done);
    let ended: Vec<_> = outcome.errors.iter().map(message).collect();
    use Completion::{Flushed, RetriesExceeded};
    assert_eq!(ended, [(1, RetriesExceeded), (2, Flushed), (3, RetriesExceeded)]);
    let never = [(4, 1), (5, 4)].map(|(waits, before)| (FlowId(waits), FlowId(before)));
    assert_eq!(outcome.never, never);
    for done in [0, 6, 7] {
        assert!(outcome.flows[done].acknowledged.is_some(), "{done}");
    }
    assert_eq!(outcome.flows[2].sent, 0);
    assert_eq!(outcome.flows[0].in_order, 20 * MTU);
    let dead = outage(1, Instant::from_us(30), Span::from_ms(1));
    assert_eq!(outcome.flows[1].in_order, in_order(&outcome, (1, &dead), 1, (20, MTU, false)));
    assert!((MTU..200 * MTU).contains(&outcome.flows[1].in_order));
    // Nothing goes out after the error.
    let error = outcome.errors[0].error.at;
    let data = outcome.trace.iter().filter(|hop| hop.packet.kind == Kind::Data);
    let late = data.filter(|hop| hop.flow == Some(FlowId(1)) && hop.at > error + Span::from_us(10));
    assert_eq!(late.count(), 0);
}

#[test]
fn errors_are_the_same_with_any_number_of_threads() {
    let one = together(1);
    for threads in [2, 7] {
        assert_eq!(together(threads), one, "{threads}");
    }
}

/// The queue pair at one end is in error, and its link is back: what the other end sends is dropped there, until that
/// end gives up too.
#[test]
fn a_queue_pair_in_error_takes_nothing() {
    let network = star(2);
    let on = |flow| Flow { connection: Some(1), verb: Verb::Write, ..flow };
    let back = Instant::from_us(500);
    let flows = vec![
        on(flow(0, 1, 200 * MTU)),
        Flow { start: Instant::from_ms(1), ..on(flow(1, 0, 5 * MTU)) },
    ];
    let mut setup = simulation(&network, retrying(2), flows);
    setup.dead = vec![DeadLink { to: back, ..outage(1, Instant::from_us(20), Span::ZERO) }];
    let outcome = run(&setup);
    assert_eq!(outcome.end, End::Done);
    let other = &outcome.flows[1];
    assert_eq!((other.in_order, other.dropped), (0, other.sent));
    assert_eq!(outcome.errors.iter().map(message).count(), 2);
    // Without a limit both go on when the link is back.
    setup.params.transport.retries = None;
    finished(&setup);
}

/// Timeouts count in a row only: a link that loses much is no error while anything gets through.
#[test]
fn progress_begins_the_count_anew() {
    let network = star(2);
    let loss = LinkLoss { from: NodeId(2), port: 1, rate: 0.3, burst: 1, corrupt: false };
    let mut setup = simulation(&network, retrying(12), vec![flow(0, 1, 200 * MTU)]);
    setup.losses = vec![loss];
    let outcome = finished(&setup);
    assert!(outcome.flows[0].timeouts > 13, "{:?}", outcome.flows);
    assert_eq!(outcome.errors, []);
}
