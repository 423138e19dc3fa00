//! A recovery with a proof of every state during its rollout.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use lightloom_topology::{Fabric, TorId};
use lightloom_units::Span;

use crate::failure::{Damage, Failure, NoSuchPart};
use crate::impact::light_map;
use crate::parallel::count_parallel_sources_over;
use crate::recovery::method::{Answer, Method, NotForAlgorithm2};
use crate::recovery::phases::{Phase, phases};
use crate::recovery::state::{Proof, State};
use crate::rows::RouterKind;
use crate::tables::RelayTables;
use crate::verify::{LightMap, Violation};

/// What all recoveries of a fabric share. Made once, used for any number of failures.
#[derive(Debug)]
pub struct RecoveryBase<'a> {
    pub(super) fabric: &'a Fabric,
    router: RouterKind,
    tables: Arc<RelayTables>,
    installed: Vec<Vec<TorId>>,
    pub(super) light: LightMap,
    pub(super) hop_delay: Span,
    /// The most hops of a packet under the installed tables before anything fails, once somebody asked.
    hops_intact: OnceLock<u32>,
}

/// A recovery. Each of its states is proved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recovery {
    /// Changes, stand-ins and filters.
    pub answer: Answer,
    /// The final rules: for each ToR, the sources that it relays, ascending.
    pub lists: Vec<Vec<TorId>>,
    /// The rollout. `None`: it was not asked for.
    pub rollout: Option<Rollout>,
    /// The sources that can no longer transmit, ascending.
    pub failed_sources: Vec<TorId>,
    /// The failed sources that the method gives up. They do not count.
    pub not_counted: Vec<TorId>,
    /// For each counted source that misses ToRs, those ToRs.
    pub unreachable: BTreeMap<TorId, Vec<TorId>>,
    /// Deliveries in the final state. Empty if that state is not safe.
    pub after: State,
    /// Largest number of sources at line rate at the same time if trees are planned for them, each to every ToR with
    /// power. Only ToRs that still light all their receivers are used.
    pub parallel_sources: usize,
    /// Why the final state is not safe. Only Algorithm 2 can lead there: it promises nothing for several
    /// failures.
    pub violation: Option<Violation>,
}

/// The states of a recovery that are proved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum States {
    /// After the failure, after the deletions and after the additions. The recovery has a rollout.
    All,
    /// After the additions. The recovery has no rollout.
    Final,
}

/// How the changes of a recovery are installed. Each state is proved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rollout {
    /// The steps, in order.
    pub phases: Vec<Phase>,
    /// For each source whose rules change, the number of ToRs that it does not reach between the deletions
    /// and the additions.
    pub outage: BTreeMap<TorId, usize>,
    /// The most hops of a packet under the old rules, before the failures or with them.
    pub hops_before: u32,
}

impl Recovery {
    /// Whether every counted source reaches every other ToR, directly or through its stand-in.
    pub fn is_restored(&self) -> bool {
        self.unreachable.is_empty() && self.violation.is_none()
    }
}

