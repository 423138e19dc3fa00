//! No construction of a full fabric is shallower than kautz, for every number of ToRs up to 5,000
//! that p divides, p from 2 to 8. The test implements the constructions again from their formulas:
//! Imase-Itoh, generalised de Bruijn and circulant digraphs, their loops exchanged by every
//! rotation or led through a new cassette, and line digraphs of the best digraph at n/p.

use lightloom_topology::family::{kautz, moore_bound};

type Edge = (usize, usize);

/// Whether light from every cassette reaches all others within `relays` relays. It spreads the
/// light of 64 cassettes at a time, one bit each.
fn is_within(n: usize, edges: &[Edge], relays: u32) -> bool {
    let mut sources = (0..n).collect::<Vec<_>>();
    while !sources.is_empty() {
        let some = sources.split_off(sources.len().saturating_sub(64));
        let mut lit = vec![0_u64; n];
        some.iter().enumerate().for_each(|(bit, &source)| lit[source] |= 1 << bit);
        for _ in 0..relays {
            let before = lit.clone();
            for &(from, to) in edges {
                lit[to] |= before[from];
            }
        }
        if lit.iter().any(|bits| bits.count_ones() as usize != some.len()) {
            return false;
        }
    }
    true
}

fn loops(edges: &[Edge]) -> Vec<usize> {
    (0..edges.len()).filter(|&e| edges[e].0 == edges[e].1).collect()
}

/// The loops `places` exchange heads by rotation.
fn rotated(edges: &[Edge], places: &[usize], shift: usize) -> Vec<Edge> {
    let mut new = edges.to_vec();
    for (i, &place) in places.iter().enumerate() {
        new[place].1 = edges[places[(i + shift) % places.len()]].1;
    }
    new
}

fn imase_itoh(p: usize, n: usize) -> Vec<Edge> {
    // -(p x + m) modulo n.
    let to = |x: usize, m: usize| (n - (p * x + m) % n) % n;
    (0..n).flat_map(|x| (1..=p).map(move |m| (x, to(x, m)))).collect()
}

fn de_bruijn(p: usize, n: usize) -> Vec<Edge> {
    (0..n).flat_map(|x| (0..p).map(move |m| (x, (p * x + m) % n))).collect()
}

/// Each cassette leads to the cassettes at the jumps. The first jumps count twice if there are
/// fewer than p.
fn circulant(p: usize, n: usize, jumps: &[usize]) -> Vec<Edge> {
    (0..n).flat_map(|x| (0..p).map(move |m| (x, (x + jumps[m % jumps.len()]) % n))).collect()
}

/// p neighbouring loops of a digraph of n - 1 lead through cassette n - 1; the others rotate.
fn pinched(p: usize, n: usize, plain: &[Edge], first: usize) -> Option<Vec<Edge>> {
    let mut loops = loops(plain);
    if loops.len() < p {
        return None;
    }
    let turns = first % loops.len();
    loops.rotate_left(turns);
    let mut edges = rotated(plain, &loops[p..], 1);
    for &place in &loops[..p] {
        edges.push((n - 1, edges[place].1));
        edges[place].1 = n - 1;
    }
    Some(edges)
}

/// The sets of p jumps below n; the set of all jumps if there are fewer.
fn jump_sets(p: usize, n: usize) -> Vec<Vec<usize>> {
    let sets = (0_u32..1 << (n - 1)).filter(|set| set.count_ones() as usize == p.min(n - 1));
    sets.map(|set| (1..n).filter(|jump| set >> (jump - 1) & 1 == 1).collect()).collect()
}

/// The largest number of cassettes of a circulant that is tried.
const SMALL: usize = 14;

/// The direct constructions of n cassettes, without a loop.
fn constructions(p: usize, n: usize) -> Vec<Vec<Edge>> {
    let mut all = Vec::new();
    if n <= SMALL {
        all.extend(jump_sets(p, n).iter().map(|jumps| circulant(p, n, jumps)));
    }
    if n > p + 1 {
        for plain in [imase_itoh, de_bruijn] {
            let edges = plain(p, n);
            let places = loops(&edges);
            let turns = 1..places.len().max(2);
            all.extend(turns.map(|turn| rotated(&edges, &places, turn)));
            let fewer = plain(p, n - 1);
            all.extend((0..2 * p).filter_map(|first| pinched(p, n, &fewer, first)));
        }
    }
    all.retain(|edges| loops(edges).is_empty());
    all
}

/// The smallest number of relays between the farthest cassettes that counting allows.
fn least(p: u32, n: usize) -> u32 {
    moore_bound(p, n)
}

fn is_shallowest(p: u32) {
    let width = p as usize;
    // The depth in relays of the kautz fabric, by the number of cassettes.
    let mut depths = vec![0; 2];
    for n in 2..=5000 / width {
        let tors = u32::try_from(n).unwrap() * p;
        let fabric = kautz(p, tors).unwrap();
        let edge = |t| (fabric.receives_from(t).index(), fabric.transmits_into(t).index());
        let edges: Vec<Edge> = fabric.tor_ids().map(edge).collect();
        let mut depth = least(p, n);
        while !is_within(n, &edges, depth) {
            depth += 1;
        }
        depths.push(depth);
        let told = format!("p = {p}, {tors} ToRs take {} hops", depth + 1);
        if depth > least(p, n) {
            if n > width && n.is_multiple_of(width) {
                assert!(depths[n / width] + 1 >= depth, "{told}; a line digraph takes fewer");
            }
            for (i, edges) in constructions(width, n).iter().enumerate() {
                assert!(!is_within(n, edges, depth - 1), "{told}; construction {i} takes fewer");
            }
        }
    }
}

macro_rules! for_each_fan_out {
    ($($name:ident $p:literal)*) => {$(
        #[test]
        fn $name() {
            is_shallowest($p);
        }
    )*};
}

for_each_fan_out! {
    no_construction_is_shallower_for_p_2 2
    no_construction_is_shallower_for_p_3 3
    no_construction_is_shallower_for_p_4 4
    no_construction_is_shallower_for_p_5 5
    no_construction_is_shallower_for_p_6 6
    no_construction_is_shallower_for_p_7 7
    no_construction_is_shallower_for_p_8 8
}
