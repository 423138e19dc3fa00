//! Reliable groups at a switch (Cepheus, HPCA 2024, section III): data are copied and bridged to the queue pairs
//! of members, answers are aggregated, tables are made by registration.
//!
//! A table has three sets apart: where data go out, where answers come in, where answers go up. Over links they
//! are one tree and its reverse. Over splitters they are not.

mod answers;
mod data;
mod hold;
mod register;

use std::sync::Arc;

use lightloom_topology::electrical::NodeId;
use lightloom_units::Instant;

use super::buffer::Queue;
use crate::bridge::{Feedback, Notify, Paths};
use crate::envelope::{Envelope, Envelopes};
use crate::multicast::Repair;
use crate::packet::{Dest, GroupId};
use crate::params::{GroupParams, Params, Recovery};
use hold::Held;

/// No port.
const NONE: u16 = u16::MAX;

/// What a table takes of memory for each port of the switch, in bytes: an index of 1, an address of 4, a queue pair
/// of 3, a sequence number of 3 (Cepheus, HPCA 2024, section III-D: 0.69 MiB for 1,024 groups at 64 ports).
const BYTES_OF_PORT: u64 = 1 + 4 + 3 + 3;

/// The epoch of a run, as answers carry it.
fn epoch_of(run: u32) -> u16 {
    let [low, high, ..] = run.to_le_bytes();
    u16::from_le_bytes([low, high])
}

/// The tables of all reliable groups at a switch.
#[derive(Debug)]
pub(crate) struct Bridges {
    /// By group: the place of its table, and one more; 0 where it has none.
    places: Vec<u32>,
    pub(crate) tables: Vec<Table>,
    /// By port: how many groups use it.
    used: Vec<u32>,
    /// Bytes of a table.
    table_bytes: u64,
    /// The most that all tables took, in bytes.
    pub(crate) most_bytes: u64,
    /// Answers of groups that have no table any more.
    gone: Vec<(GroupId, Answers)>,
    recovery: Recovery,
    envelopes: Arc<Envelopes>,
    params: GroupParams,
    /// Copies of a packet that are about to go out: kept for the next one, so that none is allocated.
    copies: Vec<super::groups::Way>,
}

/// The table of a group.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) group: GroupId,
    /// By port: what has been acknowledged, and what was missed.
    pub(super) paths: Paths,
    notify: Notify,
    answers: Answers,
    /// The members at this switch, by port.
    hosts: Vec<(u16, Dest, u32)>,
    /// The port toward the leader, over which it was registered.
    root: u16,
    /// The port toward the sender, by which answers go up; [`NONE`] where that has left.
    up: u16,
    /// The host that sends.
    source: NodeId,
    /// The run of messages from which on it holds.
    epoch: u32,
    /// The leader, and its endpoint.
    leader: (Dest, u32),
    /// Where data go over splitters.
    light: Option<Box<Light>>,
}

/// Answers to the sender of a group, at one switch.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Answers {
    /// Those that came in.
    pub(crate) came: u64,
    /// Those that were sent on or made of others.
    pub(crate) went: u64,
}

/// What a table has where data go over splitters.
#[derive(Debug)]
struct Light {
    repair: Repair,
    /// The port whose light is taken; [`NONE`] where none is.
    accept: u16,
    /// The port that sends into the splitter; [`NONE`] where the light goes no further.
    relay: u16,
    /// At the switch of the sender: what waits for repairs.
    held: Held,
}

impl Bridges {
    pub(crate) fn new(ports: usize, envelopes: Arc<Envelopes>, params: &Params) -> Self {
        Self {
            places: Vec::new(),
            tables: Vec::new(),
            used: vec![0; ports],
            table_bytes: BYTES_OF_PORT * ports as u64,
            most_bytes: 0,
            gone: Vec::new(),
            recovery: params.transport.recovery,
            envelopes,
            params: params.groups,
            copies: Vec::new(),
        }
    }

    /// Bytes that the tables take.
    fn bytes(&self) -> u64 {
        self.table_bytes * self.tables.len() as u64
    }

    /// Answers by group.
    pub(crate) fn answers(&self) -> impl Iterator<Item = (GroupId, Answers)> {
        let tables = self.tables.iter().map(|table| (table.group, table.answers));
        tables.chain(self.gone.iter().copied())
    }

    /// Whether another table fits.
    fn has_room(&self) -> bool {
        self.bytes() + self.table_bytes <= self.params.memory.as_bytes()
    }

    /// Adds a table; its place.
    fn open(&mut self, table: Table) -> usize {
        let group = table.group.0 as usize;
        if self.places.len() <= group {
            self.places.resize(group + 1, 0);
        }
        self.tables.push(table);
        self.most_bytes = self.most_bytes.max(self.bytes());
        self.places[group] = u32::try_from(self.tables.len()).unwrap_or(u32::MAX);
        self.tables.len() - 1
    }

    /// Removes a table and all that its ports count.
    fn close(&mut self, place: usize) {
        let table = self.tables.swap_remove(place);
        self.gone.push((table.group, table.answers));
        table.paths.all().for_each(|port| self.used[usize::from(port)] -= 1);
        self.places[table.group.0 as usize] = 0;
        if let Some(moved) = self.tables.get(place) {
            self.places[moved.group.0 as usize] = u32::try_from(place + 1).unwrap_or(u32::MAX);
        }
    }

    /// A group gets receivers behind a port.
    fn enter(&mut self, place: usize, port: u16, (envelope, now): (&Envelope, Instant)) {
        let table = &mut self.tables[place];
        self.used[usize::from(port)] += u32::from(!table.paths.has(port));
        // Nothing was under way, so nothing is to be told.
        let _ = table.paths.add(port, epoch_of(envelope.epoch), envelope.first, now);
    }

    /// Whether a group uses more ports than the switch can serve.
    fn is_too_wide(&self, place: usize) -> bool {
        let ports = self.tables[place].paths.ports().count();
        self.params.fan_out.is_some_and(|most| ports > usize::from(most))
    }

    /// The place of the table of a group; none where it is not registered.
    #[inline]
    pub(super) fn place(&self, group: GroupId) -> Option<usize> {
        let place = self.places.get(group.0 as usize).copied().unwrap_or(0);
        (place as usize).checked_sub(1)
    }
}

impl Table {
    /// The member at a port; none where a switch is there.
    fn host(&self, port: u16) -> Option<(Dest, u32)> {
        let place = self.hosts.binary_search_by_key(&port, |&(port, ..)| port).ok()?;
        let (_, host, qp) = self.hosts[place];
        Some((host, qp))
    }

    /// What waits here for repairs.
    pub(in crate::switch) fn held(&self) -> Option<&Queue> {
        self.light.as_ref().map(|light| &light.held.queue)
    }

    /// Another host sends: answers go up toward it.
    fn switch_source(&mut self, source: NodeId, up: u16, now: Instant) -> Feedback {
        (self.source, self.up) = (source, up);
        self.paths.set_up(Some(up), now)
    }
}
