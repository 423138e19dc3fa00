//! For any fabric and any failures, the copies that the twin delivers are those that the planner's verifier
//! follows: with the installed tables, and with the rules of a recovery; for datagrams, and for reliable groups before
//! anything is repeated.

use std::collections::BTreeSet;
use std::sync::Arc;

use lightloom_routing::failure::{Damage, Failure};
use lightloom_routing::group_tree::{GroupTree, SourceRules};
use lightloom_routing::recovery::{Method, Objective, RecoveryBase};
use lightloom_routing::verify::{Accept, InstalledRules, LightMap, Replay, RulesOverDamage, Via};
use lightloom_routing::{Algorithm1, Balanced, OneMoreHop, RelayTables, Rotated, RouterKind};
use lightloom_scenario::glass::{GroupCast, deaths, light_rules, light_tree, splitters};
use lightloom_topology::electrical::NodeId;
use lightloom_topology::family::{Shufflecast, custom, kautz};
use lightloom_topology::{CassetteId, Fabric, TorId};
use lightloom_twin::{GroupId, Multicast, Repair};
use lightloom_units::{Instant, Span};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::given::{G100, US, datagrams, lit, packet, params, racks, run};

const EACH: usize = 2;

/// A fabric with the tables of one of its routers.
fn any_design() -> impl Strategy<Value = (Fabric, RelayTables, RouterKind)> {
    let shufflecast = prop_oneof![Just((2, 2)), Just((3, 2)), Just((2, 3))].prop_map(|(p, k)| {
        let shape = Shufflecast::new(p, k).unwrap();
        let fabric = shape.fabric().unwrap();
        let tables = RelayTables::new(&fabric, &mut Algorithm1::new(shape));
        (fabric, tables, RouterKind::Algorithm1(shape))
    });
    let kautz = (2_u32..=4, 3_u32..=28)
        .prop_filter_map("no such fabric", |(p, tors)| kautz(p, tors.max(p + 1)).ok());
    let ring = (2_u32..6, vec(any::<Index>(), 0..6)).prop_map(|(n, more)| {
        // A ring of cassettes, and further ToRs where both cassettes have a seat.
        let mut edges: Vec<(u32, u32)> = (0..n).map(|i| (i, (i + 1) % n)).collect();
        for (i, to) in more.into_iter().enumerate() {
            let (from, to) = (i as u32 % n, to.index(n as usize) as u32);
            let seats = |of: &dyn Fn(&(u32, u32)) -> bool| edges.iter().filter(|e| of(e)).count();
            if seats(&|e| e.0 == from) < 3 && seats(&|e| e.1 == to) < 3 {
                edges.push((from, to));
            }
        }
        let rows = (0..).zip(edges).map(|(tor, (a, b))| (TorId(tor), CassetteId(a), CassetteId(b)));
        custom(3, &rows.collect::<Vec<_>>()).unwrap()
    });
    let any = (prop_oneof![kautz, ring], 0_u8..3).prop_map(|(fabric, router)| {
        let (tables, kind) = match router {
            0 => (Balanced::new(&fabric).into_tables(), RouterKind::Arborescence),
            1 => (RelayTables::new(&fabric, &mut Rotated::new(&fabric)), RouterKind::Arborescence),
            _ => (OneMoreHop::new(&fabric).into_tables(), RouterKind::OneMoreHop),
        };
        (fabric, tables, kind)
    });
    prop_oneof![shufflecast, any]
}

/// A failure from three draws.
pub fn failure(fabric: &Fabric, (kind, which, other): (u8, Index, Index)) -> Failure {
    let tor = TorId::at(which.index(fabric.tors()));
    let receivers = fabric.receivers(fabric.transmits_into(tor));
    match kind {
        0 => Failure::Relay(tor),
        1 => Failure::Transmitter(tor),
        2 => Failure::Splitter(tor),
        3 | 4 => Failure::Branch { from: tor, to: receivers[other.index(receivers.len())] },
        5 => {
            let port = other.index(fabric.heard_by(tor).len());
            Failure::Receiver { tor, port: port as u32 }
        }
        6 => Failure::Tor(tor),
        _ => Failure::Cassette(CassetteId::at(other.index(fabric.cassettes()))),
    }
}

fn light_map(fabric: &Fabric) -> LightMap {
    let fibres = fabric.tor_ids().flat_map(|from| {
        let receivers = fabric.receivers(fabric.transmits_into(from)).iter();
        receivers.map(move |&to| (from, to))
    });
    LightMap::new(fabric.tors(), fibres)
}

