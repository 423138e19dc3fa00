//! Sum of the distances between all cassettes, by sets of bits.

/// Weight of a pair that is one relay farther away than counting allows.
const LATE: u64 = 8;
/// Weight of a pair that is still farther away.
const FAR: u64 = 64;

/// Distances in a digraph whose tails are fixed and whose heads change.
#[derive(Debug)]
pub(super) struct Hops {
    cassettes: usize,
    /// Words of a set of cassettes.
    words: usize,
    /// Edges by tail: `of[start[c]..start[c + 1]]` leave cassette c.
    start: Vec<usize>,
    of: Vec<usize>,
    /// Number of relays within which counting allows all cassettes to be reached.
    least: u32,
    reached: Vec<u64>,
    next: Vec<u64>,
}

/// Distances between cassettes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Distances {
    /// Number of edges that return to their own cassette.
    pub(super) loops: usize,
    /// Sum over all ordered pairs, where those beyond the least depth weigh more. `u64::MAX`: some cassette
    /// does not reach another.
    pub(super) cost: u64,
    /// Largest number of relays between two cassettes.
    pub(super) depth: u32,
    /// Sum of the numbers of relays between two cassettes, over all ordered pairs.
    pub(super) relays: u64,
}

impl Distances {
    /// Whether no way is longer than in `other`, by each measure.
    pub(super) fn within(&self, other: &Self) -> bool {
        self.loops <= other.loops
            && self.cost <= other.cost
            && self.depth <= other.depth
            && self.relays <= other.relays
    }
}

fn weight(depth: u32, least: u32) -> u64 {
    match depth.saturating_sub(least) {
        0 => 1,
        1 => LATE,
        _ => FAR,
    }
}

impl Hops {
    /// Prepares a digraph of these tails.
    pub(super) fn new(fan_out: u32, cassettes: usize, tails: &[usize]) -> Self {
        let mut start = vec![0; cassettes + 1];
        for &tail in tails {
            start[tail + 1] += 1;
        }
        for i in 0..cassettes {
            start[i + 1] += start[i];
        }
        let (mut next, mut of) = (start.clone(), vec![0; tails.len()]);
        for (edge, &tail) in tails.iter().enumerate() {
            of[next[tail]] = edge;
            next[tail] += 1;
        }
        let words = cassettes.div_ceil(64);
        let (mut least, mut layer, mut all) = (0, 1_u64, 1_u64);
        while all < cassettes as u64 {
            layer = layer.saturating_mul(fan_out.into());
            all = all.saturating_add(layer);
            least += 1;
        }
        let sets = vec![0; cassettes * words];
        Self { cassettes, words, start, of, least, reached: sets.clone(), next: sets }
    }

    /// Number of steps that one measurement takes.
    pub(super) fn work(&self) -> u64 {
        (self.of.len() * self.words) as u64 * u64::from(self.least + 2)
    }

    /// Measures all distances. `heads` are the heads of the edges.
    pub(super) fn measure(&mut self, tails: &[usize], heads: &[usize]) -> Distances {
        let (n, words) = (self.cassettes, self.words);
        let loops = tails.iter().zip(heads).filter(|(tail, head)| tail == head).count();
        self.reached.fill(0);
        for cassette in 0..n {
            self.reached[cassette * words + cassette / 64] |= 1 << (cassette % 64);
        }
        let (pairs, mut within) = ((n * n) as u64, n as u64);
        let (mut cost, mut depth, mut relays) = (0_u64, 0_u32, 0_u64);
        while within < pairs {
            cost += (pairs - within) * weight(depth, self.least);
            relays += pairs - within;
            depth += 1;
            let mut now = 0;
            for cassette in 0..n {
                let own = cassette * words..(cassette + 1) * words;
                let set = &mut self.next[own.clone()];
                set.copy_from_slice(&self.reached[own]);
                for &edge in &self.of[self.start[cassette]..self.start[cassette + 1]] {
                    let from = heads[edge] * words;
                    for (word, more) in set.iter_mut().zip(&self.reached[from..from + words]) {
                        *word |= more;
                    }
                }
                now += set.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
            }
            std::mem::swap(&mut self.reached, &mut self.next);
            if now == within {
                return Distances { loops, cost: u64::MAX, depth: u32::MAX, relays: u64::MAX };
            }
            within = now;
        }
        Distances { loops, cost, depth, relays }
    }
}
