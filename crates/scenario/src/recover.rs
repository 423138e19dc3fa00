//! Recovery from failures: what changes, in which phases, and the proof of every state between.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_export::WiringPlan;
use lightloom_routing::RelayTables;
use lightloom_routing::failure::Damage;
use lightloom_routing::parallel::parallel_sources_among;
use lightloom_routing::recovery::{Changes, Objective, Repair, algorithm2, replan};
use lightloom_routing::verify::{Parts as _, Replay, Wiring};
use lightloom_topology::{Fabric, TorId};
use lightloom_units::Span;
use serde::Serialize;

use crate::fabric_spec::FabricSpec;
use crate::failures::FailureSet;
use crate::impact::{Accept, Broken, installed, lost, rejected, too_large, wiring};
use crate::routes::Routes;
use crate::{Error, InputError, Project, ThroughputReport, throughput};

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
                let message = format!("found {other:?}; expected fewest-changes or fewest-hops");
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
                let message = format!("found {other:?}; expected algorithm2 or replan");
                Err(InputError::new(message).in_field("--method"))
            }
        }
    }
}

/// What a recovery is and does.
#[derive(Debug, Clone, Serialize)]
pub struct RecoverReport {
    /// The failures.
    pub failed: Vec<String>,
    /// `replan` or `algorithm2`.
    pub method: &'static str,
    /// What `replan` kept small.
    pub objective: Option<&'static str>,
    /// Whether every source reaches every other ToR. Algorithm 2 does not count the failed ToR as a
    /// source.
    pub restored: bool,
    /// For each source the other ToRs that it does not reach.
    pub unreachable: BTreeMap<TorId, Vec<TorId>>,
    /// The stand-in that transmits first for a source whose own transmitter is dead.
    pub via: BTreeMap<TorId, TorId>,
    /// For each ToR the sources that it takes from one ToR's splitter only.
    pub accept: Accept,
    /// Against the installed tables.
    pub changes: BTreeMap<TorId, ChangeReport>,
    /// The order in which to make them.
    pub phases: Vec<Phase>,
    /// For each source whose rules change, how many ToRs it does not reach between the deletions
    /// and the additions.
    pub outage: BTreeMap<TorId, usize>,
    /// Hops to the farthest ToR that is reached.
    pub max_hops: u32,
    /// For each source the hops to the farthest ToR that it reaches.
    pub hops: BTreeMap<TorId, u32>,
    /// The most sources at line rate at once when trees are planned for them, over the ToRs that
    /// still light all their receivers.
    pub parallel_sources: usize,
    /// Mean rates before and after, by number of active sources; only where asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub throughput: Vec<ThroughputReport>,
    /// Why what Algorithm 2 leads to is not safe.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

/// The rules of one ToR that change.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ChangeReport {
    /// Sources that it relays from now on, ascending.
    pub add: Vec<TorId>,
    /// Sources that it relays no more, ascending.
    pub delete: Vec<TorId>,
}

