//! Minimum-cost arborescences (Chu and Liu 1965, Edmonds 1967), by contraction.

/// An edge into `head`, with a cost.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    pub(super) tail: usize,
    pub(super) head: usize,
    pub(super) cost: u64,
}

/// For each vertex except the root, the edge (an index into `edges`) of a cheapest arborescence over
/// `vertices` vertices. Ties go to the earlier edge. `None`: some vertex cannot be reached.
pub(super) fn cheapest(vertices: usize, root: usize, edges: &[Edge]) -> Option<Vec<Option<usize>>> {
    let mut best: Vec<Option<usize>> = vec![None; vertices];
    for (i, edge) in edges.iter().enumerate() {
        let better = |old: usize| edge.cost < edges[old].cost;
        if edge.head != root && edge.tail != edge.head && best[edge.head].is_none_or(better) {
            best[edge.head] = Some(i);
        }
    }
    if (0..vertices).any(|v| v != root && best[v].is_none()) {
        return None;
    }
    let Some(cycle_of) = cycles(vertices, &best, edges) else { return Some(best) };
    // Each cycle becomes one vertex. Entering it at v costs the difference to v's edge on the cycle.
    let count = cycle_of.iter().max().map_or(0, |&last| last + 1);
    let mut kept = Vec::new();
    let mut contracted = Vec::new();
    for (i, edge) in edges.iter().enumerate() {
        let (tail, head) = (cycle_of[edge.tail], cycle_of[edge.head]);
        if tail != head {
            let saved = best[edge.head].map_or(0, |b| edges[b].cost);
            contracted.push(Edge { tail, head, cost: edge.cost - saved });
            kept.push(i);
        }
    }
    let inner = cheapest(count, cycle_of[root], &contracted)?;
    for chosen in inner.into_iter().flatten() {
        let edge = kept[chosen];
        best[edges[edge].head] = Some(edge);
    }
    Some(best)
}

/// The contracted vertex of each vertex if the chosen edges have cycles. `None`: no cycle.
fn cycles(vertices: usize, best: &[Option<usize>], edges: &[Edge]) -> Option<Vec<usize>> {
    const NONE: usize = usize::MAX;
    let mut visited_by = vec![NONE; vertices];
    let mut cycle_of = vec![NONE; vertices];
    let mut count = 0;
    for start in 0..vertices {
        let mut at = start;
        while visited_by[at] == NONE {
            visited_by[at] = start;
            match best[at] {
                Some(edge) => at = edges[edge].tail,
                None => break,
            }
        }
        if visited_by[at] == start && best[at].is_some() && cycle_of[at] == NONE {
            // The walk met itself: the vertices from here on form one cycle.
            let first = at;
            loop {
                cycle_of[at] = count;
                match best[at] {
                    Some(edge) => at = edges[edge].tail,
                    None => break,
                }
                if at == first {
                    break;
                }
            }
            count += 1;
        }
    }
    if count == 0 {
        return None;
    }
    for vertex in cycle_of.iter_mut().filter(|c| **c == NONE) {
        *vertex = count;
        count += 1;
    }
    Some(cycle_of)
}
