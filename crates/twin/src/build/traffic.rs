//! From flows and messages to groups to endpoints of hosts.

use std::collections::BTreeMap;
use std::sync::Arc;

use lightloom_topology::electrical::NodeId;
use lightloom_units::Instant;

use super::admission;
use super::waits::{self, Placed};
use crate::host::{Coordinator, Endpoint, Host, InCast, Member, OutCast, Peer, Rc, Renewal};
use crate::multicast::Service;
use crate::packet::{Class, Dest, FlowId, GroupId};
use crate::params::RETH;
use crate::random::{ENTROPY, mix};
use crate::schedule::Schedule;
use crate::setup::{Flow, Setup, Verb};
use crate::simulation::Simulation;
use lightloom_transport::dcqcn::Rate;
use lightloom_transport::outgoing::Outgoing;
use lightloom_transport::receiver::{Incoming, Receiver};
use lightloom_transport::sender::Sender;

/// Adds all traffic to the hosts, who admits it, and what checks it.
pub(super) fn add_all(simulation: &Simulation<'_>, hosts: &mut [Host<'_>]) {
    add(simulation.setup(), hosts);
    admission::add(simulation, hosts);
    if simulation.checks_answers() {
        hosts.iter_mut().for_each(Host::check_answers);
    }
}

/// Adds all traffic to the hosts.
fn add(setup: &Setup<'_>, hosts: &mut [Host<'_>]) {
    let mut connections = Connections::default();
    let placed: Vec<Placed> = (0..)
        .map(FlowId)
        .zip(&setup.flows)
        .map(|(id, flow)| connections.add(setup, hosts, id, flow))
        .collect();
    for (flow, at) in setup.flows.iter().zip(&placed) {
        if flow.after.is_empty() {
            let send = setup.params.stack.send;
            hosts[flow.from.index()].ask(at.from, at.outgoing, Instant::ZERO, (flow.start, send));
        }
    }
    casts(setup, hosts);
    reliable(setup, hosts);
    waits::add(setup, hosts, &placed);
    for &storm in &setup.storms {
        hosts[storm.host.index()].add_storm(storm);
    }
}

/// Sixteen bits of a hash of seed and flow.
fn entropy(seed: u64, id: FlowId) -> u16 {
    let hash = mix(seed ^ mix(ENTROPY << 32 | u64::from(id.0)));
    u16::try_from(hash >> 48).unwrap_or(0)
}

/// The queue pairs of connections: that of the host that opened it, and that of the other.
#[derive(Default)]
struct Connections(BTreeMap<u32, (NodeId, u32, u32)>);

impl Connections {
    /// Adds a flow to its connection, which its first flow opens.
    fn add(
        &mut self,
        setup: &Setup<'_>,
        hosts: &mut [Host<'_>],
        id: FlowId,
        flow: &Flow,
    ) -> Placed {
        let known = flow.connection.and_then(|name| self.0.get(&name).copied());
        let (opener, here, there) = known.unwrap_or_else(|| {
            let (here, there) = open(setup, hosts, id, flow);
            if let Some(name) = flow.connection {
                self.0.insert(name, (flow.from, here, there));
            }
            (flow.from, here, there)
        });
        let (from, to) = if opener == flow.from { (here, there) } else { (there, here) };
        let (params, size) = (&setup.params, flow.size.as_bytes());
        let extra = if flow.verb == Verb::Write { RETH } else { 0 };
        let missing = u32::try_from(flow.after.len()).unwrap_or(u32::MAX);
        let message = Outgoing::new(id, size, params.wire.mtu, extra);
        let message = message.waits_for(missing, flow.start);
        let rate = setup.network.ports(flow.from)[0].rate;
        let outgoing = rc(&mut hosts[flow.from.index()], from).map_or(0, |rc| {
            let new = || Sender::new(message, Rate::new(rate), &params.transport);
            match &mut rc.sender {
                Some(sender) => sender.push(message),
                none => {
                    *none = Some(Box::new(new()));
                    0
                }
            }
        });
        let message = Incoming::new(id, size, params.wire.mtu);
        let incoming = rc(&mut hosts[flow.to.index()], to).map_or(0, |rc| match &mut rc.receiver {
            Some(receiver) => receiver.push(message),
            none => {
                *none = Some(Box::new(Receiver::new(message)));
                0
            }
        });
        Placed { from, outgoing, to, incoming }
    }
}

/// Opens a connection: the queue pairs at the host that sends its first flow, and at the other.
fn open(setup: &Setup<'_>, hosts: &mut [Host<'_>], id: FlowId, flow: &Flow) -> (u32, u32) {
    let entropy = entropy(setup.seed, id);
    let peer = |host| Peer { host: Dest::host(host), qp: 0, class: flow.class, entropy };
    let mut end =
        |at: NodeId, other| hosts[at.index()].open(Endpoint::Rc(Rc::new(peer(other))), flow.class);
    let (here, there) = (end(flow.from, flow.to), end(flow.to, flow.from));
    for (at, own, other) in [(flow.from, here, there), (flow.to, there, here)] {
        if let Some(rc) = rc(&mut hosts[at.index()], own) {
            rc.peer.qp = other;
        }
    }
    (here, there)
}

