//! What is asked.

use lightloom_request::InputError;
use lightloom_scenario::said::Order;
use lightloom_schedules::{Given, Operation, Schedule};
use lightloom_units::DataSize;

use crate::contender::{Carrier, Contender};
use crate::costs::Costs;
use crate::ground::Ground;
use crate::report::LeftOutReport;
use crate::sizes::LIMITS;

/// Most combinations of members, groups, sizes and schedules.
const MOST_CASES: usize = 100_000;
/// Larger sizes are extended by the slope of two sizes. That of a few packets says nothing of them.
const LEAST_LIMIT: DataSize = DataSize::from_bytes(64_000);

/// What is asked.
#[derive(Debug, Clone)]
pub struct Question {
    /// What the members do.
    pub operation: Operation,
    /// What is compared. Empty: all that can be.
    pub contenders: Vec<Contender>,
    /// Sizes, from small to large.
    pub sizes: Vec<DataSize>,
    /// Larger sizes are extended from the two largest sizes that are simulated.
    pub simulate_up_to: DataSize,
    /// Numbers of members, from small to large.
    pub members: Vec<u32>,
    /// Numbers of groups that do the same at once, from small to large. The first has the first hosts, the next one the
    /// hosts after them.
    pub groups: Vec<u32>,
    /// Order of the members in schedules.
    pub order: Order,
    /// Size of slices at most, for schedules that have them. `None`: the usual one of each schedule.
    pub slice: Option<DataSize>,
    /// Number of shards of weights, for a refresh. The first member is their source.
    pub shards: u32,
    /// What a byte costs that arrives.
    pub costs: Costs,
}

/// Members of each group, and groups at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Crowd {
    pub(crate) members: u32,
    pub(crate) groups: u32,
}

/// What is to be run, in order.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) contenders: Vec<Contender>,
    pub(crate) crowds: Vec<Crowd>,
    /// The sizes that are simulated.
    pub(crate) simulated: Vec<DataSize>,
    /// The sizes that are extended.
    pub(crate) extended: Vec<DataSize>,
    /// Contenders that cannot run for some numbers of members.
    pub(crate) left_out: Vec<LeftOutReport>,
}

impl Plan {
    /// Whether a contender can run with these members.
    pub(crate) fn has(&self, contender: Contender, crowd: Crowd) -> bool {
        let name = contender.to_string();
        let is_out = |out: &LeftOutReport| {
            let of = (out.members, out.groups, out.bytes);
            out.schedule == name && of == (crowd.members, crowd.groups, None)
        };
        !self.left_out.iter().any(is_out)
    }
}

impl Question {
    /// Checks the question, and finds what is to be run.
    ///
    /// # Errors
    /// [`InputError`] at the option if a number is out of range, or if what is named cannot run.
    pub(crate) fn plan(&self, ground: &Ground) -> Result<Plan, InputError> {
        let Self { operation, .. } = *self;
        if operation == Operation::Barrier {
            let message = "found barrier, which has no size; ask about another operation";
            return Err(InputError::new(message).in_option("operation"));
        }
        if matches!(operation, Operation::Dispatch | Operation::Combine) {
            let message = format!(
                "found {operation}, which needs the routes of its tokens; run it as a scenario, with lightloom simulate"
            );
            return Err(InputError::new(message).in_option("operation"));
        }
        if self.shards == 0 || (self.shards > 1 && operation != Operation::Refresh) {
            let message = format!(
                "found {} of {operation}; only a refresh has shards, and at least 1",
                self.shards
            );
            return Err(InputError::new(message).in_option("shards"));
        }
        let (begin, until) = (ground.begin, ground.alone.until());
        if begin >= until {
            let message = format!("found {begin}; the run ends at {until}");
            return Err(InputError::new(message).in_option("start"));
        }
        let crowds = self.crowds(ground)?;
        let is_asked = !self.contenders.is_empty();
        let contenders = if is_asked { self.contenders.clone() } else { Contender::all(operation) };
        let mut left_out = Vec::new();
        for contender in &contenders {
            for crowd in &crowds {
                let Some(why) = self.obstacle(*contender, *crowd, ground) else { continue };
                if is_asked {
                    return Err(InputError::new(why).in_option("schedules"));
                }
                left_out.push(out(*contender, *crowd, None, why));
            }
        }
        if let Some(slice) = self.slice.filter(|slice| !LIMITS.contains(slice)) {
            let message = format!("found {slice}; expected {} to {}", LIMITS.start(), LIMITS.end());
            return Err(InputError::new(message).in_option("slice"));
        }
        if self.simulate_up_to < LEAST_LIMIT {
            let message = format!("found {}; expected {LEAST_LIMIT} or more", self.simulate_up_to);
            return Err(InputError::new(message).in_option("simulate_up_to"));
        }
        let (simulated, extended) = self.split();
        let runs = contenders.len() * crowds.len() * (simulated.len() + extended.len());
        if runs > MOST_CASES {
            let message = format!("found {runs} cases; ask about {MOST_CASES} at most");
            return Err(InputError::new(message).in_option("size"));
        }
        Ok(Plan { contenders, crowds, simulated, extended, left_out })
    }

