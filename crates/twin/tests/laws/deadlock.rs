//! Rings of ports that stop each other for ever: those that are told never move again, and no standstill is
//! without one.

use lightloom_topology::electrical::{Link, Network, NodeId};
use lightloom_twin::params::{Params, Pausing};
use lightloom_twin::{Class, Data, End, Flow, Kind, Multicast, Outcome, Setup};
use lightloom_units::{BitRate, DataSize, Instant, Span};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::given::*;
use crate::reliable::{cast, group};

/// Buffers so small that switches stop each other soon.
fn small(buffer: u64, share: f64) -> Params {
    let mut params = params();
    params.switch.buffer_per_port = DataSize::from_bytes(buffer);
    params.switch.pause_share = share;
    params.transport.timeout = Span::from_s(1);
    params
}

/// Switches in a ring with so many hosts each; chords, each from a switch over so many others.
fn ring(n: usize, hosts_each: usize, rate: BitRate, chords: &[(usize, usize)]) -> Network {
    let hosts = n * hosts_each;
    let at = |switch: usize| hosts + switch % n;
    let mut links: Vec<Link> = (0..hosts).map(|h| (h, at(h), G100, US)).collect();
    links.extend((0..n).map(|i| (at(i), at(i + 1), rate, US)));
    let chords = chords.iter().filter(|(_, by)| by % n != 0);
    links.extend(chords.map(|&(a, by)| (at(a), at(a + by), rate, US)));
    wired(hosts, n, &links)
}

/// Flows, each from a host to one so many hosts further on.
fn flows(network: &Network, said: &[(usize, usize, u64)]) -> Vec<Flow> {
    let hosts = network.hosts();
    let flow = |&(from, by, packets): &(usize, usize, u64)| {
        flow(from % hosts, (from + 1 + by % (hosts - 1)) % hosts, packets * MTU)
    };
    said.iter().map(flow).collect()
}

/// What is told must hold together: each port of a ring is stopped by the switch of the next, where something
/// waits.
fn holds_together(network: &Network, outcome: &Outcome) {
    for ring in &outcome.rings {
        assert!(ring.len() > 1 && ring.iter().min() == ring.first());
        for (i, &(node, port, bytes)) in ring.iter().enumerate() {
            let next = ring[(i + 1) % ring.len()];
            assert_eq!(network.ports(node)[usize::from(port)].peer, next.0, "{ring:?}");
            assert!(bytes > 0, "{ring:?}");
            assert!(outcome.stuck.contains(&ring[i]), "{ring:?}");
        }
    }
    assert_eq!(outcome.rings.is_empty(), outcome.stuck.is_empty());
}

/// Runs on from where a run was cut: over the ports that are stopped for ever goes nothing more but what was on
/// its way.
fn never_moves_again(simulation: &Setup<'_>, outcome: &Outcome) {
    let later = simulation.until + Span::from_ms(3);
    let longer = run(&Setup { until: later, traced: true, ..simulation.clone() });
    for &(node, port, bytes) in &outcome.stuck {
        let link = &simulation.network.ports(node)[usize::from(port)];
        let frame = Span::from_ps(time(PREAMBLE + MTU + HEADER, link.rate));
        let last = simulation.until + link.delay + frame;
        let moved = longer.trace.iter().find(|hop| {
            (hop.node, hop.port) == (link.peer, link.peer_port.0)
                && hop.at > last
                && hop.packet.kind == Kind::Data
                && hop.packet.class == Class::LOSSLESS
        });
        assert_eq!(moved, None, "{node}, port {port} with {bytes} bytes of {:?}", outcome.rings);
    }
    // Packets that were on their way to a port of a ring join those that wait there.
    for ring in &outcome.rings {
        let stays = |later: &Vec<(NodeId, u16, u64)>| {
            let same = |(old, new): (&(NodeId, u16, u64), &(NodeId, u16, u64))| {
                (old.0, old.1) == (new.0, new.1) && old.2 <= new.2
            };
            later.len() == ring.len() && ring.iter().zip(later).all(same)
        };
        assert!(longer.rings.iter().any(stays), "{ring:?} is gone: {:?}", longer.rings);
    }
}

