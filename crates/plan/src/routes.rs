//! The relay rows of a project: listed for all sources, or made one at a time in large fabrics.

use std::sync::Arc;

use lightloom_request::InputError;
use lightloom_request::setting;
use lightloom_routing::{Algorithm1, Balanced, OneMoreHop, RelayTables, Rotated, Router};
use lightloom_topology::{Fabric, TorId};

use crate::design::{Design, RouterChoice};
use crate::fabric_spec::FabricSpec;
use crate::project::Project;

/// Up to this many ToRs, tables of all sources are made, verified and listed; beyond it, files
/// name the router.
pub const LISTED_TORS: usize = 4096;

/// Where relay rows come from.
pub enum Routes<'a> {
    /// All of them, in memory.
    Listed(Arc<RelayTables>),
    /// One at a time.
    Each(Box<dyn Router + 'a>),
}

impl<'a> Routes<'a> {
    /// Tables of all sources where they are listed, otherwise the router.
    pub fn new(fabric: &'a Fabric, design: &Design) -> Result<Self, InputError> {
        let listed = fabric.tors() <= LISTED_TORS;
        Ok(match (design.router, &design.fabric) {
            (RouterChoice::Algorithm1, FabricSpec::Shufflecast(shape)) => {
                let mut router = Algorithm1::new(*shape);
                if listed {
                    Self::listed(RelayTables::new(fabric, &mut router))
                } else {
                    Self::Each(Box::new(router))
                }
            }
            (RouterChoice::OneMoreHop, _) if listed => {
                Self::listed(OneMoreHop::new(fabric).into_tables())
            }
            (RouterChoice::OneMoreHop, _) => {
                let message = format!(
                    "extra hops need tables of all sources, which are made up to {LISTED_TORS} ToRs"
                );
                return Err(design.settings.refuse(&setting::routing::EXTRA_HOPS, message));
            }
            (_, _) if listed => Self::listed(Balanced::new(fabric).into_tables()),
            (_, _) => Self::Each(Box::new(Rotated::new(fabric))),
        })
    }

    fn listed(tables: RelayTables) -> Self {
        Self::Listed(Arc::new(tables))
    }

    /// The tables of all sources, where they are listed.
    pub fn tables(&self) -> Option<&RelayTables> {
        match self {
            Self::Listed(tables) => Some(tables),
            Self::Each(_) => None,
        }
    }
}

impl Project {
    /// The routes of the design; tables that are listed are made once.
    pub fn routes(&self) -> Result<Routes<'_>, InputError> {
        if let Some(tables) = self.tables.get() {
            return Ok(Routes::Listed(Arc::clone(tables)));
        }
        let routes = Routes::new(&self.fabric, &self.design)?;
        if let Routes::Listed(tables) = &routes {
            // Whoever is first; all tables of a design are equal.
            let _ = self.tables.set(Arc::clone(tables));
        }
        Ok(routes)
    }

    /// The relay row of one source. For one source of a large fabric no tables are made.
    pub fn relay_row(&self, source: TorId) -> Result<Vec<TorId>, InputError> {
        Ok(self.routes()?.row(source, self.fabric.cassettes()))
    }
}

impl Routes<'_> {
    /// The relay row of a source.
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
