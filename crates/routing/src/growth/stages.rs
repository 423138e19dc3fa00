//! The order in which cords move: drained, moved and restored, with a proof of every state.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use lightloom_topology::{CassetteId, Fabric, TorId};
use lightloom_units::Span;
use lightloom_watch::Watch;

use crate::failure::Failure;
use crate::growth::change::{Change, StageError, StageKind};
use crate::growth::joined::parallel_among;
use crate::growth::passage::Passage;
use crate::growth::states::{Part, Rules, State, replay};
use crate::recovery::{Changes, Method, Objective, RecoveryBase};
use crate::rows::{RelayRows, RouterKind};
use crate::tables::RelayTables;
use crate::verify::Via;

/// Cords that move together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stage {
    /// The ToRs whose transmit cord moves.
    pub moves: Vec<TorId>,
    /// New ToRs whose transmit cord takes a splitter that became free.
    pub plugged: Vec<TorId>,
    /// ToRs that are in service only after this stage.
    pub enter: Vec<TorId>,
    /// ToRs that are in service only before this stage.
    pub leave: Vec<TorId>,
    /// Largest number of sources at line rate at the same time before the stage, if trees are planned for them.
    pub parallel_before: usize,
    /// The same while the cords move.
    pub parallel_during: usize,
    /// The same after the stage.
    pub parallel_after: usize,
    /// The rules that take all packets off the cords.
    pub drain: Update,
    /// The rules of the fabric with the moved cords.
    pub restore: Update,
    /// What was replayed.
    pub proved: Replayed,
}

/// A change of rules: pause, delete, wait, add, resume. Rules of different sources are independent, so sources
/// may be changed one at a time.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Update {
    /// Sources in service that send nothing from the deletions to the additions, ascending.
    pub paused: Vec<TorId>,
    /// Rules to delete: sources by ToR.
    pub delete: BTreeMap<TorId, Vec<TorId>>,
    /// Time after the deletions until the last packet under the old rules has arrived.
    pub wait: Span,
    /// Rules to add: sources by ToR.
    pub add: BTreeMap<TorId, Vec<TorId>>,
    /// All stand-ins afterwards: for each source that cannot transmit, the ToR that transmits first.
    pub via: Via,
}

/// Sum of replays.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Replayed {
    /// Number of states.
    pub states: usize,
    /// Number of sources, over all states.
    pub sources: usize,
    /// Number of copies, over all states.
    pub copies: u64,
}

