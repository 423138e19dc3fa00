//! Members that leave a group, and groups that leave a switch.

use std::collections::BTreeMap;
use std::sync::Arc;

use lightloom_topology::electrical::NodeId;
use lightloom_units::Instant;

use crate::engine::Out;
use crate::envelope::{Envelope, Round};
use crate::node::{Node, Stop};
use crate::packet::{Dest, GroupId, Kind, Packet};
use crate::switch::Switch;
use crate::switch::bridges::NONE;

impl Switch<'_> {
    /// Takes the nodes of a packet out of the table of a group, or hands them on by their ways.
    pub(super) fn take_out(
        &mut self,
        now: Instant,
        group: GroupId,
        (from, envelope): (u16, &Arc<Envelope>),
        out: &mut Out<'_>,
    ) {
        // By port, in the order of ports: what goes on does not depend on the order in which members stand in the
        // packet.
        let mut onward: BTreeMap<u16, Vec<Node>> = BTreeMap::new();
        // A packet of an earlier registration may arrive late, and must not undo a later one.
        let has_newer =
            |place: usize| self.bridges.tables[place].round.again > envelope.round.again;
        if self.bridges.place(group).is_some_and(has_newer) {
            return;
        }
        if self.bridges.has_lost(group, envelope.known) {
            // Others may still be behind it, so the switch above must not forget it.
            self.answer_leader(now, Kind::Lost, self.id.0, envelope, out);
            return;
        }
        for &node in &envelope.nodes {
            let host = match node {
                Node::Member { host, .. } => host,
                Node::Stop(stop) => {
                    if let Some(port) = self.darken(now, (group, from), stop, out) {
                        onward.entry(port).or_default().push(node);
                    }
                    continue;
                }
            };
            if let Some(notes) = &mut self.bridges.notes {
                notes.left(group, host);
            }
            let place =
                self.bridges.place(group).filter(|&at| self.bridges.tables[at].root == from);
            let port = place.and_then(|place| self.known_way(now, place, host));
            match (place, port) {
                // Nobody behind a dead link hears of it.
                (Some(place), Some(port))
                    if self.peer(port) == Some(host)
                        || self.links[usize::from(port)].is_dead(now) =>
                {
                    self.prune(now, place, port, (host, envelope.leader, envelope.round), out);
                }
                (Some(_), Some(port)) => onward.entry(port).or_default().push(node),
                // The switch above has not heard that no receiver is left here.
                _ if place.is_none_or(|place| self.bridges.tables[place].is_bare())
                    && self.peer(from).is_some_and(|peer| !self.network.is_host(peer)) =>
                {
                    let about = (host.0, envelope.round);
                    let packet = self.control(Kind::Prune, Dest::group(group), host.0, about);
                    self.emit(now, from, Packet { port: from, ..packet }, out);
                }
                // It was taken out before.
                _ => self.answer_leader(now, Kind::Confirm, host.0, envelope, out),
            }
        }
        self.hand_on(now, group, envelope, onward, out);
    }

    /// A group is given back: a switch passes on no more light. The port toward the switch, where it is another.
    fn darken(
        &mut self,
        now: Instant,
        (group, from): (GroupId, u16),
        stop: Stop,
        out: &mut Out<'_>,
    ) -> Option<u16> {
        let place = self.bridges.place(group);
        let place = place.filter(|&place| self.bridges.tables[place].root == from)?;
        let port = (stop.at != self.id).then(|| self.known_way(now, place, stop.via)).flatten();
        let table = &mut self.bridges.tables[place];
        if let Some(light) = &mut table.light {
            light.spares.retain(|&(spare, _)| spare != stop.at);
            if stop.at == self.id {
                (light.accept, light.relay) = (NONE, NONE);
            }
        }
        table.find_stand_in();
        // Neither members nor light need the table any more.
        if stop.at == self.id && table.is_bare() && !table.carries_light() {
            self.drop_held(now, place, out);
            self.bridges.close_left(place);
        }
        port
    }

    /// The switch below a port has no receivers any more.
    pub(super) fn pruned(
        &mut self,
        now: Instant,
        place: usize,
        packet: &Packet,
        out: &mut Out<'_>,
    ) {
        let table = &self.bridges.tables[place];
        let round = Round { run: packet.seen.get(), again: packet.entropy };
        if packet.port == table.root {
            // The switch above has registered the group anew, and not over this one.
            if round.again > table.round.again {
                self.withdraw(now, place, (packet.port, round), out);
            }
            return;
        }
        let about = (NodeId(packet.qp), table.leader, round);
        self.prune(now, place, packet.port, about, out);
    }

    /// Forgets a group that is registered anew, and tells the switches below, over which it may not go any more.
    pub(super) fn withdraw(
        &mut self,
        now: Instant,
        place: usize,
        (from, round): (u16, Round),
        out: &mut Out<'_>,
    ) {
        self.drop_held(now, place, out);
        let table = &self.bridges.tables[place];
        let (group, root, leader) = (table.group, table.root, table.leader);
        // The table is closed before anybody is told, so that an answer from below finds none.
        let below = table.opened.clone();
        self.bridges.close(place);
        for port in below {
            let is_switch = self.peer(port).is_some_and(|peer| !self.network.is_host(peer));
            if is_switch && port != root && port != from {
                let host = leader.0.as_host().map_or(0, |host| host.0);
                let packet = self.control(Kind::Prune, Dest::group(group), host, (host, round));
                self.emit(now, port, Packet { port, ..packet }, out);
            }
        }
    }

    /// A port has no receivers any more. Where it was the last, the table is gone and the switch above is told;
    /// else the leader is.
    fn prune(
        &mut self,
        now: Instant,
        place: usize,
        port: u16,
        (host, leader, round): (NodeId, (Dest, u32), Round),
        out: &mut Out<'_>,
    ) {
        let table = &mut self.bridges.tables[place];
        table.hosts.retain(|&(other, ..)| other != port);
        table.addressed.remove(&port);
        table.notify.remove(port);
        let had = u32::from(table.paths.uses(port));
        // What only this port lacked is now had by all that are left, so an answer may go up.
        let told = table.paths.remove(port, round.epoch(), now);
        // The ways to switches of light stay: a later registration must find them again.
        table
            .opened
            .retain(|&other| other != port || table.paths.uses(port) || table.light.is_some());
        let (root, group) = (table.root, table.group);
        self.bridges.used[usize::from(port)] -= had - u32::from(table.paths.uses(port));
        self.bridges.lighten(place);
        self.tell_up(now, place, port, told, out);
        // The port that is gone may be the one that was paused.
        self.go_on(now, out);
        let table = &self.bridges.tables[place];
        let (is_empty, carries_light) = (table.is_bare(), table.carries_light());
        let mut packet = self.control(Kind::Confirm, leader.0, leader.1, (host.0, round));
        packet.port = port;
        if !is_empty {
            let way = self.way(now, leader.0.as_host().unwrap_or(host));
            self.emit(now, way, packet, out);
            return;
        }
        // A switch that passes on light does so though nobody is left behind it.
        if !carries_light {
            self.drop_held(now, place, out);
            self.bridges.close_left(place);
        }
        let is_switch = self.peer(root).is_some_and(|peer| !self.network.is_host(peer));
        if is_switch {
            let packet = Packet { to: Dest::group(group), qp: host.0, kind: Kind::Prune, ..packet };
            self.emit(now, root, packet, out);
        } else {
            let way = self.way(now, leader.0.as_host().unwrap_or(host));
            self.emit(now, way, packet, out);
        }
    }
}
