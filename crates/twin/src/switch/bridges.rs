//! The tables of reliable groups at a switch: one a group (cepheus:III-B1.mft, gleam:3.3.table).
//!
//! A table has three sets apart: where data go out, where answers come in, where answers go up. Over links they
//! are one tree and its reverse. Over splitters they are not.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use lightloom_setup::params::{Accelerator, GroupParams, Params, Recovery};
use lightloom_setup::{Dialect, Repair};
use lightloom_topology::electrical::NodeId;
use lightloom_transport::bridge::{Feedback, Notify, Paths};
use lightloom_units::Instant;

use super::beside::Beside;
use super::buffer::Queue;
use super::groups::{Copies, Way};
use super::hold::Held;
use crate::claims::SwitchNotes;
use crate::envelope::{Envelope, Envelopes, Known, Round};
use crate::node::Stop;
use crate::packet::{Dest, GroupId, Psn};
use crate::refusal::RefusalReason;

/// No port.
pub(crate) const NONE: u16 = u16::MAX;

/// Stands for the switch itself in place of a port toward it.
pub(super) const HERE: u16 = u16::MAX - 1;

/// The tables of all reliable groups at a switch.
#[derive(Debug)]
pub(crate) struct Bridges {
    /// By group: the place of its table, and one more; 0 where it has none.
    pub(super) places: Vec<u32>,
    pub(crate) tables: Vec<Table>,
    /// By port of the switch (gleam:alg4:2): how many groups use it.
    pub(super) used: Vec<u32>,
    /// The ports of the switch.
    pub(super) ports: u64,
    /// Bytes of all tables.
    pub(super) bytes: u64,
    /// The most that all tables took, in bytes.
    pub(crate) most_bytes: u64,
    /// Groups whose table is gone because their last member here has left.
    pub(super) left: BTreeSet<GroupId>,
    /// Registrations that were not taken, the first of each group.
    pub(crate) refused: BTreeMap<GroupId, RefusalReason>,
    /// What groups did that have no table any more.
    pub(super) gone: Vec<(GroupId, Done)>,
    pub(super) recovery: Recovery,
    /// Packets for each acknowledgement of a member.
    pub(super) ack_every: u32,
    pub(super) envelopes: Arc<Envelopes>,
    pub(super) params: GroupParams,
    /// Copies of a packet that are about to go out: kept for the next one, so that none is allocated.
    pub(super) copies: Vec<Way>,
    /// Groups whose data wait until no egress is paused, in the order in which they began to.
    pub(super) halted: Vec<GroupId>,
    /// What it claims, where that is checked.
    pub(crate) notes: Option<Box<SwitchNotes>>,
    /// What does all this in place of the switch. `None`: the switch itself does.
    pub(crate) accelerator: Option<Box<Beside>>,
}

/// The table of a group. What every packet touches stands first, in the order in which it does.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Table {
    /// The host that sends.
    pub(super) source: NodeId,
    pub(crate) group: GroupId,
    /// Where data go over splitters.
    pub(super) light: Option<Box<Light>>,
    /// By port that the group uses (cepheus:III-B1.index): what has been acknowledged, and what was missed.
    pub(super) paths: Paths,
    /// The members at this switch, by port: address and queue pair (cepheus:III-B1.hosts).
    pub(super) hosts: Vec<(u16, Dest, u32)>,
    pub(super) done: Done,
    /// The port toward the leader, over which it was registered.
    pub(super) root: u16,
    pub(super) dialect: Dialect,
    /// The registration from which on it holds.
    pub(super) round: Round,
    /// The data that tell that all members are registered. `None`: they are, and answers go up.
    pub(super) awaits: Option<u16>,
    /// What it takes of memory, in bytes.
    pub(super) bytes: u64,
    /// The leader, and its endpoint.
    pub(super) leader: (Dest, u32),
    /// Ports toward members, in the order in which they were first used: a registration that is repeated finds the
    /// ways that it found before.
    pub(super) opened: Vec<u16>,
    /// Ports that had no member behind them before the registration at hand.
    pub(super) fresh: Vec<u16>,
    pub(super) notify: Notify,
    /// Whether a mark on an answer passes and goes up with the next answer.
    pub(super) echoes: bool,
    /// Data that wait until no egress is paused.
    pub(super) halted: Queue,
    /// Ports of members whose address and key it has.
    pub(super) addressed: BTreeSet<u16>,
}

