//! Queue pairs of reliable groups that hear nothing for too long: the end of the group, or the safeguard at once.

use std::collections::BTreeSet;

use lightloom_topology::electrical::NodeId;
use lightloom_twin::params::{Judge, Params, Safeguard, Scope};
use lightloom_twin::{
    Cast, Completion, Data, DeadLink, End, Flow, FlowId, Kind, Outcome, Setup, Standing, WaitsFor,
};
use lightloom_units::{BitRate, Instant, Span};
use proptest::prelude::*;

use crate::errors::{is_taken, outage, retrying};
use crate::given::*;
use crate::reliable::{cast, complete, group, multicast, setup};

fn groups(retries: u32) -> Params {
    let mut params = retrying(retries);
    params.groups.register_timeout = Span::from_us(100);
    params
}

/// Payload that each receiver of message `place` had, from the trace alone. `first` is its first packet.
fn had(outcome: &Outcome, place: usize, (first, dead): (u32, &DeadLink)) -> Vec<(usize, u64)> {
    let message = FlowId(u32::try_from(outcome.flows.len() + place).unwrap());
    let receivers = outcome.casts[place].receivers.iter().map(|got| got.host.index());
    let of = |host| {
        let data = arrivals(outcome, host, Kind::Data).filter(|hop| hop.flow == Some(message));
        let data = data.filter(|hop| is_taken(hop, dead));
        let psns: BTreeSet<u32> = data.map(|hop| hop.packet.psn.get()).collect();
        (first..).zip(psns).take_while(|(expected, psn)| expected == psn).count() as u64 * MTU
    };
    receivers.map(|host| (host, of(host))).collect()
}

/// What the run says that each receiver had.
fn said(outcome: &Outcome, place: usize) -> Vec<(usize, u64)> {
    let receivers = outcome.casts[place].receivers.iter();
    receivers.map(|got| (got.host.index(), got.in_order)).collect()
}

proptest! {
    #![proptest_config(cases(40))]

    /// Without the safeguard a long outage ends the group, with who had what; with it everybody has everything, once,
    /// though its window is far longer than the run. A short outage is a delay in all cases.
    #[test]
    fn an_outage_ends_the_group_or_starts_the_safeguard(
        from_us in 20_u64..60,
        retries in 0_u32..4,
        is_longer in any::<bool>(),
        at in 1_usize..5,
        source in 0_usize..5,
        window in prop::option::of(8_u32..64),
        scope in prop::option::of(prop::bool::ANY),
    ) {
        let network = star(6);
        let mut params = groups(retries);
        if let Some(window) = window {
            params.transport.recovery = selective(window);
        }
        let scope = scope.map(|all| if all { Scope::All } else { Scope::Behind });
        let judge = Judge::Rate(BitRate::from_gbps(1));
        // Longer than any run; the answers that the finer way waits for are those of hosts that live.
        let window = if scope == Some(Scope::All) { Span::from_s(1) } else { Span::from_ms(1) };
        params.groups.safeguard = scope.map(|scope| Safeguard { window, judge, scope });
        prop_assume!(is_longer || retries > 0);
        let timeouts = if is_longer { retries + 2 } else { retries };
        let lasts = Span::from_us(u64::from(timeouts) * 100 - if is_longer { 0 } else { 30 });
        let casts = vec![cast(source, 0, 400), cast(source, 0, 10), cast((source + 1) % 5, 0, 10)];
        let group = group(&[0, 1, 2, 3, 4], Data::Electrons);
        let mut with = setup(&network, params, multicast(vec![group], casts));
        with.dead = vec![outage(at, Instant::from_us(from_us), lasts)];
        let outcome = run(&with);
        prop_assert_eq!(outcome.end, End::Done);
        if !is_longer || scope.is_some() {
            complete(&outcome);
            prop_assert_eq!(&outcome.errors, &vec![]);
            for (place, packets) in [(0, 400), (1, 10), (2, 10)] {
                let all = said(&outcome, place);
                prop_assert!(all.iter().all(|&(_, had)| had == packets * MTU), "{all:?}");
            }
            // The finer way may find that all goes on again before it knows who is behind.
            if is_longer && at != source && scope == Some(Scope::All) {
                prop_assert!(outcome.groups[0].fell_back > 0, "{:?}", outcome.groups);
            }
            return Ok(());
        }
        let ended: Vec<_> =
            outcome.errors.iter().map(|failed| (failed.message.0, failed.how)).collect();
        use Completion::{Flushed, RetriesExceeded};
        prop_assert_eq!(ended, [(0, RetriesExceeded), (1, Flushed), (2, Flushed)]);
        prop_assert_eq!(outcome.errors[0].error.timeouts, retries + 1);
        prop_assert_eq!(outcome.groups[0].standing, Some(Standing::Failed));
        prop_assert_eq!(said(&outcome, 0), had(&outcome, 0, (0, &with.dead[0])));
        let least = said(&outcome, 0).iter().map(|&(_, had)| had).min().unwrap();
        prop_assert!(u64::from(outcome.errors[0].error.psn.get()) * MTU <= least);
        prop_assert_eq!(outcome.casts[2].all.sent, 0);
    }
}

