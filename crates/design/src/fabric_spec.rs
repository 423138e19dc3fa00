//! The fabric of a design.

use lightloom_request::choices::Family;
use lightloom_topology::family::{CustomError, Shufflecast, custom, kautz};
use lightloom_topology::seat::Seat;
use lightloom_topology::{CassetteId, Fabric, TorId};

/// The fabric of a design.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FabricSpec {
    /// A p,k-Shufflecast.
    Shufflecast(Shufflecast),
    /// A Kautz fabric.
    Kautz {
        /// Fan-out of the splitters.
        p: u32,
        /// Number of ToRs.
        tors: u32,
    },
    /// A fabric from an edge list.
    Custom {
        /// Fan-out of the splitters.
        p: u32,
        /// The edges: (ToR, cassette that feeds it, cassette that it transmits into).
        edges: Vec<(TorId, CassetteId, CassetteId)>,
        /// The seats of a fabric that grew, ToR 0 first. Empty: ToRs are seated in the order of their numbers.
        seats: Vec<Seat>,
    },
}

impl FabricSpec {
    /// The family.
    pub fn family(&self) -> Family {
        match self {
            Self::Shufflecast(_) => Family::Shufflecast,
            Self::Kautz { .. } => Family::Kautz,
            Self::Custom { .. } => Family::Custom,
        }
    }

    /// Fan-out of the splitters.
    pub fn p(&self) -> u32 {
        match self {
            Self::Shufflecast(shape) => shape.p(),
            Self::Kautz { p, .. } | Self::Custom { p, .. } => *p,
        }
    }

    /// Number of columns of a Shufflecast.
    pub fn k(&self) -> Option<u32> {
        match self {
            Self::Shufflecast(shape) => Some(shape.k()),
            Self::Kautz { .. } | Self::Custom { .. } => None,
        }
    }

    /// The number of ToRs, where it is known before the fabric is built. `None`: an edge list says it.
    pub fn tors(&self) -> Option<u32> {
        match self {
            Self::Shufflecast(shape) => Some(shape.tors()),
            Self::Kautz { tors, .. } => Some(*tors),
            Self::Custom { .. } => None,
        }
    }

    /// Describes a fabric by its edges and given seats.
    pub fn of(fabric: &Fabric) -> Self {
        let edge = |tor| (tor, fabric.receives_from(tor), fabric.transmits_into(tor));
        let seats = fabric.given_seats().map(<[Seat]>::to_vec).unwrap_or_default();
        Self::Custom { p: fabric.fan_out(), edges: fabric.tor_ids().map(edge).collect(), seats }
    }

    /// Builds the fabric.
    ///
    /// # Errors
    /// [`CustomError`] if an edge list is not a valid fabric.
    pub fn build(&self) -> Result<Fabric, CustomError> {
        Ok(match self {
            Self::Shufflecast(shape) => shape.fabric()?,
            Self::Kautz { p, tors } => kautz(*p, *tors)?,
            Self::Custom { p, edges, seats } => match custom(*p, edges)? {
                fabric if seats.is_empty() => fabric,
                fabric => fabric.seated(seats)?,
            },
        })
    }
}
