//! Digraphs x → a x + b with the least relay load at a given depth, for the table of multipliers in
//! `topology/src/family/kautz/shallow.rs`: every multiplier a, and for the offsets b every
//! arithmetic progression; every set of p offsets where no progression keeps below 1.5 times the mean.
//!
//!     cargo run --release -p lightloom-routing --example kautz_multipliers

use lightloom_routing::Balanced;
use lightloom_topology::family::custom;
use lightloom_topology::search::BreadthFirst;
use lightloom_topology::{CassetteId, Fabric, TorId};

/// p, cassettes, and the relays between the farthest cassettes.
const WANTED: [(u32, u32, u32); 3] = [(5, 20, 2), (7, 35, 2), (8, 48, 2)];

/// The digraph with its loops exchanged, each to the head of the next. `None` if a loop remains, if
/// not p edges enter each vertex, or if it is too deep.
fn fabric(n: u32, relays: u32, a: u32, offsets: &[u32]) -> Option<Fabric> {
    let mut edges: Vec<(u32, u32)> =
        (0..n).flat_map(|x| offsets.iter().map(move |b| (x, (a * x + b) % n))).collect();
    let entering = |v| edges.iter().filter(|edge| edge.1 == v).count();
    if (0..n).any(|v| entering(v) != offsets.len()) {
        return None;
    }
    let loops: Vec<usize> = (0..edges.len()).filter(|&e| edges[e].0 == edges[e].1).collect();
    let heads: Vec<u32> = loops.iter().map(|&e| edges[e].1).collect();
    for (&edge, &head) in loops.iter().zip(heads.iter().cycle().skip(1)) {
        edges[edge].1 = head;
    }
    let entry = |(t, (from, to))| (TorId(t), CassetteId(from), CassetteId(to));
    let entries: Vec<_> = (0..).zip(edges).map(entry).collect();
    if entries.iter().any(|(_, from, to)| from == to) {
        return None;
    }
    let fabric = custom(u32::try_from(offsets.len()).ok()?, &entries).ok()?;
    let mut search = BreadthFirst::default();
    let near = fabric.cassette_ids().all(|root| {
        search.run(&fabric, root);
        fabric.cassette_ids().all(|c| search.depth(c) <= relays)
    });
    near.then_some(fabric)
}

fn progressions(p: u32, n: u32) -> Vec<Vec<u32>> {
    let starts = (1..n).flat_map(|step| (0..n).map(move |first| (step, first)));
    starts.map(|(step, first)| (0..p).map(|i| (first + i * step) % n).collect()).collect()
}

fn all_sets(p: u32, n: u32) -> Vec<Vec<u32>> {
    let sets = (0_u32..1 << n).filter(|set| set.count_ones() == p);
    sets.map(|set| (0..n).filter(|b| set >> b & 1 == 1).collect()).collect()
}

type Best = (u32, u32, Vec<u32>);

fn best(n: u32, relays: u32, sets: &[Vec<u32>]) -> Option<Best> {
    let tries = (0..n).flat_map(|a| sets.iter().map(move |offsets| (a, offsets)));
    let loads = tries.filter_map(|(a, offsets)| {
        let fabric = fabric(n, relays, a, offsets)?;
        let load = Balanced::new(&fabric).into_tables().load(&fabric).max();
        Some((load, a, offsets.clone()))
    });
    loads.min()
}

#[allow(clippy::print_stdout, reason = "it is a program")]
fn main() {
    for (p, n, relays) in WANTED {
        let even = |best: &Best| 2 * best.0 < 3 * n;
        let found = best(n, relays, &progressions(p, n)).filter(even);
        match found.or_else(|| best(n, relays, &all_sets(p, n))) {
            Some((load, a, offsets)) => {
                println!("({p}, {n}, {a}, &{offsets:?}), greatest load {load} of {n}");
            }
            None => println!("p = {p}, n = {n}: none within {relays} relays"),
        }
    }
}
