//! Largest number of sources that can send at line rate at the same time if their trees are planned for them.
//!
//! q sources with their trees are q edge-disjoint arborescences with any roots, plus one more ToR into each
//! root. So q is possible iff every cassette has q transmitting ToRs and q arborescences with free roots
//! exist. By Frank (1978) the latter holds iff, for all disjoint sets X_1 … X_t of cassettes, at least q
//! (t-1) ToRs enter them. A greedy reduction of the root counts finds the roots, or the sets that forbid
//! them.

use lightloom_topology::{CassetteId, Fabric, TorId};
use lightloom_watch::{Stopped, Watch};

use crate::failure::Damage;
use crate::parallel::flow::FlowGraph;
use crate::parallel::pack::trees_from;
use crate::parallel::search::{Search, SoFar};

/// Largest number of parallel sources: an example, and the proof that no more are possible.
#[derive(Debug, Clone)]
pub struct ParallelSources {
    /// An example, ascending. Its length is the largest number.
    pub sources: Vec<TorId>,
    /// The relay row of each source in `sources`. No ToR relays in two rows.
    pub trees: Vec<Vec<TorId>>,
    /// Why one more source is impossible.
    pub limit: Limit,
}

/// Why q+1 parallel sources are impossible.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Limit {
    /// Every ToR is already a source (a fabric with one cassette).
    AllToRs,
    /// Every stream needs one of the ToRs that transmit into this cassette, and there are only q.
    Cassette {
        /// The cassette.
        cassette: CassetteId,
        /// Number of ToRs that transmit into it: q.
        transmitters: u32,
    },
    /// Fewer than (q+1) (sets - 1) ToRs enter these disjoint sets.
    Sets {
        /// Disjoint sets of cassettes.
        sets: Vec<Vec<CassetteId>>,
        /// Number of ToRs that enter one of the sets from outside.
        entering: u32,
    },
}

/// Finds the largest number of parallel sources. Takes at most 2 q flows to each cassette for each q that it
/// tries.
pub fn parallel_sources(fabric: &Fabric) -> ParallelSources {
    parallel_sources_among(fabric, |_| true)
}

/// As [`parallel_sources`]. The watch receives the steps, and between which bounds the number is so far.
///
/// # Errors
/// [`Stopped`] if the watch stops the work.
pub fn parallel_sources_watched(
    fabric: &Fabric,
    watch: Watch<'_, SoFar>,
) -> Result<ParallelSources, Stopped> {
    among(fabric, |_| true, watch)
}

/// Like [`parallel_sources`], if only some ToRs transmit. `None`: some cassette has no such transmitter.
pub fn parallel_sources_among(
    fabric: &Fabric,
    transmits: impl Fn(TorId) -> bool,
) -> ParallelSources {
    among(fabric, transmits, Watch::quiet()).expect("a quiet watch never stops the work")
}

fn among(
    fabric: &Fabric,
    transmits: impl Fn(TorId) -> bool,
    watch: Watch<'_, SoFar>,
) -> Result<ParallelSources, Stopped> {
    let all = FlowGraph::new(fabric, &transmits);
    if fabric.cassettes() == 1 {
        let sources: Vec<TorId> = fabric.tor_ids().filter(|&tor| transmits(tor)).collect();
        let trees = sources.iter().map(|&s| vec![s]).collect();
        return Ok(ParallelSources { sources, trees, limit: Limit::AllToRs });
    }
    let transmitters = |c: CassetteId| {
        let transmitting = fabric.transmitters(c).iter().filter(|&&tor| transmits(tor)).count();
        u32::try_from(transmitting).unwrap_or(u32::MAX)
    };
    let (most, cassette) =
        fabric.cassette_ids().map(|c| (transmitters(c), c)).min().unwrap_or((0, CassetteId(0)));
    let mut limit = Limit::Cassette { cassette, transmitters: most };
    let cassettes: Vec<CassetteId> = fabric.cassette_ids().collect();
    let mut search = Search::new(fabric, most, watch.step());
    let bounds = |at_least, at_most| {
        watch.so_far(|| SoFar { at_least, at_most, rows: Vec::new() });
    };
    let (roots, why) = most_roots(fabric, &all, (&cassettes, most), (&mut search, &bounds))?;
    limit = why.unwrap_or(limit);
    let (sources, trees) = choose_sources(fabric, all, &roots, (&transmits, &mut search))?;
    Ok(ParallelSources { sources, trees, limit })
}

/// Only the number of parallel sources, without their trees.
pub fn count_parallel_sources_among(fabric: &Fabric, transmits: impl Fn(TorId) -> bool) -> usize {
    count(fabric, &transmits, &fabric.cassette_ids().collect::<Vec<_>>())
}

/// Number of parallel sources over a damaged fabric, each to every cassette that feeds a ToR with power. 0 if some of
/// these cassettes are cut off. Only ToRs that still light all their receivers with power are used, so where single
/// branches or receivers have failed, more sources may be possible.
pub fn count_parallel_sources_over(damage: &Damage<'_>) -> usize {
    let fabric = damage.fabric();
    let has_power = |cassette: &CassetteId| {
        fabric.receivers(*cassette).iter().any(|&tor| damage.has_power(tor))
    };
    // Nobody waits for light in the other cassettes, and their receivers relay nothing.
    let cassettes: Vec<CassetteId> = fabric.cassette_ids().filter(has_power).collect();
    count(fabric, &|tor| damage.serves_alone(tor), &cassettes)
}

