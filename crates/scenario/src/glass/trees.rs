//! Planned trees as rules and light trees of the twin's switches.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_routing::group_tree::{GroupTree, Stop};
use lightloom_topology::electrical::{Network, NodeId};
use lightloom_twin::{Egress, GroupId, Ingress, LightStop, LightTree, Rewrite, Rule, Splitter};

/// One host that sends to a group.
#[derive(Debug, Clone, Copy)]
pub struct GroupCast<'a> {
    /// The group.
    pub group: GroupId,
    /// Its members.
    pub members: &'a [NodeId],
    /// The host that sends.
    pub source: NodeId,
}

/// How much of the network one packet to a group crosses, where nothing is lost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TreeSize {
    /// Links, each copy counted.
    pub links: u64,
    /// Splitters that are lit.
    pub transmissions: u64,
    /// Branches of these splitters.
    pub branches: u64,
}

impl GroupCast<'_> {
    /// The ports of a switch to the members that receive there.
    fn served_at<'n>(&'n self, network: &'n Network) -> BTreeMap<NodeId, Vec<u16>> {
        let mut at: BTreeMap<NodeId, Vec<u16>> = BTreeMap::new();
        for &member in self.members.iter().filter(|&&member| member != self.source) {
            let (switch, port) = above(network, member);
            at.entry(switch).or_default().push(port);
        }
        at
    }

    fn rule(&self, at: NodeId, accept: Option<Ingress>) -> Rule {
        Rule { at, group: self.group, source: Some(self.source), accept, ways: Vec::new() }
    }

    /// Spreads groups over equal ways.
    fn way_of(&self, network: &Network, at: NodeId, to: NodeId) -> u16 {
        let routes = network.routes(at, to);
        let chosen = routes.get(self.group.0 as usize % routes.len().max(1));
        u16::try_from(chosen.index()).unwrap_or(u16::MAX)
    }
}

/// The switch of a host, and its port to the host.
fn above(network: &Network, host: NodeId) -> (NodeId, u16) {
    let port = &network.ports(host)[0];
    (port.peer, u16::try_from(port.peer_port.index()).unwrap_or(u16::MAX))
}

/// An egress that changes nothing.
fn out(port: u16) -> (Egress, Rewrite) {
    (Egress::Link(port), Rewrite::Keep)
}

/// Rules for datagrams over splitters. `tors` are the switches of the ToRs.
///
/// The source's own switch hands copies to its other members directly. It takes packets from the source's port
/// alone, so it drops the copy that comes back. A source with a stand-in unicasts to it over links.
pub fn light_rules(
    network: &Network,
    tors: &[NodeId],
    tree: &GroupTree,
    cast: &GroupCast<'_>,
) -> Vec<Rule> {
    let served = cast.served_at(network);
    let (own, port) = above(network, cast.source);
    let mut rules = Vec::new();
    let mut from_source = None;
    for stop in &tree.stops {
        let at = tors[stop.tor.index()];
        let accept = match stop.from {
            Some(_) => stop.accept.map(|from| Ingress::Splitter(from.0)),
            None if at == own => Some(Ingress::Link(port)),
            None => from_source,
        };
        let mut rule = cast.rule(at, accept);
        rule.ways.extend(served.get(&at).into_iter().flatten().map(|&port| out(port)));
        if stop.relays {
            rule.ways.push((Egress::Splitter(stop.tor.0), Rewrite::Keep));
        }
        let has_stand_in = at == own && tree.stops.get(1).is_some_and(|next| next.from.is_none());
        if has_stand_in {
            let (first, passed, last) = unicast(network, cast, own, tors[tree.root.index()]);
            rule.ways.extend(first.map(out));
            from_source = last;
            rules.push(rule);
            rules.extend(passed);
            continue;
        }
        rules.push(rule);
    }
    rules
}

