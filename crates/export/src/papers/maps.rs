//! `maps.csv`: how the ports of modules are joined inside.

use std::collections::BTreeMap;

use lightloom_plan::end_labels::module_label;
use lightloom_plant::{Plant, ThingId, ThingKind};
use lightloom_tables::sheet::Sheet;

use crate::papers::place::{number, side};

/// The file's name in a plan folder.
pub const FILE: &str = "maps.csv";

/// Name of a module's map. Modules of equal maps share a name. A module that is made for the fabric has a map of its
/// own. Empty for a switch.
pub(super) fn map_name(plant: &Plant, id: ThingId) -> String {
    match plant.thing(id).kind {
        ThingKind::Switch(_) => String::new(),
        ThingKind::Splitters { count, shuffles: false, .. } => {
            format!("{count} of 1:{}", plant.site().fabric.fan_out())
        }
        ThingKind::Splitters { shuffles: true, .. } => {
            format!("shuffle {}", module_label(plant, plant.map_of(id)))
        }
        ThingKind::RowPanel(_) | ThingKind::FramePanel(_) => "panel".into(),
    }
}

/// The content of the file, one row a joint inside a module. Light passes a `fibre` both ways, and a `splitter` from
/// its input to each output. Positions are counted from 1; an LC port has one.
pub fn csv(plant: &Plant) -> Vec<u8> {
    let mut sheet = Sheet::new([
        "map",
        "from_side",
        "from_port",
        "from_position",
        "to_side",
        "to_port",
        "to_position",
        "through",
    ]);
    let mut models: BTreeMap<String, ThingId> = BTreeMap::new();
    for at in 0..plant.things().len() {
        let id = ThingId(u32::try_from(at).unwrap_or(u32::MAX));
        let name = map_name(plant, id);
        if !name.is_empty() {
            models.entry(name).or_insert(id);
        }
    }
    for (name, id) in models {
        let through = match plant.thing(id).kind {
            ThingKind::Splitters { .. } => "splitter",
            _ => "fibre",
        };
        for (from, to) in plant.joints(id) {
            sheet.row([
                name.as_str().into(),
                side(from.port).into(),
                number(from.port).to_string().into(),
                from.position.to_string().into(),
                side(to.port).into(),
                number(to.port).to_string().into(),
                to.position.to_string().into(),
                through.into(),
            ]);
        }
    }
    sheet.into_bytes()
}
