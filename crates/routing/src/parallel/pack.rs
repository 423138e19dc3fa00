//! Edge-disjoint trees for given sources, after Lovász's proof of Edmonds's theorem (J. Combin. Theory B 21,
//! 1976).

use std::collections::{BTreeSet, VecDeque};

use lightloom_topology::{CassetteId, Fabric, TorId};
use lightloom_watch::{Stopped, Watch};

use crate::parallel::flow::FlowGraph;
use crate::parallel::search::{Search, SoFar};

/// Proof that some sources cannot send at the same time: a set X of cassettes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forbidden {
    /// The set X, ascending.
    pub cassettes: Vec<CassetteId>,
    /// Number of ToRs that enter X from outside and are not sources.
    pub entering: u32,
    /// Number of sources that transmit into X.
    pub rooted_inside: u32,
    /// Number that the other two must add up to: the number of sources.
    pub needed: u32,
}

/// Relay rows of edge-disjoint trees, one per source, or the cassettes that forbid them. The sources must be
/// distinct. With T ToRs and q sources it takes at most 2 q T flows of at most q units.
///
/// # Errors
/// [`Forbidden`] if no such trees exist.
///
/// # Panics
/// Panics if a source is not in the fabric or is given twice.
pub fn trees_for(fabric: &Fabric, sources: &[TorId]) -> Result<Vec<Vec<TorId>>, Forbidden> {
    trees_for_watched(fabric, sources, Watch::quiet()).expect("a quiet watch never stops the work")
}

/// As [`trees_for`]. The watch receives the steps, and the trees that are found so far.
///
/// # Errors
/// [`Stopped`] if the watch stops the work. The inner error is [`Forbidden`].
///
/// # Panics
/// As [`trees_for`].
pub fn trees_for_watched(
    fabric: &Fabric,
    sources: &[TorId],
    watch: Watch<'_, SoFar>,
) -> Result<Result<Vec<Vec<TorId>>, Forbidden>, Stopped> {
    let distinct: BTreeSet<&TorId> = sources.iter().collect();
    assert_eq!(distinct.len(), sources.len(), "a source is given twice");
    let mut graph = FlowGraph::new(fabric, |_| true);
    for &source in sources {
        graph.take(source);
        *graph.supply(fabric.transmits_into(source)) += 1;
    }
    let needed = count(sources.len());
    let mut search = Search::new(fabric, needed, watch.step());
    for cassette in fabric.cassette_ids() {
        search.step()?;
        if graph.flow(cassette, needed) < needed {
            let (flow, cassettes) = graph.cut(cassette);
            let inside = |s: &&TorId| cassettes.binary_search(&fabric.transmits_into(**s)).is_ok();
            let rooted_inside = count(sources.iter().filter(inside).count());
            let entering = flow - rooted_inside;
            return Ok(Err(Forbidden { cassettes, entering, rooted_inside, needed }));
        }
    }
    let roots: Vec<CassetteId> = sources.iter().map(|&s| fabric.transmits_into(s)).collect();
    let own = |rows: &[Vec<TorId>]| {
        let mut rows = rows.to_vec();
        for ((row, root), &source) in rows.iter_mut().zip(&roots).zip(sources) {
            row[root.index()] = source;
        }
        rows
    };
    let found = |rows: &[Vec<TorId>]| {
        watch.so_far(|| SoFar { at_least: needed, at_most: needed, rows: own(rows) });
    };
    let trees = grow_all(fabric, &mut graph, &roots, (&mut search, &found))?;
    Ok(Ok(own(&trees)))
}

/// Edge-disjoint spanning trees from roots for which they exist, over the ToRs of a graph without supply.
/// The entry of a row for its own root has no meaning.
pub(super) fn trees_from(
    fabric: &Fabric,
    mut graph: FlowGraph<'_>,
    roots: &[CassetteId],
    search: &mut Search<'_>,
) -> Result<Vec<Vec<TorId>>, Stopped> {
    for &root in roots {
        *graph.supply(root) += 1;
    }
    grow_all(fabric, &mut graph, roots, (search, &|_| {}))
}

/// Receives the trees that are found so far.
type Found<'a> = &'a dyn Fn(&[Vec<TorId>]);

fn grow_all(
    fabric: &Fabric,
    graph: &mut FlowGraph<'_>,
    roots: &[CassetteId],
    (search, found): (&mut Search<'_>, Found<'_>),
) -> Result<Vec<Vec<TorId>>, Stopped> {
    let mut trees = Vec::with_capacity(roots.len());
    for (done, &root) in roots.iter().enumerate() {
        found(&trees);
        *graph.supply(root) -= 1;
        trees.push(grow(fabric, graph, (root, count(roots.len() - done - 1)), search)?);
    }
    found(&trees);
    Ok(trees)
}

/// One spanning tree from `root`, found breadth first, after which the graph can still carry `later` more.
///
/// A ToR that cannot be spared at its first test is on a cut that stays tight while this tree grows. So each
/// ToR is tested once per tree.
fn grow(
    fabric: &Fabric,
    graph: &mut FlowGraph<'_>,
    (root, later): (CassetteId, u32),
    search: &mut Search<'_>,
) -> Result<Vec<TorId>, Stopped> {
    let mut row = vec![None; fabric.cassettes()];
    row[root.index()] = Some(TorId(0));
    let mut queue = VecDeque::from([root]);
    while let Some(from) = queue.pop_front() {
        search.step()?;
        for &relay in fabric.receivers(from) {
            let to = fabric.transmits_into(relay);
            if row[to.index()].is_some() || !graph.is_free(relay) {
                continue;
            }
            graph.take(relay);
            if graph.flow(to, later) == later {
                row[to.index()] = Some(relay);
                queue.push_back(to);
            } else {
                graph.give_back(relay);
            }
        }
    }
    let spanning: Option<Vec<TorId>> = row.into_iter().collect();
    // By Lovász's proof, some ToR can be spared while the tree does not span.
    Ok(spanning.expect("Edmonds's condition was checked, so the tree spans"))
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
