//! Relay rows of a project: the router of its design, and tables that are made once.

use std::sync::Arc;

use lightloom_design::design::{Design, RouterChoice};
use lightloom_request::InputError;
use lightloom_request::setting;
use lightloom_routing::rows::{RelayRows, RouterKind};
use lightloom_topology::{Fabric, TorId};

use crate::memory::Work;
use crate::project::Project;

/// The router of a design.
pub fn router_kind(design: &Design) -> RouterKind {
    match (design.router, design.fabric.shape()) {
        (RouterChoice::Algorithm1, Some(shape)) => RouterKind::Algorithm1(shape),
        (RouterChoice::OneMoreHop, _) => RouterKind::OneMoreHop,
        _ => RouterKind::Arborescence,
    }
}

/// Relay rows of a fabric, from the router of a design.
pub fn relay_rows<'a>(fabric: &'a Fabric, design: &Design) -> Result<RelayRows<'a>, InputError> {
    RelayRows::new(fabric, router_kind(design))
        .map_err(|error| design.settings.refuse(&setting::routing::EXTRA_HOPS, error.to_string()))
}

impl Project {
    /// Relay rows of the design. Listed tables are made once.
    pub fn relay_rows(&self) -> Result<RelayRows<'_>, InputError> {
        if let Some(tables) = self.tables.get() {
            return Ok(RelayRows::Listed(Arc::clone(tables)));
        }
        self.check_memory(Work::Routed)?;
        let rows = relay_rows(&self.fabric, &self.design)?;
        if let RelayRows::Listed(tables) = &rows {
            // The first caller sets the tables. All tables of a design are equal.
            let _ = self.tables.set(Arc::clone(tables));
        }
        Ok(rows)
    }

    /// The relay row of one source. In a large fabric this makes no tables.
    pub fn relay_row(&self, source: TorId) -> Result<Vec<TorId>, InputError> {
        Ok(self.relay_rows()?.row(source, self.fabric.cassettes()))
    }
}
