//! The way from any rules to any others, with a proof of every state on it.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_topology::TorId;
use lightloom_units::Span;

use crate::failure::{Damage, Failure};
use crate::recovery::base::{NotRecovered, RecoveryBase};
use crate::recovery::method::{Answer, Method};
use crate::recovery::rollout::{Change, Changes};
use crate::recovery::state::{Proof, State};
use crate::verify::{Accept, Via};

/// The rules of all switches.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Installed {
    /// For each ToR, the sources that it relays, ascending.
    pub lists: Vec<Vec<TorId>>,
    /// Port filters.
    pub accept: Accept,
    /// Stand-ins.
    pub via: Via,
}

/// What a step of a transition changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepKind {
    /// Rules are deleted. The next step waits for the drain.
    Delete,
    /// Port filters are set or removed.
    Accept,
    /// Rules are added, and stand-ins take over.
    Add,
}

/// A step of a transition. The next one begins when all switches are done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// What it changes.
    pub kind: StepKind,
    /// Number of changed rules, filters and stand-ins.
    pub rules: usize,
    /// Number of ToRs that change.
    pub tors: usize,
    /// The rules after it.
    pub after: Installed,
}

/// The way from some rules to others.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Transition {
    /// The steps that change anything, in order.
    pub steps: Vec<Step>,
    /// The most hops of a packet under the old rules, before the failures or with them.
    pub hops: u32,
    /// Time after deletions until the last packet under the old rules has arrived.
    pub drain: Span,
}

impl Installed {
    /// The ToRs with a rule for a source, ascending.
    pub fn relays_of(&self, source: TorId) -> Vec<TorId> {
        let has = |(_, list): &(usize, &Vec<TorId>)| list.binary_search(&source).is_ok();
        self.lists.iter().enumerate().filter(has).map(|(tor, _)| TorId::at(tor)).collect()
    }

    /// These rules, but some ToRs keep what they have in other ones.
    #[must_use]
    pub fn except(&self, other: &Self, tors: &[TorId]) -> Self {
        let mut rules = self.clone();
        for &tor in tors {
            rules.lists[tor.index()].clone_from(&other.lists[tor.index()]);
            keep(&mut rules.accept, &other.accept, tor);
            keep(&mut rules.via, &other.via, tor);
        }
        rules
    }

    /// The ToRs whose rules, filters or stand-in differ, ascending.
    pub fn differing_tors(&self, other: &Self) -> BTreeSet<TorId> {
        let lists = self.lists.iter().zip(&other.lists).enumerate();
        let lists = lists.filter(|(_, (one, other))| one != other).map(|(tor, _)| TorId::at(tor));
        let accept = differing(&self.accept, &other.accept);
        lists.chain(accept).chain(differing(&self.via, &other.via)).collect()
    }

    /// Number of rules, filters and stand-ins that differ, and number of their ToRs.
    pub fn differs_from(&self, other: &Self) -> (usize, usize) {
        let changes = Changes::between(&other.lists, &self.lists);
        let lists = changes.by_tor().values().map(|of| of.add.len() + of.delete.len());
        let none = BTreeMap::new();
        let filters = differing(&self.accept, &other.accept).into_iter().map(|tor| {
            let [one, other] = [self, other].map(|of| of.accept.get(&tor).unwrap_or(&none));
            differing(one, other).len()
        });
        let rules = lists.chain(filters).sum::<usize>() + differing(&self.via, &other.via).len();
        (rules, self.differing_tors(other).len())
    }

    /// The filters and stand-ins in the form of an answer.
    fn answer(&self) -> Answer {
        Answer { accept: self.accept.clone(), via: self.via.clone(), ..Answer::default() }
    }
}

