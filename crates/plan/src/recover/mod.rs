//! Recovery from failures: options and reports. The recovery itself and the proofs of all states are in
//! `lightloom_routing::recovery`.

mod drain;
mod report;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use lightloom_request::{Error, InputError};
use lightloom_routing::failure::Failure;
use lightloom_routing::recovery::{
    Changes, Method, NotForAlgorithm2, NotRecovered, Recovery, RecoveryBase, States,
};
use lightloom_routing::{RelayRows, RelayTables, Tree, throughput};
use lightloom_topology::TorId;

use crate::failure_set::FailureSet;
use crate::impact::{rejected, too_large};
use crate::memory::Work;
use crate::project::Project;
use crate::routes::router_kind;
use crate::throughput::ThroughputReport;

pub use drain::{DrainReport, drain, hop_delay};
pub use report::{AddedHops, ChangeReport, Phase, RecoverFigures, RecoverReport};

/// A recovery and its final tables.
#[derive(Debug)]
pub struct Recovered {
    /// The report of the recovery.
    pub report: RecoverReport,
    /// The final rules: for each ToR, the sources that it relays, ascending.
    pub lists: Vec<Vec<TorId>>,
    /// Number of hops of the last copy to another ToR than its source, also if that ToR drops it.
    pub last_copy: u32,
}

/// What all recoveries of a project share.
#[derive(Debug)]
pub struct Recoveries<'a> {
    base: RecoveryBase<'a>,
    /// The drain of a rollout without hops.
    drain: DrainReport,
    /// For each source, the hops to its farthest ToR by the installed rules. Made on first use.
    depths: OnceLock<Vec<u32>>,
}

impl<'a> Recoveries<'a> {
    fn new(project: &'a Project, tables: Arc<RelayTables>, drain: DrainReport) -> Self {
        let router = router_kind(&project.design);
        let base = RecoveryBase::new(&project.fabric, router, tables, drain.hop);
        Self { base, drain, depths: OnceLock::new() }
    }

    /// These sources by the hops that they have more than by the installed rules.
    fn added_hops(&self, hops: &BTreeMap<TorId, u32>) -> Vec<AddedHops> {
        let (fabric, tables) = (self.base.fabric(), self.base.tables());
        let depth = |source| {
            let tree = Tree::new(fabric, source, tables.row(source));
            tree.map_or(0, |tree| tree.total_hops().max)
        };
        let depths = self.depths.get_or_init(|| fabric.tor_ids().map(depth).collect());
        let mut added: BTreeMap<u32, usize> = BTreeMap::new();
        for (source, hops) in hops {
            *added.entry(hops.saturating_sub(depths[source.index()])).or_default() += 1;
        }
        added.into_iter().map(|(hops, sources)| AddedHops { hops, sources }).collect()
    }

    /// The fabric, its tables and the longest time of a hop.
    pub fn base(&self) -> &RecoveryBase<'a> {
        &self.base
    }
}

impl Project {
    /// Recovers from failures, and proves every state during the rollout.
    ///
    /// # Errors
    /// [`Error`] if the method does not apply, or if a state is not safe.
    pub fn recover(&self, failed: &FailureSet, method: Method) -> Result<RecoverReport, Error> {
        Ok(self.recovered(&self.recovery_base()?, failed, method)?.report)
    }

    /// Like [`Self::recover`], and also computes the loss of throughput.
    ///
    /// # Errors
    /// As [`Self::recover`].
    pub fn recover_with_throughput(
        &self,
        failed: &FailureSet,
        method: Method,
    ) -> Result<RecoverReport, Error> {
        let base = self.recovery_base()?;
        let Recovered { mut report, lists, .. } = self.recovered(&base, failed, method)?;
        let damage = self.damage(failed)?;
        let sources: Vec<TorId> = self.fabric.tor_ids().filter(|&tor| damage.sends(tor)).collect();
        let rates = throughput::compare(base.base.installed(), &lists, &sources);
        report.throughput = rates.into_iter().map(ThroughputReport::from).collect();
        Ok(report)
    }

