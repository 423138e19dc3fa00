//! From a simulation to running parts.

use std::collections::BTreeMap;
use std::sync::Arc;

use lightloom_setup::Opening;
use lightloom_setup::Setup;
use lightloom_setup::params::{Forwarding, HEADER};
use lightloom_setup::{
    Branch, Egress, Ingress, LightStop, Multicast, Rewrite, Rule, Update, Updated,
};
use lightloom_topology::electrical::{Network, NodeId};
use lightloom_units::{BitRate, Instant, Span};

use crate::circuits::Gates;
use crate::drops::Drops;
use crate::engine::{Address, Part, Recording};
use crate::envelope::Envelopes;
use crate::host::Host;
use crate::link::{Beyond, BranchEnd, Pace, Split, Transmitter};
use crate::packet::{Dest, GroupId};
use crate::simulation::{Simulation, lookahead};
use crate::switch::{Groups, NONE, New, Rerouted, Switch, Updates, Ways};
use crate::wires::Place;
pub(crate) use any_node::AnyNode;
use troubles::Troubles;

mod any_node;
mod traffic;
mod troubles;
mod waits;

/// The network cut into parts: nodes of each tier in equal shares, so that what is near stays near.
pub(crate) struct Cut {
    pub(crate) parts: usize,
    addresses: Vec<Address>,
    /// The nodes of each part, in order.
    pub(crate) nodes: Vec<Vec<NodeId>>,
}

impl Cut {
    pub(crate) fn new(network: &Network, threads: usize) -> Self {
        let parts = threads.clamp(1, network.nodes().min(usize::from(u16::MAX)));
        let mut addresses = vec![Address { part: 0, local: 0 }; network.nodes()];
        let mut nodes: Vec<Vec<NodeId>> = vec![Vec::new(); parts];
        let mut tiers: Vec<Vec<NodeId>> = Vec::new();
        for node in (0..network.nodes()).map(NodeId::at) {
            let tier = usize::from(network.tier(node));
            if tiers.len() <= tier {
                tiers.resize(tier + 1, Vec::new());
            }
            tiers[tier].push(node);
        }
        for tier in &tiers {
            for (i, &node) in tier.iter().enumerate() {
                let part = i * parts / tier.len();
                addresses[node.index()] = Address {
                    part: u16::try_from(part).unwrap_or(0),
                    local: u32::try_from(nodes[part].len()).unwrap_or(u32::MAX),
                };
                nodes[part].push(node);
            }
        }
        Self { parts, addresses, nodes }
    }

    pub(crate) fn parts<'a>(&self, simulation: &'a Simulation<'_>) -> Vec<Part<AnyNode<'a>>> {
        let troubles = Troubles::new(simulation);
        let envelopes = Arc::new(Envelopes::default());
        let (groups, tables) = (BTreeMap::new(), Tables::new(&simulation.multicast));
        let mut openings: BTreeMap<NodeId, Vec<&Opening>> = BTreeMap::new();
        for opening in simulation.circuits.iter().flat_map(|circuits| &circuits.openings) {
            openings.entry(opening.from).or_default().push(opening);
        }
        let mut maker =
            Maker { simulation, cut: self, troubles, groups, tables, envelopes, openings };
        let hosts = (0..simulation.network.hosts()).map(NodeId::at).map(|id| maker.host(id));
        let mut hosts: Vec<_> = hosts.collect();
        traffic::add_all(simulation, &mut hosts);
        maker.groups = endpoints(simulation, &hosts);
        let mut hosts: Vec<_> = hosts.into_iter().map(Some).collect();
        let mut node = |&id: &NodeId| match hosts.get_mut(id.index()) {
            Some(host) => AnyNode::Host(host.take().expect("each host is in one part")),
            None => AnyNode::Switch(maker.switch(id)),
        };
        let nodes: Vec<Vec<AnyNode<'a>>> =
            self.nodes.iter().map(|ids| ids.iter().map(&mut node).collect()).collect();
        let usual = usual_windows(simulation);
        let part = |(number, mut nodes): (u16, Vec<AnyNode<'a>>)| {
            if simulation.records().is_some() {
                nodes.iter_mut().for_each(|node| node.each_drops(&mut Drops::record));
            }
            let mut part = Part::new(number, self.parts, nodes, usual);
            part.recording = self.recording(simulation, usize::from(number));
            part
        };
        (0..).zip(nodes).map(part).collect()
    }

    /// What a part records, if anything.
    fn recording(&self, simulation: &Simulation<'_>, part: usize) -> Option<Recording> {
        let counts = simulation.counts_copies();
        let ready = |recording: Recording| if counts { recording.counting() } else { recording };
        if let Some(most) = simulation.records() {
            let most = if simulation.traced { usize::MAX } else { most };
            return Some(ready(Recording::of_all().with_drops().up_to(most)));
        }
        if simulation.traced {
            return Some(ready(Recording::of_all()));
        }
        let mut ports = vec![Vec::new(); self.nodes[part].len()];
        let mut any = counts;
        for &(node, port) in simulation.watched() {
            let address = self.address(node);
            if usize::from(address.part) == part {
                ports[address.local as usize].push(port);
                any = true;
            }
        }
        any.then(|| ready(Recording::of_ports(ports)))
    }

