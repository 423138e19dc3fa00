//! If p divides the number of ToRs, the depth of the kautz family is at most the Moore bound + 1. The seats of every
//! number are checked where its multicast is proved, in the laws of routing: a fabric takes long to build.

use lightloom_topology::Fabric;
use lightloom_topology::family::{kautz, moore_bound};

const SIZES: std::ops::RangeInclusive<u32> = 2..=5000;

/// For every cassette the set of cassettes within some number of relays, one bit each.
struct Balls {
    words: usize,
    bits: Vec<u64>,
}

/// The largest number of relays between any two cassettes. Balls grow by one relay at a time until
/// each contains every cassette. `None` if they stop growing before.
fn diameter(fabric: &Fabric) -> Option<u32> {
    let n = fabric.cassettes();
    let words = n.div_ceil(64);
    let mut balls = Balls { words, bits: vec![0; n * words] };
    for c in 0..n {
        balls.bits[c * words + c / 64] |= 1 << (c % 64);
    }
    let held = |balls: &Balls| balls.bits.iter().map(|w| u64::from(w.count_ones())).sum::<u64>();
    let everything = (n as u64).pow(2);
    let (mut relays, mut before) = (0, n as u64);
    while before < everything {
        balls = grown(fabric, &balls);
        relays += 1;
        let now = held(&balls);
        if now == before {
            return None;
        }
        before = now;
    }
    Some(relays)
}

fn grown(fabric: &Fabric, balls: &Balls) -> Balls {
    let words = balls.words;
    let mut bits = balls.bits.clone();
    for edge in fabric.graph().raw_edges() {
        let (from, to) = (edge.source().index(), edge.target().index());
        let (wider, ball) =
            (&mut bits[from * words..][..words], &balls.bits[to * words..][..words]);
        wider.iter_mut().zip(ball).for_each(|(w, b)| *w |= b);
    }
    Balls { words, bits }
}

/// Hops to the farthest ToR: one splitter more than the relays between.
fn depth(p: u32, tors: u32) -> u32 {
    diameter(&kautz(p, tors).unwrap()).unwrap() + 1
}

fn check_depth(p: u32) {
    for tors in SIZES.filter(|tors| tors % p == 0) {
        let bound = moore_bound(p, tors as usize) + 1;
        let found = depth(p, tors);
        assert!(found <= bound, "p = {p}, {tors} ToRs: {found} hops, more than {bound}");
    }
}

#[test]
fn full_fabrics_need_at_most_one_hop_beyond_the_moore_bound_for_p_2() {
    check_depth(2);
}

#[test]
fn full_fabrics_need_at_most_one_hop_beyond_the_moore_bound_for_p_4() {
    check_depth(4);
}

#[test]
fn full_fabrics_need_at_most_one_hop_beyond_the_moore_bound_for_p_8() {
    check_depth(8);
}

#[test]
fn the_fabrics_of_the_issue_have_their_depths() {
    assert_eq!(depth(4, 1024), 5);
    assert_eq!(depth(4, 1000), 5);
    assert_eq!(depth(8, 1000), 4);
}

/// The plain Imase-Itoh digraph of each of these numbers has this depth. With p = 7, T = 35 a circulant of
/// five cassettes has it too.
#[test]
fn sizes_that_took_a_hop_too_many_take_as_many_as_the_plain_digraph() {
    assert_eq!(depth(5, 100), 3);
    assert_eq!(depth(7, 35), 2);
    assert_eq!([224, 896, 3584].map(|tors| depth(4, tors)), [4, 5, 6]);
    assert_eq!([384, 3072].map(|tors| depth(8, tors)), [3, 4]);
}

/// One cassette more than a de Bruijn digraph has; the loops lead through it.
#[test]
fn one_cassette_beyond_a_power_of_p_adds_no_hop() {
    for (p, most) in [(2, 11_u32), (3, 6), (4, 5), (5, 4), (6, 4), (7, 3), (8, 3)] {
        for relays in 2..=most {
            assert_eq!(depth(p, p * (p.pow(relays) + 1)), relays + 1, "p = {p}, {relays} relays");
        }
    }
}

#[test]
fn the_same_numbers_give_the_same_fabric() {
    for (p, tors) in [(2, 37), (3, 100), (4, 1023), (8, 4999)] {
        let edges = |f: &Fabric| -> Vec<_> {
            f.tor_ids().map(|t| (f.receives_from(t), f.transmits_into(t))).collect()
        };
        assert_eq!(edges(&kautz(p, tors).unwrap()), edges(&kautz(p, tors).unwrap()));
    }
}
