//! Registration: tables of groups are made and changed by packets that go from switch to switch, along the ways of
//! unicast (Cepheus and Gleam).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use lightloom_setup::{Egress, Ingress};
use lightloom_topology::electrical::NodeId;
use lightloom_units::Instant;

use crate::drops::DropReason;
use crate::engine::Out;
use crate::envelope::{Course, Envelope, Round};
use crate::node::{Node, Step};
use crate::packet::{Dest, GroupId, Kind, Packet, Psn};
use crate::random::mix;
use crate::refusal::RefusalReason;
use crate::switch::Switch;
use crate::switch::bridges::{Done, HERE, Light, NONE, Table};
use crate::switch::buffer::Queue;
use crate::switch::hold::Held;
use crate::wires::Source;
use lightloom_transport::bridge::{Notify, Paths};

impl Switch<'_> {
    /// A registration packet has come in (gleam:alg4:1).
    pub(in crate::switch) fn register(&mut self, now: Instant, packet: &Packet, out: &mut Out<'_>) {
        let sender = match self.wires.source((self.id, packet.port)) {
            Source::Link((node, _)) => Some(node),
            Source::Branch { .. } => None,
        };
        // The packet itself is as long as what it holds. The nodes stand beside it, by sender and number, so that a
        // packet on a link stays half of a cache line.
        let envelope = sender.and_then(|node| self.bridges.envelopes.get(node, packet.qp));
        let (Some(envelope), Some(group)) = (envelope, packet.to.as_group()) else {
            self.drop(now, packet, DropReason::Stray);
            return;
        };
        if envelope.enters {
            self.enter(now, group, (packet.port, &envelope), out);
        } else {
            self.take_out(now, group, (packet.port, &envelope), out);
        }
    }

    /// Enters the nodes of a packet in the table of a group, and hands each on by its way.
    fn enter(
        &mut self,
        now: Instant,
        group: GroupId,
        (from, envelope): (u16, &Arc<Envelope>),
        out: &mut Out<'_>,
    ) {
        let mut known = self.bridges.place(group);
        if let Some(place) = known {
            let now_has = self.bridges.tables[place].round.again;
            if now_has > envelope.round.again {
                // It is late: all were registered anew since.
                return;
            }
            if now_has < envelope.round.again {
                self.withdraw(now, place, (from, envelope.round), out);
                known = None;
            }
        }
        if known.is_none() && self.bridges.has_lost(group, envelope.known) {
            self.answer_leader(now, Kind::Lost, self.id.0, envelope, out);
            return;
        }
        // Two ways lead here: the ways of unicast from the leader are no tree.
        // Data would come twice, and answers would go up two ways.
        let is_second = known.is_some_and(|place| self.bridges.tables[place].root != from);
        let place = match known {
            Some(place) => place,
            None => self.open(group, from, envelope, now),
        };
        if is_second {
            self.refuse(now, group, (RefusalReason::TwoWays, envelope), out);
            return;
        }
        self.renew(now, place, envelope, out);
        // gleam:alg4:4-5
        let mut onward: BTreeMap<u16, Vec<Node>> = BTreeMap::new();
        for &node in &envelope.nodes {
            let port = match node {
                Node::Stop(stop) if stop.at == self.id => {
                    let port_in = |way| self.wires.port_in(self.id, Ingress::Splitter(way));
                    let port_out = |way| self.wires.port_out(self.id, Egress::Splitter(way));
                    let accept = stop.accept.and_then(port_in).unwrap_or(NONE);
                    let relay = stop.relay.and_then(port_out).unwrap_or(NONE);
                    // A rollout may have moved the light since the plan that the leader knows.
                    let updated = self.groups.updates.light(group, envelope.source);
                    let (accept, relay) = updated.unwrap_or((accept, relay));
                    let table = &mut self.bridges.tables[place];
                    if let Some(light) = &mut table.light {
                        (light.accept, light.relay) = (accept, relay);
                    }
                    table.add_spare(stop, HERE);
                    continue;
                }
                Node::Stop(stop) => {
                    // Members behind it go the same way.
                    let port = self.way_of_group(now, place, stop.via);
                    let table = &mut self.bridges.tables[place];
                    if !table.opened.contains(&port) {
                        table.opened.push(port);
                    }
                    table.add_spare(stop, port);
                    port
                }
                Node::Member { host, qp } => {
                    let port = self.way_of_group(now, place, host);
                    // gleam:alg4:6
                    let is_host = self.peer(port) == Some(host);
                    let bridges = &mut self.bridges;
                    // gleam:alg4:8-9, gleam:alg4:19-22
                    bridges.enter(place, port, (envelope, now));
                    if let Some(notes) = &mut bridges.notes {
                        notes.entered(group, host, port);
                    }
                    let table = &mut bridges.tables[place];
                    // cepheus:III-C.direct, gleam:alg4:10-12
                    if is_host && table.host(port).is_none() {
                        let at = table.hosts.partition_point(|&(other, ..)| other < port);
                        table.hosts.insert(at, (port, Dest::host(host), qp));
                    }
                    if is_host && envelope.step == Step::Addresses {
                        table.addressed.insert(port);
                    }
                    if host == envelope.source {
                        let _ = table.paths.set_up(Some(port), now);
                    }
                    port
                }
            };
            // gleam:alg4:24
            onward.entry(port).or_default().push(node);
        }
        // Weighed as a whole, after all nodes of the packet: a refusal names what the group would take.
        if let Some(why) = self.bridges.weigh(place) {
            self.refuse(now, group, (why, envelope), out);
            return;
        }
        self.hand_on(now, group, envelope, onward, out);
    }

    /// Tells the leader that a registration is not taken.
    #[cold]
    fn refuse(
        &mut self,
        now: Instant,
        group: GroupId,
        (why, envelope): (RefusalReason, &Envelope),
        out: &mut Out<'_>,
    ) {
        self.bridges.refused.entry(group).or_insert(why);
        self.answer_leader(now, Kind::Refuse, self.id.0, envelope, out);
    }

    /// Hands nodes on by their ports: to other switches those that go there, to a host the packet that it confirms
    /// (cepheus:III-C.onward, gleam:alg4:25-28).
    pub(super) fn hand_on(
        &mut self,
        now: Instant,
        group: GroupId,
        envelope: &Envelope,
        onward: BTreeMap<u16, Vec<Node>>,
        out: &mut Out<'_>,
    ) {
        for (port, nodes) in onward {
            let to = match nodes.as_slice() {
                [Node::Member { host, qp }] if self.peer(port) == Some(*host) => {
                    (Dest::host(*host), *qp)
                }
                _ => (Dest::group(group), 0),
            };
            let bytes = envelope.step.bytes(nodes.len());
            let qp = match to.0.as_host() {
                Some(_) => to.1,
                None => {
                    let place = self.bridges.place(group).filter(|_| envelope.enters);
                    let known = place
                        .map_or(envelope.known, |place| self.bridges.tables[place].known(port));
                    // Each switch below gets the nodes behind it, and no others.
                    let onward = Envelope { nodes, known, ..envelope.clone() };
                    self.bridges.envelopes.put(self.id, onward)
                }
            };
            let mut packet = self.control(envelope.step.tells(), to.0, qp, (0, envelope.round));
            (packet.psn, packet.bytes, packet.port) = (envelope.first, bytes, port);
            self.emit(now, port, packet, out);
        }
    }

    /// Tells the leader something about a host or a switch.
    pub(super) fn answer_leader(
        &mut self,
        now: Instant,
        kind: Kind,
        about: u32,
        envelope: &Envelope,
        out: &mut Out<'_>,
    ) {
        let (to, qp) = envelope.leader;
        let Some(host) = to.as_host() else { return };
        let way = self.way(now, host);
        let mut packet = self.control(kind, to, qp, (about, envelope.round));
        packet.port = way;
        self.emit(now, way, packet, out);
    }

    pub(super) fn control(
        &self,
        kind: Kind,
        to: Dest,
        qp: u32,
        (psn, round): (u32, Round),
    ) -> Packet {
        let numbers = (Psn::new(psn), Psn::new(round.run));
        let packet = Packet::control((to, qp), kind, numbers, self.control_bytes);
        Packet { entropy: round.again, ..packet }
    }

    /// The node at the other end of a link.
    pub(super) fn peer(&self, port: u16) -> Option<NodeId> {
        self.network.ports(self.id).get(usize::from(port)).map(|link| link.peer)
    }

    /// The shortest way to a host that the group uses already, where it uses one: of several the first that it used
    /// (cepheus:III-C.reuse, gleam:alg4:14-16).
    pub(super) fn known_way(&self, now: Instant, place: usize, host: NodeId) -> Option<u16> {
        let routes = self.routes(now, host);
        let table = &self.bridges.tables[place];
        let leads = |port: u16| routes.iter().any(|way| way.0 == port);
        let is_direct = |port: u16| self.peer(port) == Some(host);
        let mut opened = table.opened.iter().copied();
        // Never back over the root, but to a host that is attached there: the tree would close to a ring.
        opened.find(|&port| leads(port) && (port != table.root || is_direct(port)))
    }

    /// The way of a group to a host (gleam:alg4:7, gleam:alg4:13): one that it uses already, else the one that the
    /// fewest groups use (cepheus:III-C.least, gleam:alg4:17-18). Of equal ones switches take different ones, or all
    /// groups would meet at the first core.
    fn way_of_group(&self, now: Instant, place: usize, host: NodeId) -> u16 {
        let group = u64::from(self.bridges.tables[place].group.0);
        let least = || {
            let routes = self.routes(now, host);
            let ports = routes.iter().map(|port| port.0);
            // A hash and no random number: a registration that is repeated finds the same way.
            let tie = |port: u16| mix(self.salt ^ mix(group << 16 | u64::from(port)));
            ports.min_by_key(|&port| (self.bridges.used[usize::from(port)], tie(port)))
        };
        self.known_way(now, place, host).or_else(least).unwrap_or(NONE)
    }

    /// Makes the table of a group that is registered over a port (gleam:alg4:3).
    fn open(&mut self, group: GroupId, root: u16, envelope: &Envelope, now: Instant) -> usize {
        let params = &self.bridges.params;
        let light = match envelope.course {
            Course::Links => None,
            Course::Light(repair) => Some(Box::new(Light {
                repair,
                accept: NONE,
                relay: NONE,
                stand_in: None,
                spares: Vec::new(),
                feed: NONE,
                held: Held::new(envelope.first, self.bridges.ack_every),
            })),
        };
        let table = Table {
            group,
            paths: Paths::new(envelope.first, self.bridges.recovery, params.repeat_interval),
            notify: Notify::new(params.notification_window),
            echoes: false,
            halted: Queue::EMPTY,
            addressed: BTreeSet::new(),
            done: Done::default(),
            opened: Vec::new(),
            fresh: Vec::new(),
            hosts: Vec::new(),
            root,
            source: envelope.source,
            // The first packet makes it that of its run.
            round: Round { run: u32::MAX, again: envelope.round.again },
            awaits: (envelope.round.again > 0).then_some(envelope.mark),
            dialect: envelope.dialect,
            bytes: 0,
            leader: envelope.leader,
            light,
        };
        let place = self.bridges.open(table);
        if let Some(notes) = &mut self.bridges.notes {
            notes.opened(group, root);
        }
        let is_switch = self.peer(root).is_some_and(|peer| !self.network.is_host(peer));
        if is_switch {
            self.bridges.enter(place, root, (envelope, now));
        }
        let _ = self.bridges.tables[place].paths.set_up(Some(root), now);
        place
    }

    /// What a packet says of the whole group, where it is the first of its run.
    fn renew(&mut self, now: Instant, place: usize, envelope: &Envelope, out: &mut Out<'_>) {
        if self.bridges.tables[place].round == envelope.round {
            return;
        }
        self.drop_held(now, place, out);
        let table = &mut self.bridges.tables[place];
        table.round = envelope.round;
        table.fresh.clear();
        if let Some(light) = &mut table.light {
            // Light has another tree for each sender.
            (light.accept, light.relay, light.held) =
                (NONE, NONE, Held::new(envelope.first, self.bridges.ack_every));
            let updated = self.groups.updates.stand_in(table.group, envelope.source);
            light.stand_in = updated.unwrap_or(envelope.stand_in);
            light.spares.clear();
            if table.source != envelope.source {
                table.source = envelope.source;
                let _ = table.paths.set_up(Some(table.root), now);
            }
        }
        table.find_stand_in();
    }

    /// What waited when a run was given up goes nowhere.
    pub(in crate::switch) fn drop_held(&mut self, now: Instant, place: usize, out: &mut Out<'_>) {
        let group = self.bridges.tables[place].group;
        self.bridges.halted.retain(|&halted| halted != group);
        loop {
            let table = &mut self.bridges.tables[place];
            let held = table.light.as_mut().map(|light| &mut light.held.queue);
            let held = held.and_then(|queue| self.buffer.pop(queue));
            let first = held.or_else(|| self.buffer.pop(&mut table.halted));
            let Some((packet, _)) = first else { return };
            self.drop(now, &packet, DropReason::Stray);
            self.left(now, &packet, out);
        }
    }
}
