//! The network with the names of its nodes.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use lightloom_request::InputError;
use lightloom_topology::electrical::{Network, NodeId};
use lightloom_units::BitRate;

use crate::build::of_design::OfDesign;
use crate::build::planned::{PlanInUse, Planned};
use crate::said::{Node, Place};
use crate::scenario::NetworkKind;

/// A network with names of its nodes.
#[derive(Debug, Clone)]
pub struct Nodes {
    pub(super) network: Network,
    pub(super) kind: NetworkKind,
    /// The splitters of a design. `None`: another network, or no message to a group.
    pub(super) planned: Option<Planned>,
    /// The accelerator beside each ToR of the design. `None`: it has none, or the network is another one.
    pub(super) beside: Option<OfDesign>,
    by_name: OnceLock<BTreeMap<String, NodeId>>,
}

impl Nodes {
    pub(super) fn new(network: Network, kind: NetworkKind, planned: Option<Planned>) -> Self {
        Self { network, kind, planned, beside: None, by_name: OnceLock::new() }
    }

    pub(super) fn with_accelerators(self, beside: Option<OfDesign>) -> Self {
        Self { beside, ..self }
    }

    /// The plan whose splitters it has. `None`: it has none.
    pub fn plan(&self) -> Option<PlanInUse> {
        self.planned.as_ref().map(Planned::plan)
    }

    /// Rate of the fastest host's link.
    pub fn host_rate(&self) -> Option<BitRate> {
        let hosts = (0..self.hosts()).map(NodeId::at);
        hosts.filter_map(|host| Some(self.network.ports(host).first()?.rate)).max()
    }

    /// Number of hosts.
    pub fn hosts(&self) -> usize {
        self.network.hosts()
    }

    /// Finds a node.
    pub(super) fn node(
        &self,
        place: Place,
        field: &'static str,
        said: &Node,
    ) -> Result<NodeId, InputError> {
        let hosts = self.network.hosts();
        let found = match said {
            Node::Host(host) if *host < hosts => return Ok(NodeId::at(*host)),
            Node::Host(host) => host.to_string(),
            Node::Named(name) => {
                let names = self.by_name.get_or_init(|| self.names());
                if let Some(node) = names.get(name.trim()) {
                    return Ok(*node);
                }
                format!("{:?}", name.chars().take(60).collect::<String>())
            }
            Node::Wrong(found) => found.clone(),
        };
        let example = self.network.name(NodeId::at(hosts - 1));
        let message = format!(
            "found {found}; name a host by its number, 0 to {}, or a node by its name, such as {example:?}",
            hosts - 1
        );
        Err(place.refuse(field, message))
    }

    /// The host that a required field names.
    pub(super) fn host(
        &self,
        place: Place,
        field: &'static str,
        said: Option<&Node>,
    ) -> Result<NodeId, InputError> {
        self.host_of(place, field, said.ok_or_else(|| place.missing(field, "0"))?)
    }

    /// Finds a node that must be a host.
    pub(super) fn host_of(
        &self,
        place: Place,
        field: &'static str,
        said: &Node,
    ) -> Result<NodeId, InputError> {
        let node = self.node(place, field, said)?;
        if !self.network.is_host(node) {
            let name = self.network.name(node);
            let message = format!("found the switch {name:?}; only hosts send and receive");
            return Err(place.refuse(field, message));
        }
        Ok(node)
    }

    /// The ports at both ends of the links that `link = [a, b]` names, as (node, port). Those of `a` come
    /// first.
    pub(super) fn link(
        &self,
        place: Place,
        said: Option<&Vec<Node>>,
    ) -> Result<Option<Ends>, InputError> {
        let Some(said) = said else { return Ok(None) };
        let [a, b] = said.as_slice() else {
            let message = format!("found {} nodes; expected the two ends of a link", said.len());
            return Err(place.refuse("link", message));
        };
        let (a, b) = (self.node(place, "link", a)?, self.node(place, "link", b)?);
        let ports = |from: NodeId, to: NodeId| -> Vec<(NodeId, u16)> {
            let ports = (0..).zip(self.network.ports(from));
            ports.filter(|(_, port)| port.peer == to).map(|(number, _)| (from, number)).collect()
        };
        let ends = Ends { forth: ports(a, b), back: ports(b, a) };
        if ends.forth.is_empty() {
            let (a, b) = (self.network.name(a), self.network.name(b));
            let message = format!("found no link between {a:?} and {b:?}; name two neighbours");
            return Err(place.refuse("link", message));
        }
        Ok(Some(ends))
    }

    fn names(&self) -> BTreeMap<String, NodeId> {
        let nodes = (0..self.network.nodes()).map(NodeId::at);
        nodes.map(|node| (self.network.name(node), node)).collect()
    }
}

/// The ports at the two ends of one link, or of several parallel links.
pub(super) struct Ends {
    pub(super) forth: Vec<(NodeId, u16)>,
    pub(super) back: Vec<(NodeId, u16)>,
}
