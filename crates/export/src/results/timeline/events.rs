//! Events of the Chrome trace format ("Trace Event Format", Google): one line for each.
//!
//! Each host is a process. A message is an asynchronous event at its sender, from its request until it is over, and an
//! instant at each receiver. Each repetition of a collective operation is one in a process of its own. Times are in
//! microseconds, to the picosecond. A computation is a complete event of its host, in the thread of its stream.

use std::io::{self, Write};

use lightloom_scenario::scenario::Scenario;
use lightloom_sim::collectives::members;
use lightloom_topology::electrical::NodeId;
use lightloom_twin::Outcome;
use lightloom_units::Instant;
use serde_json::{Value, json};

use super::messages::{Computed, Message, all, computed};

pub(super) fn write(mut out: impl Write, scenario: &Scenario, outcome: &Outcome) -> io::Result<()> {
    let mut events = Events { out: &mut out, is_first: true };
    events.begin()?;
    let network = &scenario.network;
    let hosts = network.hosts();
    for host in (0..hosts).map(NodeId::at) {
        events.process(host.index(), &network.name(host))?;
    }
    if !scenario.collectives.is_empty() {
        events.process(hosts, "collective operations")?;
    }
    for message in all(scenario, outcome) {
        events.message(&message, scenario)?;
    }
    for computed in computed(scenario, outcome) {
        events.computed(&computed, outcome.reached, scenario)?;
    }
    let mut number = 0;
    for one in &scenario.collectives {
        for (time, iteration) in one.iterations.iter().enumerate() {
            let members = members(scenario, outcome, (one, iteration));
            let start = members.values().find_map(|member| member.start);
            let ends: Option<Vec<Instant>> =
                members.values().map(|member| member.received).collect();
            let end = ends.and_then(|ends| ends.into_iter().max());
            number += 1;
            let Some(start) = start else { continue };
            let about = json!({ "time": time, "bytes": one.size.as_bytes() });
            events.span((&one.name, "collective"), (hosts, number), (start, end), about)?;
        }
    }
    events.end()
}

struct Events<'a, W> {
    out: &'a mut W,
    is_first: bool,
}

impl<W: Write> Events<'_, W> {
    fn begin(&mut self) -> io::Result<()> {
        self.out.write_all(b"{\"displayTimeUnit\":\"ns\",\"traceEvents\":[")
    }

    fn end(&mut self) -> io::Result<()> {
        self.out.write_all(b"\n]}\n")
    }

    fn event(&mut self, event: &Value) -> io::Result<()> {
        let before: &[u8] = if self.is_first { b"\n" } else { b",\n" };
        self.is_first = false;
        self.out.write_all(before)?;
        serde_json::to_writer(&mut *self.out, event).map_err(io::Error::from)
    }

    fn process(&mut self, number: usize, name: &str) -> io::Result<()> {
        self.event(
            &json!({ "ph": "M", "name": "process_name", "pid": number, "args": { "name": name } }),
        )
    }

    /// An asynchronous event. One that is never over has no end.
    fn span(
        &mut self,
        (name, kind): (&str, &str),
        (process, id): (usize, usize),
        (start, end): (Instant, Option<Instant>),
        about: Value,
    ) -> io::Result<()> {
        let event = |phase: &str, at: Instant, args: Value| {
            json!({
                "ph": phase, "cat": kind, "name": name, "id": id, "pid": process, "tid": 0,
                "ts": microseconds(at), "args": args,
            })
        };
        self.event(&event("b", start, about))?;
        match end {
            Some(end) => self.event(&event("e", end, json!({}))),
            None => Ok(()),
        }
    }

    /// A computation. One that was not over lasts until the end of the run.
    fn computed(
        &mut self,
        computed: &Computed,
        reached: Instant,
        scenario: &Scenario,
    ) -> io::Result<()> {
        let end = computed.ended.unwrap_or(reached).max(computed.began);
        let name = computed.job.and_then(|job| job_names(scenario).nth(job)).unwrap_or("delay");
        self.event(&json!({
            "ph": "X", "cat": "computation", "name": name, "pid": computed.host.index(),
            "tid": computed.stream.map_or(0, |stream| stream + 1),
            "ts": microseconds(computed.began),
            "dur": microseconds(Instant::from_ps((end - computed.began).as_ps())),
            "args": { "is_over": computed.ended.is_some() },
        }))
    }

    fn message(&mut self, message: &Message, scenario: &Scenario) -> io::Result<()> {
        let name = |host| scenario.network.name(host);
        let to = match (&message.group, &message.receivers[..]) {
            (None, [(to, _)]) => name(*to),
            (group, _) => group.clone().unwrap_or_default(),
        };
        let about = json!({
            "message": message.number, "to": to, "bytes": message.bytes, "after": message.after,
        });
        let called = format!("to {to}");
        let place = (message.from.index(), message.number);
        self.span((&called, "message"), place, (message.asked, message.over()), about)?;
        for (host, at) in &message.receivers {
            let Some(at) = at else { continue };
            self.event(&json!({
                "ph": "i", "s": "p", "cat": "arrival", "name": format!("from {}", name(message.from)),
                "pid": host.index(), "tid": 0, "ts": microseconds(*at),
                "args": { "message": message.number },
            }))?;
        }
        Ok(())
    }
}

/// The names of collective operations, then those of traces.
pub(super) fn job_names(scenario: &Scenario) -> impl Iterator<Item = &str> {
    let collectives = scenario.collectives.iter().map(|one| one.name.as_str());
    collectives.chain(scenario.traces.iter().map(|trace| trace.name.as_str()))
}

/// A time in microseconds. A double holds picoseconds exactly up to two hours.
fn microseconds(at: Instant) -> f64 {
    at.as_ps() as f64 / 1e6
}
