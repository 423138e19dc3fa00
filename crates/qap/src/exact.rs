//! Branch and bound of small dense problems.
//!
//! The bound is that of Gilmore and Lawler (P. C. Gilmore: Optimal and suboptimal algorithms for the quadratic
//! assignment problem, SIAM Journal 10, 1962): a facility at a location pays at least the smallest product of its flows
//! and the distances from there, and a linear assignment of these costs is below every assignment.

use lightloom_watch::Watch;

use crate::tabu::Dense;

/// Nodes between two looks at the watch.
const LOOK: u64 = 1 << 10;

/// What a branch and bound has come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proved {
    /// The location of each facility.
    pub locations: Vec<u32>,
    /// The cost.
    pub cost: i64,
    /// Number of partial assignments that were looked at.
    pub nodes: u64,
    /// Whether all were looked at or cut off: no assignment is better. False: it was stopped.
    pub is_proved: bool,
}

/// Proves the best assignment of the first `facilities` facilities, which begins with `first`. The flows of all others
/// are zero. It takes time with the orders of all facilities, so it is for few of them.
///
/// # Panics
/// Panics if `first` does not have a location for each facility.
pub fn prove(problem: &Dense, facilities: usize, first: &[u32], watch: Watch<'_>) -> Proved {
    let cost = problem.cost(first);
    let mut search = Search {
        problem,
        best: first.to_vec(),
        cost,
        nodes: 0,
        at: vec![None; facilities.min(problem.size())],
        watch,
        is_stopped: false,
    };
    search.descend();
    let Search { best, cost, nodes, is_stopped, .. } = search;
    Proved { locations: best, cost, nodes, is_proved: !is_stopped }
}

struct Search<'a> {
    problem: &'a Dense,
    best: Vec<u32>,
    cost: i64,
    nodes: u64,
    /// The location of each facility that has one.
    at: Vec<Option<usize>>,
    watch: Watch<'a>,
    is_stopped: bool,
}

/// The costs of a linear assignment: what each facility pays at each location.
struct Table {
    facilities: Vec<usize>,
    locations: Vec<usize>,
    costs: Vec<i64>,
}

impl Search<'_> {
    fn flow(&self, from: usize, to: usize) -> i64 {
        self.problem.flow(from, to)
    }

    fn far(&self, from: usize, to: usize) -> i64 {
        self.problem.distance(from, to)
    }

    fn descend(&mut self) {
        self.nodes += 1;
        if self.nodes.is_multiple_of(LOOK) && self.watch.progress(self.nodes, 0).is_err() {
            self.is_stopped = true;
        }
        if self.is_stopped {
            return;
        }
        let fixed = self.fixed();
        let table = self.table();
        if table.facilities.is_empty() {
            self.take(fixed);
            return;
        }
        let columns = table.locations.len();
        let (bound, rows, prices) = linear(&table.costs, columns);
        if fixed + bound >= self.cost {
            return;
        }
        // The facility that has the fewest locations left below the best cost, and then the dearest.
        let above = |row: usize, column: usize| {
            fixed + bound + table.costs[row * columns + column] - rows[row] - prices[column]
        };
        let left = |row: usize| (0..columns).filter(|&at| above(row, at) < self.cost).count();
        let sum =
            |row: usize| -> i64 { (0..columns).map(|at| above(row, at).min(self.cost)).sum() };
        let row = (0..table.facilities.len()).min_by_key(|&row| (left(row), -sum(row)));
        let Some(row) = row else { return };
        let facility = table.facilities[row];
        let mut order: Vec<(i64, usize)> =
            (0..columns).map(|at| (above(row, at), table.locations[at])).collect();
        order.sort_unstable();
        for (bound, location) in order {
            // The best cost falls meanwhile.
            if bound >= self.cost {
                break;
            }
            self.at[facility] = Some(location);
            self.descend();
            self.at[facility] = None;
        }
    }

    /// The cost of what is placed among itself.
    fn fixed(&self) -> i64 {
        let placed = || self.at.iter().enumerate().filter_map(|(of, at)| Some((of, (*at)?)));
        let from = |(one, here): (usize, usize)| -> i64 {
            placed().map(|(other, there)| self.flow(one, other) * self.far(here, there)).sum()
        };
        placed().map(from).sum()
    }

    /// What each facility without a location pays at least at each free one.
    fn table(&self) -> Table {
        let size = self.problem.size();
        let facilities: Vec<usize> =
            (0..self.at.len()).filter(|&facility| self.at[facility].is_none()).collect();
        let is_free = |location: &usize| !self.at.contains(&Some(*location));
        let locations: Vec<usize> = (0..size).filter(is_free).collect();
        let flows: Vec<Vec<i64>> = facilities
            .iter()
            .map(|&one| {
                let others = facilities.iter().filter(|&&other| other != one);
                let mut flows: Vec<i64> = others.map(|&other| self.flow(one, other)).collect();
                // Locations without a facility.
                flows.resize(locations.len() - 1, 0);
                flows.sort_unstable_by(|one, other| other.cmp(one));
                flows
            })
            .collect();
        let reaches: Vec<Vec<i64>> = locations
            .iter()
            .map(|&here| {
                let others = locations.iter().filter(|&&there| there != here);
                let mut far: Vec<i64> = others.map(|&there| self.far(here, there)).collect();
                far.sort_unstable();
                far
            })
            .collect();
        let mut costs = Vec::with_capacity(facilities.len() * locations.len());
        for (&one, flows) in facilities.iter().zip(&flows) {
            for (&here, far) in locations.iter().zip(&reaches) {
                let own = self.flow(one, one) * self.far(here, here);
                let placed = self.at.iter().enumerate().filter_map(|(of, at)| Some((of, (*at)?)));
                let placed = placed.map(|(other, there)| {
                    self.flow(one, other) * self.far(here, there)
                        + self.flow(other, one) * self.far(there, here)
                });
                let others = flows.iter().zip(far).map(|(flow, far)| flow * far);
                costs.push(own + placed.sum::<i64>() + others.sum::<i64>());
            }
        }
        Table { facilities, locations, costs }
    }

    fn take(&mut self, cost: i64) {
        if cost >= self.cost {
            return;
        }
        self.cost = cost;
        let placed: Vec<usize> = self.at.iter().copied().flatten().collect();
        let size = self.problem.size();
        let left = (0..size).filter(|location| !placed.contains(location));
        let all = placed.iter().copied().chain(left);
        self.best = all.map(|location| u32::try_from(location).unwrap_or(u32::MAX)).collect();
    }
}

