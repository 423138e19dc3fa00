//! Many questions at once: trees of many sources, impacts and recoveries of many failure sets.
//!
//! Answers equal those of single questions. All processors work, and what is done when the work is stopped is kept.

use std::ops::Range;

use lightloom_design::optics::all_threads;
use lightloom_plan::failure_set::FailureSet;
use lightloom_plan::impact::too_large;
use lightloom_plan::memory::Work;
use lightloom_plan::project::Project;
use lightloom_plan::recover::RecoverReport;
use lightloom_request::{Error, InputError};
use lightloom_routing::recovery::{Method, States};
use lightloom_routing::{Cuts, RelayTables, SubtreeIndex, Tree};
use lightloom_topology::TorId;
use lightloom_units::DataSize;
use lightloom_watch::Watch;

use crate::deal::{deal, shares};

/// Number of losses that are counted between two looks at the watch.
const LOSSES_AT_ONCE: usize = 1 << 21;
/// Number of sources whose trees are made between two looks at the watch.
const SOURCES_AT_ONCE: usize = 256;
/// Number of recoveries of each processor between two looks at the watch.
const AT_ONCE: usize = 2;

/// Losses of many failure sets, before any repair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Losses {
    /// Number of ToRs of the fabric.
    pub tors: usize,
    /// For each failure set that is done and each source, in the order of both: the number of other ToRs that the
    /// source loses. A source that cannot transmit loses all of them.
    pub lost: Vec<u32>,
    /// For each failure set that is done, the sources that cannot transmit, ascending.
    pub failed_sources: Vec<Vec<TorId>>,
}

/// The losses of one failure set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SetFigures {
    /// Number of sources that cannot transmit.
    pub failed_sources: u64,
    /// Number of sources that still transmit and lose a ToR.
    pub sources_hit: u64,
    /// Number of pairs of source and ToR without a copy, those of sources that cannot transmit included.
    pub lost_pairs: u64,
    /// Number of ToRs that a source loses at most, over the sources that still transmit.
    pub most_lost: u64,
    /// Share of all sources that lose no ToR.
    pub unaffected_fraction: f64,
}

impl Losses {
    /// The figures of each set that is done.
    #[allow(clippy::cast_precision_loss, reason = "numbers of ToRs")]
    pub fn figures(&self) -> Vec<SetFigures> {
        let of_set = |(lost, failed): (&[u32], &Vec<TorId>)| {
            let mut sending = lost.to_vec();
            failed.iter().for_each(|source| sending[source.index()] = 0);
            let unaffected = lost.iter().filter(|&&lost| lost == 0).count();
            SetFigures {
                failed_sources: failed.len() as u64,
                sources_hit: sending.iter().filter(|&&lost| lost > 0).count() as u64,
                lost_pairs: lost.iter().map(|&lost| u64::from(lost)).sum(),
                most_lost: sending.into_iter().max().unwrap_or(0).into(),
                unaffected_fraction: unaffected as f64 / self.tors as f64,
            }
        };
        self.lost.chunks_exact(self.tors).zip(&self.failed_sources).map(of_set).collect()
    }
}

/// Recoveries from many failure sets, in their order: those that are done.
pub type Recoveries = Vec<Result<RecoverReport, Error>>;

/// Trees of several sources. Rows are in the order of the sources, and there are fewer of them if the work was stopped.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ManyTrees {
    /// For each source and each cassette, the ToR that relays into it.
    pub relay_rows: Vec<u32>,
    /// For each source and each ToR, the number of splitters on a packet's way to it. 0 for the source.
    pub hops: Vec<u32>,
}

/// The losses of many failure sets. Stopped work returns those of the first sets.
///
/// # Errors
/// [`Error`] if a failure names a part that the fabric does not have, if the tables are too large to list, or if the
/// answer needs too much memory.
pub fn impacts(
    project: &Project,
    failed: &[FailureSet],
    watch: Watch<'_>,
) -> Result<Losses, Error> {
    project.refuse_repaired()?;
    project.check_memory(Work::Routed)?;
    let tors = project.fabric().tors();
    check_numbers(project, failed.len() as u64 * tors as u64)?;
    let rows = project.relay_rows()?;
    let tables = rows.tables().ok_or_else(too_large)?;
    let cuts = |set: &FailureSet| Ok(Cuts::of(&project.damage(set)?));
    let cuts = failed.iter().map(cuts).collect::<Result<Vec<_>, InputError>>()?;
    let mut lost = Vec::with_capacity(cuts.len() * tors);
    for sets in cuts.chunks((LOSSES_AT_ONCE / tors).max(1)) {
        if watch.progress((lost.len() / tors) as u64, cuts.len() as u64).is_err() {
            break;
        }
        let columns = deal(&shares(tors), 1, &mut |_, _| Ok(()), |sources| {
            columns(project, tables, sources.clone(), sets)
        })?;
        let columns = columns.into_iter().collect::<Result<Vec<_>, InputError>>()?.concat();
        for set in 0..sets.len() {
            lost.extend(columns.iter().map(|column| column[set]));
        }
    }
    let done = lost.len() / tors;
    let failed_sources = cuts[..done].iter().map(|cuts| cuts.silent().to_vec()).collect();
    Ok(Losses { tors, lost, failed_sources })
}

