//! Messages over splitters that are admitted: in turns, or with fair shares.

use std::collections::BTreeSet;

use lightloom_topology::electrical::{Network, NodeId};
use lightloom_twin::{
    Admission, Cast, Data, DropReason, Egress, End, Group, GroupId, Ingress, Kind, LightStop,
    LightTree, Multicast, Outcome, Policy, Repair, Rewrite, Rule, Service, Setup,
};
use lightloom_units::{BitRate, DataSize, Instant};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::given::*;
use crate::reliable::{cast, group};
use crate::reliable_light::{HOSTS, lit, network, splitters, tree};

pub const CONTROLLER: NodeId = NodeId(15);
pub const TURNS: Option<Admission> =
    Some(Admission { controller: CONTROLLER, policy: Policy::Turns });
pub const SHARE: Option<Admission> =
    Some(Admission { controller: CONTROLLER, policy: Policy::Share });

/// The tree from a host that lights the splitter of its own ToR alone.
fn short(source: usize) -> LightTree {
    let own = source / 2;
    let stop = |tor: usize| LightStop {
        at: NodeId::at(HOSTS + tor),
        accept: (tor != own).then_some(own as u32),
        relay: (tor == own).then_some(own as u32),
    };
    let stops = [own].into_iter().chain(lit(own)).map(stop).collect();
    LightTree { source: NodeId::at(source), stand_in: None, stops }
}

/// A group of one sender: the hosts of all ToRs, or those of the two that its splitter lights.
fn of_sender(source: usize, to_all: bool) -> (Vec<usize>, LightTree) {
    let own: Vec<usize> = lit(source / 2).iter().flat_map(|tor| [2 * tor, 2 * tor + 1]).collect();
    let others = if to_all { (0..HOSTS).collect() } else { own };
    let others = others.into_iter().filter(|&host| host != source);
    let tree = if to_all { tree(source) } else { short(source) };
    ([source].into_iter().chain(others).collect(), tree)
}

fn rules(number: u32, members: &[usize], tree: &LightTree) -> Vec<Rule> {
    let rule = |stop: &LightStop| {
        let tor = stop.at.index() - HOSTS;
        let here = |host: &&usize| *host / 2 == tor && NodeId::at(**host) != tree.source;
        let ports = members.iter().filter(here);
        let ports = ports.map(|host| (Egress::Link((host % 2) as u16), Rewrite::Keep));
        let relay = stop.relay.map(|splitter| (Egress::Splitter(splitter), Rewrite::Keep));
        let own = Ingress::Link((tree.source.index() % 2) as u16);
        Rule {
            at: stop.at,
            group: GroupId(number),
            source: Some(tree.source),
            accept: Some(stop.accept.map_or(own, Ingress::Splitter)),
            ways: ports.chain(relay).collect(),
        }
    };
    tree.stops.iter().map(rule).collect()
}

/// One message of each sender, by how far it goes and how.
pub fn multicast(said: &[(Cast, bool, bool)], admission: Option<Admission>) -> Multicast {
    let mut all = Multicast { splitters: splitters(None), admission, ..Multicast::default() };
    for (number, &(ref cast, to_all, is_reliable)) in (0..).zip(said) {
        let (members, tree) = of_sender(cast.from.index(), to_all);
        all.casts.push(Cast { to: GroupId(number), ..cast.clone() });
        if is_reliable {
            let trees = vec![tree];
            all.groups.push(group(&members, Data::Light { repair: Repair::Electrons, trees }));
        } else {
            all.rules.extend(rules(number, &members, &tree));
            let members = members.into_iter().map(NodeId::at).collect();
            all.groups.push(Group { members, service: Service::Datagrams });
        }
    }
    all
}

/// Switches with little room, so that what is not admitted overflows.
pub fn setup(network: &Network, multicast: Multicast) -> Setup<'_> {
    let mut params = params();
    params.switch.buffer_per_port = DataSize::from_bytes(40_000);
    params.switch.headroom_per_port = DataSize::from_bytes(20_000);
    params.transport.ack_every = 16;
    Setup { multicast, traced: true, ..simulation(network, params, vec![]) }
}

