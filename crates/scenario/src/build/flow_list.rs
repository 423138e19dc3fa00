//! Flows that a file lists: a recorded or generated trace of messages.

use lightloom_request::InputError;
use lightloom_topology::electrical::NodeId;
use lightloom_twin::{Class, Verb};
use lightloom_units::{DataSize, Instant, Span};

use crate::build::context::Context;
use crate::build::flows::{Common, Traffic};
use crate::build::patterns;
use crate::said::limits::LARGEST_FLOW;
use crate::said::{Node, Pattern, Row as _, TrafficRow};

/// A flow of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedFlow {
    /// The line of the file that it is on, from 1.
    pub line: u64,
    /// Sending host.
    pub from: Node,
    /// Receiving host.
    pub to: Node,
    /// Payload.
    pub size: DataSize,
    /// Time of the request, from the start of the row on.
    pub start: Span,
    /// Class of the packets. `None`: that of the row.
    pub class: Option<Class>,
    /// How it is sent. `None`: as the row says.
    pub verb: Option<Verb>,
}

impl Traffic {
    /// Adds the flows of the file that a row names, in the order of the file.
    pub(super) fn listed(
        &mut self,
        row: &TrafficRow,
        flows: &[ListedFlow],
        context: &Context,
    ) -> Result<(), InputError> {
        let place = self.next_pattern();
        patterns::check_fields(row, Pattern::Listed, place)?;
        row.check(place)?;
        if flows.is_empty() {
            return Err(place.refuse("file", "names a file without flows"));
        }
        context.check_flows(place, "file", self.flows.len(), flows.len() as f64)?;
        let start = context.start(place, row.start)?;
        for flow in flows {
            let refuse = |field: &str, message: String| {
                InputError::new(message).in_field(field).at_line(flow.line)
            };
            let host = |field: &'static str, said: &Node| -> Result<NodeId, InputError> {
                let found = context.nodes.host_of(place, field, said);
                found.map_err(|error| error.in_field(field).at_line(flow.line))
            };
            let (from, to) = (host("from", &flow.from)?, host("to", &flow.to)?);
            if from == to {
                let name = context.nodes.network.name(from);
                let message = format!("found {name:?}, the same host as from; name another host");
                return Err(refuse("to", message));
            }
            if !(DataSize::from_bytes(1)..=LARGEST_FLOW).contains(&flow.size) {
                let message = format!("found {}; expected 1 B to {LARGEST_FLOW}", flow.size);
                return Err(refuse("size", message));
            }
            let at = asked(start, flow.start, context.run.until)
                .map_err(|message| refuse("start", message))?;
            let class = flow.class.or(row.class).unwrap_or(Class::LOSSLESS);
            let verb = flow.verb.or(row.verb).unwrap_or(Verb::Write);
            self.push(from, to, flow.size, at, &Common { class, verb, connection: None });
        }
        Ok(())
    }
}

/// The time of a request, a time after the start of the row.
fn asked(start: Instant, after: Span, until: Instant) -> Result<Instant, String> {
    let left = until - start;
    if after >= left {
        let behind = match start {
            Instant::ZERO => String::new(),
            start => format!(" after {start}"),
        };
        return Err(format!("found {after}{behind}; the run ends at {until}"));
    }
    Ok(start + after)
}
