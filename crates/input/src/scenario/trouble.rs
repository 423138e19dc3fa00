//! `[[loss]]` and `[[failure]]`: random packet loss, failures of links and switches, and pause storms.

use std::collections::BTreeMap;

use lightloom_plan::failure_set::FailureSet;
use lightloom_request::InputError;
use lightloom_request::scenario::section;
use lightloom_routing::failure::Failure;
use lightloom_sim::glass::{Death, Incident};
use lightloom_sim::reroutes::Outage;
use lightloom_sim::scenario::Failures;
use lightloom_topology::TorId;
use lightloom_topology::electrical::{Network, NodeId};
use lightloom_twin::{BranchLoss, DeadLink, LinkLoss, PauseStorm, Restart, Splitter};
use lightloom_units::Instant;

use crate::rows::{Document, Row};
use crate::scenario::glass::Planned;
use crate::scenario::limits::within;
use crate::scenario::network::Nodes;

/// The longest burst of losses.
const LONGEST_BURST: u32 = 1 << 20;

/// Random losses. Of several entries for one place the last applies.
#[derive(Debug, Default)]
pub(super) struct Losses {
    links: BTreeMap<(NodeId, u16), LinkLoss>,
    /// By splitter; with the place of a branch where it is for that branch alone.
    splitters: BTreeMap<(u32, Option<usize>), BranchLoss>,
}

impl Losses {
    pub(super) fn read(document: &Document<'_>, nodes: &Nodes) -> Result<Self, InputError> {
        let mut losses = Self::default();
        for row in document.root().tables("loss")? {
            row.only_these(&section("loss").names())?;
            let rate = row.ratio("rate")?.ok_or_else(|| row.missing("rate", "1e-5"))?;
            let rate = within(&row, "rate", rate, (0.0, 1.0))?;
            let burst = row.number("burst")?.unwrap_or(1);
            let burst = within(&row, "burst", burst, (1, LONGEST_BURST))?;
            let corrupt = row.flag("corrupt")?.unwrap_or(false);
            if row.has("splitter") {
                let place = splitter(&row, nodes)?;
                losses.splitters.insert(place, BranchLoss { rate, burst, corrupt });
                continue;
            }
            if row.has("branch") {
                return Err(row.refuse("branch", "is for a splitter; give splitter too"));
            }
            for (from, port) in transmitters(&row, nodes)? {
                let loss = LinkLoss { from, port, rate, burst, corrupt };
                losses.links.insert((from, port), loss);
            }
        }
        Ok(losses)
    }

    /// Enters the losses of splitters, and answers those of links. The splitters are those of the plan that the
    /// losses were read with, in the order of the ToRs.
    pub(super) fn enter(self, splitters: &mut [Splitter]) -> Vec<LinkLoss> {
        for ((splitter, branch), loss) in self.splitters {
            // Both were found in the plan that the splitters are made from.
            let splitter = &mut splitters[splitter as usize];
            match branch {
                None => splitter.loss = Some(loss),
                Some(branch) => splitter.branches[branch].loss = Some(loss),
            }
        }
        self.links.into_values().collect()
    }
}

/// The splitter of a loss, and the place of the branch that it is for alone.
fn splitter(row: &Row<'_>, nodes: &Nodes) -> Result<(u32, Option<usize>), InputError> {
    for field in ["link", "layer"] {
        if row.has(field) {
            let message = format!("is given together with {field}; give one of them");
            return Err(row.refuse("splitter", message));
        }
    }
    if row.has("one_way") {
        return Err(row.refuse("one_way", "is for a link; light goes one way anyway"));
    }
    let Some(planned) = &nodes.planned else {
        return Err(row.refuse("splitter", NO_PLAN));
    };
    let tor = |field: &str| {
        let said = row.text(field)?.unwrap_or_default();
        planned.project.tor(said).map_err(|error| row.refuse(field, error.message))
    };
    let from = tor("splitter")?;
    if !row.has("branch") {
        return Ok((from.0, None));
    }
    let (to, fabric) = (tor("branch")?, &planned.project.fabric);
    let receivers = fabric.receivers(fabric.transmits_into(from));
    match receivers.iter().position(|&tor| tor == to) {
        Some(place) => Ok((from.0, Some(place))),
        None => {
            let name = |tor: TorId| planned.project.tor_name(tor);
            let known: Vec<_> = receivers.iter().map(|&tor| name(tor).to_string()).collect();
            let message = format!(
                "found {:?}, which the splitter of {:?} does not reach; it reaches {}",
                name(to),
                name(from),
                known.join(", ")
            );
            Err(row.refuse("branch", message))
        }
    }
}