/// The least cost of a linear assignment of rows to columns, and the dual prices of both. There are as many columns as
/// rows, or more. (The Hungarian method by shortest paths, in time rows² · columns.)
fn linear(costs: &[i64], columns: usize) -> (i64, Vec<i64>, Vec<i64>) {
    let rows = costs.len() / columns;
    let (mut of_row, mut of_column) = (vec![0; rows + 1], vec![0; columns + 1]);
    // The row at each column, from 1; column 0 has the row that looks for one.
    let mut held = vec![0_usize; columns + 1];
    let mut came = vec![0_usize; columns + 1];
    for row in 1..=rows {
        held[0] = row;
        let mut column = 0;
        let mut least = vec![i64::MAX; columns + 1];
        let mut is_used = vec![false; columns + 1];
        loop {
            is_used[column] = true;
            let (here, mut step, mut next) = (held[column], i64::MAX, 0);
            for at in 1..=columns {
                if is_used[at] {
                    continue;
                }
                let cost = costs[(here - 1) * columns + at - 1] - of_row[here] - of_column[at];
                if cost < least[at] {
                    least[at] = cost;
                    came[at] = column;
                }
                if least[at] < step {
                    (step, next) = (least[at], at);
                }
            }
            for at in 0..=columns {
                if is_used[at] {
                    of_row[held[at]] += step;
                    of_column[at] -= step;
                } else {
                    least[at] -= step;
                }
            }
            column = next;
            if held[column] == 0 {
                break;
            }
        }
        while column != 0 {
            held[column] = held[came[column]];
            column = came[column];
        }
    }
    let (of_row, of_column) = (of_row.split_off(1), of_column.split_off(1));
    (of_row.iter().sum::<i64>() + of_column.iter().sum::<i64>(), of_row, of_column)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::samples::{least, problems};

    proptest! {
        /// The proof of a small problem is the least cost of all orders, with any number of facilities that exchange
        /// nothing.
        #[test]
        fn proofs_are_the_least_of_all_orders(
            problem in problems().prop_filter("orders", |problem| problem.size() < 7),
        ) {
            let first: Vec<u32> = (0..u32::try_from(problem.size()).unwrap()).collect();
            let proved = prove(&problem, problem.size(), &first, Watch::quiet());
            prop_assert!(proved.is_proved);
            prop_assert_eq!(problem.cost(&proved.locations), proved.cost);
            prop_assert_eq!(proved.cost, least(&problem));
        }

        #[test]
        fn facilities_may_be_fewer_than_locations(
            problem in problems().prop_filter("orders", |problem| problem.size() < 7),
            left in 0_usize..5,
        ) {
            let size = problem.size();
            let some = size.saturating_sub(left).max(1);
            let keep = |from: usize, to: usize| from < some && to < some;
            let flows = (0..size * size).map(|pair| {
                let (from, to) = (pair / size, pair % size);
                if keep(from, to) { problem.flow(from, to) } else { 0 }
            });
            let far = (0..size * size).map(|pair| problem.distance(pair / size, pair % size));
            let fewer = Dense::new(size, flows.collect(), far.collect()).unwrap();
            let first: Vec<u32> = (0..u32::try_from(size).unwrap()).collect();
            let proved = prove(&fewer, some, &first, Watch::quiet());
            prop_assert_eq!(proved.cost, least(&fewer));
            prop_assert_eq!(fewer.cost(&proved.locations), proved.cost);
        }
    }
}
