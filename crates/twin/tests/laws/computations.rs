//! What hosts compute: when it begins and ends, beside messages that wait for it and for which it waits.

use std::collections::BTreeMap;

use lightloom_topology::electrical::NodeId;
use lightloom_twin::{Computation, End, Flow, FlowId, Outcome, Setup, SetupError, Simulation};
use lightloom_units::{Instant, Span};
use proptest::prelude::*;

use crate::errors::outage;
use crate::given::*;

fn computes(host: u32, stream: Option<u32>, us: u64, after: &[u32]) -> Computation {
    let after = after.iter().copied().map(FlowId).collect();
    let (takes, start) = (Span::from_us(us), Instant::ZERO);
    Computation { host: NodeId(host), stream, takes, start, after, begun: Vec::new() }
}

fn after(flow: Flow, before: &[u32]) -> Flow {
    Flow { after: before.iter().copied().map(FlowId).collect(), ..flow }
}

/// A message of one full packet over a switch, in picoseconds.
fn takes() -> u64 {
    2 * (time(PREAMBLE + HEADER + MTU, G100) + US.as_ps())
}

/// Host 0 computes 5 us and sends; host 1 computes 7 us on it, and 3 us at the same time in another stream, and
/// answers.
#[test]
fn a_round_of_computations_and_messages_takes_the_sum() {
    let network = star(2);
    let flows = vec![after(flow(0, 1, MTU), &[2]), after(flow(1, 0, MTU), &[3, 4])];
    let mut setup = simulation(&network, params(), flows);
    setup.computations = vec![
        computes(0, Some(0), 5, &[]),
        computes(1, Some(0), 7, &[0]),
        computes(1, Some(1), 3, &[0]),
        computes(0, None, 1, &[1]),
    ];
    let outcome = run(&setup);
    assert_eq!(outcome.end, End::Done);
    let us = |count: u64| count * 1_000_000;
    let ended = |number: usize| outcome.computations[number].ended.unwrap().as_ps();
    assert_eq!(ended(0), us(5));
    assert_eq!(outcome.flows[0].received.unwrap().as_ps(), us(5) + takes());
    assert_eq!(ended(1), us(12) + takes());
    assert_eq!(ended(2), us(8) + takes());
    assert_eq!(ended(3), us(13) + 2 * takes());
}

/// A stream has one computation at a time: the first that may begin, and of equal ones the first of the list.
#[test]
fn a_stream_has_one_computation_at_a_time() {
    let network = star(2);
    let mut setup = simulation(&network, params(), vec![flow(0, 1, MTU)]);
    let late = Computation { start: Instant::from_us(1), ..computes(0, Some(4), 1, &[]) };
    setup.computations = vec![
        late,
        computes(0, Some(4), 2, &[]),
        computes(0, Some(4), 3, &[]),
        computes(0, Some(4), 0, &[]),
    ];
    let outcome = run(&setup);
    let began = outcome.computations.iter().map(|it| it.began.unwrap().as_ps() / 1_000_000);
    assert_eq!(began.collect::<Vec<_>>(), [5, 0, 2, 5]);
}

/// A computation that takes longer than anybody would wait for a packet is no standstill, also where other packets are
/// repeated in vain meanwhile.
#[test]
fn a_long_computation_is_no_standstill() {
    let network = star(4);
    let flows = vec![flow(2, 3, 4 * MTU), after(flow(0, 1, MTU), &[2])];
    let mut params = params();
    params.transport.timeout = Span::from_us(100);
    let mut setup = simulation(&network, params, flows);
    setup.patience = Span::from_ms(1);
    setup.until = Instant::from_ms(80);
    setup.computations = vec![computes(0, Some(0), 50_000, &[])];
    setup.dead = vec![outage(3, Instant::from_us(1), Span::from_s(1))];
    let outcome = run(&setup);
    assert_eq!(outcome.computations[0].ended, Some(Instant::from_ms(50)));
    assert!(outcome.flows[1].received.is_some(), "{:?}", outcome.end);
    // After it nobody gets anything done.
    assert_eq!(outcome.end, End::Stalled);
}

