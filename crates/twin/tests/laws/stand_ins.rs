//! Stand-ins: a ToR that lights the tree for a sender whose own ToR cannot transmit.

use std::collections::BTreeMap;

use lightloom_topology::electrical::NodeId;
use lightloom_twin::params::{Judge, Params, Safeguard, Scope};
use lightloom_twin::{
    BranchLoss, Cast, Change, Data, DeadLink, DeadSplitter, DropReason, Group, GroupId, Kind,
    LightStop, LightTree, LinkLoss, Multicast, Repair, Service, Setup, SetupError, Simulation,
    Standing, Update, Updated,
};
use lightloom_units::{BitRate, DataSize, Instant, Span};
use proptest::prelude::*;

use crate::given::*;
use crate::reliable::{cast, complete, group, setup};
use crate::reliable_light::{HOSTS, network, splitters, tree_of};

const SPINES: usize = HOSTS + 8;
const NEVER: Instant = Instant::from_ps(u64::MAX);

/// A group over light that this host leads.
fn lit(leader: usize, repair: Repair, tree: LightTree) -> Group {
    let mut group =
        group(&(0..HOSTS).collect::<Vec<_>>(), Data::Light { repair, trees: vec![tree] });
    let Service::Reliable(service) = &mut group.service else { panic!() };
    service.leader = NodeId::at(leader);
    group
}

/// The splitter of the sender's ToR is dead from a time on.
fn multicast(group: Group, packets: u64, dies: Instant, loss: Option<BranchLoss>) -> Multicast {
    Multicast {
        splitters: splitters(loss),
        dead: vec![DeadSplitter { splitter: 0, branch: None, from: dies, to: NEVER }],
        groups: vec![group],
        casts: vec![cast(0, 0, packets)],
        ..Multicast::default()
    }
}

/// With a stand-in from the start on all data go over light: one copy goes from the sender's ToR over two links to the
/// stand-in, wherever the leader is, and every member gets every packet once.
#[test]
fn data_go_over_links_to_the_stand_in_and_over_light_from_there() {
    let network = network();
    let mut absorbed = 0;
    for leader in [0, 1, 5, 9, 14] {
        for (root, repair) in [(1, Repair::Electrons), (2, Repair::Light), (7, Repair::Electrons)] {
            let group = lit(leader, repair, tree_of(0, root));
            let groups = multicast(group, 200, Instant::ZERO, None);
            let outcome = run(&setup(&network, params(), groups));
            complete(&outcome);
            let all = &outcome.casts[0].all;
            assert_eq!((all.sent, all.repeated, all.spurious), (200, 0, 0), "{leader} {root}");
            assert_eq!(all.delivered, 200 * 15);
            assert_eq!((outcome.splitters[0].sent, outcome.splitters[root].sent), (0, 200));
            // Links of spines, and of ToRs toward spines.
            let is_between = |node: NodeId, port: u16| match node.index() {
                ..HOSTS => false,
                SPINES.. => true,
                _ => (2..4).contains(&port),
            };
            let mut between: BTreeMap<NodeId, u64> = BTreeMap::new();
            for hop in outcome.trace.iter().filter(|hop| hop.packet.kind == Kind::Data) {
                if is_between(hop.node, hop.port) {
                    *between.entry(hop.node).or_default() += 1;
                }
            }
            // A spine, and the stand-in.
            assert_eq!(between.len(), 2, "{between:?}");
            assert!(between.contains_key(&NodeId::at(HOSTS + root)));
            assert!(between.values().all(|&packets| packets == 200), "{between:?}");
            absorbed += all.absorbed;
            assert!(outcome.drops.keys().all(|(.., why)| *why != DropReason::Stray));
        }
    }
    // The copies that come back to the sender's ToR and to the stand-in go no further.
    assert!(absorbed > 0);
}

/// The changes from one tree of a sender to another.
fn change(from: &LightTree, to: &LightTree, at: Instant) -> Vec<Update> {
    let (group, source) = (GroupId(0), to.source);
    let dark = |at: NodeId| LightStop { at, accept: None, relay: None };
    let gone = from.stops.iter().filter(|stop| to.stops.iter().all(|other| other.at != stop.at));
    let stops = to.stops.iter().copied().chain(gone.map(|stop| dark(stop.at)));
    let light = stops.map(|stop| Updated::Light { group, source, stop });
    let moved = Updated::StandIn { group, source, stand_in: to.stand_in };
    light.chain([moved]).map(|what| Update { at, what }).collect()
}