/// What was done for a group at one switch.
#[derive(Debug, Default)]
pub(crate) struct Done {
    /// Answers to the sender that came in.
    pub(crate) came: u64,
    /// Those that were sent on or made of others.
    pub(crate) went: u64,
    /// Copies of data.
    pub(crate) copies: Copies,
}

/// What a table has where data go over splitters.
#[derive(Debug)]
pub(super) struct Light {
    pub(super) repair: Repair,
    /// The port whose light is taken; [`NONE`] where none is.
    pub(super) accept: u16,
    /// The port that sends into the splitter; [`NONE`] where the light goes no further.
    pub(super) relay: u16,
    /// The switch that lights the tree for the sender, where the sender's own does not.
    pub(super) stand_in: Option<NodeId>,
    /// Switches that are or may become it, with the ports toward them. All that are not here are beyond the port toward
    /// the leader.
    pub(super) spares: Vec<(NodeId, u16)>,
    /// The port toward the stand-in; [`HERE`] at the stand-in, [`NONE`] where there is none. A switch that has the
    /// sender behind the same port is not on the way.
    pub(super) feed: u16,
    /// At the switch of the sender: what waits for repairs.
    pub(super) held: Held,
}

impl Bridges {
    pub(crate) fn new(ports: usize, envelopes: Arc<Envelopes>, params: &Params) -> Self {
        Self {
            places: Vec::new(),
            tables: Vec::new(),
            used: vec![0; ports],
            ports: ports as u64,
            bytes: 0,
            most_bytes: 0,
            left: BTreeSet::new(),
            refused: BTreeMap::new(),
            gone: Vec::new(),
            recovery: params.transport.recovery,
            ack_every: params.transport.ack_every,
            envelopes,
            params: params.groups,
            copies: Vec::new(),
            halted: Vec::new(),
            notes: None,
            accelerator: None,
        }
    }

    /// The same beside an accelerator, whose limits hold in place of those of all switches.
    pub(crate) fn beside(&mut self, part: &Accelerator, params: &Params) {
        self.params.fan_out = part.fan_out.or(self.params.fan_out);
        self.params.memory = part.memory.unwrap_or(self.params.memory);
        self.accelerator = Some(Box::new(Beside::new(part, params)));
    }

    /// What was done, by group.
    pub(crate) fn done(&self) -> impl Iterator<Item = (GroupId, &Done)> {
        let tables = self.tables.iter().map(|table| (table.group, &table.done));
        tables.chain(self.gone.iter().map(|(group, done)| (*group, done)))
    }

    /// Adds a table; its place.
    pub(super) fn open(&mut self, table: Table) -> usize {
        let group = table.group.0 as usize;
        if self.places.len() <= group {
            self.places.resize(group + 1, 0);
        }
        self.left.remove(&table.group);
        self.tables.push(table);
        // One more than the place, so that 0 means none: a table is one index away from its group.
        self.places[group] = u32::try_from(self.tables.len()).unwrap_or(u32::MAX);
        self.tables.len() - 1
    }

    /// Removes a table and all that its ports count.
    pub(super) fn close(&mut self, place: usize) {
        // The last table fills the gap, so tables stay dense; its place is noted again below.
        let table = self.tables.swap_remove(place);
        self.bytes -= table.bytes;
        // What it did still counts in the outcome.
        self.gone.push((table.group, table.done));
        table.paths.all().for_each(|port| self.used[usize::from(port)] -= 1);
        self.places[table.group.0 as usize] = 0;
        if let Some(moved) = self.tables.get(place) {
            self.places[moved.group.0 as usize] = u32::try_from(place + 1).unwrap_or(u32::MAX);
        }
    }

