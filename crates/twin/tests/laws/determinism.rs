//! The same input makes the same outcome, to the last event.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;

use lightloom_topology::electrical::{FatTree, Network};
use lightloom_twin::{End, Flow, Outcome, Setup, simulate};
use lightloom_units::{DataSize, Instant, Span};
use proptest::prelude::*;

use crate::conservation::{any_drawn, drawn};
use crate::given::*;

const THREADS: [usize; 4] = [2, 3, 7, 16];

/// The outcome of one thread, which that of others must equal.
fn same(simulation: &Setup<'_>) -> Outcome {
    let simulation = Setup { traced: true, ..simulation.clone() };
    let one = run(&Setup { threads: 1, ..simulation.clone() });
    assert!(run(&Setup { threads: 1, ..simulation.clone() }) == one, "two runs");
    for threads in THREADS {
        let other = run(&Setup { threads, ..simulation.clone() });
        for (a, b) in one.trace.iter().zip(&other.trace) {
            assert_eq!(a, b, "{threads} threads");
        }
        assert_eq!((other.end, &other.fatal), (one.end, &one.fatal), "{threads} threads");
        assert_eq!(other.reached, one.reached, "{threads} threads, {:?}", one.end);
        assert_eq!(other.trace.len(), one.trace.len(), "{threads} threads, {:?}", one.end);
        assert!(other == one, "{threads} threads");
    }
    one
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(20) })]
    #[test]
    fn threads_change_nothing(drawn_ in any_drawn(), seed in any::<u64>()) {
        let (network, params, traffic) = &drawn_;
        same(&Setup { seed, ..drawn(network, *params, traffic) });
    }

    /// Wherever the end falls within a window.
    #[test]
    fn threads_change_nothing_in_a_run_cut_short(drawn_ in any_drawn(), until in 0_u64..200_000_000) {
        let (network, params, traffic) = &drawn_;
        let until = Instant::from_ps(until);
        same(&Setup { until, ..drawn(network, *params, traffic) });
    }
}

/// A fat tree with everything on: congestion control, stops, losses, a death.
fn everything(network: &Network) -> Setup<'_> {
    let mut params = with_dcqcn();
    params.switch.buffer_per_port = DataSize::from_bytes(200_000);
    params.transport.timeout = Span::from_us(300);
    let hosts = network.hosts();
    let flows = (0..2 * hosts).map(|i| flow(i % hosts, (i * 7 + 3) % hosts, 40 * MTU));
    let losses = crate::loss::on(network, &[(0, 0), (5, 0), (20, 3), (30, 1)], 0.01, 2);
    Setup { losses, ..simulation(network, params, flows.collect()) }
}

fn fat_tree() -> Network {
    FatTree { ports: 4, hosts_per_edge: None, rate: G100, host_rate: None, delay: US }
        .network()
        .unwrap()
}

#[test]
fn everything_at_once() {
    let network = fat_tree();
    let outcome = same(&everything(&network));
    assert!(outcome.notifications > 0, "{:?}", outcome.end);
    assert!(outcome.flows.iter().any(|flow| flow.repeated > 0), "{:?}", outcome.fatal);
}

/// The end may fall anywhere within a window, which is 1 us long. Of two threads here, one has hosts
/// 0 and 1 and the switch; what host 2 sends in the second window reaches the switch in the third.
#[test]
fn an_end_cuts_alike() {
    let network = star(4);
    for until in (0..7_000_000).step_by(70_001).map(Instant::from_ps) {
        let late = Flow { start: Instant::from_ps(1_500_000), ..flow(2, 1, MTU) };
        let flows = vec![flow(2, 1, MTU), late];
        same(&Setup { until, ..simulation(&network, params(), flows) });
    }
}

/// Nothing happens at the end or after it.
#[test]
fn an_end_is_an_end() {
    let network = star(4);
    for until in (0..12_000_000).step_by(70_001).map(Instant::from_ps) {
        let flows = vec![flow(2, 1, 5 * MTU), flow(3, 0, 10)];
        let simulation = simulation(&network, params(), flows);
        let outcome = run(&Setup { until, traced: true, ..simulation });
        let late = outcome.trace.iter().filter(|hop| hop.at >= until).count();
        assert_eq!(late, 0, "arrivals at {until} or later");
    }
}

/// So do a fault and a stall, to the time that was reached.
#[test]
fn faults_and_stalls_cut_alike() {
    let mut params = params();
    params.switch.buffer_per_port = DataSize::from_bytes(20_000);
    let network = star(9);
    let flows = (0..8).map(|host| flow(host, 8, 200 * MTU)).collect();
    let mut tight = simulation(&network, params, flows);
    tight.params.switch.headroom_per_port = DataSize::from_bytes(1_000);
    assert_eq!(same(&tight).end, End::Overflow);

    let network = crate::pfc::ring(7);
    let flows = (0..7).map(|i| flow(i, (i + 3) % 7, 2_000 * MTU)).collect();
    let patience = Span::from_ms(1);
    let ring = Setup { patience, ..simulation(&network, params, flows) };
    assert_eq!(same(&ring).end, End::Stalled);
}

