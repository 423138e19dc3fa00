//! Groups that make no progress: their senders reach members without them.

use lightloom_topology::electrical::{LeafSpine, Network, NodeId};
use lightloom_twin::params::{Judge, Params, Safeguard, Scope};
use lightloom_twin::{Data, DeadLink, End, Hop, Kind, Outcome, PauseStorm, Setup, Standing};
use lightloom_units::{BitRate, Instant, Percent, Span};

use crate::given::*;
use crate::reliable::{cast, complete, group, multicast, setup};

fn guarded(scope: Scope) -> Params {
    let mut params = params();
    params.transport.timeout = Span::from_us(100);
    params.groups.register_timeout = Span::from_us(100);
    let (window, judge) = (Span::from_us(100), Judge::Rate(BitRate::from_gbps(1)));
    params.groups.safeguard = Some(Safeguard { window, judge, scope });
    params
}

/// A window is judged by its share of the best earlier one, as in the paper.
fn by_share(scope: Scope) -> Params {
    let mut params = guarded(scope);
    if let Some(guard) = &mut params.groups.safeguard {
        guard.judge = Judge::Share(Percent::new(50));
    }
    params
}

/// Twelve hosts at three leaves, with two spines.
fn leaves() -> Network {
    let (rate, delay) = (G100, US);
    LeafSpine { leaves: 3, spines: 2, hosts_per_leaf: 4, rate, host_rate: None, delay }
        .network()
        .unwrap()
}

/// A switch that cannot serve so many ports refuses. What was registered is taken out, and all members are reached
/// without the group. Without the safeguard the group fails, and says so.
///
/// cepheus:V-D.registration, cepheus:VI.fan-out
#[test]
fn a_group_that_is_refused_falls_back() {
    let network = star(5);
    let groups = || multicast(vec![group(&[0, 1, 2, 3, 4], Data::Electrons)], vec![cast(0, 0, 50)]);
    let mut params = guarded(Scope::All);
    params.groups.fan_out = Some(3);
    let outcome = run(&setup(&network, params, groups()));
    complete(&outcome);
    assert_eq!(outcome.groups[0].fell_back, 4);
    assert!(outcome.casts[0].receivers.iter().all(|got| got.delivered == 50 && got.spurious == 0));
    assert_eq!(outcome.casts[0].all.sent, 4 * 50);

    params.groups.safeguard = None;
    let outcome = run(&setup(&network, params, groups()));
    assert_eq!(outcome.groups[0].standing, Some(Standing::Failed));
    assert_eq!(outcome.casts[0].all.sent, 0);
    params.groups.fan_out = Some(4);
    complete(&run(&setup(&network, params, groups())));
}

/// The link over which the tree reaches the last leaf is dead from 50 us on, and comes back after 3 ms.
fn with_dead_branch(network: &Network, params: Params) -> Outcome {
    let everybody: Vec<usize> = (0..12).collect();
    let multicast = multicast(vec![group(&everybody, Data::Electrons)], vec![cast(0, 0, 2000)]);
    let healthy = run(&setup(network, params, multicast.clone()));
    let leaf = NodeId(14);
    let data = healthy.trace.iter().filter(|hop| hop.packet.kind == Kind::Data);
    let port = data.filter(|hop| hop.node == leaf).map(|hop| hop.port).next().unwrap();
    let dead = DeadLink { node: leaf, port, from: Instant::from_us(50), to: Instant::from_ms(3) };
    run(&Setup { dead: vec![dead], ..setup(network, params, multicast) })
}

/// When a member had everything, by its number.
fn received(outcome: &Outcome, host: usize) -> Instant {
    let mut receivers = outcome.casts[0].receivers.iter();
    receivers.find(|got| got.host.index() == host).unwrap().received.unwrap()
}

/// Only those behind the fault fall back: the others have everything long before the link is back.
#[test]
fn only_those_behind_the_fault_fall_back() {
    let network = leaves();
    let outcome = with_dead_branch(&network, guarded(Scope::Behind));
    complete(&outcome);
    assert_eq!(outcome.groups[0].fell_back, 4, "{:?}", outcome.groups);
    assert_eq!((outcome.groups[0].standing, outcome.groups[0].cut_off), (Some(Standing::Over), 0));
    assert!((1..8).all(|host| received(&outcome, host) < Instant::from_ms(3)));
}

/// All fall back (cepheus:V-D.throughput), and what members had is not sent again.
#[test]
fn all_fall_back_and_keep_what_they_have() {
    let network = leaves();
    let outcome = with_dead_branch(&network, guarded(Scope::All));
    complete(&outcome);
    assert_eq!(outcome.groups[0].fell_back, 11);
    // 50 us are 145 packets at line rate, some of which are on the way.
    let all = &outcome.casts[0].all;
    assert!(all.sent - all.repeated < 12 * 2000, "{all:?}");
}

