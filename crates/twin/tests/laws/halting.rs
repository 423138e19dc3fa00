//! Groups that a paused egress halts as a whole, and what passes meanwhile.

use lightloom_topology::electrical::{LeafSpine, Network, NodeId};
use lightloom_twin::params::{Buffering, Judge, Params, Pausing, Safeguard, Scope};
use lightloom_twin::{
    Class, Data, DeadLink, DropReason, End, Flow, Hop, Kind, LinkLoss, Multicast, Outcome,
    PauseStorm, Setup,
};
use lightloom_units::{BitRate, DataSize, Instant, Span};
use proptest::prelude::*;

use crate::given::*;
use crate::reliable::{cast, complete, group, multicast, setup};

const FROM: Instant = Instant::from_us(20);
const TO: Instant = Instant::from_us(120);

/// A host that pauses its switch.
fn storm(host: usize, from: Instant, to: Instant) -> PauseStorm {
    PauseStorm { host: NodeId::at(host), from, to }
}

fn with(pausing: Pausing) -> Params {
    let mut params = params();
    params.groups.pausing = pausing;
    params
}

/// Data of a group that arrive at a host between two times.
fn between(outcome: &Outcome, host: usize, from: Instant, to: Instant) -> usize {
    arrivals(outcome, host, Kind::Data).filter(|hop| from <= hop.at && hop.at < to).count()
}

/// One group of five hosts and a group of two others from the same sender, and a unicast from it to a host of neither.
/// Host 1 pauses its switch.
fn one_is_paused(params: Params, is_paused: bool) -> Outcome {
    let network = star(9);
    let groups = vec![group(&[0, 1, 2, 3, 4], Data::Electrons), group(&[0, 5, 6], Data::Electrons)];
    let casts = vec![cast(0, 0, 400), cast(0, 1, 400)];
    let flows = vec![flow(0, 7, 400 * MTU)];
    let storms = if is_paused { vec![storm(1, FROM, TO)] } else { vec![] };
    run(&Setup { flows, storms, ..setup(&network, params, multicast(groups, casts)) })
}

/// While one host is paused the other members get nothing but what had left the ingress. Another group and a unicast of
/// that ingress lose nothing, and are not slower than where only the copies to the paused port wait.
///
/// cepheus:III-D.pfc
#[test]
fn a_paused_host_halts_its_group_alone() {
    let by_port = one_is_paused(with(Pausing::Port), true);
    let by_group = one_is_paused(with(Pausing::Group), true);
    // The pause takes 1 us to the switch, and what left it before that another: from then on nothing comes.
    let (halted, goes_on) = (FROM + Span::from_us(3), TO);
    for host in [2, 3, 4] {
        assert_eq!(between(&by_group, host, halted, goes_on), 0, "host {host}");
        let passes = between(&by_port, host, halted, goes_on);
        assert!(passes > 50, "host {host}: {passes}");
    }
    for outcome in [&by_port, &by_group] {
        complete(outcome);
        assert!(outcome.drops.is_empty(), "{:?}", outcome.drops);
        assert!(outcome.casts.iter().all(|cast| cast.all.repeated == 0));
    }
    let ends = |outcome: &Outcome| (outcome.casts[1].all.received, outcome.flows[0].received);
    assert_eq!(ends(&by_group), ends(&by_port));
    // The group waits, and the others pass until what waits has stopped their sender.
    assert!(
        between(&by_group, 5, halted, goes_on) > 50 && between(&by_group, 7, halted, goes_on) > 50
    );
    // Nothing is paused: there is no difference.
    let ends = [Pausing::Port, Pausing::Group].map(|pausing| one_is_paused(with(pausing), false));
    assert_eq!(ends[0].casts, ends[1].casts);
}

