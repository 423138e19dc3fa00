//! Reports of the impact of failures before any repair.

use std::collections::BTreeMap;

use lightloom_request::{Error, InputError};
use lightloom_routing::impact::{Impact, lost};
use lightloom_routing::rows::LISTED_TORS;
use lightloom_routing::verify::{InstalledRules, Violation};
use lightloom_topology::TorId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cascade::CascadeReport;
use crate::failure_set::FailureSet;
use crate::project::Project;

/// Number of sources in `worst`.
const WORST: usize = 10;

/// Impact of failures on each source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ImpactReport {
    /// The failures.
    pub failed: Vec<String>,
    /// For every source that can still transmit, the number of other ToRs that it loses. ToRs without power
    /// count.
    pub sources: BTreeMap<TorId, usize>,
    /// The sources that can no longer transmit. Before any repair, each loses all other ToRs.
    pub failed_sources: Vec<TorId>,
    /// Share of all sources that lose no ToR. Sources that cannot transmit are included.
    pub unaffected_fraction: f64,
    /// Number of sources by number of lost ToRs. Sources that cannot transmit are included.
    pub distribution: BTreeMap<usize, usize>,
    /// The sources that lose most, worst first, at most ten. Only sources that can still transmit.
    pub worst: Vec<(TorId, usize)>,
    /// The ToRs that link fault signalling silences. `None`: it is off.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fault_signalling: Option<CascadeReport<ImpactFigures>>,
}

/// The figures of an impact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ImpactFigures {
    /// The sources that can no longer transmit.
    pub failed_sources: Vec<TorId>,
    /// Share of all sources that lose no ToR.
    pub unaffected_fraction: f64,
    /// Number of sources by number of lost ToRs.
    pub distribution: BTreeMap<usize, usize>,
}

impl Project {
    /// The impact of failures on the installed tables.
    ///
    /// # Errors
    /// [`InputError`] if the tables are too large to list.
    pub fn impact(&self, failed: &FailureSet) -> Result<ImpactReport, Error> {
        let rules = InstalledRules::of_lists(&self.listed_rules()?);
        let impact = Impact::new(&self.damage(failed)?, &rules).map_err(rejected)?;
        let without = || -> Result<ImpactFigures, Error> {
            let impact = Impact::new(&failed.damage_of(&self.fabric)?, &rules).map_err(rejected)?;
            Ok(ImpactFigures {
                unaffected_fraction: impact.unaffected_share(),
                failed_sources: impact.failed_sources,
                distribution: impact.distribution,
            })
        };
        Ok(ImpactReport {
            failed: failed.names(),
            fault_signalling: self.compared(failed, without)?,
            unaffected_fraction: impact.unaffected_share(),
            worst: impact.worst(WORST),
            sources: impact.lost,
            failed_sources: impact.failed_sources,
            distribution: impact.distribution,
        })
    }

    /// The ToRs that one source loses before any repair. All other ToRs if it can no longer transmit.
    ///
    /// # Errors
    /// [`InputError`] if the tables are too large to list.
    pub fn lost(&self, failed: &FailureSet, source: TorId) -> Result<Vec<TorId>, Error> {
        let damage = self.damage(failed)?;
        let rules = InstalledRules::of_lists(&self.listed_rules()?);
        lost(&damage, &rules, source).map_err(rejected)
    }

    /// The installed tables as lists of sources by relay.
    pub fn listed_rules(&self) -> Result<Vec<Vec<TorId>>, InputError> {
        let rows = self.relay_rows()?;
        let tables = rows.tables().ok_or_else(too_large)?;
        Ok(tables.sources_by_relay(&self.fabric))
    }
}

/// The error about a fabric that is too large for computations with failures.
pub fn too_large() -> InputError {
    InputError::new(format!(
        "failures are computed up to {LISTED_TORS} ToRs, where tables of all sources are listed"
    ))
}

/// The error about installed rules that the verifier rejects.
pub fn rejected(violation: Violation) -> Error {
    Error::PlanRejected(violation.to_string())
}
