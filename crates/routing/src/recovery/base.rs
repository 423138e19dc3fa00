//! A recovery with the proof of every state on the way.

use std::collections::BTreeMap;
use std::sync::Arc;

use lightloom_topology::{Fabric, TorId};
use lightloom_units::Span;

use crate::failure::{Damage, Failure, NoSuchPart};
use crate::impact::light_map;
use crate::parallel::count_parallel_sources_among;
use crate::recovery::method::{Answer, Method, NotForAlgorithm2};
use crate::recovery::phases::{Phase, phases};
use crate::recovery::state::{Proof, State};
use crate::rows::RouterKind;
use crate::tables::RelayTables;
use crate::verify::{LightMap, Violation};

/// What every recovery of a fabric starts from: made once, used for any number of failures.
#[derive(Debug)]
pub struct RecoveryBase<'a> {
    fabric: &'a Fabric,
    router: RouterKind,
    tables: Arc<RelayTables>,
    installed: Vec<Vec<TorId>>,
    light: LightMap,
    hop_delay: Span,
}

/// A recovery, each state of which is proved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recovery {
    /// Changes, stand-ins and filters.
    pub answer: Answer,
    /// The rules that they lead to: for each ToR the sources that it relays, ascending.
    pub lists: Vec<Vec<TorId>>,
    /// The order in which to make the changes.
    pub phases: Vec<Phase>,
    /// The sources that can no longer transmit themselves, ascending.
    pub failed_sources: Vec<TorId>,
    /// The failed sources that the method gives up, so that they do not count.
    pub not_counted: Vec<TorId>,
    /// For each source that counts and misses ToRs, those ToRs.
    pub unreachable: BTreeMap<TorId, Vec<TorId>>,
    /// For each source whose rules change, how many ToRs it does not reach between the deletions and the
    /// additions.
    pub outage: BTreeMap<TorId, usize>,
    /// Who gets what at the end; nothing where that state is not safe.
    pub after: State,
    /// The most sources at line rate at once when trees are planned for them, over the ToRs that still
    /// light all their receivers.
    pub parallel_sources: usize,
    /// Why the end is not safe. Only Algorithm 2 leads there: it makes no promise for several failures.
    pub violation: Option<Violation>,
}

impl Recovery {
    /// Whether every source that counts reaches every other ToR, itself or through its stand-in.
    pub fn is_restored(&self) -> bool {
        self.unreachable.is_empty() && self.violation.is_none()
    }
}

/// Why there is no recovery.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotRecovered {
    /// A failure names something that the fabric does not have.
    #[error(transparent)]
    NoSuchPart(#[from] NoSuchPart),
    /// Algorithm 2 does not apply.
    #[error(transparent)]
    Method(#[from] NotForAlgorithm2),
    /// A state on the way, or the end, is not safe.
    #[error(transparent)]
    Unsafe(#[from] Violation),
    /// A source whose rules do not change would lose packets on the way.
    #[error("source {0} would lose packets while rules are deleted")]
    LosesMore(TorId),
}

impl<'a> RecoveryBase<'a> {
    /// A fabric with its installed tables, which a router of this kind made. `hop_delay` is the delay of
    /// the longest hop, as [`longest_hop`](super::longest_hop) computes it.
    pub fn new(
        fabric: &'a Fabric,
        router: RouterKind,
        tables: Arc<RelayTables>,
        hop_delay: Span,
    ) -> Self {
        let installed = tables.sources_by_relay(fabric);
        Self { fabric, router, tables, installed, light: light_map(fabric), hop_delay }
    }

    /// The installed tables: for each ToR the sources that it relays, ascending.
    pub fn installed(&self) -> &[Vec<TorId>] {
        &self.installed
    }

    /// Recovers, and replays every source in every state: as broken, with the old rules deleted, and
    /// with the new ones added.
    ///
    /// # Errors
    /// [`NotRecovered`] when the method does not apply, or a state is not safe.
    pub fn recover(&self, failures: &[Failure], method: Method) -> Result<Recovery, NotRecovered> {
        let fabric = self.fabric;
        let damage = Damage::new(fabric, failures)?;
        let answer = self.answer(&damage, failures, method)?;
        let (mut between, mut new) = (self.installed.clone(), self.installed.clone());
        answer.changes.apply_deletes(&mut between);
        answer.changes.apply(&mut new);

        let proof = Proof { damage: &damage, light: &self.light };
        let before = proof.state(&self.installed, &Answer::default())?;
        // The accept filters are in force from before the first addition.
        let held = Answer { accept: answer.accept.clone(), ..Answer::default() };
        let drained = proof.state(&between, &held)?;
        let changed = answer.changes.sources();
        if let Some(source) = before.sources_worse_in(&drained).find(|s| !changed.contains(s)) {
            return Err(NotRecovered::LosesMore(source));
        }
        let (after, violation) = match (proof.state(&new, &answer), method) {
            (Ok(after), _) => (after, None),
            (Err(violation), Method::Algorithm2) => (State::default(), Some(violation)),
            (Err(violation), Method::Replan(_)) => return Err(violation.into()),
        };
        let failed_sources: Vec<TorId> =
            fabric.tor_ids().filter(|&tor| !damage.sends(tor)).collect();
        let not_counted = if method.gives_up() { failed_sources.clone() } else { Vec::new() };
        let lost = |source: &TorId| drained.lost.get(source).map_or(0, Vec::len);
        Ok(Recovery {
            phases: phases(&answer, self.hop_delay, before.max_hops()),
            unreachable: after.unreachable(&not_counted),
            outage: changed.iter().map(|source| (*source, lost(source))).collect(),
            parallel_sources: count_parallel_sources_among(fabric, |tor| damage.serves_alone(tor)),
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
