//! Groups on links: sets of ways out, copies that share a buffer, and rules of any kind.

use lightloom_topology::electrical::{Link, Network, NodeId};
use lightloom_twin::params::Buffering;
use lightloom_twin::{
    Branch, BranchLoss, Cast, Class, DeadSplitter, DropReason, Egress, End, GroupId, Ingress, Kind,
    Multicast, Outcome, Rewrite, Rule, Setup, Splitter,
};
use lightloom_units::{BitRate, DataSize, Instant, Span};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::conservation::{any_drawn, drawn};
use crate::given::*;
use crate::splitters::cast;

/// Host 0 at 100 Gb/s and others at rates of their own on one switch, which copies to all others.
fn replicating(rates: &[u64]) -> (Network, Multicast) {
    let hosts = rates.len() + 1;
    let rate = |i: usize| BitRate::from_gbps(if i == 0 { 100 } else { rates[i - 1] });
    let links: Vec<Link> = (0..hosts).map(|i| (i, hosts, rate(i), US)).collect();
    let ways = (1..hosts).map(|i| (Egress::Link(i as u16), Rewrite::Keep)).collect();
    let (at, group) = (NodeId::at(hosts), GroupId(0));
    let multicast = Multicast {
        groups: vec![datagrams((1..hosts).map(NodeId::at).collect())],
        rules: vec![Rule { at, group, source: None, accept: Some(Ingress::Link(0)), ways }],
        casts: vec![cast(400)],
        ..Multicast::default()
    };
    (wired(hosts, 1, &links), multicast)
}

/// When the sender is first stopped.
fn first_stop(outcome: &Outcome) -> u64 {
    arrivals(outcome, 0, Kind::Pause).map(|hop| hop.at.as_ps()).next().unwrap()
}

/// Both ways of buffering deliver everything to everybody, and stop the sender in time. Copies of their own
/// fill the buffer as often as there are of them.
#[test]
fn copies_share_a_body_or_have_their_own() {
    let (network, multicast) = replicating(&[25, 25, 25, 25]);
    let mut params = params();
    params.switch.buffer_per_port = DataSize::from_bytes(400_000);
    // The threshold for one ingress queue is an eighth of what is free of 2 MB.
    let mut stops = Vec::new();
    for buffering in [Buffering::Shared, Buffering::Copies] {
        params.groups.buffering = buffering;
        let multicast = multicast.clone();
        let setup = Setup { multicast, traced: true, ..simulation(&network, params, vec![]) };
        let outcome = run(&setup);
        assert_eq!((outcome.end, outcome.drops.len()), (End::Done, 0));
        assert!(outcome.casts[0].receivers.iter().all(|receiver| receiver.delivered == 400));
        assert_eq!(outcome.casts[0].all.copied, 1200);
        stops.push(first_stop(&outcome));
    }
    let ratio = stops[0] as f64 / stops[1] as f64;
    assert!((2.5..5.0).contains(&ratio), "first stops at {stops:?}");
}

/// A shared body is free again when its slowest copy has left, and not before. So what waits at one port stops the
/// sender (cepheus:III-D.pfc).
#[test]
fn a_shared_body_waits_for_its_slowest_copy() {
    let (network, multicast) = replicating(&[100, 100, 10]);
    let mut params = params();
    params.switch.buffer_per_port = DataSize::from_bytes(100_000);
    let setup = Setup { multicast, traced: true, ..simulation(&network, params, vec![]) };
    let outcome = run(&setup);
    assert_eq!((outcome.end, outcome.drops.len()), (End::Done, 0));
    assert!(first_stop(&outcome) > 0, "the slow receiver stops the sender");
    let received = |i: usize| outcome.casts[0].receivers[i].received.unwrap().as_ps();
    // In the end all go at the pace of the slowest.
    assert!(received(0) > received(2) * 8 / 10, "{} and {}", received(0), received(2));
}

/// A lossy copy is dropped where its own queue is too long, others are not.
#[test]
fn lossy_copies_are_dropped_one_by_one() {
    for buffering in [Buffering::Shared, Buffering::Copies] {
        let (network, mut multicast) = replicating(&[100, 10, 100]);
        multicast.casts[0].class = Class::LOSSY;
        let mut params = params();
        params.groups.buffering = buffering;
        params.switch.buffer_per_port = DataSize::from_bytes(50_000);
        let outcome = run(&Setup { multicast, ..simulation(&network, params, vec![]) });
        let got: Vec<u64> = outcome.casts[0].receivers.iter().map(|got| got.delivered).collect();
        assert_eq!((got[0], got[2]), (400, 400));
        assert!((41..200).contains(&got[1]), "{got:?}");
        assert_eq!(outcome.drops[&(NodeId(4), 2, DropReason::Buffer)], 400 - got[1]);
    }
}

