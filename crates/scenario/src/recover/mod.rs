//! Recovery from failures: what changes, in which phases, and the proof of every state between.

mod proof;
mod report;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use lightloom_export::WiringPlan;
use lightloom_export::rules::{Accept, Via};
use lightloom_routing::RelayTables;
use lightloom_routing::failure::{Damage, Failure};
use lightloom_routing::parallel::count_parallel_sources_among;
use lightloom_routing::recovery::{Change, Changes, Objective, Repair, algorithm2, replan};
use lightloom_routing::verify::Wiring;
use lightloom_topology::TorId;
use lightloom_units::Span;

use crate::design::RouterChoice;
use crate::fabric_spec::FabricSpec;
use crate::failures::FailureSet;
use crate::impact::{too_large, wiring};
use crate::routes::Routes;
use crate::{Error, InputError, Project, throughput};
use proof::{Proof, State};
pub use report::{ChangeReport, Phase, RecoverReport};

/// Light in fibre: about 1.468 times slower than in vacuum, 4.9 ns a metre.
const PS_PER_METRE: u64 = 4_900;
/// A ToR that stores a frame and sends it on: assumed.
const RELAY_DELAY: Span = Span::from_us(2);

/// How to recover.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// The paper's Algorithm 2, each failed relay on its own.
    Algorithm2,
    /// Exact recovery.
    Replan(Objective),
}

impl Method {
    /// The name in files.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Algorithm2 => "algorithm2",
            Self::Replan(_) => "replan",
        }
    }

    /// Whether ToRs that no longer transmit are given up as sources, in place of a stand-in.
    pub(crate) fn gives_up(self) -> bool {
        self == Self::Algorithm2
    }

    /// The name of what is kept small.
    pub(crate) fn objective(self) -> Option<&'static str> {
        match self {
            Self::Algorithm2 => None,
            Self::Replan(Objective::FewestChanges) => Some("fewest-changes"),
            Self::Replan(Objective::FewestHops) => Some("fewest-hops"),
        }
    }

    /// Reads the names of a method and an objective.
    ///
    /// # Errors
    /// [`InputError`] for any other name.
    pub fn parse(method: Option<&str>, objective: Option<&str>) -> Result<Self, InputError> {
        let goal = match objective {
            None | Some("fewest-changes") => Objective::FewestChanges,
            Some("fewest-hops") => Objective::FewestHops,
            Some(other) => {
                let message =
                    format!("found {other:?}; expected one of fewest-changes, fewest-hops");
                return Err(InputError::new(message).in_field("--objective"));
            }
        };
        match method {
            None | Some("replan") => Ok(Self::Replan(goal)),
            Some("algorithm2") if objective.is_none() => Ok(Self::Algorithm2),
            Some("algorithm2") => {
                Err(InputError::new("has no meaning with algorithm2").in_field("--objective"))
            }
            Some(other) => {
                let message = format!("found {other:?}; expected one of replan, algorithm2");
                Err(InputError::new(message).in_field("--method"))
            }
        }
    }
}

/// A recovery and the tables that it leads to.
pub(crate) struct Recovered {
    pub(crate) report: RecoverReport,
    pub(crate) lists: Vec<Vec<TorId>>,
}

impl Project {
    /// Recovers from failures, and proves every state on the way.
    ///
    /// # Errors
    /// [`Error`] when the method does not apply, or a state is not safe.
    pub fn recover(&self, failed: &FailureSet, method: Method) -> Result<RecoverReport, Error> {
        Ok(Ground::new(self)?.recovered(failed, method)?.report)
    }

    /// The same, with the throughput that the recovery costs.
    ///
    /// # Errors
    /// As [`Self::recover`].
    pub fn recover_with_throughput(
        &self,
        failed: &FailureSet,
        method: Method,
    ) -> Result<RecoverReport, Error> {
        let ground = Ground::new(self)?;
        let Recovered { mut report, lists } = ground.recovered(failed, method)?;
        let damage = failed.damage(self)?;
        let sources: Vec<TorId> = self.fabric.tor_ids().filter(|&tor| damage.sends(tor)).collect();
        report.throughput = throughput::compare(&ground.installed, &lists, &sources);
        Ok(report)
    }
}

