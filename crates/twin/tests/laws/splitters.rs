//! One-way splitters: each branch has its own delay and its own losses, and nothing goes back.

use lightloom_topology::electrical::{Link, Network, NodeId};
use lightloom_twin::params::Forwarding;
use lightloom_twin::{
    Branch, BranchLoss, Cast, Class, DeadLink, DeadSplitter, DropReason, Egress, End, GroupId, Hop,
    Ingress, Kind, Multicast, Outcome, Rewrite, Rule, Setup, Splitter,
};
use lightloom_units::{BitRate, DataSize, Instant, Span};

use crate::closed_form::cut_row;
use crate::given::*;

/// Receivers of the splitter.
const P: usize = 4;

/// A switch of its own for each of five hosts, all joined by a sixth. Links take a rate of their own.
pub fn tors(rate: BitRate) -> Network {
    let mut links: Vec<Link> = (0..=P).map(|i| (i, P + 1 + i, rate, US)).collect();
    links.extend((0..=P).map(|i| (P + 1 + i, 2 * P + 2, G100, US)));
    wired(P + 1, P + 2, &links)
}

fn tor(i: usize) -> NodeId {
    NodeId::at(P + 1 + i)
}

fn delay(branch: usize) -> Span {
    Span::from_ns(300 + 450 * branch as u64)
}

/// The switch of host 0 transmits to those of all others, which hand on to their hosts.
pub fn glass(rate: BitRate, loss: impl Fn(usize) -> Option<BranchLoss>) -> Multicast {
    let branch = |i| Branch { to: tor(i + 1), delay: delay(i), loss: loss(i) };
    let splitter =
        Splitter { from: tor(0), rate, loss: None, branches: (0..P).map(branch).collect() };
    let group = GroupId(0);
    let rule = |i| {
        let (accept, way) = match i {
            0 => (Ingress::Link(0), Egress::Splitter(0)),
            _ => (Ingress::Splitter(0), Egress::Link(0)),
        };
        Rule {
            at: tor(i),
            group,
            source: None,
            accept: Some(accept),
            ways: vec![(way, Rewrite::Keep)],
        }
    };
    Multicast {
        splitters: vec![splitter],
        groups: vec![datagrams((1..=P).map(NodeId::at).collect())],
        rules: (0..=P).map(rule).collect(),
        casts: vec![cast(100)],
        ..Multicast::default()
    }
}

/// A lossless message of full packets from host 0.
pub fn cast(packets: u64) -> Cast {
    Cast {
        from: NodeId(0),
        to: GroupId(0),
        size: DataSize::from_bytes(packets * MTU),
        start: Instant::ZERO,
        class: Class::LOSSLESS,
        after: Vec::new(),
    }
}

fn no_loss(_: usize) -> Option<BranchLoss> {
    None
}

/// Arrivals that came over the splitter.
fn over_glass(outcome: &Outcome) -> impl Iterator<Item = &Hop> {
    outcome.trace.iter().filter(|hop| hop.node.index() > P && hop.port == 2)
}

fn sent_alone(setup: &Setup<'_>) -> Outcome {
    let outcome = run(&Setup { traced: true, ..setup.clone() });
    let packets = setup.multicast.casts.iter().map(|cast| cast.size.as_bytes().div_ceil(MTU));
    let packets: u64 = packets.sum();
    let splitter = &outcome.splitters[0];
    assert_eq!(splitter.sent, packets);
    let all = outcome.casts.iter().map(|cast| cast.all);
    assert_eq!(all.clone().map(|all| all.sent).sum::<u64>(), packets);
    assert_eq!(all.map(|all| all.copied).sum::<u64>(), packets * (P as u64 - 1));
    // No port of a switch that only receives ever sends, and nothing but data is on the splitter.
    assert!(over_glass(&outcome).all(|hop| hop.packet.kind == Kind::Data && hop.node != tor(0)));
    outcome
}

