//! Reliable groups: registration, bridged copies and aggregated answers, over links and over splitters.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_topology::electrical::{FatTree, LeafSpine, Network, NodeId};
use lightloom_twin::params::Params;
use lightloom_twin::{
    Cast, Change, Class, Data, Dialect, End, Group, GroupId, GroupVerb, Kind, LinkLoss, Multicast,
    Outcome, Reliable, Service, Setup,
};
use lightloom_units::{DataSize, Instant, Span};
use proptest::prelude::*;

use crate::given::*;

/// A group of these hosts, the first of which is its leader.
pub fn group(members: &[usize], data: Data) -> Group {
    let members: Vec<NodeId> = members.iter().copied().map(NodeId::at).collect();
    let service = Service::Reliable(Reliable {
        leader: members[0],
        start: Instant::ZERO,
        dialect: Dialect::Cepheus,
        verb: GroupVerb::default(),
        data,
        changes: Vec::new(),
    });
    Group { members, service }
}

pub fn cast(from: usize, to: u32, packets: u64) -> Cast {
    Cast {
        from: NodeId::at(from),
        to: GroupId(to),
        size: DataSize::from_bytes(packets * MTU),
        start: Instant::ZERO,
        class: Class::LOSSLESS,
        after: Vec::new(),
    }
}

pub fn multicast(groups: Vec<Group>, casts: Vec<Cast>) -> Multicast {
    Multicast { groups, casts, ..Multicast::default() }
}

pub fn setup<'a>(network: &'a Network, params: Params, multicast: Multicast) -> Setup<'a> {
    Setup { multicast, traced: true, ..simulation(network, params, vec![]) }
}

/// Every member but the sender has every message, and nothing went wrong.
pub fn complete(outcome: &Outcome) {
    assert_eq!((outcome.end, &outcome.unbalanced), (End::Done, &vec![]), "{:?}", outcome.casts);
    for cast in &outcome.casts {
        assert!(cast.all.acknowledged.is_some() && cast.all.received.is_some(), "{cast:?}");
    }
}

/// Answers of a kind that reach a host.
pub fn answers(outcome: &Outcome, host: usize, kind: Kind) -> usize {
    arrivals(outcome, host, kind).count()
}

/// On one switch the sender sends every packet once, the switch copies it to all others, and one acknowledgement
/// of all comes back for each.
///
/// cepheus:III-B2.copies, cepheus:III-A.feedback; gleam:alg1:1-12, gleam:alg2:1-3, gleam:3.2.feedback
#[test]
fn a_switch_copies_data_and_aggregates_answers() {
    let network = star(5);
    let groups = vec![group(&[0, 1, 2, 3, 4], Data::Electrons)];
    let outcome = run(&setup(&network, params(), multicast(groups, vec![cast(0, 0, 100)])));
    complete(&outcome);
    let all = &outcome.casts[0].all;
    assert_eq!((all.sent, all.repeated, all.copied, all.delivered), (100, 0, 300, 400));
    assert_eq!(answers(&outcome, 0, Kind::Ack), 100);
    for receiver in &outcome.casts[0].receivers {
        assert_eq!((receiver.delivered, receiver.spurious), (100, 0));
    }
    // Line rate from the first packet on.
    let first = arrivals(&outcome, 1, Kind::Data).map(|hop| hop.at.as_ps()).next().unwrap();
    let last = outcome.casts[0].all.received.unwrap().as_ps();
    assert_eq!(last - first, 99 * time(MTU + HEADER + PREAMBLE + GAP, G100));
}

/// One packet is lost on the way to one member: it is reported once, everything after it goes out again, and ports
/// that have it do not get it again.
#[test]
fn a_loss_behind_one_port_is_repaired_there() {
    let network = star(5);
    let mut groups = vec![group(&[0, 1, 2, 3, 4], Data::Electrons)];
    let mut with_loss = setup(&network, params(), multicast(groups.clone(), vec![cast(0, 0, 400)]));
    with_loss.losses =
        vec![LinkLoss { from: NodeId(5), port: 2, rate: 0.01, burst: 1, corrupt: false }];
    let outcome = run(&with_loss);
    complete(&outcome);
    let all = &outcome.casts[0].all;
    assert!(all.dropped > 0 && all.timeouts == 0, "{all:?}");
    // What is lost behind a loss is not reported again.
    let reported = answers(&outcome, 0, Kind::Nack) as u64;
    assert!((1..=all.dropped).contains(&reported), "{reported} of {all:?}");
    // The sender is the last to know in a group of two, too.
    groups[0].members.truncate(2);
    let outcome = run(&setup(&network, params(), multicast(groups, vec![cast(0, 0, 1)])));
    complete(&outcome);
}

