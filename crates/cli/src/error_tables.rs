//! Messages of a simulation that failed, as people read them.

use lightloom::shown::run::{EXEMPT, FAILED, NEVER_STARTED, QUEUE_PAIRS};
use lightloom::twin::SimulateReport;

use crate::cells::listed;

/// The tables of what failed, and of what waits for it. Empty if nothing failed.
pub(crate) fn errors(report: &SimulateReport) -> String {
    listed(&FAILED, &report.end.failures)
        + &listed(&EXEMPT, &report.end.exempt)
        + &listed(&QUEUE_PAIRS, &report.queue_pair_errors)
        + &listed(&NEVER_STARTED, &report.never_started)
}