/// Everything that waits counts at the ingress, so a long pause stops the sender, and no buffer overflows.
#[test]
fn what_waits_stops_the_sender() {
    let network = star(6);
    let everybody = vec![group(&[0, 1, 2, 3, 4, 5], Data::Electrons)];
    for buffering in [Buffering::Shared, Buffering::Copies] {
        let mut params = with(Pausing::Group);
        params.groups.buffering = buffering;
        params.switch.buffer_per_port = DataSize::from_bytes(100_000);
        let storms = vec![storm(1, FROM, Instant::from_ms(1)), storm(2, FROM, TO)];
        let groups = multicast(everybody.clone(), vec![cast(0, 0, 1000)]);
        let outcome = run(&Setup { storms, ..setup(&network, params, groups) });
        complete(&outcome);
        assert!(outcome.drops.is_empty(), "{buffering:?} {:?}", outcome.drops);
        assert!(arrivals(&outcome, 0, Kind::Pause).next().is_some(), "the sender is stopped");
        // The pace is that of the most congested member: the others wait for host 1, not for host 2.
        for host in [2, 3, 4, 5] {
            assert_eq!(between(&outcome, host, FROM + Span::from_us(3), Instant::from_ms(1)), 0);
        }
    }
}

/// A lossy class has no pauses: nothing halts it, and its copies are dropped at their own queues.
#[test]
fn a_lossy_group_is_not_halted() {
    let network = star(5);
    let run_with = |pausing| {
        let mut groups =
            multicast(vec![group(&[0, 1, 2, 3, 4], Data::Electrons)], vec![cast(0, 0, 400)]);
        groups.casts[0].class = Class::LOSSY;
        run(&Setup { storms: vec![storm(1, FROM, TO)], ..setup(&network, with(pausing), groups) })
    };
    let (by_port, by_group) = (run_with(Pausing::Port), run_with(Pausing::Group));
    complete(&by_group);
    assert_eq!(by_port.casts, by_group.casts);
}

/// An egress link that dies while it is paused halts the group until the pause ends by itself, after 65,535 quanta.
/// What it gets then is lost; all others go on.
#[test]
fn a_dead_egress_halts_until_its_pause_ends() {
    let network = star(5);
    let mut params = with(Pausing::Group);
    params.transport.timeout = Span::from_us(500);
    let groups = multicast(vec![group(&[0, 1, 2, 3, 4], Data::Electrons)], vec![cast(0, 0, 400)]);
    // The way to host 1 and the way from it are dead from just after the pause on.
    let (switch, dies, heals) = (NodeId(5), Instant::from_us(30), Instant::from_ms(3));
    let dead = [(NodeId(1), 0), (switch, 1)];
    let dead = dead.map(|(node, port)| DeadLink { node, port, from: dies, to: heals }).to_vec();
    let storms = vec![storm(1, FROM, heals)];
    let outcome = run(&Setup { storms, dead, ..setup(&network, params, groups) });
    complete(&outcome);
    // 65,535 quanta of 512 bits at 100 Gb/s are 335.5 us.
    let pause_ends = FROM + Span::from_ns(336_000);
    assert_eq!(between(&outcome, 2, FROM + Span::from_us(3), pause_ends), 0);
    assert!(between(&outcome, 2, pause_ends, pause_ends + Span::from_us(5)) > 0);
    let is_there = |&(node, port, _): &(NodeId, u16, DropReason)| {
        (node, port) == (NodeId(1), 0) || (node, port) == (switch, 1)
    };
    assert!(outcome.drops.keys().all(is_there), "{:?}", outcome.drops);
}