/// One step of a rollout; the next begins when it is done everywhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "step", rename_all = "snake_case")]
pub enum Phase {
    /// Delete rules: sources by ToR.
    Delete {
        /// What to delete.
        rules: BTreeMap<TorId, Vec<TorId>>,
    },
    /// Wait until every switch has answered that it is done.
    Barrier,
    /// Wait until the last packet under the old rules has arrived.
    Drain {
        /// How long.
        time: Span,
    },
    /// Take sources from one named ToR's splitter only, by ToR.
    Accept {
        /// By ToR and source.
        only: Accept,
    },
    /// Add rules: sources by ToR.
    Add {
        /// What to add.
        rules: BTreeMap<TorId, Vec<TorId>>,
    },
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
        Ok(self.recovered(failed, method)?.report)
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
        let Recovered { mut report, lists } = self.recovered(failed, method)?;
        let damage = failed.damage(self)?;
        let sources: Vec<TorId> = self.fabric.tor_ids().filter(|&tor| damage.sends(tor)).collect();
        report.throughput = throughput::compare(&self.listed_rules()?, &lists, &sources);
        Ok(report)
    }

    pub(crate) fn recovered(
        &self,
        failed: &FailureSet,
        method: Method,
    ) -> Result<Recovered, Error> {
        let damage = failed.damage(self)?;
        let routes = Routes::new(&self.fabric, &self.design)?;
        let tables = routes.tables().ok_or_else(too_large)?;
        let answer = match method {
            Method::Replan(objective) => by_replan(&damage, tables, objective),
            Method::Algorithm2 => self.by_algorithm2(failed, tables)?,
        };
        let old = tables.sources_by_relay(&self.fabric);
        let (mut between, mut new) = (old.clone(), old.clone());
        answer.changes.apply_deletes(&mut between);
        answer.changes.apply(&mut new);

        let wiring = wiring(&self.fabric);
        let proof = Proof { fabric: &self.fabric, damage: &damage, wiring: &wiring };
        let before = proof.state(&old, &Answer::default())?;
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
        let max_hops = after.max_hops();
        let mut unreachable = after.lost;
        if method == Method::Algorithm2 {
            unreachable.retain(|source, _| damage.sends(*source));
        }
        let outage =
            changed.iter().map(|s| (*s, drained.lost.get(s).map_or(0, Vec::len))).collect();
        let report = RecoverReport {
            failed: failed.names(),
            method: method.name(),
            objective: method.objective(),
            restored: unreachable.is_empty() && fault.is_none(),
            unreachable,
            via: answer.via.clone(),
            accept: answer.accept.clone(),
            changes: change_reports(&answer.changes),
            phases: self.phases(&answer, before.max_hops()),
            outage,
            max_hops,
            hops: after.hops,
            parallel_sources: parallel_sources_among(&self.fabric, |tor| damage.serves_alone(tor))
                .sources
                .len(),
            throughput: Vec::new(),
            fault,
        };
        Ok(Recovered { report, lists: new })
    }

    /// Replays all sources over other wires and rules than those that were made: what a folder
    /// lists. Anything but what the recovery reports is said.
    pub(crate) fn prove_listed(
        &self,
        recovery: &(FailureSet, Method),
        wiring: &Wiring,
        lists: &[Vec<TorId>],
    ) -> Result<Option<String>, Error> {
        let (failed, method) = recovery;
        let report = self.recovered(failed, *method)?.report;
        let damage = failed.damage(self)?;
        let answer = Answer { via: report.via, accept: report.accept, ..Answer::default() };
        let proof = Proof { fabric: &self.fabric, damage: &damage, wiring };
        Ok(match proof.state(lists, &answer) {
            Err(fault) => report.fault.is_none().then(|| fault.to_string()),
            Ok(mut state) => {
                state.lost.retain(|s, _| *method != Method::Algorithm2 || damage.sends(*s));
                (state.lost != report.unreachable)
                    .then(|| "sources reach other ToRs than the recovery says".to_owned())
            }
        })
    }

    fn by_algorithm2(
        &self,
        failed: &FailureSet,
        tables: &RelayTables,
    ) -> Result<Answer, InputError> {
        use lightloom_routing::failure::Failure as F;
        let refuse = |message: &str| InputError::new(message).in_field("--method");
        let FabricSpec::Shufflecast(shape) = self.design.fabric else {
            return Err(refuse("algorithm2 recovers only a shufflecast; take replan"));
        };
        if self.design.router != crate::design::RouterChoice::Algorithm1 {
            return Err(refuse("algorithm2 recovers only tables of algorithm1; take replan"));
        }
        let mut relays = BTreeSet::new();
        for failure in &failed.failures {
            match *failure {
                F::Relay(tor) | F::Transmitter(tor) | F::Splitter(tor) => relays.insert(tor),
                _ => return Err(refuse("algorithm2 recovers only failed relays; take replan")),
            };
        }
        // Each failure on its own, as the paper has it, one after another.
        let installed = tables.sources_by_relay(&self.fabric);
        let mut lists = installed.clone();
        for relay in relays {
            algorithm2(shape, &lists, relay).apply(&mut lists);
        }
        Ok(Answer { changes: difference(&installed, &lists), ..Answer::default() })
    }

    /// Deletes, barrier, drain, filters, adds.
    fn phases(&self, answer: &Answer, max_hops: u32) -> Vec<Phase> {
        if answer.changes.by_tor().is_empty() {
            return Vec::new();
        }
        let mut phases =
            vec![Phase::Delete { rules: rules(&answer.changes, |change| &change.delete) }];
        phases.extend([Phase::Barrier, Phase::Drain { time: self.drain_time(max_hops) }]);
        if !answer.accept.is_empty() {
            phases.extend([Phase::Accept { only: answer.accept.clone() }, Phase::Barrier]);
        }
        phases.push(Phase::Add { rules: rules(&answer.changes, |change| &change.add) });
        phases.push(Phase::Barrier);
        phases
    }

    /// The delay of the longest path: each hop as far as the longest feed and branch, and a relay.
    fn drain_time(&self, max_hops: u32) -> Span {
        let wires = WiringPlan::new(self.site(), self.design.housing, &self.catalogue.stock);
        let longest = wires.cables().iter().map(|cable| cable.length.as_um()).max().unwrap_or(0);
        let fibre = (2 * longest).div_ceil(1_000_000).saturating_mul(PS_PER_METRE);
        let hop = Span::from_ps(fibre.saturating_add(RELAY_DELAY.as_ps()));
        hop.checked_mul(max_hops.into()).unwrap_or(hop)
    }
}

