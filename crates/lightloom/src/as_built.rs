//! A plan as it was built: the form that installers fill in, and what came back.

#[cfg(feature = "system")]
pub use crate::folders::as_built::{as_built_form, take_as_built, write_as_built_form};
pub use crate::in_memory::as_built::{
    FormReport, TakenFiles, TakenReport, as_built, blank_form, take_files,
};
pub use lightloom_input::as_built::{Returned, read as read_returned};
pub use lightloom_plan::as_built::marks::{AsBuilt, Measured};
pub use lightloom_plan::as_built::report::{
    Acceptance, AsBuiltReport, FailedBranch, MovedPlug, OtherLength, Relabelled,
};
pub use lightloom_plan::as_built::taking::AstrayReport;
