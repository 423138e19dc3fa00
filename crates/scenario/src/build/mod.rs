//! Builds scenarios: the rules of what they may say, and the traffic and groups that they draw.
//!
//! A file, a mapping and a program all make the same calls. An error names the section, the row and the field
//! ([`At`](lightloom_request::At)); whoever reads a file puts the line to it.

mod accelerators;
mod admission;
mod buffers;
mod built;
mod casts;
mod circuits;
mod collective_messages;
mod collective_rows;
mod collectives;
mod computations;
mod connection;
mod context;
mod delay;
mod epochs;
mod failures;
mod flow_list;
mod flows;
mod groups;
mod jobs;
mod links;
mod losses;
mod matrix;
mod members;
mod network;
mod nodes;
mod of_design;
mod order;
mod parameters;
mod parts;
mod patterns;
mod planned;
mod poisson;
mod preparation;
mod probes;
mod racks;
mod random;
mod recovery;
mod refused;
mod routes;
mod run;
mod sent;
mod sizes;
mod trace_calls;
mod traces;
mod uplinks;
mod waits;

use std::path::PathBuf;

use lightloom_request::{InputError, Memory};
use lightloom_units::Instant;

use crate::build::admission::Wanted;
use crate::build::casts::Casts;
use crate::build::circuits::CircuitRows;
use crate::build::collectives::Collectives;
use crate::build::computations::Computations;
use crate::build::context::Context;
use crate::build::failures::Troubles;
use crate::build::flows::Traffic;
use crate::build::losses::Losses;
use crate::build::members::GroupRows;
use crate::build::preparation::Preparation;
use crate::build::traces::Traces;
use crate::said::{
    AcceleratorRow, AdmissionRow, ChangeRow, CircuitRow, CircuitsRow, CollectiveRow, FailureRow,
    FlowRow, GroupRow, LossRow, MulticastRow, Place, ProbesRow, RecoveryRow, SetupRow, TraceRow,
    TrafficRow,
};
use crate::scenario::Parameters;

pub use flow_list::ListedFlow;
pub use links::{LinkList, LinkRow};
pub use matrix::{Matrix, MatrixRow};
pub use network::{Overrides, Supplied};
pub use nodes::Nodes;
pub use parameters::{ParameterRows, SCENARIO};
pub use planned::{DARK_REMEDY, PlanInUse};
pub use refused::refusal;
pub use routes::{RoutedToken, Routing};
pub use run::Run;
pub use sizes::{Cdf, CdfPoints};
pub use traces::ReadTrace;

/// A scenario in the making. Rows are numbered in the order of their calls.
#[derive(Debug, Clone)]
pub struct ScenarioBuilder {
    context: Context,
    parameters: Parameters,
    traffic: Traffic,
    groups: GroupRows,
    casts: Casts,
    collectives: Collectives,
    traces: Traces,
    computations: Computations,
    admission: Option<Wanted>,
    circuits: CircuitRows,
    accelerators: Vec<AcceleratorRow>,
    setup: Option<Preparation>,
    probes: ProbesRow,
    losses: Losses,
    troubles: Troubles,
    recovery: Option<RecoveryRow>,
    warnings: Vec<String>,
    files: Vec<(PathBuf, Vec<u8>)>,
}

impl ScenarioBuilder {
    /// A scenario without traffic. `memory` is what the run may take.
    pub fn new(run: Run, parameters: Parameters, nodes: Nodes, memory: Memory) -> Self {
        let troubles = Troubles::of_plan(&nodes);
        Self {
            context: Context { nodes, run, memory },
            parameters,
            traffic: Traffic::default(),
            groups: GroupRows::default(),
            casts: Casts::default(),
            collectives: Collectives::default(),
            traces: Traces::default(),
            computations: Computations::default(),
            admission: None,
            circuits: CircuitRows::default(),
            accelerators: Vec::new(),
            setup: None,
            probes: ProbesRow::default(),
            losses: Losses::default(),
            troubles,
            recovery: None,
            warnings: Vec::new(),
            files: Vec::new(),
        }
    }

    /// The network.
    pub fn nodes(&self) -> &Nodes {
        &self.context.nodes
    }

    /// End of the run.
    pub fn until(&self) -> Instant {
        self.context.run.until
    }

    /// Number of messages, and of collective operations that they are from.
    pub fn messages(&self) -> (usize, usize) {
        let made = self.traffic.flows.len() + self.casts.casts.len();
        (made + self.collectives.expected(), self.collectives.all.len())
    }

    /// Sets the schedule of circuit switches.
    pub fn circuits(&mut self, row: CircuitsRow) {
        self.circuits.set(row);
    }

    /// Adds a circuit to the schedule.
    pub fn circuit(&mut self, row: CircuitRow) {
        self.circuits.add(row);
    }

    /// Adds an accelerator beside a switch, or beside all others.
    pub fn accelerator(&mut self, row: AcceleratorRow) {
        self.accelerators.push(row);
    }

    /// Refuses more flows than a scenario has or the memory takes, before they are added.
    ///
    /// # Errors
    /// [`InputError`] at `flow`.
    pub fn expect_flows(&self, more: usize) -> Result<(), InputError> {
        let before = self.traffic.flows.len();
        self.context.check_flows(Place::ROOT, "flow", before, more as f64)
    }

