//! What ties flows together: `connection`, the name of a queue pair that flows share, and `after`, the flows that
//! one waits for.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_request::InputError;
use lightloom_topology::electrical::NodeId;
use lightloom_twin::{Class, Flow, FlowId};
use toml::de::DeValue;

use crate::rows::{Row, a_kind};
use crate::scenario::network::Nodes;

/// Two hosts, the lower number first.
type Pair = (NodeId, NodeId);

/// The connections of a scenario. A name in `[[flow]]` is one connection between two hosts; a name in
/// `[[traffic]]` is one for each pair of hosts.
#[derive(Debug, Default)]
pub(super) struct Connections {
    /// The number of each.
    numbers: BTreeMap<(String, Pair), u32>,
    /// For each name its class, and its hosts where it stands in `[[flow]]`.
    names: BTreeMap<String, (Class, Option<Pair>)>,
}

impl Connections {
    /// The name that a row gives, checked against other rows that give it; `pair` are the hosts of a listed flow.
    pub(super) fn name<'a>(
        &mut self,
        row: &'a Row<'_>,
        class: Class,
        pair: Option<(NodeId, NodeId)>,
        nodes: &Nodes,
    ) -> Result<Option<&'a str>, InputError> {
        const FIELD: &str = "connection";
        let Some(name) = row.text(FIELD)? else { return Ok(None) };
        if name.trim().is_empty() {
            return Err(row.refuse(FIELD, "found an empty name; give one such as \"a\""));
        }
        let pair = pair.map(|(from, to)| (from.min(to), from.max(to)));
        let (first_class, first_pair) = *self.names.entry(name.to_owned()).or_insert((class, pair));
        if first_class != class {
            let message = format!(
                "found {name:?}, which has another class above; a connection has one class"
            );
            return Err(row.refuse(FIELD, message));
        }
        if first_pair != pair {
            let message = match first_pair {
                Some((a, b)) => {
                    let [a, b] = [a, b].map(|host| nodes.network.name(host));
                    format!(
                        "found {name:?}, the connection between {a:?} and {b:?}; take another name"
                    )
                }
                None => format!("found {name:?}, which a [[traffic]] has; take another name"),
            };
            return Err(row.refuse(FIELD, message));
        }
        Ok(Some(name))
    }

    /// The number of the connection of a name between two hosts.
    pub(super) fn number(&mut self, name: &str, from: NodeId, to: NodeId) -> u32 {
        let next = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
        let pair = (from.min(to), from.max(to));
        *self.numbers.entry((name.to_owned(), pair)).or_insert(next)
    }
}

/// The flows that `after` names by their numbers: one, or a list of several. `flows` are those listed before.
pub(super) fn after(
    row: &Row<'_>,
    from: NodeId,
    flows: &[Flow],
    nodes: &Nodes,
) -> Result<Vec<FlowId>, InputError> {
    let numbers = match row.value("after") {
        Some(DeValue::Array(items)) => {
            let number = |item: &toml::Spanned<DeValue<'_>>| match item.get_ref() {
                DeValue::Integer(number) => {
                    let read = u32::from_str_radix(number.as_str(), number.radix());
                    read.map_err(|_| format!("found {number}; expected a whole number"))
                }
                other => Err(format!("found {}; expected numbers of flows", a_kind(other))),
            };
            let numbers: Result<Vec<u32>, String> = items.iter().map(number).collect();
            numbers.map_err(|message| row.refuse("after", message))?
        }
        _ => row.number("after")?.into_iter().collect(),
    };
    let mut seen = BTreeSet::new();
    for &number in &numbers {
        check(row, number, from, flows, nodes)?;
        if !seen.insert(number) {
            return Err(row.refuse("after", format!("found {number} twice; name each flow once")));
        }
    }
    Ok(numbers.into_iter().map(FlowId).collect())
}

/// Refuses a flow that the sender of another cannot wait for.
fn check(
    row: &Row<'_>,
    number: u32,
    from: NodeId,
    flows: &[Flow],
    nodes: &Nodes,
) -> Result<(), InputError> {
    let Some(before) = flows.get(number as usize) else {
        let own = flows.len();
        let message = format!(
            "found {number}; this is flow {own}, and a flow hands on one that is listed before it"
        );
        return Err(row.refuse("after", message));
    };
    if before.to != from {
        let name = |host| nodes.network.name(host);
        let message = format!(
            "found {number}, a flow to {:?}; a host hands on what it receives, and this flow is from {:?}",
            name(before.to),
            name(from)
        );
        return Err(row.refuse("after", message));
    }
    Ok(())
}
