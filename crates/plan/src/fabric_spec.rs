//! The fabric of a design.

use lightloom_request::choices::Family;
use lightloom_topology::family::{CustomError, Shufflecast, custom, kautz};
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

    /// Builds the fabric.
    ///
    /// # Errors
    /// [`CustomError`] if an edge list is not a valid fabric.
    pub fn build(&self) -> Result<Fabric, CustomError> {
        Ok(match self {
            Self::Shufflecast(shape) => shape.fabric()?,
            Self::Kautz { p, tors } => kautz(*p, *tors)?,
            Self::Custom { p, edges } => custom(*p, edges)?,
        })
    }
}