/// Rules for datagrams at the switches that the light of a tree does not reach: what they do with a copy that comes.
pub fn unlit_rules(
    network: &Network,
    tors: &[NodeId],
    tree: &GroupTree,
    cast: &GroupCast<'_>,
) -> Vec<Rule> {
    let served = cast.served_at(network);
    let rule = |stop: &Stop| {
        let at = tors[stop.tor.index()];
        let mut rule = cast.rule(at, stop.accept.map(|from| Ingress::Splitter(from.0)));
        rule.ways.extend(served.get(&at).into_iter().flatten().map(|&port| out(port)));
        rule.ways.extend(stop.relays.then_some((Egress::Splitter(stop.tor.0), Rewrite::Keep)));
        rule
    };
    tree.unlit.iter().map(rule).collect()
}

/// The way of copies over links from one switch to another: the first port, the rules on the way, and where
/// they come in.
fn unicast(
    network: &Network,
    cast: &GroupCast<'_>,
    from: NodeId,
    to: NodeId,
) -> (Option<u16>, Vec<Rule>, Option<Ingress>) {
    let Some(host) = network.ports(to).iter().map(|port| port.peer).find(|&n| network.is_host(n))
    else {
        return (None, Vec::new(), None);
    };
    let (mut first, mut rules, mut comes_in) = (None, Vec::new(), None);
    let mut at = from;
    while at != to {
        let way = cast.way_of(network, at, host);
        if first.is_none() {
            first = Some(way);
        } else {
            let mut rule = cast.rule(at, comes_in);
            rule.ways.push(out(way));
            rules.push(rule);
        }
        let port = &network.ports(at)[usize::from(way)];
        comes_in = u16::try_from(port.peer_port.index()).ok().map(Ingress::Link);
        at = port.peer;
    }
    (first, rules, comes_in)
}

/// The light of one sender, for a group with a reliable connection.
pub fn light_tree(tors: &[NodeId], tree: &GroupTree, source: NodeId) -> LightTree {
    let stop = |stop: &Stop| LightStop {
        at: tors[stop.tor.index()],
        accept: stop.from.map(|from| from.0),
        relay: stop.relays.then_some(stop.tor.0),
    };
    // Without a member behind it, nothing goes to the stand-in.
    let is_lit = tree.root != tree.source && tree.stops.iter().any(|stop| stop.tor == tree.root);
    let stand_in = is_lit.then(|| tors[tree.root.index()]);
    LightTree { source, stand_in, stops: tree.stops.iter().map(stop).collect() }
}

/// Rules for datagrams over links alone: the tree of the shortest ways from the source.
///
/// Ways are found from each member back to the source. The next hop of a switch depends on nothing but the
/// switch and the group, so no switch has two ways in.
pub fn link_rules(network: &Network, cast: &GroupCast<'_>) -> Vec<Rule> {
    let (own, port) = above(network, cast.source);
    let mut rules = BTreeMap::from([(own, cast.rule(own, Some(Ingress::Link(port))))]);
    for (switch, ports) in cast.served_at(network) {
        let mut at = switch;
        let mut ways: Vec<u16> = ports;
        loop {
            let is_new = !rules.contains_key(&at);
            let up = cast.way_of(network, at, cast.source);
            let accept = Some(Ingress::Link(up));
            let rule = rules.entry(at).or_insert_with(|| cast.rule(at, accept));
            for way in std::mem::take(&mut ways) {
                if !rule.ways.contains(&out(way)) {
                    rule.ways.push(out(way));
                }
            }
            if at == own || !is_new {
                break;
            }
            let port = &network.ports(at)[usize::from(up)];
            at = port.peer;
            ways.extend(u16::try_from(port.peer_port.index()));
        }
    }
    rules.into_values().collect()
}

/// What one packet crosses with these rules. The first link is that of the source.
pub fn size_of(rules: &[Rule], splitters: &[Splitter]) -> TreeSize {
    let mut size = TreeSize { links: 1, ..TreeSize::default() };
    let mut lit = BTreeSet::new();
    for (way, _) in rules.iter().flat_map(|rule| &rule.ways) {
        match way {
            Egress::Link(_) => size.links += 1,
            Egress::Splitter(splitter) => {
                lit.insert(*splitter);
            }
        }
    }
    size.transmissions = lit.len() as u64;
    let branches = lit.iter().map(|&splitter| splitters[splitter as usize].branches.len() as u64);
    size.branches = branches.sum();
    size
}