/// A storm that never ends halts the group for ever, and the answer names what waits. All members stand still alike, so
/// the safeguard cannot tell whose fault it is, and reaches all of them without the group. They go on until what waits
/// for the paused one stops the sender.
#[test]
fn a_group_that_is_halted_for_ever_is_told_and_falls_back() {
    let network = star(5);
    let storms = vec![storm(1, FROM, Instant::from_s(20))];
    let run_with = |safeguard: Option<Safeguard>| {
        let mut params = with(Pausing::Group);
        params.groups.safeguard = safeguard;
        let groups =
            multicast(vec![group(&[0, 1, 2, 3, 4], Data::Electrons)], vec![cast(0, 0, 400)]);
        let setup = setup(&network, params, groups);
        run(&Setup { storms: storms.clone(), until: Instant::from_ms(5), ..setup })
    };
    let halted = run_with(None);
    assert_ne!(halted.end, End::Done);
    let at_host_1 = |&&(node, port, _): &&(NodeId, u16, u64)| (node, port) == (NodeId(5), 1);
    let waits: u64 = halted.paused.iter().filter(at_host_1).map(|&(.., bytes)| bytes).sum();
    assert!(waits > 100_000, "{:?}", halted.paused);
    let judge = Judge::Rate(BitRate::from_gbps(1));
    let guard = Safeguard { window: Span::from_us(100), judge, scope: Scope::Behind };
    let left = run_with(Some(guard));
    assert_eq!(left.groups[0].fell_back, 4);
    let got = |outcome: &Outcome| outcome.casts[0].receivers[1].delivered;
    assert!(got(&left) > got(&halted) + 100, "{} and {}", got(&left), got(&halted));
}

/// Any network of leaves, groups, storms, losses and dead links.
fn any_trouble() -> impl Strategy<Value = (Vec<PauseStorm>, Vec<LinkLoss>, Vec<Flow>, u64)> {
    let storm = (0..8_usize, 0..200_u64, 1..300_u64).prop_map(|(host, from, takes)| PauseStorm {
        host: NodeId::at(host),
        from: Instant::from_us(from),
        to: Instant::from_us(from + takes),
    });
    // On the way from a host, where no pause of a switch is lost.
    let loss = (0..8_u32, 0.0..0.05_f64).prop_map(|(from, rate)| LinkLoss {
        from: NodeId(from),
        port: 0,
        rate,
        burst: 1,
        corrupt: false,
    });
    let flow = (0..8_usize, 1..8_usize, 1..100_u64)
        .prop_map(|(from, by, packets)| flow(from, (from + by) % 8, packets * MTU));
    let vecs = (
        proptest::collection::vec(storm, 0..4),
        proptest::collection::vec(loss, 0..2),
        proptest::collection::vec(flow, 0..4),
    );
    (vecs, any::<u64>()).prop_map(|((storms, losses, flows), seed)| (storms, losses, flows, seed))
}

proptest! {
    #![proptest_config(cases(48))]
    /// Whatever is paused and lost, everybody gets everything once the pauses end. Nothing is dropped but by the losses
    /// that were drawn, with headroom of just what links need.
    #[test]
    fn halted_groups_end_and_nothing_overflows(
        (storms, losses, flows, seed) in any_trouble(),
        buffer in 60_000_u64..300_000,
        copies in any::<bool>(),
    ) {
        let (rate, delay) = (G100, US);
        let network: Network =
            LeafSpine { leaves: 2, spines: 2, hosts_per_leaf: 4, rate, host_rate: None, delay }
                .network()
                .unwrap();
        let mut params = with(Pausing::Group);
        params.transport.timeout = Span::from_us(400);
        params.switch.buffer_per_port = DataSize::from_bytes(buffer);
        if copies {
            params.groups.buffering = Buffering::Copies;
        }
        let groups = vec![
            group(&[0, 1, 4, 5, 6], Data::Electrons),
            group(&[2, 1, 3, 7], Data::Electrons),
        ];
        let casts = vec![cast(0, 0, 150), cast(2, 1, 150)];
        let groups: Multicast = multicast(groups, casts);
        let of_losses = |hop: &Hop| hop.packet.kind == Kind::Data;
        let setup = Setup { storms, losses: losses.clone(), flows, seed,
            ..setup(&network, params, groups) };
        let outcome = run(&setup);
        complete(&outcome);
        prop_assert!(outcome.trace.iter().any(of_losses));
        prop_assert!(outcome.overflows.is_empty(), "{:?}", outcome.overflows);
        prop_assert!(!losses.is_empty() || outcome.drops.is_empty(), "{:?}", outcome.drops);
    }
}
