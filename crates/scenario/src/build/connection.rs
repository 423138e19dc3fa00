//! Relations between flows: `connection`, the name of a shared queue pair, and `after`, the flows that a flow
//! waits for.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_request::InputError;
use lightloom_topology::electrical::{Network, NodeId};
use lightloom_twin::{Class, Flow, FlowId};

use crate::build::sent::Owner;
use crate::said::{Awaited, Place};

/// Two hosts, the lower number first.
type Pair = (NodeId, NodeId);

/// What connections belong to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Of {
    /// A name that rows say.
    Name(String),
    /// A collective operation, or a process group of a trace.
    Owner(Owner),
}

/// The connections of a scenario. A name in `[[flow]]` means one connection between two hosts. A name in
/// `[[traffic]]` means one connection per pair of hosts.
#[derive(Debug, Clone, Default)]
pub(super) struct Connections {
    /// Number of each connection.
    numbers: BTreeMap<(Of, Pair), u32>,
    /// Class of each name, and its hosts if the name is used in `[[flow]]`.
    names: BTreeMap<String, (Class, Option<Pair>)>,
}

impl Connections {
    /// The connection name of a row, checked against other rows with the same name. `pair` are the hosts of a
    /// listed flow.
    pub(super) fn checked<'a>(
        &mut self,
        place: Place,
        name: Option<&'a str>,
        (class, pair): (Class, Option<(NodeId, NodeId)>),
        network: &Network,
    ) -> Result<Option<&'a str>, InputError> {
        const FIELD: &str = "connection";
        let Some(name) = name else { return Ok(None) };
        if name.trim().is_empty() {
            return Err(place.refuse(FIELD, "found an empty name; give one such as \"a\""));
        }
        let pair = pair.map(|(from, to)| (from.min(to), from.max(to)));
        let (first_class, first_pair) = *self.names.entry(name.to_owned()).or_insert((class, pair));
        if first_class != class {
            let message = format!(
                "found {name:?}, which has another class above; a connection has one class"
            );
            return Err(place.refuse(FIELD, message));
        }
        if first_pair != pair {
            let message = match first_pair {
                Some((a, b)) => {
                    let [a, b] = [a, b].map(|host| network.name(host));
                    format!(
                        "found {name:?}, the connection between {a:?} and {b:?}; take another name"
                    )
                }
                None => format!("found {name:?}, which a [[traffic]] has; take another name"),
            };
            return Err(place.refuse(FIELD, message));
        }
        Ok(Some(name))
    }

    /// The number of the connection with a name between two hosts.
    pub(super) fn number(&mut self, name: &str, from: NodeId, to: NodeId) -> u32 {
        self.numbered(Of::Name(name.to_owned()), from, to)
    }

    /// The number of the connection of an owner between two hosts.
    pub(super) fn between(&mut self, owner: Owner, from: NodeId, to: NodeId) -> u32 {
        self.numbered(Of::Owner(owner), from, to)
    }

    fn numbered(&mut self, of: Of, from: NodeId, to: NodeId) -> u32 {
        let next = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
        let pair = (from.min(to), from.max(to));
        *self.numbers.entry((of, pair)).or_insert(next)
    }
}

/// Refuses a list of what a message waits for that has something twice.
pub(super) fn distinct(place: Place, awaited: &[Awaited]) -> Result<(), InputError> {
    let mut seen = BTreeSet::new();
    match awaited.iter().find(|awaited| !seen.insert(*awaited)) {
        None => Ok(()),
        Some(Awaited::Flow(number)) => {
            Err(place.refuse("after", format!("found {number} twice; name each flow once")))
        }
        Some(Awaited::Multicast(name)) => {
            Err(place.refuse("after", format!("found {name:?} twice; name each message once")))
        }
    }
}

/// The flows that a listed flow waits for. `flows` are the flows before it.
pub(super) fn after(
    place: Place,
    awaited: &[Awaited],
    from: NodeId,
    flows: &[Flow],
    network: &Network,
) -> Result<Vec<FlowId>, InputError> {
    let mut after = Vec::new();
    for awaited in awaited {
        let &Awaited::Flow(number) = awaited else { continue };
        check(place, number, from, flows, network)?;
        after.push(FlowId(number));
    }
    Ok(after)
}

/// Refuses a flow for which the sender of another flow cannot wait.
fn check(
    place: Place,
    number: u32,
    from: NodeId,
    flows: &[Flow],
    network: &Network,
) -> Result<(), InputError> {
    let Some(before) = flows.get(number as usize) else {
        let own = flows.len();
        let message =
            format!("found {number}; this is flow {own}, and after must name an earlier flow");
        return Err(place.refuse("after", message));
    };
    if before.to != from && before.from != from {
        let message = format!(
            "found {number}, a flow from {:?} to {:?}; a host waits for what it receives or sends, and this flow is \
             from {:?}",
            network.name(before.from),
            network.name(before.to),
            network.name(from)
        );
        return Err(place.refuse("after", message));
    }
    Ok(())
}
