//! Every rate, share and count of a report against what ports and bytes allow. A number beyond is a fault of the twin
//! or of its report, and no result.

use std::collections::BTreeSet;

use lightloom_request::Error;
use lightloom_topology::electrical::{Network, NodeId};
use lightloom_twin::Outcome;
use lightloom_twin::params::Recovery;

use crate::collectives::{CollectiveReport, WireReport};
use crate::goodput::GoodputReport;
use crate::groups::MulticastReport;
use crate::jobs::{AloneReport, JobReport};
use crate::report::{FlowsReport, QueuesReport, SimulateReport};
use crate::summary::{RatiosReport, TimesReport};
use crate::to_groups::ToGroupsReport;
use crate::traces::TraceRunReport;
use lightloom_scenario::scenario::Scenario;

/// Holds the numbers of a report against what is possible.
///
/// # Errors
/// [`Error::Twin`] with the first number that is not.
pub fn check(scenario: &Scenario, outcome: &Outcome, report: &SimulateReport) -> Result<(), Error> {
    impossible(scenario, outcome, report).map_err(Error::Twin)
}

/// The first number that cannot be, in words.
fn impossible(
    scenario: &Scenario,
    outcome: &Outcome,
    report: &SimulateReport,
) -> Result<(), String> {
    let reached = report.end.reached_ps;
    holds(reached <= scenario.until.as_ps(), || format!("the end at {reached} ps and until"))?;
    for row in &report.ledger {
        holds(row.is_even(), || format!("the ledger of {}", row.origin))?;
    }
    goodput(scenario, outcome, report)?;
    series(scenario, outcome)?;
    flows(scenario, &report.flows, reached)?;
    if let Some(all) = &report.to_groups {
        to_groups(scenario, all, reached)?;
    }
    for (number, message) in report.multicasts.iter().enumerate() {
        cast(scenario, message, (number, reached))
            .map_err(|what| format!("{what} of message {number} to a group"))?;
    }
    for one in &report.jobs {
        job(one, reached).map_err(|what| format!("{what} of job {:?}", one.name))?;
    }
    for one in &report.collectives {
        collective(scenario, one, reached).map_err(|what| format!("{what} of {:?}", one.name))?;
    }
    for one in &report.traces {
        trace(one, reached).map_err(|what| format!("{what} of {:?}", one.name))?;
    }
    for group in &report.groups {
        let name = &group.group;
        holds(group.cut_off <= group.fell_back, || format!("members cut off from {name:?}"))?;
    }
    let memory = scenario.parameters.params.groups.memory.as_bytes();
    for table in &report.group_tables {
        let (switch, bytes) = (&table.switch, table.bytes);
        holds(bytes <= memory, || format!("{bytes} bytes of tables of groups at {switch}"))?;
    }
    links(scenario, outcome, reached)?;
    queues(scenario, outcome, &report.queues, reached)?;
    splitters(scenario, outcome, report)
}

fn holds(is_possible: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if is_possible { Ok(()) } else { Err(what()) }
}

/// Bits in 1e12ths that a rate moves in a time.
fn bits(bps: u128, ps: u64) -> u128 {
    bps * u128::from(ps)
}

/// Whether so many bytes are possible at a rate in a time.
fn fits(bytes: u64, (bps, ps): (u128, u64)) -> bool {
    u128::from(bytes) * 8_000_000_000_000 <= bits(bps, ps)
}

/// The rate of a host's port, in bits per second.
fn port(network: &Network, host: NodeId) -> u128 {
    network.ports(host).first().map_or(0, |port| u128::from(port.rate.as_bps()))
}

/// The rate of the ports of all these hosts.
fn ports(network: &Network, hosts: impl Iterator<Item = NodeId>) -> u128 {
    let hosts: BTreeSet<NodeId> = hosts.collect();
    hosts.into_iter().map(|host| port(network, host)).sum()
}

fn receivers(outcome: &Outcome) -> impl Iterator<Item = NodeId> {
    outcome.casts.iter().flat_map(|cast| cast.receivers.iter().map(|got| got.host))
}

