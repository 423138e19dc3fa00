//! Links and switches die and come back while data flow, and routes go around them.

use std::collections::BTreeSet;
use std::sync::Arc;

use lightloom_topology::electrical::{FatTree, LeafSpine, Network, NodeId};
use lightloom_twin::params::Recovery;
use lightloom_twin::{
    Data, DeadLink, DropReason, End, Flow, FlowId, GroupId, Kind, Multicast, Outcome, Repair,
    Reroute, Restart, Setup,
};
use lightloom_units::{Instant, Span};
use proptest::prelude::*;

use crate::given::*;
use crate::reliable::{cast, complete, group, multicast, setup};
use crate::reliable_light::{HOSTS, lit_group, network as racks, splitters};

/// Time from a change until routes go around it.
const REACTION: Span = Span::from_us(30);

fn at(us: u64) -> Instant {
    Instant::from_us(us)
}

pub fn leaf_spine() -> Network {
    LeafSpine { leaves: 4, spines: 3, hosts_per_leaf: 2, rate: G100, host_rate: None, delay: US }
        .network()
        .unwrap()
}

fn tree() -> Network {
    FatTree { ports: 4, hosts_per_edge: None, rate: G100, host_rate: None, delay: US }
        .network()
        .unwrap()
}

/// What dies: a link by a port of one end, or a switch with all links.
#[derive(Debug, Clone, Copy)]
pub struct Dies {
    pub node: NodeId,
    pub port: Option<u16>,
    pub from: u64,
    pub to: Option<u64>,
}

impl Dies {
    pub fn links(&self, network: &Network) -> Vec<(NodeId, u16)> {
        let all = 0..network.ports(self.node).len() as u16;
        all.filter(|&port| self.port.is_none_or(|only| only == port))
            .map(|port| (self.node, port))
            .collect()
    }
}

/// The same run with these deaths. `reacts`: routes go around them after a time, and leaders of groups are told.
pub fn dying<'a>(one: &Setup<'a>, all: &[Dies], reacts: bool) -> Setup<'a> {
    let network = one.network;
    let mut setup = one.clone();
    let never = Instant::from_s(100);
    let end = |dies: &Dies| dies.to.map_or(never, at);
    for dies in all {
        let (from, to) = (at(dies.from), end(dies));
        let links = dies.links(network).into_iter();
        setup.dead.extend(links.map(|(node, port)| DeadLink { node, port, from, to }));
        if dies.port.is_none() && dies.to.is_some() {
            setup.restarts.push(Restart { at: to, node: dies.node });
        }
    }
    let times: BTreeSet<Instant> = all.iter().flat_map(|dies| [at(dies.from), end(dies)]).collect();
    for time in times.into_iter().filter(|&time| reacts && time < never) {
        let lasting = all.iter().filter(|dies| at(dies.from) <= time && time < end(dies));
        let detours = network.detours(lasting.flat_map(|dies| dies.links(network)));
        let groups = (0..setup.multicast.groups.len() as u32).map(GroupId).collect();
        setup.reroutes.push(Reroute { at: time + REACTION, detours: Arc::new(detours), groups });
    }
    setup
}

/// Every receiver of every message gets all its packets. Without a window it takes them in order, so those that a later
/// one overtook must come again.
pub fn in_order(outcome: &Outcome, packets: &[u64], recovery: Recovery) {
    let mut first = 0;
    let numbered = (outcome.flows.len() as u32..).zip(&outcome.casts);
    for ((flow, cast), &packets) in numbered.zip(packets) {
        let flow = Some(FlowId(flow));
        for got in &cast.receivers {
            let came = arrivals(outcome, got.host.index(), Kind::Data);
            let came = came.filter(|hop| hop.flow == flow && !hop.packet.is_corrupt());
            let numbers = came.map(|hop| u64::from(hop.packet.psn.get()));
            let has = match recovery {
                Recovery::GoBackN => numbers.fold(first, |next, psn| next + u64::from(psn == next)),
                Recovery::SelectiveRepeat { .. } => {
                    let of = numbers.filter(|psn| (first..first + packets).contains(psn));
                    first + of.collect::<BTreeSet<_>>().len() as u64
                }
            };
            assert!(has >= first + packets, "{got:?} has {has} from {first}");
        }
        first += packets;
    }
}