    /// What all recoveries of this project share.
    ///
    /// # Errors
    /// [`InputError`] if the tables of all sources are too large to list, or if the fibres cannot be laid.
    pub fn recovery_base(&self) -> Result<Recoveries<'_>, InputError> {
        self.check_memory(Work::Recovered)?;
        let RelayRows::Listed(tables) = self.relay_rows()? else { return Err(too_large()) };
        self.recovery_base_of(tables)
    }

    /// What all recoveries of this fabric with other tables share.
    ///
    /// # Errors
    /// [`InputError`] if the fibres cannot be laid.
    pub fn recovery_base_of(&self, tables: Arc<RelayTables>) -> Result<Recoveries<'_>, InputError> {
        Ok(Recoveries::new(self, tables, drain(&self.laid()?, 0)))
    }

    /// Recovers, and proves every state. With link fault signalling, also repairs the loss of silenced ToRs, and
    /// compares that with the recovery from the failures alone.
    pub fn recovered(
        &self,
        base: &Recoveries<'_>,
        failed: &FailureSet,
        method: Method,
    ) -> Result<Recovered, Error> {
        self.recovered_and_proved(base, failed, method, States::All)
    }

    /// As [`Self::recovered`], and proves these states.
    pub fn recovered_and_proved(
        &self,
        base: &Recoveries<'_>,
        failed: &FailureSet,
        method: Method,
        states: States,
    ) -> Result<Recovered, Error> {
        let failures = self.with_silenced(failed)?;
        let mut recovered = self.recover_with(base, &failures, failed, method, states)?;
        let without = || -> Result<RecoverFigures, Error> {
            let alone = self.recover_with(base, &failed.failures, failed, method, states)?;
            Ok(alone.report.figures())
        };
        recovered.report.fault_signalling = self.compared(failed, without)?;
        Ok(recovered)
    }

    /// Like [`Self::recovered`], without the comparison.
    pub fn recovered_alone(
        &self,
        base: &Recoveries<'_>,
        failed: &FailureSet,
        method: Method,
    ) -> Result<Recovered, Error> {
        self.recover_with(base, &self.with_silenced(failed)?, failed, method, States::All)
    }

    /// The failures, and those that link fault signalling adds.
    fn with_silenced<'f>(&self, failed: &'f FailureSet) -> Result<Cow<'f, [Failure]>, Error> {
        self.failures(&failed.failures).map_err(|error| self.not_recovered(error.into()))
    }

    /// Recovers from these failures, which the report names as `failed`.
    fn recover_with(
        &self,
        base: &Recoveries<'_>,
        failures: &[Failure],
        failed: &FailureSet,
        method: Method,
        states: States,
    ) -> Result<Recovered, Error> {
        let recovery = base.base.recover_and_prove(failures, method, states);
        let recovery = recovery.map_err(|error| self.not_recovered(error))?;
        Ok(reported(base, recovery, failed, method))
    }

    fn not_recovered(&self, error: NotRecovered) -> Error {
        let only = match error {
            NotRecovered::NoSuchPart(error) => {
                return InputError::new(error).in_option("failed").into();
            }
            NotRecovered::Unsafe(violation) => return rejected(violation),
            NotRecovered::LosesMore(_) => return Error::PlanRejected(error.to_string()),
            NotRecovered::Method(error) => match (error, self.design.fabric.shape()) {
                (NotForAlgorithm2::OtherTables, Some(_)) | (NotForAlgorithm2::OtherFailures, _) => {
                    error.to_string()
                }
                (NotForAlgorithm2::OtherTables, None) => {
                    "algorithm2 recovers only a shufflecast".into()
                }
            },
        };
        InputError::new(format!("{only}; take replan")).in_option("method").into()
    }
}

/// A recovery as its report says it.
fn reported(
    base: &Recoveries<'_>,
    recovery: Recovery,
    failed: &FailureSet,
    method: Method,
) -> Recovered {
    let restored = recovery.is_restored();
    let Recovery { answer, lists, rollout, unreachable, after, violation, .. } = recovery;
    let without_rollout = rollout.is_none();
    let (phases, outage, drain) = rollout.map_or_else(Default::default, |rollout| {
        let drain = DrainReport { hops: rollout.hops_before, ..base.drain.clone() };
        let drain = Some(drain).filter(|_| !rollout.phases.is_empty());
        (rollout.phases.into_iter().map(Phase::from).collect(), rollout.outage, drain)
    });
    let report = RecoverReport {
        failed: failed.names(),
        method: method.name(),
        objective: method.objective(),
        failed_sources: recovery.failed_sources,
        not_counted: recovery.not_counted,
        restored,
        unreachable,
        changes: change_reports(&answer.changes),
        without_rollout,
        phases,
        drain,
        outage,
        via: answer.via,
        accept: answer.accept,
        restricted: answer.restricted,
        max_hops: after.max_hops(),
        added_hops: base.added_hops(&after.hops),
        hops: after.hops,
        parallel_sources: recovery.parallel_sources,
        throughput: Vec::new(),
        fault: violation.map(|violation| rejected(violation).to_string()),
        fault_signalling: None,
    };
    Recovered { report, lists, last_copy: after.last_copy }
}

fn change_reports(changes: &Changes) -> BTreeMap<TorId, ChangeReport> {
    let list = |set: &BTreeSet<TorId>| set.iter().copied().collect();
    let by_tor = changes.by_tor().iter();
    by_tor
        .map(|(&tor, c)| (tor, ChangeReport { add: list(&c.add), delete: list(&c.delete) }))
        .collect()
}
