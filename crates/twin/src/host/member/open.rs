//! The endpoints of reliable groups, and what their leaders do.

use std::collections::BTreeMap;
use std::sync::Arc;

use lightloom_setup::{Data, Reliable, Service};
use lightloom_topology::electrical::NodeId;
use lightloom_transport::dcqcn::Rate;
use lightloom_units::{BitRate, Instant};

use super::{Coordinator, Member, Renewal};
use crate::host::rc::Peer;
use crate::host::stream::Stream;
use crate::host::transport::{Hosts, Open};
use crate::packet::{Class, Dest, FlowId, GroupId};
use crate::random::entropy;
use crate::schedule::Schedule;
use crate::simulation::Simulation;

impl Open for Member {
    /// Connections to members that the group does not reach.
    type Opens = Stream;

    /// An endpoint for each reliable group at each host that is ever its member.
    fn open(simulation: &Simulation<'_>, hosts: &mut impl Hosts<Self>) {
        let setup = simulation.setup();
        let (params, multicast) = (&setup.params, &setup.multicast);
        let first = FlowId(u32::try_from(setup.flows.len()).unwrap_or(u32::MAX));
        let (casts, relights) = (multicast.casts_of_groups(), multicast.relights_of_groups());
        let mut told: BTreeMap<GroupId, Vec<Instant>> = BTreeMap::new();
        for reroute in &setup.reroutes {
            reroute
                .groups
                .iter()
                .for_each(|&group| told.entry(group).or_default().push(reroute.at));
        }
        let groups = (0..).map(GroupId).zip(&multicast.groups);
        for ((group, said), (casts, relights)) in groups.zip(casts.iter().zip(&relights)) {
            let Service::Reliable(service) = &said.service else { continue };
            let class = casts
                .first()
                .map_or(Class::LOSSLESS, |&first| multicast.casts[first as usize].class);
            let of_group = (group, service, casts.as_slice());
            let mut schedule = Schedule::new(multicast, of_group, first, params.wire.mtu);
            for host in schedule.ever() {
                schedule.ends.insert(host, hosts.next(host));
            }
            let schedule = Arc::new(schedule);
            let leader_end = schedule.ends.get(&service.leader).copied().unwrap_or(u32::MAX);
            let leader = (Dest::host(service.leader), leader_end);
            let slowest = slowest(simulation, service, schedule.ends.keys());
            for &id in schedule.ends.keys() {
                let rate = Rate::new(setup.network.ports(id)[0].rate);
                let entropy = entropy(setup.seed, first.0 ^ group.0);
                let peer = Peer { host: Dest::group(group), qp: id.0, class, entropy };
                let mut member =
                    Member::new(id, peer, Arc::clone(&schedule), (leader, rate, slowest), params);
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
                hosts.open(id, member, class);
            }
        }
    }

    fn opens(&mut self) -> Vec<Stream> {
        std::mem::take(&mut self.watch.opens)
    }
}

/// The rate of the slowest port on a group's tree: those on the ways from its leader to its members, and the splitters
/// of light.
fn slowest<'a>(
    simulation: &Simulation<'_>,
    service: &Reliable,
    members: impl Iterator<Item = &'a NodeId>,
) -> BitRate {
    let network = simulation.setup().network;
    let mut slowest = network.ports(service.leader)[0].rate;
    for &member in members {
        let mut at = service.leader;
        while at != member {
            let routes = network.routes(at, member);
            if routes.is_empty() {
                break;
            }
            let port = &network.ports(at)[routes.get(0).index()];
            (slowest, at) = (slowest.min(port.rate), port.peer);
        }
    }
    if matches!(service.data, Data::Light { .. }) {
        let splitters = simulation.setup().multicast.splitters.iter().map(|splitter| splitter.rate);
        slowest = splitters.fold(slowest, BitRate::min);
    }
    slowest
}