/// 16 hosts in a fat tree.
fn tree() -> Network {
    FatTree { ports: 4, hosts_per_edge: None, rate: G100, host_rate: None, delay: US }
        .network()
        .unwrap()
}

/// Copies are made as late as possible: over a fat tree no link carries a packet twice, and the sender's answers
/// are those of one receiver.
///
/// cepheus:III-C.direct, cepheus:III-C.reuse; gleam:alg4:1-17
#[test]
fn no_link_carries_a_packet_twice() {
    let network = tree();
    let groups = vec![group(&(0..16).collect::<Vec<_>>(), Data::Electrons)];
    let outcome = run(&setup(&network, params(), multicast(groups, vec![cast(0, 0, 50)])));
    complete(&outcome);
    assert_eq!(answers(&outcome, 0, Kind::Ack), 50);
    let data = outcome.trace.iter().filter(|hop| hop.packet.kind == Kind::Data);
    let mut links = BTreeMap::new();
    data.for_each(|hop| *links.entry((hop.node, hop.port)).or_insert(0_u64) += 1);
    assert!(links.values().all(|&packets| packets == 50), "{links:?}");
    // 16 hosts, 8 edges, 7 aggregations at most, and one core.
    let switches = links.keys().filter(|(node, _)| node.index() >= 16).count();
    assert!(switches <= 8 + 2 * 4 + 1, "{switches}");
}

/// Members send in turns over one table, and hosts that join or leave do so between messages.
///
/// cepheus:III-E.switch, cepheus:III-E.psn; gleam:3.5.sources, gleam:B.switch, gleam:B.psn
#[test]
fn sources_and_members_change_between_messages() {
    let network = tree();
    let mut group = group(&[1, 2, 7, 12], Data::Electrons);
    let Service::Reliable(service) = &mut group.service else { panic!() };
    let at = |us| Instant::from_us(us);
    let change = |us, host, joins| Change { at: at(us), host: NodeId::at(host), joins };
    service.changes = vec![
        change(100, 5, true),
        change(200, 2, false),
        change(300, 15, true),
        change(300, 7, false),
    ];
    let casts = [(1, 0), (12, 10), (5, 100), (5, 150), (12, 200), (1, 300), (15, 300), (12, 310)];
    let casts = casts.map(|(from, us)| Cast { start: at(us), ..cast(from, 0, 20) });
    let outcome = run(&setup(&network, params(), multicast(vec![group], casts.to_vec())));
    complete(&outcome);
    let members: [&[usize]; 8] = [
        &[2, 7, 12],
        &[1, 2, 7],
        &[1, 2, 7, 12],
        &[1, 2, 7, 12],
        &[1, 5, 7],
        &[5, 12, 15],
        &[1, 5, 12],
        &[1, 5, 15],
    ];
    for (cast, members) in outcome.casts.iter().zip(members) {
        let mut got: Vec<usize> = cast.receivers.iter().map(|got| got.host.index()).collect();
        got.sort_unstable();
        assert_eq!(got, members);
        assert!(cast.receivers.iter().all(|got| got.delivered == 20 && got.spurious == 0));
    }
}

/// Groups take the way that the fewest use (cepheus:III-C.least, gleam:alg4:18-23): eight groups between two leaves lie
/// two by two on four spines.
#[test]
fn groups_spread_over_equal_ways() {
    let leaves = LeafSpine {
        leaves: 2,
        spines: 4,
        hosts_per_leaf: 8,
        rate: G100,
        host_rate: None,
        delay: US,
    };
    let network = leaves.network().unwrap();
    let groups = (0..8).map(|host| group(&[host, 8 + host], Data::Electrons)).collect();
    let casts = (0..8).map(|number| cast(number as usize, number, 5)).collect();
    let outcome = run(&setup(&network, params(), multicast(groups, casts)));
    complete(&outcome);
    let mut by_spine = BTreeMap::<NodeId, BTreeSet<GroupId>>::new();
    for hop in outcome.trace.iter().filter(|hop| hop.packet.kind == Kind::Data) {
        if let Some(group) = hop.packet.to.as_group().filter(|_| hop.node.index() >= 18) {
            by_spine.entry(hop.node).or_default().insert(group);
        }
    }
    let counts: Vec<usize> = by_spine.values().map(BTreeSet::len).collect();
    assert_eq!(counts, [2, 2, 2, 2], "{by_spine:?}");
}

