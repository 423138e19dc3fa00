//! What stands in each rack.

use lightloom_plan::end_labels::module_label;
use lightloom_plant::{Connector, Hardware, Plant, ThingId, ThingKind};
use lightloom_topology::RackId;

/// Kinds of things in a rack, by their colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Switch,
    Splitters,
    Panel,
}

impl Kind {
    pub const ALL: [Self; 3] = [Self::Switch, Self::Splitters, Self::Panel];

    pub fn colour(self) -> &'static str {
        match self {
            Self::Switch => "#c6dbef",
            Self::Splitters => "#fdd49e",
            Self::Panel => "#c7e9c0",
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Switch => "ToR switch",
            Self::Splitters => "splitter module",
            Self::Panel => "panel module",
        }
    }
}

/// A thing in a rack.
#[derive(Debug, Clone)]
pub(super) struct Item {
    pub kind: Kind,
    pub label: String,
    /// Its highest unit.
    pub top: u16,
    /// Number of units.
    pub height: u16,
    /// First slot, counted from 0, and number of slots. `None`: the whole width.
    pub slots: Option<(u16, u16)>,
}

/// A rack with things.
#[derive(Debug, Clone)]
pub(super) struct Contents {
    pub rack: RackId,
    /// From the top, and from left to right.
    pub items: Vec<Item>,
    /// Number of units that are taken.
    pub units: usize,
    /// Whether a unit holds modules side by side.
    pub is_dense: bool,
}

/// The racks with things, by rack.
pub(super) fn contents(plant: &Plant<'_>, hardware: &Hardware) -> Vec<Contents> {
    let mut items: Vec<Vec<Item>> = vec![Vec::new(); plant.site().hall.racks().len()];
    for (number, thing) in (0..).zip(plant.things()) {
        items[thing.rack.index()].push(item(plant, hardware, ThingId(number)));
    }
    let all = (0..).map(RackId).zip(items).filter(|(_, items)| !items.is_empty());
    all.map(|(rack, mut items)| {
        items.sort_by_key(|item| (std::cmp::Reverse(item.top), item.slots));
        let mut units: Vec<u16> =
            items.iter().flat_map(|item| item.top.saturating_sub(item.height)..item.top).collect();
        units.sort_unstable();
        units.dedup();
        let is_dense = items.windows(2).any(|pair| pair[0].top == pair[1].top);
        Contents { rack, items, units: units.len(), is_dense }
    })
    .collect()
}

fn item(plant: &Plant<'_>, hardware: &Hardware, id: ThingId) -> Item {
    let thing = plant.thing(id);
    let kind = match thing.kind {
        ThingKind::Switch(_) => Kind::Switch,
        ThingKind::Splitters { .. } => Kind::Splitters,
        ThingKind::RowPanel(_) | ThingKind::FramePanel(_) => Kind::Panel,
    };
    let (front, rear) = plant.ports(id);
    let behind = hardware.ports_per_slot / Connector::MPO_FIBRES;
    let wide = front.div_ceil(hardware.ports_per_slot).max(rear.div_ceil(behind.max(1))).max(1);
    let per_unit = hardware.slots_per_unit;
    let slots =
        thing.slot.filter(|_| wide <= per_unit).map(|first| (first.saturating_sub(1), wide));
    let height = if thing.slot.is_some() { wide.div_ceil(per_unit) } else { 1 };
    Item { kind, label: module_label(plant, id), top: thing.unit, height, slots }
}
