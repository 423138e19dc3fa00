//! The library that the command line and Python use, and that other programs may depend on.
//!
//! A request (a design file, settings, or both) opens as a [`Project`]: fabric, hall and placement. Every
//! question is a method of it or a function here, and returns a report. Every error about input is an
//! [`InputError`] with its place.
//!
//! No flags, tables or windows are here: those belong to the front ends.

mod answer;
#[cfg(feature = "folders")]
mod arrivals;
mod as_built;
#[cfg(feature = "folders")]
mod bundle;
mod clock;
mod configs;
mod designs;
mod editing;
mod growing;
mod lint;
mod netbox;
#[cfg(feature = "folders")]
mod opening;
mod planning;
mod reporting;
mod samples;
mod schema;
mod simulation;

pub use answer::{FORMAT, from_json, to_json};
#[cfg(feature = "folders")]
pub use arrivals::arrival_files;
#[cfg(feature = "folders")]
pub use as_built::{FormReport, as_built_form, take_as_built, write_as_built_form};
pub use as_built::{TakenFiles, TakenReport, as_built, blank_form, take_files};
#[cfg(feature = "folders")]
pub use bundle::{Bundle, ChangedFile, ChangedLines, ReplacedReport, changed_lines};
pub use configs::{
    ConfigsOptions, ConfigsReport, RolloutReport, config_files, optical, rollout_files,
};
#[cfg(feature = "folders")]
pub use configs::{configs, configs_diff, write_configs, write_rollout};
#[cfg(feature = "folders")]
pub use designs::new_design;
pub use designs::{DesignText, NewDesign, explore, new_design_text, unused_ports};
pub use editing::{change_setting, changed_files, read_settings};
#[cfg(feature = "folders")]
pub use editing::{open_lock, replace_file, save_design, write_files};
pub use growing::{GrowReport, GrownFiles, grow_files, shrink_files};
#[cfg(feature = "folders")]
pub use growing::{grow, grow_project, shrink};
pub use lightloom_input::as_built::{Returned, read as read_returned};
pub use lint::{LintReport, lint};
#[cfg(feature = "folders")]
pub use netbox::netbox;
pub use netbox::{NetboxReport, netbox_files};
#[cfg(feature = "folders")]
pub use opening::{open_design_or_plan, open_written};
pub use planning::{PlanFiles, Planned, RepairFiles, RepairsReport, plan_files, repair_files};
#[cfg(feature = "folders")]
pub use planning::{check_out, plan, repairs};
pub use reporting::{ReportOptions, Reported, report_texts};
#[cfg(feature = "folders")]
pub use reporting::{draw, drawings_of, report, report_of, write_drawings, write_report};
pub use schema::{schema, schemas};
pub use simulation::{
    MOST_SEEDS, Run, Runs, SimulateOptions, Simulated, TimingReport, read_scenario, simulate,
};

