//! Collective operations in the report of a run: when each member had all that it receives, and the rates that follow.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_schedules::{Operation, Schedule};
use lightloom_topology::electrical::NodeId;
use lightloom_twin::{Outcome, Service};
use lightloom_units::{DataSize, Instant, Span};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::groups::taken;
use crate::summary::TimesReport;
use lightloom_scenario::scenario::{Collective, Iteration, OfTime, Scenario};

/// A collective operation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CollectiveReport {
    /// Its name.
    pub name: String,
    /// What the members do.
    pub operation: Operation,
    /// Who sends what to whom.
    pub schedule: Schedule,
    /// Number of members.
    pub members: usize,
    /// Size of the data in bytes.
    pub bytes: u64,
    /// Time that each member computes each time, in picoseconds. `None`: it does not.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub compute_ps: Option<u64>,
    /// Number of parts that the data are sent in. `None`: they are not divided.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub buckets: Option<u32>,
    /// Number of times that are under way at once. `None`: one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub depth: Option<u32>,
    /// Number of messages each time.
    pub messages: usize,
    /// Payload of these messages in bytes. A message to a group counts once.
    pub sent_bytes: u64,
    /// Payload that members receive each time over a group and do not need, in bytes. `None`: they need all.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub filtered_bytes: Option<u64>,
    /// From the first request of a time until a server of a fleet had the first layer of its shard, over all servers
    /// and times. `None`: the operation has no layers, or none arrived.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub first_layer: Option<TimesReport>,
    /// Number of times that all members had all.
    pub completed: usize,
    /// From the first request or computation until the last member had all, over these times.
    pub completion: Option<TimesReport>,
    /// Number of times per second, from the first request to the last member of all times. `None`: it runs once, or did
    /// not complete each time.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub per_second: Option<f64>,
    /// Size over the mean of these times, in bits per second; with several times at once, size times their number per
    /// second. `None`: it never completed, has no size, its members compute in this time, or each needs another
    /// share of the size.
    pub algorithm_bps: Option<f64>,
    /// The same times the share of the size that must pass a member's port (nccl-tests: bus bandwidth).
    pub bus_bps: Option<f64>,
    /// What links carried. `None`: there are other messages in the run, or it never completed.
    pub wire: Option<WireReport>,
    /// Each time.
    pub times: Vec<IterationReport>,
}

/// What the busiest ports carried over the whole run, headers included.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WireReport {
    /// Bytes over the busiest link, or into the busiest splitter.
    pub link_bytes: u64,
    /// Bytes that the busiest host sent or received, whichever are more.
    pub host_bytes: u64,
    /// Time from the first request, or from the registration of the group, to the end of the run, in picoseconds.
    pub time_ps: u64,
    /// Bits per second over the busiest link in this time.
    pub link_bps: f64,
    /// The same of the busiest host.
    pub host_bps: f64,
}

/// A collective operation at one time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IterationReport {
    /// First request of its messages, or begin of the first computation, in picoseconds. `None`: there was none.
    pub start_ps: Option<u64>,
    /// Number of members that receive.
    pub receivers: usize,
    /// Number of them that had all.
    pub completed: usize,
    /// Time from the first request until the first member had all, in picoseconds.
    pub first_ps: Option<u64>,
    /// The same until half of those that completed had all.
    pub median_ps: Option<u64>,
    /// The same until the last member had all. `None`: some member lacks a part.
    pub last_ps: Option<u64>,
}

/// When a member of a collective operation had all that it receives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemberTime {
    /// The first request of the messages of this time.
    pub start: Option<Instant>,
    /// When it had all. `None`: it lacks a part.
    pub received: Option<Instant>,
}