/// What a method answers.
#[derive(Debug, Clone, Default)]
struct Answer {
    changes: Changes,
    via: BTreeMap<TorId, TorId>,
    accept: Accept,
}

fn by_replan(damage: &Damage<'_>, tables: &RelayTables, objective: Objective) -> Answer {
    let repairs = replan(damage, tables, objective);
    let mut answer = Answer { changes: Changes::of_repairs(tables, &repairs), ..Answer::default() };
    for Repair { source, root, accept, .. } in repairs {
        if let Some(root) = root.filter(|&root| root != source) {
            answer.via.insert(source, root);
        }
        for (tor, from) in accept {
            answer.accept.entry(tor).or_default().insert(source, from);
        }
    }
    answer
}

fn difference(old: &[Vec<TorId>], new: &[Vec<TorId>]) -> Changes {
    let mut changes = Changes::default();
    for (tor, (old, new)) in old.iter().zip(new).enumerate() {
        for &source in old.iter().filter(|source| new.binary_search(source).is_err()) {
            changes.delete(TorId::at(tor), source);
        }
        for &source in new.iter().filter(|source| old.binary_search(source).is_err()) {
            changes.add(TorId::at(tor), source);
        }
    }
    changes
}

fn rules(
    changes: &Changes,
    which: impl Fn(&lightloom_routing::recovery::Change) -> &BTreeSet<TorId>,
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

/// Replays all sources over what is left.
struct Proof<'a> {
    fabric: &'a Fabric,
    damage: &'a Damage<'a>,
    wiring: &'a Wiring,
}

/// Who gets what under some tables.
#[derive(Debug, Default)]
struct State {
    /// For each source that misses someone, whom.
    lost: BTreeMap<TorId, Vec<TorId>>,
    /// For each source that transmits, the farthest ToR that it reaches.
    hops: BTreeMap<TorId, u32>,
}

impl State {
    fn max_hops(&self) -> u32 {
        self.hops.values().copied().max().unwrap_or(0)
    }

    /// The sources that lose more in another state.
    fn sources_worse_in<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = TorId> + 'a {
        let before = |source: &TorId| self.lost.get(source).map_or(0, Vec::len);
        other.lost.iter().filter(move |(s, lost)| lost.len() > before(s)).map(|(s, _)| *s)
    }
}

impl Proof<'_> {
    /// Follows every source's packets; a second copy or a loop is an error.
    fn state(&self, lists: &[Vec<TorId>], answer: &Answer) -> Result<State, Error> {
        let rules = installed(self.fabric, lists);
        let mut replay = Replay::new(self.wiring);
        let mut state = State::default();
        for source in self.fabric.tor_ids() {
            let root = answer.via.get(&source).copied().unwrap_or(source);
            let parts =
                Broken { damage: self.damage, rules: &rules, accept: &answer.accept, source };
            let missed = if parts.has_rule(root) {
                replay.follow(source, root, &parts).map_err(rejected)?;
                let others = self.fabric.tor_ids().filter(|&tor| tor != source);
                let farthest = others.filter_map(|tor| replay.hops(tor)).max();
                state.hops.insert(source, farthest.unwrap_or(0));
                lost(&replay, self.fabric, source, root)
            } else {
                self.fabric.tor_ids().filter(|&tor| tor != source).collect()
            };
            if !missed.is_empty() {
                state.lost.insert(source, missed);
            }
        }
        Ok(state)
    }
}