/// A copy that comes in elsewhere than where it is accepted is absorbed, and a copy may become one for a host.
#[test]
fn copies_are_absorbed_and_rewritten() {
    let (network, mut multicast) = replicating(&[100, 100]);
    let rule = &mut multicast.rules[0];
    rule.ways = vec![
        (Egress::Link(1), Rewrite::ToHost(NodeId(1))),
        (Egress::Link(2), Rewrite::ToHost(NodeId(2))),
    ];
    let sent = |multicast: &Multicast| {
        let multicast = multicast.clone();
        run(&Setup { multicast, traced: true, ..simulation(&network, params(), vec![]) })
    };
    let outcome = sent(&multicast);
    assert!(outcome.casts[0].all.received.is_some());
    let host = |hop: &lightloom_twin::Hop| hop.packet.to.as_host() == Some(hop.node);
    assert!(outcome.trace.iter().filter(|hop| hop.node.index() < 3).all(host));
    multicast.rules[0].accept = Some(Ingress::Link(1));
    let outcome = sent(&multicast);
    assert_eq!((outcome.casts[0].all.absorbed, outcome.casts[0].all.copied), (400, 0));
    assert_eq!(outcome.end, End::Done);
}

/// Whatever is drawn: splitters between switches, rules that go round in rings, losses, deaths.
fn any_multicast() -> impl Strategy<Value = Multicast> {
    let node = || (0_u32..1000).prop_map(NodeId);
    let loss = proptest::option::of((0.0..0.5_f64, 1_u32..4, any::<bool>()));
    let branch = (node(), 1_u64..3_000_000, loss).prop_map(|(to, delay, loss)| Branch {
        to,
        delay: Span::from_ps(delay),
        loss: loss.map(|(rate, burst, corrupt)| BranchLoss { rate, burst, corrupt }),
    });
    let splitter = (node(), 1_u64..200, vec(branch, 1..5)).prop_map(|(from, rate, branches)| {
        Splitter { from, rate: BitRate::from_gbps(rate), loss: None, branches }
    });
    let group = vec(node(), 0..5).prop_map(datagrams);
    let way = (any::<bool>(), any::<u16>(), proptest::option::of(node()));
    let rule =
        (node(), any::<u32>(), proptest::option::of((any::<bool>(), any::<u16>())), vec(way, 0..4));
    let rule = rule.prop_map(|(at, group, accept, ways)| {
        let (group, way) = (GroupId(group), |number: u16| u32::from(number));
        let accept = accept.map(|(glass, n)| match glass {
            true => Ingress::Splitter(way(n)),
            false => Ingress::Link(n),
        });
        let to = |(glass, n, to): (bool, u16, Option<NodeId>)| {
            let rewrite = to.map_or(Rewrite::Keep, Rewrite::ToHost);
            (if glass { Egress::Splitter(way(n)) } else { Egress::Link(n) }, rewrite)
        };
        Rule { at, group, source: None, accept, ways: ways.into_iter().map(to).collect() }
    });
    let class = prop_oneof![Just(Class::LOSSLESS), Just(Class::LOSSY)];
    let cast = (node(), any::<u32>(), 0_u64..100_000, 0_u64..50_000_000);
    let cast = cast.prop_map(|(from, to, size, start)| Cast {
        from,
        to: GroupId(to),
        size: DataSize::from_bytes(size),
        start: Instant::from_ps(start),
        class: Class::LOSSY,
        after: Vec::new(),
    });
    let dead =
        (any::<u32>(), proptest::option::of(any::<u32>()), 0_u64..50_000_000, 0_u64..50_000_000);
    let dead = dead.prop_map(|(splitter, branch, from, time)| DeadSplitter {
        splitter,
        branch,
        from: Instant::from_ps(from),
        to: Instant::from_ps(from + time),
    });
    let lists =
        (vec(splitter, 0..4), vec(dead, 0..3), vec(group, 1..3), vec(rule, 0..12), vec(cast, 1..4));
    (lists, class).prop_map(|((splitters, dead, groups, rules, casts), class)| {
        let casts = casts.into_iter().map(|cast| Cast { class, ..cast }).collect();
        Multicast { splitters, dead, groups, rules, casts, ..Multicast::default() }
    })
}

