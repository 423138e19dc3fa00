//! The Pareto front, compared with its definition, row by row.

use lightloom_power_cost::{Goal, pareto_front};
use proptest::collection::vec;
use proptest::prelude::*;

const OBJECTIVES: [Goal; 3] = [Goal::Least, Goal::Most, Goal::Least];

type Row = [Option<f64>; 3];

/// Whether one value is better than another, which may be absent.
fn better(objective: Goal, one: Option<f64>, other: Option<f64>) -> bool {
    match (one, other) {
        (None, _) => false,
        (Some(_), None) => true,
        (Some(one), Some(other)) => match objective {
            Goal::Least => one < other,
            Goal::Most => one > other,
        },
    }
}

fn beats(one: &Row, other: &Row) -> bool {
    let better = |i: usize, one: &Row, other: &Row| better(OBJECTIVES[i], one[i], other[i]);
    (0..3).all(|i| !better(i, other, one)) && (0..3).any(|i| better(i, one, other))
}

/// Few different values, so that many are equal.
fn any_rows() -> impl Strategy<Value = Vec<Row>> {
    let value = prop_oneof![Just(None), (-3_i8..=3).prop_map(|value| Some(f64::from(value) / 2.0))];
    vec([value.clone(), value.clone(), value], 0..40)
}

proptest! {
    #[test]
    fn a_row_is_on_the_front_unless_another_beats_it(rows in any_rows()) {
        let front = pareto_front(OBJECTIVES, &rows);
        prop_assert_eq!(front.len(), rows.len());
        for (row, &on) in rows.iter().zip(&front) {
            prop_assert_eq!(on, !rows.iter().any(|other| beats(other, row)), "{:?}", row);
        }
        prop_assert!(rows.is_empty() || front.contains(&true));
    }

    #[test]
    fn whoever_is_beaten_is_beaten_by_the_front(rows in any_rows()) {
        let front = pareto_front(OBJECTIVES, &rows);
        let on_it: Vec<&Row> = rows.iter().zip(&front).filter(|(_, on)| **on).map(|(row, _)| row).collect();
        for (row, &on) in rows.iter().zip(&front) {
            prop_assert!(on || on_it.iter().any(|other| beats(other, row)));
        }
    }
}

#[test]
fn least_and_most_are_not_the_same() {
    let rows = [1.0, 2.0, 3.0].map(|value| [Some(value)]);
    assert_eq!(pareto_front([Goal::Least], &rows), [true, false, false]);
    assert_eq!(pareto_front([Goal::Most], &rows), [false, false, true]);
    assert_eq!(pareto_front([Goal::Most], &[[None], [None]]), [true, true]);
    assert_eq!(pareto_front([Goal::Most], &[[None], [Some(-1e300)]]), [false, true]);
}
