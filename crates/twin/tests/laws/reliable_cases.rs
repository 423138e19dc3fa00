//! Single cases of reliable groups in which the switch that the papers describe stalls or errs.

use lightloom_topology::electrical::{FatTree, Network, NodeId};
use lightloom_twin::params::{Forwarding, Params};
use lightloom_twin::{
    Cast, Change, Data, DeadLink, Dialect, DropReason, End, Group, GroupVerb, Kind, LinkLoss,
    Multicast, Outcome, Service, Setup, SetupError, Simulation, Standing,
};
use lightloom_units::{DataSize, Instant, Span};
use proptest::prelude::*;

use crate::given::*;
use crate::reliable::{answers, cast, complete, group, setup};

/// Hosts 0 to 15; edges from 16 on.
fn tree() -> Network {
    FatTree { ports: 4, hosts_per_edge: None, rate: G100, host_rate: None, delay: US }
        .network()
        .unwrap()
}

fn multicast(members: &[usize], casts: Vec<Cast>) -> Multicast {
    let groups = vec![group(members, Data::Electrons)];
    Multicast { groups, casts, ..Multicast::default() }
}

fn all() -> Vec<usize> {
    (0..16).collect()
}

/// A short timeout, so that one that is needed does not end the test.
fn impatient() -> Params {
    let mut params = params();
    params.transport.timeout = Span::from_us(100);
    params.groups.register_timeout = Span::from_us(100);
    params.groups.register_tries = 1000;
    params
}

fn dead(node: usize, port: u16, from: Instant, lasts: Span) -> DeadLink {
    DeadLink { node: NodeId::at(node), port, from, to: from + lasts }
}

/// When the packets of a kind reach a node.
fn times(outcome: &Outcome, node: usize, kind: Kind) -> Vec<Instant> {
    arrivals(outcome, node, kind).map(|hop| hop.at).collect()
}

fn earlier(at: Instant, by: Span) -> Instant {
    Instant::from_ps(at.as_ps() - by.as_ps())
}

/// Every member has acknowledged, and the last aggregated acknowledgement is lost on its way up, at any link. The
/// sender repeats after its timeout (cepheus:III-D.timeout). Its switch, or the one below the loss, filters that and
/// answers again.
#[test]
fn the_last_aggregated_acknowledgement_may_be_lost() {
    let network = tree();
    let one = setup(&network, impatient(), multicast(&all(), vec![cast(0, 0, 20)]));
    let healthy = run(&one);
    complete(&healthy);
    // The last acknowledgement at each switch between two, and at the sender.
    let last: Vec<_> = (0..36)
        .filter(|&node| node == 0 || node >= 16)
        .flat_map(|node| {
            let mut by_port = std::collections::BTreeMap::new();
            arrivals(&healthy, node, Kind::Ack).for_each(|hop| {
                by_port.insert(hop.port, hop.at);
            });
            by_port.into_iter().map(move |(port, at)| (node, port, at))
        })
        .collect();
    assert!(last.len() > 20, "{last:?}");
    for (node, port, at) in last {
        let gone = dead(node, port, earlier(at, Span::from_ns(10)), Span::from_ns(20));
        let outcome = run(&Setup { dead: vec![gone], ..one.clone() });
        complete(&outcome);
        let all = &outcome.casts[0].all;
        assert_eq!((all.answers_dropped, all.dropped), (0, 0), "answers of groups have no flow");
        assert_eq!(all.timeouts, 1, "{gone:?}");
        assert_eq!(outcome.drops.values().sum::<u64>(), 1, "{gone:?}");
        // What was repeated was repeated to no more than one member.
        assert!(all.spurious <= all.repeated, "{all:?}");
    }
}

