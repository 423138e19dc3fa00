//! Relay rows of a design: the choice of its router, and the source of its rows.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use lightloom_topology::family::Shufflecast;
use lightloom_topology::search::BreadthFirst;
use lightloom_topology::{CassetteId, Fabric, TorId};

use crate::algorithm1::Algorithm1;
use crate::arborescence::{Balanced, OneMoreHop, Rotated};
use crate::router::Router;
use crate::tables::RelayTables;

/// Up to this number of ToRs, the tables of all sources are made and proved. In larger fabrics, rows are made
/// for one source at a time.
pub const LISTED_TORS: usize = 4096;

/// The router of a design.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RouterKind {
    /// The paper's router, for a Shufflecast of this shape.
    Algorithm1(Shufflecast),
    /// Fewest hops with an even load: [`Balanced`], or [`Rotated`] above [`LISTED_TORS`].
    Arborescence,
    /// Each cassette may be one hop late, for a more even load. Needs the tables of all sources.
    OneMoreHop,
}

impl RouterKind {
    /// Largest number of hops that the router promises these sources: 2k-1 (shufflecast:lemma1), or the
    /// breadth-first depth of the fabric plus the extra hop of the router. It is computed without rows and
    /// trees, so that a proof can compare them with it.
    pub fn promised_hops(self, fabric: &Fabric, sources: impl Iterator<Item = TorId>) -> u32 {
        let extra = match self {
            Self::Algorithm1(shape) => return 2 * shape.k() - 1,
            Self::Arborescence => 0,
            Self::OneMoreHop => 1,
        };
        let roots: BTreeSet<CassetteId> =
            sources.map(|source| fabric.transmits_into(source)).collect();
        let mut search = BreadthFirst::default();
        let depth = |root| {
            search.run(fabric, root);
            search.order().last().map_or(0, |&farthest| search.depth(farthest))
        };
        roots.into_iter().map(depth).max().unwrap_or(0) + 1 + extra
    }
}

/// Error: extra hops need the tables of all sources, and the fabric is too large for those.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("extra hops need tables of all sources, which are made up to {LISTED_TORS} ToRs")]
pub struct NeedsTables;

/// Source of the relay rows of a design.
pub enum RelayRows<'a> {
    /// The rows of all sources, in memory.
    Listed(Arc<RelayTables>),
    /// A router that makes one row at a time.
    Each(Box<dyn Router + 'a>),
}

impl<'a> RelayRows<'a> {
    /// Makes tables of all sources up to [`LISTED_TORS`], and a router above.
    ///
    /// # Errors
    /// [`NeedsTables`] if the router needs tables and the fabric is too large for them.
    pub fn new(fabric: &'a Fabric, kind: RouterKind) -> Result<Self, NeedsTables> {
        let listed = fabric.tors() <= LISTED_TORS;
        Ok(match kind {
            RouterKind::Algorithm1(shape) => {
                let mut router = Algorithm1::new(shape);
                if listed {
                    Self::listed(RelayTables::new(fabric, &mut router))
                } else {
                    Self::Each(Box::new(router))
                }
            }
            RouterKind::OneMoreHop if listed => Self::listed(OneMoreHop::new(fabric).into_tables()),
            RouterKind::OneMoreHop => return Err(NeedsTables),
            RouterKind::Arborescence if listed => Self::listed(Balanced::new(fabric).into_tables()),
            RouterKind::Arborescence => Self::Each(Box::new(Rotated::new(fabric))),
        })
    }

    fn listed(tables: RelayTables) -> Self {
        Self::Listed(Arc::new(tables))
    }

    /// The tables of all sources. `None`: rows are made one at a time.
    pub fn tables(&self) -> Option<&RelayTables> {
        match self {
            Self::Listed(tables) => Some(tables),
            Self::Each(_) => None,
        }
    }

    /// The relay row of a source. `cassettes` is the number of cassettes of the fabric.
    pub fn row(&mut self, source: TorId, cassettes: usize) -> Vec<TorId> {
        match self {
            Self::Listed(tables) => tables.row(source).to_vec(),
            Self::Each(router) => {
                let mut row = vec![TorId(0); cassettes];
                router.relay_row(source, &mut row);
                row
            }
        }
    }
}

impl fmt::Debug for RelayRows<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Listed(tables) => f.debug_tuple("Listed").field(tables).finish(),
            Self::Each(_) => f.write_str("Each(..)"),
        }
    }
}