/// Without the safeguard the group waits for the link, and then goes on.
#[test]
fn without_it_the_group_waits() {
    let network = leaves();
    let mut params = guarded(Scope::All);
    params.groups.safeguard = None;
    let outcome = with_dead_branch(&network, params);
    complete(&outcome);
    assert_eq!((outcome.end, outcome.groups[0].fell_back), (End::Done, 0));
    assert!((1..12).all(|host| received(&outcome, host) > Instant::from_ms(3)));
}

/// Members whose links never come back are cut off. The others have everything, and the message does not count as
/// acknowledged.
#[test]
fn members_behind_dead_links_are_cut_off() {
    let network = leaves();
    let everybody: Vec<usize> = (0..12).collect();
    let groups = || multicast(vec![group(&everybody, Data::Electrons)], vec![cast(0, 0, 2000)]);
    for scope in [Scope::Behind, Scope::All] {
        // Both links of the last leaf.
        let dead = |port| DeadLink {
            node: NodeId(14),
            port,
            from: Instant::from_us(50),
            to: Instant::from_s(1),
        };
        let dead = vec![dead(4), dead(5)];
        let until = Instant::from_ms(50);
        let outcome = run(&Setup { dead, until, ..setup(&network, guarded(scope), groups()) });
        let lacking: Vec<usize> = outcome.casts[0]
            .receivers
            .iter()
            .filter(|got| got.received.is_none())
            .map(|got| got.host.index())
            .collect();
        assert_eq!(lacking, [8, 9, 10, 11]);
        assert_eq!(outcome.groups[0].cut_off, 4);
        assert_eq!(outcome.groups[0].standing, Some(Standing::CutOff));
        assert_eq!(outcome.casts[0].all.acknowledged, None);
    }
}

/// After a run in which members were reached without the group, the next is registered anew: another sender, who was
/// a member then, sends over the group again.
#[test]
fn the_group_comes_back_with_the_next_run() {
    let network = leaves();
    let members: Vec<usize> = vec![0, 2, 5, 9, 10];
    let casts = vec![cast(0, 0, 1000), cast(9, 0, 100), cast(2, 0, 100)];
    let groups = || multicast(vec![group(&members, Data::Electrons)], casts.clone());
    for scope in [Scope::Behind, Scope::All] {
        let healthy = run(&setup(&network, guarded(scope), groups()));
        let data = healthy.trace.iter().filter(|hop| hop.packet.kind == Kind::Data);
        let leaf = NodeId(14);
        let port = data.filter(|hop| hop.node == leaf).map(|hop| hop.port).next().unwrap();
        let (from, to) = (Instant::from_us(30), Instant::from_ms(2));
        let dead = vec![DeadLink { node: leaf, port, from, to }];
        let outcome = run(&Setup { dead, ..setup(&network, guarded(scope), groups()) });
        complete(&outcome);
        assert!((2..5).contains(&outcome.groups[0].fell_back), "{:?}", outcome.groups);
    }
    // A group that is refused is refused again, and every run goes without it.
    let mut params = guarded(Scope::All);
    params.groups.fan_out = Some(0);
    let outcome = run(&setup(&network, params, groups()));
    complete(&outcome);
    assert_eq!(outcome.groups[0].fell_back, 12);
}

/// The packets that tell the leader to take members out of the tree are lost: they are sent again, and still only those
/// behind the fault fall back. So it is where the leader's packets to switches are lost, which take them out.
#[test]
fn a_lost_leave_is_told_again() {
    let network = leaves();
    let everybody: Vec<usize> = (0..12).collect();
    // The leader, host 0, is not the sender.
    let groups = || multicast(vec![group(&everybody, Data::Electrons)], vec![cast(5, 0, 4000)]);
    let params = guarded(Scope::Behind);
    let healthy = run(&setup(&network, params, groups()));
    let leaf = NodeId(14);
    let mut data = healthy.trace.iter().filter(|hop| hop.packet.kind == Kind::Data);
    let port = data.find(|hop| hop.node == leaf).map(|hop| hop.port).unwrap();
    let branch = DeadLink { node: leaf, port, from: Instant::from_us(50), to: Instant::from_ms(9) };
    let with = |more: Option<(Instant, Instant)>| {
        let leader = more.map(|(from, to)| DeadLink { node: NodeId(0), port: 0, from, to });
        let dead = [branch].into_iter().chain(leader).collect();
        run(&Setup { dead, ..setup(&network, params, groups()) })
    };
    let told = |outcome: &Outcome| -> Vec<Instant> {
        let at_leader = |hop: &&Hop| hop.node == NodeId(0) && hop.packet.kind == Kind::Leave;
        outcome.trace.iter().filter(at_leader).map(|hop| hop.at).collect()
    };
    let fell_back = |outcome: &Outcome| {
        complete(outcome);
        assert_eq!(outcome.groups[0].fell_back, 4, "{:?}", outcome.groups);
        assert_eq!(outcome.groups[0].standing, Some(Standing::Over));
    };
    let whole = with(None);
    fell_back(&whole);
    let first = told(&whole);
    assert_eq!(first.len(), 4);
    // The link to the leader is dead when they would go over it, and then when its own packets would.
    let (begin, end) = (first[0], first[3]);
    let before = Instant::from_ps(begin.as_ps() - 2 * US.as_ps());
    for (from, to) in [(before, end + US), (begin + Span::from_ns(1), end + US * 3)] {
        let lossy = with(Some((from, to)));
        fell_back(&lossy);
        assert!(told(&lossy).iter().any(|&at| at > end + US * 50), "{:?}", told(&lossy));
    }
}