/// The connection to a member behind a dead link is in error too, after the group fell back: it is named with the
/// member, and the others have everything.
#[test]
fn a_member_that_stays_dead_is_an_error_of_its_connection() {
    let network = star(5);
    let mut params = groups(2);
    let (window, judge) = (Span::from_us(50), Judge::Rate(BitRate::from_gbps(1)));
    params.groups.safeguard = Some(Safeguard { window, judge, scope: Scope::All });
    let casts = vec![cast(0, 0, 400)];
    let groups = vec![group(&[0, 1, 2, 3, 4], Data::Electrons)];
    let mut with = setup(&network, params, multicast(groups, casts));
    // It answers when it is asked what it has, and dies for good while the rest is sent.
    let short = outage(2, Instant::from_us(40), Span::from_us(300));
    let long = DeadLink { from: Instant::from_us(420), to: Instant::from_s(20), ..short };
    with.dead = vec![short, long];
    let outcome = run(&with);
    assert_eq!(outcome.end, End::Done);
    let named: Vec<_> = outcome.errors.iter().map(|failed| failed.to).collect();
    let cut = outcome.groups[0].cut_off;
    assert!(cut == 1 && (named.is_empty() || named == [Some(NodeId(2))]), "{cut} {named:?}");
    let receivers = outcome.casts[0].receivers.iter();
    assert!(receivers.filter(|got| got.host != NodeId(2)).all(|got| got.received.is_some()));
    assert_eq!(outcome.casts[0].all.acknowledged, None);
}

/// An all-reduce: the members send to the first of them, which broadcasts when it has all; then again, when everybody
/// has it. `after` names what arrives.
fn all_reduce(threads: usize, data: u64) -> Outcome {
    let network = star(5);
    let gather = |round: u32| {
        (1..5).map(move |host| {
            // After the broadcast of the round before.
            let after = round.checked_sub(1).map(|before| FlowId(8 + before));
            Flow { after: after.into_iter().collect(), ..flow(host, 0, 20 * MTU) }
        })
    };
    let flows: Vec<Flow> = (0..2).flat_map(gather).collect();
    let broadcast = |round: u32| Cast {
        after: (0..4).map(|i| FlowId(4 * round + i)).collect(),
        ..cast(0, 0, data)
    };
    let groups = vec![group(&[0, 1, 2, 3, 4], Data::Electrons)];
    let multicast = multicast(groups, (0..2).map(broadcast).collect());
    let mut params = params();
    params.stack.forward = Span::from_us(2);
    run(&Setup { flows, threads, ..setup(&network, params, multicast) })
}

#[test]
fn an_all_reduce_gathers_and_broadcasts() {
    let outcome = all_reduce(1, 30);
    complete(&outcome);
    let received = |flow: usize| outcome.flows[flow].received.unwrap();
    for round in 0..2 {
        let gathered = (4 * round..4 * round + 4).map(received).max().unwrap();
        assert_eq!(outcome.casts[round].all.asked, Some(gathered), "asked for at the last arrival");
        // The first packet leaves after the time of the stack.
        let message = FlowId(8 + round as u32);
        let mut data = outcome.trace.iter().filter(|hop| hop.flow == Some(message));
        let first = data.find(|hop| hop.node == NodeId(5)).unwrap().at;
        let way = time(PREAMBLE + HEADER + 16 + MTU, G100) + US.as_ps();
        assert_eq!(first.as_ps(), gathered.as_ps() + 2_000_000 + way);
    }
    for (place, got) in outcome.casts[0].receivers.iter().enumerate() {
        assert_eq!(outcome.flows[4 + place].asked, got.received, "{}", got.host);
    }
    for threads in [2, 7] {
        assert_eq!(all_reduce(threads, 30), outcome, "{threads}");
    }
}

