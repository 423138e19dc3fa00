//! `[admission]`: who admits messages over light, and trees for it.

use std::collections::BTreeMap;

use lightloom_request::InputError;
use lightloom_request::scenario::section;
use lightloom_routing::parallel::{Installed, installed_sources, trees_for};
use lightloom_sim::scenario::{AdmissionPlan, TreeChoice};
use lightloom_topology::TorId;
use lightloom_topology::electrical::NodeId;
use lightloom_twin::{Admission, Policy};

use crate::rows::Row;
use crate::scenario::glass::Planned;
use crate::scenario::network::Nodes;

const POLICIES: [(&str, Policy); 2] = [("turns", Policy::Turns), ("share", Policy::Share)];

const TREES: [(&str, TreeChoice); 2] = [
    (TreeChoice::Installed.name(), TreeChoice::Installed),
    (TreeChoice::Parallel.name(), TreeChoice::Parallel),
];

/// More senders are not compared in pairs.
const MOST_COMPARED: usize = 1024;

/// The section, before the messages are known.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted {
    pub(super) admission: Admission,
    pub(super) trees: TreeChoice,
}

/// The relays of senders that have trees of their own.
pub(super) type OwnTrees = BTreeMap<TorId, Vec<TorId>>;

/// Reads the section. `None`: there is no such section.
pub(super) fn read(root: &Row<'_>, nodes: &Nodes) -> Result<Option<Wanted>, InputError> {
    let Some(row) = root.table("admission", "admission")? else { return Ok(None) };
    row.only_these(&section("admission").names())?;
    let Some(planned) = &nodes.planned else {
        let message = "is for messages over light; the network must be kind = \"design\", and the scenario must \
                       have a [[group]]";
        return Err(root.refuse("admission", message));
    };
    let policy = row.choice("policy", &POLICIES)?;
    let policy = policy.ok_or_else(|| row.missing("policy", "\"turns\""))?;
    let controller = row.value("controller");
    let controller = controller.map(|said| nodes.host_of(&row, "controller", said)).transpose()?;
    let trees = row.choice("trees", &TREES)?.unwrap_or(TreeChoice::Installed);
    if trees == TreeChoice::Parallel && !planned.is_routed() {
        let message = "found parallel, and the design is a recovered plan, whose rules are those of its recovery; \
                       give trees = \"installed\"";
        return Err(row.refuse("trees", message));
    }
    if trees == TreeChoice::Parallel && root.has("recovery") {
        let message = "found parallel, and a [recovery] starts from the rules of the plan; give one of the two";
        return Err(row.refuse("trees", message));
    }
    let admission = Admission { controller: controller.unwrap_or(NodeId(0)), policy };
    Ok(Some(Wanted { admission, trees }))
}

impl Wanted {
    /// What a report says of the senders, and trees of their own where these are wanted. `senders` are the ToRs that
    /// send over light, each once.
    pub(super) fn plan(
        &self,
        root: &Row<'_>,
        planned: &Planned,
        senders: &[TorId],
    ) -> Result<(AdmissionPlan, OwnTrees), InputError> {
        if senders.is_empty() {
            let message = "is for messages over light, and no [[multicast]] goes to a group with data = \"light\"";
            return Err(root.refuse("admission", message));
        }
        let mut plan = AdmissionPlan { trees: self.trees, senders: senders.len(), disjoint: None };
        let mut own = OwnTrees::new();
        match self.trees {
            TreeChoice::Parallel => {
                plan.disjoint = Some(parallel(planned, senders, &mut own));
            }
            TreeChoice::Installed if planned.is_routed() && senders.len() <= MOST_COMPARED => {
                plan.disjoint = Some(installed(root, planned, senders)?);
            }
            TreeChoice::Installed => {}
        }
        Ok((plan, own))
    }
}

/// The most senders whose installed trees share no relay, as far as a bounded search finds.
fn installed(root: &Row<'_>, planned: &Planned, senders: &[TorId]) -> Result<usize, InputError> {
    let row = |&sender: &TorId| {
        let relays = planned.project.relay_row(sender);
        relays.map_err(|error| root.refuse("admission", &error.message))
    };
    let rows = senders.iter().map(row).collect::<Result<Vec<_>, InputError>>()?;
    let rows: Vec<&[TorId]> = rows.iter().map(|row| row.as_ref()).collect();
    let Installed { sources, .. } = installed_sources(senders, &rows, senders.len());
    Ok(sources.len())
}

/// Makes trees for the senders in order, as many as possible at a time that share no relay. Returns the most at a time.
fn parallel(planned: &Planned, senders: &[TorId], own: &mut OwnTrees) -> usize {
    let fabric = &planned.project.fabric;
    let mut most = 0;
    let mut left = senders;
    while !left.is_empty() {
        // One sender always has a tree.
        let mut trees = Vec::new();
        for many in 1..=left.len() {
            match trees_for(fabric, &left[..many]) {
                Ok(more) => trees = more,
                Err(_) => break,
            }
        }
        let many = trees.len().max(1);
        own.extend(left[..many].iter().copied().zip(trees));
        most = most.max(many);
        left = &left[many..];
    }
    most
}
