//! `[[failure]]`: failures of links, switches and parts of a planned fabric, and pause storms.

use lightloom_plan::failure_set::FailureSet;
use lightloom_request::InputError;
use lightloom_routing::failure::Failure;
use lightloom_topology::TorId;
use lightloom_topology::electrical::{Network, NodeId};
use lightloom_twin::{DeadLink, PauseStorm, Restart};
use lightloom_units::Instant;

use crate::build::nodes::Nodes;
use crate::build::planned::{NO_PLAN, Planned};
use crate::glass::{Death, Incident};
use crate::reroutes::Outage;
use crate::said::{FailureRow, Place, Row as _};
use crate::scenario::Failures;

/// What fails in a run.
#[derive(Debug, Clone, Default)]
pub(super) struct Troubles {
    pub(super) failures: Failures,
    /// Parts of the planned fabric.
    pub(super) incidents: Vec<Incident>,
    /// Links and switches.
    pub(super) outages: Vec<Outage>,
    /// Number of rows.
    pub(super) rows: usize,
}

/// The fields of which a failure has one.
const WHAT: [&str; 7] = ["link", "node", "storm", "splitter", "relay", "tor", "failed"];
/// Those that name parts of a planned fabric.
const OF_PLAN: [&str; 4] = ["splitter", "relay", "tor", "failed"];

impl Troubles {
    /// What the failures of a recovered plan kill, from the start on.
    pub(super) fn of_plan(nodes: &Nodes) -> Self {
        let mut troubles = Self::default();
        if let Some(planned) = &nodes.planned {
            troubles.kill(planned.dead_from_start(&nodes.network));
        }
        troubles
    }

    /// Adds the failure of a row. `until` is the end of the run.
    pub(super) fn add(
        &mut self,
        row: &FailureRow,
        nodes: &Nodes,
        until: Instant,
    ) -> Result<(), InputError> {
        let place = FailureRow::place_of(self.rows);
        self.rows += 1;
        let span = span(row, place, until)?;
        let given: Vec<&str> = WHAT.into_iter().filter(|what| row.has(what)).collect();
        if let [first, second, ..] = given[..] {
            let message = format!("is given together with {first}; give one of them");
            return Err(place.refuse(second, message));
        }
        if row.branch.is_some() && row.splitter.is_none() {
            return Err(place.refuse("branch", "is for a splitter; give splitter too"));
        }
        if given.first().is_some_and(|what| OF_PLAN.contains(what)) {
            let (planned, failed) = planned_parts(row, place, nodes)?;
            return self.incident(planned, &failed, nodes, (span, until));
        }
        if row.storm.is_some() {
            let host = nodes.host(place, "storm", row.storm.as_ref())?;
            self.failures.storms.push(PauseStorm { host, from: span.0, to: span.1 });
            return Ok(());
        }
        if let Some(planned) = &nodes.planned
            && let Some(said) = &row.node
            && let Some(tor) = planned.tor_at(&nodes.network, nodes.node(place, "node", said)?)
        {
            let failed = FailureSet { failures: vec![Failure::Tor(tor)] };
            let failed = failed.with_switches(planned.project.placement());
            return self.incident(planned, &failed, nodes, (span, until));
        }
        self.links(row, place, nodes, (span, until))
    }

    /// Parts of a planned fabric fail. A ToR takes its links with it.
    fn incident(
        &mut self,
        planned: &Planned,
        failed: &FailureSet,
        nodes: &Nodes,
        (span, until): ((Instant, Instant), Instant),
    ) -> Result<(), InputError> {
        let incident = planned.incident(failed, span)?;
        for (failed, name) in &incident.parts {
            if let &Failure::Tor(tor) = failed {
                let switch = planned.glass.tors[tor.index()];
                self.restart(switch, span.1, until);
                self.outages.push(outage_of(&nodes.network, name, switch, span));
            }
        }
        self.kill(planned.dying(&nodes.network, &incident));
        self.incidents.push(incident);
        Ok(())
    }

