//! Reads and checks scenario files.

mod admission;
mod connection;
mod fields;
mod glass;
mod groups;
mod layers;
mod limits;
mod links;
mod members;
mod network;
mod parameters;
mod probes;
mod racks;
mod recovery;
mod refused;
mod sizes;
mod traffic;
mod trouble;
mod waits;

use std::path::Path;

use lightloom_request::scenario::{SECTIONS, written};
use lightloom_request::{InputError, Memory, Texts};
use lightloom_sim::glass::Light;
use lightloom_sim::overflow;
use lightloom_sim::scenario::{Parameters, Scenario};
use lightloom_sim::timeouts;
use lightloom_topology::electrical::NodeId;
use lightloom_twin::buffer_sizes;
use lightloom_twin::params::Reserves;
use lightloom_units::{DataSize, Instant, Span};

use crate::rows::{Document, Row};
pub use crate::scenario::glass::PlanUsed;
use crate::scenario::groups::Groups;
use crate::scenario::limits::{LATEST, LONGEST_SPAN, within};
use crate::scenario::network::{Nodes, Wanted};
pub use crate::scenario::refused::refusal;
use crate::scenario::traffic::{Traffic, TrafficContext};
use crate::text;

/// Default time without progress after which a run is stalled.
const PATIENCE: Span = Span::from_ms(100);

/// Values that override those of the file.
#[derive(Debug, Clone, Copy, Default)]
pub struct Overrides {
    /// The seed.
    pub seed: Option<u64>,
    /// The values of optical parts that decide what branches lose.
    pub light: Option<Light>,
    /// The memory that the run may take.
    pub memory: Memory,
}

/// Reads a scenario. Also returns the plan folder whose splitters it uses: everything comes from its `plan.json`, and
/// nothing here says that its other files agree.
pub fn read(
    path: &Path,
    texts: &Texts,
    overrides: Overrides,
) -> Result<(Scenario, Option<PlanUsed>), InputError> {
    let text = text::read_up_to(texts, path, 64 << 20)?;
    let document = Document::parse(path, &text)?.beside(texts);
    let root = document.root();
    check_version(&root)?;
    let sections = SECTIONS.iter().filter(|section| !section.name.contains('.'));
    let (own, tables): (Vec<_>, Vec<_>) = sections.partition(|section| section.name.is_empty());
    let tables: Vec<String> = tables.into_iter().map(written).collect();
    let own = own.into_iter().flat_map(|section| section.names());
    root.only_these(&own.chain(tables.iter().map(String::as_str)).collect::<Vec<_>>())?;
    let base = path.parent().unwrap_or(Path::new(""));
    let seed = overrides.seed.or(root.count("seed")?).unwrap_or(1);
    let until: Instant = root.required("until", "\"100 ms\"")?;
    let until = within(&root, "until", until, (Instant::from_ps(1), LATEST))?;
    let patience = root.quantity("patience")?.unwrap_or(PATIENCE);
    let patience = within(&root, "patience", patience, (Span::from_ns(1), LONGEST_SPAN))?;

    let parameters = parameters::read(base, root.table("parameters", "parameters")?)?;
    let network = root.table("network", "network")?;
    let network = network.ok_or_else(|| {
        root.refuse("network", "the section is missing; describe the network in [network]")
    })?;
    let Overrides { light, memory, .. } = overrides;
    let wanted = Wanted { has_groups: root.has("group"), light, memory };
    let nodes = Nodes::read(&network, base, &parameters, &wanted)?;
    check_buffers(&root, &network, &parameters, &nodes)?;
    let context = TrafficContext { nodes: &nodes, base, seed, until, memory };
    let mut traffic = Traffic::read(&document, &context)?;
    let admission = admission::read(&root, &nodes)?;
    let mut groups = Groups::read(&document, &context, &parameters, admission)?;
    waits::read(&document, &nodes, &mut traffic.flows, &mut groups)?;
    let traced = (traffic.flows.len(), &groups.multicast);
    let probes = probes::read(&root, until, &nodes, traced)?;
    let losses = trouble::Losses::read(&document, &nodes)?;
    let losses = losses.enter(&mut groups.multicast.splitters);
    let mut troubles = trouble::failures(&document, &nodes, until)?;
    let (plant, traffic_and_groups) = ((&nodes, &parameters), (&*traffic.flows, &mut groups));
    let recovery = recovery::read(&root, plant, traffic_and_groups, &mut troubles, until)?;
    let failures = troubles.failures;
    let (network, params) = (&nodes.network, &parameters.params);
    let mut warnings = traffic.warnings;
    warnings.extend(groups.warnings);
    warnings.extend(nodes.planned.iter().flat_map(|planned| planned.warnings.iter().cloned()));
    warnings.extend(overflow::too_small(network, params, &traffic.flows));
    warnings.extend(timeouts::too_short(network, params, &traffic.flows));
    let mut files = vec![(path.to_path_buf(), text.clone())];
    files.extend(parameters.files.iter().chain(&nodes.files).chain(&traffic.files).cloned());
    let (glass, plan) = match nodes.planned {
        None => (None, None),
        Some(planned) => {
            let (glass, plan) = planned.into_parts();
            (Some(glass), plan)
        }
    };
    let scenario = Scenario {
        kind: nodes.kind,
        network: nodes.network,
        seed,
        until,
        patience,
        probes,
        parameters,
        flows: traffic.flows,
        multicast: groups.multicast,
        groups: groups.reported,
        glass,
        losses,
        failures,
        recovery,
        warnings,
        files,
    };
    Ok((scenario, plan))
}