/// What every recovery of a project starts from: made once, used for any number of failures.
pub(crate) struct Ground<'a> {
    project: &'a Project,
    tables: Arc<RelayTables>,
    /// The tables as lists of sources by relay.
    pub(crate) installed: Vec<Vec<TorId>>,
    wiring: Wiring,
    hop_delay: Span,
}

impl<'a> Ground<'a> {
    pub(crate) fn new(project: &'a Project) -> Result<Self, InputError> {
        let fabric = &project.fabric;
        let tables = match project.routes()? {
            Routes::Listed(tables) => tables,
            Routes::Each(_) => return Err(too_large()),
        };
        let installed = tables.sources_by_relay(fabric);
        let (wiring, hop_delay) = (wiring(fabric), hop_delay(project));
        Ok(Self { project, tables, installed, wiring, hop_delay })
    }

    /// Recovers, and replays every source in every state: as broken, with the old rules deleted, and
    /// with the new ones added.
    pub(crate) fn recovered(
        &self,
        failed: &FailureSet,
        method: Method,
    ) -> Result<Recovered, Error> {
        let fabric = &self.project.fabric;
        let damage = failed.damage(self.project)?;
        let answer = match method {
            Method::Replan(objective) => by_replan(&damage, &self.tables, objective),
            Method::Algorithm2 => self.by_algorithm2(failed)?,
        };
        let (mut between, mut new) = (self.installed.clone(), self.installed.clone());
        answer.changes.apply_deletes(&mut between);
        answer.changes.apply(&mut new);

        let proof = Proof { fabric, damage: &damage, wiring: &self.wiring };
        let before = proof.state(&self.installed, &Answer::default())?;
        // The accept filters are in force from before the first addition.
        let held = Answer { accept: answer.accept.clone(), ..Answer::default() };
        let drained = proof.state(&between, &held)?;
        let changed = answer.changes.sources();
        if let Some(source) = before.sources_worse_in(&drained).find(|s| !changed.contains(s)) {
            let message = format!("source {source} would lose packets while rules are deleted");
            return Err(Error::PlanRejected(message));
        }
        let (after, fault) = match (proof.state(&new, &answer), method) {
            (Ok(after), _) => (after, None),
            // Algorithm 2 makes no promise for several failures, and is not held to one.
            (Err(fault), Method::Algorithm2) => (State::default(), Some(fault.to_string())),
            (Err(fault), _) => return Err(fault),
        };
        let failed_sources: Vec<TorId> =
            fabric.tor_ids().filter(|&tor| !damage.sends(tor)).collect();
        let not_counted = if method.gives_up() { failed_sources.clone() } else { Vec::new() };
        let unreachable = after.unreachable(&not_counted);
        let lost = |source: &TorId| drained.lost.get(source).map_or(0, Vec::len);
        let report = RecoverReport {
            failed: failed.names(),
            method: method.name(),
            objective: method.objective(),
            failed_sources,
            not_counted,
            restored: unreachable.is_empty() && fault.is_none(),
            unreachable,
            changes: change_reports(&answer.changes),
            phases: phases(&answer, self.hop_delay, before.max_hops()),
            outage: changed.iter().map(|source| (*source, lost(source))).collect(),
            via: answer.via,
            accept: answer.accept,
            restricted: answer.restricted,
            max_hops: after.max_hops(),
            hops: after.hops,
            parallel_sources: count_parallel_sources_among(fabric, |tor| damage.serves_alone(tor)),
            throughput: Vec::new(),
            fault,
        };
        Ok(Recovered { report, lists: new })
    }