    pub(crate) fn address(&self, node: NodeId) -> Address {
        self.addresses[node.index()]
    }
}

/// Windows within which full packets arrive, on the slowest of the ways.
fn usual_windows(simulation: &Simulation<'_>) -> u64 {
    let (wire, latency) = (&simulation.params.wire, simulation.params.switch.latency);
    let frame = [wire.preamble, wire.mtu, wire.header, wire.gap].map(u32::from).iter().sum();
    let takes = |(rate, delay): (BitRate, Span)| {
        Pace::of(rate).time(frame).as_ps() + (delay + latency).as_ps()
    };
    let longest = simulation.wires().ways().map(takes).max().unwrap_or(0);
    longest / lookahead(simulation).as_ps().max(1) + 2
}

/// The endpoint of each host for each group, where the host has one.
type Endpoints = BTreeMap<(NodeId, GroupId), u32>;

/// The endpoints that rules name.
fn endpoints(simulation: &Simulation<'_>, hosts: &[Host<'_>]) -> Endpoints {
    let mut endpoints = Endpoints::new();
    let multicast = &simulation.multicast;
    for rule in multicast.rules.iter().chain(multicast.updates.iter().filter_map(Update::rule)) {
        for &(_, rewrite) in &rule.ways {
            let Rewrite::ToHost(host) = rewrite else { continue };
            if let Some(endpoint) = hosts[host.index()].endpoint(rule.group) {
                endpoints.insert((host, rule.group), endpoint);
            }
        }
    }
    endpoints
}

/// Rules and updates by switch.
struct Tables<'a> {
    rules: BTreeMap<NodeId, Vec<&'a Rule>>,
    updates: BTreeMap<NodeId, Vec<&'a Update>>,
    /// Those of all switches.
    everywhere: Vec<&'a Update>,
}

impl<'a> Tables<'a> {
    fn new(multicast: &'a Multicast) -> Self {
        let mut tables =
            Self { rules: BTreeMap::new(), updates: BTreeMap::new(), everywhere: Vec::new() };
        for rule in &multicast.rules {
            tables.rules.entry(rule.at).or_default().push(rule);
        }
        for update in &multicast.updates {
            match update.switch() {
                Some(at) => tables.updates.entry(at).or_default().push(update),
                None => tables.everywhere.push(update),
            }
        }
        tables
    }
}

/// Makes nodes.
struct Maker<'a, 'b> {
    simulation: &'a Simulation<'a>,
    cut: &'b Cut,
    troubles: Troubles,
    groups: Endpoints,
    tables: Tables<'a>,
    envelopes: Arc<Envelopes>,
    /// The ports of each ToR to circuits.
    openings: BTreeMap<NodeId, Vec<&'a Opening>>,
}