/// Payload of flows, of groups and of both, over the ports of those that receive.
fn goodput(scenario: &Scenario, outcome: &Outcome, report: &SimulateReport) -> Result<(), String> {
    let network = &scenario.network;
    let of_flows = || scenario.flows.iter().map(|flow| flow.to);
    let moved = report.goodput;
    let parts = [
        ("flows", moved.flows, ports(network, of_flows())),
        ("groups", moved.groups, ports(network, receivers(outcome))),
        ("all messages", moved.all, ports(network, of_flows().chain(receivers(outcome)))),
    ];
    for (name, moved, bps) in parts {
        let Some(GoodputReport { bytes, time_ps, goodput_bps }) = moved else { continue };
        let is_possible = fits(bytes, (bps, time_ps)) && goodput_bps > 0.0;
        holds(is_possible, || format!("{bytes} bytes of {name} in {time_ps} ps"))?;
    }
    let bytes = |moved: Option<GoodputReport>| moved.map_or(0, |moved| moved.bytes);
    let (apart, all) = (bytes(moved.flows) + bytes(moved.groups), bytes(moved.all));
    holds(apart == all, || format!("{apart} bytes of flows and groups, and {all} of both"))?;
    let arrived: u64 = outcome.goodput.iter().sum();
    holds(all == arrived, || format!("{all} bytes of messages, and {arrived} of the series"))
}

/// Payload by interval: up to each interval no more than ports carry, and within one no more but for the packets that
/// began before it. With selective repeat a packet that closes a gap makes many others arrive in order at once.
fn series(scenario: &Scenario, outcome: &Outcome) -> Result<(), String> {
    let params = &scenario.parameters.params;
    let network = &scenario.network;
    let hosts: BTreeSet<NodeId> =
        scenario.flows.iter().map(|flow| flow.to).chain(receivers(outcome)).collect();
    let bps = ports(network, hosts.iter().copied());
    let interval = scenario.probes.interval.as_ps();
    let begun = hosts.len() as u64 * u64::from(params.wire.mtu);
    let (mut sum, mut end) = (0_u64, 0_u64);
    for (number, &bytes) in outcome.goodput.iter().enumerate() {
        (sum, end) = (sum.saturating_add(bytes), end.saturating_add(interval));
        let at_once = params.transport.recovery != Recovery::GoBackN;
        let is_possible = fits(sum, (bps, end))
            && (at_once || fits(bytes.saturating_sub(begun), (bps, interval)));
        holds(is_possible, || format!("{bytes} bytes in interval {number} of {interval} ps"))?;
    }
    Ok(())
}

fn times(times: Option<&TimesReport>, (count, reached): (usize, u64)) -> Result<(), String> {
    let Some(times) = times else { return holds(count == 0, || format!("{count} completions")) };
    let by_rank = [times.p50_ps, times.p90_ps, times.p99_ps, times.p999_ps, times.max_ps, reached];
    let is_possible = times.count == count && by_rank.is_sorted() && times.mean_ps <= times.max_ps;
    holds(is_possible, || format!("times of {count} completions up to {} ps", times.max_ps))
}

fn ratios(ratios: Option<&RatiosReport>) -> Result<(), String> {
    let Some(ratios) = ratios else { return Ok(()) };
    let by_rank = [0.0, ratios.p50, ratios.p90, ratios.p99, ratios.p999, ratios.max];
    let is_possible = by_rank.is_sorted() && by_rank.iter().all(|ratio| ratio.is_finite());
    holds(is_possible, || format!("slowdowns up to {}", ratios.max))
}

fn flows(scenario: &Scenario, report: &FlowsReport, reached: u64) -> Result<(), String> {
    let all = scenario.flows.len();
    let FlowsReport { completed, unfinished, unacknowledged, .. } = *report;
    let is_possible = completed + unfinished == all && unacknowledged <= completed;
    holds(is_possible, || format!("{completed} flows completed and {unfinished} unfinished"))?;
    holds(report.spurious <= report.repeated, || {
        format!("{} packets repeated in vain of {}", report.spurious, report.repeated)
    })?;
    times(report.completion.as_ref(), (completed, reached))?;
    ratios(report.slowdown.as_ref())?;
    let by_size: usize = report.by_size.iter().map(|size| size.completion.count).sum();
    holds(by_size == completed, || format!("{by_size} flows by size, and {completed}"))
}

fn to_groups(scenario: &Scenario, all: &ToGroupsReport, reached: u64) -> Result<(), String> {
    let ToGroupsReport { completed, unfinished, receivers, completed_receivers, .. } = *all;
    let is_possible = completed + unfinished == scenario.multicast.casts.len()
        && completed_receivers <= receivers;
    holds(is_possible, || format!("{completed} messages to groups and {unfinished} unfinished"))?;
    times(all.completion.as_ref(), (completed, reached))
}

