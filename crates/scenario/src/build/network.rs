//! The network of a scenario: of a family, from a list of links, or the racks of a design.

use lightloom_plan::project::Project;
use lightloom_power_cost::parts::MOST_PORTS;
use lightloom_request::spelling::{nearest, unknown};
use lightloom_request::{InputError, Memory};
use lightloom_topology::electrical::{
    CircuitCore, FatTree, LeafSpine, MAX_HOSTS, MulticastCore, Network, NetworkError,
};
use lightloom_units::{BitRate, Span};

use crate::build::nodes::Nodes;
use crate::build::of_design::OfDesign;
use crate::build::planned::{Planned, check_unused};
use crate::build::racks;
use crate::build::uplinks::circuit_switches;
use crate::build::{buffers, delay};
use crate::glass::Light;
use crate::said::{NetworkRow, Row as _};
use crate::scenario::{NetworkKind as Kind, Parameters};

/// What callers say beside a scenario. It goes before what the scenario says.
#[derive(Debug, Clone, Copy, Default)]
pub struct Overrides {
    /// The seed.
    pub seed: Option<u64>,
    /// The values of optical parts that decide what branches lose.
    pub light: Option<Light>,
    /// The memory that the run may take.
    pub memory: Memory,
}

/// What a network is made from, beside its row.
#[derive(Debug)]
pub enum Supplied {
    /// Nothing: it is of a family.
    Nothing,
    /// A network of listed links.
    Links(Network),
    /// The plan whose racks the network joins.
    Plan {
        /// The plan.
        project: Box<Project>,
        /// Whether its splitters are laid too. Only messages to groups use them.
        splitters: bool,
    },
}

impl Nodes {
    /// Builds the network of a row.
    ///
    /// # Errors
    /// [`InputError`] at the field if the row does not describe a network, or says what its kind does not have.
    pub fn build(
        row: &NetworkRow,
        supplied: Supplied,
        parameters: &Parameters,
        overrides: Overrides,
    ) -> Result<Self, InputError> {
        let kind = check(row)?;
        let per_m = parameters.delay_per_m;
        let (mut planned, mut beside) = (None, None);
        let place = NetworkRow::place();
        let network = match (kind, supplied) {
            (Kind::EdgeList, Supplied::Links(network)) => network,
            (Kind::EdgeList, _) => return Err(place.missing("file", "\"links.csv\"")),
            (Kind::Design, Supplied::Plan { project, splitters }) => {
                let network = racks::network(row, &project, per_m)?;
                beside = OfDesign::of(&project);
                if splitters {
                    let wire = &parameters.params.wire;
                    let frame = || u32::from(wire.mtu) + u32::from(wire.header);
                    planned =
                        Some(Planned::new(row, *project, &network, per_m, overrides.light, frame)?);
                } else {
                    check_unused(row)?;
                }
                network
            }
            (Kind::Design, _) => return Err(place.missing("file", "\"design.toml\"")),
            (_, Supplied::Nothing) => regular(row, kind, per_m)?,
            _ => {
                let message = format!("found {kind}, which is made from nothing but its fields");
                return Err(place.refuse("kind", message));
            }
        };
        if planned.is_none() && overrides.light.is_some() {
            let message = "is for messages to groups over the splitters of a design";
            return Err(InputError::new(message).in_option("light"));
        }
        buffers::check(row, &network, parameters)?;
        Ok(Self::new(network, kind, planned).with_accelerators(beside))
    }
}

/// The kind of a network. Refuses fields that the kind does not have, and values out of range.
fn check(row: &NetworkRow) -> Result<Kind, InputError> {
    let place = NetworkRow::place();
    let kind = row.kind.ok_or_else(|| place.missing("kind", "\"fat-tree\""))?;
    let known = NetworkRow::SECTION.names_of(kind.name());
    let foreign = NetworkRow::SECTION.names().into_iter().filter(|name| !known.contains(name));
    if let Some(field) = foreign.into_iter().find(|field| row.has(field)) {
        let meant = nearest(field, known.iter().copied());
        return Err(place.refuse(field, unknown("field", meant, &known)));
    }
    row.check(place)?;
    Ok(kind)
}

