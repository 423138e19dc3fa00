//! Failures and repairs.

use lightloom_plan::recover::RecoverReport;
use lightloom_tables::shown::Shown;

/// What a repair takes with and without link fault signalling. `None`: the failures are not signalled.
pub fn fault_signalling(report: &RecoverReport) -> Option<Shown> {
    let cascade = report.fault_signalling.as_ref()?;
    let mut shown = Shown::new(["link fault signalling", "on", "off"]);
    for ((what, on), (_, off)) in report.figures().rows().into_iter().zip(cascade.without.rows()) {
        shown.add([what.to_owned(), on.to_string(), off.to_string()]);
    }
    Some(shown)
}