/// The stages of a change. Every source in service is replayed in every state: with the old rules, between
/// deletions and additions, drained, with the cords out, with the cords moved, and with the new rules.
///
/// # Errors
/// [`StageError`] if no order keeps all ToRs in service, or because `watch` stopped the work.
pub fn stages(change: &Change<'_>, watch: Watch<'_>) -> Result<Vec<Stage>, StageError> {
    let passage = Passage::best(change)?;
    let all = passage.states[0].tails.len();
    let (mut stages, last) = (Vec::new(), passage.states.len() - 1);
    let first = Part { fabric: change.before.clone(), tors: change.before.tor_ids().collect() };
    let (mut part, mut tables) = (first, Arc::clone(&change.tables));
    let mut rules = Rules { lists: part.lists(&tables, all), via: Via::new() };
    for (i, batch) in passage.batches.iter().enumerate() {
        watch.progress(i as u64, passage.batches.len() as u64)?;
        let (from, to) = (&passage.states[i], &passage.states[i + 1]);
        let next = to.part(change.before.fan_out())?;
        let (next_tables, next_rules) = if i + 1 == last {
            let rules = Rules { lists: change.final_lists(all), via: Via::new() };
            (Arc::clone(&change.new_tables), rules)
        } else {
            let tables = routed(&next.fabric);
            let rules = Rules { lists: next.lists(&tables, all), via: Via::new() };
            (tables, rules)
        };
        let mut stage = Stage {
            moves: batch.clone(),
            plugged: plugged(from, to, batch),
            enter: serving(to, from),
            leave: serving(from, to),
            parallel_before: from.parallel_without(&part, &[]),
            parallel_during: change.parallel_during(from, &part, batch),
            parallel_after: to.parallel_without(&next, &[]),
            drain: Update::default(),
            restore: Update::default(),
            proved: Replayed::default(),
        };
        if stage.parallel_during == 0 {
            return Err(StageError::Dark);
        }
        let silent = passage.silent(i);
        // ToRs that leave are out of service from the start of their stage.
        let staying = State { serves: both(from, to), ..from.clone() };
        let drained = drained(change, &part, &tables, &rules, &silent, &staying)?;
        let mut proof = Proof { replayed: Replayed::default() };
        let wait =
            |hops: u32| change.hop_delay.checked_mul(hops.into()).unwrap_or(change.hop_delay);
        let hops = proof.state(from, &rules, &[])?;
        stage.drain = update(&rules, &drained, &staying, wait(hops));
        proof.between(&staying, &rules, &drained, &stage.drain.paused)?;
        let hops = proof.state(&staying, &drained, &[])?;
        let out = State { heads: unplugged(from, to, batch), ..staying.clone() };
        proof.state(&out, &drained, &[])?;
        let moved = State { serves: staying.serves.clone(), ..to.clone() };
        proof.state(&moved, &drained, &[])?;
        stage.restore = update(&drained, &next_rules, &moved, wait(hops));
        proof.between(&moved, &drained, &next_rules, &stage.restore.paused)?;
        proof.state(to, &next_rules, &[])?;
        stage.proved = proof.replayed;
        stages.push(stage);
        (part, tables, rules) = (next, next_tables, next_rules);
    }
    Ok(stages)
}

/// Fewest-hop tables with even loads.
fn routed(fabric: &Fabric) -> Arc<RelayTables> {
    match RelayRows::new(fabric, RouterKind::Arborescence) {
        Ok(RelayRows::Listed(tables)) => tables,
        _ => Arc::new(crate::arborescence::Balanced::new(fabric).into_tables()),
    }
}

/// The rules under which no packet uses the silent ToRs' cords, with few changes.
fn drained(
    change: &Change<'_>,
    part: &Part,
    tables: &Arc<RelayTables>,
    rules: &Rules,
    silent: &[TorId],
    staying: &State,
) -> Result<Rules, StageError> {
    let all = rules.lists.len();
    let base = RecoveryBase::new(
        &part.fabric,
        RouterKind::Arborescence,
        Arc::clone(tables),
        change.hop_delay,
    );
    let dense = |tor: &TorId| part.tors.binary_search(tor).ok().map(TorId::at);
    let failures: Vec<Failure> = silent.iter().filter_map(dense).map(Failure::Relay).collect();
    let recovery = base.recover(&failures, Method::Replan(Objective::FewestChanges))?;
    let mut lists = part.widen(&recovery.lists, all);
    let serves = |tor: &TorId| staying.serves[tor.index()];
    for (tor, list) in lists.iter_mut().enumerate() {
        let mute = silent.binary_search(&TorId::at(tor)).is_ok();
        list.retain(|source| !mute && serves(source));
    }
    let wide = |dense: TorId| part.tors[dense.index()];
    let via = recovery.answer.via.iter().map(|(&source, &root)| (wide(source), wide(root)));
    let via = via.filter(|(source, _)| serves(source)).collect();
    Ok(Rules { lists, via })
}