/// What is wrong with a part of a planned fabric where there is none.
const NO_PLAN: &str = "names a part of a planned fabric; the network must be kind = \"design\", and the scenario must \
                       have a [[group]]";

/// The ports of a loss: those of a link, or of all nodes of a layer.
fn transmitters(row: &Row<'_>, nodes: &Nodes) -> Result<Vec<(NodeId, u16)>, InputError> {
    let one_way = row.flag("one_way")?;
    match (nodes.link(row)?, row.number("layer")?) {
        (Some(ends), None) => {
            let back = if one_way == Some(true) { Vec::new() } else { ends.back };
            Ok([ends.forth, back].concat())
        }
        (None, Some(_)) if one_way.is_some() => {
            Err(row.refuse("one_way", "is for a link; a layer is that of the transmitters anyway"))
        }
        (None, Some(layer)) => layer_ports(row, &nodes.network, layer),
        (Some(_), Some(_)) => {
            Err(row.refuse("layer", "is given together with link; give one of the two"))
        }
        (None, None) => {
            let message =
                "is missing; give link = [\"leaf 0\", \"spine 1\"], layer = 1 or a splitter";
            Err(row.refuse("link", message))
        }
    }
}

fn layer_ports(
    row: &Row<'_>,
    network: &Network,
    layer: u32,
) -> Result<Vec<(NodeId, u16)>, InputError> {
    let of_layer = |node: &NodeId| u32::from(network.tier(*node)) == layer;
    let all = || (0..network.nodes()).map(NodeId::at);
    let ports: Vec<(NodeId, u16)> = all()
        .filter(of_layer)
        .flat_map(|node| (0..).zip(network.ports(node)).map(move |(port, _)| (node, port)))
        .collect();
    if ports.is_empty() {
        let top = all().map(|node| network.tier(node)).max().unwrap_or(0);
        let message =
            format!("found {layer}; expected the layer of the transmitters, 0 (hosts) to {top}");
        return Err(row.refuse("layer", message));
    }
    Ok(ports)
}

pub(super) fn failures(
    document: &Document<'_>,
    nodes: &Nodes,
    until: Instant,
) -> Result<Troubles, InputError> {
    let Troubles { mut failures, mut incidents, mut outages } = Troubles::default();
    if let Some(planned) = &nodes.planned {
        add(&mut failures, planned.dead_from_start(&nodes.network));
    }
    for row in document.root().tables("failure")? {
        row.only_these(&section("failure").names())?;
        let from: Instant = row.required("at", "\"1 ms\"")?;
        if from >= until {
            return Err(row.refuse("at", format!("found {from}; the run ends at {until}")));
        }
        let to = row.quantity("until")?.unwrap_or(Instant::from_ps(u64::MAX));
        if to <= from {
            return Err(row.refuse("until", format!("found {to}, which is not after {from}")));
        }
        let given: Vec<&str> = WHAT.into_iter().filter(|what| row.has(what)).collect();
        if let [first, second, ..] = given[..] {
            let message = format!("is given together with {first}; give one of them");
            return Err(row.refuse(second, message));
        }
        if row.has("branch") && !row.has("splitter") {
            return Err(row.refuse("branch", "is for a splitter; give splitter too"));
        }
        if given.first().is_some_and(|what| OF_PLAN.contains(what)) {
            let (planned, failed) = planned_parts(&row, nodes)?;
            let incident = planned.incident(&failed, (from, to))?;
            let death = planned.dying(&nodes.network, &incident);
            for (failed, name) in &incident.parts {
                if let &Failure::Tor(tor) = failed {
                    let switch = planned.glass.tors[tor.index()];
                    restart(&mut failures, switch, to, until);
                    outages.push(outage_of(&nodes.network, name, switch, (from, to)));
                }
            }
            add(&mut failures, death);
            incidents.push(incident);
            continue;
        }
        if row.has("storm") {
            let host = nodes.host(&row, "storm")?;
            failures.storms.push(PauseStorm { host, from, to });
            continue;
        }
        if let Some(planned) = &nodes.planned
            && let Some(said) = row.value("node")
            && let Some(tor) = planned.tor_at(&nodes.network, nodes.node(&row, "node", said)?)
        {
            let failed = FailureSet { failures: vec![Failure::Tor(tor)] };
            let incident = planned.incident(&failed, (from, to))?;
            let switch = planned.glass.tors[tor.index()];
            restart(&mut failures, switch, to, until);
            for (_, name) in &incident.parts {
                outages.push(outage_of(&nodes.network, name, switch, (from, to)));
            }
            add(&mut failures, planned.dying(&nodes.network, &incident));
            incidents.push(incident);
            continue;
        }
        let links = dying(&row, nodes)?;
        let dead = links.iter().map(|&(node, port)| DeadLink { node, port, from, to });
        failures.dead.extend(dead);
        let network = &nodes.network;
        let Some(&(node, port)) = links.first() else { continue };
        if row.has("node") && !network.is_host(node) {
            restart(&mut failures, node, to, until);
            outages.push(outage_of(network, &network.name(node), node, (from, to)));
        } else {
            let peer = network.ports(node)[usize::from(port)].peer;
            let parts = format!("{} - {}", network.name(node), network.name(peer));
            let links = links.iter().map(|&link| one_end(network, link)).collect();
            outages.push(Outage { parts, links, switch: None, from, to });
        }
    }
    Ok(Troubles { failures, incidents, outages })
}