#[test]
fn a_seed_matters() {
    let network = fat_tree();
    let simulation = everything(&network);
    let one = run(&simulation);
    let other = run(&Setup { seed: 2, ..simulation.clone() });
    assert_ne!(one.flows, other.flows);
    // On a star nothing is left to chance but losses and marking.
    let network = star(4);
    let flows = vec![flow(0, 3, 300 * MTU), flow(1, 3, 300 * MTU)];
    let with = |seed, params, loss| {
        let losses = crate::loss::on(&network, &[(0, 0)], loss, 1);
        run(&Setup { seed, losses, ..crate::given::simulation(&network, params, flows.clone()) })
    };
    assert_eq!(with(1, params(), 0.0), with(2, params(), 0.0));
    assert_ne!(with(1, params(), 0.02), with(2, params(), 0.02));
    assert_ne!(with(1, with_dcqcn(), 0.0), with(2, with_dcqcn(), 0.0));
}

/// What happens to a flow does not depend on chance elsewhere: losses on links that it does not use,
/// and flows that it does not meet.
#[test]
fn streams_are_apart() {
    let network = dumbbell(1, G100);
    let losses = crate::loss::on(&network, &[(0, 0), (4, 2)], 0.02, 1);
    let more = crate::loss::on(&network, &[(1, 0), (4, 3)], 0.1, 3);
    let mut params = with_dcqcn();
    params.transport.timeout = Span::from_us(300);
    let (mine, other) = (flow(0, 2, 400 * MTU), flow(1, 3, 900 * MTU));
    let alone =
        run(&Setup { losses: losses.clone(), ..simulation(&network, params, vec![mine.clone()]) });
    let losses = [losses, more].concat();
    let both = run(&Setup { losses, ..simulation(&network, params, vec![mine, other]) });
    assert_eq!(alone.flows[0], both.flows[0]);
    assert!(alone.flows[0].dropped > 0 && both.flows[1].dropped > alone.flows[0].dropped);
}

/// A run that starts later is the same run, later: nothing depends on the time since zero.
#[test]
fn a_later_start_shifts_everything() {
    let network = star(4);
    for params in [params(), with_dcqcn()] {
        let at = |start: Instant| {
            let flow = |from| Flow { start, ..flow(from, 3, 3000 * MTU) };
            let flows = vec![flow(0), flow(1), flow(2)];
            let until = start + Span::from_s(1);
            run(&Setup { until, ..simulation(&network, params, flows) })
        };
        let (early, late) = (at(Instant::ZERO), at(Instant::from_ms(50)));
        for (early, late) in early.flows.iter().zip(&late.flows) {
            let shifted = late.received.unwrap() - Instant::from_ms(50);
            let context = format!("dcqcn {}", params.dcqcn.is_some());
            assert_eq!(shifted.as_ps(), early.received.unwrap().as_ps(), "{context}");
            assert_eq!(early.sent, late.sent);
        }
    }
}

/// Many more threads than any machine has cores: all come to the same end, and none is waited for in vain.
#[test]
fn more_threads_than_cores_come_to_the_same_end() {
    let network = fat_tree();
    let simulation = Setup { traced: true, ..everything(&network) };
    let one = run(&simulation);
    for threads in [36, 64, 256] {
        let other = run(&Setup { threads, ..simulation.clone() });
        assert!(other == one, "{threads} threads");
    }
}

/// Several such runs at once, each with as many threads as there are parts: threads lose their cores in
/// every part of a window.
#[test]
fn runs_that_take_each_others_cores_come_to_the_same_end() {
    let network = fat_tree();
    let simulation = Setup { traced: true, ..everything(&network) };
    let one = run(&simulation);
    std::thread::scope(|scope| {
        for threads in [2, 3, 8, 9] {
            let simulation = Setup { threads, ..simulation.clone() };
            let one = &one;
            scope.spawn(move || assert!(run(&simulation) == *one, "{threads} threads"));
        }
    });
}

/// A thread that panics long after the start, whichever it is, ends the run too.
#[test]
fn a_late_panic_is_not_waited_for() {
    let (tell, told) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let network = star(4);
        let flows = vec![flow(0, 3, 1000 * MTU), flow(1, 2, 1000 * MTU)];
        let simulation = Setup { threads: 7, ..simulation(&network, params(), flows) };
        let panics = |at: Instant| assert!(at < Instant::from_ps(100_000_000), "on purpose");
        let run = || simulate(&checked(&simulation), &AtomicBool::new(false), &panics);
        tell.send(catch_unwind(AssertUnwindSafe(run)).is_err()).unwrap();
    });
    let panicked = told.recv_timeout(std::time::Duration::from_secs(60));
    assert_eq!(panicked, Ok(true), "the run hangs");
}

/// A thread that panics ends the run; the others do not wait for it for ever.
#[test]
fn a_panic_is_not_waited_for() {
    let (tell, told) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let network = star(4);
        let flows = vec![flow(0, 3, 100 * MTU), flow(1, 2, 100 * MTU)];
        let simulation = Setup { threads: 2, ..simulation(&network, params(), flows) };
        let run =
            || simulate(&checked(&simulation), &AtomicBool::new(false), &|_| panic!("on purpose"));
        tell.send(catch_unwind(AssertUnwindSafe(run)).is_err()).unwrap();
    });
    let panicked = told.recv_timeout(std::time::Duration::from_secs(60));
    assert_eq!(panicked, Ok(true), "the run hangs");
}
