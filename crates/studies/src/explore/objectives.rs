//! What designs are compared by.

use lightloom_power_cost::Goal;
use lightloom_request::choices::Criterion;

use crate::explore::report::DesignReport;

/// Whether a smaller or a larger value is better.
pub(super) fn objective(of: Criterion) -> Goal {
    match of {
        Criterion::ParallelSources | Criterion::Margin => Goal::Most,
        Criterion::Cost
        | Criterion::Fibre
        | Criterion::Power
        | Criterion::Hops
        | Criterion::Cables
        | Criterion::Tray => Goal::Least,
    }
}

/// Value of a design. `None`: unknown.
pub(super) fn value(of: Criterion, design: &DesignReport) -> Option<f64> {
    match of {
        Criterion::Cost => {
            let cost = design.cost.filter(|_| design.cost_compares);
            cost.map(|cost| cost.as_micros() as f64)
        }
        Criterion::Fibre => Some(design.fibre_m),
        Criterion::Power => design.power_w,
        Criterion::Hops => Some(design.max_hops.into()),
        Criterion::ParallelSources => design.parallel_sources.map(|sources| sources as f64),
        Criterion::Margin => design.worst_margin_db,
        Criterion::Cables => Some(design.cables_beyond_rows as f64),
        Criterion::Tray => Some(design.fullest_tray_percent),
    }
}

/// A value so that less is better. What is unknown is worse than anything.
pub(super) fn badness(objective: Goal, value: Option<f64>) -> f64 {
    match (objective, value) {
        (_, None) => f64::INFINITY,
        (Goal::Least, Some(value)) => value,
        (Goal::Most, Some(value)) => -value,
    }
}
