//! `[admission]`: who admits messages over light, and trees for it.

use std::collections::BTreeMap;

use lightloom_request::InputError;
use lightloom_routing::parallel::{Installed, installed_sources, trees_for};
use lightloom_topology::TorId;
use lightloom_topology::electrical::NodeId;
use lightloom_twin::Admission;

use crate::build::nodes::Nodes;
use crate::build::planned::Planned;
use crate::said::{AdmissionRow, Place, Row as _};
use crate::scenario::{AdmissionPlan, TreeChoice};

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

impl Wanted {
    /// What a row asks for.
    pub(super) fn new(row: &AdmissionRow, nodes: &Nodes) -> Result<Self, InputError> {
        let place = AdmissionRow::place();
        let Some(planned) = &nodes.planned else {
            let message = "is for messages over light; the network must be kind = \"design\", and the scenario must \
                           have a [[group]]";
            return Err(Place::ROOT.refuse("admission", message));
        };
        let policy = row.policy.ok_or_else(|| place.missing("policy", "\"turns\""))?;
        let controller = row.controller.as_ref();
        let controller =
            controller.map(|said| nodes.host_of(place, "controller", said)).transpose()?;
        let trees = row.trees.unwrap_or(TreeChoice::Installed);
        if trees == TreeChoice::Parallel && !planned.is_routed() {
            let message = "found parallel, and the design is a recovered plan, whose rules are those of its recovery; \
                           give trees = \"installed\"";
            return Err(place.refuse("trees", message));
        }
        let admission = Admission { controller: controller.unwrap_or(NodeId(0)), policy };
        Ok(Self { admission, trees })
    }

    /// Refuses trees of its own beside a recovery.
    pub(super) fn check_recovery(&self, has_recovery: bool) -> Result<(), InputError> {
        if self.trees == TreeChoice::Parallel && has_recovery {
            let message = "found parallel, and a [recovery] starts from the rules of the plan; give one of the two";
            return Err(AdmissionRow::place().refuse("trees", message));
        }
        Ok(())
    }

    /// What a report says of the senders, and trees of their own where these are wanted. `senders` are the ToRs that
    /// send over light, each once.
    pub(super) fn plan(
        &self,
        planned: &Planned,
        senders: &[TorId],
    ) -> Result<(AdmissionPlan, OwnTrees), InputError> {
        if senders.is_empty() {
            let message = "is for messages over light, and no [[multicast]] goes to a group with data = \"light\"";
            return Err(Place::ROOT.refuse("admission", message));
        }
        let mut plan = AdmissionPlan { trees: self.trees, senders: senders.len(), disjoint: None };
        let mut own = OwnTrees::new();
        match self.trees {
            TreeChoice::Parallel => {
                plan.disjoint = Some(parallel(planned, senders, &mut own));
            }
            TreeChoice::Installed if planned.is_routed() && senders.len() <= MOST_COMPARED => {
                plan.disjoint = Some(installed(planned, senders)?);
            }
            TreeChoice::Installed => {}
        }
        Ok((plan, own))
    }
}

/// The most senders whose installed trees share no relay, as far as a bounded search finds.
fn installed(planned: &Planned, senders: &[TorId]) -> Result<usize, InputError> {
    let row = |&sender: &TorId| {
        let relays = planned.project.relay_row(sender);
        relays.map_err(|error| Place::ROOT.refuse("admission", &error.message))
    };
    let rows = senders.iter().map(row).collect::<Result<Vec<_>, InputError>>()?;
    let rows: Vec<&[TorId]> = rows.iter().map(|row| row.as_ref()).collect();
    let Installed { sources, .. } = installed_sources(senders, &rows, senders.len());
    Ok(sources.len())
}

/// Makes trees for the senders in order, as many as possible at a time that share no relay. Returns the most at a time.
fn parallel(planned: &Planned, senders: &[TorId], own: &mut OwnTrees) -> usize {
    let fabric = planned.project.fabric();
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