/// What waits for a message that failed never begins, and the run is over.
#[test]
fn what_waits_for_a_failed_message_never_begins() {
    let network = star(3);
    let flows = vec![flow(0, 1, 4 * MTU), after(flow(1, 2, MTU), &[2])];
    let mut params = params();
    params.transport.retries = Some(1);
    let mut setup = simulation(&network, params, flows);
    setup.computations = vec![computes(1, Some(0), 5, &[0]), computes(1, Some(0), 5, &[2])];
    setup.dead = vec![outage(1, Instant::from_ns(10), Span::from_s(1))];
    let outcome = run(&setup);
    assert_eq!(outcome.end, End::Done);
    let never = [(1, 2), (2, 0), (3, 2)].map(|(waits, before)| (FlowId(waits), FlowId(before)));
    assert_eq!(outcome.never, never);
    assert!(outcome.computations.iter().all(|it| it.began.is_none()));
}

fn refusal(change: impl FnOnce(&mut Setup<'_>)) -> SetupError {
    let network = star(3);
    let mut setup = simulation(&network, params(), vec![flow(0, 1, MTU)]);
    setup.computations = vec![computes(1, Some(0), 5, &[0]), computes(0, None, 5, &[])];
    change(&mut setup);
    Simulation::new(setup).unwrap_err()
}

#[test]
fn computations_wait_for_what_their_host_can_hear_of() {
    let elsewhere = |flow, before| SetupError::Elsewhere { flow, before: FlowId(before) };
    // Host 2 neither sends nor receives the message.
    assert_eq!(refusal(|setup| setup.computations[0].host = NodeId(2)), elsewhere(1, 0));
    // What another host computes.
    assert_eq!(refusal(|setup| setup.computations[0].after = vec![FlowId(2)]), elsewhere(1, 2));
    assert_eq!(refusal(|setup| setup.flows[0].after = vec![FlowId(1)]), elsewhere(0, 1));
    let no_such = SetupError::NoSuch { what: "computation", number: 1, named: "message", found: 9 };
    assert_eq!(refusal(|setup| setup.computations[1].after = vec![FlowId(9)]), no_such);
    let ring = refusal(|setup| {
        setup.flows[0].after = vec![FlowId(2)];
        setup.computations[1].after = vec![FlowId(0)];
    });
    assert_eq!(ring, SetupError::Ring(0));
    let begun = refusal(|setup| setup.computations[0].begun = vec![FlowId(0)]);
    assert!(matches!(begun, SetupError::Value { field: "begun", number: 0, .. }), "{begun}");
    let no_host = SetupError::NoHost { what: "computation", number: 0, node: NodeId(3) };
    assert_eq!(refusal(|setup| setup.computations[0].host = NodeId(3)), no_host);
    let value = |error| matches!(error, SetupError::Value { what: "computation", number: 1, .. });
    assert!(value(refusal(|setup| setup.computations[1].takes = Span::from_ps(u64::MAX))));
    assert!(value(refusal(|setup| setup.computations[1].start = Instant::NEVER)));
}

/// A random operation: whether it is a message, two hosts or a host and a stream, how long or large it is, when it may
/// start, and which of the operations before it are waited for.
type Said = (bool, u32, u32, u64, u64, Vec<prop::sample::Index>);

/// Messages and computations of a random graph. Each waits for earlier ones that its host can hear of.
fn graph(said: &[Said], hosts: u32) -> (Vec<Flow>, Vec<Computation>) {
    let messages = said.iter().filter(|one| one.0).count();
    let (mut flows, mut computations): (Vec<Flow>, Vec<Computation>) = (Vec::new(), Vec::new());
    // The number of each operation, and the hosts that hear of it.
    let mut known: Vec<(FlowId, Vec<NodeId>)> = Vec::new();
    for (is_message, a, b, size, start, awaited) in said {
        let host = NodeId(a % hosts);
        let heard = known.iter().filter(|(_, by)| by.contains(&host)).map(|(id, _)| *id);
        let heard: Vec<FlowId> = heard.collect();
        let mut after: Vec<FlowId> =
            awaited.iter().filter(|_| !heard.is_empty()).map(|at| *at.get(&heard)).collect();
        after.sort_unstable();
        after.dedup();
        let start = Instant::from_us(*start);
        if *is_message {
            let to = NodeId((a + 1 + b % (hosts - 1)) % hosts);
            let id = FlowId(flows.len() as u32);
            flows.push(Flow { start, after, ..flow(host.index(), to.index(), 1 + size * 700) });
            known.push((id, vec![host, to]));
        } else {
            let stream = (b % 4).checked_sub(1);
            let id = FlowId((messages + computations.len()) as u32);
            let takes = Span::from_us(size % 5);
            // Of what it waits for, every other computation has only to have begun.
            let is_begun = |id: &FlowId| id.index() >= messages && id.0 % 2 == 1;
            let (begun, after) = after.into_iter().partition(is_begun);
            computations.push(Computation { host, stream, takes, start, after, begun });
            known.push((id, vec![host]));
        }
    }
    (flows, computations)
}

/// When an operation had ended for a host.
fn ended(setup: &Setup<'_>, outcome: &Outcome, id: FlowId, host: NodeId) -> Instant {
    let flows = setup.flows.len();
    match id.index().checked_sub(flows) {
        Some(computation) => outcome.computations[computation].ended.unwrap(),
        None if setup.flows[id.index()].from == host => {
            outcome.flows[id.index()].acknowledged.unwrap()
        }
        None => outcome.flows[id.index()].received.unwrap(),
    }
}

/// When a computation of a stream could begin, began and ended.
type Ran = (Instant, Instant, Instant);

/// Each computation begins when all has happened that it waits for and its stream is free, never later, and takes its
/// time. Each message arrives after what it waits for. A stream has one at a time, in the order of their readiness.
fn check(setup: &Setup<'_>, outcome: &Outcome) {
    let ready = |host: NodeId, start: Instant, after: &[FlowId]| {
        let ends = after.iter().map(|&id| ended(setup, outcome, id, host));
        ends.fold(start, Instant::max)
    };
    for (flow, came) in setup.flows.iter().zip(&outcome.flows) {
        let least = ready(flow.from, flow.start, &flow.after) + US + US;
        assert!(came.received.unwrap() > least);
    }
    let mut streams: BTreeMap<(NodeId, u32), Vec<Ran>> = BTreeMap::new();
    let flows = setup.flows.len();
    for (said, came) in setup.computations.iter().zip(&outcome.computations) {
        let (began, ended) = (came.began.unwrap(), came.ended.unwrap());
        assert_eq!(ended, began + said.takes);
        let begun = said.begun.iter().map(|id| outcome.computations[id.index() - flows].began);
        let ready = ready(said.host, said.start, &said.after);
        let ready = begun.flatten().fold(ready, Instant::max);
        match said.stream {
            None => assert_eq!(began, ready),
            Some(stream) => {
                streams.entry((said.host, stream)).or_default().push((ready, began, ended));
            }
        }
    }
    for mut line in streams.into_values() {
        line.sort_by_key(|&(ready, began, ended)| (began, ended, ready));
        let mut free = Instant::ZERO;
        for &(ready, began, ended) in &line {
            assert_eq!(began, ready.max(free), "{line:?}");
            free = ended;
        }
        // Nobody overtakes one that was ready before.
        for pair in line.windows(2) {
            assert!(pair[0].0 <= pair[1].0 || pair[1].0 <= pair[0].1, "{line:?}");
        }
    }
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn random_graphs_run_in_order(
        said in prop::collection::vec(
            (
                any::<bool>(), 0_u32..4, 0_u32..9, 0_u64..40, 0_u64..8,
                prop::collection::vec(any::<prop::sample::Index>(), 0..4),
            ),
            1..60,
        ),
        threads in 2_usize..5,
    ) {
        let network = star(4);
        let (flows, computations) = graph(&said, 4);
        let setup = Setup { computations, ..simulation(&network, params(), flows) };
        let outcome = finished(&setup);
        check(&setup, &outcome);
        prop_assert!(outcome == run(&Setup { threads, ..setup }), "{threads} threads");
    }
}
