//! The shortest ways into a cassette, and how evenly its relays can share the sources.

use std::ops::Range;

use crate::search::UNREACHED;

/// The cassette that feeds a ToR, and the one that it transmits into.
pub(super) type Edge = (u32, u32);

/// Twice the load that no relay should exceed: 1.5 times the mean, which is the number of
/// cassettes, or twice the mean if a cassette has few relays to choose from.
pub(super) fn twice_bound(p: u32, cassettes: u32) -> u32 {
    if p < 4 { 4 * cassettes } else { 3 * cassettes }
}

/// The quality of a fabric under fewest-hop trees; less is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cost {
    /// The largest number of hops between cassettes.
    depth: u32,
    /// The load of the most loaded relay.
    load: u32,
    /// The hops of all pairs of cassettes.
    hops: u64,
    /// The excess of each cassette's load over the bound, squared and summed; the maximum if a
    /// cassette is not reached.
    pub(super) overload: u64,
}

impl Cost {
    pub(super) fn of(p: u32, cassettes: u32, edges: &[Edge]) -> Self {
        let mut ways = Ways::new(cassettes, edges);
        let mut cost = Self { depth: 0, load: 0, hops: 0, overload: 0 };
        for cassette in 0..cassettes {
            let into = ways.toward(cassette, None);
            cost.depth = cost.depth.max(into.depth);
            cost.load = cost.load.max(into.load);
            cost.hops += into.hops;
            let over = u64::from((2 * into.load + 1).saturating_sub(twice_bound(p, cassettes)));
            cost.overload += over * over;
        }
        if cost.depth == UNREACHED {
            cost.overload = u64::MAX;
        }
        cost
    }

    /// Twice the excess of the greatest load over the bound.
    pub(super) fn beyond_bound(&self, p: u32, cassettes: u32) -> u32 {
        (2 * self.load).saturating_sub(twice_bound(p, cassettes))
    }
}

/// The same quantities for the ways into one cassette.
#[derive(Debug)]
pub(super) struct Into {
    pub(super) depth: u32,
    pub(super) load: u32,
    pub(super) hops: u64,
}

/// The ToRs by the cassette that they transmit into, and the buffers of a search.
#[derive(Debug)]
pub(super) struct Ways {
    /// The range of a cassette in `by_head` and `tails`.
    start: Vec<u32>,
    /// Numbers of ToRs.
    by_head: Vec<usize>,
    /// The cassette that feeds each ToR of `by_head`.
    tails: Vec<u32>,
    reached: Vec<Reached>,
    /// Cassettes in the order in which a search reaches them.
    order: Vec<u32>,
    /// The relays to choose from and the number of sources, of cassettes with more than one relay.
    undecided: Vec<(u64, u32)>,
}

/// What a search knows of a cassette.
#[derive(Debug, Clone, Copy)]
struct Reached {
    depth: u32,
    /// Bit set of the relays that end a shortest way. All relays from the 64th on share a bit.
    relays: u64,
}

/// What one search found.
struct Search {
    /// The number of cassettes reached, with the one that was searched.
    found: usize,
    /// The depth of the last one.
    depth: u32,
    hops: u64,
}

impl Ways {
    pub(super) fn new(cassettes: u32, edges: &[Edge]) -> Self {
        let cassettes = cassettes as usize;
        let mut start = vec![0; cassettes + 1];
        for edge in edges {
            start[edge.1 as usize + 1] += 1;
        }
        for i in 1..start.len() {
            start[i] += start[i - 1];
        }
        let mut next = start.clone();
        let mut by_head = vec![0; edges.len()];
        for (number, edge) in edges.iter().enumerate() {
            let place = &mut next[edge.1 as usize];
            by_head[*place as usize] = number;
            *place += 1;
        }
        let tails = by_head.iter().map(|&tor| edges[tor].0).collect();
        let reached = vec![Reached { depth: UNREACHED, relays: 0 }; cassettes];
        let order = vec![0; cassettes + 1];
        Self { start, by_head, tails, reached, order, undecided: Vec::new() }
    }