/// One packet is lost on the sender's own link. All 15 members report it, at different times. The sender goes back
/// once, and needs no timeout.
#[test]
fn one_loss_near_the_root_is_reported_once() {
    let network = tree();
    let one = setup(&network, params(), multicast(&all(), vec![cast(0, 0, 300)]));
    let healthy = run(&one);
    let edge = 16;
    let at = times(&healthy, edge, Kind::Data)[100];
    let gone = dead(0, 0, earlier(at, Span::from_ns(1)), Span::from_ns(2));
    for window in [None, Some(128)] {
        let mut one = one.clone();
        one.params.transport.recovery = window.map_or(one.params.transport.recovery, selective);
        let outcome = run(&Setup { dead: vec![gone], ..one });
        complete(&outcome);
        let all = &outcome.casts[0].all;
        assert_eq!((all.dropped, all.timeouts), (1, 0));
        match window {
            None => {
                assert_eq!(answers(&outcome, 0, Kind::Nack), 1);
                // No packet passes the sender's switch more than twice.
                let mut passed = std::collections::BTreeMap::new();
                for hop in arrivals(&outcome, edge, Kind::Data).filter(|hop| hop.port == 0) {
                    *passed.entry(hop.packet.psn.get()).or_insert(0) += 1;
                }
                assert!(passed.values().all(|&times| times <= 2), "{passed:?}");
            }
            // Selective repeat repeats what was lost, and nothing else.
            Some(_) => assert_eq!(all.repeated, 1),
        }
    }
}

/// Two messages are under way, and the first packet of the first is lost.
#[test]
fn the_first_of_two_messages_under_way_is_lost() {
    let network = tree();
    let casts = vec![cast(0, 0, 3), cast(0, 0, 40)];
    let one = setup(&network, params(), multicast(&all(), casts));
    let at = times(&run(&one), 16, Kind::Data)[0];
    let gone = dead(0, 0, earlier(at, Span::from_ns(10)), Span::from_ns(20));
    let outcome = run(&Setup { dead: vec![gone], ..one });
    complete(&outcome);
    let [first, second] = [0, 1].map(|cast| &outcome.casts[cast]);
    assert_eq!((first.all.dropped, first.all.timeouts + second.all.timeouts), (1, 0));
    for (a, b) in first.receivers.iter().zip(&second.receivers) {
        assert!(a.received < b.received, "in order");
    }
}

/// One switch refuses a group half-way through its registration: the group fails, everything that other switches had
/// entered is given back, and another group that needs the room gets it.
#[test]
fn what_was_entered_before_a_refusal_is_given_back() {
    let network = tree();
    let mut params = impatient();
    // The core that all 16 hosts share has three ports down. Below it no switch has more than two.
    params.groups.fan_out = Some(2);
    // 4 for the ports of a switch and 10 for each that is used: no room for a group with three beside another.
    params.groups.memory = DataSize::from_bytes(4 + 4 * 10);
    let later = |group: Group, at: Instant| {
        let Service::Reliable(mut service) = group.service else { panic!() };
        (service.start, service.verb) = (at, GroupVerb::Send);
        Group { service: Service::Reliable(service), ..group }
    };
    let groups = vec![
        group(&all(), Data::Electrons),
        later(group(&[0, 1], Data::Electrons), Instant::from_ms(1)),
        later(group(&[2, 3], Data::Electrons), Instant::from_ms(1)),
        later(group(&[8, 10], Data::Electrons), Instant::from_ms(1)),
    ];
    let from = [0, 0, 2, 8];
    let start = |place: u32| if place == 0 { Instant::ZERO } else { Instant::from_ms(1) };
    let casts = (0..4_u32)
        .map(|place| Cast { start: start(place), ..cast(from[place as usize], place, 5) });
    let multicast = Multicast { groups, casts: casts.collect(), ..Multicast::default() };
    let outcome = run(&setup(&network, params, multicast));
    let standings: Vec<_> = outcome.groups.iter().map(|group| group.standing).collect();
    let (failed, over) = (Some(Standing::Failed), Some(Standing::Over));
    assert_eq!(standings, [failed, over, over, over]);
    assert!(outcome.casts[0].all.acknowledged.is_none() && outcome.casts[0].all.sent == 0);
    assert!(outcome.casts[1..].iter().all(|cast| cast.all.acknowledged.is_some()));
}

