//! What broken parts do to a plan, and how rules go around them.

#[cfg(feature = "system")]
pub use crate::folders::failures::repairs;
pub use crate::in_memory::failures::{RepairFiles, RepairsReport, repair_files, risk};
pub use lightloom_design::platform::Platform;
pub use lightloom_design::rates::{PartKind, Rate, Rates};
pub use lightloom_plan::accelerators::PlannedAccelerators;
pub use lightloom_plan::cascade::{CascadeReport, SilencedReport};
pub use lightloom_plan::concerns::Concerns;
pub use lightloom_plan::failure_set::FailureSet;
pub use lightloom_plan::impact::{ImpactFigures, ImpactReport};
pub use lightloom_plan::logical::LogicalReport;
pub use lightloom_plan::method::parse as recovery_method;
pub use lightloom_plan::platform_report::PlatformReport;
pub use lightloom_plan::recover::{
    AddedHops, ChangeReport, DrainReport, Phase, RecoverFigures, RecoverReport,
};
pub use lightloom_plan::standing::{Reach, WithoutFailures};
pub use lightloom_plan::throughput::ThroughputReport;
pub use lightloom_power_cost::parts::FaultSignalling;
pub use lightloom_routing::fault_signalling::Cause;
pub use lightloom_routing::recovery::{Method, MethodName, Objective, States};
pub use lightloom_studies::dark::{DarkReport, PartReport, dark};
pub use lightloom_studies::many::{
    Losses, Recoveries, SetFigures, impacts, lost_pairs, recoveries,
};
pub use lightloom_studies::outages::{
    Double, Estimate, KindReport, KnownOutages, MirrorReport, OutageReport,
    PartReport as OutagePart, SingleOutages,
};
pub use lightloom_studies::repairs::single_failures;
pub use lightloom_studies::risk::{GroupCascade, GroupReport, PairReport, RiskCascade, RiskReport};
pub use lightloom_studies::spread::{Installed, SpreadReport, spread};