pub fn overflows(outcome: &Outcome) -> u64 {
    let is_full = |why| matches!(why, DropReason::Buffer | DropReason::Headroom);
    outcome.drops.iter().filter(|((.., why), _)| is_full(*why)).map(|(_, packets)| packets).sum()
}

/// When the first packet of a message arrived anywhere, and the last.
fn under_way(outcome: &Outcome, cast: usize) -> (Instant, Instant) {
    let is_data = |kind| kind == Kind::Data;
    let hops = outcome.trace.iter().filter(|hop| is_data(hop.packet.kind));
    let own = hops.filter(|hop| hop.flow.is_some_and(|flow| flow.index() == cast));
    let times: Vec<Instant> = own.map(|hop| hop.at).collect();
    (*times.first().unwrap(), *times.last().unwrap())
}

/// Whether messages are under way at the same time.
pub fn overlap(outcome: &Outcome, a: usize, b: usize) -> bool {
    let (a, b) = (under_way(outcome, a), under_way(outcome, b));
    a.0 <= b.1 && b.0 <= a.1
}

pub fn all_there(outcome: &Outcome) {
    assert_eq!((outcome.end, &outcome.unbalanced), (End::Done, &vec![]), "{:?}", outcome.casts);
    assert_eq!(overflows(outcome), 0, "{:?}", outcome.drops);
    for cast in &outcome.casts {
        assert!(cast.all.received.is_some(), "{cast:?}");
        let admission = cast.admission.unwrap();
        assert!(admission.asked <= admission.granted && admission.granted <= admission.over);
    }
}

