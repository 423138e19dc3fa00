//! The cheapest assignment of rows to columns.

/// Gives each row a column of its own so that the sum of the costs is least, and returns the column of each row.
/// All rows have the same number of columns, at least as many as there are rows. (The Hungarian algorithm with
/// potentials: Kuhn, 1955; Jonker and Volgenant, 1987.)
pub(super) fn cheapest(costs: &[Vec<i64>]) -> Vec<usize> {
    let columns = costs.first().map_or(0, Vec::len);
    debug_assert!(columns >= costs.len());
    let mut of_row = vec![0_i64; costs.len()];
    let mut of_column = vec![0_i64; columns];
    let mut row_of: Vec<Option<usize>> = vec![None; columns];
    for start in 0..costs.len() {
        let mut slack = vec![i64::MAX; columns];
        // The column from which each column is reached. `None`: from the start.
        let mut from: Vec<Option<usize>> = vec![None; columns];
        let mut done = vec![false; columns];
        let (mut row, mut at): (usize, Option<usize>) = (start, None);
        let last = loop {
            let mut nearest: Option<usize> = None;
            for column in (0..columns).filter(|&column| !done[column]) {
                let cost = costs[row][column] - of_row[row] - of_column[column];
                if cost < slack[column] {
                    (slack[column], from[column]) = (cost, at);
                }
                if nearest.is_none_or(|best| slack[column] < slack[best]) {
                    nearest = Some(column);
                }
            }
            // There are enough columns, so one is left.
            let Some(nearest) = nearest else { return Vec::new() };
            let step = slack[nearest];
            of_row[start] += step;
            for column in 0..columns {
                if done[column] {
                    of_column[column] -= step;
                    if let Some(taken) = row_of[column] {
                        of_row[taken] += step;
                    }
                } else {
                    slack[column] -= step;
                }
            }
            done[nearest] = true;
            match row_of[nearest] {
                Some(taken) => (row, at) = (taken, Some(nearest)),
                None => break nearest,
            }
        };
        let mut column = last;
        while let Some(before) = from[column] {
            row_of[column] = row_of[before];
            column = before;
        }
        row_of[column] = Some(start);
    }
    let mut column_of = vec![0; costs.len()];
    for (column, row) in row_of.iter().enumerate() {
        if let Some(row) = row {
            column_of[*row] = column;
        }
    }
    column_of
}

#[cfg(test)]
mod tests {
    use super::cheapest;

    /// The least sum, by trying all assignments.
    fn least(costs: &[Vec<i64>], taken: &mut Vec<usize>) -> i64 {
        let row = taken.len();
        if row == costs.len() {
            return 0;
        }
        let mut best = i64::MAX;
        for column in 0..costs[row].len() {
            if taken.contains(&column) {
                continue;
            }
            taken.push(column);
            best = best.min(costs[row][column] + least(costs, taken));
            taken.pop();
        }
        best
    }

    #[test]
    fn no_assignment_is_cheaper() {
        let mut state = 1_u64;
        let mut draw = move |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % below
        };
        for _ in 0..300 {
            let rows = usize::try_from(draw(5)).unwrap();
            let columns = rows + usize::try_from(draw(3)).unwrap();
            let costs: Vec<Vec<i64>> = (0..rows)
                .map(|_| (0..columns).map(|_| i64::try_from(draw(6)).unwrap()).collect())
                .collect();
            let found = cheapest(&costs);
            let mut once = found.clone();
            once.sort_unstable();
            once.dedup();
            assert_eq!(once.len(), rows, "{costs:?}");
            let sum: i64 = found.iter().enumerate().map(|(row, &column)| costs[row][column]).sum();
            assert_eq!(sum, least(&costs, &mut Vec::new()), "{costs:?}");
        }
    }
}