/// The table of a group that uses all 64 ports of a switch, in bytes: cepheus:III-D.memory with its index by port
/// (cepheus:III-B1.index) and what it has of hosts (cepheus:III-B1.hosts), and gleam:3.3.memory. For WRITE Cepheus
/// has 12 bytes for each member beside (cepheus:III-B2.write).
#[test]
fn tables_take_what_the_papers_count() {
    let network = star(64);
    let bytes_of = |dialect, verb| {
        let mut group = group(&(0..64).collect::<Vec<_>>(), Data::Electrons);
        let Service::Reliable(service) = &mut group.service else { panic!() };
        (service.dialect, service.verb) = (dialect, verb);
        let outcome = run(&setup(&network, params(), multicast(vec![group], vec![cast(0, 0, 1)])));
        complete(&outcome);
        outcome.tables
    };
    let switch = NodeId(64);
    for (verb, beside) in
        [(GroupVerb::Send, 0), (GroupVerb::Write, 64 * 12), (GroupVerb::WriteSameAddress, 0)]
    {
        assert_eq!(bytes_of(Dialect::Cepheus, verb), [(switch, 704 + beside)]);
        assert_eq!(bytes_of(Dialect::Gleam, verb), [(switch, 960)]);
    }
    let gleam = bytes_of(Dialect::Gleam, GroupVerb::Write);
    // 1,000 groups: 0.92 MB.
    assert_eq!((gleam[0].1 * 100_000 + (1 << 19)) >> 20, 92);
}

/// What is drawn: a fat tree or a star, groups, who sends what, losses on any link, and selective repeat or not.
fn any_run() -> impl Strategy<Value = (bool, Params, Multicast, Vec<LinkLoss>)> {
    let members = proptest::sample::subsequence((0..16_usize).collect::<Vec<_>>(), 2..12);
    let casts = proptest::collection::vec((any::<usize>(), 1_u64..60, 0_u64..50), 1..5);
    let groups = proptest::collection::vec((members, casts), 1..4);
    let loss = (16_u32..36, 0_u16..4, prop_oneof![Just(1e-3), Just(1e-2), Just(0.1)]);
    let losses = proptest::collection::vec(loss, 0..4);
    let psn = prop_oneof![Just(0), 0xff_ff80_u32..0x100_0000];
    let transport = (proptest::option::of(8_u32..64), 1_u32..9, psn);
    (any::<bool>(), groups, losses, transport).prop_map(|(is_tree, groups, losses, transport)| {
        let (window, ack_every, first_psn) = transport;
        let mut params = params();
        params.transport.recovery = window.map_or(params.transport.recovery, selective);
        params.transport.ack_every = ack_every.min(window.unwrap_or(9));
        params.transport.first_psn = first_psn;
        params.transport.timeout = Span::from_us(200);
        params.groups.register_timeout = Span::from_us(100);
        params.groups.register_tries = 1000;
        let mut multicast = multicast(Vec::new(), Vec::new());
        for (number, (members, casts)) in (0..).zip(groups) {
            let mut start = 0;
            for (from, packets, gap) in casts {
                start += gap;
                let from = members[from % members.len()];
                let start = Instant::from_us(start);
                multicast.casts.push(Cast { start, ..cast(from, number, packets) });
            }
            multicast.groups.push(group(&members, Data::Electrons));
        }
        let loss = |(node, port, rate)| LinkLoss {
            from: NodeId(if is_tree { node } else { 16 }),
            port,
            rate,
            burst: 1,
            corrupt: false,
        };
        (is_tree, params, multicast, losses.into_iter().map(loss).collect())
    })
}

proptest! {
    #![proptest_config(cases(100))]
    /// Every receiver gets every message of several groups (cepheus:III-B1.mft, gleam:3.3.table) exactly once and in
    /// order, whatever is lost, and threads change nothing.
    #[test]
    fn every_member_gets_everything((is_tree, params, multicast, losses) in any_run(), threads in 2_usize..5) {
        let network = if is_tree { tree() } else { star(16) };
        let one = Setup {
            losses,
            until: Instant::from_ms(200),
            ..setup(&network, params, multicast)
        };
        let outcome = run(&one);
        complete(&outcome);
        let again = run(&Setup { threads, ..one.clone() });
        prop_assert!(again == outcome, "other with {} threads", threads);
    }
}
