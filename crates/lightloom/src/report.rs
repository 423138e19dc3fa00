//! The report and the drawings of a plan.

#[cfg(feature = "system")]
pub use crate::folders::report::{
    draw, drawings_of, report, report_of, write_drawings, write_report,
};
pub use crate::in_memory::report::{ReportOptions, Reported, report_texts};