fn impatient() -> Params {
    let mut params = params();
    params.transport.timeout = Span::from_us(200);
    params.groups.register_timeout = Span::from_us(100);
    params.groups.register_tries = 1000;
    params
}

proptest! {
    #![proptest_config(cases(40))]
    /// Whenever the sender's splitter dies, a stand-in takes over, another takes its place, and light comes back:
    /// before the registration, during it, or after. Whatever is lost on the way, all arrives once, and no answer
    /// covers what a member lacks. Threads change nothing.
    #[test]
    fn a_stand_in_takes_over_while_data_flow(
        repair in prop_oneof![Just(Repair::Electrons), Just(Repair::Light)],
        leader in 0..HOSTS,
        (first, second) in (1_usize..8, 1_usize..8),
        times in proptest::array::uniform4(0_u64..60_000_000),
        starts_so in any::<bool>(),
        rate in prop_oneof![Just(0.0), Just(1e-3), Just(1e-2)],
        psn in prop_oneof![Just(0), 0xff_ff80_u32..0x100_0000],
        threads in 2_usize..8,
    ) {
        let network = network();
        let start = if starts_so { first } else { 0 };
        let trees = [tree_of(0, start), tree_of(0, first), tree_of(0, second), tree_of(0, 0)];
        let loss = (rate > 0.0).then_some(BranchLoss { rate, burst: 1, corrupt: false });
        let dies = Instant::from_ps(times[0]);
        let group = lit(leader, repair, trees[0].clone());
        let mut groups = multicast(group, 300, dies, loss);
        let mut at = dies;
        for step in 0..3 {
            at = at + Span::from_ps(times[step + 1]);
            groups.updates.extend(change(&trees[step], &trees[step + 1], at));
        }
        groups.dead[0].to = at;
        let mut params = impatient();
        params.transport.first_psn = psn;
        let mut setup = setup(&network, params, groups);
        let lossy = [(0, 0), (16, 2), (17, 2), (24, 0), (25, 1)];
        setup.losses = lossy
            .map(|(from, port)| LinkLoss { from: NodeId(from), port, rate, burst: 1, corrupt: false })
            .to_vec();
        let outcome = run(&setup);
        complete(&outcome);
        let other = run(&Setup { threads, ..setup });
        prop_assert!(other == outcome, "{} threads", threads);
    }
}

/// A ToR whose only members leave still passes on light, and one that stands in still lights the tree.
#[test]
fn a_switch_without_members_still_passes_on_light() {
    let network = network();
    for (root, repair) in [(0, Repair::Light), (1, Repair::Light), (1, Repair::Electrons)] {
        let tree = tree_of(0, root);
        let relays: Vec<usize> = tree.stops[1..]
            .iter()
            .filter(|stop| stop.relay.is_some())
            .map(|stop| stop.at.index() - HOSTS)
            .collect();
        assert!(!relays.is_empty());
        let mut group = lit(0, repair, tree);
        let Service::Reliable(service) = &mut group.service else { panic!() };
        let at = Instant::from_us(100);
        let leave = |host| Change { at, host: NodeId::at(host), joins: false };
        service.changes =
            relays.iter().flat_map(|&tor| [2 * tor, 2 * tor + 1]).map(leave).collect();
        let dies = if root == 0 { NEVER } else { Instant::ZERO };
        let mut groups = multicast(group, 50, dies, None);
        groups.dead.retain(|dead| dead.from != NEVER);
        groups.casts.push(Cast { start: at, ..cast(0, 0, 100) });
        let outcome = run(&setup(&network, impatient(), groups));
        complete(&outcome);
        assert!(outcome.casts.iter().all(|cast| cast.all.repeated == 0), "{:?}", outcome.casts);
        assert_eq!(outcome.casts[1].receivers.len(), 15 - 2 * relays.len());
        assert_eq!(outcome.splitters[root].sent, 150);
    }
}

