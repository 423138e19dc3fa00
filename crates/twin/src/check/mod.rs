//! Checks of a setup: what it names exists, and no sum of its numbers overflows.

use std::collections::BTreeMap;

use lightloom_setup::Setup;
use lightloom_setup::params::{Params, RETH, Recovery, Reserves};
use lightloom_topology::electrical::NodeId;
use lightloom_units::{BitRate, DataSize, Instant, Span};

use crate::headroom::buffer_sizes;
use crate::packet::{Class, FlowId};
use crate::wires::Wires;

mod accelerators;
mod circuits;
mod computations;
mod multicast;
pub(crate) mod order;
mod reliable;
mod reroutes;
mod updates;

/// Why a setup cannot be run. Numbers are places in the lists of the setup.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SetupError {
    /// A parameter is out of its range.
    #[error("parameter {name} is out of range: expected {expected}")]
    Parameter {
        /// Its name, as in `params`.
        name: &'static str,
        /// The range.
        expected: &'static str,
    },
    /// A list is too long.
    #[error("too many {what}: at most {most}")]
    TooMany {
        /// What there are too many of.
        what: &'static str,
        /// How many there may be.
        most: usize,
    },
    /// A node is not a host of the network.
    #[error("{what} {number} names node {node}, which is no host of the network")]
    NoHost {
        /// In which list.
        what: &'static str,
        /// Its place there.
        number: usize,
        /// The node.
        node: NodeId,
    },
    /// A node is not a switch of the network.
    #[error("{what} {number} names node {node}, which is no switch of the network")]
    NoSwitch {
        /// In which list.
        what: &'static str,
        /// Its place there.
        number: usize,
        /// The node.
        node: NodeId,
    },
    /// A node has no such port, or there is no such node.
    #[error("{what} {number} names port {port} of node {node}, which does not exist")]
    NoPort {
        /// In which list.
        what: &'static str,
        /// Its place there.
        number: usize,
        /// The node.
        node: NodeId,
        /// The port.
        port: u16,
    },
    /// A number that names something else does not.
    #[error("{what} {number} names {named} {found}, which does not exist")]
    NoSuch {
        /// In which list.
        what: &'static str,
        /// Its place there.
        number: usize,
        /// What it names.
        named: &'static str,
        /// By which number.
        found: u64,
    },
    /// A value is out of its range.
    #[error("{field} of {what} {number} is out of range: expected {expected}")]
    Value {
        /// In which list.
        what: &'static str,
        /// Its place there.
        number: usize,
        /// Its field.
        field: &'static str,
        /// The range.
        expected: &'static str,
    },
    /// A message waits for one between other hosts, of whose arrival its sender cannot know, or for what another host
    /// computes. Messages to groups have numbers after all flows, computations after these.
    #[error("message {flow} waits for message {before:?}, of whose arrival its sender cannot know")]
    Elsewhere {
        /// The message that waits.
        flow: usize,
        /// The message that it waits for.
        before: FlowId,
    },
    /// Messages wait for each other, or for the one before them on their connection or in their group, in a ring.
    #[error(
        "message {0} waits for itself, by way of messages that wait for each other or share a connection or a group"
    )]
    Ring(usize),
    /// Flows of one connection have other hosts or another class than its first.
    #[error("flow {flow} is on connection {connection} of flow {first}, but has another {field}")]
    Connection {
        /// The flow.
        flow: usize,
        /// The number of the connection.
        connection: u32,
        /// The first flow of that connection.
        first: usize,
        /// What differs: hosts or class.
        field: &'static str,
    },
    /// Two branches of a splitter end at one switch, or a list names one thing twice.
    #[error("{what} {number} names {named} {found} twice")]
    Twice {
        /// In which list.
        what: &'static str,
        /// Its place there.
        number: usize,
        /// What it names.
        named: &'static str,
        /// By which number.
        found: u64,
    },
    /// A host joins or leaves a reliable group after its last message has begun, so the change does nothing.
    #[error(
        "host {host} joins or leaves group {group} at {at}, but no message to the group starts then or later"
    )]
    LateChange {
        /// The group.
        group: usize,
        /// The host.
        host: NodeId,
        /// Simulated time of the change.
        at: Instant,
    },
    /// The buffer of a switch does not fit the twin's counters.
    #[error("buffer and headroom of switch {0}, over all its ports, are more than 4 GiB")]
    Buffer(NodeId),
    /// Headroom and minimum of its ports leave nothing of the buffer of a switch to share.
    #[error("headroom and minimum of the ports of switch {0} take all of its buffer")]
    Reserved(NodeId),
}

/// The latest time that a setup may name: half of the clock, so that no timer passes its end.
const LATEST: Instant = Instant::from_ps(1 << 63);

/// The longest delay, latency or timer, more than a week.
const LONGEST: Span = Span::from_ps(1 << 60);

/// The slowest link: on a slower one the longest pause does not fit the clock.
const SLOWEST: BitRate = BitRate::from_bps(1_000);

