//! `modules.csv`: switches, shelves and modules with their places and ports.

use lightloom_plan::end_labels::{module_label, shelf_label};
use lightloom_plant::{Connector, End, Gender, Plant, Port, Thing, ThingId, ThingKind};
use lightloom_tables::sheet::Sheet;
use lightloom_topology::TorId;

use crate::papers::maps::map_name;
use crate::papers::place::{adapter, is_switch};

/// The file's name in a plan folder.
pub const FILE: &str = "modules.csv";

/// The content of the file: one row a switch, shelf or module. `map` names the rows of `maps.csv` that say how its
/// ports are joined.
pub fn csv(plant: &Plant) -> Vec<u8> {
    let mut sheet = Sheet::new([
        "module",
        "kind",
        "row",
        "rack",
        "unit",
        "slot",
        "front_ports",
        "front_adapter",
        "rear_ports",
        "rear_adapter",
        "rear_gender",
        "map",
        "splitters",
    ]);
    let hall = &plant.site().hall;
    for (rack, unit) in plant.shelves() {
        let of = hall.rack(rack);
        sheet.row([
            shelf_label(plant, rack, unit.0).into(),
            "shelf".into(),
            hall.row_name(of.row).into(),
            of.name.as_str().into(),
            unit.0.to_string().into(),
            "".into(),
            "".into(),
            "".into(),
            "".into(),
            "".into(),
            "".into(),
            "".into(),
            "".into(),
        ]);
    }
    for (at, thing) in (0..).zip(plant.things()) {
        let id = ThingId(at);
        let rack = hall.rack(thing.rack);
        let (front, rear) = plant.ports(id);
        let front_adapter = (front > 0).then(|| {
            let port = if is_switch(thing.kind) { Port::Rx(0) } else { Port::Front(1) };
            adapter(plant.connector(End { thing: id, port }))
        });
        let rear_adapter = (rear > 0).then(|| adapter(Connector::Mpo(Gender::Male)));
        sheet.row([
            module_label(plant, id).into(),
            kind_name(thing).into(),
            hall.row_name(rack.row).into(),
            rack.name.as_str().into(),
            thing.unit.to_string().into(),
            thing.slot.map(|slot| slot.to_string()).unwrap_or_default().into(),
            front.to_string().into(),
            front_adapter.unwrap_or_default().into(),
            rear.to_string().into(),
            rear_adapter.unwrap_or_default().into(),
            if rear > 0 { Gender::Male.name() } else { "" }.into(),
            map_name(plant, id).into(),
            splitters(plant, id).into(),
        ]);
    }
    sheet.into_bytes()
}

fn kind_name(thing: &Thing) -> &'static str {
    match thing.kind {
        ThingKind::Switch(_) => "switch",
        ThingKind::Splitters { shuffles: false, .. } => "splitter module",
        ThingKind::Splitters { shuffles: true, .. } => "splitter and shuffle module",
        ThingKind::RowPanel(_) => "row panel",
        ThingKind::FramePanel(_) => "frame panel",
    }
}

/// The numbers of the splitters of a module. That of a ToR that left is `dark`.
fn splitters(plant: &Plant, id: ThingId) -> String {
    let number = |tor: &Option<TorId>| match tor {
        Some(tor) => plant.site().fabric.splitter_number(*tor).to_string(),
        None => "dark".to_owned(),
    };
    plant.splitters_of(id).iter().map(number).collect::<Vec<_>>().join(" ")
}
