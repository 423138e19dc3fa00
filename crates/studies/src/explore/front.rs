//! The Pareto front, where costs are ranges of prices that designs share.

use std::cmp::Ordering;

use lightloom_power_cost::{Difference, pareto_front};
use lightloom_request::choices::Criterion;

use crate::explore::designs::Found;
use crate::explore::objectives::{badness, objective, value};
use crate::explore::report::CostDifference;

/// Marks the designs on the front by the prices that count, and those for which prices in their ranges decide.
pub(super) fn mark(found: &mut [Found]) {
    let row = |found: &Found| Criterion::ALL.map(|criterion| value(criterion, &found.design));
    let rows: Vec<_> = found.iter().map(row).collect();
    let front = pareto_front(Criterion::ALL.map(objective), &rows);
    let open: Vec<bool> = (0..found.len()).map(|at| is_open(found, at, front[at])).collect();
    for ((found, pareto), open) in found.iter_mut().zip(front).zip(open) {
        (found.design.pareto, found.design.pareto_open) = (pareto, open);
    }
}

/// Whether prices in their ranges decide if a design is on the front: on it, if some prices let another one beat it;
/// off it, if no other one beats it at all prices.
fn is_open(all: &[Found], at: usize, on_front: bool) -> bool {
    let this = &all[at];
    let rivals = all.iter().enumerate().filter(|&(other, _)| other != at);
    let mut beats = rivals.filter_map(|(_, rival)| {
        let others = beside_cost(rival, this)?;
        Some((others, difference(rival, this)))
    });
    if on_front {
        // A rival as good in all else needs to cost less; one that is better needs to cost no more.
        beats.any(|(others, cost)| {
            cost.is_some_and(|cost| match others {
                Ordering::Greater => cost.low.is_none_or(|low| low <= 0),
                _ => cost.can_be_less(),
            })
        })
    } else {
        !beats.any(|(others, cost)| match (others, cost) {
            // Without costs that compare, the rest decided.
            (_, None) => true,
            (Ordering::Greater, Some(cost)) => cost.high.is_some_and(|high| high <= 0),
            (_, Some(cost)) => cost.decided() == Some(Ordering::Less),
        })
    }
}

/// How a design compares with another one in all objectives but the cost: better in one and worse in none, as good in
/// all, or `None` if it is worse in one.
fn beside_cost(one: &Found, other: &Found) -> Option<Ordering> {
    let mut better = false;
    for criterion in Criterion::ALL.into_iter().filter(|&criterion| criterion != Criterion::Cost) {
        let badness =
            |found: &Found| badness(objective(criterion), value(criterion, &found.design));
        match badness(one).total_cmp(&badness(other)) {
            Ordering::Greater => return None,
            Ordering::Less => better = true,
            Ordering::Equal => {}
        }
    }
    Some(if better { Ordering::Greater } else { Ordering::Equal })
}

/// How much more a design costs than another one. `None`: their costs do not compare.
fn difference(one: &Found, other: &Found) -> Option<Difference> {
    let compare = one.design.cost_compares && other.design.cost_compares;
    one.basket.minus(&other.basket).filter(|_| compare)
}

/// Says how much more each design costs than the first one.
pub(super) fn over_first(found: &mut [Found]) {
    let Some((first, others)) = found.split_first_mut() else { return };
    for other in others {
        other.design.cost_over_first = difference(other, first).as_ref().map(CostDifference::from);
    }
}