/// Frames whose bits were changed cut through a switch that copies them and rewrites their addresses: the copies keep
/// a wrong check sequence, and every receiver drops its own.
#[test]
fn a_corrupt_frame_stays_corrupt_through_a_bridging_switch() {
    let network = tree();
    let mut params = params();
    params.switch.forwarding = Forwarding::CutThrough;
    let mut one = setup(&network, params, multicast(&all(), vec![cast(0, 0, 500)]));
    one.losses = vec![LinkLoss { from: NodeId(0), port: 0, rate: 0.01, burst: 1, corrupt: true }];
    let outcome = run(&one);
    complete(&outcome);
    let corrupt = |(&(node, _, reason), &packets): (&(NodeId, u16, DropReason), &u64)| {
        (reason == DropReason::Corrupt).then_some((node.index(), packets))
    };
    let dropped: Vec<_> = outcome.drops.iter().filter_map(corrupt).collect();
    let hosts: Vec<usize> = dropped.iter().map(|&(node, _)| node).collect();
    assert_eq!(hosts, (1..16).collect::<Vec<_>>(), "every receiver, and no switch");
    assert!(outcome.casts[0].all.repeated > 0);
}

/// The same group with Gleam (gleam:3.3.write): before each message goes one that tells where each receiver wants it.
/// It takes its time on the wire and packets of its own, and no byte of it reaches an application.
#[test]
fn gleam_announces_each_message() {
    let network = star(5);
    let time_of = |dialect, packets: &[u64], from: &[usize]| {
        let casts = packets.iter().zip(from).map(|(&packets, &from)| cast(from, 0, packets));
        let mut multicast = multicast(&[0, 1, 2, 3, 4], casts.collect());
        let Service::Reliable(service) = &mut multicast.groups[0].service else { panic!() };
        service.dialect = dialect;
        // Without the step of registration that Cepheus has for a WRITE.
        if dialect == Dialect::Cepheus {
            service.verb = GroupVerb::WriteSameAddress;
        }
        let outcome = run(&setup(&network, params(), multicast));
        complete(&outcome);
        let bytes = packets.iter().sum::<u64>() * MTU * 4;
        assert_eq!(outcome.goodput.iter().sum::<u64>(), bytes);
        outcome
    };
    let [cepheus, gleam] =
        [Dialect::Cepheus, Dialect::Gleam].map(|dialect| time_of(dialect, &[100], &[0]));
    let received = |outcome: &Outcome| outcome.casts[0].all.received.unwrap().as_ps();
    assert_eq!((cepheus.casts[0].all.sent, gleam.casts[0].all.sent), (100, 101));
    // 8 bytes and 12 for each of 4 receivers, with the header of a WRITE, before the first packet of payload.
    let announcement = 8 + 12 * 4 + HEADER + 16;
    let later = time(announcement + PREAMBLE + GAP, G100);
    assert!(received(&gleam).abs_diff(received(&cepheus) + later) <= 1);
    // Sources and messages change, and every message has its own.
    let several = time_of(Dialect::Gleam, &[3, 1, 20, 7], &[0, 0, 2, 0]);
    let sent: Vec<u64> = several.casts.iter().map(|cast| cast.all.sent).collect();
    assert_eq!(sent, [4, 2, 21, 8]);
}

/// A link is dead for a while. The times are those of registration, of data and of the last answers.
fn outage() -> impl Strategy<Value = (usize, u16, u64, u64)> {
    let node = prop_oneof![16_usize..36, 0_usize..16];
    (node, 0_u16..4, 0_u64..120_000, prop_oneof![1_u64..400, 1_u64..60_000])
}