    /// Removes a table whose last member has left.
    pub(super) fn close_left(&mut self, place: usize) {
        self.left.insert(self.tables[place].group);
        self.close(place);
    }

    /// Whether the table of a group was lost, where the switch above or the leader says whether there must be one.
    pub(super) fn has_lost(&self, group: GroupId, known: Known) -> bool {
        // A group that left by itself is not lost.
        known == Known::Surely && self.place(group).is_none() && !self.left.contains(&group)
    }

    /// A group gets receivers behind a port. A port counts as used once a group (gleam:alg4:23).
    pub(super) fn enter(&mut self, place: usize, port: u16, (envelope, now): (&Envelope, Instant)) {
        let table = &mut self.tables[place];
        if !table.paths.uses(port) {
            self.used[usize::from(port)] += 1;
            table.fresh.push(port);
            if !table.opened.contains(&port) {
                table.opened.push(port);
            }
        }
        // Nothing was under way, so nothing is to be told.
        let _ = table.paths.add(port, envelope.round.epoch(), envelope.first, now);
    }

    /// The light of a sender is taken at another port, and goes out another, where it is the sender at hand.
    pub(super) fn relight(&mut self, group: GroupId, source: NodeId, (accept, relay): (u16, u16)) {
        let Some(place) = self.place(group) else { return };
        let table = &mut self.tables[place];
        if table.source == source
            && let Some(light) = &mut table.light
        {
            (light.accept, light.relay) = (accept, relay);
        }
    }

    /// The data of a sender go to another stand-in, or to none, where it is the sender at hand.
    pub(super) fn stand_in(&mut self, group: GroupId, source: NodeId, at: Option<NodeId>) {
        let Some(place) = self.place(group) else { return };
        let table = &mut self.tables[place];
        if table.source == source
            && let Some(light) = &mut table.light
        {
            light.stand_in = at;
            table.find_stand_in();
        }
    }

    /// Counts the ports and the memory that the table of a group takes now. Returns the reason if the group uses more
    /// ports than the switch allows (cepheus:VI.fan-out), or if all groups use more memory than the switch has. The
    /// counts then stay as they were.
    pub(super) fn weigh(&mut self, place: usize) -> Option<RefusalReason> {
        let table = &self.tables[place];
        // The first limit is of one group, the second of all groups together.
        let ports = table.paths.ports().count();
        if let Some(most) = self.params.fan_out.filter(|&most| ports > usize::from(most)) {
            return Some(RefusalReason::FanOut { ports, most });
        }
        let own = table.weight(self.ports);
        let (bytes, most) = (self.bytes - table.bytes + own, self.params.memory.as_bytes());
        if bytes > most {
            return Some(RefusalReason::Memory { bytes, most });
        }
        self.tables[place].bytes = own;
        self.bytes = bytes;
        self.most_bytes = self.most_bytes.max(bytes);
        None
    }

    /// Counts what the table of a group takes after it has given something back: never more than before, as what was
    /// refused was never counted.
    pub(super) fn lighten(&mut self, place: usize) {
        let table = &mut self.tables[place];
        let own = table.weight(self.ports).min(table.bytes);
        self.bytes = self.bytes - table.bytes + own;
        table.bytes = own;
    }

    /// The place of the table of a group; none where it is not registered.
    #[inline]
    pub(super) fn place(&self, group: GroupId) -> Option<usize> {
        let place = self.places.get(group.0 as usize).copied().unwrap_or(0);
        (place as usize).checked_sub(1)
    }
}

/// Whether one of the members at a switch is at a port.
pub(super) fn has_member(hosts: &[(u16, Dest, u32)], port: u16) -> bool {
    hosts.iter().any(|&(other, ..)| other == port)
}

impl Table {
    /// Bytes that it takes of the memory of a switch with so many ports.
    pub(super) fn weight(&self, ports: u64) -> u64 {
        let (used, hosts) = (self.paths.all().count() as u64, self.hosts.len() as u64);
        self.dialect.asks().table_bytes(ports, used, (hosts, self.addressed.len() as u64))
    }

