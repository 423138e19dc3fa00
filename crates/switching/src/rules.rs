//! The relay rules that switches are told, by encoding.

use std::sync::Arc;

use lightloom_plan::project::Project;
use lightloom_plan::recover::hop_delay;
use lightloom_request::{Error, InputError};
use lightloom_routing::recovery::Installed;
use lightloom_routing::switch::rooted;
use lightloom_routing::{RelayRows, RelayTables};
use lightloom_topology::TorId;
use lightloom_units::Span;

use crate::encoding::Encoding;
use crate::large;

/// The rules of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FabricRules {
    /// The relay row of each source without failures. `None`: the fabric is too large to hold them.
    pub tables: Option<Arc<RelayTables>>,
    /// For each ToR, the sources that it relays without failures, ascending.
    pub planned: Vec<Vec<TorId>>,
    /// The rules that are installed.
    pub installed: Installed,
    /// Number of hops of the last copy to another ToR than its source. A stand-in drops the copies that return to it.
    pub max_hops: u32,
}

impl FabricRules {
    /// The rules of a project. With [`Encoding::Roots`] they differ from those of its plan: the recovery of a plan
    /// with failures is made again for them.
    ///
    /// # Errors
    /// [`Error`] if the fabric is too large for the encoding, or if a recovery is not possible.
    pub fn new(project: &Project, encoding: Encoding) -> Result<Self, Error> {
        let planned = match project.relay_rows()? {
            RelayRows::Listed(planned) => planned,
            rows @ RelayRows::Each(_) => {
                let (lists, max_hops) = large::rules(project, encoding, rows)?;
                let installed = Installed { lists: lists.clone(), ..Installed::default() };
                return Ok(Self { tables: None, planned: lists, installed, max_hops });
            }
        };
        let tables = match encoding {
            Encoding::Roots => Arc::new(rooted(project.fabric(), &planned)),
            _ => planned,
        };
        let lists = tables.sources_by_relay(project.fabric());
        let Some((failed, method)) = project.recovery() else {
            let max_hops = hops(project, &tables)?;
            let installed = Installed { lists: lists.clone(), ..Installed::default() };
            return Ok(Self { tables: Some(tables), planned: lists, installed, max_hops });
        };
        let base = project.recovery_base_of(Arc::clone(&tables))?;
        let recovered = project.recovered_alone(&base, failed, *method)?;
        let (accept, via) = (recovered.report.accept, recovered.report.via);
        let installed = Installed { lists: recovered.lists, accept, via };
        let max_hops = recovered.last_copy;
        Ok(Self { tables: Some(tables), planned: lists, installed, max_hops })
    }
}

fn hops(project: &Project, tables: &RelayTables) -> Result<u32, Error> {
    let total = tables.hops(project.fabric());
    total.map(|hops| hops.max).map_err(|error| Error::PlanRejected(error.to_string()))
}

/// Time after a change until the last packet under the old rules has arrived.
///
/// # Errors
/// [`InputError`] if the fibres cannot be laid.
pub fn drain(project: &Project, max_hops: u32) -> Result<Span, InputError> {
    let hop = hop_delay(&project.laid()?);
    Ok(hop.checked_mul(max_hops.into()).unwrap_or(hop))
}
