//! How the ports of a thing are joined inside.

use std::collections::BTreeMap;

use lightloom_topology::TorId;

use crate::cable::Port;
use crate::connector::Connector;
use crate::fibre::FibreId;
use crate::plant::Plant;
use crate::thing::{ThingId, ThingKind};
use crate::zone::outputs_by_row;

/// One fibre of a port.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The port.
    pub port: Port,
    /// The position in its connector, counted from 1. An LC port has one.
    pub position: u16,
}

impl Position {
    fn of(port: Port) -> Self {
        Self { port, position: 1 }
    }
}

impl Plant {
    /// The first thing that is joined inside as this one is. Modules that are made for the fabric can be alike.
    pub fn map_of(&self, thing: ThingId) -> ThingId {
        self.maps.get_or_init(|| self.first_alike())[thing.index()]
    }

    fn first_alike(&self) -> Vec<ThingId> {
        let mut first = BTreeMap::new();
        let alike = |id: ThingId| match self.thing(id).kind {
            ThingKind::Splitters { shuffles: true, .. } => {
                *first.entry(self.joints(id)).or_insert(id)
            }
            _ => id,
        };
        (0..self.things().len()).map(ThingId::at).map(alike).collect()
    }

    /// Whether a thing stands for itself. The logical ToRs of a switch are one piece of hardware, which the first one
    /// stands for.
    pub fn is_hardware(&self, thing: ThingId) -> bool {
        match self.thing(thing).kind {
            ThingKind::Switch(tor) => self.site().placement.slot(tor) == 0,
            _ => true,
        }
    }

    /// Number of ports of a thing in front and behind. Those of a switch are the ports up to the last one
    /// that the fabric uses, of all its logical ToRs together.
    pub fn ports(&self, thing: ThingId) -> (u16, u16) {
        let taps = self.site().fabric.fan_out() + 1;
        let small = |count: u32| u16::try_from(count).unwrap_or(u16::MAX);
        match self.thing(thing).kind {
            ThingKind::Switch(tor) => {
                let site = self.site();
                let end = |tor| {
                    let last = site.fabric.end_of_ports(tor).saturating_sub(1);
                    site.placement.switch_port(&site.fabric, tor, last) + 1
                };
                (small(site.placement.beside(tor).map(end).max().unwrap_or(0)), 0)
            }
            ThingKind::Splitters { count, shuffles: false, .. } => {
                (small(u32::from(count) * taps), 0)
            }
            ThingKind::Splitters { count, shuffles: true, .. } => {
                let rear = outputs_by_row(self, self.splitters_of(thing)).len();
                (count, u16::try_from(rear).unwrap_or(u16::MAX))
            }
            ThingKind::RowPanel(_) | ThingKind::FramePanel(_) => {
                (self.hardware.ports_per_slot, self.hardware.rear_ports())
            }
        }
    }

    /// Number of slots that a module takes: as many as its ports in front or behind need. At least 1.
    pub fn slots(&self, thing: ThingId) -> u16 {
        let (front, rear) = self.ports(thing);
        let in_front = front.div_ceil(self.hardware.ports_per_slot);
        in_front.max(rear.div_ceil(self.hardware.rear_ports())).max(1)
    }

    /// Where the light of each branch of a splitter enters its first cable.
    fn outputs(&self, tor: TorId) -> impl Iterator<Item = Position> {
        let feed = self.first_fibre(tor).0;
        let branches = (feed + 1..).map(FibreId).take_while(move |fibre| {
            self.fibres().get(fibre.index()).is_some_and(|fibre| !fibre.is_feed())
        });
        branches.map(|fibre| {
            let first = self.chain(fibre)[0];
            let port = self.link_ends(fibre, first)[0].port;
            Position { port, position: first.strand % Connector::MPO_FIBRES + 1 }
        })
    }

    /// Slots of a shelf in one rack unit.
    pub fn slots_per_unit(&self) -> u16 {
        self.hardware.slots_per_unit
    }

    /// The joints inside a thing: from the input of a splitter to each of its outputs, or from a port in front of a
    /// panel to the position behind it. Empty for a switch.
    pub fn joints(&self, thing: ThingId) -> Vec<(Position, Position)> {
        let fan_out = u16::try_from(self.site().fabric.fan_out()).unwrap_or(u16::MAX);
        match self.thing(thing).kind {
            ThingKind::Switch(_) => Vec::new(),
            ThingKind::Splitters { count, shuffles: false, .. } => {
                let of_splitter = |place: u16| {
                    let input = place * (fan_out + 1) + 1;
                    let output = move |tap| Position::of(Port::Front(input + tap));
                    (1..=fan_out).map(move |tap| (Position::of(Port::Front(input)), output(tap)))
                };
                (0..count).flat_map(of_splitter).collect()
            }
            ThingKind::Splitters { shuffles: true, .. } => {
                let mut joints = Vec::new();
                for (place, tor) in (1..).zip(self.splitters_of(thing)) {
                    let input = Position::of(Port::Front(place));
                    joints.extend(
                        tor.iter().flat_map(|&tor| self.outputs(tor)).map(|output| (input, output)),
                    );
                }
                joints.sort_unstable();
                joints
            }
            ThingKind::RowPanel(_) | ThingKind::FramePanel(_) => {
                let joint = |front: u16| {
                    let (port, position) =
                        (front / Connector::MPO_FIBRES + 1, front % Connector::MPO_FIBRES + 1);
                    (
                        Position::of(Port::Front(front + 1)),
                        Position { port: Port::Rear(port), position },
                    )
                };
                (0..self.hardware.ports_per_slot).map(joint).collect()
            }
        }
    }
}
