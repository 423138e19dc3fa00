//! The one door to lightloom: CLI, GUI and Python call this crate and nothing below it.
//!
//! A request (a design file, flags, or both) becomes [`Settings`], the raw
//! form; settings become a [`Design`](design::Design), which cannot be illegal; a design opens
//! as a [`Project`]: fabric, hall and placement. Everything people ask for is a method of it that
//! returns a report. Only this crate reads users' files, and every refusal is an
//! [`InputError`] with file, line and field.

mod again;
mod arrays;
mod assumed;
mod bill;
mod budget;
mod catalogue;
mod choose;
mod compare;
mod costing;
mod dark;
mod deal;
pub mod design;
mod document;
mod edges;
mod error;
mod explore;
mod fabric_spec;
mod facts;
mod failures;
mod floor;
mod hall;
mod impact;
mod inventory;
mod labels;
mod naming;
mod new;
mod optics;
mod parallel;
mod placing;
mod plan;
mod project;
mod provenance;
mod recover;
mod repairs;
mod risk;
mod routes;
pub mod settings;
mod simulate;
mod spelling;
mod takes;
mod text;
mod throughput;
mod trays;
mod trees;
mod unused_ports;
mod verify;
mod verify_folder;

pub use arrays::{BranchArrays, PlaceArrays, RelaySets, TreeArrays};
pub use assumed::{Assumed, Assumption};
pub use bill::{MissingReport, TotalReport, UnplacedReport};
pub use budget::{
    BEST_CASE, BranchReport, BudgetOptions, BudgetReport, ElementReport, MendReport,
    MonteCarloReport, PlanCase, PlanLight, Tallied, WorstReport,
};
pub use compare::{
    AtLineRateReport, CompareReport, PerSourceReport, RatioReport, SideReport, WholeReport,
    YearsReport,
};
pub use dark::{DarkReport, PartReport};
pub use error::{Error, InputError};
pub use explore::{
    DesignReport, ExploreOptions, ExploreReport, RejectedReport, explore, explore_telling,
};
pub use fabric_spec::FabricSpec;
pub use facts::{DoubledReport, FabricFacts, InfoReport, LoadReport, OneMoreHopReport};
pub use failures::FailureSet;
pub use floor::{Fibre, FloorRack, FloorReport, FloorRow, StretchArrays};
pub use impact::ImpactReport;
pub use inventory::{InventoryNote, InventoryReport};
pub use new::{NewDesign, new_design};
pub use parallel::{ForbiddenReport, LimitReport, ParallelReport};
pub use plan::{HousingReport, PLAN_FILES, PlanReport, Planned, check_out, plan};
pub use project::Project;
pub use provenance::{CatalogueReport, RowReport};
pub use recover::{ChangeReport, Method, Phase, RecoverReport};
pub use repairs::{RepairsReport, repairs};
pub use risk::{GroupReport, PairReport, RiskReport};
pub use settings::{Request, Settings, unknown_key};
pub use simulate::{
    Column, DropReport, EndReport, FileReport, FlowsReport, IntervalReport, MOST_SEEDS,
    MOST_THREADS, ManifestReport, NetworkReport, OverflowReport, ParameterReport, PortReport,
    QueuesReport, RESULT_FILES, RatiosReport, ReplicaReport, ReplicasReport, RingReport, Run, Runs,
    ScenarioReport, SimulateOptions, SimulateReport, Simulated, SizeReport, StoppedReport,
    ThroughputSeries, TimesReport, TimingReport, WorkReport, check_results, read_columns,
    read_results, read_scenario, simulate, write_results,
};
pub use takes::Takes;
pub use text::Texts;
pub use throughput::ThroughputReport;
pub use trays::{TrayReport, Warning, WarningKind};
pub use trees::{FabricReport, RulesReport, TreeReport};
pub use unused_ports::{
    DistributionReport, RackCaseReport, SpareReport, UnusedOptions, UnusedReport, unused_ports,
};
pub use verify::Verification;
pub use verify_folder::{VerifyReport, verify_folder};

pub use lightloom_export::folder::Files;
pub use lightloom_routing::progress::{Progress, Stopped, quiet};
pub use lightloom_topology::{CassetteId, TorId};