/// Why there is no recovery.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotRecovered {
    /// A failure names a part that the fabric does not have.
    #[error(transparent)]
    NoSuchPart(#[from] NoSuchPart),
    /// Algorithm 2 does not apply.
    #[error(transparent)]
    Method(#[from] NotForAlgorithm2),
    /// An intermediate state or the final state is not safe.
    #[error(transparent)]
    Unsafe(#[from] Violation),
    /// A source whose rules do not change would lose packets during the rollout.
    #[error("source {0} would lose packets while rules are deleted")]
    LosesMore(TorId),
}

impl<'a> RecoveryBase<'a> {
    /// Prepares a fabric with its installed tables, which a router of this kind made. `hop_delay` is the
    /// delay of the longest hop, from [`longest_hop`](super::longest_hop).
    pub fn new(
        fabric: &'a Fabric,
        router: RouterKind,
        tables: Arc<RelayTables>,
        hop_delay: Span,
    ) -> Self {
        let installed = tables.sources_by_relay(fabric);
        let (light, hops_intact) = (light_map(fabric), OnceLock::new());
        Self { fabric, router, tables, installed, light, hop_delay, hops_intact }
    }

    /// The most hops of a packet that was sent before the failures: it may be below the parts that failed.
    fn hops_intact(&self) -> Result<u32, NotRecovered> {
        if let Some(&hops) = self.hops_intact.get() {
            return Ok(hops);
        }
        let intact = Damage::new(self.fabric, &[])?;
        let proof = Proof { damage: &intact, light: &self.light };
        let hops = proof.state(&self.installed, &Answer::default())?.last_copy;
        Ok(*self.hops_intact.get_or_init(|| hops))
    }

    /// The fabric.
    pub fn fabric(&self) -> &'a Fabric {
        self.fabric
    }

    /// The installed tables by source.
    pub fn tables(&self) -> &RelayTables {
        &self.tables
    }

    /// The installed tables: for each ToR, the sources that it relays, ascending.
    pub fn installed(&self) -> &[Vec<TorId>] {
        &self.installed
    }

    /// Recovers, and replays every source in every state: after the failure, after the deletions, and after
    /// the additions.
    ///
    /// # Errors
    /// [`NotRecovered`] if the method does not apply or a state is not safe.
    pub fn recover(&self, failures: &[Failure], method: Method) -> Result<Recovery, NotRecovered> {
        self.recover_and_prove(failures, method, States::All)
    }

    /// Recovers, and replays every source in these states.
    ///
    /// # Errors
    /// [`NotRecovered`] if the method does not apply or a state is not safe.
    pub fn recover_and_prove(
        &self,
        failures: &[Failure],
        method: Method,
        states: States,
    ) -> Result<Recovery, NotRecovered> {
        let damage = Damage::new(self.fabric, failures)?;
        let answer = self.answer(&damage, failures, method)?;
        let rollout = match states {
            States::All => Some(self.rollout(&damage, &answer)?),
            States::Final => None,
        };
        self.ended(&damage, answer, method, rollout)
    }

    /// The rollout of an answer. Replays every source after the failure and after the deletions.
    fn rollout(&self, damage: &Damage<'_>, answer: &Answer) -> Result<Rollout, NotRecovered> {
        let mut between = self.installed.clone();
        answer.changes.apply_deletes(&mut between);
        let proof = Proof { damage, light: &self.light };
        let before = proof.state(&self.installed, &Answer::default())?;
        // The accept filters are in force before the first addition.
        let held = Answer { accept: answer.accept.clone(), ..Answer::default() };
        let drained = proof.state(&between, &held)?;
        let changed = answer.changes.sources();
        if let Some(source) = before.sources_worse_in(&drained).find(|s| !changed.contains(s)) {
            return Err(NotRecovered::LosesMore(source));
        }
        let lost = |source: &TorId| drained.lost.get(source).map_or(0, Vec::len);
        let hops_before = before.last_copy.max(self.hops_intact()?);
        Ok(Rollout {
            phases: phases(answer, self.hop_delay, hops_before),
            outage: changed.iter().map(|source| (*source, lost(source))).collect(),
            hops_before,
        })
    }

    /// The recovery of an answer. Replays every source after the additions.
    fn ended(
        &self,
        damage: &Damage<'_>,
        answer: Answer,
        method: Method,
        rollout: Option<Rollout>,
    ) -> Result<Recovery, NotRecovered> {
        let mut new = self.installed.clone();
        answer.changes.apply(&mut new);
        let proof = Proof { damage, light: &self.light };
        let (after, violation) = match (proof.state(&new, &answer), method) {
            (Ok(after), _) => (after, None),
            (Err(violation), Method::Algorithm2) => (State::default(), Some(violation)),
            (Err(violation), Method::Replan(_)) => return Err(violation.into()),
        };
        let failed_sources: Vec<TorId> = damage.silent().collect();
        let not_counted = if method.gives_up() { failed_sources.clone() } else { Vec::new() };
        Ok(Recovery {
            rollout,
            unreachable: after.unreachable(&not_counted),
            parallel_sources: count_parallel_sources_over(damage),
            answer,
            lists: new,
            failed_sources,
            not_counted,
            after,
            violation,
        })
    }

    fn answer(
        &self,
        damage: &Damage<'_>,
        failures: &[Failure],
        method: Method,
    ) -> Result<Answer, NotForAlgorithm2> {
        match (method, self.router) {
            (Method::Replan(objective), _) => {
                Ok(Answer::by_replan(damage, &self.tables, objective))
            }
            (Method::Algorithm2, RouterKind::Algorithm1(shape)) => {
                Answer::by_algorithm2(shape, &self.installed, failures)
            }
            (Method::Algorithm2, _) => Err(NotForAlgorithm2::OtherTables),
        }
    }
}