/// A spine dies for good. Flows over it lose what is under way until routes change, and then nothing more.
#[test]
fn flows_go_around_a_dead_spine() {
    let network = leaf_spine();
    let flows: Vec<Flow> = (0..8).map(|host| flow(host, (host + 2) % 8, 400 * MTU)).collect();
    let spine = NodeId::at(8 + 4);
    let mut params = params();
    params.transport.timeout = Span::from_us(100);
    let one = Setup { traced: true, ..simulation(&network, params, flows) };
    let dies = Dies { node: spine, port: None, from: 20, to: None };
    let around = finished(&dying(&one, &[dies], true));
    let changed = at(20) + REACTION;
    let late =
        |hop: &&lightloom_twin::Hop| hop.node == spine && hop.at > changed + Span::from_us(5);
    assert_eq!(around.trace.iter().filter(late).count(), 0);
    assert!(around.flows.iter().any(|flow| flow.repeated > 0));
    // Without new routes some never end.
    let until = Instant::from_ms(3);
    let stays = run(&Setup { until, ..dying(&one, &[dies], false) });
    assert!(stays.flows.iter().any(|flow| flow.received.is_none()));
    // A change of routes that changes nothing changes nothing.
    let mut idle = one.clone();
    let detours = Arc::new(network.detours([]));
    idle.reroutes = vec![Reroute { at: at(10), detours, groups: vec![] }];
    assert!(finished(&idle) == finished(&one));
}

/// The spine that a group goes over dies in the middle of a message. With new routes its leader registers it over
/// another one, and the transfer goes on.
#[test]
fn a_group_goes_on_over_another_spine() {
    let network = leaf_spine();
    let mut params = params();
    params.transport.timeout = Span::from_us(200);
    let group = group(&(0..8).collect::<Vec<_>>(), Data::Electrons);
    for from in [0, 5] {
        let one = setup(&network, params, multicast(vec![group.clone()], vec![cast(from, 0, 600)]));
        let healthy = run(&one);
        let used = healthy.trace.iter().filter(|hop| hop.packet.kind == Kind::Data);
        let spine = used.map(|hop| hop.node).find(|node| node.index() >= 12).unwrap();
        let dies = Dies { node: spine, port: None, from: 60, to: None };
        let outcome = run(&dying(&one, &[dies], true));
        complete(&outcome);
        in_order(&outcome, &[600], params.transport.recovery);
        // Repaired soon after routes have changed: no timer of more than a registration passes.
        let took = |outcome: &Outcome| outcome.casts[0].all.received.unwrap().as_ps();
        let lost = took(&outcome) - took(&healthy);
        assert!(lost < 250_000_000, "{lost} ps from host {from}");
        let until = Instant::from_ms(3);
        let stays = run(&Setup { until, ..dying(&one, &[dies], false) });
        assert!(stays.casts[0].all.received.is_none());
    }
}

/// A switch on the way of a group comes back without its table. The sender notices that nothing is acknowledged, or
/// the leader is told, and all are registered from what is acknowledged.
#[test]
fn a_switch_restarts_in_the_middle_of_a_message() {
    for network in [tree(), leaf_spine(), star(6)] {
        let hosts = network.hosts();
        let mut params = params();
        params.transport.timeout = Span::from_us(200);
        for recovery in [params.transport.recovery, selective(64)] {
            params.transport.recovery = recovery;
            for (from, reacts) in [(0, false), (hosts - 1, false), (hosts - 1, true)] {
                let members: Vec<usize> = (0..hosts).collect();
                let group = group(&members, Data::Electrons);
                let casts = vec![cast(from, 0, 300), cast(1, 0, 50)];
                let one = setup(&network, params, multicast(vec![group], casts));
                let rack = network.ports(NodeId::at(2))[0].peer;
                let dies = Dies { node: rack, port: None, from: 40, to: Some(45) };
                let outcome = run(&dying(&one, &[dies], reacts));
                complete(&outcome);
                in_order(&outcome, &[300, 50], recovery);
            }
        }
    }
}

/// What waits in a switch that restarts is lost, and nothing is left of it.
#[test]
fn queues_are_empty_after_a_restart() {
    let network = star(4);
    let flows = (1..4).map(|host| flow(host, 0, 300 * MTU)).collect();
    let mut params = params();
    params.transport.timeout = Span::from_us(300);
    let mut one = simulation(&network, params, flows);
    one.restarts = vec![Restart { at: at(40), node: NodeId(4) }];
    let outcome = finished(&one);
    let dead = outcome.drops.iter().filter(|((.., why), _)| *why == DropReason::Dead);
    assert!(dead.map(|(_, packets)| packets).sum::<u64>() > 10, "{:?}", outcome.drops);
}