/// A message to a group.
fn cast(
    scenario: &Scenario,
    message: &MulticastReport,
    (number, reached): (usize, u64),
) -> Result<(), String> {
    let (completed, receivers) = (message.completed, message.receivers);
    holds(message.each.len() == receivers, || format!("{receivers} receivers"))?;
    holds(completed <= receivers, || format!("{completed} of {receivers} receivers"))?;
    times(message.completion.as_ref(), (completed, reached))?;
    for receiver in &message.each {
        let has_all = receiver.in_order_bytes == message.bytes;
        let is_possible = receiver.in_order_bytes <= message.bytes
            && (has_all || receiver.completion_ps.is_none());
        holds(is_possible, || format!("{} bytes at {}", receiver.in_order_bytes, receiver.host))?;
        let Some(lacks) = &receiver.lacks else { continue };
        let adds_up = lacks.causes.is_none_or(|causes| causes.sum() == lacks.packets);
        holds(adds_up, || format!("{} packets lacking at {}", lacks.packets, receiver.host))?;
    }
    let median = message.completion.as_ref().map(|times| times.p50_ps);
    let taken: Vec<u64> =
        [message.first_ps, median, message.last_ps].into_iter().flatten().collect();
    holds(taken.is_sorted(), || "times of the first and the last receiver".into())?;
    let bps = port(&scenario.network, scenario.multicast.casts[number].from);
    if let Some(last) = message.last_ps {
        let bytes = message.bytes;
        holds(fits(bytes, (bps, last)), || format!("{bytes} bytes in {last} ps"))?;
    }
    let made = message.sent + message.copied;
    let ended = message.delivered + message.absorbed + message.dropped + message.in_flight;
    holds(made == ended, || format!("{made} packets and copies, and {ended} that ended,"))?;
    let is_possible = message.twice <= message.delivered
        && message.repeated <= message.sent
        && message.repeated_late <= message.repeated;
    holds(is_possible, || format!("{} packets repeated of {}", message.repeated, message.sent))?;
    let saved = message.copies.and_then(|copies| copies.saved).unwrap_or(0.0);
    holds(saved <= 1.0, || format!("traffic saved, {saved},"))?;
    let rates = message.admission.iter().flat_map(|one| [one.rate_bps, one.least_rate_bps]);
    for rate in rates.flatten() {
        holds(u128::from(rate) <= bps, || format!("the admitted rate of {rate} b/s"))?;
    }
    Ok(())
}

/// A collective operation: no member's port can carry more than its rate.
fn collective(scenario: &Scenario, one: &CollectiveReport, reached: u64) -> Result<(), String> {
    let hosts = (0..scenario.network.hosts()).map(NodeId::at);
    let fastest = hosts.map(|host| port(&scenario.network, host)).max().unwrap_or(0);
    // A rate is the quotient of a rounded mean.
    let is_possible = one.bus_bps.is_none_or(|bps| bps <= fastest as f64 * (1.0 + 1e-6));
    holds(is_possible, || format!("the bus bandwidth {:?}", one.bus_bps))?;
    if let Some(WireReport { host_bytes, time_ps, .. }) = one.wire {
        // The last packet may still be going out.
        let wire = &scenario.parameters.params.wire;
        let frame = u64::from(wire.mtu) + u64::from(wire.header) + u64::from(u8::MAX);
        let bytes = host_bytes.saturating_sub(frame);
        holds(fits(bytes, (fastest, time_ps)), || {
            format!("{host_bytes} bytes of the busiest host")
        })?;
    }
    times(one.completion.as_ref(), (one.completed, reached))?;
    for time in &one.times {
        let taken = [time.first_ps, time.median_ps, time.last_ps];
        let taken: Vec<u64> = taken.into_iter().flatten().collect();
        let is_possible = taken.is_sorted()
            && time.completed <= time.receivers
            && time.receivers <= one.members
            && time.last_ps.is_some() == (time.completed == time.receivers);
        holds(is_possible, || format!("{} of {} members", time.completed, time.receivers))?;
    }
    Ok(())
}

/// A job: as many times as it completed, none of them longer than all of it.
fn job(one: &JobReport, reached: u64) -> Result<(), String> {
    times(one.completion.as_ref(), (one.completed, reached))?;
    if let Some(AloneReport { completed, completion, .. }) = &one.alone {
        holds(*completed <= one.rounds, || format!("{completed} times alone"))?;
        holds(completion.map_or(0, |times| times.count) == *completed, || "times alone".into())?;
    }
    let longest = one.completion.map_or(0, |times| times.max_ps);
    let is_possible = one.completed <= one.rounds
        && one.total_ps.is_some() == (one.completed == one.rounds)
        && one.total_ps.is_none_or(|total| longest <= total && total <= reached);
    holds(is_possible, || format!("the total time {:?}", one.total_ps))
}