    /// Links die, alone or with a switch.
    fn links(
        &mut self,
        row: &FailureRow,
        place: Place,
        nodes: &Nodes,
        ((from, to), until): ((Instant, Instant), Instant),
    ) -> Result<(), InputError> {
        let network = &nodes.network;
        let links = dying(row, place, nodes)?;
        let dead = links.iter().map(|&(node, port)| DeadLink { node, port, from, to });
        self.failures.dead.extend(dead);
        let Some(&(node, port)) = links.first() else { return Ok(()) };
        if row.node.is_some() && !network.is_host(node) {
            self.restart(node, to, until);
            self.outages.push(outage_of(network, &network.name(node), node, (from, to)));
        } else {
            let peer = network.ports(node)[usize::from(port)].peer;
            let parts = format!("{} - {}", network.name(node), network.name(peer));
            let links = links.iter().map(|&link| one_end(network, link)).collect();
            self.outages.push(Outage { parts, links, switch: None, from, to });
        }
        Ok(())
    }

    /// A switch that comes back before the end of the run has lost its queues and tables.
    fn restart(&mut self, node: NodeId, at: Instant, until: Instant) {
        if at < until {
            self.failures.restarts.push(Restart { at, node });
        }
    }

    fn kill(&mut self, death: Death) {
        self.failures.dead.extend(death.links);
        self.failures.splitters.extend(death.splitters);
    }
}

/// From when to when something fails.
fn span(row: &FailureRow, place: Place, until: Instant) -> Result<(Instant, Instant), InputError> {
    let from = row.at.ok_or_else(|| place.missing("at", "\"1 ms\""))?;
    if from >= until {
        return Err(place.refuse("at", format!("found {from}; the run ends at {until}")));
    }
    let to = row.until.unwrap_or(Instant::from_ps(u64::MAX));
    if to <= from {
        return Err(place.refuse("until", format!("found {to}, which is not after {from}")));
    }
    Ok((from, to))
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

/// The parts of a planned fabric that fail.
fn planned_parts<'a>(
    row: &FailureRow,
    place: Place,
    nodes: &'a Nodes,
) -> Result<(&'a Planned, FailureSet), InputError> {
    let said = [&row.splitter, &row.relay, &row.tor, &row.failed];
    let said = OF_PLAN.into_iter().zip(said).find_map(|(what, said)| Some((what, said.as_ref()?)));
    let (what, said) = said.map_or(("failed", ""), |(what, said)| (what, said.as_str()));
    let Some(planned) = &nodes.planned else {
        return Err(place.refuse(what, NO_PLAN));
    };
    let project = &planned.project;
    let named = |field, text: &str| -> Result<TorId, InputError> {
        project.tor(text).map_err(|error| place.refuse(field, error.message))
    };
    let failed = match (what, &row.branch) {
        ("failed", _) => {
            FailureSet::parse(project, said)
                .map_err(|error| place.refuse("failed", error.message))?
                .failures
        }
        ("splitter", None) => vec![Failure::Splitter(named("splitter", said)?)],
        ("splitter", Some(to)) => {
            vec![Failure::Branch { from: named("splitter", said)?, to: named("branch", to)? }]
        }
        ("relay", _) => vec![Failure::Relay(named("relay", said)?)],
        _ => vec![Failure::Tor(named("tor", said)?)],
    };
    let field = if row.branch.is_some() { "branch" } else { what };
    let failed = FailureSet::new(project.fabric(), failed);
    let failed = failed.map_err(|error| place.refuse(field, error.message))?;
    Ok((planned, failed.with_switches(project.placement())))
}

/// One port of each link that a failure takes down.
fn dying(row: &FailureRow, place: Place, nodes: &Nodes) -> Result<Vec<(NodeId, u16)>, InputError> {
    match (nodes.link(place, row.link.as_ref())?, &row.node) {
        (Some(ends), None) => {
            let is_circuit =
                |&(node, port): &(NodeId, u16)| nodes.network.is_circuit(node, port.into());
            if ends.forth.iter().any(is_circuit) {
                let message = "stands for circuits, which are there at times; name the node of a ToR, or the \
                               link of a host";
                return Err(place.refuse("link", message));
            }
            Ok(ends.forth)
        }
        (None, Some(said)) => {
            let node = nodes.node(place, "node", said)?;
            let ports = 0..nodes.network.ports(node).len();
            Ok(ports.map(|port| (node, u16::try_from(port).unwrap_or(u16::MAX))).collect())
        }
        (Some(_), Some(_)) => {
            Err(place.refuse("node", "is given together with link; give one of the two"))
        }
        (None, None) => {
            let message = "is missing; give link = [\"leaf 0\", \"spine 1\"], node = \"spine 1\" or \
                           storm = \"host 1\"";
            Err(place.refuse("link", message))
        }
    }
}