/// When each member that receives had all and had computed its share, by their hosts. Who receives only messages
/// without payload beside others that have some, such as questions, receives nothing; and the sources of weights need
/// none.
pub fn members(
    scenario: &Scenario,
    outcome: &Outcome,
    (one, iteration): (&Collective, &Iteration),
) -> BTreeMap<NodeId, MemberTime> {
    let Iteration { flows, casts, computations } = iteration;
    let servers: BTreeSet<NodeId> = one.firsts.iter().map(|(host, _)| *host).collect();
    let has_data = one.size > DataSize::ZERO;
    let needs = |host: &NodeId| servers.is_empty() || servers.contains(host);
    let flows = || scenario.flows[flows.clone()].iter().zip(&outcome.flows[flows.clone()]);
    let casts = || outcome.casts[casts.clone()].iter();
    let asked = flows().map(|(_, came)| came.asked).chain(casts().map(|cast| cast.all.asked));
    let computed = || {
        let said = scenario.computations[computations.clone()].iter().map(|it| it.host);
        said.zip(&outcome.computations[computations.clone()])
    };
    let began = computed().map(|(_, came)| came.began);
    let start = asked.chain(began).flatten().min();
    let of_casts =
        casts().flat_map(|cast| cast.receivers.iter().map(|got| (got.host, got.received)));
    let mut members: BTreeMap<NodeId, MemberTime> = BTreeMap::new();
    let of_flows = flows().filter(|(flow, _)| flow.size > DataSize::ZERO || !has_data);
    let of_flows = of_flows.map(|(flow, came)| (flow.to, came.received));
    for (host, received) in of_flows.chain(of_casts).filter(|(host, _)| needs(host)) {
        let member = members.entry(host).or_insert(MemberTime { start, received });
        // The last of all, and none where any is missing.
        member.received = member.received.zip(received).map(|(a, b)| a.max(b));
    }
    for (host, came) in computed() {
        let Some(member) = members.get_mut(&host) else { continue };
        member.received = member.received.zip(came.ended).map(|(a, b)| a.max(b));
    }
    members
}

impl CollectiveReport {
    /// The operations with layers, or with data that not all receivers need.
    pub fn fleets(all: &[Self]) -> Vec<Self> {
        let is_one = |one: &&Self| one.first_layer.is_some() || one.filtered_bytes.is_some();
        all.iter().filter(is_one).cloned().collect()
    }

    /// The operations of a run, in order.
    pub fn all(scenario: &Scenario, outcome: &Outcome) -> Vec<Self> {
        scenario.collectives.iter().map(|one| Self::new(one, scenario, outcome)).collect()
    }

    fn new(one: &Collective, scenario: &Scenario, outcome: &Outcome) -> Self {
        let times: Vec<_> = one
            .iterations
            .iter()
            .map(|time| IterationReport::new((one, time), scenario, outcome))
            .collect();
        let completion = TimesReport::of(times.iter().filter_map(|time| time.last_ps).collect());
        let bytes = one.size.as_bytes();
        let mean =
            completion.filter(|times| bytes > 0 && times.mean_ps > 0 && one.compute == Span::ZERO);
        let mean = mean.map(|times| times.mean_ps);
        let per_second = per_second(&times);
        let share = bus_share(one.operation, one.members.len());
        // Where members need shares of the size, it is no rate of any port.
        let mean = mean.and_then(|mean| share.map(|_| mean));
        let algorithm_bps = match one.depth {
            1 => mean.map(|ps| bytes as f64 * 8e12 / ps as f64),
            _ => mean.and(per_second).map(|rate| bytes as f64 * 8.0 * rate),
        };
        let first = one.iterations.first();
        let (flows, casts) =
            first.map_or((0..0, 0..0), |time| (time.flows.clone(), time.casts.clone()));
        let messages = flows.len() + casts.len();
        let sizes = scenario.flows[flows].iter().map(|flow| flow.size);
        let sizes = sizes.chain(scenario.multicast.casts[casts].iter().map(|cast| cast.size));
        Self {
            name: one.name.clone(),
            operation: one.operation,
            schedule: one.schedule,
            members: one.members.len(),
            bytes,
            compute_ps: (one.compute > Span::ZERO).then(|| one.compute.as_ps()),
            buckets: (one.buckets > 1).then_some(one.buckets),
            depth: (one.depth > 1).then_some(one.depth),
            messages,
            sent_bytes: sizes.fold(0, |sum: u64, size| sum.saturating_add(size.as_bytes())),
            filtered_bytes: Some(one.filtered.as_bytes()).filter(|&bytes| bytes > 0),
            first_layer: first_layers(one, &times, outcome),
            completed: completion.map_or(0, |times| times.count),
            completion,
            per_second,
            algorithm_bps,
            bus_bps: algorithm_bps.zip(share).map(|(bps, share)| bps * share),
            wire: WireReport::new(one, &times, scenario, outcome),
            times,
        }
    }
}

/// When servers had their first layers.
fn first_layers(
    one: &Collective,
    times: &[IterationReport],
    outcome: &Outcome,
) -> Option<TimesReport> {
    let mut taken = Vec::new();
    for (time, report) in one.iterations.iter().zip(times) {
        for (host, of) in &one.firsts {
            let received = match of {
                OfTime::Flow(place) => outcome.flows[time.flows.start + place].received,
                OfTime::Cast(place) => {
                    let receivers = &outcome.casts[time.casts.start + place].receivers;
                    receivers.iter().find(|got| got.host == *host).and_then(|got| got.received)
                }
            };
            taken.extend(received.zip(report.start_ps).map(|(at, start)| at.as_ps() - start));
        }
    }
    TimesReport::of(taken)
}

