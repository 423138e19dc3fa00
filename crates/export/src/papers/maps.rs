//! `maps.csv`: how the ports of modules are joined inside.

use std::collections::BTreeMap;

use lightloom_plant::end_labels::module_label;
use lightloom_plant::{Plant, Position, ThingId, ThingKind};
use lightloom_tables::table::Kind::{Text, Whole};
use lightloom_tables::table::{Column, Rows, Table};

use crate::papers::place::{number, side};

/// The file's name in a plan folder.
pub const FILE: &str = TABLE.file;

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

/// The rows of the file.
pub struct Maps;

impl Rows for Maps {
    type Row<'a> = Row<'a>;
    type Given<'a> = ();
}

/// A joint inside a module of a map.
pub struct Row<'a> {
    map: &'a str,
    through: &'static str,
    from: Position,
    to: Position,
}

type Col = Column<Maps>;

/// The columns.
pub const TABLE: Table<Maps> = Table {
    file: "maps.csv",
    about: "each joint inside a kind of module. Light passes a `fibre` both ways, and a `splitter` from its input to \
            each output",
    columns: &[
        Col::new("map", Text, "the map, which modules name", |(), row, cell| cell.text(row.map)),
        Col::new("from_side", Text, "side of one port: `front` or `rear`", |(), row, cell| {
            cell.text(side(row.from.port))
        }),
        Col::new("from_port", Whole, "that port", |(), row, cell| cell.show(number(row.from.port))),
        Col::new(
            "from_position",
            Whole,
            "position in it, from 1; an LC port has one",
            |(), row, cell| {
                cell.show(row.from.position);
            },
        ),
        Col::new("to_side", Text, "side of the other port", |(), row, cell| {
            cell.text(side(row.to.port))
        }),
        Col::new("to_port", Whole, "that port", |(), row, cell| cell.show(number(row.to.port))),
        Col::new("to_position", Whole, "position in it", |(), row, cell| {
            cell.show(row.to.position)
        }),
        Col::new("through", Text, "`fibre` or `splitter`", |(), row, cell| cell.text(row.through)),
    ],
};

/// The content of the file.
pub fn csv(plant: &Plant) -> Vec<u8> {
    let mut models: BTreeMap<String, ThingId> = BTreeMap::new();
    for at in 0..plant.things().len() {
        let id = ThingId(u32::try_from(at).unwrap_or(u32::MAX));
        let name = map_name(plant, id);
        if !name.is_empty() {
            models.entry(name).or_insert(id);
        }
    }
    let rows = models.iter().flat_map(|(map, &id)| {
        let through = match plant.thing(id).kind {
            ThingKind::Splitters { .. } => "splitter",
            _ => "fibre",
        };
        plant.joints(id).into_iter().map(move |(from, to)| Row { map, through, from, to })
    });
    TABLE.csv((), rows)
}