/// For each of these sources, its losses by failure set.
fn columns(
    project: &Project,
    tables: &RelayTables,
    sources: Range<usize>,
    sets: &[Cuts],
) -> Result<Vec<Vec<u32>>, InputError> {
    let mut index = SubtreeIndex::new(project.fabric());
    let losses = |source: usize| {
        let source = TorId::at(source);
        index.take(source, tables.row(source)).map_err(InputError::new)?;
        Ok(sets.iter().map(|cuts| index.lost(cuts)).collect())
    };
    sources.map(losses).collect()
}

/// The pairs of source and ToR that a failure set separates, ascending by source and ToR.
///
/// # Errors
/// As of [`impacts`].
pub fn lost_pairs(
    project: &Project,
    failed: &FailureSet,
    watch: Watch<'_>,
) -> Result<Vec<(TorId, TorId)>, Error> {
    project.refuse_repaired()?;
    let rows = project.relay_rows()?;
    let tables = rows.tables().ok_or_else(too_large)?;
    let cuts = Cuts::of(&project.damage(failed)?);
    let mut index = SubtreeIndex::new(project.fabric());
    let mut pairs = Vec::new();
    for source in project.fabric().tor_ids() {
        watch.check()?;
        index.take(source, tables.row(source)).map_err(InputError::new)?;
        pairs.extend(index.lost_tors(&cuts).into_iter().map(|tor| (source, tor)));
    }
    Ok(pairs)
}

/// The recoveries from many failure sets, each as if it were asked alone, with these states proved. A refusal of one
/// set does not end the others. Stopped work returns those of the first sets.
///
/// # Errors
/// [`Error`] if the tables are too large to list.
pub fn recoveries(
    project: &Project,
    failed: &[FailureSet],
    method: Method,
    states: States,
    watch: Watch<'_>,
) -> Result<Recoveries, Error> {
    project.refuse_repaired()?;
    project.check_memory(Work::Recovered)?;
    let base = project.recovery_base()?;
    let mut done = Vec::with_capacity(failed.len());
    // A few at a time, so that those that are done outlive a stop.
    for sets in failed.chunks(AT_ONCE * all_threads().get()) {
        if watch.progress(done.len() as u64, failed.len() as u64).is_err() {
            break;
        }
        done.extend(deal(sets, AT_ONCE, &mut |_, _| Ok(()), |set| {
            Ok(project.recovered_and_proved(&base, set, method, states)?.report)
        })?);
    }
    Ok(done)
}

/// The trees of several sources. Stopped work returns those of the first ones.
///
/// # Errors
/// [`Error`] if a source is not of this fabric, if the router needs tables and the fabric is too large for them, or if
/// the answer needs too much memory.
pub fn trees(project: &Project, sources: &[TorId], watch: Watch<'_>) -> Result<ManyTrees, Error> {
    project.refuse_repaired()?;
    for &source in sources {
        project.check_is_there(source)?;
    }
    let fabric = project.fabric();
    let (tors, cassettes) = (fabric.tors(), fabric.cassettes());
    check_numbers(project, sources.len() as u64 * (tors + cassettes) as u64)?;
    let mut rows = project.relay_rows()?;
    let mut all = ManyTrees::default();
    let mut done = 0;
    for some in sources.chunks(SOURCES_AT_ONCE) {
        if watch.progress(done, sources.len() as u64).is_err() {
            break;
        }
        for &source in some {
            let row = rows.row(source, cassettes);
            let tree = Tree::new(fabric, source, &row).map_err(InputError::new)?;
            let hops = |tor| if tor == source { 0 } else { tree.hops(tor) };
            all.hops.extend(fabric.tor_ids().map(hops));
            all.relay_rows.extend(row.iter().map(|tor| tor.0));
        }
        done += some.len() as u64;
    }
    Ok(all)
}

/// Refuses an answer with this number of numbers if it needs more memory than the design may take.
fn check_numbers(project: &Project, numbers: u64) -> Result<(), InputError> {
    let design = project.design();
    // Twice: they are sorted by source, and then handed over.
    let needed = DataSize::from_bytes(numbers.saturating_mul(2 * size_of::<u32>() as u64));
    design.memory.check(&design.settings, "a table of this many numbers", needed)
}
