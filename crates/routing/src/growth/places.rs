//! Which new cassettes stand where. Nothing of them is built yet, and those that feed equally many ToRs are
//! alike, so they can change places: no way gets longer, and no other cord moves.

use crate::growth::assign;
use crate::growth::draft::Draft;

/// For each old ToR, the number of its cords that are too short, by the new cassette that it would transmit into.
/// Empty: not known, so all cords are long enough.
pub type TooShort = Vec<Vec<u32>>;

impl Draft {
    /// The number of cords that are too short for where they move.
    pub(super) fn too_short(&self, too_short: &TooShort) -> u64 {
        let of = |&tor: &usize| too_short.get(tor)?.get(self.heads[tor] - self.old_cassettes);
        self.moved.iter().filter_map(of).copied().map(u64::from).sum()
    }

    /// Exchanges the places of new cassettes that feed equally many ToRs, so that as few moved cords as possible
    /// are too short.
    pub(super) fn place(&mut self, too_short: &TooShort) {
        if too_short.is_empty() {
            return;
        }
        let count = self.cassettes - self.old_cassettes;
        let mut fed = vec![Vec::new(); count];
        for (tor, &tail) in self.tails.iter().enumerate().skip(self.old_tors) {
            if tail >= self.old_cassettes {
                fed[tail - self.old_cassettes].push(tor);
            }
        }
        let mut arriving = vec![Vec::new(); count];
        for &tor in &self.moved {
            arriving[self.heads[tor] - self.old_cassettes].push(tor);
        }
        let mut to: Vec<usize> = (0..count).collect();
        let mut sizes: Vec<usize> = fed.iter().map(Vec::len).collect();
        sizes.sort_unstable();
        sizes.dedup();
        for size in sizes {
            let alike: Vec<usize> = (0..count).filter(|&c| fed[c].len() == size).collect();
            // Those that an old ToR moves to choose first. Of equal places, a cassette keeps its own.
            let wanted: Vec<usize> =
                alike.iter().copied().filter(|&c| !arriving[c].is_empty()).collect();
            let cost = |from: usize, at: usize| -> i64 {
                let short = arriving[from].iter().filter_map(|&tor| too_short.get(tor)?.get(at));
                2 * short.map(|&short| i64::from(short)).sum::<i64>() + i64::from(from != at)
            };
            let costs: Vec<Vec<i64>> = wanted
                .iter()
                .map(|&from| alike.iter().map(|&at| cost(from, at)).collect())
                .collect();
            let chosen = assign::cheapest(&costs);
            for (&from, &at) in wanted.iter().zip(&chosen) {
                to[from] = alike[at];
            }
            let taken = |&at: &usize| wanted.iter().any(|&from| to[from] == at);
            let rest = alike.iter().copied().filter(|c| !wanted.contains(c));
            let free: Vec<usize> = alike.iter().copied().filter(|at| !taken(at)).collect();
            // Those whose place is free keep it.
            let (stay, go): (Vec<usize>, Vec<usize>) = rest.partition(|c| free.contains(c));
            for &c in &stay {
                to[c] = c;
            }
            for (&c, at) in go.iter().zip(free.iter().filter(|at| !stay.contains(at))) {
                to[c] = *at;
            }
        }
        let old = self.heads.clone();
        let head = |edge: usize| match old[edge].checked_sub(self.old_cassettes) {
            Some(new) => self.old_cassettes + to[new],
            None => old[edge],
        };
        let mut heads: Vec<usize> = (0..old.len()).map(head).collect();
        for (from, &at) in to.iter().enumerate() {
            for (&source, &edge) in fed[from].iter().zip(&fed[at]) {
                heads[edge] = head(source);
            }
        }
        self.heads = heads;
    }
}