    /// Adds a flow. Its number is the number of flows before it. All flows come before patterns.
    ///
    /// # Errors
    /// [`InputError`] at the field.
    pub fn flow(&mut self, row: &FlowRow) -> Result<(), InputError> {
        self.traffic.flow(row, &self.context)
    }

    /// Adds the flows of a pattern. `sizes` is the distribution in the file that the row names. A row whose flows a
    /// file lists goes to [`listed`](Self::listed), and one with a matrix to [`matrix`](Self::matrix).
    ///
    /// # Errors
    /// [`InputError`] at the field.
    pub fn traffic(&mut self, row: &TrafficRow, sizes: Option<Cdf>) -> Result<(), InputError> {
        self.traffic.pattern(row, sizes, &self.context)
    }

    /// Adds the flows of the file that a row of the pattern `listed` names. Errors about a flow have its line.
    ///
    /// # Errors
    /// [`InputError`] at the field, or at the line of the file.
    pub fn listed(&mut self, row: &TrafficRow, flows: &[ListedFlow]) -> Result<(), InputError> {
        self.traffic.listed(row, flows, &self.context)
    }

    /// Adds the flows of the matrix that a row of the pattern `matrix` names. Errors about a value have its line.
    ///
    /// # Errors
    /// [`InputError`] at the field, or at the line of the file.
    pub fn matrix(&mut self, row: &TrafficRow, matrix: &Matrix) -> Result<(), InputError> {
        self.traffic.matrix(row, matrix, &self.context)
    }

    /// Sets how groups of datagrams are set up. It comes before the groups.
    ///
    /// # Errors
    /// [`InputError`] at the field.
    pub fn setup(&mut self, row: &SetupRow) -> Result<(), InputError> {
        self.setup = Some(Preparation::new(row)?);
        Ok(())
    }

    /// Adds a group, or several random ones.
    ///
    /// # Errors
    /// [`InputError`] at the field.
    pub fn group(&mut self, row: &GroupRow) -> Result<(), InputError> {
        self.groups.group(row, &self.context, self.setup.is_some())
    }

    /// Adds a change of the members of a group. A host that joins can send only in messages that are added later.
    ///
    /// # Errors
    /// [`InputError`] at the field.
    pub fn change(&mut self, row: &ChangeRow) -> Result<(), InputError> {
        self.groups.change(row, &self.context)
    }

    /// Adds a message to a group, or to each group of a row.
    ///
    /// # Errors
    /// [`InputError`] at the field.
    pub fn multicast(&mut self, row: &MulticastRow) -> Result<(), InputError> {
        let mtu = u64::from(self.parameters.params.wire.mtu);
        self.casts.multicast(row, &self.groups, &self.context, mtu)
    }

    /// Adds a collective operation, after all other messages. `routing` is what is in the file that the row names.
    ///
    /// # Errors
    /// [`InputError`] at the field, or at the line of the file.
    pub fn collective(
        &mut self,
        row: &CollectiveRow,
        routing: Option<&Routing>,
    ) -> Result<(), InputError> {
        let mtu = u64::from(self.parameters.params.wire.mtu);
        let messages = (&mut self.traffic, &mut self.casts, &self.groups);
        self.collectives.add((row, routing), messages, &mut self.computations, &self.context, mtu)
    }

    /// Makes the messages of the last job.
    fn end_of_collectives(&mut self) {
        self.collectives.enter(&mut self.traffic, &mut self.casts, &mut self.computations);
    }

    /// Adds a trace, after all other messages. `file` is the name of its file. Errors about an operation have its line.
    ///
    /// # Errors
    /// [`InputError`] at the field, or at the line of the file.
    pub fn trace(
        &mut self,
        row: &TraceRow,
        file: &str,
        read: &ReadTrace,
    ) -> Result<(), InputError> {
        self.end_of_collectives();
        let mtu = u64::from(self.parameters.params.wire.mtu);
        let (groups, context) = (&self.groups, &self.context);
        let run = (&mut self.traffic, &mut self.casts, &mut self.computations);
        self.traces.add(row, (file, read), run, (groups, context, mtu))
    }

    /// Sets how messages over light are admitted.
    ///
    /// # Errors
    /// [`InputError`] at the field.
    pub fn admission(&mut self, row: &AdmissionRow) -> Result<(), InputError> {
        self.admission = Some(Wanted::new(row, &self.context.nodes)?);
        Ok(())
    }

    /// Adds random losses.
    ///
    /// # Errors
    /// [`InputError`] at the field.
    pub fn loss(&mut self, row: &LossRow) -> Result<(), InputError> {
        self.losses.add(row, &self.context.nodes)
    }

    /// Adds a failure.
    ///
    /// # Errors
    /// [`InputError`] at the field.
    pub fn failure(&mut self, row: &FailureRow) -> Result<(), InputError> {
        self.troubles.add(row, &self.context.nodes, self.context.run.until)
    }

    /// Sets what the planner does about failures.
    pub fn recovery(&mut self, row: RecoveryRow) {
        self.recovery = Some(row);
    }

    /// Sets what is recorded.
    pub fn probes(&mut self, row: ProbesRow) {
        self.probes = row;
    }

    /// Adds a warning about a doubtful value.
    pub fn warn(&mut self, warning: String) {
        self.warnings.push(warning);
    }

    /// Adds a file that the scenario is read from, with what is in it.
    pub fn file(&mut self, path: PathBuf, bytes: Vec<u8>) {
        self.files.push((path, bytes));
    }
}
