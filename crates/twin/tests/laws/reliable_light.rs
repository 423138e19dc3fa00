//! Reliable groups over splitters: data over light, answers and repairs over links.

use std::collections::BTreeSet;

use lightloom_topology::electrical::{Link, Network, NodeId};
use lightloom_twin::params::Pausing;
use lightloom_twin::{
    Branch, BranchLoss, Data, DeadSplitter, DropReason, Group, Kind, LightStop, LightTree,
    LinkLoss, Multicast, Outcome, PauseStorm, Repair, Setup, Splitter,
};
use lightloom_units::{DataSize, Instant, Span};
use proptest::prelude::*;

use crate::given::*;
use crate::reliable::{answers, cast, complete, group, setup};

/// ToRs of a 2,2-Shufflecast, with two hosts each and two spines.
const TORS: usize = 8;
pub const HOSTS: usize = 2 * TORS;

pub fn network() -> Network {
    let tor = |tor| HOSTS + tor;
    let mut links: Vec<Link> = Vec::new();
    links.extend((0..HOSTS).map(|host| (host, tor(host / 2), G100, US)));
    links.extend(
        (0..TORS).flat_map(|i| [0, 1].map(|spine| (tor(i), HOSTS + TORS + spine, G100, US))),
    );
    wired(HOSTS, TORS + 2, &links)
}

/// The ToRs that a ToR's splitter reaches.
pub fn lit(tor: usize) -> [usize; 2] {
    let (column, row) = (tor / 4, tor % 4);
    [0, 1].map(|digit| (1 - column) * 4 + (row % 2) * 2 + digit)
}

/// A splitter for each ToR; branches are from 50 ns long.
pub fn splitters(loss: Option<BranchLoss>) -> Vec<Splitter> {
    let branch = |(i, to): (usize, usize)| Branch {
        to: NodeId::at(HOSTS + to),
        delay: Span::from_ns(50 + 10 * (i as u64)),
        loss,
    };
    let splitter = |tor| Splitter {
        from: NodeId::at(HOSTS + tor),
        rate: G100,
        loss: None,
        branches: lit(tor).into_iter().enumerate().map(branch).collect(),
    };
    (0..TORS).map(splitter).collect()
}

/// The tree from a host: every ToR takes its copy from one other.
pub fn tree(source: usize) -> LightTree {
    tree_of(source, source / 2)
}

/// The tree from a host, lit by its own ToR or by a stand-in.
pub fn tree_of(source: usize, root: usize) -> LightTree {
    let own = source / 2;
    let mut from = [None; TORS];
    let mut relays = BTreeSet::from([root]);
    let mut reached = vec![root];
    let mut at = 0;
    while let Some(&relay) = reached.get(at) {
        at += 1;
        let is_new = |&to: &usize| to != own && to != root && from[to].is_none();
        let new: Vec<usize> = lit(relay).into_iter().filter(is_new).collect();
        if !new.is_empty() {
            relays.insert(relay);
        }
        for to in new {
            from[to] = Some(relay);
            reached.push(to);
        }
    }
    if root != own {
        reached.insert(0, own);
    }
    let stop = |tor: usize| LightStop {
        at: NodeId::at(HOSTS + tor),
        accept: from[tor].map(|relay: usize| relay as u32),
        relay: relays.contains(&tor).then_some(tor as u32),
    };
    LightTree {
        source: NodeId::at(source),
        stand_in: (root != own).then(|| NodeId::at(HOSTS + root)),
        stops: reached.into_iter().map(stop).collect(),
    }
}

/// All hosts in one group that sends over light.
pub fn lit_group(members: &[usize], sources: &[usize], repair: Repair) -> Group {
    let trees = sources.iter().map(|&source| tree(source)).collect();
    group(members, Data::Light { repair, trees })
}

fn everybody(repair: Repair, packets: u64, loss: Option<BranchLoss>) -> Multicast {
    let members: Vec<usize> = (0..HOSTS).collect();
    Multicast {
        splitters: splitters(loss),
        groups: vec![lit_group(&members, &[0], repair)],
        casts: vec![cast(0, 0, packets)],
        ..Multicast::default()
    }
}

fn lost_on_branches(outcome: &Outcome) -> u64 {
    outcome.splitters.iter().flat_map(|splitter| &splitter.branches).map(|branch| branch.lost).sum()
}