/// Loss that takes more than half of the throughput trips it: a dead branch for all or for those behind it, and a link
/// that loses a packet in ten, where go-back-N repeats a round trip for each (cepheus:V-D.throughput).
#[test]
fn loss_that_takes_half_of_normal_trips_it() {
    let network = leaves();
    let outcome = with_dead_branch(&network, by_share(Scope::All));
    complete(&outcome);
    assert_eq!(outcome.groups[0].fell_back, 11);
    let outcome = with_dead_branch(&network, by_share(Scope::Behind));
    complete(&outcome);
    assert_eq!(outcome.groups[0].fell_back, 4, "{:?}", outcome.groups);

    let network = star(4);
    let groups = multicast(vec![group(&[0, 1, 2, 3], Data::Electrons)], vec![cast(0, 0, 4000)]);
    for (rate, fell_back) in [(0.1, 3), (0.0, 0)] {
        let losses = crate::loss::on(&network, &[(4, 2)], rate, 1);
        let outcome =
            run(&Setup { losses, ..setup(&network, by_share(Scope::All), groups.clone()) });
        complete(&outcome);
        assert_eq!(outcome.groups[0].fell_back, fell_back, "{rate}");
    }
}

/// What is slow for another reason than loss does not trip it: two other groups that take their share of a link, a host
/// that pauses its switch for many windows, a queue pair that begins late, and a loss that costs little. A rate that is
/// held against nothing earlier would be tripped by the first two.
#[test]
fn what_is_slow_without_loss_does_not_trip_it() {
    let params = || by_share(Scope::All);
    // Three groups into one host: each gets a third of what the first had alone.
    let network = star(7);
    let groups = [0, 1, 2].map(|from| group(&[from, 3 + from, 6], Data::Electrons));
    let mut casts: Vec<_> = (0..3).map(|from| cast(from, from as u32, 3000)).collect();
    casts[1].start = Instant::from_us(500);
    casts[2].start = Instant::from_us(500);
    let mut by_rate = params();
    if let Some(guard) = &mut by_rate.groups.safeguard {
        guard.judge = Judge::Rate(BitRate::from_gbps(40));
    }
    let fallen =
        |outcome: &Outcome| outcome.groups.iter().map(|group| group.fell_back).sum::<u64>();
    let shared = multicast(groups.to_vec(), casts);
    let outcome = run(&setup(&network, params(), shared.clone()));
    complete(&outcome);
    assert_eq!(fallen(&outcome), 0, "{:?}", outcome.groups);
    assert!(fallen(&run(&setup(&network, by_rate, shared))) > 0);

    let network = star(4);
    let everybody = || vec![group(&[0, 1, 2, 3], Data::Electrons)];
    let messages = |packets| multicast(everybody(), vec![cast(0, 0, packets)]);
    // A storm of pauses from host 2 for ten windows, which begins and ends anywhere in one.
    let stormy = |from: u64| {
        let to = Instant::from_us(from + 1000);
        let storm = PauseStorm { host: NodeId(2), from: Instant::from_us(from), to };
        Setup { storms: vec![storm], ..setup(&network, params(), messages(4000)) }
    };
    for from in (200..300).step_by(7) {
        let outcome = run(&stormy(from));
        complete(&outcome);
        assert_eq!(fallen(&outcome), 0, "{from} us: {:?}", outcome.groups);
    }
    let stormy = stormy(200);
    assert!(fallen(&run(&Setup { params: by_rate, ..stormy })) > 0);

    // The queue pair takes up the sequence for longer than a window.
    let mut slow = params();
    slow.groups.synchronisation = Span::from_us(350);
    let outcome = run(&setup(&network, slow, messages(500)));
    complete(&outcome);
    assert_eq!(outcome.groups[0].fell_back, 0);

    // One packet in ten thousand is lost.
    let losses = crate::loss::on(&network, &[(4, 2)], 1e-4, 1);
    let outcome = run(&Setup { losses, ..setup(&network, params(), messages(20_000)) });
    complete(&outcome);
    assert!(outcome.casts[0].all.repeated > 0 && outcome.groups[0].fell_back == 0);
}