/// Found at random: when the run is cut, packets are on their way to a port of the ring.
#[test]
fn packets_on_their_way_join_a_ring() {
    let said = [
        (7, 3, 55),
        (0, 0, 25),
        (12, 0, 22),
        (14, 6, 33),
        (10, 12, 22),
        (12, 11, 30),
        (10, 1, 21),
        (5, 11, 60),
        (11, 2, 63),
        (10, 1, 74),
        (13, 11, 291),
        (3, 3, 267),
        (12, 8, 300),
        (0, 8, 126),
        (1, 12, 23),
        (1, 2, 115),
        (13, 8, 385),
        (3, 10, 40),
        (13, 3, 259),
        (8, 6, 161),
        (9, 12, 56),
        (11, 4, 290),
    ];
    let network = ring(7, 2, G100, &[]);
    let flows = flows(&network, &said);
    let switch = small(31_332, 0.055_694_352_957_473_284);
    let cut = Setup { until: Instant::from_us(103), ..simulation(&network, switch, flows) };
    let outcome = run(&cut);
    assert!(!outcome.rings.is_empty());
    holds_together(&network, &outcome);
    never_moves_again(&cut, &outcome);
}

#[test]
fn a_ring_is_told_beside_a_region_that_gets_on() {
    let n = 5;
    let mut links: Vec<Link> = (0..10).map(|h| (h, 12 + h % 5, G100, US)).collect();
    links.extend((0..n).map(|i| (12 + i, 12 + (i + 1) % n, G100, US)));
    // The sixth switch, with hosts 10 and 11, hangs on the first of the ring.
    links.extend([(12, 17, G100, US), (10, 17, G100, US), (11, 17, G100, US)]);
    let network = wired(12, 6, &links);
    let mut all: Vec<Flow> =
        (0..10).map(|h| flow(h, h / 5 * 5 + (h % 5 + 2) % 5, 1000 * MTU)).collect();
    all.push(flow(10, 11, 1 << 40));
    let until = Instant::from_ms(1);
    let beside = Setup { until, ..simulation(&network, small(20_000, 0.125), all) };
    let outcome = run(&beside);
    assert_eq!(outcome.end, End::Time);
    assert!(outcome.flows[10].delivered > 2_500, "{:?}", outcome.flows[10]);
    let [ring] = outcome.rings.as_slice() else { panic!("{:?}", outcome.rings) };
    assert_eq!(ring.iter().map(|at| at.0.0).collect::<Vec<_>>(), [12, 13, 14, 15, 16]);
    holds_together(&network, &outcome);
    never_moves_again(&beside, &outcome);
    for threads in [2, 7] {
        assert_eq!(run(&Setup { threads, ..beside.clone() }), outcome);
    }
}

/// From the time on at which a ring closes it is told, whenever the run is cut.
#[test]
fn a_ring_that_is_told_stays() {
    // Every host sends to one so many switches on, less than half of the way round.
    for (n, by) in [(5, 2), (6, 2), (7, 3)] {
        let network = ring(n, 2, G100, &[]);
        let all: Vec<_> = (0..2 * n).map(|host| (host, by - 1, 1000)).collect();
        let all = flows(&network, &all);
        let told = (1..15).map(|i| {
            let until = Instant::from_us(10 * i);
            let cut = Setup { until, ..simulation(&network, small(30_000, 0.125), all.clone()) };
            let outcome = run(&cut);
            holds_together(&network, &outcome);
            never_moves_again(&cut, &outcome);
            !outcome.rings.is_empty()
        });
        let told: Vec<bool> = told.collect();
        assert!(told.is_sorted() && told.contains(&true), "{n} switches: {told:?}");
    }
}

