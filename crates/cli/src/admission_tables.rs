//! Admission of messages over light, as people read it.

use lightloom::shown::groups::{ADMITTED, Admitted, admission as facts};
use lightloom::twin::SimulateReport;

use crate::cells::{listed, sheet};

/// The tables of admission. Empty if there is none.
pub(crate) fn admission(report: &SimulateReport) -> String {
    let Some(admission) = &report.admission else { return String::new() };
    let messages = Admitted::of(&report.multicasts);
    format!("\n{}\n{}", sheet(&facts(admission)), listed(&ADMITTED, &messages))
}