/// Times of ranks. No run is shorter than the computations that wait for each other.
fn trace(one: &TraceRunReport, reached: u64) -> Result<(), String> {
    let taken: Vec<u64> =
        [one.first_ps, one.median_ps, one.last_ps].into_iter().flatten().collect();
    // A rank without operations has done all at the start, which may lie after the end of the run.
    let is_in_time = |last: &u64| *last == 0 || one.start_ps.saturating_add(*last) <= reached;
    let latest = taken.last().is_none_or(is_in_time);
    holds(taken.is_sorted() && latest, || format!("the times {taken:?} of ranks"))?;
    let is_all = one.completed == one.ranks;
    let counts = one.completed <= one.ranks
        && one.ended <= one.operations
        && is_all == (one.ended == one.operations)
        && one.last_ps.is_some() == (is_all && one.ranks > 0);
    holds(counts, || format!("{} of {} operations", one.ended, one.operations))?;
    let span = reached.saturating_sub(one.start_ps);
    for calls in &one.collectives {
        let counts = calls.completed <= calls.calls
            && calls.median_ps <= calls.longest_ps
            && calls.longest_ps.is_none_or(|longest| longest <= span);
        holds(counts, || format!("the time of {} of {:?}", calls.operation, calls.group))?;
    }
    let least = one.path_ps.zip(one.last_ps);
    holds(least.is_none_or(|(path, last)| path <= last), || {
        format!("{:?} ps of all ranks, and a path of {:?} ps", one.last_ps, one.path_ps)
    })
}

/// What went over each link. The last packet may still be going out.
fn links(scenario: &Scenario, outcome: &Outcome, reached: u64) -> Result<(), String> {
    let wire = &scenario.parameters.params.wire;
    let frame = u64::from(wire.mtu) + u64::from(wire.header) + u64::from(u8::MAX);
    for link in &outcome.links {
        let ports = scenario.network.ports(link.from);
        let bps = ports.get(usize::from(link.port)).map_or(0, |port| port.rate.as_bps());
        let name = || {
            format!(
                "{} of {}, port {}",
                link.sent_bytes,
                scenario.network.name(link.from),
                link.port
            )
        };
        let bytes = link.sent_bytes.saturating_sub(frame);
        holds(fits(bytes, (bps.into(), reached)), || format!("bytes sent, {},", name()))?;
        holds(link.paused.as_ps() <= reached, || format!("the stopped time of {}", name()))?;
    }
    Ok(())
}

fn queues(
    scenario: &Scenario,
    outcome: &Outcome,
    report: &QueuesReport,
    reached: u64,
) -> Result<(), String> {
    let ports = outcome.links.len();
    let stopped = report.stopped_ps;
    let most = (reached as u128) * report.stopped_ports as u128;
    let is_possible = report.stopped_ports <= ports && u128::from(stopped) <= most;
    holds(is_possible, || format!("{stopped} ps of {} stopped ports", report.stopped_ports))?;
    let hops = outcome.data_hops + scenario.network.nodes() as u64;
    holds(report.marked <= hops, || format!("{} marked packets", report.marked))
}

fn splitters(
    scenario: &Scenario,
    outcome: &Outcome,
    report: &SimulateReport,
) -> Result<(), String> {
    let Some(splitters) = &report.splitters else { return Ok(()) };
    let reached = report.end.reached_ps;
    let wire = &scenario.parameters.params.wire;
    let frame = u64::from(wire.mtu) + u64::from(wire.header) + u64::from(u8::MAX);
    let mut copies = 0;
    for (splitter, came) in scenario.multicast.splitters.iter().zip(&outcome.splitters) {
        let bytes = came.sent_bytes;
        let rate = u128::from(splitter.rate.as_bps());
        holds(fits(bytes.saturating_sub(frame), (rate, reached)), || {
            format!("{bytes} bytes of the splitter of {}", scenario.network.name(splitter.from))
        })?;
        copies += came.sent * came.branches.len() as u64;
    }
    holds(splitters.lost <= copies, || format!("{} copies lost of {copies}", splitters.lost))?;
    let busiest = splitters.busiest.as_ref().map_or(0, |busy| busy.sent);
    holds(busiest <= splitters.sent, || format!("{busiest} packets of the busiest splitter"))?;
    let shares = splitters.lossy.iter().filter_map(|branch| branch.frame_loss);
    for share in shares {
        holds((0.0..=1.0).contains(&share), || format!("the frame loss {share}"))?;
    }
    Ok(())
}
