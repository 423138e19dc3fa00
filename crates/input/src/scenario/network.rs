//! `[network]`: a network of a family or from a list of links, with the names of its nodes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use lightloom_power_cost::parts::MOST_PORTS;
use lightloom_request::scenario::section;
use lightloom_request::{InputError, Memory};
use lightloom_sim::glass::Light;
use lightloom_sim::scenario::{NetworkKind as Kind, Parameters};
use lightloom_topology::electrical::{
    FatTree, LeafSpine, MulticastCore, Network, NetworkError, NodeId,
};
use lightloom_units::Span;
use toml::de::DeValue;

use crate::rows::{Row, a_kind};
use crate::scenario::glass::{self, Planned};
use crate::scenario::racks::{self, Racks};
use crate::scenario::{fields, links};

/// A network with names of its nodes.
#[derive(Debug, Clone)]
pub(super) struct Nodes {
    pub(super) network: Network,
    pub(super) kind: Kind,
    /// The files of the network, with their texts.
    pub(super) files: Vec<(PathBuf, String)>,
    /// The splitters of a design. `None`: another network, or no message to a group.
    pub(super) planned: Option<Planned>,
    by_name: OnceLock<BTreeMap<String, NodeId>>,
}

/// What a scenario wants of the design of its network.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted {
    /// Whether it has groups, which use the splitters.
    pub(super) has_groups: bool,
    /// The light that an option names.
    pub(super) light: Option<Light>,
    /// The memory that the run may take.
    pub(super) memory: Memory,
}

const KINDS: [(&str, Kind); 5] = [
    (Kind::FatTree.name(), Kind::FatTree),
    (Kind::LeafSpine.name(), Kind::LeafSpine),
    (Kind::MulticastCore.name(), Kind::MulticastCore),
    (Kind::EdgeList.name(), Kind::EdgeList),
    (Kind::Design.name(), Kind::Design),
];

impl Nodes {
    /// Builds the network of a row. Paths are relative to `base`.
    pub(super) fn read(
        row: &Row<'_>,
        base: &Path,
        parameters: &Parameters,
        wanted: &Wanted,
    ) -> Result<Self, InputError> {
        let per_m = parameters.delay_per_m;
        let kind = row.choice("kind", &KINDS)?;
        let kind = kind.ok_or_else(|| row.missing("kind", "\"fat-tree\""))?;
        let name = KINDS.iter().find(|(_, k)| *k == kind).map_or("", |(name, _)| name);
        row.only_these(&section("network").names_of(name))?;
        let mut planned = None;
        let (network, files) = match kind {
            Kind::EdgeList => links::read(row, base, per_m)?,
            Kind::Design => {
                let Racks { network, project, files, folder } =
                    racks::read(row, base, per_m, wanted.memory)?;
                if wanted.has_groups {
                    let wire = &parameters.params.wire;
                    let frame = || u32::from(wire.mtu) + u32::from(wire.header);
                    let mut read =
                        Planned::read(row, project, &network, per_m, wanted.light, frame)?;
                    read.folder = folder;
                    planned = Some(read);
                } else {
                    glass::check_unused(row)?;
                }
                (network, files)
            }
            _ => (regular(row, kind, per_m)?, Vec::new()),
        };
        if planned.is_none() && wanted.light.is_some() {
            let message = "is for messages to groups over the splitters of a design";
            return Err(InputError::new(message).in_option("light"));
        }
        Ok(Self { network, kind, files, planned, by_name: OnceLock::new() })
    }

    /// Finds a node. A whole number is a host's number; a text is a node's name.
    pub(super) fn node(
        &self,
        row: &Row<'_>,
        field: &str,
        said: &DeValue<'_>,
    ) -> Result<NodeId, InputError> {
        let hosts = self.network.hosts();
        let example = self.network.name(NodeId::at(hosts - 1));
        let expected = format!(
            "name a host by its number, 0 to {}, or a node by its name, such as {example:?}",
            hosts - 1
        );
        match said {
            DeValue::Integer(number) => {
                let read = i64::from_str_radix(number.as_str(), number.radix()).ok();
                let host = read.and_then(|n| usize::try_from(n).ok()).filter(|&n| n < hosts);
                host.map(NodeId::at)
                    .ok_or_else(|| row.refuse(field, format!("found {number}; {expected}")))
            }
            DeValue::String(name) => {
                let names = self.by_name.get_or_init(|| self.names());
                let short: String = name.chars().take(60).collect();
                names
                    .get(name.trim())
                    .copied()
                    .ok_or_else(|| row.refuse(field, format!("found {short:?}; {expected}")))
            }
            other => Err(row.refuse(field, format!("found {}; {expected}", a_kind(other)))),
        }
    }

