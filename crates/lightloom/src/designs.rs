//! Designs before there is a plan: a new one, all that fit, one beside electrical switches.

#[cfg(feature = "system")]
pub use crate::folders::designs::new_design;
pub use crate::in_memory::designs::{
    DesignText, NewDesign, explore, new_design_text, unused_ports,
};
pub use lightloom_studies::compare::{
    AtLineRateReport, CircuitCoreReport, CompareOptions, CompareReport, ComparedAccelerators,
    CoreFailuresReport, CoreLayerReport, Dearer, FibreUnit, PerSourceReport, RatioBounds,
    RatioReport, SideReport, WholeReport, YearsReport, compare,
};
pub use lightloom_studies::explore::{
    CostDifference, DesignReport, ExploreOptions, ExploreReport, RejectedReport,
};
pub use lightloom_studies::unused_ports::{
    DistributionReport, RackCaseReport, SpareReport, UnusedOptions, UnusedReport,
};
