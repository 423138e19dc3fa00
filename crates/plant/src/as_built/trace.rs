//! Follows light over the cables of a plant, from port to port.

use std::collections::BTreeMap;

use crate::as_built::{CableEnd, Plug};
use crate::cable::{CableId, End, Link};
use crate::connector::Connector;
use crate::plant::Plant;
use crate::thing::ThingKind;

/// The plug in each port.
pub(super) struct Sockets(BTreeMap<End, Plug>);

/// A way of light between two things that are no panels.
pub(super) struct Way {
    /// The cables.
    pub(super) links: Vec<Link>,
    /// Both plugs of each cable, in the direction of the light.
    pub(super) plugs: Vec<Plug>,
    /// The port where it ends.
    pub(super) at: End,
}

impl Sockets {
    /// The sockets of a plant.
    pub(super) fn of(plant: &Plant) -> Self {
        let cables = (0..plant.cables().len()).map(CableId::at);
        let plugs = cables.flat_map(|cable| {
            let ends = [CableEnd::Near, CableEnd::Far];
            ends.into_iter().flat_map(move |end| plant.plugs(cable, end))
        });
        Self(plugs.map(|plug| (plant.socket(plug), plug)).collect())
    }

    /// The way of the light that enters the plug in a port, at a position (from 0) of its connector. It passes
    /// panels, and ends at the first switch, splitter or empty port.
    pub(super) fn way(&self, plant: &Plant, from: End, position: u16) -> Way {
        let (mut at, mut position) = (from, position);
        let mut way = Way { links: Vec::new(), plugs: Vec::new(), at };
        // No plug is in two ports, so light passes no cable twice in one direction.
        while let Some(&near) = self.0.get(&at).filter(|_| way.links.len() < 2 * self.0.len()) {
            let far = near.opposite();
            let strand = near.connector * Connector::MPO_FIBRES + position;
            way.links.push(Link { cable: near.cable, strand });
            way.plugs.extend([near, far]);
            way.at = plant.socket(far);
            match plant.thing(way.at.thing).kind {
                ThingKind::Switch(_) | ThingKind::Splitters { .. } => break,
                ThingKind::RowPanel(_) | ThingKind::FramePanel(_) => {
                    (at, position) = Plant::across(way.at, position);
                    way.at = at;
                }
            }
        }
        way
    }
}