/// Every branch brings every packet (shufflecast:III-A.direct), at its own time to the picosecond.
#[test]
fn each_branch_has_its_own_delay() {
    let network = tors(G100);
    let setup = Setup { multicast: glass(G100, no_loss), ..simulation(&network, params(), vec![]) };
    let outcome = sent_alone(&setup);
    assert_eq!((outcome.end, outcome.drops.len()), (End::Done, 0));
    let frame = time(PREAMBLE + MTU + HEADER, G100);
    let period = time(PREAMBLE + MTU + HEADER + GAP, G100);
    let cast = &outcome.casts[0];
    for (i, receiver) in cast.receivers.iter().enumerate() {
        let expected = 99 * period + 3 * frame + 2 * US.as_ps() + delay(i).as_ps();
        assert_eq!(receiver.host, NodeId::at(i + 1));
        assert_eq!(receiver.received.unwrap().as_ps(), expected, "branch {i}");
        assert_eq!((receiver.delivered, receiver.spurious), (100, 0));
    }
    let last = cast.receivers.iter().filter_map(|receiver| receiver.received).max();
    assert_eq!((cast.all.received, cast.all.delivered), (last, 400));
    // Each copy counts over each branch: 1 link, 4 branches, 4 links.
    assert_eq!((outcome.data_hops, outcome.control_hops), (900, 0));
}

/// A loss takes copies of one branch. No branch sees the losses of another.
#[test]
fn each_branch_has_its_own_losses() {
    let network = tors(G100);
    let loss = |rate, corrupt| Some(BranchLoss { rate, burst: 1, corrupt });
    let run = |third: f64| {
        let mut multicast = glass(G100, |branch| match branch {
            0 => None,
            1 => loss(1.0, false),
            2 => loss(third, false),
            _ => loss(0.1, true),
        });
        multicast.casts = vec![cast(1000)];
        sent_alone(&Setup { multicast, ..simulation(&network, params(), vec![]) })
    };
    let one = run(0.1);
    let got = |outcome: &Outcome, i: usize| outcome.casts[0].receivers[i].delivered;
    assert_eq!((got(&one, 0), got(&one, 1)), (1000, 0));
    for branch in [2, 3] {
        assert!((850..950).contains(&got(&one, branch)), "{}", got(&one, branch));
    }
    let branches = &one.splitters[0].branches;
    assert_eq!((branches[0].lost, branches[1].lost), (0, 1000));
    assert_eq!(branches[2].lost, 1000 - got(&one, 2));
    // Wrong bits travel on, and fall where they are read.
    assert_eq!((branches[3].lost, branches[3].received), (0, 1000));
    let corrupt = one.drops[&(tor(4), 2, DropReason::Corrupt)];
    assert_eq!(corrupt, 1000 - got(&one, 3));
    assert_eq!(one.casts[0].all.received, None);
    let other = run(0.5);
    assert!(got(&other, 2) < 600);
    assert_eq!(got(&other, 3), got(&one, 3), "branch 3 draws for itself");
}

/// A branch that is dark loses what is on it. The two-way link of the same number lives on, and a dead link
/// takes no branch with it.
#[test]
fn dark_branches_and_dead_links_are_apart() {
    let network = tors(G100);
    let (from, to) = (Instant::from_us(10), Instant::from_us(20));
    let mut multicast = glass(G100, no_loss);
    multicast.dead = vec![DeadSplitter { splitter: 0, branch: Some(2), from, to }];
    let dead = vec![DeadLink { node: tor(2), port: 1, from, to }];
    let flows = vec![flow(4, 3, 60 * MTU)];
    let setup = Setup { multicast, dead, ..simulation(&network, params(), flows) };
    let outcome = sent_alone(&setup);
    let got = outcome.casts[0].receivers.iter().map(|receiver| receiver.delivered);
    let got: Vec<u64> = got.collect();
    assert_eq!((got[0], got[1], got[3]), (100, 100, 100));
    let period = time(PREAMBLE + MTU + HEADER + GAP, G100);
    let lost = 100 - got[2];
    let expected = (to - from).as_ps() / period;
    assert!(lost.abs_diff(expected) <= 6, "{lost} and not {expected}");
    assert_eq!(outcome.flows[0].repeated, 0, "the flow to the host with the dark branch");
    // All of them.
    let mut multicast = glass(G100, no_loss);
    multicast.dead = vec![DeadSplitter { splitter: 0, branch: None, from, to }];
    let outcome = sent_alone(&Setup { multicast, ..simulation(&network, params(), vec![]) });
    assert!(outcome.casts[0].receivers.iter().all(|receiver| receiver.delivered < 100));
}

