//! The controller of admission, and its senders.

use lightloom_topology::electrical::NodeId;
use lightloom_transport::admission::Arbiter;
use lightloom_units::{Instant, Span};

use crate::demands::drain;
use crate::host::{Applicant, Controller, Endpoint, Host, Wanted};
use crate::packet::{Class, Dest};
use crate::simulation::Simulation;

/// Adds the controller to its host, where there is one, and lets senders ask it.
pub(super) fn add(simulation: &Simulation<'_>, hosts: &mut [Host<'_>]) {
    let Some(admission) = simulation.multicast.admission else { return };
    let wires = simulation.wires();
    let demands = simulation.demands();
    let mut senders = vec![None; demands.uses.len()];
    let first = u32::try_from(simulation.flows.len()).unwrap_or(u32::MAX);
    let at = &hosts[admission.controller.index()];
    let controller = u32::try_from(at.slots.len()).unwrap_or(u32::MAX);
    for (id, host) in (0..).map(NodeId).zip(hosts.iter_mut()) {
        for slot in 0..host.slots.len() {
            let number = u32::try_from(slot).unwrap_or(u32::MAX);
            let mut asks = |cast: u32| {
                let is_admitted = !demands.of(cast).is_empty();
                if is_admitted {
                    senders[cast as usize] = Some((Dest::host(id), number));
                }
                is_admitted
            };
            let mut applicant = Box::new(Applicant::new(admission.controller, controller));
            match &mut host.slots[slot].endpoint {
                Endpoint::Datagrams(datagrams) => {
                    let group = datagrams.group.as_group();
                    let drain =
                        group.map_or(Span::ZERO, |group| drain(simulation, wires, (group, id)));
                    let mut is_any = false;
                    for (out, message) in datagrams.out.iter_mut().zip(0..) {
                        let cast = out.flow.0 - first;
                        if asks(cast) {
                            let at = out.asked.unwrap_or(out.ready);
                            let at = if out.is_waiting() { Instant::NEVER } else { at };
                            applicant.want(Wanted { cast, message, at, ready: out.ready });
                            (out.drain, is_any) = (drain, true);
                        }
                    }
                    datagrams.applicant = is_any.then_some(applicant);
                }
                Endpoint::Member(member) => {
                    let asked = member.casts().filter(|&cast| asks(cast)).count();
                    member.applicant = (asked > 0).then_some(applicant);
                }
                _ => continue,
            }
            host.set_alarm(number);
        }
    }
    let arbiter = Arbiter::new(admission.policy, demands);
    let controller = Endpoint::Controller(Box::new(Controller::new(arbiter, senders)));
    hosts[admission.controller.index()].open(controller, Class::LOSSLESS);
}
