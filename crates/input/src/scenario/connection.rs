//! Relations between flows: `connection`, the name of a shared queue pair, and `after`, the flows that a flow
//! waits for.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_request::InputError;
use lightloom_topology::electrical::NodeId;
use lightloom_twin::{Class, Flow, FlowId};
use toml::de::DeValue;

use crate::rows::{Row, a_kind};
use crate::scenario::network::Nodes;

/// Two hosts, the lower number first.
type Pair = (NodeId, NodeId);

/// The connections of a scenario. A name in `[[flow]]` means one connection between two hosts. A name in
/// `[[traffic]]` means one connection per pair of hosts.
#[derive(Debug, Default)]
pub(super) struct Connections {
    /// Number of each connection.
    numbers: BTreeMap<(String, Pair), u32>,
    /// Class of each name, and its hosts if the name is used in `[[flow]]`.
    names: BTreeMap<String, (Class, Option<Pair>)>,
}

impl Connections {
    /// The connection name of a row, checked against other rows with the same name. `pair` are the hosts of a
    /// listed flow.
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

    /// The number of the connection with a name between two hosts.
    pub(super) fn number(&mut self, name: &str, from: NodeId, to: NodeId) -> u32 {
        let next = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
        let pair = (from.min(to), from.max(to));
        *self.numbers.entry((name.to_owned(), pair)).or_insert(next)
    }
}

/// What `after` lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Named<'a> {
    /// A flow, by its number.
    Flow(u32),
    /// A message to a group, by its name.
    Multicast(&'a str),
}

/// The entries of `after`: one, or a list.
pub(super) fn named<'a>(row: &Row<'a>) -> Result<Vec<Named<'a>>, InputError> {
    let one = |value: &'a DeValue<'a>| match value {
        DeValue::Integer(number) => {
            let read = u32::from_str_radix(number.as_str(), number.radix());
            let number = read.map_err(|_| format!("found {number}; expected a whole number"))?;
            Ok(Named::Flow(number))
        }
        DeValue::String(name) => Ok(Named::Multicast(name)),
        other => {
            let expected = "expected numbers of flows, or names of [[multicast]]";
            Err(format!("found {}; {expected}", a_kind(other)))
        }
    };
    let listed: Result<Vec<Named<'a>>, String> = match row.value("after") {
        None => Ok(Vec::new()),
        Some(DeValue::Array(items)) => items.iter().map(|item| one(item.get_ref())).collect(),
        Some(value) => one(value).map(|named| vec![named]),
    };
    let listed = listed.map_err(|message| row.refuse("after", message))?;
    let mut seen = BTreeSet::new();
    for &named in &listed {
        if !seen.insert(named) {
            let message = match named {
                Named::Flow(number) => format!("found {number} twice; name each flow once"),
                Named::Multicast(name) => format!("found {name:?} twice; name each message once"),
            };
            return Err(row.refuse("after", message));
        }
    }
    Ok(listed)
}

/// The flows in `after`. `flows` are the flows before this one.
pub(super) fn after(
    row: &Row<'_>,
    from: NodeId,
    flows: &[Flow],
    nodes: &Nodes,
) -> Result<Vec<FlowId>, InputError> {
    let mut after = Vec::new();
    for named in named(row)? {
        let Named::Flow(number) = named else { continue };
        check(row, number, from, flows, nodes)?;
        after.push(FlowId(number));
    }
    Ok(after)
}

/// Refuses a flow for which the sender of another flow cannot wait.
fn check(
    row: &Row<'_>,
    number: u32,
    from: NodeId,
    flows: &[Flow],
    nodes: &Nodes,
) -> Result<(), InputError> {
    let Some(before) = flows.get(number as usize) else {
        let own = flows.len();
        let message =
            format!("found {number}; this is flow {own}, and after must name an earlier flow");
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