proptest! {
    #![proptest_config(cases(100))]
    /// Links die while members register, while data flow, and while the last answers come back: all is repeated that
    /// is to be repeated, and nothing waits for ever.
    #[test]
    fn outages_end(
        members in proptest::sample::subsequence((0..16_usize).collect::<Vec<_>>(), 2..12),
        senders in proptest::collection::vec((any::<usize>(), 1_u64..60), 1..4),
        outages in proptest::collection::vec(outage(), 1..6),
        window in proptest::option::of(8_u32..64),
    ) {
        let network = tree();
        let mut params = impatient();
        params.transport.recovery = window.map_or(params.transport.recovery, selective);
        let casts = senders.iter().map(|&(from, packets)| {
            cast(members[from % members.len()], 0, packets)
        });
        let mut one = setup(&network, params, multicast(&members, casts.collect()));
        one.until = Instant::from_ms(100);
        one.dead = outages.into_iter().map(|(node, port, from, lasts)| {
            let port = if node < 16 { 0 } else { port };
            dead(node, port, Instant::from_ns(from), Span::from_ns(lasts))
        }).collect();
        // A link is dead once at a time.
        one.dead.sort_by_key(|dead| (dead.node, dead.port, dead.from));
        one.dead.dedup_by_key(|dead| (dead.node, dead.port));
        let outcome = run(&one);
        prop_assert_eq!(outcome.end, End::Done);
        complete(&outcome);
    }
}

/// A change holds from the next message on. One that no message follows is refused, and one at the very start of the
/// last message is not.
#[test]
fn a_change_after_the_last_message_is_refused() {
    let network = tree();
    let changed = |us: u64, starts: &[u64]| {
        let casts = starts.iter().map(|&us| Cast { start: Instant::from_us(us), ..cast(0, 0, 5) });
        let mut multicast = multicast(&[0, 1, 2], casts.collect());
        let Service::Reliable(service) = &mut multicast.groups[0].service else { panic!() };
        let change =
            |us, host| Change { at: Instant::from_us(us), host: NodeId(host), joins: true };
        service.changes = vec![change(0, 4), change(us, 3)];
        Simulation::new(setup(&network, params(), multicast)).map(|_| ())
    };
    assert_eq!(changed(10, &[0, 10]), Ok(()));
    let late = |us| {
        let at = Instant::from_us(us);
        Err(SetupError::LateChange { group: 0, host: NodeId(3), at })
    };
    assert_eq!(changed(11, &[0, 10]), late(11));
    assert_eq!(changed(1, &[0]), late(1));
    assert!(matches!(changed(0, &[]), Err(SetupError::LateChange { group: 0, .. })));
}

/// What each verb costs: the header of a WRITE on the wire, and with Cepheus a step of registration, which takes as
/// long as the first where packets are of the same length.
#[test]
fn verbs_cost_what_they_need() {
    let network = star(5);
    let of = |verb| {
        let mut multicast = multicast(&[0, 1, 2, 3, 4], vec![cast(0, 0, 100)]);
        let Service::Reliable(service) = &mut multicast.groups[0].service else { panic!() };
        service.verb = verb;
        let outcome = run(&setup(&network, params(), multicast));
        complete(&outcome);
        (outcome.groups[0].registration.as_ps(), outcome.casts[0].all.received.unwrap().as_ps())
    };
    let (send, write, same) =
        (of(GroupVerb::Send), of(GroupVerb::Write), of(GroupVerb::WriteSameAddress));
    assert_eq!(send.0, same.0);
    // The first packet goes over two links, and its header is 16 bytes longer.
    let header = time(MTU + HEADER + 16, G100) - time(MTU + HEADER, G100);
    assert!((same.1 - send.1).abs_diff(2 * header) <= 2, "{send:?} {same:?}");
    // The second step: the leader's packet of five nodes with 12 bytes more each, the packet to the last member, and
    // its confirmation, over two links each.
    let longer = time(5 * 12, G100) + time(12, G100);
    assert!(write.0.abs_diff(2 * send.0 + longer) <= 20_000, "{send:?} {write:?}");
    assert!(write.1.abs_diff(same.1 + write.0 - same.0) <= 2, "{same:?} {write:?}");
}
