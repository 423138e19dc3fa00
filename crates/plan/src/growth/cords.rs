//! The cords and trunks that move, come and go between two plans.

use std::collections::BTreeMap;

use lightloom_plant::{Cable, CableKind, FibreId, Part, Plant};
use lightloom_request::InputError;
use lightloom_routing::growth::SplittersStay;
use lightloom_topology::TorId;
use lightloom_units::{Length, named_enum};

use crate::bom::cable_variant;
use crate::growth::staging::Staging;
use crate::laid::Laid;
use lightloom_plant::end_labels::{cable_label, port_label};

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

named_enum! {
    /// What a cord carries, or that it is a trunk.
    pub enum CordKind {
        /// The light from a ToR to its splitter.
        Feed = "feed",
        /// The light from an output of a splitter to a receiver.
        Branch = "branch",
        /// The light of many fibres.
        Trunk = "trunk",
    }
}

/// One cord, or one trunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CordRow {
    /// The stage in which it is touched. 0: before all stages.
    pub stage: usize,
    /// What happens to it.
    pub action: CordAction,
    /// Its label.
    pub label: String,
    /// What it carries.
    pub kind: CordKind,
    /// Its variant on the bill.
    pub variant: String,
    /// The ToR whose light it carries, by its number after the change. `None`: it is taken out, or is a trunk.
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

/// A cord or a trunk in one of the plans.
struct Cord {
    ends: (String, String),
    kind: CordKind,
    variant: String,
    /// The ToR whose light it carries. `None`: it is a trunk.
    tor: Option<TorId>,
    /// Whether it ends at a splitter.
    at_splitter: bool,
    needed: Length,
    stock: Length,
}

impl Cord {
    /// Whether it goes where its ToR goes: a feed, or a branch if the splitter stays with the ToR.
    fn follows(&self, splitters_stay: SplittersStay) -> bool {
        match self.kind {
            CordKind::Feed => self.at_splitter && splitters_stay == SplittersStay::WithCassette,
            CordKind::Branch => splitters_stay == SplittersStay::WithTor,
            CordKind::Trunk => false,
        }
    }
}

/// The cords and trunks that differ between a plan and the one that it grew or shrank from, by stage. Those that keep
/// both ends are not listed.
///
/// # Errors
/// [`InputError`] if a plan is too large to list.
pub fn cords(before: &Laid, after: &Laid, staging: &Staging) -> Result<Vec<CordRow>, InputError> {
    let old = by_label(before.plant());
    let new = by_label(after.plant());
    let splitters_stay = after.project().splitters_stay();
    let mut rows = Vec::new();
    for (label, (order, cord)) in &new {
        let there = old.get(label).map(|(_, cord)| cord);
        if there.is_some_and(|there| there.ends == cord.ends) {
            continue;
        }
        let is_long_enough = there.is_some_and(|there| cord.needed <= there.stock);
        let stage = cord.tor.map_or(0, |tor| staging.stage_of(tor));
        let (stage, action) = match there {
            Some(_) => (stage, CordAction::Move),
            None if cord.follows(splitters_stay) && stage > 0 => (stage, CordAction::Plug),
            None => (0, CordAction::Build),
        };
        let row = CordRow {
            stage,
            action,
            label: label.clone(),
            kind: cord.kind,
            variant: cord.variant.clone(),
            tor: cord.tor,
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
        let follows = cord.tor.filter(|_| cord.follows(splitters_stay));
        let stage = follows.and_then(|tor| staging.stage_touching(tor));
        let stage = stage.unwrap_or(staging.stages.len() + 1);
        let row = CordRow {
            stage,
            action: CordAction::Remove,
            label: label.clone(),
            kind: cord.kind,
            variant: cord.variant.clone(),
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

/// The cords and trunks of a plan by label, each with its place in the list.
fn by_label(plant: &Plant) -> BTreeMap<String, (usize, Cord)> {
    let cord = |cable: &Cable| {
        let fibre = |id: FibreId| &plant.fibres()[id.index()];
        let (kind, tor, at_splitter) = match cable.kind {
            CableKind::Cord(id, part) => {
                let of = fibre(id);
                let kind = if of.is_feed() { CordKind::Feed } else { CordKind::Branch };
                (kind, Some(of.from), part != Part::Drop)
            }
            CableKind::Trunk(_) => (CordKind::Trunk, None, false),
        };
        let [near, far] = cable.ends.map(|end| port_label(plant, end));
        let (needed, stock) = (cable.length, cable.stock);
        let variant = cable_variant(plant, cable);
        Cord { ends: (near, far), kind, variant, tor, at_splitter, needed, stock }
    };
    let cables = plant.cables().iter().enumerate();
    cables.map(|(at, cable)| (cable_label(plant, cable), (at, cord(cable)))).collect()
}

/// The branches that move between two plans: none, unless splitters sit at the senders.
pub fn moved_receive_cords(rows: &[CordRow]) -> usize {
    rows.iter().filter(|row| row.kind == CordKind::Branch && row.action == CordAction::Move).count()
}
