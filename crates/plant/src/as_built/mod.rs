//! A plant as it was built: plugs that are in other sockets than planned, and cables of other lengths.
//!
//! The fabric stays the planned one. To find out whether it does, light is followed over the real cables. A plug that
//! sits elsewhere is accepted only if every transmitter still lights the receivers that the fabric says. A cord then
//! has the number of the fibre whose light it really carries.

mod rewire;
mod trace;

use std::collections::BTreeMap;

use lightloom_topology::TorId;
use lightloom_units::Length;

use crate::cable::{CableId, CableKind, End};
use crate::connector::Connector;
use crate::fibre::FibreId;
use crate::plant::Plant;

/// One end of a cable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CableEnd {
    /// The first one: where light enters a cord, and the row's end of a trunk.
    Near,
    /// The other one.
    Far,
}

/// A plug: an end of a cord, or one connector at an end of a trunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Plug {
    /// The cable.
    pub cable: CableId,
    /// The connector of a trunk, counted from 0. Always 0 for a cord.
    pub connector: u16,
    /// The end.
    pub end: CableEnd,
}

/// What was built otherwise than planned.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Built {
    /// The plugs that are elsewhere: each with the plug in whose planned socket it sits.
    pub moves: BTreeMap<Plug, Plug>,
    /// Lengths of cables.
    pub lengths: BTreeMap<CableId, Length>,
}

/// Why a plant cannot be built so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Misbuilt {
    /// Two plugs are in one socket: the first two of them, and the plug that the socket was planned for.
    TwoInOne([Plug; 2], Plug),
    /// A plug does not fit the socket that was planned for another one.
    Unfit(Plug, Plug),
    /// A cord does not reach: its length, and the length of the way.
    TooShort(CableId, Length, Length),
    /// A fibre would have another number of cables than planned.
    OtherChain(FibreId),
    /// Both ends of a cable are exchanged with each other.
    Reversed(CableId),
    /// Light arrives elsewhere. At least one.
    Astray(Vec<Astray>),
}

/// Light of a transmitter that does not arrive as the fabric says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Astray {
    /// The transmitting ToR.
    pub from: TorId,
    /// The ToRs that it should light and does not, ascending.
    pub lacking: Vec<TorId>,
    /// The ToRs that it lights and should not, ascending. A ToR that it lights twice is one of them.
    pub lit: Vec<TorId>,
    /// The moved plugs that its light passes, ascending.
    pub past: Vec<Plug>,
}

impl Plug {
    /// The plug at the other end of the same fibres.
    pub(crate) fn opposite(self) -> Self {
        let end = match self.end {
            CableEnd::Near => CableEnd::Far,
            CableEnd::Far => CableEnd::Near,
        };
        Self { end, ..self }
    }

    fn side(self) -> usize {
        match self.end {
            CableEnd::Near => 0,
            CableEnd::Far => 1,
        }
    }
}

impl Plant {
    /// The plugs at one end of a cable.
    pub fn plugs(&self, cable: CableId, end: CableEnd) -> impl Iterator<Item = Plug> + use<> {
        let connectors = match self.cable(cable).kind {
            CableKind::Cord(..) => 1,
            CableKind::Trunk(number) => self.trunks[number as usize].legs.len(),
        };
        let connectors = u16::try_from(connectors).unwrap_or(u16::MAX);
        (0..connectors).map(move |connector| Plug { cable, connector, end })
    }

    /// The port that a plug sits in.
    pub fn socket(&self, plug: Plug) -> End {
        let cable = self.cable(plug.cable);
        match cable.kind {
            CableKind::Cord(..) => cable.ends[plug.side()],
            CableKind::Trunk(number) => {
                let leg = &self.trunks[number as usize].legs[usize::from(plug.connector)];
                leg.ends[plug.side()]
            }
        }
    }

    /// The connector of a plug.
    pub fn connector_of(&self, plug: Plug) -> Connector {
        self.connector(self.socket(plug))
    }
}
