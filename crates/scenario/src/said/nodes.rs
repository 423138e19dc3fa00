//! Values that name nodes, flows and messages. What they name is known only beside the network.

use lightloom_request::Said;

use crate::said::declared::Kind;
use crate::said::value::FieldValue;

/// A node, as a field names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    /// A host, by its number.
    Host(usize),
    /// A node, by its name.
    Named(String),
    /// What can be no node, as messages quote it: a number that no host has, or another kind of value.
    Wrong(String),
}

impl From<&str> for Node {
    fn from(name: &str) -> Self {
        Self::Named(name.to_owned())
    }
}

impl From<&Said<'_>> for Node {
    fn from(said: &Said<'_>) -> Self {
        match said {
            Said::Text(name) => Self::Named((*name).to_owned()),
            Said::Whole { digits, radix } => usize::from_str_radix(digits, *radix)
                .map_or_else(|_| Self::Wrong(said.to_string()), Self::Host),
            other => Self::Wrong(other.kind()),
        }
    }
}

impl FieldValue for Node {
    const KIND: Kind = Kind::Node;

    fn read(said: &Said<'_>, _: Kind) -> Result<Self, String> {
        Ok(Self::from(said))
    }
}

impl FieldValue for Vec<Node> {
    const KIND: Kind = Kind::NodeList;

    fn read(said: &Said<'_>, _: Kind) -> Result<Self, String> {
        Ok(said.values()?.iter().map(Node::from).collect())
    }
}

/// Hosts that send.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Senders {
    /// This many, drawn at random.
    Drawn(u64),
    /// These.
    Listed(Vec<Node>),
}

impl FieldValue for Senders {
    const KIND: Kind = Kind::Nodes;

    fn read(said: &Said<'_>, _: Kind) -> Result<Self, String> {
        match said {
            Said::List(items) => Ok(Self::Listed(items.iter().map(Node::from).collect())),
            other => other.count().map(Self::Drawn),
        }
    }
}

/// Hosts of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Members {
    /// All hosts of the network.
    All,
    /// These.
    Listed(Vec<Node>),
}

impl FieldValue for Members {
    const KIND: Kind = Kind::Members;

    fn read(said: &Said<'_>, _: Kind) -> Result<Self, String> {
        let found = match said {
            Said::Text("all") => return Ok(Self::All),
            Said::List(items) => return Ok(Self::Listed(items.iter().map(Node::from).collect())),
            Said::Text(word) => format!("{:?}", word.chars().take(60).collect::<String>()),
            other => other.kind(),
        };
        Err(format!("found {found}; expected a list of hosts, or \"all\""))
    }
}

/// What a message waits for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Awaited {
    /// A flow, by its number.
    Flow(u32),
    /// A message to a group, by its name.
    Multicast(String),
}

impl FieldValue for Vec<Awaited> {
    const KIND: Kind = Kind::Flows;

    fn read(said: &Said<'_>, _: Kind) -> Result<Self, String> {
        let one = |said: &Said<'_>| match said {
            Said::Whole { digits, radix } => u32::from_str_radix(digits, *radix)
                .map(Awaited::Flow)
                .map_err(|_| format!("found {said}; expected a whole number")),
            Said::Text(name) => Ok(Awaited::Multicast((*name).to_owned())),
            other => {
                let expected = "expected numbers of flows, or names of [[multicast]]";
                Err(format!("found {}; {expected}", other.kind()))
            }
        };
        match said {
            Said::List(items) => items.iter().map(one).collect(),
            said => one(said).map(|named| vec![named]),
        }
    }
}