/// A group that is refused falls back, and gives back its tables also where they pass on light.
#[test]
fn a_refused_group_gives_back_its_light() {
    let network = network();
    let mut params = impatient();
    let (window, judge, scope) =
        (Span::from_us(100), Judge::Rate(BitRate::from_gbps(1)), Scope::All);
    params.groups.safeguard = Some(Safeguard { window, judge, scope });
    // The spine has a port to each of eight ToRs: too much for a table of 8 bytes and 10 for each port. A ToR has room
    // for one group with both its hosts, and not for two.
    params.groups.memory = DataSize::from_bytes(60);
    let small = |leader: usize| {
        let mut group = lit(leader, Repair::Light, tree_of(0, 1));
        group.members.truncate(4);
        let Service::Reliable(service) = &mut group.service else { panic!() };
        service.start = Instant::from_ms(1);
        group
    };
    let mut groups = multicast(lit(0, Repair::Light, tree_of(0, 1)), 20, Instant::ZERO, None);
    groups.groups.push(small(0));
    groups.casts.push(Cast { start: Instant::from_ms(1), ..cast(0, 1, 20) });
    let outcome = run(&setup(&network, params, groups));
    complete(&outcome);
    assert_eq!(outcome.groups[0].fell_back, 15);
    assert_eq!(
        (outcome.groups[1].fell_back, outcome.groups[1].standing),
        (0, Some(Standing::Over))
    );
}

#[test]
fn stand_ins_that_cannot_be_are_refused() {
    let network = network();
    let refused = |change: fn(&mut LightTree)| {
        let mut tree = tree_of(0, 1);
        change(&mut tree);
        let groups = multicast(lit(0, Repair::Light, tree), 1, Instant::ZERO, None);
        let error = Simulation::new(setup(&network, params(), groups)).unwrap_err();
        assert!(
            matches!(error, SetupError::Value { what: "group", field: "trees", .. }),
            "{error}"
        );
    };
    refused(|tree| tree.stand_in = None);
    refused(|tree| tree.stand_in = Some(tree.stops[0].at));
    refused(|tree| tree.stand_in = Some(NodeId(0)));
    refused(|tree| tree.stand_in = Some(tree.stops[2].at));
    refused(|tree| tree.stops[0].relay = Some(0));
    for at in [NodeId(0), NodeId(16), NodeId(24), NodeId(999)] {
        let mut groups = multicast(lit(0, Repair::Light, tree_of(0, 0)), 1, NEVER, None);
        groups.dead.clear();
        let what = Updated::StandIn { group: GroupId(0), source: NodeId(0), stand_in: Some(at) };
        groups.updates = vec![Update { at: Instant::ZERO, what }];
        assert!(Simulation::new(setup(&network, params(), groups)).is_err(), "{at}");
    }
}

/// The last answers of a ToR that passes on light are lost: it says them again when the light comes again.
#[test]
fn a_relay_says_again_what_was_lost() {
    let network = network();
    for root in [0, 1] {
        let tree = tree_of(0, root);
        for relay in tree.stops[1..].iter().filter(|stop| stop.relay.is_some()) {
            let group = lit(0, Repair::Light, tree.clone());
            let dies = if root == 0 { NEVER } else { Instant::ZERO };
            let mut groups = multicast(group, 20, dies, None);
            groups.dead.retain(|dead| dead.from != NEVER);
            let healthy = run(&setup(&network, impatient(), groups.clone()));
            // Nothing gets from the ToR to a spine around the last of its answers.
            let answers = healthy.trace.iter().filter(|hop| {
                hop.packet.kind == Kind::Ack
                    && hop.node.index() >= SPINES
                    && usize::from(hop.port) == relay.at.index() - HOSTS
            });
            let last = answers.max_by_key(|hop| hop.at).unwrap();
            let sent = Instant::from_ps(last.at.as_ps() - 2 * US.as_ps());
            let (node, port) = (last.node, last.port);
            let dead = vec![DeadLink { node, port, from: sent, to: last.at }];
            let outcome = run(&Setup { dead, ..setup(&network, impatient(), groups) });
            complete(&outcome);
            assert!(outcome.casts[0].all.timeouts > 0);
        }
    }
}