proptest! {
    // PROPTEST_CASES sets the number of cases.
    #[test]
    fn the_twin_delivers_the_copies_that_the_verifier_follows(
        (fabric, tables, kind) in any_design(),
        draws in vec((0_u8..8, any::<Index>(), any::<Index>()), 0..5),
        is_recovered in any::<bool>(),
        objective in any::<bool>(),
        group in vec(any::<Index>(), 2..12),
        is_all in any::<bool>(),
        repair in prop_oneof![Just(Repair::Electrons), Just(Repair::Light)],
    ) {
        let failures: Vec<Failure> = draws.into_iter().map(|draw| failure(&fabric, draw)).collect();
        let damage = Damage::new(&fabric, &failures).unwrap();
        let sound = Damage::new(&fabric, &[]).unwrap();
        let tables = Arc::new(tables);
        let base = RecoveryBase::new(&fabric, kind, Arc::clone(&tables), Span::from_us(2));
        let objective = if objective { Objective::FewestHops } else { Objective::FewestChanges };
        let (lists, accept, via) = if is_recovered {
            let recovered = base.recover(&failures, Method::Replan(objective)).unwrap();
            (recovered.lists, recovered.answer.accept, recovered.answer.via)
        } else {
            (base.installed().to_vec(), Accept::new(), Via::new())
        };
        // Rules of a recovery know the damage; installed ones do not.
        let known = if is_recovered { &damage } else { &sound };
        let rules = InstalledRules::of_lists(&lists).with(accept.clone(), via.clone());

        let network = racks(fabric.tors(), EACH);
        let tors: Vec<NodeId> =
            (0..fabric.tors()).map(|tor| NodeId::at(network.hosts() + tor)).collect();
        let members: BTreeSet<NodeId> = if is_all {
            (0..network.hosts()).map(NodeId::at).collect()
        } else {
            group.iter().map(|index| NodeId::at(index.index(network.hosts()))).collect()
        };
        let members: Vec<NodeId> = members.into_iter().collect();
        let rack = |host: NodeId| TorId::at(host.index() / EACH);

        let death =
            deaths(&fabric, &network, &tors, &failures, (Instant::ZERO, Instant::from_ps(u64::MAX)));
        let mut multicast = Multicast {
            splitters: splitters(&fabric, &tors, G100, |_, _| US),
            dead: death.splitters,
            groups: vec![datagrams(members.clone())],
            ..Multicast::default()
        };
        // Registration does not reach hosts without power. Timeouts and missing answers bring no copies within the run.
        let powered = |host: &NodeId| damage.has_power(rack(*host));
        let powered: Vec<NodeId> = members.iter().copied().filter(powered).collect();
        let mut reliable = Multicast { groups: Vec::new(), ..multicast.clone() };
        for &source in &members {
            let tor = rack(source);
            let relays: Vec<TorId> =
                fabric.tor_ids().filter(|relay| lists[relay.index()].contains(&tor)).collect();
            let root = via.get(&tor).copied().unwrap_or(tor);
            let of_source = SourceRules { source: tor, root, relays: &relays, accept: &accept };
            let is_member = |tor| members.iter().any(|&member| rack(member) == tor);
            let tree = GroupTree::new(known, of_source, is_member);
            let cast = GroupCast { group: GroupId(0), members: &members, source };
            multicast.rules.extend(light_rules(&network, &tors, &tree, &cast));
            multicast.casts.push(packet(source, GroupId(0)));
            // No more than the members needs is lit, and a light tree says the same as the rules.
            prop_assert!(tree.transmissions() <= relays.len());
            let light = light_tree(&tors, &tree, source);
            prop_assert_eq!(light.stops[0].at, tors[tor.index()]);
            let relayed = light.stops.iter().filter(|stop| stop.relay.is_some()).count();
            prop_assert_eq!(relayed, tree.transmissions());
            if powered.len() > 1 && damage.has_power(tor) {
                let group = GroupId(u32::try_from(reliable.groups.len()).unwrap());
                reliable.groups.push(lit(powered.clone(), source, repair, light));
                reliable.casts.push(packet(source, group));
            }
        }
        let once = run(&network, (params(), reliable), death.links.clone());
        let outcome = run(&network, (params(), multicast), death.links);

        let light = light_map(&fabric);
        let mut replay = Replay::new(&light);
        let sources = members.iter().filter(|source| powered.len() > 1 && powered.contains(source));
        let datagrams = outcome.casts.iter().zip(&members).map(|of| (of, members.len() - 1));
        let reliable = once.casts.iter().zip(sources).map(|of| (of, powered.len() - 1));
        for ((cast, &source), receivers) in datagrams.chain(reliable) {
            let tor = rack(source);
            let root = rules.root(tor);
            let parts = RulesOverDamage { damage: &damage, rules: &rules, source: tor };
            // A source without a working transmitter lights no ToR.
            let is_lit = damage.has_power(tor) && replay.follow(tor, root, &parts).is_ok();
            prop_assert_eq!(cast.receivers.len(), receivers);
            for receiver in &cast.receivers {
                let at = rack(receiver.host);
                let due = if at == tor {
                    damage.has_power(tor)
                } else if at == root {
                    damage.has_power(tor) && damage.has_power(root)
                } else {
                    is_lit && replay.hops(at).is_some()
                };
                prop_assert_eq!(
                    receiver.delivered,
                    u64::from(due),
                    "{} to {} over {:?}, root {}",
                    source, receiver.host, failures, root
                );
            }
        }
    }
}