/// The sender of a message to a group waits until it is acknowledged; others of the group wait until they have it, and
/// send to the group in their turn.
#[test]
fn a_sender_waits_for_the_acknowledgement() {
    let network = star(4);
    let groups = vec![group(&[0, 1, 2, 3], Data::Electrons)];
    let casts = vec![cast(0, 0, 10), Cast { after: vec![FlowId(1)], ..cast(2, 0, 10) }];
    let flows = vec![Flow { after: vec![FlowId(1)], ..flow(0, 3, MTU) }];
    let outcome = run(&Setup { flows, ..setup(&network, params(), multicast(groups, casts)) });
    complete(&outcome);
    assert_eq!(outcome.flows[0].asked, outcome.casts[0].all.acknowledged);
    let of_2 = outcome.casts[0].receivers.iter().find(|got| got.host == NodeId(2)).unwrap();
    assert_eq!(outcome.casts[1].all.asked, of_2.received);
}

/// A group that is refused goes without its switches, and not before its message is asked for.
#[test]
fn a_message_that_waits_falls_back_when_it_is_asked_for() {
    let network = star(4);
    let mut params = groups(7);
    params.groups.fan_out = Some(0);
    let (window, judge) = (Span::from_us(100), Judge::Rate(BitRate::from_gbps(1)));
    params.groups.safeguard = Some(Safeguard { window, judge, scope: Scope::All });
    let groups = vec![group(&[0, 1, 2, 3], Data::Electrons)];
    let casts = vec![Cast { after: vec![FlowId(0)], ..cast(0, 0, 10) }];
    let flows = vec![flow(3, 0, 2000 * MTU)];
    let outcome = run(&Setup { flows, ..setup(&network, params, multicast(groups, casts)) });
    complete(&outcome);
    let gathered = outcome.flows[0].received.unwrap();
    assert_eq!((outcome.casts[0].all.asked, outcome.groups[0].fell_back), (Some(gathered), 3));
    let message = |hop: &&lightloom_twin::Hop| hop.flow == Some(FlowId(1));
    assert!(outcome.trace.iter().filter(message).all(|hop| hop.at > gathered));
}

/// Where a run stands still it says which message of which group waits, and for what.
#[test]
fn a_group_that_stands_still_says_what_waits() {
    let network = star(4);
    let groups = vec![group(&[0, 1, 2, 3], Data::Electrons)];
    for (source, from_us) in [(0, 0), (0, 30), (1, 30)] {
        let casts = vec![cast(source, 0, 400)];
        let mut with = setup(&network, params(), multicast(groups.clone(), casts));
        let dead = outage(2, Instant::from_us(from_us), Span::ZERO);
        with.dead = vec![DeadLink { to: Instant::from_s(20), ..dead }];
        let outcome = run(&with);
        if from_us == 0 {
            // Registration is repeated so often, and then given up.
            assert_eq!(outcome.groups[0].standing, Some(Standing::Failed));
            continue;
        }
        assert_eq!(outcome.end, End::Stalled);
        let [waiting] = outcome.waiting.as_slice() else { panic!("{:?}", outcome.waiting) };
        assert_eq!(waiting.message, FlowId(0));
        let WaitsFor::Acknowledgement(psn) = waiting.what else { panic!("{waiting:?}") };
        let lacks = outcome.casts[0].receivers.iter().find(|got| got.host == NodeId(2)).unwrap();
        assert!(u64::from(psn.get()) * MTU <= lacks.in_order && lacks.received.is_none());
        let taken = arrivals(&outcome, 2, Kind::Data).filter(|hop| is_taken(hop, &with.dead[0]));
        let last = taken.last().unwrap().at;
        assert_eq!(outcome.last_progress[&NodeId(2)], last);
    }
    // Patience ends while a host is still to confirm.
    let mut with = setup(&network, params(), multicast(groups, vec![cast(0, 0, 400)]));
    with.params.groups.register_tries = 1000;
    with.dead = vec![DeadLink { to: Instant::from_s(20), ..outage(2, Instant::ZERO, Span::ZERO) }];
    let outcome = run(&with);
    assert_eq!(outcome.end, End::Stalled);
    let [waiting] = outcome.waiting.as_slice() else { panic!("{:?}", outcome.waiting) };
    let WaitsFor::Confirmation { hosts, since } = &waiting.what else { panic!("{waiting:?}") };
    assert_eq!((hosts.as_slice(), *since), ([NodeId(2)].as_slice(), Instant::ZERO));
}
