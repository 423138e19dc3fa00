//! What registration packets hold. It is too much for a packet of the engine, so it waits here, under the node
//! that sent it and a number that the packet carries.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use lightloom_setup::{Dialect, Repair};
use lightloom_topology::electrical::NodeId;

use crate::node::{Node, Step};
use crate::packet::{Dest, Psn};

/// What a registration packet holds (cepheus:III-C.packet, gleam:A.packet).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Envelope {
    /// Whether the nodes are entered in the tables, or taken out of them.
    pub enters: bool,
    /// What it tells of them.
    pub step: Step,
    /// The protocol of the switches.
    pub dialect: Dialect,
    /// What data go over.
    pub course: Course,
    /// Whether the switch that gets it must know the group.
    pub known: Known,
    /// Which registration it is of.
    pub round: Round,
    /// What data carry in [`Packet::entropy`](crate::Packet::entropy) once all members are registered. A switch that
    /// has registered a group anew sends no answers up before: it may not know all members yet.
    pub mark: u16,
    /// The first packet that members may lack.
    pub first: Psn,
    /// The host that sends next.
    pub source: NodeId,
    /// The switch that lights the tree for it, where its own does not.
    pub stand_in: Option<NodeId>,
    /// The host that is told what came of it, and its endpoint.
    pub leader: (Dest, u32),
    /// Its number among the packets of one registration, and how many these are.
    pub part: (u16, u16),
    /// The members and switches that it is about.
    pub nodes: Vec<Node>,
}

/// A registration of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Round {
    /// The run of messages from which on it holds.
    pub run: u32,
    /// How often all members were registered anew before, while messages were under way.
    pub again: u16,
}

impl Round {
    /// Its number among all of a group; neither part of it ever falls.
    pub(crate) fn number(self) -> u32 {
        self.run.wrapping_add(self.again.into())
    }

    /// The number, as answers carry it.
    pub(crate) fn epoch(self) -> u16 {
        let [low, high, ..] = self.number().to_le_bytes();
        u16::from_le_bytes([low, high])
    }
}

/// Whether the switch that gets a registration packet must know the group already. The packet names only who joins or
/// leaves, so a switch that has lost its table would forget the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// It may be new to the group, or the group is given back.
    Maybe,
    /// It was told of members before.
    Surely,
}

/// What the data of a group go over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Course {
    /// Links alone.
    Links,
    /// Splitters, with what repairs go over.
    Light(Repair),
}

/// All envelopes of a run, by the node that sent them. Packets find them by number, so the order in which threads
/// put them here changes nothing.
#[derive(Debug, Default)]
pub(crate) struct Envelopes(Mutex<BTreeMap<NodeId, Vec<Arc<Envelope>>>>);

impl Envelopes {
    /// Keeps an envelope of a node; its number there.
    pub(crate) fn put(&self, from: NodeId, envelope: Envelope) -> u32 {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let sent = all.entry(from).or_default();
        sent.push(Arc::new(envelope));
        u32::try_from(sent.len() - 1).unwrap_or(u32::MAX)
    }

    /// The envelope of a node by its number.
    pub(crate) fn get(&self, from: NodeId, number: u32) -> Option<Arc<Envelope>> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(&from)?.get(number as usize).cloned()
    }
}
