//! Digraphs with p outgoing and p incoming edges at every vertex, and the steps that make larger
//! ones from smaller ones.

use crate::family::kautz::ways::{Cost, Edge};

/// Whether a fabric of `n` cassettes is small enough to compare constructions.
pub(super) fn compared(p: u32, n: u32) -> bool {
    n <= 64 && n * p <= 512
}

/// Number of bases that are tried.
const BASES: usize = 8;

/// A digraph for a full fabric: it has no loops if it has two vertices or more.
#[derive(Debug, Clone)]
pub(super) struct Digraph {
    pub(super) p: u32,
    pub(super) vertices: u32,
    /// `heads[p x + i]` is the head of edge i of vertex x.
    heads: Vec<u32>,
    /// The edges that were loops of the Imase-Itoh digraph, ascending.
    pub(super) loops: Vec<usize>,
}

impl Digraph {
    /// The candidate digraphs of `n` vertices, the usual one first; never empty.
    fn candidates(p: u32, n: u32) -> Vec<Self> {
        let compared = compared(p, n);
        if n <= p + 1 {
            let all = n.saturating_sub(1).max(1);
            let least = if compared { 1 } else { all };
            return (least..=all).rev().map(|others| Self::circulant(p, n, others)).collect();
        }
        let mut candidates: Vec<Self> = if n.is_multiple_of(p) {
            Self::bases(p, n / p).iter().map(Self::line).collect()
        } else {
            let digraph = Self::imase_itoh(p, n);
            let shifts = if compared { digraph.loops.len().max(2) } else { 2 };
            (1..shifts).map(|shift| digraph.exchanged(shift)).collect()
        };
        if compared {
            candidates.extend(Self::imase_itoh(p, n - 1).pinched());
        }
        candidates
    }

    /// The candidate digraphs for `tors` ToRs. If seats stay empty, Imase and Itoh's own digraph
    /// can have fewer hops, because its former loops can be left out. It then goes first.
    pub(super) fn to_seat(p: u32, n: u32, tors: u32) -> Vec<Self> {
        let mut candidates = Self::candidates(p, n);
        if n > p + 1 && n.is_multiple_of(p) && tors < n * p {
            let plain = Self::imase_itoh(p, n);
            if plain.loops.len() >= (n * p - tors) as usize {
                candidates.insert(0, plain.exchanged(1));
            }
        }
        candidates
    }

    /// The candidates, best base of larger digraphs first. A base must stay below the bound,
    /// because its line digraphs come a little closer to the bound.
    fn bases(p: u32, n: u32) -> Vec<Self> {
        let mut candidates = Self::candidates(p, n);
        if compared(p, n) && candidates.len() > 1 {
            let mut by_cost: Vec<(Cost, Self)> = candidates
                .into_iter()
                .map(|digraph| (Cost::of(p, n, &digraph.edges()), digraph))
                .collect();
            by_cost.sort_by_key(|(cost, _)| (cost.overload > 0, *cost));
            let fit = by_cost.iter().take_while(|(cost, _)| cost.overload == 0).count().max(1);
            candidates = by_cost.into_iter().take(fit).map(|(_, digraph)| digraph).collect();
        }
        candidates.truncate(BASES);
        candidates
    }

    /// Edges from every vertex to its `others` successors, as evenly as p allows.
    pub(super) fn circulant(p: u32, n: u32, others: u32) -> Self {
        let heads = (0..n).flat_map(|x| (0..p).map(move |i| (x + 1 + i % others) % n)).collect();
        Self { p, vertices: n, heads, loops: Vec::new() }
    }

    /// Edge m = 1 … p from x to (-(p x) - m) mod n. So the head of edge p x + m - 1 is minus one
    /// more than its number.
    pub(super) fn imase_itoh(p: u32, n: u32) -> Self {
        Self::with_loops(p, n, (0..n * p).map(|edge| n - 1 - edge % n).collect())
    }

    /// The generalised de Bruijn digraph: edge i = 0 … p-1 from x to p x + i mod n. So the head of
    /// an edge is its number.
    pub(super) fn de_bruijn(p: u32, n: u32) -> Self {
        Self::with_loops(p, n, (0..n * p).map(|edge| edge % n).collect())
    }

    /// An edge from every x to a x + b mod n for each of the p offsets b.
    pub(super) fn affine(p: u32, n: u32, a: u32, offsets: &[u32]) -> Self {
        let heads = (0..n).flat_map(|x| offsets.iter().map(move |b| (a * x + b) % n)).collect();
        Self::with_loops(p, n, heads)
    }

    fn with_loops(p: u32, n: u32, heads: Vec<u32>) -> Self {
        let loops = (0..heads.len()).filter(|&edge| heads[edge] as usize == edge / p as usize);
        Self { p, vertices: n, loops: loops.collect(), heads }
    }

    /// Gives every loop the head of another loop, `shift` places on. n > p, so no vertex has two.
    pub(super) fn exchanged(&self, shift: usize) -> Self {
        let mut new = self.clone();
        for (&edge, &other) in self.loops.iter().zip(self.loops.iter().cycle().skip(shift)) {
            new.heads[edge] = self.heads[other];
        }
        new
    }

    /// Adds one vertex and leads p loops through it: a → a becomes a → new → a. Pinching p edges
    /// keeps p edge-disjoint ways (Mader). Loops beyond p stay. None if there are fewer loops.
    pub(super) fn pinched(mut self) -> Option<Self> {
        let more = self.loops.get(self.p as usize..)?.to_vec();
        self.loops.truncate(self.p as usize);
        for edge in std::mem::replace(&mut self.loops, more) {
            let vertex = std::mem::replace(&mut self.heads[edge], self.vertices);
            self.heads.push(vertex);
        }
        self.vertices += 1;
        Some(self)
    }

    /// The line digraph: edges become vertices. An edge leads to all edges that begin at its head.
    /// The order makes Imase-Itoh digraphs from Imase-Itoh digraphs.
    pub(super) fn line(&self) -> Self {
        let p = self.p;
        let heads = self.heads.iter().flat_map(|&head| (0..p).rev().map(move |i| p * head + i));
        Self { p, vertices: self.vertices * p, heads: heads.collect(), loops: Vec::new() }
    }

    /// The edges, by their tails.
    pub(super) fn edges(&self) -> Vec<Edge> {
        let tails = (0..self.vertices).flat_map(|x| std::iter::repeat_n(x, self.p as usize));
        tails.zip(self.heads.iter().copied()).collect()
    }
}
