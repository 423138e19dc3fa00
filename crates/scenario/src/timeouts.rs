//! Timeouts that are shorter than the time of an answer, so that delivered packets are repeated.

use lightloom_topology::electrical::Network;
use lightloom_twin::params::{Params, Recovery};
use lightloom_twin::{CircuitHops, Flow, FlowOutcome, Outcome};
use lightloom_units::{DataSize, Span};

use crate::ideal::first_answer;
use crate::scenario::Scenario;

/// The timeout while the first packets of a flow are under way.
#[derive(Debug, Clone, Copy)]
struct Timeout {
    field: &'static str,
    time: Span,
}

/// A flow whose timeout ends before its first acknowledgement can arrive.
#[derive(Debug, Clone, Copy)]
struct Short {
    timeout: Timeout,
    /// Round trip without competing traffic.
    answer: Span,
}

impl Timeout {
    /// The timeout after the first packet of a flow. With selective repeat it is the short timeout, which
    /// applies while few packets are under way.
    fn of(network: &Network, params: &Params, flow: &Flow) -> Self {
        let long = Self { field: "timeout", time: params.transport.timeout };
        let Recovery::SelectiveRepeat { window, short_timeout, few, .. } =
            params.transport.recovery
        else {
            return long;
        };
        let wire = &params.wire;
        let packets = flow.size.as_bytes().div_ceil(wire.mtu.into()).max(1);
        let frame = [wire.preamble, wire.header, wire.mtu, wire.gap].map(u64::from);
        let frame = DataSize::from_bytes(frame.iter().sum());
        let every = frame.serialization_time(network.ports(flow.from)[0].rate);
        let out = every.map_or(1, |every| 1 + short_timeout.as_ps() / every.as_ps().max(1));
        if packets.min(window.into()).min(out) < u64::from(few) {
            Self { field: "short_timeout", time: short_timeout }
        } else {
            long
        }
    }
}

impl Short {
    fn of(network: &Network, params: &Params, flow: &Flow) -> Option<Self> {
        let timeout = Timeout::of(network, params, flow);
        let answer = first_answer(network, params, flow);
        (timeout.time < answer).then_some(Self { timeout, answer })
    }

    fn text(&self, name: &str) -> String {
        let Timeout { field, time } = self.timeout;
        format!(
            "{name}: its {field} of {time} is below its round trip of {} in an empty network, so that packets \
             are repeated before they can be answered",
            self.answer
        )
    }
}

/// The name of a flow in messages.
pub fn name(scenario: &Scenario, number: usize) -> String {
    named(&scenario.network, &scenario.flows, number)
}

fn named(network: &Network, flows: &[Flow], number: usize) -> String {
    let &Flow { from, to, .. } = &flows[number];
    format!("flow {number} ({} to {})", network.name(from), network.name(to))
}

/// Message about the flow whose timeout is shortest relative to its round trip. `None`: all timeouts are long
/// enough.
pub fn too_short(network: &Network, params: &Params, flows: &[Flow]) -> Option<String> {
    let mut short = 0_usize;
    let all = (0..).zip(flows);
    let all = all.filter_map(|(i, flow)| Some((i, Short::of(network, params, flow)?)));
    let past = |short: &Short| short.answer.as_ps() - short.timeout.time.as_ps();
    // The first of equal flows.
    let worst = all.inspect(|_| short += 1).reduce(|worst: (usize, Short), next| {
        if past(&next.1) > past(&worst.1) { next } else { worst }
    });
    let (number, worst) = worst?;
    let others = match short - 1 {
        0 => String::new(),
        1 => ", as of another flow".to_owned(),
        others => format!(", as of {others} other flows"),
    };
    Some(format!(
        "{}{others}; give [parameters.transport] {} above it, with room for queues",
        worst.text(&named(network, flows, number)),
        worst.timeout.field
    ))
}

/// Message about the first unfinished flow whose timeout is too short. `None`: there is none.
pub fn of_unfinished(scenario: &Scenario, outcome: &Outcome) -> Option<String> {
    let (network, params) = (&scenario.network, &scenario.parameters.params);
    let open = (0..).zip(&outcome.flows).filter(|(_, flow)| {
        flow.asked.is_some() && flow.acknowledged.is_none() && flow.timeouts > 0
    });
    let mut short = open.filter_map(|(number, _)| {
        let short = Short::of(network, params, &scenario.flows[number])?;
        Some(short.text(&name(scenario, number)))
    });
    short.next()
}

/// Warning about repeated packets of flows without losses. Only timeouts can cause them.
pub fn in_vain(scenario: &Scenario, outcome: &Outcome) -> Option<String> {
    let is_sound =
        |flow: &&FlowOutcome| flow.spurious > 0 && flow.dropped == 0 && flow.answers_dropped == 0;
    let sound = || outcome.flows.iter().filter(is_sound);
    let packets: u64 = sound().map(|flow| flow.spurious).sum();
    let most = sound().map(|flow| flow.spurious).max()?;
    let worst = outcome.flows.iter().position(|flow| is_sound(&flow) && flow.spurious == most)?;
    let flows = format!(
        "{packets} packets of {} flows that lost nothing were repeated though they had arrived, most of {}",
        sound().count(),
        name(scenario, worst)
    );
    if scenario.circuits.as_ref().is_some_and(|circuits| circuits.hops == CircuitHops::Two) {
        return Some(format!(
            "{flows}: packets that take two circuits pass each other, or wait for a circuit for longer than the timeout"
        ));
    }
    let transport = &scenario.parameters.params.transport;
    let timeouts = match transport.recovery {
        Recovery::GoBackN => format!("timeout of {}", transport.timeout),
        Recovery::SelectiveRepeat { short_timeout, .. } => {
            format!("timeout of {} or short_timeout of {short_timeout}", transport.timeout)
        }
    };
    Some(format!(
        "{flows}: the {timeouts} ends before answers come through queues and pauses; give a longer one"
    ))
}