    /// Why no time can be extended from these sizes: a schedule with slices grows with their number.
    pub(crate) fn few_slices(
        &self,
        contender: Contender,
        simulated: &[DataSize],
    ) -> Option<String> {
        let [.., before, _] = simulated else { return None };
        let slice = contender.schedule.slice(self.slice.map(DataSize::as_bytes));
        let is_few = contender.schedule.has_slices() && before.as_bytes() < 2 * slice;
        is_few.then(|| {
            let slice = DataSize::from_bytes(slice);
            format!("the largest sizes that are simulated have too few slices of {slice}; simulate larger ones")
        })
    }

    /// Why a contender cannot run with these members.
    fn obstacle(&self, contender: Contender, crowd: Crowd, ground: &Ground) -> Option<String> {
        if let (Carrier::Light, Some(why)) = (contender.over, &ground.dark) {
            return Some(format!("light cannot be used: {why}"));
        }
        let given = self.given(contender.schedule, crowd.members, self.sizes[0]);
        let refusal = contender.schedule.check(self.operation, &given).err()?;
        Some(format!("{contender}: {refusal}"))
    }

    fn crowds(&self, ground: &Ground) -> Result<Vec<Crowd>, InputError> {
        let hosts = ground.hosts();
        let mut crowds = Vec::new();
        for &members in &self.members {
            for &groups in &self.groups {
                if members < 2 {
                    let message = format!("found {members}; a group has at least 2 members");
                    return Err(InputError::new(message).in_option("members"));
                }
                if groups == 0 {
                    let message = "found 0; at least one group does something";
                    return Err(InputError::new(message).in_option("groups"));
                }
                let needed = u64::from(members) * u64::from(groups);
                if needed > hosts as u64 {
                    let (message, option) = match groups {
                        1 => (format!("found {members}; the network has {hosts} hosts"), "members"),
                        _ => (
                            format!(
                                "found {groups} groups of {members}, {needed} hosts; the network has {hosts}"
                            ),
                            "groups",
                        ),
                    };
                    return Err(InputError::new(message).in_option(option));
                }
                crowds.push(Crowd { members, groups });
            }
        }
        Ok(crowds)
    }

    /// The sizes that are simulated, and those that are extended from them.
    fn split(&self) -> (Vec<DataSize>, Vec<DataSize>) {
        let (mut below, above): (Vec<DataSize>, Vec<DataSize>) =
            self.sizes.iter().partition(|size| **size <= self.simulate_up_to);
        if !above.is_empty() {
            let most = self.simulate_up_to.as_bytes();
            below.extend([most.div_ceil(2), most].map(DataSize::from_bytes));
            below.sort_unstable();
            below.dedup();
        }
        (below, above)
    }

    pub(crate) fn given(&self, schedule: Schedule, members: u32, size: DataSize) -> Given<'static> {
        let slice = schedule.slice(self.slice.map(DataSize::as_bytes));
        Given { slice, shards: self.shards, ..Given::new(members, size.as_bytes()) }
    }
}

/// A contender that does not run.
pub(crate) fn out(
    contender: Contender,
    crowd: Crowd,
    size: Option<DataSize>,
    reason: String,
) -> LeftOutReport {
    LeftOutReport {
        schedule: contender.to_string(),
        members: crowd.members,
        groups: crowd.groups,
        bytes: size.map(DataSize::as_bytes),
        reason,
    }
}