/// The queue pair of a number at a host.
fn rc<'a>(host: &'a mut Host<'_>, number: u32) -> Option<&'a mut Rc> {
    match &mut host.slots[number as usize].endpoint {
        Endpoint::Rc(rc) => Some(rc),
        _ => None,
    }
}

/// Adds the endpoints of reliable groups, and what their leaders do.
fn reliable(setup: &Setup<'_>, hosts: &mut [Host<'_>]) {
    let (params, multicast) = (&setup.params, &setup.multicast);
    let first = FlowId(u32::try_from(setup.flows.len()).unwrap_or(u32::MAX));
    let (casts, relights) = (multicast.casts_of_groups(), multicast.relights_of_groups());
    let mut told: BTreeMap<GroupId, Vec<Instant>> = BTreeMap::new();
    for reroute in &setup.reroutes {
        reroute.groups.iter().for_each(|&group| told.entry(group).or_default().push(reroute.at));
    }
    let groups = (0..).map(GroupId).zip(&multicast.groups);
    for ((group, said), (casts, relights)) in groups.zip(casts.iter().zip(&relights)) {
        let Service::Reliable(service) = &said.service else { continue };
        let class =
            casts.first().map_or(Class::LOSSLESS, |&first| multicast.casts[first as usize].class);
        let of_group = (group, service, casts.as_slice());
        let mut schedule = Schedule::new(multicast, of_group, first, params.wire.mtu);
        for host in schedule.ever() {
            let end = u32::try_from(hosts[host.index()].slots.len()).unwrap_or(u32::MAX);
            schedule.ends.insert(host, end);
        }
        let schedule = Arc::new(schedule);
        let leader_end = schedule.ends.get(&service.leader).copied().unwrap_or(u32::MAX);
        let leader = (Dest::host(service.leader), leader_end);
        for &id in schedule.ends.keys() {
            let rate = Rate::new(setup.network.ports(id)[0].rate);
            let entropy = entropy(setup.seed, FlowId(first.0 ^ group.0));
            let peer = Peer { host: Dest::group(group), qp: id.0, class, entropy };
            let mut member = Member::new(id, peer, Arc::clone(&schedule), (leader, rate), params);
            if id == service.leader {
                let relights = relights.iter().map(|&place| &multicast.updates[place as usize]);
                let told = told.get(&group).into_iter().flatten().copied();
                let coordinator = Coordinator::new(
                    (group, service),
                    relights,
                    Arc::clone(&schedule),
                    (setup.network, Renewal::new(entropy, told)),
                    params,
                );
                member.coordinator = Some(Box::new(coordinator));
            }
            let host = &mut hosts[id.index()];
            let end = host.open(Endpoint::Member(Box::new(member)), class);
            host.set_alarm(end);
        }
    }
}

/// Adds messages to groups of datagrams.
fn casts(setup: &Setup<'_>, hosts: &mut [Host<'_>]) {
    let first = u32::try_from(setup.flows.len()).unwrap_or(u32::MAX);
    // Messages to each group so far.
    let mut places: BTreeMap<GroupId, u32> = BTreeMap::new();
    for number in setup.multicast.in_turn() {
        let (flow, cast) = (FlowId(first + number), &setup.multicast.casts[number as usize]);
        if setup.multicast.groups[cast.to.0 as usize].service != Service::Datagrams {
            continue;
        }
        let place = places.entry(cast.to).or_default();
        let bytes = cast.size.as_bytes();
        let packets = bytes.div_ceil(setup.params.wire.mtu.into()).max(1);
        for &member in &setup.multicast.groups[cast.to.0 as usize].members {
            let (_, datagrams) = hosts[member.index()].of_group(cast.to, cast.class);
            datagrams.into.push(InCast::new(flow, bytes, packets));
        }
        let sender = &mut hosts[cast.from.index()];
        let (number, datagrams) = sender.of_group(cast.to, cast.class);
        let message =
            OutCast::new(flow, *place, (bytes, packets), cast.class, entropy(setup.seed, flow));
        datagrams.out.push(message.waits_for(cast.after.len(), cast.start));
        let message = u32::try_from(datagrams.out.len() - 1).unwrap_or(u32::MAX);
        if cast.after.is_empty() {
            sender.ask(number, message, Instant::ZERO, (cast.start, setup.params.stack.send));
        }
        *place += 1;
    }
}