/// Number of times per second, of several.
fn per_second(times: &[IterationReport]) -> Option<f64> {
    let ends = times.iter().map(|time| Some(time.start_ps?.saturating_add(time.last_ps?)));
    let last = ends.collect::<Option<Vec<u64>>>()?.into_iter().max()?;
    let first = times.iter().filter_map(|time| time.start_ps).min()?;
    let took = last.checked_sub(first).filter(|took| *took > 0 && times.len() > 1)?;
    Some(times.len() as f64 * 1e12 / took as f64)
}

/// Warnings about operations that did not complete each time.
pub fn incomplete(scenario: &Scenario, outcome: &Outcome) -> Vec<String> {
    let of_one = |one: &Collective| {
        let mut times =
            one.iterations.iter().map(|time| IterationReport::new((one, time), scenario, outcome));
        let first = times.find(|time| time.last_ps.is_none())?;
        Some(format!(
            "{:?} did not complete: {} of {} members that receive lack a part",
            one.name,
            first.receivers - first.completed,
            first.receivers
        ))
    };
    scenario.collectives.iter().filter_map(of_one).collect()
}

/// The share of the size that must pass a member's port (nccl-tests, doc/PERFORMANCE.md). `None`: it depends on more
/// than the number of members.
pub fn bus_share(operation: Operation, members: usize) -> Option<f64> {
    let others = (members as f64 - 1.0) / members as f64;
    Some(match operation {
        Operation::Refresh | Operation::Dispatch | Operation::Combine => return None,
        Operation::Broadcast | Operation::Reduce | Operation::Barrier => 1.0,
        Operation::Allgather
        | Operation::ReduceScatter
        | Operation::AllToAll
        | Operation::Scatter
        | Operation::Gather => others,
        Operation::Allreduce => 2.0 * others,
    })
}

impl IterationReport {
    fn new(time: (&Collective, &Iteration), scenario: &Scenario, outcome: &Outcome) -> Self {
        let members = members(scenario, outcome, time);
        let start = members.values().find_map(|member| member.start);
        let had = members.values().map(|member| taken(member.start, member.received));
        let mut had: Vec<u64> = had.flatten().collect();
        had.sort_unstable();
        let has_all = had.len() == members.len();
        let median = TimesReport::of(had.clone()).map(|times| times.p50_ps);
        Self {
            start_ps: start.map(Instant::as_ps),
            receivers: members.len(),
            completed: had.len(),
            first_ps: had.first().copied(),
            median_ps: median,
            last_ps: had.last().copied().filter(|_| has_all),
        }
    }
}

impl WireReport {
    fn new(
        one: &Collective,
        times: &[IterationReport],
        scenario: &Scenario,
        outcome: &Outcome,
    ) -> Option<Self> {
        let [_] = &scenario.collectives[..] else { return None };
        let (first, last) = (one.iterations.first()?, one.iterations.last()?);
        let is_alone = first.flows.start == 0
            && first.casts.start == 0
            && last.flows.end == scenario.flows.len()
            && last.casts.end == scenario.multicast.casts.len()
            && scenario.failures.storms.is_empty();
        if !is_alone || times.iter().any(|time| time.last_ps.is_none()) {
            return None;
        }
        // A group registers before its first message; one without messages never does.
        let groups = &scenario.multicast.groups;
        let groups = scenario.multicast.casts.iter().map(|cast| &groups[cast.to.0 as usize]);
        let registrations = groups.filter_map(|group| match &group.service {
            Service::Reliable(service) => Some(service.start.as_ps()),
            Service::Datagrams => None,
        });
        let start = times.iter().filter_map(|time| time.start_ps).chain(registrations).min()?;
        let time_ps = outcome.reached.as_ps().checked_sub(start).filter(|&ps| ps > 0)?;
        let network = &scenario.network;
        let links = outcome.links.iter().map(|link| link.sent_bytes);
        let splitters = outcome.splitters.iter().map(|splitter| splitter.sent_bytes);
        let of_hosts = outcome.links.iter().filter(|link| {
            let peer = network.ports(link.from).get(usize::from(link.port)).map(|port| port.peer);
            network.is_host(link.from) || peer.is_some_and(|peer| network.is_host(peer))
        });
        let link_bytes = links.chain(splitters).max()?;
        let host_bytes = of_hosts.map(|link| link.sent_bytes).max()?;
        let bps = |bytes: u64| bytes as f64 * 8e12 / time_ps as f64;
        let (link_bps, host_bps) = (bps(link_bytes), bps(host_bytes));
        Some(Self { link_bytes, host_bytes, time_ps, link_bps, host_bps })
    }
}
