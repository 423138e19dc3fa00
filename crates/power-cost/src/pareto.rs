//! Pareto fronts of designs.

/// Whether a smaller or a larger value is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// Smaller is better.
    Least,
    /// Larger is better.
    Most,
}

/// Whether each row is on the Pareto front. Another row beats a row if it is at least as good in every
/// objective and better in one. An absent value is worse than any other.
pub fn pareto_front<const N: usize>(objectives: [Goal; N], rows: &[[Option<f64>; N]]) -> Vec<bool> {
    let goodness = |objective: Goal, value: Option<f64>| match (objective, value) {
        (_, None) => f64::NEG_INFINITY,
        (Goal::Least, Some(value)) => -value,
        (Goal::Most, Some(value)) => value,
    };
    let beats = |one: &[Option<f64>; N], other: &[Option<f64>; N]| {
        let mut better = false;
        for ((&objective, &one), &other) in objectives.iter().zip(one).zip(other) {
            let (one, other) = (goodness(objective, one), goodness(objective, other));
            if one < other {
                return false;
            }
            better |= one > other;
        }
        better
    };
    rows.iter().map(|row| !rows.iter().any(|other| beats(other, row))).collect()
}