    /// The host that a required field names.
    pub(super) fn host(&self, row: &Row<'_>, field: &str) -> Result<NodeId, InputError> {
        let said = row.value(field).ok_or_else(|| row.missing(field, "0"))?;
        self.host_of(row, field, said)
    }

    /// Finds a node that must be a host.
    pub(super) fn host_of(
        &self,
        row: &Row<'_>,
        field: &str,
        said: &DeValue<'_>,
    ) -> Result<NodeId, InputError> {
        let node = self.node(row, field, said)?;
        if !self.network.is_host(node) {
            let name = self.network.name(node);
            let message = format!("found the switch {name:?}; only hosts send and receive");
            return Err(row.refuse(field, message));
        }
        Ok(node)
    }

    /// The ports at both ends of the links that `link = [a, b]` names, as (node, port). Those of `a` come
    /// first.
    pub(super) fn link(&self, row: &Row<'_>) -> Result<Option<Ends>, InputError> {
        let Some(said) = row.values("link")? else { return Ok(None) };
        let [a, b] = said.as_slice() else {
            let message = format!("found {} nodes; expected the two ends of a link", said.len());
            return Err(row.refuse("link", message));
        };
        let (a, b) = (self.node(row, "link", a)?, self.node(row, "link", b)?);
        let ports = |from: NodeId, to: NodeId| -> Vec<(NodeId, u16)> {
            let ports = (0..).zip(self.network.ports(from));
            ports.filter(|(_, port)| port.peer == to).map(|(number, _)| (from, number)).collect()
        };
        let ends = Ends { forth: ports(a, b), back: ports(b, a) };
        if ends.forth.is_empty() {
            let (a, b) = (self.network.name(a), self.network.name(b));
            let message = format!("found no link between {a:?} and {b:?}; name two neighbours");
            return Err(row.refuse("link", message));
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

fn regular(row: &Row<'_>, kind: Kind, per_m: Span) -> Result<Network, InputError> {
    let rate = fields::rate(row, "rate")?.ok_or_else(|| row.missing("rate", "\"100 Gb/s\""))?;
    let host_rate = fields::rate(row, "host_rate")?;
    let delay = fields::delay(row, per_m)?;
    let built = match kind {
        Kind::FatTree => FatTree {
            ports: row.required_number("ports", "8")?,
            hosts_per_edge: row.number("hosts_per_edge")?,
            rate,
            host_rate,
            delay,
        }
        .network(),
        Kind::LeafSpine => LeafSpine {
            leaves: row.required_number("leaves", "4")?,
            spines: row.required_number("spines", "2")?,
            hosts_per_leaf: row.required_number("hosts_per_leaf", "16")?,
            rate,
            host_rate,
            delay,
        }
        .network(),
        _ => MulticastCore {
            tors: row.required_number("tors", "128")?,
            ports: core_ports(row)?,
            rate,
            delay,
        }
        .network(),
    };
    built.map_err(|error| row.refuse(field_of(&error, kind, row), error))
}

/// Ports of each switch of a packet core. The builder refuses too small a number.
fn core_ports(row: &Row<'_>) -> Result<u32, InputError> {
    let ports = row.required_number("ports", "32")?;
    if ports as usize > MOST_PORTS {
        return Err(row.refuse("ports", format!("found {ports}; expected 3 to {MOST_PORTS}")));
    }
    Ok(ports)
}

/// The field that a network error is about.
fn field_of(error: &NetworkError, kind: Kind, row: &Row<'_>) -> &'static str {
    let said = |field| row.number(field).ok().flatten().unwrap_or(0);
    match (error, kind) {
        (NetworkError::Hosts(_), Kind::FatTree) => "hosts_per_edge",
        (NetworkError::Hosts(_), Kind::LeafSpine) if said("leaves") == 0 => "leaves",
        (NetworkError::Hosts(_), Kind::LeafSpine) => "hosts_per_leaf",
        (NetworkError::Hosts(_), _) => "tors",
        (NetworkError::NoSpines { .. }, _) => "spines",
        (NetworkError::ZeroRate { .. }, _) => "rate",
        (NetworkError::ZeroDelay { .. }, _) => "delay",
        // Too many links, at a leaf or in all: blame the field that contributes most.
        (_, Kind::LeafSpine) => {
            let fields = ["hosts_per_leaf", "spines", "leaves"];
            fields.into_iter().max_by_key(|field| said(field)).unwrap_or("leaves")
        }
        _ => "ports",
    }
}