/// Takes numbers modulo what a network has, so that most of it exists.
fn fitted(mut multicast: Multicast, network: &Network) -> Multicast {
    let (hosts, nodes) = (network.hosts() as u32, network.nodes() as u32);
    let host = |node: &mut NodeId| node.0 %= hosts;
    let switch = |node: &mut NodeId| node.0 = hosts + node.0 % (nodes - hosts);
    for splitter in &mut multicast.splitters {
        switch(&mut splitter.from);
        splitter.branches.iter_mut().for_each(|branch| switch(&mut branch.to));
        splitter.branches.sort_by_key(|branch| branch.to);
        splitter.branches.dedup_by_key(|branch| branch.to);
    }
    let splitters = multicast.splitters.clone();
    multicast.dead.retain_mut(|dead| {
        let Some(number) = dead.splitter.checked_rem(splitters.len() as u32) else { return false };
        dead.splitter = number;
        let branches = splitters[number as usize].branches.len() as u32;
        dead.branch = dead.branch.map(|branch| branch % branches);
        true
    });
    let groups = multicast.groups.len() as u32;
    for group in &mut multicast.groups {
        group.members.iter_mut().for_each(host);
        group.members.sort();
        group.members.dedup();
    }
    for rule in &mut multicast.rules {
        switch(&mut rule.at);
        rule.group.0 %= groups;
        let ports = network.ports(rule.at).len() as u16;
        let at = rule.at;
        let into = |n: u32| {
            let ends = |splitter: &&Splitter| splitter.branches.iter().any(|end| end.to == at);
            let all = (0..).zip(&splitters).filter(|(_, splitter)| ends(splitter));
            let all: Vec<u32> = all.map(|(number, _)| number).collect();
            (!all.is_empty()).then(|| all[n as usize % all.len()])
        };
        let out = |n: u32| {
            let all = (0..).zip(&splitters).filter(|(_, splitter)| splitter.from == at);
            let all: Vec<u32> = all.map(|(number, _)| number).collect();
            (!all.is_empty()).then(|| all[n as usize % all.len()])
        };
        rule.accept = rule.accept.map(|way| match way {
            Ingress::Link(n) => Ingress::Link(n % ports),
            Ingress::Splitter(n) => {
                into(n).map_or(Ingress::Link(n as u16 % ports), Ingress::Splitter)
            }
        });
        let members = &multicast.groups[rule.group.0 as usize].members;
        for (way, rewrite) in &mut rule.ways {
            *way = match *way {
                Egress::Link(n) => Egress::Link(n % ports),
                Egress::Splitter(n) => {
                    out(n).map_or(Egress::Link(n as u16 % ports), Egress::Splitter)
                }
            };
            if let Rewrite::ToHost(node) = rewrite {
                match members.len() {
                    0 => *rewrite = Rewrite::Keep,
                    len => *node = members[node.index() % len],
                }
            }
        }
    }
    multicast.rules.sort_by_key(|rule| (rule.at, rule.group));
    multicast.rules.dedup_by_key(|rule| (rule.at, rule.group));
    for cast in &mut multicast.casts {
        host(&mut cast.from);
        cast.to.0 %= groups;
    }
    multicast
}

/// Either way of buffering.
fn any_buffering() -> impl Strategy<Value = Buffering> {
    prop_oneof![Just(Buffering::Shared), Just(Buffering::Copies)]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(150) })]
    /// Copies neither appear nor vanish, whatever the rules are, and threads change nothing.
    #[test]
    fn every_copy_is_accounted_for(
        drawn_ in any_drawn(),
        (multicast, buffering) in (any_multicast(), any_buffering()),
        threads in 2_usize..5,
        until in 10_000_000_u64..300_000_000,
    ) {
        let (network, params, traffic) = &drawn_;
        let mut params = *params;
        params.groups.buffering = buffering;
        let multicast = fitted(multicast, network);
        let until = Instant::from_ps(until);
        let one = Setup { multicast, until, traced: true, ..drawn(network, params, traffic) };
        let outcome = run(&one);
        let again = run(&Setup { threads, ..one.clone() });
        prop_assert!(again == outcome, "other with {} threads", threads);
        // All drops of data are those of flows and of messages to groups.
        let dropped: u64 = outcome.drops.values().sum();
        let cast = |of: fn(&lightloom_twin::FlowOutcome) -> u64| -> u64 {
            outcome.casts.iter().map(|cast| of(&cast.all)).sum()
        };
        prop_assert!(dropped >= cast(|all| all.dropped));
        prop_assert_eq!(cast(|all| all.repeated + all.answers_dropped), 0);
        // What hops over links and branches is what transmitters put there.
        let links: u64 = outcome.links.iter().map(|link| link.sent).sum();
        let glass = outcome.splitters.iter().map(|s| s.sent * s.branches.len() as u64);
        prop_assert_eq!(links + glass.sum::<u64>(), outcome.data_hops + outcome.control_hops);
    }

    /// Whatever numbers it has, a setup is refused or runs.
    #[test]
    fn any_setup_is_refused_or_runs(drawn_ in any_drawn(), multicast in any_multicast()) {
        let (network, params, (flows, losses, dead)) = &drawn_;
        let setup = Setup {
            multicast,
            losses: losses.clone(),
            dead: dead.clone(),
            until: Instant::from_us(50),
            ..simulation(network, *params, flows.clone())
        };
        // Nodes and connections are as drawn here.
        if lightloom_twin::Simulation::new(setup.clone()).is_ok() {
            run(&setup);
        }
    }
}
