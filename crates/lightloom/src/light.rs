//! Whether light arrives: budgets, the verdict of each branch, and the way of its light.

pub use lightloom_design::optics::{DesignOptics, Draws};
pub use lightloom_export::trace::{csv as trace_csv, shown as trace_shown};
pub use lightloom_plan::budget::{
    BranchField, BranchReport, BudgetOptions, BudgetReport, ComparedReport, DemandReport,
    ElementReport, MarginFrom, MendReport, MonteCarloReport, PlanCase, PlanLight, ReflectorReport,
    SpecReport, SplitterDemand, Tallied, WorstReport,
};
pub use lightloom_power_cost::parts::FittedPad;
pub use lightloom_power_cost::{Case, Element, Fittings, Mated, Optics, Spread, Verdict, What};
pub use lightloom_studies::arrays::{BranchArrays, branch_arrays};
pub use lightloom_studies::branches::{Ends, branches_of_port, port_named};
pub use lightloom_studies::trace::{
    CableHop, CableName, FibreArrays, Hop, HopReport, OverTrays, ThingHop, ThingName, TraceReport,
    TracedBranch, TracedFibre, TrayPart, branches_named, over_trays, trace,
};
