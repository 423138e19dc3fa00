//! The `kautz` family: any number of ToRs at the best possible depth, one splitter a ToR.
//!
//! The cassette graph is Imase and Itoh's digraph (IEEE Trans. Computers C-32(8), 1983): on
//! n = ⌈T/p⌉ cassettes, ToR (x, m) runs from cassette x to (-(p x) - m) mod n, m = 1 … p. Two things
//! are changed. A self-loop carries no light onward, so the loops exchange their heads among
//! themselves. And a T that p does not divide leaves seats empty: first those of the former
//! loops, which lie on no shortest path of the original digraph and so cost no hop, never two at
//! one cassette's inputs or outputs while others are full.

use crate::fabric::{check_fan_out, check_tors};
use crate::search::UNREACHED;
use crate::{CassetteId, Fabric, FabricError};

/// One seat: a ToR, or the place where one could stand.
#[derive(Debug, Clone, Copy)]
struct Seat {
    from: u32,
    to: u32,
    was_loop: bool,
}

/// A fabric of the `kautz` family for any number of ToRs.
///
/// # Errors
/// [`FabricError`] when p or the number of ToRs is out of bounds.
pub fn kautz(p: u32, tors: u32) -> Result<Fabric, FabricError> {
    check_fan_out(p)?;
    check_tors(tors.into())?;
    let cassettes = tors.div_ceil(p);
    let mut seats = imase_itoh(p, cassettes);
    exchange_loops(&mut seats);
    let empty = empty_seats(&seats, cassettes, (cassettes * p - tors) as usize);
    let edges: Vec<_> = seats
        .iter()
        .enumerate()
        .filter(|(i, _)| !empty.contains(i))
        .map(|(_, seat)| (CassetteId(seat.from), CassetteId(seat.to)))
        .collect();
    Fabric::new(p, cassettes, &edges)
}

fn imase_itoh(p: u32, n: u32) -> Vec<Seat> {
    let (wide_p, wide_n) = (u64::from(p), u64::from(n));
    let head = |x: u64, m: u64| (wide_n - (wide_p * x + m) % wide_n) % wide_n;
    (0..n)
        .flat_map(|x| (1..=p).map(move |m| (x, m)))
        .map(|(from, m)| {
            let to = u32::try_from(head(from.into(), m.into())).unwrap_or(0);
            Seat { from, to, was_loop: from == to }
        })
        .collect()
}

/// Gives every self-loop the head of another one. Sorted by cassette and shifted by the largest
/// number at one cassette, none keeps its own as long as no cassette has more than half of them;
/// the digraph spreads its loops evenly, so that holds for every n > 1.
fn exchange_loops(seats: &mut [Seat]) {
    let loops: Vec<usize> = (0..seats.len()).filter(|&i| seats[i].was_loop).collect();
    let heads: Vec<u32> = loops.iter().map(|&i| seats[i].to).collect();
    let shift = heads.chunk_by(|a, b| a == b).map(<[u32]>::len).max().unwrap_or(0);
    for (i, &seat) in loops.iter().enumerate() {
        seats[seat].to = heads[(i + shift) % heads.len()];
    }
}

/// Chooses `count` seats to leave empty where they cost least: spread over the cassettes first
/// (each keeps as many inputs and outputs as it can, which is what bounds parallel sources and
/// relay load), then former loops, then seats that are the only shortest way for the fewest roots.
fn empty_seats(seats: &[Seat], cassettes: u32, count: usize) -> Vec<usize> {
    if count == 0 {
        return Vec::new();
    }
    let incoming = Incoming::of(seats, cassettes);
    // Seats are alike in this digraph, so an even sample of cassettes is enough to choose from.
    let sampled = (4 * count).max(16).min(cassettes as usize);
    let mut candidates: Vec<(usize, usize)> = (0..sampled)
        .map(|i| i * cassettes as usize / sampled)
        .flat_map(|head| incoming.only_shortest_way(seats, head))
        .filter(|&(seat, _)| !seats[seat].was_loop)
        .map(|(seat, roots)| (roots + 1, seat))
        .collect();
    candidates.extend((0..seats.len()).filter(|&i| seats[i].was_loop).map(|i| (0, i)));
    candidates.sort_unstable();

    let mut gone_in = vec![0_u32; cassettes as usize];
    let mut gone_out = gone_in.clone();
    let mut empty = Vec::with_capacity(count);
    for _ in 0..count {
        let crowding = |seat: usize| {
            let Seat { from, to, .. } = seats[seat];
            gone_in[to as usize].max(gone_out[from as usize])
        };
        let best = candidates.iter().enumerate().min_by_key(|(i, c)| (crowding(c.1), *i));
        let Some((position, &(_, seat))) = best else { break };
        candidates.remove(position);
        gone_in[seats[seat].to as usize] += 1;
        gone_out[seats[seat].from as usize] += 1;
        empty.push(seat);
    }
    empty
}

/// Seats grouped by the cassette that they enter.
struct Incoming {
    by_head: Vec<Vec<usize>>,
}

impl Incoming {
    fn of(seats: &[Seat], cassettes: u32) -> Self {
        let mut by_head = vec![Vec::new(); cassettes as usize];
        for (i, seat) in seats.iter().enumerate() {
            by_head[seat.to as usize].push(i);
        }
        Self { by_head }
    }

    /// For each seat that enters `head`: how many cassettes have their only shortest way to
    /// `head` through it. One search against the light.
    fn only_shortest_way(&self, seats: &[Seat], head: usize) -> Vec<(usize, usize)> {
        const SEVERAL: usize = usize::MAX;
        let mut depth = vec![UNREACHED; self.by_head.len()];
        let mut through = vec![SEVERAL; self.by_head.len()];
        let mut order = vec![head];
        depth[head] = 0;
        let mut next = 0;
        while let Some(&cassette) = order.get(next) {
            next += 1;
            for &seat in &self.by_head[cassette] {
                let from = seats[seat].from as usize;
                let last_seat = if cassette == head { seat } else { through[cassette] };
                if depth[from] == UNREACHED {
                    depth[from] = depth[cassette] + 1;
                    through[from] = last_seat;
                    order.push(from);
                } else if depth[from] == depth[cassette] + 1 && through[from] != last_seat {
                    through[from] = SEVERAL;
                }
            }
        }
        self.by_head[head]
            .iter()
            .map(|&seat| (seat, through.iter().filter(|&&t| t == seat).count()))
            .collect()
    }
}
