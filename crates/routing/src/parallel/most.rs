//! The most sources that can send at line rate at once when their trees are planned for them.
//!
//! q sources and their trees are q edge-disjoint arborescences with any roots, plus one more ToR
//! into each root. So q is possible iff every cassette has q ToRs that transmit into it and q
//! arborescences with free roots fit, which by Frank (1978) is: for disjoint sets X_1 … X_t of
//! cassettes, the ToRs that enter them number at least q (t-1). A greedy reduction of the root
//! counts finds the roots, or the sets that forbid them.

use lightloom_topology::{CassetteId, Fabric, TorId};

use crate::parallel::flow::Network;
use crate::parallel::pack::trees_from;

/// The most sources in parallel, an example, and the proof that no more can.
#[derive(Debug, Clone)]
pub struct ParallelSources {
    /// An example set, ascending; its size is the answer.
    pub sources: Vec<TorId>,
    /// The relay row of each of `sources`; no ToR relays in two of them.
    pub trees: Vec<Vec<TorId>>,
    /// Why one more is impossible.
    pub limit: Limit,
}

/// Why q+1 sources in parallel are impossible.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Limit {
    /// Every ToR is a source already (a fabric of one cassette).
    AllToRs,
    /// Only so many ToRs transmit into this cassette, and every stream needs one of them.
    Cassette {
        /// The cassette.
        cassette: CassetteId,
        /// The ToRs that transmit into it: q.
        transmitters: u32,
    },
    /// The ToRs that enter these disjoint sets are fewer than (q+1) (sets - 1).
    Sets {
        /// Disjoint sets of cassettes.
        sets: Vec<Vec<CassetteId>>,
        /// ToRs that enter one of them from outside it.
        entering: u32,
    },
}

/// The most sources in parallel: at most 2 q flows to each cassette for each q tried.
pub fn parallel_sources(fabric: &Fabric) -> ParallelSources {
    parallel_sources_among(fabric, |_| true)
}

/// The same when only some ToRs transmit. None at all where a cassette has no such transmitter.
pub fn parallel_sources_among(
    fabric: &Fabric,
    transmits: impl Fn(TorId) -> bool,
) -> ParallelSources {
    let all = Network::new(fabric, &transmits);
    if fabric.cassettes() == 1 {
        let sources: Vec<TorId> = fabric.tor_ids().filter(|&tor| transmits(tor)).collect();
        let trees = sources.iter().map(|&s| vec![s]).collect();
        return ParallelSources { sources, trees, limit: Limit::AllToRs };
    }
    let transmitters = |c: CassetteId| {
        let transmitting = fabric.transmitters(c).iter().filter(|&&tor| transmits(tor)).count();
        u32::try_from(transmitting).unwrap_or(u32::MAX)
    };
    let (most, cassette) =
        fabric.cassette_ids().map(|c| (transmitters(c), c)).min().unwrap_or((0, CassetteId(0)));
    let mut limit = Limit::Cassette { cassette, transmitters: most };
    let (roots, why) = most_roots(fabric, &all, most);
    limit = why.unwrap_or(limit);
    let (sources, trees) = choose_sources(fabric, all, &roots, &transmits);
    ParallelSources { sources, trees, limit }
}

/// Only how many: without packing the trees.
pub fn count_parallel_sources_among(fabric: &Fabric, transmits: impl Fn(TorId) -> bool) -> usize {
    let transmitting =
        |c: CassetteId| fabric.transmitters(c).iter().filter(|&&tor| transmits(tor)).count();
    let most = fabric.cassette_ids().map(transmitting).min().unwrap_or(0);
    if fabric.cassettes() == 1 {
        return most;
    }
    let network = Network::new(fabric, &transmits);
    most_roots(fabric, &network, u32::try_from(most).unwrap_or(u32::MAX)).0.len()
}

/// Roots of the most edge-disjoint arborescences, at most `most`, and what forbids one more if it is
/// not that bound.
fn most_roots(
    fabric: &Fabric,
    network: &Network<'_>,
    most: u32,
) -> (Vec<CassetteId>, Option<Limit>) {
    let mut limit = None;
    for q in (1..=most).rev() {
        match free_roots(fabric, network.clone(), q) {
            Ok(roots) => return (roots, limit),
            Err(sets) => limit = Some(sets),
        }
    }
    (Vec::new(), limit)
}

/// How many of q edge-disjoint arborescences may be rooted at each cassette.
fn free_roots(fabric: &Fabric, mut network: Network<'_>, q: u32) -> Result<Vec<CassetteId>, Limit> {
    for cassette in fabric.cassette_ids() {
        *network.supply(cassette) = q;
    }
    // Lower each root count as far as every set around it allows: supply + entering ≥ q.
    for cassette in fabric.cassette_ids() {
        let spare = network.flow(cassette, 2 * q) - q;
        let roots = network.supply(cassette);
        *roots -= spare.min(*roots);
    }
    let mut roots = Vec::new();
    for cassette in fabric.cassette_ids() {
        roots.extend(std::iter::repeat_n(cassette, *network.supply(cassette) as usize));
    }
    if roots.len() > q as usize {
        roots.dedup();
        return Err(tight_sets(fabric, &mut network, &roots));
    }
    // Any further root does no harm; next to the last one, sources share a cassette.
    let last = roots.last().copied().unwrap_or(CassetteId(0));
    roots.resize(q as usize, last);
    Ok(roots)
}

/// The disjoint sets that force a root each: tight cuts around the roots, overlapping ones joined.
fn tight_sets(fabric: &Fabric, network: &mut Network<'_>, roots: &[CassetteId]) -> Limit {
    let mut set_of: Vec<Option<usize>> = vec![None; fabric.cassettes()];
    let mut sets: Vec<Vec<CassetteId>> = Vec::new();
    for &root in roots {
        let (_, mut joined) = network.cut(root);
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
    let free = fabric.tor_ids().filter(|&tor| network.is_free(tor));
    let entering = u32::try_from(free.filter(enters).count()).unwrap_or(u32::MAX);
    Limit::Sets { sets, entering }
}

/// Packs the trees, then gives each root a ToR that no tree uses as its source.
fn choose_sources(
    fabric: &Fabric,
    network: Network<'_>,
    roots: &[CassetteId],
    transmits: &impl Fn(TorId) -> bool,
) -> (Vec<TorId>, Vec<Vec<TorId>>) {
    let trees = trees_from(fabric, network, roots);
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
    chosen.into_iter().unzip()
}