impl<'a> Maker<'a, '_> {
    fn host(&self, id: NodeId) -> Host<'a> {
        let Setup { params, interval, by_flow, .. } = self.simulation.setup();
        let envelopes = Arc::clone(&self.envelopes);
        let series = (*interval, *by_flow);
        let host = Host::new(id, self.transmitter((id, 0)), params, series, envelopes);
        host.cold(self.simulation.wires().are_cold())
    }

    fn switch(&self, id: NodeId) -> Switch<'a> {
        let wires = self.simulation.wires();
        let links = (0..wires.transmitters(id)).map(|port| self.transmitter((id, port)));
        let dead =
            (0..wires.receivers(id)).map(|port| self.troubles.way_in(wires.source((id, port))));
        let ports = (links.collect(), dead.collect());
        let (params, seed) = (&self.simulation.params, self.simulation.seed);
        let groups = (self.table(id), Arc::clone(&self.envelopes));
        let mut switch = Switch::new(id, wires, ports, groups, params, seed);
        let mut beside = self.simulation.accelerators.iter().filter(|(at, _)| *at == id);
        if let Some((_, part)) = beside.next() {
            switch.bridges.beside(part, params);
        }
        switch.bridges.notes = self.simulation.checks_answers().then(Box::default);
        let stages = self.simulation.reroutes.iter();
        let stages = stages.map(|reroute| (reroute.at, Arc::clone(&reroute.detours))).collect();
        switch.rerouted = Rerouted::new(id, stages).map(Box::new);
        if let (Some(circuits), Some(own)) = (&self.simulation.circuits, self.openings.get(&id)) {
            switch.set_gates(Gates::new(circuits, own, wires.transmitters(id).into()));
        }
        switch
    }

    /// What transmits at a port of a node.
    fn transmitter(&self, (id, number): Place) -> Transmitter {
        let (wires, params) = (self.simulation.wires(), &self.simulation.params);
        let splitter = wires.splitter((id, number));
        // Splitters end at switches.
        let end = wires.other_end((id, number));
        let to_switch = end.is_none_or(|(peer, _)| !wires.network.is_host(peer));
        let cut_through = to_switch && params.switch.forwarding == Forwarding::CutThrough;
        let through = if to_switch { params.switch.latency } else { Span::ZERO };
        let (peer, peer_port) = end.unwrap_or((id, number));
        let delay = match splitter {
            None => wires.network.ports(id)[usize::from(number)].delay + through,
            Some(_) => Span::ZERO,
        };
        Transmitter {
            busy_until: Instant::from_ps(0),
            pace: Pace::of(wires.rate_out((id, number))),
            delay,
            sent: 0,
            sent_bytes: 0,
            beyond: match splitter {
                None => self.trouble((id, number)),
                Some(splitter) => Some(Box::new(self.split(splitter, number, through))),
            },
            peer: self.cut.address(peer),
            peer_port,
            preamble: params.wire.preamble,
            gap: params.wire.gap,
            header: if cut_through { HEADER } else { 0 },
            waits: false,
        }
    }

    fn trouble(&self, place: Place) -> Option<Box<Beyond>> {
        let trouble = self.troubles.of_link(self.simulation.seed, place);
        trouble.is_any().then(|| Box::new(Beyond::Trouble(trouble)))
    }

    /// The branches of a splitter; packets take a time through the switches at their ends.
    fn split(&self, splitter: u32, port: u16, through: Span) -> Beyond {
        let simulation = self.simulation;
        let said = &simulation.multicast.splitters[splitter as usize].branches;
        let ends = simulation.wires().branches(splitter).iter().zip(said).zip(0..);
        let branch =
            |((&((to, peer_port), delay), said), branch): ((&(Place, Span), &Branch), u32)| {
                let place = (splitter, branch);
                BranchEnd {
                    peer: self.cut.address(to),
                    peer_port,
                    delay: delay + through,
                    trouble: self.troubles.of_branch(simulation.seed, place, said.loss),
                }
            };
        let loss = simulation.multicast.splitters[splitter as usize].loss;
        let loss = self.troubles.of_splitter(simulation.seed, splitter, loss);
        Beyond::Split(Split::new(port, loss, ends.map(branch).collect()))
    }

    /// The table of groups of a switch.
    fn table(&self, id: NodeId) -> Groups {
        let mut table: BTreeMap<GroupId, Vec<_>> = BTreeMap::new();
        for rule in self.tables.rules.get(&id).into_iter().flatten() {
            table.entry(rule.group).or_default().push((rule.source, self.ways(rule)));
        }
        table.values_mut().for_each(|all| all.sort_by_key(|(source, _)| source.is_none()));
        let updates =
            self.tables.updates.get(&id).into_iter().flatten().chain(&self.tables.everywhere);
        let updates = updates.map(|update| (update.at, self.update(&update.what)));
        let restarts = self.simulation.restarts.iter().filter(|restart| restart.node == id);
        let updates = updates.chain(restarts.map(|restart| (restart.at, New::Restart))).collect();
        let simulation = self.simulation;
        let life = (simulation.wires().links(id), simulation.multicast.time_to_live);
        Groups::new(table, life, simulation.params.groups.buffering, Updates::new(updates))
    }

    /// What a rule says, by the ports of its switch.
    fn ways(&self, rule: &Rule) -> Ways {
        let wires = self.simulation.wires();
        let to = |rewrite| match rewrite {
            Rewrite::Keep => None,
            Rewrite::ToHost(host) => {
                let endpoint = self.groups.get(&(host, rule.group))?;
                Some((Dest::host(host), *endpoint))
            }
        };
        let way = |&(way, rewrite): &(Egress, Rewrite)| {
            Some((wires.port_out(rule.at, way)?, to(rewrite)))
        };
        let accept = rule.accept.and_then(|way| wires.port_in(rule.at, way));
        Ways { accept, out: rule.ways.iter().filter_map(way).collect() }
    }

    /// What an update says, by the ports of its switch.
    fn update(&self, what: &Updated) -> New {
        let wires = self.simulation.wires();
        match what {
            Updated::Rule(rule) => New::Ways(rule.group, rule.source, self.ways(rule)),
            &Updated::Light { group, source, stop: LightStop { at, accept, relay } } => {
                let port_in = |way| wires.port_in(at, Ingress::Splitter(way));
                let port_out = |way| wires.port_out(at, Egress::Splitter(way));
                let accept = accept.and_then(port_in).unwrap_or(NONE);
                let relay = relay.and_then(port_out).unwrap_or(NONE);
                New::Light(group, source, (accept, relay))
            }
            &Updated::StandIn { group, source, stand_in } => New::StandIn(group, source, stand_in),
        }
    }
}
