//! Tables that change while data flow.

use lightloom_topology::electrical::NodeId;
use lightloom_twin::{
    DeadLink, DeadSplitter, End, GroupId, LightStop, Multicast, Repair, Rule, Setup, SetupError,
    Simulation, Update, Updated,
};
use lightloom_units::{Instant, Span};
use proptest::prelude::*;

use crate::given::*;
use crate::reliable::{cast, complete, setup};
use crate::reliable_light::{HOSTS, lit_group, network, splitters};
use crate::splitters::{glass, tors};

const NEVER: Instant = Instant::from_ps(u64::MAX);

/// The first receiver of a splitter stops taking a group, and takes it again: it lacks the packets that arrive after
/// the first change, up to the time of the second.
#[test]
fn an_update_holds_for_what_arrives_after_it() {
    let network = tors(G100);
    let mut multicast = glass(G100, |_| None);
    let rule = multicast.rules.iter().find(|rule| rule.at == NodeId(6)).unwrap().clone();
    let none = Rule { accept: None, ways: Vec::new(), ..rule.clone() };
    let frame = time(PREAMBLE + MTU + HEADER, G100);
    let period = time(PREAMBLE + MTU + HEADER + GAP, G100);
    // When packet k is at the switch: over a link and a branch of 300 ns.
    let arrives = |k: u64| k * period + 2 * frame + US.as_ps() + 300_000;
    let (from, to) = (arrives(20), arrives(35) + 1);
    let update = |at, rule| Update { at: Instant::from_ps(at), what: Updated::Rule(rule) };
    // Not in the order of time.
    multicast.updates = vec![update(to, rule), update(from, none)];
    let outcome = run(&Setup { multicast, ..simulation(&network, params(), vec![]) });
    let took = (0..100).map(arrives).filter(|&at| at <= from || at > to).count() as u64;
    assert_eq!(took, 100 - 15);
    let delivered: Vec<u64> =
        outcome.casts[0].receivers.iter().map(|receiver| receiver.delivered).collect();
    assert_eq!(delivered, [took, 100, 100, 100]);
    assert_eq!((outcome.casts[0].all.absorbed, outcome.end), (15, End::Done));
}

/// ToR 1 relays to ToRs 6 and 7 until its splitter dies; ToR 3 takes its place.
fn moved(repair: Repair, dies: u64, moves: u64) -> Multicast {
    let members: Vec<usize> = (0..HOSTS).collect();
    let stop = |tor: usize, accept, relay| LightStop { at: NodeId::at(HOSTS + tor), accept, relay };
    let stops = [
        stop(1, Some(4), None),
        stop(3, Some(5), Some(3)),
        stop(6, Some(3), None),
        stop(7, Some(3), None),
    ];
    let update = |stop| Update {
        at: Instant::from_ps(moves),
        what: Updated::Light { group: GroupId(0), source: NodeId(0), stop },
    };
    Multicast {
        splitters: splitters(None),
        dead: vec![DeadSplitter {
            splitter: 1,
            branch: None,
            from: Instant::from_ps(dies),
            to: NEVER,
        }],
        groups: vec![lit_group(&members, &[0], repair)],
        casts: vec![cast(0, 0, 300)],
        updates: stops.map(update).into(),
        ..Multicast::default()
    }
}

proptest! {
    #![proptest_config(cases(30))]
    /// Whenever a relay dies and its tree moves, before the registration, during it or after, all arrives once.
    /// Threads change nothing.
    #[test]
    fn a_tree_moves_while_data_flow(
        repair in prop_oneof![Just(Repair::Electrons), Just(Repair::Light)],
        dies in 0_u64..150_000_000,
        takes in 0_u64..50_000_000,
        threads in 2_usize..8,
    ) {
        let network = network();
        let setup = setup(&network, params(), moved(repair, dies, dies + takes));
        let outcome = run(&setup);
        complete(&outcome);
        // After the change ToR 3 lights what ToR 1 did.
        let sent = [1, 3].map(|tor| outcome.splitters[tor].sent);
        prop_assert!(sent[0] + sent[1] >= 300, "{sent:?}");
        let other = run(&Setup { threads, ..setup });
        prop_assert!(other == outcome, "{} threads", threads);
    }
}

/// Without the change ToRs 6 and 7 get nothing more over light, and the run is stalled: not done, though it has no
/// flows.
#[test]
fn a_group_that_cannot_go_on_is_stalled() {
    let network = network();
    let mut multicast = moved(Repair::Light, 30_000_000, 0);
    multicast.updates.clear();
    let stalled = Setup { patience: Span::from_ms(20), ..setup(&network, params(), multicast) };
    assert_eq!(run(&stalled).end, End::Stalled);
}

/// Members whose link is dead: also over links nothing is done.
#[test]
fn a_group_with_a_dead_member_is_stalled() {
    let network = network();
    let mut dead = setup(&network, params(), moved(Repair::Electrons, 30_000_000, 30_000_000));
    dead.dead =
        vec![DeadLink { node: NodeId(15), port: 0, from: Instant::from_ps(40_000_000), to: NEVER }];
    dead.patience = Span::from_ms(20);
    let outcome = run(&dead);
    assert_eq!(outcome.end, End::Stalled);
    let lacking = outcome.casts[0].receivers.iter().filter(|one| one.received.is_none());
    assert!(lacking.map(|one| one.host).any(|host| host == NodeId(15)));
}

#[test]
fn updates_that_name_what_is_not_there_are_refused() {
    let network = network();
    let refused = |change: fn(&mut Update)| {
        let mut multicast = moved(Repair::Light, 0, 0);
        change(&mut multicast.updates[2]);
        Simulation::new(setup(&network, params(), multicast)).unwrap_err()
    };
    fn stop(update: &mut Update) -> &mut LightStop {
        match &mut update.what {
            Updated::Light { stop, .. } => stop,
            _ => unreachable!("trees move"),
        }
    }
    let is_of = |error: &SetupError, of| match error {
        SetupError::Value { what: "update", number: 2, field, .. } => *field == of,
        _ => false,
    };
    assert!(is_of(&refused(|update| stop(update).accept = Some(0)), "stop"));
    assert!(is_of(&refused(|update| stop(update).relay = Some(0)), "stop"));
    assert!(is_of(&refused(|update| update.at = Instant::from_ps(u64::MAX)), "at"));
    let no_switch = refused(|update| stop(update).at = NodeId(0));
    assert!(matches!(no_switch, SetupError::NoSwitch { what: "update", number: 2, .. }));
    let other = refused(|update| match &mut update.what {
        Updated::Light { source, .. } => *source = NodeId(1),
        _ => unreachable!("trees move"),
    });
    assert!(is_of(&other, "group"), "{other}");
}
