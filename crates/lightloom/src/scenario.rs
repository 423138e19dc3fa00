//! Scenarios of the twin: what their fields are, and how a program builds one from typed rows. A file, a mapping of
//! Python and the window build theirs with the same calls.

pub use lightloom_input::scenario::shipped_parameters;
pub use lightloom_scenario::build::{
    Cdf, CdfPoints, LinkList, LinkRow, ListedFlow, Matrix, MatrixRow, Nodes, Overrides,
    ParameterRows, PlanInUse, Run, ScenarioBuilder, Supplied,
};
pub use lightloom_scenario::said::{
    AdmissionRow, Awaited, CATALOGUE, ChangeRow, CircuitRow, CircuitsRow, CollectiveRow,
    DarkBranches, DcqcnRow, EcnRow, FailureRow, FibreRow, Field, FieldValue, FileName, FlowRow,
    GroupParametersRow, GroupRow, Kind, LossRepair, LossRow, Members, MulticastRow, NetworkRow,
    Node, ONE_OF, OrWord, Order, ParameterSet, ParametersRow, Pattern, Place, ProbesRow,
    RecoveryRow, Row, RunRow, SECTIONS, Section, Senders, SetupRow, Source, StackRow, SwitchRow,
    TrafficRow, TransportRow, Way, WireRow, section, written,
};
pub use lightloom_scenario::scenario::{Parameters, Scenario};
