//! Full fabrics with fewer hops than the usual ones. If the usual digraph misses the bound that
//! counting gives, all other constructions are tried against that bound.

use crate::family::kautz::depth::{least_relays, within};
use crate::family::kautz::digraph::{Digraph, compared};
use crate::family::kautz::ways::{Cost, Edge};

/// Largest product of cassettes and ToRs whose depth is measured: 5,792 ToRs of 1:2 splitters,
/// 8,192 of 1:4. The time to measure grows with this product. Larger fabrics keep the usual
/// digraph.
const MEASURED: u64 = 1 << 24;

/// Number of loop exchanges that are tried on one digraph. They differ in load and hardly ever in
/// depth.
const EXCHANGES: usize = 16;

/// Digraphs x → a x + b with one offset b for each of the p edges: p, vertices, a, offsets.
///
/// At these sizes all other constructions of the same depth load some relay beyond 1.5 times the
/// mean. Found by `cargo run --release -p lightloom-routing --example kautz_multipliers`, which
/// tries every multiplier and prints the offsets with the least relay load.
const MULTIPLIERS: [(u32, u32, u32, &[u32]); 3] = [
    (5, 20, 11, &[0, 6, 7, 8, 10]),
    (7, 35, 6, &[0, 19, 3, 22, 6, 25, 9]),
    (8, 48, 20, &[0, 1, 2, 3, 4, 5, 6, 7]),
];

/// The edges of a digraph that reaches the bound that counting gives, if the `usual` one misses it.
/// `None` if no construction reaches it, or if `usual` does.
///
/// The usual digraph is never more than one relay beyond that bound.
pub(super) fn fewer_hops(p: u32, n: u32, usual: &[Edge]) -> Option<Vec<Edge>> {
    let relays = least_relays(p, n);
    let size = u64::from(n) * usual.len() as u64;
    if size > MEASURED || within(n, usual, relays) {
        return None;
    }
    of_depth(p, n, relays).map(|digraph| digraph.edges())
}

/// A digraph of `n` vertices with at most `relays` relays between any two: the one with the least
/// load if there are few cassettes to compare, else the first.
fn of_depth(p: u32, n: u32, relays: u32) -> Option<Digraph> {
    let fits = |digraph: &Digraph| {
        let edges = digraph.edges();
        edges.iter().all(|(from, to)| from != to) && within(n, &edges, relays)
    };
    let mut fit = constructions(p, n, relays).filter(fits);
    if compared(p, n) {
        fit.min_by_key(|digraph| Cost::of(p, n, &digraph.edges()))
    } else {
        fit.next()
    }
}

/// The candidates, those with more even loads first. Some have loops or are deeper.
fn constructions(p: u32, n: u32, relays: u32) -> Box<dyn Iterator<Item = Digraph>> {
    if n <= p + 1 {
        return Box::new(std::iter::once(Digraph::circulant(p, n, n - 1)));
    }
    let listed = MULTIPLIERS.iter().filter(move |entry| (entry.0, entry.1) == (p, n));
    let listed =
        listed.map(move |&(.., a, offsets)| Digraph::affine(p, n, a, offsets).exchanged(1));
    let is_line = n.is_multiple_of(p) && relays > 0;
    let base = if is_line { of_depth(p, n / p, relays - 1) } else { None };
    let line = base.map(|base| base.line());
    let plain = [Digraph::imase_itoh, Digraph::de_bruijn];
    let exchanged = plain.into_iter().flat_map(move |construct| {
        let digraph = construct(p, n);
        let shifts = digraph.loops.len().clamp(2, EXCHANGES);
        (1..shifts).map(move |shift| digraph.exchanged(shift))
    });
    let pinched = plain.into_iter().filter_map(move |construct| {
        construct(p, n - 1).pinched().map(|digraph| digraph.exchanged(1))
    });
    Box::new(listed.chain(line).chain(exchanged).chain(pinched))
}