/// The most intervals of a series.
const MOST_INTERVALS: u64 = 1 << 28;

/// The most messages of a connection: packets name them with 24 bits.
const MOST_MESSAGES: usize = 1 << 24;

/// The largest message, in bytes.
const LARGEST: u64 = 1 << 60;

/// The most bytes of a switch: they are counted in 32 bits.
const MOST_BUFFER: u64 = u32::MAX as u64 - (1 << 16);

/// The most flows, messages to groups, or computations: they share numbers of 32 bits.
const MOST_OF_A_KIND: usize = (u32::MAX / 4) as usize;

/// The most delays of a link whose bytes are headroom.
const MOST_DELAYS: f64 = 1e3;

/// A share of packets, and how many are lost at once.
fn is_loss(rate: f64) -> bool {
    (0.0..=1.0).contains(&rate)
}

/// Checks a setup; its wires.
pub(crate) fn check<'a>(setup: &Setup<'a>) -> Result<Wires<'a>, SetupError> {
    parameters(&setup.params)?;
    run(setup)?;
    flows(setup)?;
    stack(setup)?;
    computations::check(setup)?;
    troubles(setup)?;
    circuits::check(setup)?;
    accelerators::check(setup)?;
    let wires = multicast::check(setup)?;
    reliable::check(setup, &wires)?;
    updates::check(setup, &wires)?;
    reroutes::check(setup)?;
    buffers(setup, &wires)?;
    order::check(setup)?;
    Ok(wires)
}

fn parameters(params: &Params) -> Result<(), SetupError> {
    let refuse = |name, expected| Err(SetupError::Parameter { name, expected });
    let (wire, transport) = (&params.wire, &params.transport);
    let frame = u32::from(wire.mtu) + u32::from(wire.header) + u32::from(RETH);
    if wire.mtu == 0 || frame > u32::from(u16::MAX) {
        return refuse("wire.mtu", "at least 1 byte, and frames below 64 KiB");
    }
    let mut spans = vec![
        ("switch.latency", params.switch.latency, 0),
        ("switch.pause_response", params.switch.pause_response, 0),
        ("transport.timeout", transport.timeout, 1),
        ("stack.send", params.stack.send, 0),
        ("stack.receive", params.stack.receive, 0),
        ("stack.forward", params.stack.forward, 0),
        ("stack.packet", params.stack.packet, 0),
        ("groups.repeat_interval", params.groups.repeat_interval, 0),
        ("groups.notification_window", params.groups.notification_window, 1),
        ("groups.register_timeout", params.groups.register_timeout, 1),
        ("groups.synchronisation", params.groups.synchronisation, 0),
    ];
    if let Recovery::SelectiveRepeat { window, short_timeout, .. } = transport.recovery {
        spans.push(("transport.short_timeout", short_timeout, 1));
        if window > 1 << 22 {
            return refuse("transport.window", "at most 2^22, a quarter of the sequence numbers");
        }
    }
    if params.stack.copy.is_some_and(|rate| rate < SLOWEST) {
        return refuse("stack.copy_rate", "at least 1 kb/s, or none");
    }
    if let Some(dcqcn) = &params.dcqcn {
        spans.push(("dcqcn.alpha_timer", dcqcn.alpha_timer, 1));
        spans.push(("dcqcn.increase_timer", dcqcn.increase_timer, 1));
        spans.push(("dcqcn.cnp_interval", dcqcn.cnp_interval, 0));
        if dcqcn.least < SLOWEST {
            return refuse("dcqcn.least", "at least 1 kb/s");
        }
        spans.push(("dcqcn.cut_interval", dcqcn.cut_interval, 0));
        for (name, share) in [("dcqcn.g", dcqcn.g), ("dcqcn.first_share", dcqcn.first_share)] {
            if !(0.0..=1.0).contains(&share) {
                return refuse(name, "0 to 1");
            }
        }
        if dcqcn.at.is_some_and(|at| at < SLOWEST) {
            return refuse("dcqcn.at", "at least 1 kb/s, or none");
        }
    }
    if !(0.0..=MOST_DELAYS).contains(&params.switch.headroom_delays) {
        return refuse("switch.headroom_delays", "0 to 1000");
    }
    for (name, span, least) in spans {
        if span.as_ps() < least || span > LONGEST {
            return refuse(name, "more than 0 s where it is a timer, and at most 2^60 ps");
        }
    }
    Ok(())
}

/// The software of hosts: whether its times for the largest message can be told.
fn stack(setup: &Setup<'_>) -> Result<(), SetupError> {
    let (stack, mtu) = (&setup.params.stack, setup.params.wire.mtu);
    let casts = setup.multicast.casts.iter().map(|cast| cast.size);
    let largest = setup.flows.iter().map(|flow| flow.size).chain(casts).max();
    let bytes = largest.map_or(0, DataSize::as_bytes);
    let longest = stack.to_send(bytes, mtu).max(stack.to_receive(bytes, mtu));
    if longest.max(stack.to_forward(bytes, mtu)) <= LONGEST {
        return Ok(());
    }
    let name = if stack.copy.is_some() { "stack.copy_rate" } else { "stack.packet" };
    let expected = "a message in the software of a host for 2^60 ps at most; it depends on the size of messages";
    Err(SetupError::Parameter { name, expected })
}

