//! Admission where packets are lost and hosts die; and with any number of threads.

use lightloom_topology::electrical::{Network, NodeId};
use lightloom_twin::{
    Admission, DeadLink, End, FlowId, LinkLoss, Outcome, Policy, Setup, SetupError, Simulation,
};
use lightloom_units::{Instant, Span};

use crate::admission::{CONTROLLER, SHARE, TURNS, all_there, multicast, overlap, setup};
use crate::given::*;
use crate::reliable::cast;
use crate::reliable_light::network;

/// Half of what the controller says and hears is lost, and all is repeated until it is known.
#[test]
fn lost_control_is_repeated() {
    let network = network();
    for (is_reliable, admission) in [(false, TURNS), (true, TURNS), (false, SHARE), (true, SHARE)] {
        for seed in 0..6 {
            let said = [0, 4, 8, 10].map(|from| (cast(from, 0, 80), false, is_reliable));
            let mut setup = setup(&network, multicast(&said, admission));
            setup.params.groups.register_timeout = Span::from_us(50);
            let ends = [(CONTROLLER, 0), (NodeId(16 + 7), 1)];
            let lost = |(from, port)| LinkLoss { from, port, rate: 0.5, burst: 1, corrupt: false };
            // The controller is no member, so nothing else is lost.
            setup.losses = ends.map(lost).to_vec();
            all_there(&run(&Setup { seed, ..setup }));
        }
    }
}

/// The sender of the first of four messages that go in turns dies.
fn with_dead_sender(is_reliable: bool) -> Outcome {
    let network = network();
    let said = [0, 4, 1, 5].map(|from| (cast(from, 0, 2_000), false, is_reliable));
    let mut setup = setup(&network, multicast(&said, TURNS));
    setup.params.groups.register_timeout = Span::from_us(50);
    setup.params.groups.register_tries = 4;
    let (from, to) = (Instant::from_ps(100_000_000), Instant::from_ps(u64::MAX));
    setup.dead = vec![DeadLink { node: NodeId(0), port: 0, from, to }];
    setup.patience = Span::from_ms(20);
    run(&setup)
}

/// A sender that the controller hears no more loses its turn, so that others do not wait for ever.
#[test]
fn the_dead_lose_their_turn() {
    for is_reliable in [false, true] {
        let outcome = with_dead_sender(is_reliable);
        assert!(outcome.unbalanced.is_empty());
        assert!(outcome.casts[0].all.received.is_none());
        for cast in &outcome.casts[1..] {
            assert!(cast.all.received.is_some(), "{cast:?}");
        }
        assert!(!overlap(&outcome, 1, 2) && !overlap(&outcome, 2, 3));
    }
}

/// Two reliable messages in turns. A member of the first group hears nothing from the middle on.
fn deaf(network: &Network) -> Setup<'_> {
    let said = [0, 4].map(|from| (cast(from, 0, 400), false, true));
    let mut setup = setup(network, multicast(&said, TURNS));
    let (from, to) = (Instant::from_ps(40_000_000), Instant::from_ps(u64::MAX));
    setup.dead = vec![DeadLink { node: NodeId(8), port: 0, from, to }];
    setup.multicast.groups[1].members.retain(|&member| member != NodeId(8));
    setup.multicast.casts[1].start = Instant::from_ps(30_000_000);
    setup
}

/// A message that never ends keeps its turn while its sender lives; the run stalls, and who waits for whom is known.
#[test]
fn who_waits_is_known() {
    let network = network();
    let mut setup = deaf(&network);
    setup.patience = Span::from_ms(20);
    let outcome = run(&setup);
    assert_eq!(outcome.end, End::Stalled);
    let admission = outcome.casts[1].admission.unwrap();
    assert_eq!((admission.granted, admission.waited_for), (None, Some(0)));
}

/// A group whose connection is in error gives its turn back: the next goes.
#[test]
fn an_error_gives_the_turn_back() {
    let network = network();
    let mut setup = deaf(&network);
    setup.params.transport.timeout = Span::from_us(100);
    setup.params.transport.retries = Some(3);
    let outcome = run(&setup);
    assert!(outcome.casts[0].all.received.is_none() && outcome.unbalanced.is_empty());
    assert!(outcome.casts[1].all.received.is_some(), "{:?}", outcome.casts[1]);
    let [first, second] = [0, 1].map(|cast| outcome.casts[cast].admission.unwrap());
    assert!(second.granted > first.over && second.waited_for == Some(0));
}

/// A message that waits for one of another group does not let a later one of its own group take what that needs.
#[test]
fn what_waits_holds_nothing() {
    let network = network();
    for is_reliable in [false, true] {
        // Host 8 is a member of the first group and sends to the second, twice: at first after the first group's.
        let said = [(0, 200), (8, 60)].map(|(from, n)| (cast(from, 0, n), true, is_reliable));
        let mut multicast = multicast(&said, TURNS);
        multicast.casts.push(multicast.casts[1].clone());
        multicast.casts[1].after = vec![FlowId(0)];
        multicast.casts[0].start = Instant::from_ps(50_000_000);
        let outcome = run(&setup(&network, multicast));
        all_there(&outcome);
        let granted = [0, 1, 2].map(|cast| outcome.casts[cast].admission.unwrap().granted);
        assert!(granted.is_sorted(), "{granted:?}");
    }
}

#[test]
fn threads_change_nothing() {
    let network = network();
    for admission in [TURNS, SHARE] {
        let said: Vec<_> = (0..6).map(|i| (cast(2 * i, 0, 50), i % 2 == 0, i % 3 == 0)).collect();
        let setup = setup(&network, multicast(&said, admission));
        let one = run(&Setup { threads: 1, ..setup.clone() });
        all_there(&one);
        for threads in [2, 7] {
            assert!(run(&Setup { threads, ..setup.clone() }) == one, "{threads} threads");
        }
    }
}

#[test]
fn the_controller_is_a_host() {
    let network = network();
    let said = [(cast(0, 0, 1), false, false)];
    for node in [NodeId(16), NodeId(99)] {
        let admission = Some(Admission { controller: node, policy: Policy::Turns });
        let error = Simulation::new(setup(&network, multicast(&said, admission))).unwrap_err();
        assert_eq!(error, SetupError::NoHost { what: "admission", number: 0, node });
    }
}