    /// The numbers of the ToRs that transmit into a cassette.
    pub(super) fn relays_into(&self, cassette: u32) -> &[usize] {
        &self.by_head[self.places(cassette)]
    }

    fn places(&self, cassette: u32) -> Range<usize> {
        self.start[cassette as usize] as usize..self.start[cassette as usize + 1] as usize
    }

    /// The number of ToRs that transmit into a cassette, which is the number of sources at that root.
    fn sources(&self, root: u32) -> u32 {
        self.start[root as usize + 1] - self.start[root as usize]
    }

    /// The hops of the ways into a cassette from all others.
    pub(super) fn hops_toward(&mut self, cassette: u32) -> u64 {
        self.search(cassette, None).hops
    }

    /// The ways into a cassette, as if the ToR `without`, which transmits into the cassette, did not exist.
    pub(super) fn toward(&mut self, cassette: u32, without: Option<usize>) -> Into {
        let Search { found, depth, hops } = self.search(cassette, without);
        let depth = if found == self.reached.len() { depth } else { UNREACHED };
        Into { depth, load: self.deal(cassette, found, without), hops }
    }

    /// One search against the light.
    fn search(&mut self, cassette: u32, without: Option<usize>) -> Search {
        self.reached.fill(Reached { depth: UNREACHED, relays: 0 });
        self.reached[cassette as usize].depth = 0;
        self.order[0] = cassette;
        let mut found = 1;
        for (slot, place) in self.places(cassette).enumerate() {
            if Some(self.by_head[place]) != without {
                found =
                    self.reach(place..place + 1, Reached { depth: 1, relays: bit(slot) }, found);
            }
        }
        let (mut next, mut depth, mut hops) = (1, 0, 0);
        while next < found {
            let at = self.order[next];
            next += 1;
            let here = self.reached[at as usize];
            depth = here.depth;
            hops += u64::from(depth);
            found = self.reach(self.places(at), Reached { depth: depth + 1, ..here }, found);
        }
        Search { found, depth, hops }
    }

    /// Reaches the cassettes that feed these places. Returns the number of cassettes found.
    ///
    /// It has no branches: which cassettes are new is not foreseeable.
    #[inline]
    fn reach(&mut self, places: Range<usize>, way: Reached, mut found: usize) -> usize {
        for &from in &self.tails[places] {
            let known = &mut self.reached[from as usize];
            self.order[found] = from;
            found += usize::from(known.depth == UNREACHED);
            known.depth = known.depth.min(way.depth);
            known.relays |= if known.depth == way.depth { way.relays } else { 0 };
        }
        found
    }

    /// Assigns the sources of all roots to relays. Sources with the fewest relays to choose from go
    /// first, each to the least loaded relay. Returns the greatest load. The sources of the searched cassette
    /// itself are its relays.
    fn deal(&mut self, cassette: u32, found: usize, without: Option<usize>) -> u32 {
        let mut load = [0_u32; 64];
        for (slot, &tor) in self.relays_into(cassette).iter().enumerate() {
            load[slot.min(63)] += u32::from(Some(tor) != without);
        }
        self.undecided.clear();
        for &root in &self.order[1..found] {
            let relays = self.reached[root as usize].relays;
            if relays.is_power_of_two() {
                load[relays.trailing_zeros() as usize] += self.sources(root);
            } else {
                self.undecided.push((relays, self.sources(root)));
            }
        }
        self.undecided.sort_by_key(|(relays, _)| relays.count_ones());
        for &(relays, sources) in &self.undecided {
            for _ in 0..sources {
                let least = slots(relays).min_by_key(|&slot| load[slot]);
                load[least.unwrap_or(0)] += 1;
            }
        }
        load.into_iter().max().unwrap_or(0)
    }
}

fn bit(slot: usize) -> u64 {
    1 << slot.min(63)
}

fn slots(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let slot = bits.trailing_zeros() as usize;
        bits &= bits.checked_sub(1)?;
        Some(slot)
    })
}