proptest! {
    #![proptest_config(cases(48))]
    /// Whenever a run is cut: what is stopped for ever at that time never moves again.
    #[test]
    fn what_is_told_never_moves_again(
        n in 3_usize..8,
        rate in prop_oneof![Just(G100), (20_000_000_000_u64..200_000_000_000).prop_map(BitRate::from_bps)],
        chords in vec((0_usize..8, 2_usize..4), 0..2),
        said in vec((0_usize..16, 0_usize..16, 20_u64..400), 4..24),
        (buffer, share) in (8_000_u64..60_000, 0.02..0.6_f64),
        until in 20_u64..400,
    ) {
        let network = ring(n, 2, rate, &chords);
        let until = Instant::from_us(until);
        let flows = flows(&network, &said);
        let cut = Setup { until, ..simulation(&network, small(buffer, share), flows) };
        let outcome = run(&cut);
        holds_together(&network, &outcome);
        never_moves_again(&cut, &outcome);
    }

    /// Where nothing is ever lost, whatever does not end is a ring, and all that waits waits for it.
    #[test]
    fn a_standstill_without_loss_is_a_ring(
        n in 3_usize..8,
        said in vec((0_usize..16, 0_usize..16, 20_u64..400), 4..24),
        (buffer, share) in (8_000_u64..60_000, 0.02..0.6_f64),
    ) {
        let network = ring(n, 2, G100, &[]);
        let flows = flows(&network, &said);
        let patience = Span::from_ms(5);
        let long = Setup { patience, ..simulation(&network, small(buffer, share), flows) };
        let outcome = run(&long);
        holds_together(&network, &outcome);
        if outcome.end == End::Done {
            prop_assert_eq!(&outcome.rings, &Vec::<Vec<_>>::new());
        } else {
            prop_assert_eq!(outcome.end, End::Stalled);
            prop_assert!(!outcome.rings.is_empty(), "{:?}", outcome.paused);
            prop_assert_eq!(&outcome.paused, &outcome.stuck.iter().copied().filter(|at| at.2 > 0).collect::<Vec<_>>());
        }
    }

    /// The same with groups, whether a paused egress holds back its own copies or the whole group.
    #[test]
    fn what_is_told_of_groups_never_moves_again(
        n in 3_usize..7,
        said in vec((0_usize..16, 0_usize..16, 20_u64..400), 0..12),
        groups in vec((0_usize..16, vec(1_usize..16, 1..4), 20_u64..400), 1..5),
        pausing in prop_oneof![Just(Pausing::Port), Just(Pausing::Group)],
        (buffer, share) in (8_000_u64..60_000, 0.02..0.6_f64),
        until in proptest::option::of(20_u64..400),
    ) {
        let network = ring(n, 2, G100, &[]);
        let hosts = network.hosts();
        let mut multicast = Multicast::default();
        for (number, (from, others, packets)) in (0..).zip(&groups) {
            let mut members = vec![from % hosts];
            members.extend(others.iter().map(|by| (from + by) % hosts));
            members.sort_unstable();
            members.dedup();
            if members.len() < 2 {
                members.push((members[0] + 1) % hosts);
            }
            multicast.groups.push(group(&members, Data::Electrons));
            multicast.casts.push(cast(members[0], number, *packets));
        }
        let mut params = small(buffer, share);
        params.groups.pausing = pausing;
        let patience = Span::from_ms(5);
        let whole = Setup { patience, multicast, ..simulation(&network, params, flows(&network, &said)) };
        let one = match until {
            Some(until) => Setup { until: Instant::from_us(until), ..whole },
            None => whole,
        };
        let outcome = run(&one);
        holds_together(&network, &outcome);
        if until.is_some() {
            never_moves_again(&one, &outcome);
        } else if outcome.end == End::Stalled {
            prop_assert!(!outcome.rings.is_empty(), "{:?}", outcome.paused);
        }
        let again = run(&Setup { threads: 3, ..one });
        prop_assert!(again == outcome);
    }

    /// Routes in a tree make no ring, however small buffers are: all is delivered, and on the way nothing is
    /// ever told to be stopped for ever.
    #[test]
    fn trees_have_none(
        parents in vec(any::<prop::sample::Index>(), 1..8),
        said in vec((0_usize..16, 0_usize..16, 20_u64..300), 4..24),
        (buffer, share) in (8_000_u64..60_000, 0.02..0.6_f64),
        until in 20_u64..400,
    ) {
        let switches = parents.len() + 1;
        let hosts = 2 * switches;
        let mut links: Vec<Link> = (0..hosts).map(|h| (h, hosts + h % switches, G100, US)).collect();
        let tree = parents.iter().enumerate();
        links.extend(tree.map(|(i, at)| (hosts + i + 1, hosts + at.index(i + 1), G100, US)));
        let network = wired(hosts, switches, &links);
        let all = flows(&network, &said);
        let whole = simulation(&network, small(buffer, share), all);
        prop_assert!(finished(&whole).rings.is_empty());
        let cut = run(&Setup { until: Instant::from_us(until), ..whole });
        prop_assert!(cut.rings.is_empty() && cut.stuck.is_empty(), "{:?}", cut.rings);
    }
}

/// A link that dies lets its ports go on when the last pause ends: then it is no ring for ever.
#[test]
fn a_ring_with_a_link_that_dies_is_not_for_ever() {
    let network = ring(5, 2, G100, &[]);
    let said: Vec<_> = (0..10).map(|h| (h, if h < 5 { 1 } else { 6 }, 1000)).collect();
    let flows = flows(&network, &said);
    let until = Instant::from_us(500);
    let alive = Setup { until, ..simulation(&network, small(20_000, 0.125), flows) };
    let outcome = run(&alive);
    assert_eq!(outcome.rings.len(), 1, "{:?}", outcome.paused);
    let (node, port, _) = outcome.rings[0][2];
    let (from, to) = (Instant::from_ms(1), Instant::from_ms(2));
    let dead = vec![lightloom_twin::DeadLink { node, port, from, to }];
    let dies = run(&Setup { dead, ..alive });
    assert_eq!(dies.paused, outcome.paused, "so far nothing differs");
    assert_eq!((dies.rings, dies.stuck), (Vec::new(), Vec::new()));
    assert_ne!(node, NodeId(0));
}
