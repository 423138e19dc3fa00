//! Who is cut off by failures before anything is repaired, as it is reported.

use std::collections::BTreeMap;

use lightloom_request::{Error, InputError};
use lightloom_routing::impact::{Impact, lost};
use lightloom_routing::rows::LISTED_TORS;
use lightloom_routing::verify::{InstalledRules, Violation};
use lightloom_topology::TorId;
use serde::Serialize;

use crate::failure_set::FailureSet;
use crate::project::Project;

/// Number of sources in the list of the worst.
const WORST: usize = 10;

/// What failures do to each source.
#[derive(Debug, Clone, Serialize)]
pub struct ImpactReport {
    /// The failures.
    pub failed: Vec<String>,
    /// For every source that can still transmit, how many other ToRs it loses, those without power
    /// included.
    pub sources: BTreeMap<TorId, usize>,
    /// The sources that can no longer transmit themselves; before anything is repaired each loses
    /// everyone.
    pub failed_sources: Vec<TorId>,
    /// Sources that lose nobody, as a part of all, those that cannot transmit included.
    pub unaffected_fraction: f64,
    /// How many sources lose how many ToRs, those that cannot transmit included.
    pub distribution: BTreeMap<usize, usize>,
    /// The sources that can still transmit and lose most, the worst first, at most ten.
    pub worst: Vec<(TorId, usize)>,
}

impl Project {
    /// The impact of failures on the installed tables.
    ///
    /// # Errors
    /// [`InputError`] when tables are too large to be listed.
    pub fn impact(&self, failed: &FailureSet) -> Result<ImpactReport, Error> {
        let damage = failed.damage_of(&self.fabric)?;
        let rules = InstalledRules::of_lists(&self.listed_rules()?);
        let impact = Impact::new(&damage, &rules).map_err(rejected)?;
        Ok(ImpactReport {
            failed: failed.names(),
            unaffected_fraction: impact.unaffected_share(),
            worst: impact.worst(WORST),
            sources: impact.lost,
            failed_sources: impact.failed_sources,
            distribution: impact.distribution,
        })
    }

    /// Whom one source loses by failures before anything is repaired: all others, where it can no
    /// longer transmit.
    ///
    /// # Errors
    /// [`InputError`] when tables are too large to be listed.
    pub fn lost(&self, failed: &FailureSet, source: TorId) -> Result<Vec<TorId>, Error> {
        let damage = failed.damage_of(&self.fabric)?;
        let rules = InstalledRules::of_lists(&self.listed_rules()?);
        lost(&damage, &rules, source).map_err(rejected)
    }

    /// The installed tables as lists of sources by relay.
    fn listed_rules(&self) -> Result<Vec<Vec<TorId>>, InputError> {
        let rows = self.relay_rows()?;
        let tables = rows.tables().ok_or_else(too_large)?;
        Ok(tables.sources_by_relay(&self.fabric))
    }
}

pub fn too_large() -> InputError {
    InputError::new(format!(
        "failures are computed up to {LISTED_TORS} ToRs, where tables of all sources are listed"
    ))
}

pub fn rejected(violation: Violation) -> Error {
    Error::PlanRejected(violation.to_string())
}