/// Number of parallel sources if only some ToRs transmit, and if each stream must enter only some cassettes.
fn count(fabric: &Fabric, transmits: &impl Fn(TorId) -> bool, cassettes: &[CassetteId]) -> usize {
    let transmitting =
        |c: &CassetteId| fabric.transmitters(*c).iter().filter(|&&tor| transmits(tor)).count();
    let most = cassettes.iter().map(transmitting).min().unwrap_or(0);
    if cassettes.len() == 1 {
        return most;
    }
    let graph = FlowGraph::new(fabric, transmits);
    let most = u32::try_from(most).unwrap_or(u32::MAX);
    let mut search = Search::new(fabric, most, Watch::quiet());
    let found = most_roots(fabric, &graph, (cassettes, most), (&mut search, &|_, _| {}));
    found.expect("a quiet watch never stops the work").0.len()
}

/// Roots of the most edge-disjoint arborescences that span `cassettes`, at most `most`. If there are fewer, also the
/// reason why one more is impossible.
fn most_roots(
    fabric: &Fabric,
    graph: &FlowGraph<'_>,
    (cassettes, most): (&[CassetteId], u32),
    (search, bounds): (&mut Search<'_>, Bounds<'_>),
) -> Result<(Vec<CassetteId>, Option<Limit>), Stopped> {
    let mut limit = None;
    for q in (1..=most).rev() {
        bounds(0, q);
        match free_roots(fabric, graph.clone(), (cassettes, q), search)? {
            Ok(roots) => {
                bounds(q, q);
                return Ok((roots, limit));
            }
            Err(sets) => limit = Some(sets),
        }
    }
    bounds(0, 0);
    Ok((Vec::new(), limit))
}

/// Receives between which bounds the number of parallel sources is.
type Bounds<'a> = &'a dyn Fn(u32, u32);

/// For each of q edge-disjoint arborescences, a cassette for its root.
fn free_roots(
    fabric: &Fabric,
    mut graph: FlowGraph<'_>,
    (cassettes, q): (&[CassetteId], u32),
    search: &mut Search<'_>,
) -> Result<Result<Vec<CassetteId>, Limit>, Stopped> {
    for &cassette in cassettes {
        *graph.supply(cassette) = q;
    }
    // Lowers each root count as far as every set around it allows: supply + entering ≥ q.
    for &cassette in cassettes {
        search.step()?;
        let spare = graph.flow(cassette, 2 * q) - q;
        let roots = graph.supply(cassette);
        *roots -= spare.min(*roots);
    }
    let mut roots = Vec::new();
    for &cassette in cassettes {
        roots.extend(std::iter::repeat_n(cassette, *graph.supply(cassette) as usize));
    }
    if roots.len() > q as usize {
        roots.dedup();
        return Ok(Err(tight_sets(fabric, &mut graph, &roots)));
    }
    // Any further root is harmless. Next to the last one, sources share a cassette.
    let last = roots.last().copied().unwrap_or(CassetteId(0));
    roots.resize(q as usize, last);
    Ok(Ok(roots))
}

/// Disjoint sets that need a root each: tight cuts around the roots. Overlapping cuts are joined.
fn tight_sets(fabric: &Fabric, graph: &mut FlowGraph<'_>, roots: &[CassetteId]) -> Limit {
    let mut set_of: Vec<Option<usize>> = vec![None; fabric.cassettes()];
    let mut sets: Vec<Vec<CassetteId>> = Vec::new();
    for &root in roots {
        let (_, mut joined) = graph.cut(root);
        let mut others: Vec<usize> = joined.iter().filter_map(|c| set_of[c.index()]).collect();
        others.sort_unstable();
        others.dedup();
        for other in others {
            joined.append(&mut sets[other]);
        }
        joined.sort_unstable();
        joined.dedup();
        for cassette in &joined {
            set_of[cassette.index()] = Some(sets.len());
        }
        sets.push(joined);
    }
    sets.retain(|set| !set.is_empty());
    let enters = |tor: &TorId| {
        let inside = |c: CassetteId| sets.iter().position(|s| s.binary_search(&c).is_ok());
        let to = inside(fabric.transmits_into(*tor));
        to.is_some() && to != inside(fabric.receives_from(*tor))
    };
    let free = fabric.tor_ids().filter(|&tor| graph.is_free(tor));
    let entering = u32::try_from(free.filter(enters).count()).unwrap_or(u32::MAX);
    Limit::Sets { sets, entering }
}

/// Packs the trees. Then gives each root a source: a ToR that no tree uses.
fn choose_sources(
    fabric: &Fabric,
    graph: FlowGraph<'_>,
    roots: &[CassetteId],
    (transmits, search): (&impl Fn(TorId) -> bool, &mut Search<'_>),
) -> Result<(Vec<TorId>, Vec<Vec<TorId>>), Stopped> {
    let trees = trees_from(fabric, graph, roots, search)?;
    let mut used = vec![false; fabric.tors()];
    for (row, root) in trees.iter().zip(roots) {
        for (cassette, relay) in row.iter().enumerate() {
            used[relay.index()] |= cassette != root.index();
        }
    }
    let mut chosen: Vec<(TorId, Vec<TorId>)> = Vec::new();
    for (mut row, &root) in trees.into_iter().zip(roots) {
        let mut transmitters = fabric.transmitters(root).iter();
        let unused = transmitters.find(|t| transmits(**t) && !used[t.index()]);
        let Some(&source) = unused else { continue };
        used[source.index()] = true;
        row[root.index()] = source;
        chosen.push((source, row));
    }
    chosen.sort_unstable_by_key(|c| c.0);
    Ok(chosen.into_iter().unzip())
}
