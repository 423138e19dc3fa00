//! The flows of a scenario: listed ones, and those of patterns.

use lightloom_request::InputError;
use lightloom_topology::electrical::NodeId;
use lightloom_twin::{Class, Flow, Verb};
use lightloom_units::{DataSize, Instant};

use crate::build::connection::{Connections, after, distinct};
use crate::build::context::Context;
use crate::build::patterns;
use crate::build::poisson;
use crate::build::random::{Purpose, stream};
use crate::build::sizes::{Cdf, Sizes};
use crate::said::{Awaited, FlowRow, Pattern, Place, Row as _, TrafficRow};

/// The traffic of a scenario.
#[derive(Debug, Clone, Default)]
pub(super) struct Traffic {
    /// Listed flows first, then the flows of each pattern.
    pub(super) flows: Vec<Flow>,
    /// Number of listed flows.
    pub(super) listed: usize,
    /// Number of patterns.
    patterns: usize,
    /// The messages to groups that listed flows wait for, by their names.
    pub(super) awaited: Vec<(usize, Vec<String>)>,
    pub(super) connections: Connections,
}

/// Values that all flows of one row share.
pub(super) struct Common<'a> {
    pub(super) class: Class,
    pub(super) verb: Verb,
    pub(super) connection: Option<&'a str>,
}

impl Traffic {
    /// Adds a flow.
    pub(super) fn flow(&mut self, row: &FlowRow, context: &Context) -> Result<(), InputError> {
        let place = FlowRow::place_of(self.listed);
        if self.patterns > 0 {
            let message = "comes after a [[traffic]]; list all flows before patterns";
            return Err(place.refuse("", message));
        }
        row.check(place)?;
        let (nodes, network) = (&context.nodes, &context.nodes.network);
        let start = context.start(place, row.start)?;
        let class = row.class.unwrap_or(Class::LOSSLESS);
        let from = nodes.host(place, "from", row.from.as_ref())?;
        let to = nodes.host(place, "to", row.to.as_ref())?;
        if from == to {
            let name = network.name(from);
            let message = format!("found {name:?}, the same host as from; name another host");
            return Err(place.refuse("to", message));
        }
        let awaited = row.after.as_deref().unwrap_or_default();
        distinct(place, awaited)?;
        let after = after(place, awaited, from, &self.flows, network)?;
        let name = row.connection.as_deref();
        let connection =
            self.connections.checked(place, name, (class, Some((from, to))), network)?;
        let size = size(place, row.size)?;
        let verb = row.verb.unwrap_or(Verb::Write);
        let common = Common { class, verb, connection };
        self.push(from, to, size, start, &common).after = after;
        let of_group = |awaited: &Awaited| match awaited {
            Awaited::Multicast(name) => Some(name.clone()),
            Awaited::Flow(_) => None,
        };
        let names: Vec<String> = awaited.iter().filter_map(of_group).collect();
        if !names.is_empty() {
            self.awaited.push((self.listed, names));
        }
        self.listed += 1;
        Ok(())
    }

    /// Adds the flows of a pattern. `sizes` is the distribution that the row names.
    pub(super) fn pattern(
        &mut self,
        row: &TrafficRow,
        sizes: Option<Cdf>,
        context: &Context,
    ) -> Result<(), InputError> {
        let number = self.patterns as u64;
        let place = self.next_pattern();
        let pattern = row.pattern.ok_or_else(|| place.missing("pattern", "\"stride\""))?;
        patterns::check_fields(row, pattern, place)?;
        row.check(place)?;
        let start = context.start(place, row.start)?;
        let class = row.class.unwrap_or(Class::LOSSLESS);
        let name = row.connection.as_deref();
        let connection =
            self.connections.checked(place, name, (class, None), &context.nodes.network)?;
        let verb = row.verb.unwrap_or(Verb::Write);
        let common = Common { class, verb, connection };
        match pattern {
            Pattern::Listed => return Err(place.missing("file", "\"flows.csv\"")),
            Pattern::Matrix => return Err(place.missing("file", "\"matrix.csv\"")),
            _ => {}
        }
        let sizes = sizes_of(row, place, sizes)?;
        let before = self.flows.len();
        let hosts = patterns::hosts(row, place, context)?;
        let beside = (context, before);
        let pairs = match pattern {
            Pattern::Stride => patterns::stride(row, place, &hosts, beside)?,
            Pattern::Permutation => patterns::permutation((place, number), &hosts, beside)?,
            Pattern::Incast => patterns::incast(row, (place, number), &hosts, beside)?,
            // Its flows are those of a file.
            Pattern::Listed | Pattern::Matrix => Vec::new(),
            Pattern::AllToAll => patterns::all_to_all(place, &hosts, beside)?,
            Pattern::Poisson => {
                let arrive = poisson::Poisson::new(row, (place, number), (start, &hosts), context)?;
                arrive.draw(&sizes, before, &mut |from, to, size, start| {
                    self.push(from, to, size, start, &common);
                })?;
                self.flows[before..].sort_by_key(|flow| (flow.start, flow.from));
                return Ok(());
            }
        };
        let mut random = stream(context.run.seed, Purpose::Sizes, number, 0);
        for (from, to) in pairs {
            self.push(from, to, sizes.next(&mut random), start, &common);
        }
        Ok(())
    }

    /// The place of the next row of patterns.
    pub(super) fn next_pattern(&mut self) -> Place {
        let place = TrafficRow::place_of(self.patterns);
        self.patterns += 1;
        place
    }

    pub(super) fn push(
        &mut self,
        from: NodeId,
        to: NodeId,
        size: DataSize,
        start: Instant,
        common: &Common<'_>,
    ) -> &mut Flow {
        let Common { class, verb, connection } = *common;
        let connection = connection.map(|name| self.connections.number(name, from, to));
        let after = Vec::new();
        self.flows.push_mut(Flow { from, to, size, start, after, class, verb, connection })
    }
}

/// The sizes of the messages of a pattern: one for all, or drawn from a distribution.
fn sizes_of(row: &TrafficRow, place: Place, drawn: Option<Cdf>) -> Result<Sizes, InputError> {
    let said = [
        ("size", row.size.is_some()),
        ("sizes", row.sizes.is_some()),
        ("distribution", row.distribution.is_some()),
    ];
    let mut said = said.into_iter().filter_map(|(field, is_said)| is_said.then_some(field));
    if let (Some(first), Some(second)) = (said.next(), said.next()) {
        let message = format!("is given together with {first}; give one of the two");
        return Err(place.refuse(second, message));
    }
    if row.size.is_some() && drawn.is_some() {
        return Err(place.refuse("size", "is given together with drawn sizes; give one of the two"));
    }
    Ok(match drawn {
        None => Sizes::Fixed(size(place, row.size)?),
        Some(cdf) => Sizes::Drawn(cdf),
    })
}

/// The required size of a message.
pub(super) fn size(place: Place, said: Option<DataSize>) -> Result<DataSize, InputError> {
    said.ok_or_else(|| place.missing("size", "\"10 MB\""))
}