fn check_version(root: &Row<'_>) -> Result<(), InputError> {
    match root.count("version")? {
        Some(1) => Ok(()),
        Some(found) => {
            Err(root.refuse("version", format!("found {found}; this lightloom reads version 1")))
        }
        None => Err(root.refuse("version", "is missing; start the file with: version = 1")),
    }
}

/// Checks the sizes of switch buffers. The twin counts the bytes of a switch in 32 bits.
fn check_buffers(
    root: &Row<'_>,
    network: &Row<'_>,
    parameters: &Parameters,
    nodes: &Nodes,
) -> Result<(), InputError> {
    let (switch, network_of) = (&parameters.params.switch, &nodes.network);
    let switches = (network_of.hosts()..network_of.nodes()).map(NodeId::at);
    // What cannot be, of the first switch where it cannot.
    let mut wrong = switches.filter_map(|node| {
        let ports = network_of.ports(node).len() as u64;
        let sizes = buffer_sizes(network_of, switch, node, ports);
        let name = network_of.name(node);
        const MOST: DataSize = DataSize::from_bytes(u32::MAX as u64 - (1 << 16));
        if sizes.all > MOST {
            return Some(format!(
                "buffer and headroom of {name} with its {ports} ports are {} in all, more than {MOST}; give less \
                 of either",
                sizes.all
            ));
        }
        let is_empty = switch.reserves == Reserves::Within && sizes.shared == DataSize::ZERO;
        is_empty.then(|| {
            format!(
                "headroom and minimum of {name} with its {ports} ports are {}, all of its buffer, so that nothing \
                 is left to share; give more buffer, less of either, or reserves = \"beside\"",
                sizes.reserved
            )
        })
    });
    if let Some(message) = wrong.next() {
        let said = root.table("parameters", "parameters")?;
        let said = said.and_then(|row| row.table("switch", "parameters.switch").transpose());
        return Err(match said.transpose()? {
            Some(row) => {
                let field = if row.has("buffer_per_port") { "buffer_per_port" } else { "buffer" };
                row.refuse(field, message)
            }
            None => {
                let sizes = ["ports", "hosts_per_leaf", "hosts_per_tor", "file"];
                let said = sizes.into_iter().find(|field| network.has(field));
                network.refuse(said.unwrap_or("kind"), message)
            }
        });
    }
    Ok(())
}
