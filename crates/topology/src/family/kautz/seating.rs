//! The choice of empty seats, and the final swaps on small fabrics.

use crate::family::kautz::digraph::{Digraph, compared};
use crate::family::kautz::ways::{Cost, Edge, Ways, twice_bound};

/// Total number of ToRs that the local searches may examine: some tenths of a second.
const SWAPPING: usize = 1 << 27;

/// Number of ToRs to examine that sets the size of the sample of cassettes, above its minimum size.
const SAMPLING: usize = 1 << 19;

/// Largest number of ToRs to examine in a thorough choice of empty seats.
const CHOOSING: usize = 1 << 25;

/// Largest product of cassettes and ToRs for which a whole fabric is weighed.
const WEIGHING: usize = 1 << 22;

/// Number of choices of empty seats that are tried.
const TRIES: usize = 8;

/// The seats of a fabric: the ToRs, then the seats that stay empty.
#[derive(Debug)]
pub(super) struct Seating {
    p: u32,
    cassettes: u32,
    tors: usize,
    seats: Vec<Edge>,
    /// Twice the excess over the load bound, for the examined part.
    overload: u32,
}

impl Seating {
    /// Seats `tors` ToRs on the edges of a digraph; skips the `pass` best choices of empty seats.
    fn new(digraph: &Digraph, tors: usize, pass: usize) -> Self {
        let seats = digraph.edges();
        let count = seats.len().saturating_sub(tors);
        let (mut empty, overload) = empty_seats(digraph, &seats, count, pass);
        empty.sort_unstable();
        let (free, taken): (Vec<_>, Vec<_>) =
            (0..seats.len()).partition(|seat| empty.binary_search(seat).is_ok());
        let seats = taken.iter().chain(&free).map(|&seat| seats[seat]).collect();
        Self { p: digraph.p, cassettes: digraph.vertices, tors, seats, overload }
    }

    /// The best seating on any of the digraphs.
    pub(super) fn best(digraphs: &[Digraph], tors: usize) -> Option<Self> {
        let small = digraphs.iter().all(|digraph| compared(digraph.p, digraph.vertices));
        if small { Self::best_of_all(digraphs, tors) } else { Self::first_good(digraphs, tors) }
    }

    /// Compares all digraphs on few cassettes. If none keeps relay loads within the bound, ToRs of
    /// each swap places first.
    fn best_of_all(digraphs: &[Digraph], tors: usize) -> Option<Self> {
        let seatings = digraphs.iter().map(|digraph| Self::new(digraph, tors, 0));
        let mut seatings: Vec<Self> = seatings.collect();
        if seatings.iter().all(|seating| seating.cost().0) {
            let share = SWAPPING / seatings.len().max(1);
            seatings.iter_mut().for_each(|seating| seating.swap_places(share));
        }
        seatings.into_iter().min_by_key(Self::cost)
    }

    /// Takes the first good digraph on many cassettes. If p divides their number, loads are less
    /// even, and the remaining digraphs are weighed as a whole.
    fn first_good(digraphs: &[Digraph], tors: usize) -> Option<Self> {
        let mut best: Option<Self> = None;
        for pass in 0..TRIES {
            for digraph in digraphs {
                let mut new = Self::new(digraph, tors, pass);
                if tors < new.seats.len() && new.p >= 4 && new.cassettes.is_multiple_of(new.p) {
                    if new.cassettes as usize * tors <= WEIGHING {
                        new.overload = new.cost().1.beyond_bound(new.p, new.cassettes);
                    } else if !digraph.loops.is_empty() {
                        continue;
                    }
                }
                if new.overload == 0 {
                    return Some(new);
                }
                if best.as_ref().is_none_or(|best| new.overload < best.overload) {
                    best = Some(new);
                }
            }
        }
        best
    }

    /// The ToRs by the cassette that feeds them.
    pub(super) fn into_edges(mut self) -> Vec<Edge> {
        self.seats.truncate(self.tors);
        self.seats.sort_by_key(|seat| seat.0);
        self.seats
    }

    /// Whether the bound is exceeded, then the cost.
    fn cost(&self) -> (bool, Cost) {
        let cost = Cost::of(self.p, self.cassettes, &self.seats[..self.tors]);
        (cost.beyond_bound(self.p, self.cassettes) > 0, cost)
    }

