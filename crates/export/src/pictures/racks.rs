//! What stands in each rack.

use lightloom_design::devices::device::Face;
use lightloom_design::devices::occupied::Occupied;
use lightloom_plan::laid::Laid;
use lightloom_plant::end_labels::module_label;
use lightloom_plant::{Connector, Hardware, Plant, ThingId, ThingKind};
use lightloom_topology::RackId;

/// Kinds of things in a rack, by their colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Switch,
    Splitters,
    Panel,
    /// It is there already.
    Device,
}

impl Kind {
    pub const ALL: [Self; 4] = [Self::Switch, Self::Splitters, Self::Panel, Self::Device];

    pub fn colour(self) -> &'static str {
        match self {
            Self::Switch => "#c6dbef",
            Self::Splitters => "#fdd49e",
            Self::Panel => "#c7e9c0",
            Self::Device => "#d9d9d9",
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Switch => "ToR switch",
            Self::Splitters => "splitter module",
            Self::Panel => "panel module",
            Self::Device => "other device",
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
    /// Whether a device is in its units already.
    pub is_blocked: bool,
}

impl Item {
    /// Its units, from the lowest.
    fn units(&self) -> std::ops::Range<u16> {
        self.top.saturating_sub(self.height) + 1..self.top + 1
    }

    fn meets(&self, other: &Self) -> bool {
        self.units().start < other.units().end && other.units().start < self.units().end
    }
}

/// A rack with things.
#[derive(Debug, Clone)]
pub(super) struct Contents {
    pub rack: RackId,
    /// Devices, and then what the plan places, from the top and from left to right.
    pub items: Vec<Item>,
    /// Number of units that the plan takes.
    pub units: usize,
    /// Whether a unit holds modules side by side.
    pub is_dense: bool,
}

/// The racks with things of the plan, by rack.
pub(super) fn contents(laid: &Laid) -> Vec<Contents> {
    let (project, plant) = (laid.project(), laid.plant());
    let hardware = &project.catalogue().hardware;
    let racks = project.hall().racks().len();
    let (mut items, mut devices) = (vec![Vec::new(); racks], vec![Vec::new(); racks]);
    let things = (0..).zip(plant.things());
    for (number, thing) in things.filter(|&(number, _)| plant.is_hardware(ThingId(number))) {
        items[thing.rack.index()].push(item(plant, hardware, ThingId(number)));
    }
    for occupied in project.occupied().iter() {
        devices[occupied.rack.index()].push(device(occupied, hardware.slots_per_unit));
    }
    let both = (0..).map(RackId).zip(items.into_iter().zip(devices));
    let with_things = both.filter(|(_, (items, _))| !items.is_empty());
    with_things.map(|(rack, (items, devices))| of_rack(rack, items, devices)).collect()
}

fn of_rack(rack: RackId, mut items: Vec<Item>, mut devices: Vec<Item>) -> Contents {
    items.sort_by_key(|item| (std::cmp::Reverse(item.top), item.slots));
    let mut units: Vec<u16> = items.iter().flat_map(Item::units).collect();
    units.sort_unstable();
    units.dedup();
    let is_dense = items.windows(2).any(|pair| pair[0].top == pair[1].top);
    // The ToR itself is a device of the inventory.
    let switches = items.iter().filter(|item| item.kind == Kind::Switch);
    let switches: Vec<Item> = switches.cloned().collect();
    devices.retain(|device| !switches.iter().any(|switch| switch.meets(device)));
    for item in &mut items {
        item.is_blocked = devices.iter().any(|device| device.meets(item));
    }
    devices.append(&mut items);
    Contents { rack, items: devices, units: units.len(), is_dense }
}

/// A device that is in a rack already. One in front is drawn on the left, one behind on the right.
fn device(occupied: &Occupied, per_unit: u16) -> Item {
    let half = (per_unit / 2).max(1);
    Item {
        kind: Kind::Device,
        label: occupied.device.as_ref().map(ToString::to_string).unwrap_or_default(),
        top: occupied.unit + occupied.height.max(1) - 1,
        height: occupied.height.max(1),
        slots: occupied.face.map(|face| match face {
            Face::Front => (0, half),
            Face::Rear => (per_unit - half, half),
        }),
        is_blocked: false,
    }
}

fn item(plant: &Plant, hardware: &Hardware, id: ThingId) -> Item {
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
    let label = module_label(plant, id);
    Item { kind, label, top: thing.unit, height, slots, is_blocked: false }
}