    /// The ways of a packet along the tree of links: to every port that lacks it (cepheus:III-B2.copies, gleam:alg1:4,
    /// gleam:alg1:5, gleam:alg1:8).
    pub(super) fn open_ways(&self, psn: Psn) -> impl Iterator<Item = Way> {
        // Both are in the order of ports.
        let mut hosts = self.hosts.iter().peekable();
        self.paths.open(psn).map(move |port| {
            // A merge of two sorted lists, without a search for each port.
            while hosts.next_if(|&&(other, ..)| other < port).is_some() {}
            let host = hosts.next_if(|&&(other, ..)| other == port);
            (port, host.map(|&(_, host, qp)| (host, qp)))
        })
    }

    /// The member at a port; none where a switch is there (gleam:3.3.table).
    pub(super) fn host(&self, port: u16) -> Option<(Dest, u32)> {
        let place = self.hosts.binary_search_by_key(&port, |&(port, ..)| port).ok()?;
        let (_, host, qp) = self.hosts[place];
        Some((host, qp))
    }

    /// Notes the way to a switch that may light the tree for the sender.
    pub(super) fn add_spare(&mut self, stop: Stop, port: u16) {
        if let Some(light) = self.light.as_mut().filter(|_| stop.is_spare) {
            light.spares.retain(|&(spare, _)| spare != stop.at);
            light.spares.push((stop.at, port));
            self.find_stand_in();
        }
    }

    /// Finds the port toward the stand-in.
    pub(super) fn find_stand_in(&mut self) {
        let root = self.root;
        if let Some(light) = &mut self.light {
            light.feed = light.stand_in.map_or(NONE, |at| {
                let known = light.spares.iter().find(|&&(spare, _)| spare == at);
                known.map_or(root, |&(_, port)| port)
            });
        }
    }

    /// Whether the switch behind a port was told of members before the registration at hand.
    pub(super) fn known(&self, port: u16) -> Known {
        let is_known = self.paths.uses(port) && !self.fresh.contains(&port);
        if is_known { Known::Surely } else { Known::Maybe }
    }

    /// Whether no member is behind any port.
    pub(super) fn is_bare(&self) -> bool {
        let is_root_host = self.host(self.root).is_some();
        self.paths.all().all(|port| port == self.root && !is_root_host)
    }

    /// Whether light needs the table, members or not.
    pub(super) fn carries_light(&self) -> bool {
        self.light.as_ref().is_some_and(|light| light.relay != NONE || !light.spares.is_empty())
    }

    /// What waits here, for repairs or until no egress is paused.
    pub(super) fn waiting(&self) -> impl Iterator<Item = &Queue> {
        self.light.iter().map(|light| &light.held.queue).chain([&self.halted])
    }

    /// The ports that data from a port may go out of, and that can be paused.
    pub(super) fn egresses(&self, from: u16) -> impl Iterator<Item = u16> {
        // Where a switch hands data on to a splitter, or toward one, they do not go along the tree of links.
        let light = self.light.as_ref().filter(|light| self.lights(light, from));
        let links = self.paths.all().filter(move |_| light.is_none());
        let hosts = self.hosts.iter().map(|&(port, ..)| port).filter(move |_| light.is_some());
        let feed = light.map(|light| light.feed).filter(|&feed| feed < HERE);
        links.chain(hosts).chain(feed).filter(move |&port| port != from)
    }

    /// Whether data from a port go out over light, or on to the switch that lights the tree.
    fn lights(&self, light: &Light, from: u16) -> bool {
        has_member(&self.hosts, from) || (light.feed != NONE && light.feed != from)
    }

    /// Another host sends: answers go up toward it (cepheus:III-E.switch, gleam:B.switch).
    pub(super) fn switch_source(&mut self, source: NodeId, up: u16, now: Instant) -> Feedback {
        self.source = source;
        self.paths.set_up(Some(up), now)
    }
}
