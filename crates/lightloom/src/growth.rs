//! Plans that grow and shrink: which cords move, when, and at what cost.

#[cfg(feature = "system")]
pub use crate::folders::growth::{grow, grow_project, shrink};
pub use crate::in_memory::growth::{GrowReport, GrownFiles, grow_files, shrink_files};
pub use lightloom_export::plan::GROWTH_FILES;
pub use lightloom_plan::growth::cords::CordAction;
pub use lightloom_plan::growth::cost::{CordReport, GrowthCost};
pub use lightloom_plan::growth::report::{
    GrowthSummary, HopsReport, PaperReport, PhaseReport, StageSummary,
};
pub use lightloom_plan::growth::staging::ParallelReport as StageParallelReport;
pub use lightloom_plan::growth::{GrowOptions, ShrinkOptions};
