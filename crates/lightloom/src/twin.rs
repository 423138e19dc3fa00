//! Runs of the packet-level twin: their scenarios, results and recordings.

#[cfg(feature = "system")]
pub use crate::folders::arrivals::arrival_files;
#[cfg(feature = "system")]
pub use crate::folders::collective::draw_collective;
#[cfg(feature = "system")]
pub use crate::folders::traces::write_trace;
pub use crate::in_memory::collective::{CollectiveOn, CollectiveOptions, collective};
pub use crate::in_memory::simulated::{Run, Runs, SimulateOptions, Simulated, TimingReport};
pub use crate::in_memory::traces::{TraceOptions, trace};
pub use crate::in_memory::twin::{MOST_SEEDS, read_scenario, simulate, simulate_built};
pub use lightloom_advice::contender::{Carrier, Contender};
pub use lightloom_advice::report::{
    AdviceReport, Axis, BreakEvenReport, CaseReport, CrossoverReport, FastestReport, LeftOutReport,
};
#[cfg(feature = "system")]
pub use lightloom_export::results::{check_results, write_results};
#[cfg(feature = "system")]
pub use lightloom_input::results::read_results;
pub use lightloom_input::results::{Column, read_columns};
pub use lightloom_scenario::glass::Light;
pub use lightloom_scenario::said::Order;
pub use lightloom_scenario::scenario::{GroupTransport, NetworkKind, ParameterReport, TreeChoice};
pub use lightloom_schedules::{Operation, Schedule};
pub use lightloom_sim::accelerators::{AcceleratorReport, AcceleratorsReport};
pub use lightloom_sim::admission::{AdmissionPolicy, AdmissionReport, MessageAdmissionReport};
pub use lightloom_sim::capture::Capture;
pub use lightloom_sim::circuits::CircuitsReport;
pub use lightloom_sim::collectives::{CollectiveReport, IterationReport, WireReport};
pub use lightloom_sim::copies::CopiesReport;
pub use lightloom_sim::ending::{EndReport, Ending, RingReport, StoppedReport};
pub use lightloom_sim::errors::{
    HadReport, MessageError, MessageStatus, NeverStartedReport, QueuePairErrorReport,
};
pub use lightloom_sim::failed::{ExemptReport, FailureCause, FailureReport};
pub use lightloom_sim::files::RESULT_FILES;
pub use lightloom_sim::goodput::{GoodputIntervals, GoodputReport, GoodputsReport};
pub use lightloom_sim::groups::{
    BusyReport, CrossedReport, GroupStanding, GroupTableReport, LossyReport, MulticastReport,
    ReceiverReport, ReliableGroupReport, SplittersReport,
};
pub use lightloom_sim::jobs::{AloneReport, JobReport};
pub use lightloom_sim::kinds::{DropCause, Mark, PacketKind, TrafficClass};
pub use lightloom_sim::lacks::{CausesReport, LacksReport};
pub use lightloom_sim::ledger::{LedgerReport, MessageOrigin};
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
    CollectiveIntervals, MessageIntervals, ReplicaCollective, ReplicaMessage, ReplicaReport,
    ReplicaTrace, ReplicasReport, TraceIntervals,
};
pub use lightloom_sim::report::{
    DropReport, FlowsReport, LargestGroupReport, NetworkReport, PortReport, QueuesReport,
    SimulateReport, SizeReport, ThroughputSeries, WorkReport,
};
pub use lightloom_sim::so_far::{QueueReport, SoFarReport};
pub use lightloom_sim::summary::{IntervalReport, RatiosReport, TimesReport};
pub use lightloom_sim::to_groups::ToGroupsReport;
pub use lightloom_sim::trace_file::{CallsReport, PathReport, TraceFileReport};
pub use lightloom_sim::traces::{TraceCallsReport, TraceRunReport};