/// What changes between two sets of rules.
fn update(old: &Rules, new: &Rules, state: &State, wait: Span) -> Update {
    let changes = Changes::between(&old.lists, &new.lists);
    let (mut delete, mut add) = (BTreeMap::new(), BTreeMap::new());
    let mut paused: BTreeSet<TorId> = BTreeSet::new();
    for (&tor, change) in changes.by_tor() {
        if !change.delete.is_empty() {
            paused.extend(&change.delete);
            delete.insert(tor, change.delete.iter().copied().collect());
        }
        if !change.add.is_empty() {
            paused.extend(&change.add);
            add.insert(tor, change.add.iter().copied().collect());
        }
    }
    let stand_ins = old.via.keys().chain(new.via.keys());
    paused.extend(stand_ins.filter(|source| old.via.get(source) != new.via.get(source)));
    paused.retain(|source| state.serves[source.index()]);
    let paused = paused.into_iter().collect();
    let wait = if delete.is_empty() { Span::ZERO } else { wait };
    Update { paused, delete, wait, add, via: new.via.clone() }
}

struct Proof {
    replayed: Replayed,
}

impl Proof {
    /// Replays a state, and returns the largest number of hops in it.
    fn state(&mut self, state: &State, rules: &Rules, paused: &[TorId]) -> Result<u32, StageError> {
        let (sources, delivered) = replay(state, rules, paused)?;
        self.replayed.states += 1;
        self.replayed.sources += sources;
        self.replayed.copies += delivered.copies;
        Ok(delivered.max_hops)
    }

    /// The state after the deletions of an update.
    fn between(
        &mut self,
        state: &State,
        old: &Rules,
        new: &Rules,
        paused: &[TorId],
    ) -> Result<u32, StageError> {
        let mut lists = old.lists.clone();
        Changes::between(&old.lists, &new.lists).apply_deletes(&mut lists);
        self.state(state, &Rules { lists, via: old.via.clone() }, paused)
    }
}

/// ToRs that serve in one state and not in another.
fn serving(state: &State, other: &State) -> Vec<TorId> {
    let pairs = state.serves.iter().zip(&other.serves).enumerate();
    pairs.filter(|(_, (now, other))| **now && !**other).map(|(tor, _)| TorId::at(tor)).collect()
}

fn both(a: &State, b: &State) -> Vec<bool> {
    a.serves.iter().zip(&b.serves).map(|(a, b)| *a && *b).collect()
}

/// Cords that are plugged between two states, without those that move.
fn plugged(from: &State, to: &State, moves: &[TorId]) -> Vec<TorId> {
    let differs = |tor: &TorId| {
        let (old, new) = (from.heads[tor.index()], to.heads[tor.index()]);
        new.is_some() && old != new && moves.binary_search(tor).is_err()
    };
    (0..to.heads.len()).map(TorId::at).filter(differs).collect()
}

/// The cords that are plugged in both states, without those that move.
fn unplugged(from: &State, to: &State, moves: &[TorId]) -> Vec<Option<CassetteId>> {
    let pairs = from.heads.iter().zip(&to.heads).enumerate();
    let stays = |tor: usize| moves.binary_search(&TorId::at(tor)).is_err();
    pairs.map(|(tor, (from, to))| from.filter(|_| from == to && stays(tor))).collect()
}

impl Change<'_> {
    /// Number of parallel sources while a batch moves. ToRs that leave count no more.
    fn parallel_during(&self, from: &State, part: &Part, batch: &[TorId]) -> usize {
        if self.kind == StageKind::Grow {
            return from.parallel_without(part, batch);
        }
        let moves = |tor: TorId| self.moved.binary_search(&self.tors[tor.index()]).is_ok();
        parallel_among(self.after, |tor| !moves(tor))
    }

    /// The rules afterwards, in the numbers of the larger fabric of `all` ToRs.
    fn final_lists(&self, all: usize) -> Vec<Vec<TorId>> {
        let lists = self.new_tables.sources_by_relay(self.after);
        if self.kind == StageKind::Grow {
            return lists;
        }
        let mut wide = vec![Vec::new(); all];
        for (tor, sources) in self.tors.iter().zip(lists) {
            let list = &mut wide[tor.index()];
            list.extend(sources.iter().map(|source| self.tors[source.index()]));
            list.sort_unstable();
        }
        wide
    }
}