fn regular(row: &NetworkRow, kind: Kind, per_m: Span) -> Result<Network, InputError> {
    let place = NetworkRow::place();
    let needed =
        |field, said: Option<u32>, example| said.ok_or_else(|| place.missing(field, example));
    let rate = row.rate.ok_or_else(|| place.missing("rate", "\"100 Gb/s\""))?;
    let host_rate = row.host_rate;
    let delay = delay::of_links(row, per_m)?;
    let built = match kind {
        Kind::FatTree => FatTree {
            ports: needed("ports", row.ports, "8")?,
            hosts_per_edge: row.hosts_per_edge,
            rate,
            host_rate,
            delay,
        }
        .network(),
        Kind::LeafSpine => LeafSpine {
            leaves: needed("leaves", row.leaves, "4")?,
            spines: needed("spines", row.spines, "2")?,
            hosts_per_leaf: needed("hosts_per_leaf", row.hosts_per_leaf, "16")?,
            rate,
            host_rate,
            delay,
        }
        .network(),
        Kind::Circuits => {
            let each = needed("hosts_per_tor", row.hosts_per_tor, "4")?;
            let tors = needed("tors", row.tors, "16")?;
            return circuit_core(row, (tors, each), (rate, host_rate.unwrap_or(rate)), delay);
        }
        _ => MulticastCore {
            tors: needed("tors", row.tors, "128")?,
            ports: core_ports(needed("ports", row.ports, "32")?)?,
            rate,
            delay,
        }
        .network(),
    };
    built.map_err(|error| place.refuse(field_of(&error, kind, row), error))
}

/// ToRs and circuit switches.
fn circuit_core(
    row: &NetworkRow,
    (tors, each): (u32, u32),
    (rate, host_rate): (BitRate, BitRate),
    delay: Span,
) -> Result<Network, InputError> {
    let place = NetworkRow::place();
    let hosts = u64::from(tors) * u64::from(each);
    if !(2..=u64::from(MAX_HOSTS)).contains(&hosts) || tors < 2 {
        let field = if tors < 2 { "tors" } else { "hosts_per_tor" };
        return Err(place.refuse(field, NetworkError::Hosts(hosts)));
    }
    let names = |kind: &str, count: u64| -> Vec<String> {
        (0..count).map(|number| format!("{kind} {number}")).collect()
    };
    let (hosts, tors) = (names("host", hosts), names("ToR", tors.into()));
    let switches = circuit_switches(row, tors.len())?;
    let (circuit, host) = ((rate, delay), (host_rate, delay));
    CircuitCore { hosts: &hosts, tors: &tors, switches, circuit, host }
        .network()
        .map_err(|error| place.refuse("tors", error))
}

/// Ports of each switch of a packet core. The builder refuses too small a number.
fn core_ports(ports: u32) -> Result<u32, InputError> {
    if ports as usize > MOST_PORTS {
        let message = format!("found {ports}; expected 3 to {MOST_PORTS}");
        return Err(NetworkRow::place().refuse("ports", message));
    }
    Ok(ports)
}

/// The field that a network error is about.
fn field_of(error: &NetworkError, kind: Kind, row: &NetworkRow) -> &'static str {
    match (error, kind) {
        (NetworkError::Hosts(_), Kind::FatTree) => "hosts_per_edge",
        (NetworkError::Hosts(_), Kind::LeafSpine) if row.leaves == Some(0) => "leaves",
        (NetworkError::Hosts(_), Kind::LeafSpine) => "hosts_per_leaf",
        (NetworkError::Hosts(_), _) => "tors",
        (NetworkError::NoSpines { .. }, _) => "spines",
        (NetworkError::ZeroRate { .. }, _) => "rate",
        (NetworkError::ZeroDelay { .. }, _) => "delay",
        // Too many links, at a leaf or in all: blame the field that contributes most.
        (_, Kind::LeafSpine) => {
            let fields = [
                ("hosts_per_leaf", row.hosts_per_leaf),
                ("spines", row.spines),
                ("leaves", row.leaves),
            ];
            let most = fields.into_iter().max_by_key(|(_, said)| said.unwrap_or(0));
            most.map_or("leaves", |(field, _)| field)
        }
        _ => "ports",
    }
}
