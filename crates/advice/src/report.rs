//! The answer.

use lightloom_schedules::{Operation, Schedule};
use lightloom_units::{Money, named_enum};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::contender::Carrier;

/// Which schedule of a collective operation is fastest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AdviceReport {
    /// What the members do.
    pub operation: Operation,
    /// Number of hosts of the network.
    pub hosts: usize,
    /// Rate of the fastest host in bits per second.
    pub rate_bps: u64,
    /// The answer in sentences.
    pub answer: Vec<String>,
    /// The fastest schedule of each size, number of members and number of groups.
    pub fastest: Vec<FastestReport>,
    /// The same beside the messages of others. Empty if there are none.
    pub fastest_beside: Vec<FastestReport>,
    /// Sizes at which another schedule becomes the fastest.
    pub crossovers: Vec<CrossoverReport>,
    /// From when on light is faster than each other schedule.
    pub break_even: Vec<BreakEvenReport>,
    /// Whether the cases ran beside messages of others too.
    pub has_others: bool,
    /// All cases.
    pub cases: Vec<CaseReport>,
    /// What did not run, and why.
    pub left_out: Vec<LeftOutReport>,
    /// What the answer rests on, as sentences without their full stop.
    pub assumed: Vec<String>,
    /// If the caller stopped the work: number of runs that are missing.
    pub missing: usize,
    /// Number of runs in all.
    pub runs: usize,
}

/// One schedule with one size, for some numbers of members and groups.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CaseReport {
    /// Members of each group.
    pub members: u32,
    /// Groups that do the same at once.
    pub groups: u32,
    /// Name of the schedule. A schedule that sends to a group has its carrier in the name: `multicast over light`.
    pub name: String,
    /// Who sends what to whom.
    pub schedule: Schedule,
    /// What messages go over.
    pub over: Carrier,
    /// Size of the data in bytes.
    pub bytes: u64,
    /// Whether the time is extended from smaller sizes, and not simulated.
    pub is_extended: bool,
    /// Number of messages of a group. `None`: the case is extended.
    pub messages: Option<usize>,
    /// Time from the request until the first receiver had all, in picoseconds. `None`: it is extended, or not all had.
    pub first_ps: Option<u64>,
    /// The same until half of the receivers had all.
    pub median_ps: Option<u64>,
    /// The same until the last receiver had all. `None`: some receiver lacks a part.
    pub last_ps: Option<u64>,
    /// Size over that time, in bits per second.
    pub algorithm_bps: Option<f64>,
    /// The same times the share of the size that must pass a member's port, as in nccl-tests.
    pub bus_bps: Option<f64>,
    /// Bytes on the busiest link over the time of the run, headers, answers and registration with it, in bits per
    /// second. `None`: the case is extended, or has several groups.
    pub link_bps: Option<f64>,
    /// The same of the busiest host.
    pub host_bps: Option<f64>,
    /// Energy for each terabyte (10^12 bytes) that arrives, in joules. `None`: a power is unknown.
    pub joules_per_tb: Option<f64>,
    /// Cost of each terabyte that arrives. `None`: a price is unknown, or the design says no years.
    pub cost_per_tb: Option<Money>,
    /// Time until the last receiver had all beside the messages of others, in picoseconds. `None`: there are none, some
    /// receiver lacks a part, or the case is extended.
    pub beside_ps: Option<u64>,
    /// Why there is no time, alone or beside others.
    pub why: Option<String>,
}

/// The fastest schedule of a size.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FastestReport {
    /// Members of each group.
    pub members: u32,
    /// Groups that do the same at once.
    pub groups: u32,
    /// Size of the data in bytes.
    pub bytes: u64,
    /// The schedule.
    pub name: String,
    /// Time until the last receiver had all, in picoseconds.
    pub last_ps: u64,
    /// Whether that time is extended.
    pub is_extended: bool,
    /// The second fastest. `None`: no other schedule has a time.
    pub next: Option<String>,
    /// Its time over that of the fastest.
    pub times_as_long: Option<f64>,
}

/// Two sizes between which another schedule becomes the fastest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CrossoverReport {
    /// Members of each group.
    pub members: u32,
    /// Groups that do the same at once.
    pub groups: u32,
    /// The fastest schedule up to the first size.
    pub before: String,
    /// The fastest schedule from the second size on.
    pub after: String,
    /// The first size in bytes.
    pub from_bytes: u64,
    /// The second size in bytes.
    pub to_bytes: u64,
    /// Where straight lines through the times of both meet between these sizes, in bytes.
    pub about_bytes: u64,
    /// Whether the times of the second size are extended.
    pub is_extended: bool,
}

named_enum! {
    /// What grows towards a break-even.
    #[derive(JsonSchema)]
    pub enum Axis {
        /// The size in bytes.
        Size = "size",
        /// The number of members of a group. Of a write to replicas, their number and one.
        Members = "members",
        /// The number of groups at once.
        Groups = "groups",
    }
}

/// From when on light is faster than another schedule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BreakEvenReport {
    /// What grows.
    pub axis: Axis,
    /// The schedule over light.
    pub light: String,
    /// The other schedule.
    pub other: String,
    /// Size in bytes. `None`: it grows.
    pub bytes: Option<u64>,
    /// Members of each group. `None`: they grow.
    pub members: Option<u32>,
    /// Groups at once. `None`: they grow.
    pub groups: Option<u32>,
    /// The least value from which light is faster at all values that were asked about. `None`: there is none.
    pub from: Option<u64>,
    /// Whether times at that value are extended.
    pub from_is_extended: bool,
    /// Values at which light is faster.
    pub faster: Vec<u64>,
    /// Values at which it is not.
    pub not_faster: Vec<u64>,
}

/// Something that did not run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LeftOutReport {
    /// The schedule.
    pub schedule: String,
    /// Members of each group.
    pub members: u32,
    /// Groups at once.
    pub groups: u32,
    /// Size in bytes. `None`: all sizes.
    pub bytes: Option<u64>,
    /// Why.
    pub reason: String,
}

impl BreakEvenReport {
    /// Whether light is faster at some values and not at others.
    pub fn turns(&self) -> bool {
        !self.faster.is_empty() && !self.not_faster.is_empty()
    }

    /// Whether people are told of it: along sizes always, and along members and groups where it turns.
    pub fn is_told(&self) -> bool {
        self.axis == Axis::Size || self.turns()
    }
}

impl AdviceReport {
    /// Whether all that was asked has a time.
    pub fn good(&self) -> bool {
        self.missing == 0
            && self.left_out.iter().all(|out| out.bytes.is_none())
            && self.cases.iter().all(|case| case.last_ps.is_some() && case.why.is_none())
    }

    /// How far the work came, if it was stopped.
    pub fn stopped(&self) -> Option<String> {
        let Self { missing, runs, .. } = *self;
        let done = runs - missing;
        (missing > 0).then(|| {
            format!("Stopped: {done} of {runs} runs are done, and the answer is about these.")
        })
    }
}
