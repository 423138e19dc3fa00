//! The cords that move, come and go between two plans.

use std::collections::BTreeMap;

use lightloom_plant::{Fibre, FibreId, Plant};
use lightloom_request::InputError;
use lightloom_routing::growth::SplittersStay;
use lightloom_topology::TorId;
use lightloom_units::{Length, named_enum};

use crate::end_labels::{end_labels, fibre_label};
use crate::growth::staging::Staging;
use crate::laid::lay_planned;
use crate::project::Project;

named_enum! {
    /// What happens to a cord.
    #[derive(schemars::JsonSchema)]
    pub enum CordAction {
        /// It is laid while nothing else moves, and tested dark.
        Build = "build",
        /// It is taken out.
        Remove = "remove",
        /// One of its ends moves.
        Move = "move",
        /// It is laid and plugged into a splitter or a receiver that became free.
        Plug = "plug",
    }
}

/// One cord.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CordRow {
    /// The stage in which it is touched. 0: before all stages.
    pub stage: usize,
    /// What happens to it.
    pub action: CordAction,
    /// Its label.
    pub label: String,
    /// Whether it is a feed. Otherwise it is a branch.
    pub is_feed: bool,
    /// The ToR whose light it carries, by its number after the change. `None`: it is taken out.
    pub tor: Option<TorId>,
    /// Labels of its ends before, near and far. `None`: it is new.
    pub old_ends: Option<(String, String)>,
    /// Labels of its ends afterwards. `None`: it is taken out.
    pub new_ends: Option<(String, String)>,
    /// Routed length on its new way.
    pub needed: Option<Length>,
    /// Stock length of the cord that is there.
    pub there: Option<Length>,
    /// Stock length of the cord to lay. `None`: the cord that is there is long enough, or none is needed.
    pub lay: Option<Length>,
}

impl CordRow {
    /// Whether a moved cord is too short for its new way, so that a new one replaces it.
    pub fn is_too_short(&self) -> bool {
        self.action == CordAction::Move && self.lay.is_some()
    }
}

/// A cord in one of the plans.
struct Cord {
    ends: (String, String),
    is_feed: bool,
    tor: TorId,
    needed: Length,
    stock: Length,
}

/// The cords that differ between a plan and the one that it grew or shrank from, by stage. Cords that keep both
/// ends are not listed.
///
/// # Errors
/// [`InputError`] if a plan is too large to list.
pub fn cords(
    before: &Project,
    after: &Project,
    staging: &Staging,
) -> Result<Vec<CordRow>, InputError> {
    let old = by_label(&lay_planned(before)?);
    let new = by_label(&lay_planned(after)?);
    // The cords of a ToR that goes to another cassette: its feed, or its branches if the splitter stays with it.
    let with_tor = after.splitters_stay() == SplittersStay::WithTor;
    let follows = |cord: &Cord| cord.is_feed != with_tor;
    let mut rows = Vec::new();
    for (label, (order, cord)) in &new {
        let there = old.get(label).map(|(_, cord)| cord);
        if there.is_some_and(|there| there.ends == cord.ends) {
            continue;
        }
        let is_long_enough = there.is_some_and(|there| cord.needed <= there.stock);
        let stage = staging.stage_of(cord.tor);
        let (stage, action) = match there {
            Some(_) => (stage, CordAction::Move),
            None if follows(cord) && stage > 0 => (stage, CordAction::Plug),
            None => (0, CordAction::Build),
        };
        let row = CordRow {
            stage,
            action,
            label: label.clone(),
            is_feed: cord.is_feed,
            tor: Some(cord.tor),
            old_ends: there.map(|there| there.ends.clone()),
            new_ends: Some(cord.ends.clone()),
            needed: Some(cord.needed),
            there: there.map(|there| there.stock),
            lay: (!is_long_enough).then_some(cord.stock),
        };
        rows.push((*order, row));
    }
    for (label, (order, cord)) in &old {
        if new.contains_key(label) {
            continue;
        }
        // A splitter or a receiver is free only when the cord of the ToR that leaves is out.
        let stage = if follows(cord) { staging.stage_touching(cord.tor) } else { None };
        let stage = stage.unwrap_or(staging.stages.len() + 1);
        let row = CordRow {
            stage,
            action: CordAction::Remove,
            label: label.clone(),
            is_feed: cord.is_feed,
            tor: None,
            old_ends: Some(cord.ends.clone()),
            new_ends: None,
            needed: None,
            there: Some(cord.stock),
            lay: None,
        };
        rows.push((*order, row));
    }
    rows.sort_by(|(a, row_a), (b, row_b)| {
        (row_a.stage, row_a.action as u8, a).cmp(&(row_b.stage, row_b.action as u8, b))
    });
    Ok(rows.into_iter().map(|(_, row)| row).collect())
}

/// The cords of a plan by label, each with its place in the list.
fn by_label(plant: &Plant<'_>) -> BTreeMap<String, (usize, Cord)> {
    let fabric = plant.site().fabric;
    let cord = |id: FibreId, fibre: &Fibre| Cord {
        ends: end_labels(plant, id),
        is_feed: fibre.is_feed(),
        tor: fibre.from,
        needed: fibre.length,
        stock: fibre.stock,
    };
    let fibres = plant.numbered();
    fibres.map(|(id, fibre)| (fibre_label(fabric, fibre), (id.index(), cord(id, fibre)))).collect()
}

/// The branches that move between two plans: none, unless splitters sit at the senders.
pub fn moved_receive_cords(rows: &[CordRow]) -> usize {
    rows.iter().filter(|row| !row.is_feed && row.action == CordAction::Move).count()
}
