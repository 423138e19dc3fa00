//! Which fabric a design has.

use lightloom_request::choices::Family;
use lightloom_topology::family::{CustomError, Shufflecast, custom, kautz};
use lightloom_topology::{CassetteId, Fabric, TorId};
use lightloom_units::Choice as _;

/// Which fabric.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FabricSpec {
    /// A p,k-Shufflecast.
    Shufflecast(Shufflecast),
    /// The kautz family.
    Kautz {
        /// Splitter fan-out.
        p: u32,
        /// Number of ToRs.
        tors: u32,
    },
    /// An edge list: (ToR, cassette that feeds it, cassette that it transmits into).
    Custom {
        /// Splitter fan-out.
        p: u32,
        /// The edges.
        edges: Vec<(TorId, CassetteId, CassetteId)>,
    },
}

impl FabricSpec {
    /// The family's name.
    pub fn family(&self) -> &'static str {
        match self {
            Self::Shufflecast(_) => Family::Shufflecast.name(),
            Self::Kautz { .. } => Family::Kautz.name(),
            Self::Custom { .. } => Family::Custom.name(),
        }
    }

    /// Splitter fan-out.
    pub fn p(&self) -> u32 {
        match self {
            Self::Shufflecast(shape) => shape.p(),
            Self::Kautz { p, .. } | Self::Custom { p, .. } => *p,
        }
    }

    /// Columns of a Shufflecast.
    pub fn k(&self) -> Option<u32> {
        match self {
            Self::Shufflecast(shape) => Some(shape.k()),
            Self::Kautz { .. } | Self::Custom { .. } => None,
        }
    }

    /// Builds it.
    pub fn build(&self) -> Result<Fabric, CustomError> {
        Ok(match self {
            Self::Shufflecast(shape) => shape.fabric()?,
            Self::Kautz { p, tors } => kautz(*p, *tors)?,
            Self::Custom { p, edges } => custom(*p, edges)?,
        })
    }
}
