//! Gathers the outcome of all parts.

use std::collections::BTreeMap;

use lightloom_setup::Setup;
use lightloom_topology::electrical::NodeId;
use lightloom_units::Instant;

use super::lacking::CastDrops;
use super::links::Links;
use super::owners::Owners;
use super::{CastOutcome, ComputationOutcome, FlowOutcome, GroupOutcome, Hop, Outcome};
use super::{answers, copies};
use crate::build::{AnyNode, Cut};
use crate::deadlock;
use crate::drops::{Dropped, Drops, Owner};
use crate::engine::{Beyond, End, Part, Recording};
use crate::host::Host;
use crate::overflow::FatalOverflow;
use crate::packet::{Kind, Packet};
use crate::refusal::Refusal;
use crate::simulation::Simulation;
use crate::switch::Copies;
use crate::wires::Source;

/// Gathers the outcome of all parts.
pub(crate) fn collect(
    simulation: &Simulation<'_>,
    cut: &Cut,
    mut parts: Vec<Part<AnyNode<'_>>>,
    (reached, end): (Instant, End),
    fatal: Option<FatalOverflow>,
) -> Outcome {
    let mut outcome = empty(simulation, (reached, end), fatal);
    outcome.events = parts.iter().map(|part| part.events).sum();
    outcome.data_hops = parts.iter().map(|part| part.data_hops).sum();
    let mut links = Links::new(simulation.wires());
    let recordings: Vec<Option<Recording>> =
        parts.iter_mut().map(|part| part.recording.take()).collect();
    let mut copied = copies::Counted::new();
    let (mut drops, mut beyond) = (CastDrops::new(), Beyond::default());
    let (casts, flows) = (Owners::casts(simulation), simulation.flows.len());
    let owners = Owners { cut, parts: &parts, casts, flows };
    for ((part, ids), recording) in parts.iter().zip(&cut.nodes).zip(recordings) {
        if let Some(recording) = recording {
            outcome.add_recording(recording, (ids, &owners), (&mut copied, &mut beyond));
        }
        for (node, &id) in part.nodes.iter().zip(ids) {
            outcome.add_node((id, node), &mut drops, &owners);
            links.add(id, node, reached);
        }
        for (local, arrival) in part.on_the_way() {
            outcome.in_flight(&arrival.packet, &owners);
            links.in_flight((ids[local], arrival.packet.port));
        }
    }
    outcome.copies = copies::listed(copied, simulation);
    (outcome.links, outcome.splitters) = (links.all, links.splitters);
    // Until here these were all hops.
    outcome.control_hops -= outcome.data_hops;
    outcome.end_casts(simulation);
    let deadlock = deadlock::find(simulation.wires(), cut, &parts, reached);
    (outcome.rings, outcome.stuck) = (deadlock.rings, deadlock.stuck);
    outcome.end_errors(simulation);
    outcome.end_waiting();
    outcome.answers = answers::check(simulation, &cut.nodes, &parts);
    outcome.cut_ends(simulation);
    outcome.find_causes(simulation, &drops);
    outcome.paused.sort_unstable();
    outcome.tables.sort_unstable();
    outcome.accelerators.sort_unstable_by_key(|(at, _)| *at);
    outcome.refusals.sort_unstable();
    outcome.unconfirmed.sort_unstable();
    outcome.unconfirmed.dedup();
    outcome.cut_off.sort_unstable();
    outcome.overflows.sort_unstable_by_key(|overflow| (overflow.at, overflow.node, overflow.port));
    outcome.add_registrations(simulation, &owners);
    outcome.trace.sort_unstable_by_key(|hop| (hop.at, hop.node, hop.port));
    outcome.cut_recording(simulation, beyond);
    outcome.check();
    outcome
}

/// An outcome in which nothing has happened.
fn empty(
    setup: &Setup<'_>,
    (reached, end): (Instant, End),
    fatal: Option<FatalOverflow>,
) -> Outcome {
    let flows = setup.flows.len();
    Outcome {
        reached,
        end,
        fatal,
        overflows: Vec::new(),
        flows: vec![FlowOutcome::default(); flows],
        casts: vec![CastOutcome::default(); setup.multicast.casts.len()],
        computations: vec![ComputationOutcome::default(); setup.computations.len()],
        errors: Vec::new(),
        never: Vec::new(),
        waiting: Vec::new(),
        last_progress: BTreeMap::new(),
        groups: vec![GroupOutcome::default(); setup.multicast.groups.len()],
        refusals: Vec::new(),
        unconfirmed: Vec::new(),
        cut_off: Vec::new(),
        tables: Vec::new(),
        accelerators: Vec::new(),
        links: Vec::new(),
        splitters: Vec::new(),
        drops: BTreeMap::new(),
        goodput: Vec::new(),
        flow_goodput: if setup.by_flow { vec![Vec::new(); flows] } else { Vec::new() },
        receiver_goodput: BTreeMap::new(),
        events: 0,
        data_hops: 0,
        control_hops: 0,
        notifications: 0,
        paused: Vec::new(),
        rings: Vec::new(),
        stuck: Vec::new(),
        trace: Vec::new(),
        dropped: Vec::new(),
        cut: None,
        copies: Vec::new(),
        registrations: BTreeMap::new(),
        answers: None,
        unbalanced: Vec::new(),
    }
}