/// Nobody can stop a transmitter into a splitter: a receiver that is too slow drops, and says nothing.
#[test]
fn a_splitter_is_never_paused() {
    let network = tors(G100);
    let mut params = params();
    params.switch.buffer_per_port = DataSize::from_bytes(20_000);
    let mut multicast = glass(BitRate::from_gbps(400), no_loss);
    // Two senders fill the splitter, which is faster than the links of the receivers.
    let second = Cast { from: NodeId(1), ..cast(100) };
    multicast.casts = vec![cast(100), second];
    for rule in &mut multicast.rules[..1] {
        rule.accept = None;
    }
    // Host 1's packets reach the splitter over the switch in the middle; its own copy comes back by light.
    let up = Rule {
        at: NodeId::at(2 * P + 2),
        group: GroupId(0),
        source: None,
        accept: Some(Ingress::Link(1)),
        ways: vec![(Egress::Link(0), Rewrite::Keep)],
    };
    multicast.rules.push(up);
    multicast.rules[1].accept = Some(Ingress::Link(0));
    multicast.rules[1].ways = vec![(Egress::Link(1), Rewrite::Keep)];
    let outcome = run(&Setup { multicast, traced: true, ..simulation(&network, params, vec![]) });
    assert_eq!(outcome.splitters[0].sent, 200);
    let pauses: u64 = outcome.links.iter().map(|link| link.pauses).sum();
    let dropped = |i| outcome.drops.get(&(tor(i), 0, DropReason::Buffer)).copied().unwrap_or(0);
    assert!(dropped(2) > 0 && dropped(3) > 0, "{:?}", outcome.drops);
    assert!(outcome.drops.keys().all(|drop| drop.2 != DropReason::Headroom));
    // Pauses there are, between those that hear each other; none for the receivers of light.
    let to_tor = |hop: &&Hop| hop.packet.kind == Kind::Pause;
    for hop in outcome.trace.iter().filter(to_tor) {
        assert!(hop.port < 2 || hop.node == NodeId::at(2 * P + 2), "{hop:?}");
    }
    assert_eq!(pauses > 0, outcome.trace.iter().any(|hop| to_tor(&hop)));
}

/// A frame that cuts through from light to a link of another rate is paced by the light that it comes over, and
/// not by the link whose port has a number of its own.
#[test]
fn cut_through_is_paced_by_the_way_in() {
    for (link, light) in [(100, 25), (25, 100), (100, 400), (10, 10)] {
        let [link, light] = [link, light].map(BitRate::from_gbps);
        let network = tors(link);
        let mut params = params();
        params.switch.forwarding = Forwarding::CutThrough;
        params.switch.latency = Span::from_ns(350);
        let mut multicast = glass(light, no_loss);
        multicast.casts = vec![cast(20)];
        let outcome = sent_alone(&Setup { multicast, ..simulation(&network, params, vec![]) });
        for (i, receiver) in outcome.casts[0].receivers.iter().enumerate() {
            let us = US.as_ps();
            let row = [(link, us), (light, delay(i).as_ps()), (link, us)];
            let expected = cut_row(&[MTU + HEADER; 20], &row, 350_000);
            assert_eq!(receiver.received.unwrap().as_ps(), expected, "{link}, {light}, {i}");
        }
    }
}