/// The messages of a setup that share a transmitter.
fn conflicts(setup: &Setup<'_>) -> BTreeSet<(usize, usize)> {
    let uses = checked(setup).demands().uses;
    let all = (0..uses.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
    all.filter(|&(a, b)| uses[a].iter().any(|resource| uses[b].contains(resource))).collect()
}

/// Senders on four ToRs of both columns, with all kinds of messages.
fn drawn() -> impl Strategy<Value = Vec<(Cast, bool, bool)>> {
    let one = (0..HOSTS, 1_u64..120, 0_u64..60, any::<bool>(), any::<bool>());
    vec(one, 2..6).prop_map(|all| {
        let mut seen = BTreeSet::new();
        let all = all.into_iter().filter(|(from, ..)| seen.insert(*from));
        let one = |(from, packets, start, to_all, is_reliable)| {
            (
                Cast { start: Instant::from_ps(start * 1_000_000), ..cast(from, 0, packets) },
                to_all,
                is_reliable,
            )
        };
        all.map(one).collect()
    })
}

proptest! {
    #![proptest_config(cases(24))]

    /// In turns: nothing overflows, all arrives, and messages that share a transmitter are never under way at once.
    #[test]
    fn turns_never_overlap(said in drawn()) {
        let network = network();
        let setup = setup(&network, multicast(&said, TURNS));
        let outcome = run(&setup);
        all_there(&outcome);
        for (a, b) in conflicts(&setup) {
            prop_assert!(!overlap(&outcome, a, b), "{a} and {b}: {:?}", outcome.casts);
        }
    }

    /// With shares: nothing overflows, and all arrives.
    #[test]
    fn shares_never_overflow(said in drawn()) {
        let network = network();
        all_there(&run(&setup(&network, multicast(&said, SHARE))));
    }
}

/// Two messages that share nothing go at once (shufflecast:IV-C.turns), and one that shares ports with the first goes
/// after it. Without admission, all go at once and the ports overflow.
#[test]
fn disjoint_messages_go_at_once() {
    let network = network();
    for is_reliable in [false, true] {
        // The ToRs of hosts 0 and 4 light the same ToRs, that of host 2 two others.
        let mut said = [0, 2, 4].map(|from| (cast(from, 0, 200), false, is_reliable));
        said[2].0.start = Instant::from_ps(20_000_000);
        let with = setup(&network, multicast(&said, TURNS));
        assert_eq!(conflicts(&with), BTreeSet::from([(0, 2)]));
        let outcome = run(&with);
        all_there(&outcome);
        let admission: Vec<_> = outcome.casts.iter().map(|cast| cast.admission).collect();
        assert!(overlap(&outcome, 0, 1) && !overlap(&outcome, 0, 2), "{admission:?}");
        let admission = [0, 1, 2].map(|cast| outcome.casts[cast].admission.unwrap());
        assert_eq!(admission.map(|one| one.waited_for), [None, None, Some(0)]);
        assert!(admission[2].granted > admission[0].over);
        assert!(admission.iter().all(|one| one.least == one.rate));

        let without = run(&setup(&network, multicast(&said, None)));
        assert!(overlap(&without, 0, 2) && overflows(&without) > 0, "{:?}", without.drops);
        // The ports to the hosts of the two ToRs, and nothing else.
        let places = without.drops.keys().filter(|(.., why)| *why == DropReason::Buffer);
        assert!(
            places
                .clone()
                .all(|&(node, port, _)| lit(0).contains(&(node.index() - HOSTS)) && port < 2)
        );
        assert!(without.casts.iter().all(|cast| cast.admission.is_none()));
    }
}

/// As many as ask for all hosts at once get equal shares (shufflecast:VI-B.shares), and are through when as many
/// messages fit into the line.
#[test]
fn shares_are_fair_and_full() {
    let network = network();
    for is_reliable in [false, true] {
        let packets = 400;
        let said = [0, 3, 5, 12].map(|from| (cast(from, 0, packets), true, is_reliable));
        let outcome = run(&setup(&network, multicast(&said, SHARE)));
        all_there(&outcome);
        let frame = time(PREAMBLE + MTU + HEADER + GAP, G100);
        for (number, cast) in outcome.casts.iter().enumerate() {
            let admission = cast.admission.unwrap();
            let least = admission.least.unwrap().as_bps();
            let quarter = G100.as_bps() / 4;
            assert!(least <= quarter && quarter - least < quarter >> 16, "{number}: {admission:?}");
            assert!((0..number).all(|other| overlap(&outcome, other, number)));
            // From grant to the end at its share, with some round trips for rates.
            let took = (cast.all.received.unwrap() - admission.granted.unwrap()).as_ps();
            assert!(took < 4 * packets * frame * 17 / 16 + 40_000_000, "{number}: {took}");
        }
        let all = outcome.casts.iter().filter_map(|cast| cast.all.received).max().unwrap();
        assert!(all.as_ps() < 4 * packets * frame + 120_000_000, "{all}");
        // Nothing goes on after the last has told that it is over.
        assert!((outcome.reached - all).as_ps() < 50_000_000, "{}", outcome.reached);
    }
}

/// A message that is alone gets the rate of its slowest transmitter, so that not even that overflows.
#[test]
fn a_slow_transmitter_sets_the_rate() {
    let network = network();
    let mut slow = multicast(&[(cast(0, 0, 300), true, false)], TURNS);
    slow.splitters[0].rate = BitRate::from_gbps(40);
    let outcome = run(&setup(&network, slow.clone()));
    all_there(&outcome);
    let rate = outcome.casts[0].admission.unwrap().rate.unwrap().as_bps();
    assert!(rate <= 40_000_000_000 && rate > 39_999_000_000, "{rate}");
    let outcome = run(&setup(&network, Multicast { admission: None, ..slow }));
    assert!(overflows(&outcome) > 0);
}

/// Several messages of one sender go one after the other, each admitted for itself; those of others may come between.
#[test]
fn each_message_of_a_sender_is_admitted() {
    let network = network();
    for (is_reliable, admission) in [(false, TURNS), (true, TURNS), (false, SHARE), (true, SHARE)] {
        let said = [0, 4].map(|from| (cast(from, 0, 60), false, is_reliable));
        let mut multicast = multicast(&said, admission);
        multicast.casts = [0, 1, 0, 1, 0].map(|at| multicast.casts[at as usize].clone()).to_vec();
        let outcome = run(&setup(&network, multicast));
        all_there(&outcome);
        if admission == TURNS {
            let waited = outcome.casts.iter().map(|cast| cast.admission.unwrap().waited_for);
            assert_eq!(waited.filter(Option::is_some).count(), 4);
        }
    }
}
