//! The shortest ways into a cassette, and how evenly its relays can share the sources.

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
pub(super) struct Ways<'a> {
    edges: &'a [Edge],
    start: Vec<usize>,
    by_head: Vec<usize>,
    depth: Vec<u32>,
    /// Bit set of the relays that end a shortest way. All relays from the 64th on share a bit.
    relays: Vec<u64>,
    order: Vec<u32>,
}

impl<'a> Ways<'a> {
    pub(super) fn new(cassettes: u32, edges: &'a [Edge]) -> Self {
        let mut start = vec![0; cassettes as usize + 1];
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
            by_head[*place] = number;
            *place += 1;
        }
        Self { edges, start, by_head, depth: Vec::new(), relays: Vec::new(), order: Vec::new() }
    }

    /// The numbers of the ToRs that transmit into a cassette.
    pub(super) fn relays_into(&self, cassette: u32) -> &[usize] {
        let c = cassette as usize;
        &self.by_head[self.start[c]..self.start[c + 1]]
    }

    /// One search against the light, as if the ToR `without` did not exist.
    pub(super) fn toward(&mut self, cassette: u32, without: Option<usize>) -> Into {
        let cassettes = self.start.len() - 1;
        self.depth.clear();
        self.depth.resize(cassettes, UNREACHED);
        self.relays.clear();
        self.relays.resize(cassettes, 0);
        self.order.clear();
        self.order.push(cassette);
        self.depth[cassette as usize] = 0;
        let (mut next, mut depth, mut hops) = (0, 0, 0);
        while let Some(&at) = self.order.get(next) {
            next += 1;
            depth = self.depth[at as usize];
            hops += u64::from(depth);
            let incoming = self.start[at as usize]..self.start[at as usize + 1];
            for (slot, &tor) in self.by_head[incoming].iter().enumerate() {
                let from = self.edges[tor].0;
                if Some(tor) == without {
                    continue;
                }
                if self.depth[from as usize] == UNREACHED {
                    self.depth[from as usize] = depth + 1;
                    self.order.push(from);
                }
                if self.depth[from as usize] == depth + 1 {
                    let last = if at == cassette { bit(slot) } else { self.relays[at as usize] };
                    self.relays[from as usize] |= last;
                }
            }
        }
        let depth = if self.order.len() == cassettes { depth } else { UNREACHED };
        Into { depth, load: self.deal(without), hops }
    }

    /// Assigns the sources of all roots to relays. Sources with the fewest relays to choose from go
    /// first, each to the least loaded relay. Returns the greatest load. The first cassette of
    /// `order` is the searched one; its own sources are its relays.
    fn deal(&mut self, without: Option<usize>) -> u32 {
        let mut load = [0_u32; 64];
        let Some(&cassette) = self.order.first() else { return 0 };
        for (slot, &tor) in self.relays_into(cassette).iter().enumerate() {
            load[bit(slot).trailing_zeros() as usize] += u32::from(Some(tor) != without);
        }
        let mut left = self.order.len() - 1;
        for choices in 1..=64 {
            for &root in &self.order[1..] {
                let relays = self.relays[root as usize];
                if relays.count_ones() != choices {
                    continue;
                }
                left -= 1;
                for _ in self.start[root as usize]..self.start[root as usize + 1] {
                    let choice = slots(relays).min_by_key(|&slot| load[slot]);
                    load[choice.unwrap_or(0)] += 1;
                }
            }
            if left == 0 {
                break;
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
