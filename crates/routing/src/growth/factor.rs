//! Sets of edges of which no two share a tail or a head.

/// A largest set of these edges of which no two share a tail or a head, ascending. Earlier edges are preferred.
/// `cassettes` is the number of cassettes. (Kuhn's algorithm: augmenting ways in the bipartite graph of tails and
/// heads.)
pub(super) fn largest(cassettes: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut by_tail = vec![Vec::new(); cassettes];
    for (edge, &(tail, _)) in edges.iter().enumerate() {
        by_tail[tail].push(edge);
    }
    // The chosen edge into each head.
    let mut chosen: Vec<Option<usize>> = vec![None; cassettes];
    let mut seen = vec![usize::MAX; cassettes];
    for tail in 0..cassettes {
        augment(tail, tail, edges, &by_tail, &mut chosen, &mut seen);
    }
    let mut set: Vec<usize> = chosen.into_iter().flatten().collect();
    set.sort_unstable();
    set
}

/// Adds an edge that leaves `tail`, and moves chosen edges out of its way. Searches depth first, without
/// recursion: long ways would exhaust the stack.
fn augment(
    tail: usize,
    round: usize,
    edges: &[(usize, usize)],
    by_tail: &[Vec<usize>],
    chosen: &mut [Option<usize>],
    seen: &mut [usize],
) -> bool {
    // Tails on the way, each with the next of its edges to try.
    let mut way = vec![(tail, 0)];
    while let Some((at, next)) = way.last_mut() {
        let Some(&edge) = by_tail[*at].get(*next) else {
            way.pop();
            continue;
        };
        *next += 1;
        let head = edges[edge].1;
        if std::mem::replace(&mut seen[head], round) == round {
            continue;
        }
        match chosen[head] {
            Some(taken) => way.push((edges[taken].0, 0)),
            None => {
                for &(at, next) in &way {
                    let edge = by_tail[at][next - 1];
                    chosen[edges[edge].1] = Some(edge);
                }
                return true;
            }
        }
    }
    false
}

/// Splits edges into sets of which no two edges share a tail or a head. Large sets come first.
pub(super) fn split(cassettes: usize, edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let mut rest: Vec<usize> = (0..edges.len()).collect();
    let mut sets = Vec::new();
    while !rest.is_empty() {
        let left: Vec<(usize, usize)> = rest.iter().map(|&edge| edges[edge]).collect();
        let set = largest(cassettes, &left);
        let mut taken = vec![false; rest.len()];
        for &i in &set {
            taken[i] = true;
        }
        sets.push(set.into_iter().map(|i| rest[i]).collect());
        rest = rest.iter().zip(taken).filter(|(_, taken)| !taken).map(|(&edge, _)| edge).collect();
    }
    sets
}