impl Outcome {
    /// What the recorded registration packets hold.
    fn add_registrations(&mut self, simulation: &Simulation<'_>, owners: &Owners<'_, '_>) {
        let is_one = |hop: &&Hop| {
            let registers = matches!(hop.packet.kind, Kind::Register | Kind::Address);
            registers && hop.packet.to.as_group().is_some()
        };
        for hop in self.trace.iter().filter(is_one) {
            let Source::Link((from, _)) = simulation.wires().source((hop.node, hop.port)) else {
                continue;
            };
            let place = (from, hop.packet.qp);
            let envelopes = owners.envelopes();
            if let Some(envelope) = envelopes.and_then(|all| all.get(from, hop.packet.qp)) {
                self.registrations.insert(place, envelope);
            }
        }
    }

    fn add_node(
        &mut self,
        (id, node): (NodeId, &AnyNode<'_>),
        drops: &mut CastDrops,
        owners: &Owners<'_, '_>,
    ) {
        for link in node.links() {
            self.control_hops += link.put();
            let Some(split) = link.split() else { continue };
            self.add_drops((id, &split.drops), drops, owners);
            for (owner, copied) in split.copied.iter() {
                self.add_to(owner, owners, |flow| {
                    flow.copied += copied.packets;
                    flow.bytes.copied += copied.bytes;
                });
            }
        }
        match node {
            AnyNode::Host(host) => {
                self.add_host(id, host);
                self.add_drops((id, &host.drops), drops, owners);
            }
            AnyNode::Switch(switch) => {
                switch.waiting().for_each(|packet| self.in_flight(&packet, owners));
                let paused = switch.held_by_pauses(self.reached);
                self.paused.extend(paused.map(|(port, bytes)| (id, port, bytes)));
                self.overflows.extend(switch.overflows());
                self.add_drops((id, &switch.drops), drops, owners);
                let bridges = &switch.bridges;
                self.tables.extend((bridges.most_bytes > 0).then_some((id, bridges.most_bytes)));
                let beside = bridges.accelerator.as_ref();
                self.accelerators.extend(beside.map(|beside| (id, beside.done())));
                let refused = bridges.refused.iter();
                self.refusals.extend(refused.map(|(&group, &why)| Refusal {
                    group,
                    switch: id,
                    why,
                }));
                for (group, done) in bridges.done() {
                    let group = &mut self.groups[group.0 as usize];
                    group.answers_in += done.came;
                    group.answers_out += done.went;
                    self.add_copies(&done.copies, owners);
                }
                self.add_copies(&switch.groups.copies, owners);
            }
        }
    }

    fn add_copies(&mut self, copies: &Copies, owners: &Owners<'_, '_>) {
        for (owner, made) in copies.iter() {
            self.add_to(owner, owners, |flow| {
                flow.copied += made.copied.packets;
                flow.absorbed += made.absorbed.packets;
                flow.bytes.copied += made.copied.bytes;
                flow.bytes.absorbed += made.absorbed.bytes;
            });
        }
    }

    fn add_host(&mut self, id: NodeId, host: &Host<'_>) {
        let desk = &host.desk;
        for slot in &host.slots {
            slot.endpoint.transport().report(id, desk.params, self);
        }
        if self.end == End::Stalled {
            self.last_progress.insert(id, desk.progress);
            for slot in &host.slots {
                slot.endpoint.transport().waiting(desk.params, &mut self.waiting);
            }
        }
        if self.goodput.len() < desk.goodput.len() {
            self.goodput.resize(desk.goodput.len(), 0);
        }
        self.goodput.iter_mut().zip(&desk.goodput).for_each(|(sum, add)| *sum += add);
        self.notifications += desk.notifications;
    }

    fn add_to(
        &mut self,
        owner: &Owner,
        owners: &Owners<'_, '_>,
        add: impl FnOnce(&mut FlowOutcome),
    ) {
        if let Some(flow) = owners.of(owner) {
            add(self.of(flow));
        }
    }

    fn add_drops(
        &mut self,
        (id, drops): (NodeId, &Drops),
        of_casts: &mut CastDrops,
        owners: &Owners<'_, '_>,
    ) {
        for ((port, spot), reason, owner, dropped) in drops.iter() {
            let packets = dropped.packets;
            *self.drops.entry((id, port, reason)).or_default() += packets;
            if owner.kind == Kind::Data
                && let Some(cast) = owners.cast(owner)
            {
                let of_cast = of_casts.entry((cast, (id, port, spot), reason));
                of_cast.or_insert(Dropped::NONE).add(dropped);
            }
            self.add_to(owner, owners, |flow| match owner.kind {
                Kind::Data => {
                    flow.dropped += packets;
                    flow.bytes.dropped += dropped.bytes;
                }
                _ => flow.answers_dropped += packets,
            });
        }
    }

    fn in_flight(&mut self, packet: &Packet, owners: &Owners<'_, '_>) {
        if packet.kind == Kind::Data {
            self.add_to(&Owner::of(packet), owners, |flow| {
                flow.in_flight += 1;
                flow.bytes.in_flight += u64::from(packet.bytes);
            });
        }
    }
}
