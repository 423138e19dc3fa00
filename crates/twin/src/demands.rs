//! What messages over light use: the transmitters of their trees. It follows from what switches are told to do with
//! their packets, so admission and switches cannot differ.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_setup::Setup;
use lightloom_setup::{Data, Egress, Ingress, Multicast, Rule, Service, Update, Updated};
use lightloom_topology::electrical::NodeId;
pub use lightloom_transport::admission::shares::max_min_shares;
pub use lightloom_transport::admission::{Demands, Policy};
use lightloom_units::{Instant, Span};

use crate::link::Pace;
use crate::packet::GroupId;
use crate::wires::{Place, Wires};

/// A sender to a group; in rules, none stands for all that have no rules of their own.
type Key = (GroupId, Option<NodeId>);

/// What each message to a group uses, over the whole run: updates of tables included.
///
/// Resources are transmitting ports: the sender's, splitters, and the ports to hosts. A message that lights no splitter
/// uses nothing.
pub(crate) fn demands(setup: &Setup<'_>, wires: &Wires<'_>) -> Demands {
    let multicast = &setup.multicast;
    let mut ways: BTreeMap<Key, BTreeSet<Place>> = BTreeMap::new();
    let mut lit: BTreeSet<Key> = BTreeSet::new();
    let mut add = |key: Key, at: NodeId, way: Egress| {
        if matches!(way, Egress::Splitter(_)) {
            lit.insert(key);
        }
        ways.entry(key).or_default().extend(wires.port_out(at, way).map(|port| (at, port)));
    };
    for rule in multicast.rules.iter().chain(multicast.updates.iter().filter_map(Update::rule)) {
        rule.ways.iter().for_each(|&(way, _)| add((rule.group, rule.source), rule.at, way));
    }
    for (group, said) in (0..).map(GroupId).zip(&multicast.groups) {
        let Service::Reliable(service) = &said.service else { continue };
        let Data::Light { trees, .. } = &service.data else { continue };
        let joining = service.changes.iter().map(|change| change.host);
        let members: BTreeSet<NodeId> = said.members.iter().copied().chain(joining).collect();
        for tree in trees {
            let key = (group, Some(tree.source));
            for stop in &tree.stops {
                stop.relay.into_iter().for_each(|relay| add(key, stop.at, Egress::Splitter(relay)));
            }
            for &member in members.iter().filter(|&&member| member != tree.source) {
                if let Some((switch, port)) = wires.other_end((member, 0)) {
                    add(key, switch, Egress::Link(port));
                }
            }
        }
    }
    for update in &multicast.updates {
        let Updated::Light { group, source, stop } = &update.what else { continue };
        if let Some(relay) = stop.relay {
            add((*group, Some(*source)), stop.at, Egress::Splitter(relay));
        }
    }
    let mut demands = Demands::default();
    let mut numbers: BTreeMap<Place, u32> = BTreeMap::new();
    for cast in &multicast.casts {
        let keys = [(cast.to, Some(cast.from)), (cast.to, None)];
        let Some(key) = keys.into_iter().find(|key| ways.contains_key(key)) else {
            demands.uses.push(Vec::new());
            continue;
        };
        let places = ways.get(&key).filter(|_| lit.contains(&key)).into_iter().flatten();
        let own = lit.contains(&key).then_some((cast.from, 0));
        let mut number = |place: Place| {
            let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
            *numbers.entry(place).or_insert_with(|| {
                demands.capacities.push(wires.rate_out(place));
                next
            })
        };
        let uses: BTreeSet<u32> = places.copied().chain(own).map(&mut number).collect();
        demands.uses.push(uses.into_iter().collect());
    }
    demands
}

/// Time from the first bit of a full packet at its sender until its last copy has arrived, where nothing waits: along
/// the rules for one sender of datagrams, as they are at the start.
pub(crate) fn drain(setup: &Setup<'_>, wires: &Wires<'_>, key: (GroupId, NodeId)) -> Span {
    let Multicast { rules, .. } = &setup.multicast;
    let (group, source) = key;
    let of = |wanted: Option<NodeId>| {
        let rules = rules.iter().filter(move |rule| rule.group == group && rule.source == wanted);
        rules.map(|rule| (rule.at, rule))
    };
    let mut by_switch: BTreeMap<NodeId, &Rule> = of(None).collect();
    by_switch.extend(of(Some(source)));
    let wire = &setup.params.wire;
    let frame = [wire.preamble, wire.mtu, wire.header, wire.gap].map(u32::from).iter().sum();
    let crosses = |place: Place, delay: Span| {
        Pace::of(wires.rate_out(place)).time(frame) + delay + setup.params.switch.latency
    };
    let link = |place: Place, at: Instant| {
        let delay = wires.network.ports(place.0)[usize::from(place.1)].delay;
        wires.other_end(place).map(|end| (end, at + crosses(place, delay)))
    };
    let mut last = Instant::ZERO;
    let mut seen = BTreeSet::new();
    let mut ahead: Vec<(Place, Instant)> = link((source, 0), Instant::ZERO).into_iter().collect();
    while let Some(((node, port), at)) = ahead.pop() {
        last = last.max(at);
        let Some(rule) = by_switch.get(&node) else { continue };
        let is_taken =
            |way: Ingress| wires.port_in(node, way).is_some_and(|accepted| accepted == port);
        if !rule.accept.is_none_or(is_taken) || !seen.insert(node) {
            continue;
        }
        for &(way, _) in &rule.ways {
            let Some(out) = wires.port_out(node, way) else { continue };
            match way {
                Egress::Link(_) => ahead.extend(link((node, out), at)),
                Egress::Splitter(splitter) => {
                    let ends = wires.branches(splitter).iter();
                    ahead.extend(ends.map(|&(end, delay)| (end, at + crosses((node, out), delay))));
                }
            }
        }
    }
    last - Instant::ZERO
}
