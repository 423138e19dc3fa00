//! From flows and messages to groups to endpoints of hosts.

use lightloom_setup::Setup;
use lightloom_topology::electrical::NodeId;
use lightloom_transport::messages::Waiter;
use lightloom_units::Instant;

use super::waits;
use crate::host::{Applications, Endpoint, Host, Hosts, Of, Placed, open_all};
use crate::packet::{Class, FlowId, GroupId};
use crate::simulation::Simulation;

/// Adds all traffic to the hosts, what admits it, and what checks it.
pub(super) fn add_all(simulation: &Simulation<'_>, hosts: &mut [Host<'_>]) {
    let setup = simulation.setup();
    let mut opening = Opening {
        setup,
        hosts,
        placed: vec![None; setup.first_computation() + setup.computations.len()],
    };
    open_all(simulation, &mut opening);
    let Opening { placed, hosts, .. } = opening;
    waits::add(setup, hosts, &placed);
    for &storm in &setup.storms {
        hosts[storm.host.index()].add_storm(storm);
    }
    if simulation.checks_answers() {
        let slots = hosts.iter_mut().flat_map(|host| &mut host.slots);
        slots.for_each(|slot| slot.endpoint.transport_mut().check_answers());
    }
}

/// Hosts whose endpoints are being opened.
struct Opening<'h, 'a> {
    setup: &'h Setup<'h>,
    hosts: &'h mut [Host<'a>],
    /// Where each flow and each computation is that has an endpoint, by numbers.
    placed: Vec<Option<Placed>>,
}

impl<T> Hosts<T> for Opening<'_, '_>
where
    Endpoint: From<T> + Of<T>,
{
    fn open(&mut self, at: NodeId, endpoint: T, class: Class) -> u32 {
        let host = &mut self.hosts[at.index()];
        let number = host.open(endpoint.into(), class);
        host.set_alarm(number);
        number
    }

    fn next(&self, at: NodeId) -> u32 {
        self.hosts[at.index()].next_number()
    }

    fn endpoint(&mut self, at: NodeId, number: u32) -> &mut T {
        let endpoint = &mut self.hosts[at.index()].slots[number as usize].endpoint;
        endpoint.of().expect("the endpoint is one of the transport that opened it")
    }

    fn ask(&mut self, at: NodeId, of: Waiter, (time, bytes): (Instant, u64)) {
        let params = &self.setup.params;
        let asked = (time, params.stack.to_send(bytes, params.wire.mtu));
        self.hosts[at.index()].ask(of.endpoint, of.message, Instant::ZERO, asked);
    }

    fn listens(&self, at: NodeId, group: GroupId) -> Option<u32> {
        self.hosts[at.index()].endpoint(group)
    }

    fn listen(&mut self, at: NodeId, group: GroupId, number: u32) {
        self.hosts[at.index()].listen(group, number);
    }

    fn place(&mut self, flow: FlowId, placed: Placed) {
        self.placed[flow.index()] = Some(placed);
    }

    fn apply_for(&mut self, applications: &mut Applications<'_>) {
        for (id, host) in (0..).map(NodeId).zip(self.hosts.iter_mut()) {
            for number in 0..host.next_number() {
                let endpoint = host.slots[number as usize].endpoint.transport_mut();
                if endpoint.apply_for(applications.of(id, number)) {
                    host.set_alarm(number);
                }
            }
        }
    }
}