/// Without losses all data go over splitters, no link between switches carries any, and one answer of all comes
/// back for each packet.
#[test]
fn data_go_over_light_and_answers_over_links() {
    let network = network();
    let outcome = run(&setup(&network, params(), everybody(Repair::Electrons, 200, None)));
    complete(&outcome);
    let all = &outcome.casts[0].all;
    assert_eq!((all.sent, all.repeated, all.delivered, all.spurious), (200, 0, 200 * 15, 0));
    assert_eq!(answers(&outcome, 0, Kind::Ack), 200);
    for hop in outcome.trace.iter().filter(|hop| hop.packet.kind == Kind::Data) {
        let is_host_port = hop.node.index() < HOSTS || hop.port < 2;
        let is_light = hop.node.index() < HOSTS + TORS && hop.port >= 4;
        assert!(is_host_port || is_light, "{hop:?}");
    }
    // The copy that comes back to the sender's ToR goes no further.
    assert!(all.absorbed > 0);
    assert_eq!(outcome.drops.keys().filter(|(.., why)| *why == DropReason::Stray).count(), 0);
}

/// Losses on branches are repaired over links or over light, and nobody gets anything twice in the application.
#[test]
fn losses_are_repaired_over_links_or_over_light() {
    let network = network();
    let loss = Some(BranchLoss { rate: 1e-3, burst: 1, corrupt: false });
    let sent = |repair, ack_every| {
        let mut params = params();
        params.transport.ack_every = ack_every;
        let outcome = run(&setup(&network, params, everybody(repair, 2000, loss)));
        complete(&outcome);
        assert!(lost_on_branches(&outcome) > 0);
        assert_eq!(outcome.casts[0].all.timeouts, 0);
        outcome
    };
    let (links, light) = (sent(Repair::Electrons, 1), sent(Repair::Light, 1));
    // Fresh data do not wait for acknowledgements that nobody sends.
    for ack_every in [2, 4, 7] {
        sent(Repair::Electrons, ack_every);
        sent(Repair::Light, ack_every);
    }
    let over_links = |outcome: &Outcome| {
        let spine = |hop: &&lightloom_twin::Hop| hop.node.index() >= HOSTS + TORS;
        let data = outcome.trace.iter().filter(|hop| hop.packet.kind == Kind::Data);
        data.filter(spine).count()
    };
    assert!(over_links(&links) > 0 && over_links(&light) == 0);
}

/// Repairs over links are lost, too, while fresh data wait behind them: their waiting does not stop the sender for
/// ever.
#[test]
fn lost_repairs_do_not_stop_the_sender() {
    let network = network();
    let loss = Some(BranchLoss { rate: 2e-3, burst: 1, corrupt: false });
    for seed in 0..4 {
        let mut lossy = setup(&network, params(), everybody(Repair::Electrons, 2000, loss));
        let link =
            |port| LinkLoss { from: NodeId::at(HOSTS), port, rate: 0.2, burst: 1, corrupt: false };
        (lossy.losses, lossy.seed) = (vec![link(2), link(3)], seed);
        lossy.params.transport.timeout = Span::from_us(200);
        complete(&run(&lossy));
    }
}

/// Light goes out for all branches of a splitter for a moment. What is lost is missed behind all of them, and the
/// sender goes back once.
#[test]
fn what_a_transmitter_loses_is_lost_behind_all_branches() {
    let network = network();
    for repair in [Repair::Light, Repair::Electrons] {
        let healthy = run(&setup(&network, params(), everybody(repair, 400, None)));
        let first = arrivals(&healthy, HOSTS, Kind::Data).next().unwrap().at;
        let mut multicast = everybody(repair, 400, None);
        // About three packets, long after the first.
        let from = first + Span::from_us(50);
        multicast.dead =
            vec![DeadSplitter { splitter: 0, branch: None, from, to: from + Span::from_us(1) }];
        let outcome = run(&setup(&network, params(), multicast));
        complete(&outcome);
        let lost: Vec<u64> = outcome.splitters[0].branches.iter().map(|one| one.lost).collect();
        assert!(lost[0] > 0 && lost.iter().all(|&other| other == lost[0]), "{lost:?}");
        assert_eq!((outcome.casts[0].all.timeouts, answers(&outcome, 0, Kind::Nack)), (0, 1));
    }
}

/// A host stops its switch for a while. Light does not stop: the host's copies fill the buffer and are dropped, and
/// counted. All others have everything as early as without it, and the host has it after the storm. So it is where a
/// paused egress halts whole groups, because no switch can stop a splitter.
#[test]
fn a_paused_host_holds_nobody_back() {
    only_the_paused_host_waits(Pausing::Port);
    only_the_paused_host_waits(Pausing::Group);
}