    /// Local search: two ToRs exchange heads, or a ToR exchanges its head or tail with an empty
    /// seat, while this lowers the overload.
    fn swap_places(&mut self, budget: usize) {
        let crowding = self.crowding();
        let mut evaluations = budget / (self.cassettes as usize * self.tors);
        let (mut over, mut cost) = self.cost();
        'improve: while over {
            for a in 0..self.tors {
                for b in a + 1..self.seats.len() {
                    let old @ ((from, to), (other_from, other_to)) = (self.seats[a], self.seats[b]);
                    let heads = ((from, other_to), (other_from, to));
                    let tails = ((other_from, to), (from, other_to));
                    let swaps = [heads, tails];
                    for &new in if b < self.tors { &swaps[..1] } else { &swaps[..] } {
                        let is_loop = |(from, to): Edge| from == to;
                        if new == old || is_loop(new.0) || (b < self.tors && is_loop(new.1)) {
                            continue;
                        }
                        (self.seats[a], self.seats[b]) = new;
                        if self.crowding() <= crowding {
                            let (still_over, new_cost) = self.cost();
                            if (new_cost.overload, new_cost) < (cost.overload, cost) {
                                (over, cost) = (still_over, new_cost);
                                continue 'improve;
                            }
                            evaluations = evaluations.saturating_sub(1);
                        }
                        (self.seats[a], self.seats[b]) = old;
                    }
                    if evaluations == 0 {
                        return;
                    }
                }
            }
            return;
        }
    }

    /// The largest number of empty seats at the inputs or outputs of one cassette.
    fn crowding(&self) -> u32 {
        let mut gone = Crowd::new(self.cassettes);
        let empty = &self.seats[self.tors..];
        empty.iter().for_each(|&seat| gone.add(seat));
        empty.iter().map(|&seat| gone.at(seat)).max().unwrap_or(0)
    }
}

/// Empty seats at the inputs and the outputs of each cassette.
struct Crowd {
    inputs: Vec<u32>,
    outputs: Vec<u32>,
}

impl Crowd {
    fn new(cassettes: u32) -> Self {
        Self { inputs: vec![0; cassettes as usize], outputs: vec![0; cassettes as usize] }
    }

    fn add(&mut self, (from, to): Edge) {
        self.outputs[from as usize] += 1;
        self.inputs[to as usize] += 1;
    }

    fn at(&self, (from, to): Edge) -> u32 {
        self.outputs[from as usize].max(self.inputs[to as usize])
    }
}

/// Chooses `count` seats to leave empty at least cost. The first criterion spreads them over the
/// cassettes: each keeps as many inputs and outputs as it can, which limits parallel sources and
/// relay load. The next criteria look at the ways into the cassette that loses a relay: its
/// farthest root, a load beyond 1.5 times the mean, former loops first, and the added hops. On
/// large fabrics, only the criterion of former loops is used besides the first.
fn empty_seats(digraph: &Digraph, seats: &[Edge], count: usize, pass: usize) -> (Vec<usize>, u32) {
    if count == 0 {
        return (Vec::new(), 0);
    }
    let mut ways = Ways::new(digraph.vertices, seats);
    // Seats are alike in these digraphs, so an even sample of cassettes is enough.
    let cassettes = digraph.vertices as usize;
    let search = (digraph.p as usize + 1) * seats.len();
    let sampled = (SAMPLING / search).max(4 * count).max(16).min(cassettes);
    let mut heads: Vec<u32> = (0..digraph.vertices).step_by(cassettes / sampled).collect();
    heads.extend(digraph.loops.iter().map(|&seat| seats[seat].1));
    heads.sort_unstable();
    heads.dedup();
    let thorough = heads.len() * search <= CHOOSING;
    let mut candidates = Vec::new();
    for head in heads {
        let hops = if thorough { ways.hops_toward(head) } else { 0 };
        for seat in ways.relays_into(head).to_vec() {
            let kept_out = digraph.loops.binary_search(&seat).is_err();
            candidates.push(if thorough {
                let into = ways.toward(head, Some(seat));
                let over = (2 * into.load).saturating_sub(twice_bound(digraph.p, digraph.vertices));
                (into.depth, over, kept_out, into.hops.saturating_sub(hops), seat)
            } else {
                (0, 0, kept_out, 0, seat)
            });
        }
    }
    candidates.sort_unstable();
    let mut gone = Crowd::new(digraph.vertices);
    let (mut empty, mut overload) = (Vec::with_capacity(count), 0);
    for crowding in 0..digraph.p {
        for &(_, over, _, _, seat) in candidates.iter().cycle().skip(pass).take(candidates.len()) {
            if empty.len() < count && gone.at(seats[seat]) == crowding && !empty.contains(&seat) {
                gone.add(seats[seat]);
                empty.push(seat);
                overload = overload.max(over);
            }
        }
    }
    (empty, overload)
}