fn run(setup: &Setup<'_>) -> Result<(), SetupError> {
    let refuse = |name, expected| Err(SetupError::Parameter { name, expected });
    if setup.until > LATEST {
        return refuse("until", "at most 2^63 ps");
    }
    if setup.interval.as_ps() == 0 || setup.until.as_ps() / setup.interval.as_ps() > MOST_INTERVALS
    {
        return refuse("interval", "more than 0 s, and at most 2^28 intervals until the end");
    }
    let nodes = (0..setup.network.nodes()).map(NodeId::at);
    let links = || nodes.clone().flat_map(|node| setup.network.ports(node));
    if links().any(|port| port.rate < SLOWEST) {
        return refuse("rate of a link", "at least 1 kb/s");
    }
    if links().any(|port| port.delay > LONGEST) {
        return refuse("delay of a link", "at most 2^60 ps");
    }
    Ok(())
}

fn flows(setup: &Setup<'_>) -> Result<(), SetupError> {
    const WHAT: &str = "flow";
    let most = MOST_OF_A_KIND;
    if setup.flows.len() > most || setup.multicast.casts.len() > most {
        return Err(SetupError::TooMany { what: "flows", most });
    }
    // The first flow of each connection, and how many there are.
    let mut connections: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
    for (number, flow) in setup.flows.iter().enumerate() {
        let refuse =
            |field, expected| Err(SetupError::Value { what: WHAT, number, field, expected });
        for node in [flow.from, flow.to] {
            host(setup, WHAT, number, node)?;
        }
        if flow.size.as_bytes() > LARGEST {
            return refuse("size", "at most 2^60 bytes");
        }
        if flow.start > LATEST {
            return refuse("start", "at most 2^63 ps");
        }
        let Some(connection) = flow.connection else { continue };
        let (first, flows) = connections.entry(connection).or_insert((number, 0));
        *flows += 1;
        if *flows > MOST_MESSAGES {
            let (what, most) = ("flows of one connection", MOST_MESSAGES);
            return Err(SetupError::TooMany { what, most });
        }
        let first = *first;
        let opened = &setup.flows[first];
        let differs = |field| SetupError::Connection { flow: number, connection, first, field };
        let ends = [(opened.from, opened.to), (opened.to, opened.from)];
        if !ends.contains(&(flow.from, flow.to)) {
            return Err(differs("hosts"));
        }
        if flow.class != opened.class {
            return Err(differs("class"));
        }
        if flow.class == Class::CONTROL {
            return refuse("connection", "none for the class of control packets");
        }
    }
    Ok(())
}

fn host(
    setup: &Setup<'_>,
    what: &'static str,
    number: usize,
    node: NodeId,
) -> Result<(), SetupError> {
    if setup.network.is_host(node) {
        return Ok(());
    }
    Err(SetupError::NoHost { what, number, node })
}

fn troubles(setup: &Setup<'_>) -> Result<(), SetupError> {
    let port = |what, number, node: NodeId, port: u16| {
        let nodes = setup.network.nodes();
        let exists = node.index() < nodes && usize::from(port) < setup.network.ports(node).len();
        if exists { Ok(()) } else { Err(SetupError::NoPort { what, number, node, port }) }
    };
    for (number, loss) in setup.losses.iter().enumerate() {
        port("loss", number, loss.from, loss.port)?;
        if !is_loss(loss.rate) {
            let (field, expected) = ("rate", "0 to 1");
            return Err(SetupError::Value { what: "loss", number, field, expected });
        }
    }
    for (number, dead) in setup.dead.iter().enumerate() {
        port("dead link", number, dead.node, dead.port)?;
    }
    for (number, storm) in setup.storms.iter().enumerate() {
        host(setup, "storm", number, storm.host)?;
        if storm.from > LATEST {
            let (field, expected) = ("from", "at most 2^63 ps");
            return Err(SetupError::Value { what: "storm", number, field, expected });
        }
    }
    Ok(())
}

fn buffers(setup: &Setup<'_>, wires: &Wires<'_>) -> Result<(), SetupError> {
    let switch = &setup.params.switch;
    for node in (setup.network.hosts()..setup.network.nodes()).map(NodeId::at) {
        let ports = wires.transmitters(node).max(wires.receivers(node));
        let sizes = buffer_sizes(setup.network, switch, node, ports.into());
        if sizes.all.as_bytes() > MOST_BUFFER {
            return Err(SetupError::Buffer(node));
        }
        if switch.reserves == Reserves::Within && sizes.shared == DataSize::ZERO {
            return Err(SetupError::Reserved(node));
        }
    }
    Ok(())
}
