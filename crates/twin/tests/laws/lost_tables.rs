//! Switches lose their tables between registrations of a group whose members change.

use lightloom_topology::electrical::{FatTree, Network, NodeId};
use lightloom_twin::{
    Cast, Change, Data, Group, Kind, LinkLoss, Multicast, Outcome, Psn, Repair, Restart, Service,
    Setup,
};
use lightloom_units::{Instant, Span};
use proptest::prelude::*;

use crate::given::*;
use crate::reliable::{cast, complete, group, multicast, setup};
use crate::reliable_light::{lit_group, network as racks, splitters};
use crate::reroutes::{in_order, leaf_spine};

fn at(us: u64) -> Instant {
    Instant::from_us(us)
}

fn tree() -> Network {
    FatTree { ports: 4, hosts_per_edge: None, rate: G100, host_rate: None, delay: US }
        .network()
        .unwrap()
}

/// The group with hosts that join or leave.
fn changing(mut group: Group, changes: &[(u64, usize, bool)]) -> Group {
    let Service::Reliable(service) = &mut group.service else { panic!() };
    let change = |&(us, host, joins)| Change { at: at(us), host: NodeId::at(host), joins };
    service.changes = changes.iter().map(change).collect();
    group
}

/// A sender's messages, each at its time.
fn casts(all: &[(usize, u64)], packets: u64) -> Vec<Cast> {
    let at = |&(from, us): &(usize, u64)| Cast { start: at(us), ..cast(from, 0, packets) };
    all.iter().map(at).collect()
}

/// All arrives in order, answers hold, and threads change nothing.
fn holds(one: &Setup<'_>, packets: u64) -> Outcome {
    let outcome = run(one);
    complete(&outcome);
    in_order(&outcome, &vec![packets; outcome.casts.len()], one.params.transport.recovery);
    for threads in [2, 7] {
        assert!(run(&Setup { threads, ..one.clone() }) == outcome, "other with {threads} threads");
    }
    outcome
}

/// Any one switch restarts between two runs, and then a host joins or leaves. The switch does not make a table of the
/// new host alone, nor tell the one above that it has no members.
#[test]
fn a_switch_restarts_before_a_change() {
    for network in [leaf_spine(), tree()] {
        let mut params = params();
        params.transport.timeout = Span::from_us(200);
        let changes = [(3, true), (5, true), (2, false), (1, false)];
        for (host, joins) in changes {
            let members: Vec<usize> = (0..7).filter(|&i| !joins || i != host).collect();
            let group = changing(group(&members, Data::Electrons), &[(200, host, joins)]);
            let all = multicast(vec![group], casts(&[(0, 0), (6, 200), (0, 210)], 40));
            let one = setup(&network, params, all);
            let healthy = run(&one);
            let hosts = network.hosts();
            for node in hosts..hosts + network.switches() {
                let second = arrivals(&healthy, node, Kind::Register)
                    .filter(|hop| hop.packet.seen == Psn::new(1))
                    .map(|hop| Instant::from_ps(hop.at.as_ps() - 10_000))
                    .next();
                let Some(second) = second else { continue };
                let restarts = vec![Restart { at: second, node: NodeId::at(node) }];
                let outcome = holds(&Setup { restarts, ..one.clone() }, 40);
                let refused = arrivals(&outcome, 0, Kind::Lost).count();
                assert!(refused == 1, "{refused} by {node}, where {host} changes");
                assert_eq!(outcome.casts.iter().map(|cast| cast.all.timeouts).sum::<u64>(), 0);
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(60))]
    /// Whenever switches restart, and whatever is lost, while hosts join and leave between messages: all members get
    /// every byte once and in order, answers cover nothing that one lacks, and threads change nothing.
    #[test]
    fn tables_are_lost_at_any_time(
        kind in 0_usize..3,
        restarts in proptest::collection::vec((any::<usize>(), 0_u64..5_000, any::<bool>()), 1..4),
        changes in proptest::collection::vec((any::<usize>(), 1_u64..300), 1..5),
        senders in proptest::collection::vec((any::<bool>(), 0_u64..300), 1..5),
        repair in prop_oneof![Just(Repair::Electrons), Just(Repair::Light)],
        loss in proptest::option::of((any::<usize>(), 0_u16..2)),
        window in proptest::option::of(16_u32..64),
    ) {
        let network = match kind { 0 => leaf_spine(), 1 => tree(), _ => racks() };
        let mut params = params();
        params.transport.recovery = window.map_or(params.transport.recovery, selective);
        params.transport.timeout = Span::from_us(200);
        params.groups.register_timeout = Span::from_us(100);
        params.groups.register_tries = 1000;
        let hosts = network.hosts();
        // The first and the last host stay, and send.
        let mut members: Vec<usize> = (0..hosts).filter(|i| i % 2 == 0 || i + 1 == hosts).collect();
        let first = members.clone();
        let mut senders: Vec<(usize, u64)> =
            senders.iter().map(|&(is_last, us)| (if is_last { hosts - 1 } else { 0 }, us)).collect();
        senders.sort_by_key(|sender| sender.1);
        let last = senders.last().map_or(0, |sender| sender.1);
        let mut changes = changes;
        changes.retain(|change| change.1 <= last);
        changes.sort_by_key(|change| change.1);
        let changes: Vec<(u64, usize, bool)> = changes.iter().map(|&(host, us)| {
            let host = 1 + host % (hosts - 2);
            let joins = !members.contains(&host);
            if joins { members.push(host) } else { members.retain(|&other| other != host) }
            (us, host, joins)
        }).collect();
        let group = match kind {
            0 | 1 => group(&first, Data::Electrons),
            _ => lit_group(&first, &[0, hosts - 1], repair),
        };
        let all = Multicast {
            splitters: if kind == 2 { splitters(None) } else { vec![] },
            groups: vec![changing(group, &changes)],
            casts: casts(&senders, 30),
            ..Multicast::default()
        };
        let switch = |node: usize| NodeId::at(hosts + node % network.switches());
        let lossy = |(node, port)| LinkLoss { from: switch(node), port, rate: 0.05, burst: 1, corrupt: false };
        let one = Setup {
            losses: loss.map(lossy).into_iter().collect(),
            until: Instant::from_ms(200),
            ..setup(&network, params, all)
        };
        // Close to a registration packet, or at any time.
        let healthy = run(&one);
        let packets = healthy.trace.iter().filter(|hop| hop.packet.kind == Kind::Register);
        let packets = packets.filter(|hop| hop.node.index() >= hosts);
        let packets: Vec<(u64, NodeId)> = packets.map(|hop| (hop.at.as_ps(), hop.node)).collect();
        let restart = |&(which, ns, is_close): &(usize, u64, bool)| {
            let (close, node) = packets[which % packets.len()];
            let at = if is_close { (close + 1_000_000).saturating_sub(ns * 1_000) } else { ns * 80_000 };
            Restart { at: Instant::from_ps(at), node: if is_close { node } else { switch(which) } }
        };
        let restarts = restarts.iter().map(restart).collect();
        holds(&Setup { restarts, ..one }, 30);
    }
}