fn only_the_paused_host_waits(pausing: Pausing) {
    let network = network();
    let mut params = params();
    params.groups.pausing = pausing;
    params.switch.buffer_per_port = DataSize::from_bytes(50_000);
    let one = setup(&network, params, everybody(Repair::Electrons, 1000, None));
    let healthy = run(&one);
    let last = healthy.casts[0].all.received.unwrap();
    let first = arrivals(&healthy, HOSTS, Kind::Data).next().unwrap().at;
    let paused = NodeId(9);
    // Behind the last packet of all others, and shorter than a timeout.
    let to = last + Span::from_us(200);
    let outcome = run(&Setup {
        storms: vec![PauseStorm { host: paused, from: first + Span::from_us(20), to }],
        ..one
    });
    complete(&outcome);
    let tor = NodeId::at(HOSTS + paused.index() / 2);
    let dropped = outcome.drops.get(&(tor, 1, DropReason::Buffer)).copied().unwrap_or(0);
    assert!(dropped > 500, "{:?}", outcome.drops);
    assert_eq!(outcome.drops.len(), 1, "{:?}", outcome.drops);
    for (sound, other) in healthy.casts[0].receivers.iter().zip(&outcome.casts[0].receivers) {
        let is_paused = other.host == paused;
        assert_eq!(other.received > Some(to), is_paused, "{other:?}");
        assert!(is_paused || other.received == sound.received, "{sound:?} {other:?}");
    }
}

/// A member at the sender's own switch is paused. Where that halts the group, nothing goes into the splitter either.
#[test]
fn a_paused_egress_at_the_sender_halts_light() {
    let network = network();
    let (from, to) = (Instant::from_us(40), Instant::from_us(90));
    let storms = vec![PauseStorm { host: NodeId(1), from, to }];
    // Also where losses on branches are repaired over links, and fresh data wait for that at the sender's switch.
    let loss = Some(BranchLoss { rate: 0.01, burst: 1, corrupt: false });
    let lit_meanwhile = |pausing: Pausing, loss: Option<BranchLoss>, seed: u64| {
        let mut params = params();
        params.groups.pausing = pausing;
        let one = setup(&network, params, everybody(Repair::Electrons, 400, loss));
        let outcome = run(&Setup { storms: storms.clone(), seed, ..one });
        complete(&outcome);
        assert!(loss.is_some() || outcome.drops.is_empty(), "{:?}", outcome.drops);
        // 1 us to the switch, and less than 4 us from there over all splitters to every host.
        let data = (2..HOSTS).flat_map(|host| arrivals(&outcome, host, Kind::Data));
        data.filter(|hop| from + Span::from_us(5) < hop.at && hop.at < to).count()
    };
    assert_eq!(lit_meanwhile(Pausing::Group, None, 0), 0);
    assert!(lit_meanwhile(Pausing::Port, None, 0) > 1000);
    for seed in 0..100 {
        assert_eq!(lit_meanwhile(Pausing::Group, loss, seed), 0, "seed {seed}");
    }
}

proptest! {
    #![proptest_config(cases(60))]
    /// Whatever is lost on branches and links and whoever pauses its switch, every member gets everything exactly once;
    /// threads change nothing.
    #[test]
    fn every_member_gets_everything_over_light(
        members in proptest::sample::subsequence((0..HOSTS).collect::<Vec<_>>(), 2..HOSTS),
        senders in proptest::collection::vec(any::<usize>(), 1..4),
        repair in prop_oneof![Just(Repair::Electrons), Just(Repair::Light)],
        rate in prop_oneof![Just(0.0), Just(1e-3), Just(0.05)],
        window in proptest::option::of(8_u32..64),
        threads in 2_usize..5,
        pausing in prop_oneof![Just(Pausing::Port), Just(Pausing::Group)],
        storms in proptest::collection::vec((0..HOSTS, 5_u64..120, 1_u64..150), 0..3),
    ) {
        let network = network();
        let mut params = params();
        params.groups.pausing = pausing;
        let storm = |(host, from, takes): (usize, u64, u64)| PauseStorm {
            host: NodeId::at(host),
            from: Instant::from_us(from),
            to: Instant::from_us(from + takes),
        };
        let storms = storms.into_iter().map(storm).collect();
        params.transport.recovery = window.map_or(params.transport.recovery, selective);
        params.transport.timeout = Span::from_us(200);
        let senders: Vec<usize> = senders.iter().map(|i| members[i % members.len()]).collect();
        let once: BTreeSet<usize> = senders.iter().copied().collect();
        let sources: Vec<usize> = once.into_iter().collect();
        let loss = (rate > 0.0).then_some(BranchLoss { rate, burst: 1, corrupt: false });
        let multicast = Multicast {
            splitters: splitters(loss),
            groups: vec![lit_group(&members, &sources, repair)],
            casts: senders.iter().map(|&from| cast(from, 0, 100)).collect(),
            ..Multicast::default()
        };
        let until = Instant::from_ms(100);
        let one = Setup { until, storms, ..setup(&network, params, multicast) };
        let outcome = run(&one);
        complete(&outcome);
        let again = run(&Setup { threads, ..one.clone() });
        prop_assert!(again == outcome, "other with {} threads", threads);
    }
}