/// The shortest way may be a branch: windows are no longer than that.
#[test]
fn a_short_branch_shortens_windows() {
    let network = tors(G100);
    let mut multicast = glass(G100, no_loss);
    for branch in &mut multicast.splitters[0].branches {
        branch.delay = Span::from_ps(1);
    }
    let flows = (0..5).map(|i| flow(i, (i + 1) % 5, 50 * MTU)).collect();
    let one = Setup { multicast, traced: true, ..simulation(&network, params(), flows) };
    let outcome = run(&one);
    assert_eq!(outcome.casts[0].all.delivered, 400);
    for threads in [2, 3, 7] {
        assert!(run(&Setup { threads, ..one.clone() }) == outcome, "{threads} threads");
    }
}

/// Light that nobody expects is a drop with its place.
#[test]
fn strays_are_counted() {
    let network = tors(G100);
    let mut multicast = glass(G100, no_loss);
    multicast.rules.truncate(3);
    // The third rule hands on to the switch in the middle, which has none.
    multicast.rules[2].ways = vec![(Egress::Link(1), Rewrite::Keep)];
    // The second sends on what is for another host.
    multicast.rules[1].ways = vec![(Egress::Link(0), Rewrite::ToHost(NodeId(3)))];
    let outcome = sent_alone(&Setup { multicast, ..simulation(&network, params(), vec![]) });
    let stray = |node: NodeId, port| outcome.drops[&(node, port, DropReason::Stray)];
    assert_eq!((stray(tor(3), 2), stray(tor(4), 2)), (100, 100), "no rule");
    assert_eq!(stray(NodeId::at(2 * P + 2), 2), 100, "no rule");
    assert_eq!(stray(NodeId(1), 0), 100, "not for this host");
    assert_eq!(outcome.casts[0].all.dropped, 400);
    assert_eq!(outcome.end, End::Done);
}

/// What a transmitter loses, no branch gets: the same packets lack at all receivers. What branches lose differs.
#[test]
fn losses_of_a_transmitter_reach_all_branches() {
    let network = tors(G100);
    let loss = |burst, corrupt| Some(BranchLoss { rate: 0.2, burst, corrupt });
    let run = |multicast, threads| {
        run(&Setup { multicast, traced: true, threads, ..simulation(&network, params(), vec![]) })
    };
    // The packets that arrive whole at each receiver.
    let arrived = |outcome: &Outcome| -> Vec<Vec<u32>> {
        let at = |i: usize| {
            let hops = outcome.trace.iter().filter(move |hop| hop.node == tor(i + 1));
            let whole =
                hops.filter(|hop| hop.packet.kind == Kind::Data && !hop.packet.is_corrupt());
            whole.map(|hop| hop.packet.psn.get()).collect()
        };
        (0..P).map(at).collect()
    };
    for (burst, corrupt) in [(1, false), (3, false), (1, true)] {
        let mut multicast = glass(G100, |_| None);
        multicast.splitters[0].loss = loss(burst, corrupt);
        let outcome = run(multicast.clone(), 1);
        let got = arrived(&outcome);
        assert!(got[0].len() < 100 && !got[0].is_empty());
        assert!(got.iter().all(|one| *one == got[0]), "{got:?}");
        let lost = if corrupt { 0 } else { 100 - got[0].len() as u64 };
        assert!(outcome.splitters[0].branches.iter().all(|branch| branch.lost == lost));
        assert_eq!(outcome.casts[0].all.dropped, 4 * (100 - got[0].len() as u64));
        // Lost packets are in runs of whole bursts.
        let has = |psn: u32| got[0].contains(&psn);
        let begins = (0..100).filter(|&psn| !has(psn) && (psn == 0 || has(psn - 1)));
        assert!(
            begins.filter(|psn| psn + burst <= 100).all(|psn| (psn..psn + burst).all(|p| !has(p)))
        );
        for threads in [2, 7] {
            assert!(run(multicast.clone(), threads) == outcome);
        }
        // A branch beside it loses more.
        multicast.splitters[0].branches[1].loss = loss(1, false);
        let got = arrived(&run(multicast, 1));
        assert!(got[0] == got[2] && got[1].len() < got[0].len(), "{got:?}");
    }
    let got = arrived(&run(glass(G100, |_| loss(1, false)), 1));
    assert!((1..P).all(|i| got[i] != got[0]), "{got:?}");
}