    fn by_algorithm2(&self, failed: &FailureSet) -> Result<Answer, InputError> {
        let refuse = |message: &str| InputError::new(message).in_field("--method");
        let design = &self.project.design;
        let FabricSpec::Shufflecast(shape) = design.fabric else {
            return Err(refuse("algorithm2 recovers only a shufflecast; take replan"));
        };
        if design.router != RouterChoice::Algorithm1 {
            return Err(refuse("algorithm2 recovers only tables of algorithm1; take replan"));
        }
        let relay = |failure: &Failure| match *failure {
            Failure::Relay(tor) | Failure::Transmitter(tor) | Failure::Splitter(tor) => Ok(tor),
            _ => Err(refuse("algorithm2 recovers only failed relays; take replan")),
        };
        let relays: BTreeSet<TorId> =
            failed.failures.iter().map(relay).collect::<Result<_, _>>()?;
        // Each failure on its own, as the paper has it, one after another.
        let mut lists = self.installed.clone();
        for relay in relays {
            algorithm2(shape, &lists, relay).apply(&mut lists);
        }
        Ok(Answer { changes: Changes::between(&self.installed, &lists), ..Answer::default() })
    }
}

/// Deletes, barrier, drain, filters, adds.
fn phases(answer: &Answer, hop_delay: Span, max_hops: u32) -> Vec<Phase> {
    if answer.changes.by_tor().is_empty() {
        return Vec::new();
    }
    let time = hop_delay.checked_mul(max_hops.into()).unwrap_or(hop_delay);
    let mut phases = vec![Phase::Delete { rules: rules(&answer.changes, |change| &change.delete) }];
    phases.extend([Phase::Barrier, Phase::Drain { time }]);
    if !answer.accept.is_empty() {
        phases.extend([Phase::Accept { only: answer.accept.clone() }, Phase::Barrier]);
    }
    phases.push(Phase::Add { rules: rules(&answer.changes, |change| &change.add) });
    phases.push(Phase::Barrier);
    phases
}

/// The delay of the longest hop: the longest fibre for feed and branch, and a relay.
fn hop_delay(project: &Project) -> Span {
    let stock = project.catalogue.stock();
    let wires = WiringPlan::new(project.site(), project.design.housing, stock);
    let longest = wires.cables().iter().map(|cable| cable.length.as_um()).max().unwrap_or(0);
    let fibre = (2 * longest).div_ceil(1_000_000).saturating_mul(PS_PER_METRE);
    Span::from_ps(fibre.saturating_add(RELAY_DELAY.as_ps()))
}

/// What a method answers.
#[derive(Debug, Clone, Default)]
struct Answer {
    changes: Changes,
    via: Via,
    accept: Accept,
    restricted: Vec<TorId>,
}

fn by_replan(damage: &Damage<'_>, tables: &RelayTables, objective: Objective) -> Answer {
    let repairs = replan(damage, tables, objective);
    let mut answer = Answer { changes: Changes::of_repairs(tables, &repairs), ..Answer::default() };
    for Repair { source, root, accept, restricted, .. } in repairs {
        if restricted {
            answer.restricted.push(source);
        }
        if let Some(root) = root.filter(|&root| root != source) {
            answer.via.insert(source, root);
        }
        for (tor, from) in accept {
            answer.accept.entry(tor).or_default().insert(source, from);
        }
    }
    answer
}

fn rules(
    changes: &Changes,
    which: impl Fn(&Change) -> &BTreeSet<TorId>,
) -> BTreeMap<TorId, Vec<TorId>> {
    let by_tor = changes.by_tor().iter();
    by_tor
        .map(|(&tor, change)| (tor, which(change).iter().copied().collect::<Vec<_>>()))
        .filter(|(_, sources)| !sources.is_empty())
        .collect()
}

fn change_reports(changes: &Changes) -> BTreeMap<TorId, ChangeReport> {
    let list = |set: &BTreeSet<TorId>| set.iter().copied().collect();
    let by_tor = changes.by_tor().iter();
    by_tor
        .map(|(&tor, c)| (tor, ChangeReport { add: list(&c.add), delete: list(&c.delete) }))
        .collect()
}