/// What fails in a run.
#[derive(Default)]
pub(super) struct Troubles {
    pub(super) failures: Failures,
    /// Parts of the planned fabric.
    pub(super) incidents: Vec<Incident>,
    /// Links and switches.
    pub(super) outages: Vec<Outage>,
}

/// A switch that comes back before the end of the run has lost its queues and tables.
fn restart(failures: &mut Failures, node: NodeId, at: Instant, until: Instant) {
    if at < until {
        failures.restarts.push(Restart { at, node });
    }
}

/// The port that names a link, whichever of its ends is given.
fn one_end(network: &Network, (node, port): (NodeId, u16)) -> (NodeId, u16) {
    let link = &network.ports(node)[usize::from(port)];
    (node, port).min((link.peer, link.peer_port.0))
}

/// A switch that dies with all its links.
fn outage_of(
    network: &Network,
    parts: &str,
    node: NodeId,
    (from, to): (Instant, Instant),
) -> Outage {
    let ports = (0..).zip(network.ports(node)).map(|(port, _)| one_end(network, (node, port)));
    Outage { parts: parts.to_owned(), links: ports.collect(), switch: Some(node), from, to }
}

/// The fields of which a failure has one.
const WHAT: [&str; 7] = ["link", "node", "storm", "splitter", "relay", "tor", "failed"];
/// Those that name parts of a planned fabric.
const OF_PLAN: [&str; 4] = ["splitter", "relay", "tor", "failed"];

fn add(failures: &mut Failures, death: Death) {
    failures.dead.extend(death.links);
    failures.splitters.extend(death.splitters);
}

/// The parts of a planned fabric that fail.
fn planned_parts<'a>(
    row: &Row<'_>,
    nodes: &'a Nodes,
) -> Result<(&'a Planned, FailureSet), InputError> {
    let what = OF_PLAN.into_iter().find(|what| row.has(what)).unwrap_or("failed");
    let Some(planned) = &nodes.planned else {
        return Err(row.refuse(what, NO_PLAN));
    };
    let project = &planned.project;
    let said = row.text(what)?.unwrap_or_default();
    let named = |field: &str, text: &str| {
        project.tor(text).map_err(|error| row.refuse(field, error.message))
    };
    let failed = match what {
        "failed" => {
            FailureSet::parse(project, said)
                .map_err(|error| row.refuse("failed", error.message))?
                .failures
        }
        "splitter" => match row.text("branch")? {
            None => vec![Failure::Splitter(named("splitter", said)?)],
            Some(to) => {
                vec![Failure::Branch { from: named("splitter", said)?, to: named("branch", to)? }]
            }
        },
        "relay" => vec![Failure::Relay(named("relay", said)?)],
        _ => vec![Failure::Tor(named("tor", said)?)],
    };
    let field = if row.has("branch") { "branch" } else { what };
    let failed = FailureSet::new(&project.fabric, failed);
    let failed = failed.map_err(|error| row.refuse(field, error.message))?;
    Ok((planned, failed))
}

/// One port of each link that a failure takes down.
fn dying(row: &Row<'_>, nodes: &Nodes) -> Result<Vec<(NodeId, u16)>, InputError> {
    match (nodes.link(row)?, row.value("node")) {
        (Some(ends), None) => Ok(ends.forth),
        (None, Some(said)) => {
            let node = nodes.node(row, "node", said)?;
            let ports = 0..nodes.network.ports(node).len();
            Ok(ports.map(|port| (node, u16::try_from(port).unwrap_or(u16::MAX))).collect())
        }
        (Some(_), Some(_)) => {
            Err(row.refuse("node", "is given together with link; give one of the two"))
        }
        (None, None) => {
            let message = "is missing; give link = [\"leaf 0\", \"spine 1\"], node = \"spine 1\" or \
                           storm = \"host 1\"";
            Err(row.refuse("link", message))
        }
    }
}
