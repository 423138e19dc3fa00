//! Traffic matrices: what each host or rack sends to each other.

use std::collections::BTreeMap;

use lightloom_request::InputError;
use lightloom_topology::electrical::{Network, NodeId};
use lightloom_twin::{Class, Verb};
use lightloom_units::DataSize;

use crate::build::context::Context;
use crate::build::flows::{Common, Traffic};
use crate::build::patterns;
use crate::said::limits::LARGEST_FLOW;
use crate::said::{Node, Pattern, Place, Row as _, TrafficRow};

/// A matrix of a file: its receivers, and what each sender sends to each of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matrix {
    /// The title of the column of the senders. Refusals of senders name it.
    pub from: String,
    /// The line that names the receivers.
    pub line: u64,
    /// The receivers, each with the title of its column. A switch stands for the hosts at it.
    pub to: Vec<(String, Node)>,
    /// The senders, in the order of the file.
    pub rows: Vec<MatrixRow>,
}

/// A sender of a matrix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatrixRow {
    /// The line of the file that it is on, from 1.
    pub line: u64,
    /// The sender. A switch stands for the hosts at it.
    pub from: Node,
    /// What it sends, in bytes, a value for each receiver. Zero sends nothing.
    pub sizes: Vec<DataSize>,
}

impl Traffic {
    /// Adds the flows of a matrix: sender by sender, and for each in the order of the receivers.
    pub(super) fn matrix(
        &mut self,
        row: &TrafficRow,
        matrix: &Matrix,
        context: &Context,
    ) -> Result<(), InputError> {
        let place = self.next_pattern();
        patterns::check_fields(row, Pattern::Matrix, place)?;
        row.check(place)?;
        let start = context.start(place, row.start)?;
        let (class, verb) = (row.class.unwrap_or(Class::LOSSLESS), row.verb.unwrap_or(Verb::Write));
        let common = Common { class, verb, connection: None };
        let mut known = Known { place, context, lines: BTreeMap::new() };
        let receivers = matrix.to.iter().map(|(title, to)| known.end(to, title, matrix.line));
        let receivers = receivers.collect::<Result<Vec<_>, _>>()?;
        known.lines.clear();
        let mut messages = Vec::new();
        for MatrixRow { line, from, sizes } in &matrix.rows {
            if sizes.len() != receivers.len() {
                let (found, expected) = (sizes.len(), receivers.len());
                let message = format!("found {found} values; the matrix has {expected} receivers");
                return Err(InputError::new(message).at_line(*line));
            }
            let from = known.end(from, &matrix.from, *line)?;
            for ((to, (title, _)), &size) in receivers.iter().zip(&matrix.to).zip(sizes) {
                let shares = shares(&from, to, size).map_err(|message| {
                    InputError::new(message).in_field(title.as_str()).at_line(*line)
                })?;
                messages.extend(shares);
            }
            context.check_flows(place, "file", self.flows.len(), messages.len() as f64)?;
        }
        if messages.is_empty() {
            return Err(
                place.refuse("file", "names a matrix without messages; give one value above 0")
            );
        }
        for (from, to, size) in messages {
            self.push(from, to, size, start, &common);
        }
        Ok(())
    }
}

/// A sender or receiver of a matrix.
struct End {
    node: NodeId,
    name: String,
    /// The host, or the hosts at the switch.
    hosts: Vec<NodeId>,
}

/// The nodes that a matrix has named so far.
struct Known<'a> {
    place: Place,
    context: &'a Context,
    /// The line and column that named each. Receivers share the line of the header.
    lines: BTreeMap<NodeId, (u64, String)>,
}

impl Known<'_> {
    /// The node of a cell that names one. No two of them are the same.
    fn end(&mut self, said: &Node, field: &str, line: u64) -> Result<End, InputError> {
        let refuse = |message: String| InputError::new(message).in_field(field).at_line(line);
        let nodes = &self.context.nodes;
        let node = nodes
            .node(self.place, "file", said)
            .map_err(|error| error.in_field(field).at_line(line))?;
        let name = nodes.network.name(node);
        let hosts = hosts_at(&nodes.network, node);
        if hosts.is_empty() {
            return Err(refuse(format!(
                "found the switch {name:?}, which has no hosts; name hosts, or switches with hosts"
            )));
        }
        if let Some((first, title)) = self.lines.insert(node, (line, field.to_owned())) {
            let before = match first == line {
                true => format!("the column {title:?}"),
                false => format!("line {first}"),
            };
            return Err(refuse(format!("found {name:?} again, after {before}; name it once")));
        }
        Ok(End { node, name, hosts })
    }
}

/// A host itself, or the hosts at a switch in the order of their numbers.
fn hosts_at(network: &Network, node: NodeId) -> Vec<NodeId> {
    if network.is_host(node) {
        return vec![node];
    }
    let mut hosts: Vec<NodeId> = network
        .ports(node)
        .iter()
        .map(|port| port.peer)
        .filter(|&peer| network.is_host(peer))
        .collect();
    hosts.sort_unstable();
    hosts.dedup();
    hosts
}

/// The messages of one value, which sum up to it: in equal parts between the hosts at both ends, who take turns. Where
/// a switch sends to itself, each host at it sends to the next. The first messages have a byte more if the value has a
/// remainder.
fn shares(from: &End, to: &End, size: DataSize) -> Result<Vec<(NodeId, NodeId, DataSize)>, String> {
    let bytes = size.as_bytes();
    if bytes == 0 {
        return Ok(Vec::new());
    }
    let (senders, receivers) = (&from.hosts, &to.hosts);
    let shift = usize::from(from.node == to.node);
    let turn = |k: usize| (senders[k % senders.len()], receivers[(k + shift) % receivers.len()]);
    let all = 0..senders.len().max(receivers.len());
    let pairs: Vec<_> = all.map(turn).filter(|(from, to)| from != to).collect();
    let number = pairs.len() as u64;
    if number == 0 {
        return Err(format!("found {size} from {:?} to itself; leave it empty", from.name));
    }
    let (each, more) = (bytes / number, bytes % number);
    if each + u64::from(more > 0) > LARGEST_FLOW.as_bytes() {
        return Err(format!("found {size}; a message has at most {LARGEST_FLOW}"));
    }
    let part = |(k, (from, to))| (from, to, DataSize::from_bytes(each + u64::from(k < more)));
    let parts = (0..).zip(pairs).map(part);
    Ok(parts.filter(|(.., part)| part.as_bytes() > 0).collect())
}