/// # Examples
/// ```
/// # use lightloom::{Request, Watch, open, plan, setting, verify_folder};
/// # let request = Request::default().say(&setting::fabric::P, 2_u32).say(&setting::fabric::TORS, 12_u32);
/// # let place = tempfile::tempdir().expect("a folder can be made");
/// let folder = place.path().join("plan");
/// plan(&open(&request)?, &folder, Watch::quiet())?;
/// assert!(verify_folder(&folder, Watch::quiet())?.good);
///
/// // A rule is deleted by hand.
/// let rules = folder.join("rules.json");
/// let text = std::fs::read_to_string(&rules).expect("it was written");
/// std::fs::write(&rules, text.replacen("[0,", "[", 1)).expect("it can be written");
/// let report = verify_folder(&folder, Watch::quiet())?;
/// assert!(!report.good && !report.first_faults.is_empty());
/// # Ok::<(), lightloom::Error>(())
/// ```
#[cfg(feature = "folders")]
pub use lightloom_audit::verify_folder;
pub use lightloom_audit::{
    ReadBackOptions, SwitchesReport, VerifyReport, verify_switches, verify_texts,
};
pub use lightloom_export::configs::not_expressed::NotExpressed;
pub use lightloom_export::configs::rollout::{PhaseManifest, RolloutManifest, StampsReport};
pub use lightloom_export::configs::{ConfigFiles, Dialect, Manifest, TableSizes};
pub use lightloom_export::netbox::{NETBOX_FILES, NetboxOptions, Origin};
pub use lightloom_export::plan::{GROWTH_FILES, PLAN_FILES};
pub use lightloom_export::reference::page as reference_page;
#[cfg(feature = "folders")]
pub use lightloom_export::results::{check_results, write_results};
pub use lightloom_export::scenario_rows::{
    ScenarioChange, ScenarioRow, ScenarioValue, change_scenario, scenario_design, scenario_rows,
};
pub use lightloom_export::schema::{design as design_schema, scenario as scenario_schema};
pub use lightloom_export::trace::{COLUMNS as TRACE_COLUMNS, csv as trace_csv, rows as trace_rows};
/// # Examples
/// ```
/// # use lightloom::{Request, document, open, restore, setting};
/// # let request = Request::default().say(&setting::fabric::P, 2_u32).say(&setting::fabric::TORS, 12_u32);
/// let project = open(&request)?;
/// let text = document(&project)?;
/// // The same project, later or on another machine.
/// let again = restore(&text)?;
/// assert!(again.same_as(&project));
/// # Ok::<(), lightloom::InputError>(())
/// ```
pub use lightloom_input::again::{document, restore};
pub use lightloom_input::kind::FileKind;
/// # Examples
/// ```
/// use std::collections::BTreeMap;
///
/// use lightloom::{Request, Texts, open, setting};
///
/// // From settings alone.
/// let request = Request::default().say(&setting::fabric::P, 4_u32).say(&setting::fabric::TORS, 64_u32);
/// assert_eq!(open(&request)?.fabric().tors(), 64);
///
/// // From a design file, here in memory. A setting of the request overrides the file's.
/// let design = "version = 1\n[fabric]\np = 2\ntors = 12\n".to_owned();
/// let texts = Texts::keeping(BTreeMap::from([("design.toml".into(), design)]));
/// let request = Request { design: Some("design.toml".into()), texts, ..Request::default() };
/// assert_eq!(open(&request)?.fabric().tors(), 12);
/// let larger = request.say(&setting::fabric::TORS, 14_u32);
/// assert_eq!(open(&larger)?.fabric().tors(), 14);
///
/// // A refusal names its place.
/// let refused = open(&larger.say(&setting::fabric::P, "two")).expect_err("it is no number");
/// assert!(refused.to_string().starts_with("--p: "));
/// # Ok::<(), lightloom::InputError>(())
/// ```
pub use lightloom_input::open::project as open;
/// # Examples
/// ```
/// # use lightloom::{Request, Watch, open, open_plan, plan, setting};
/// # let request = Request::default().say(&setting::fabric::P, 2_u32).say(&setting::fabric::TORS, 12_u32);
/// # let place = tempfile::tempdir().expect("a folder can be made");
/// let folder = place.path().join("plan");
/// let project = open(&request)?;
/// plan(&project, &folder, Watch::quiet())?;
/// let (again, plan_json) = open_plan(&folder)?;
/// assert!(again.same_as(&project) && plan_json.starts_with('{'));
/// # Ok::<(), lightloom::Error>(())
/// ```
pub use lightloom_input::plan_folder::{WrittenPlan, open as open_plan};
#[cfg(feature = "folders")]
pub use lightloom_input::results::read_results;
pub use lightloom_input::results::{Column, read_columns};
pub use lightloom_plan::arrays::{BranchArrays, PlaceArrays, RelaySets, TreeArrays};
pub use lightloom_plan::as_built::report::{
    Acceptance, AsBuiltReport, FailedBranch, MovedPlug, OtherLength, Relabelled,
};
pub use lightloom_plan::as_built::taking::AstrayReport;
pub use lightloom_plan::assumption::{Assumed, Assumption};
pub use lightloom_plan::bill::{CostRange, MissingReport, TotalReport, UnplacedReport};
pub use lightloom_plan::bom::BomItem;
pub use lightloom_plan::budget::{
    BranchField, BranchReport, BudgetOptions, BudgetReport, ComparedReport, DemandReport,
    ElementReport, MarginFrom, MendReport, MonteCarloReport, PlanCase, PlanLight, SpecReport,
    SplitterDemand, Tallied, WorstReport,
};
pub use lightloom_plan::cabling::{CablingReport, OrderReport, PullReport, TrunkReport};
pub use lightloom_plan::cascade::{CascadeReport, SilencedReport};
pub use lightloom_plan::compare::{
    AtLineRateReport, CompareReport, Dearer, FibreUnit, PerSourceReport, RatioBounds, RatioReport,
    SideReport, WholeReport, YearsReport,
};
pub use lightloom_plan::concerns::Concerns;
pub use lightloom_plan::dark::{DarkReport, PartReport};
pub use lightloom_plan::design;
pub use lightloom_plan::explore::{
    CostDifference, DesignReport, ExploreOptions, ExploreReport, RejectedReport,
};
pub use lightloom_plan::fabric_spec::FabricSpec;
pub use lightloom_plan::facts::{
    DoubledReport, FabricFacts, InfoReport, LoadReport, OneMoreHopReport,
};
pub use lightloom_plan::failure_set::FailureSet;
pub use lightloom_plan::finding::Found;
pub use lightloom_plan::floor::{
    Fibre, FloorRack, FloorReport, FloorRoom, FloorRow, FloorWay, StretchArrays,
};
pub use lightloom_plan::growth::cords::CordAction;
pub use lightloom_plan::growth::cost::{CordReport, GrowthCost};
pub use lightloom_plan::growth::report::{
    GrowthSummary, HopsReport, PaperReport, PhaseReport, StageSummary,
};
pub use lightloom_plan::growth::staging::ParallelReport as StageParallelReport;
pub use lightloom_plan::growth::{GrowOptions, ShrinkOptions};
pub use lightloom_plan::housings::HousingReport;
pub use lightloom_plan::impact::{ImpactFigures, ImpactReport};
pub use lightloom_plan::inventory::{InventoryNote, InventoryReport};
pub use lightloom_plan::method::parse as recovery_method;
pub use lightloom_plan::parallel::{ForbiddenReport, LimitReport, ParallelReport, ParallelSoFar};
#[doc = include_str!("project.md")]
pub use lightloom_plan::platform::Platform;
pub use lightloom_plan::platform_report::PlatformReport;
pub use lightloom_plan::project::Project;
pub use lightloom_plan::prove::{Optical, PlanReport};
pub use lightloom_plan::provenance::{CatalogueReport, PriceReport, RowKind, RowReport};
pub use lightloom_plan::recover::{ChangeReport, Phase, RecoverFigures, RecoverReport};
pub use lightloom_plan::risk::{GroupCascade, GroupReport, PairReport, RiskCascade, RiskReport};
pub use lightloom_plan::spread::{Installed, SpreadReport};
pub use lightloom_plan::standing::{Reach, WithoutFailures};
pub use lightloom_plan::throughput::ThroughputReport;
pub use lightloom_plan::totals::{OneTotal, PartGroup, PartSum, TotalName};
pub use lightloom_plan::trace::{
    CableHop, CableName, Ends, FibreArrays, Hop, HopReport, OverTrays, ThingHop, ThingName,
    TraceReport, TracedBranch, TracedFibre, TrayPart,
};
pub use lightloom_plan::trays::{TrayReport, Warning, WarningKind};
pub use lightloom_plan::trees::{FabricReport, RulesReport, TreeReport};
pub use lightloom_plan::unused_ports::{
    DistributionReport, RackCaseReport, SpareReport, UnusedOptions, UnusedReport,
};
pub use lightloom_plan::verify::{Sample, Verification};
pub use lightloom_power_cost::parts::FaultSignalling;
pub use lightloom_power_cost::price::{PriceBasis, PriceCase, PriceRank};
pub use lightloom_power_cost::{Accounting, Case, MissingValue, Verdict, What};
pub use lightloom_request::choices::{CatalogueName, Criterion, Family, RouterName, RowsFrom};
pub use lightloom_request::given::{Contents, Given};
pub use lightloom_request::unknown::unknown_key;
pub use lightloom_request::{
    Error, Field, Files, Flags, FolderError, InputError, Key, MOST_THREADS, Memory, Message,
    Request, Setting, SettingValue, Settings, Stopped, Takes, Texts, Value, Words, key,
    read_option, setting,
};
pub use lightloom_routing::fault_signalling::Cause;
pub use lightloom_routing::recovery::{Method, MethodName, Objective};
pub use lightloom_sim::admission::{AdmissionPolicy, AdmissionReport, MessageAdmissionReport};
pub use lightloom_sim::capture::Capture;
pub use lightloom_sim::copies::CopiesReport;
pub use lightloom_sim::ending::{EndReport, Ending, RingReport, StoppedReport};
pub use lightloom_sim::errors::{
    HadReport, MessageError, MessageStatus, NeverStartedReport, QueuePairErrorReport,
};
pub use lightloom_sim::failed::{ExemptReport, FailureCause, FailureReport};
pub use lightloom_sim::files::RESULT_FILES;
pub use lightloom_sim::glass::Light;
pub use lightloom_sim::goodput::{GoodputIntervals, GoodputReport, GoodputsReport};
pub use lightloom_sim::groups::{
    BusyReport, CrossedReport, GroupStanding, GroupTableReport, GroupTransport, LossyReport,
    MulticastReport, ReceiverReport, ReliableGroupReport, SplittersReport,
};
pub use lightloom_sim::kinds::{DropCause, Mark, PacketKind, TrafficClass};
pub use lightloom_sim::lacks::{CausesReport, LacksReport};
pub use lightloom_sim::look::ScenarioReport;
pub use lightloom_sim::manifest::{FileReport, ManifestReport};
pub use lightloom_sim::overflow::OverflowReport;
pub use lightloom_sim::recording::look::{Event, EventOf};
pub use lightloom_sim::recording::network::{DrawnNetwork, DrawnNode, DrawnWay, NodeKind};
pub use lightloom_sim::recording::waits::{Wait, Waits};
pub use lightloom_sim::recording::{
    DropPlace, LeftOut, RecordedDrop, RecordedHop, RecordedMessage, RecordedPacket, RecordingReport,
};
pub use lightloom_sim::recovery::{
    LackingReport, RecoveryEventKind, RecoveryEventReport, RecoveryReport,
};
pub use lightloom_sim::replicas::{
    MessageIntervals, ReplicaMessage, ReplicaReport, ReplicasReport,
};
pub use lightloom_sim::report::{
    DropReport, FlowsReport, NetworkReport, PortReport, QueuesReport, SimulateReport, SizeReport,
    ThroughputSeries, WorkReport,
};
/// Declarations of the fields of scenario files.
pub use lightloom_sim::said as scenario;
pub use lightloom_sim::scenario::{NetworkKind, ParameterReport, TreeChoice};
pub use lightloom_sim::so_far::{QueueReport, SoFarReport};
pub use lightloom_sim::summary::{IntervalReport, RatiosReport, TimesReport};
pub use lightloom_sim::to_groups::ToGroupsReport;
pub use lightloom_switching::capacity::Needs;
pub use lightloom_switching::encoding::Encoding;
pub use lightloom_switching::lint::{Finding, Rule, Severity};
pub use lightloom_topology::hall::{Cabling, Housing, PathwayKind};
pub use lightloom_topology::{CassetteId, TorId};
pub use lightloom_units as units;
pub use lightloom_watch::{OnProgress, Wants, Watch};

/// The example of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