impl RecoveryBase<'_> {
    /// The rules for a set of failures. Without failures they are the installed ones.
    ///
    /// # Errors
    /// [`NotRecovered`] if the method does not apply or a state is not safe.
    pub fn target(&self, failures: &[Failure], method: Method) -> Result<Installed, NotRecovered> {
        if failures.is_empty() {
            return Ok(Installed { lists: self.installed().to_vec(), ..Installed::default() });
        }
        let recovery = self.recover(failures, method)?;
        if let Some(violation) = recovery.violation {
            return Err(violation.into());
        }
        let Answer { accept, via, .. } = recovery.answer;
        Ok(Installed { lists: recovery.lists, accept, via })
    }

    /// Replays every source under these rules and failures: no ToR gets a second copy, and no copy circles.
    ///
    /// # Errors
    /// [`NotRecovered`] if the state is not safe.
    pub fn replay(&self, rules: &Installed, failures: &[Failure]) -> Result<State, NotRecovered> {
        let damage = Damage::new(self.fabric, failures)?;
        let proof = Proof { damage: &damage, light: &self.light };
        Ok(proof.state(&rules.lists, &rules.answer())?)
    }

    /// The way from some rules to others while failures last. Each state on it is replayed: after the deletions
    /// no source loses more than before unless its own rules change. `hops_before`: the most hops of a packet that was
    /// sent before the last failures; it may be below the parts that failed.
    ///
    /// # Errors
    /// [`NotRecovered`] if a state is not safe.
    pub fn transition(
        &self,
        from: &Installed,
        to: &Installed,
        failures: &[Failure],
        hops_before: u32,
    ) -> Result<Transition, NotRecovered> {
        let before = self.replay(from, failures)?;
        let changes = Changes::between(&from.lists, &to.lists);
        let count = |which: fn(&Change) -> &BTreeSet<TorId>| {
            let all = changes.by_tor().values().map(which).filter(|of| !of.is_empty());
            all.fold((0, 0), |(rules, tors), of| (rules + of.len(), tors + 1))
        };
        let mut steps = Vec::new();
        let mut now = from.clone();
        let mut step = |kind, (rules, tors): (usize, usize), now: &Installed| {
            if rules == 0 {
                return Ok(State::default());
            }
            let state = self.replay(now, failures)?;
            steps.push(Step { kind, rules, tors, after: now.clone() });
            Ok::<State, NotRecovered>(state)
        };
        changes.apply_deletes(&mut now.lists);
        let drained = step(StepKind::Delete, count(|change| &change.delete), &now)?;
        let mut own = changes.sources();
        own.extend(differing(&from.via, &to.via));
        if let Some(source) = before.sources_worse_in(&drained).find(|s| !own.contains(s)) {
            return Err(NotRecovered::LosesMore(source));
        }
        now.accept.clone_from(&to.accept);
        let none = BTreeMap::new();
        let tors: BTreeSet<TorId> = from.accept.keys().chain(to.accept.keys()).copied().collect();
        let filters = |of: &Accept, tor: &TorId| of.get(tor).unwrap_or(&none).clone();
        let changed = tors
            .iter()
            .map(|tor| differing(&filters(&from.accept, tor), &filters(&to.accept, tor)).len());
        let changed: Vec<usize> = changed.filter(|&rules| rules > 0).collect();
        step(StepKind::Accept, (changed.iter().sum(), changed.len()), &now)?;
        now = to.clone();
        let (rules, tors) = count(|change| &change.add);
        let stand_ins = differing(&from.via, &to.via).len();
        step(StepKind::Add, (rules + stand_ins, tors + stand_ins), &now)?;
        let hops = before.last_copy.max(hops_before);
        let drain = self.hop_delay.checked_mul(hops.into()).unwrap_or(self.hop_delay);
        Ok(Transition { steps, hops, drain })
    }
}

/// Sets the value of a key to that of another map.
fn keep<T: Clone>(map: &mut BTreeMap<TorId, T>, other: &BTreeMap<TorId, T>, tor: TorId) {
    match other.get(&tor) {
        Some(kept) => map.insert(tor, kept.clone()),
        None => map.remove(&tor),
    };
}

/// The keys whose values differ or that only one of two maps has.
fn differing<T: PartialEq>(old: &BTreeMap<TorId, T>, new: &BTreeMap<TorId, T>) -> BTreeSet<TorId> {
    let keys: BTreeSet<TorId> = old.keys().chain(new.keys()).copied().collect();
    keys.into_iter().filter(|key| old.get(key) != new.get(key)).collect()
}