/// Deaths of links between switches, and of switches. Those with hosts come back.
fn any_deaths() -> impl Strategy<Value = Vec<(usize, Option<usize>, u64, Option<u64>)>> {
    let one = (any::<usize>(), proptest::option::of(any::<usize>()), 5_u64..150);
    let one = (one, proptest::option::of(5_u64..200));
    let one = one.prop_map(|((node, port, from), lasts)| (node, port, from, lasts));
    proptest::collection::vec(one, 1..4)
}

/// Deaths in a network: at any time its hosts stay joined, or what parts them comes back.
fn fitted(network: &Network, drawn: &[(usize, Option<usize>, u64, Option<u64>)]) -> Vec<Dies> {
    let mut all: Vec<Dies> = Vec::new();
    for &(node, port, from, lasts) in drawn {
        let node = NodeId::at(network.hosts() + node % network.switches());
        let port = port.map(|port| (port % network.ports(node).len()) as u16);
        let mut dies = Dies { node, port, from, to: lasts.map(|lasts| from + lasts) };
        let for_good = all.iter().chain([&dies]).filter(|dies| dies.to.is_none());
        let links: Vec<_> = for_good.flat_map(|dies| dies.links(network)).collect();
        if !network.detours(links).cut_off().is_empty() {
            dies.to = Some(from + 50);
        }
        all.push(dies);
    }
    all
}

proptest! {
    #![proptest_config(cases(40))]
    /// Whatever dies and comes back: all that a path still reaches have every byte once and in order, answers cover
    /// nothing that a member lacks, and threads change nothing.
    #[test]
    fn all_that_a_path_reaches_get_everything(
        drawn in any_deaths(),
        kind in 0_usize..4,
        pairs in proptest::collection::vec((any::<usize>(), any::<usize>()), 0..4),
        senders in proptest::collection::vec(any::<usize>(), 1..3),
        window in proptest::option::of(16_u32..64),
        members in 2_usize..8,
        reacts in prop_oneof![4 => Just(true), 1 => Just(false)],
    ) {
        let network = match kind { 0 => leaf_spine(), 1 => tree(), _ => racks() };
        let mut params = params();
        params.transport.recovery = window.map_or(params.transport.recovery, selective);
        params.transport.timeout = Span::from_us(200);
        let hosts = network.hosts();
        let members: Vec<usize> = (0..members).map(|i| i * hosts / members).collect();
        let senders: Vec<usize> = senders.iter().map(|i| members[i % members.len()]).collect();
        let casts = senders.iter().map(|&from| cast(from, 0, 150)).collect();
        let sources: Vec<usize> = senders.iter().copied().collect::<BTreeSet<_>>().into_iter().collect();
        let repair = if kind == 2 { Repair::Electrons } else { Repair::Light };
        let all = match kind {
            0 | 1 => multicast(vec![group(&members, Data::Electrons)], casts),
            _ => Multicast {
                splitters: splitters(None),
                groups: vec![lit_group(&members, &sources, repair)],
                casts,
                ..Multicast::default()
            },
        };
        let flows = pairs.iter().map(|&(from, to)| (from % hosts, to % hosts));
        let flows = flows.filter(|(from, to)| from != to);
        let flows = flows.map(|(from, to)| flow(from, to, 100 * MTU)).collect();
        let one = Setup { flows, until: Instant::from_ms(100), ..setup(&network, params, all) };
        let mut deaths = fitted(&network, &drawn);
        if !reacts {
            // Nobody goes around what stays dead.
            deaths.iter_mut().for_each(|dies| dies.to = Some(dies.to.unwrap_or(dies.from + 60)));
        }
        let one = dying(&one, &deaths, reacts);
        let outcome = run(&one);
        prop_assert_eq!(outcome.end, End::Done, "{:?} {:?}", outcome.groups, deaths);
        for flow in &outcome.flows {
            prop_assert!(flow.received.is_some() && flow.acknowledged.is_some(), "{:?}", flow);
        }
        complete(&outcome);
        in_order(&outcome, &vec![150; outcome.casts.len()], one.params.transport.recovery);
        for threads in [2, 7] {
            let again = run(&Setup { threads, ..one.clone() });
            prop_assert!(again == outcome, "other with {} threads", threads);
        }
    }
}

#[test]
fn racks_have_the_hosts_that_light_reaches() {
    assert_eq!(racks().hosts(), HOSTS);
}
