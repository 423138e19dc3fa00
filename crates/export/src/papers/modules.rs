//! `modules.csv`: switches, shelves and modules with their places and ports.

use lightloom_plant::end_labels::{module_label, shelf_label};
use lightloom_plant::{Connector, End, Gender, Plant, Port, Thing, ThingId, ThingKind};
use lightloom_tables::table::Kind::{Text, Whole};
use lightloom_tables::table::{Column, Rows, Table};
use lightloom_topology::hall::Rack;
use lightloom_topology::{RackId, TorId};

use crate::papers::maps::map_name;
use crate::papers::place::{adapter, is_switch};

/// The file's name in a plan folder.
pub const FILE: &str = TABLE.file;

/// The rows of the file.
pub struct Modules;

impl Rows for Modules {
    type Row<'a> = Row;
    type Given<'a> = &'a Plant;
}

/// A shelf, or a switch or module.
pub enum Row {
    /// Its rack, and its rack unit.
    Shelf(RackId, u16),
    /// A switch or module.
    Thing(ThingId),
}

impl Row {
    fn rack<'a>(&self, plant: &'a Plant) -> &'a Rack {
        let rack = match *self {
            Self::Shelf(rack, _) => rack,
            Self::Thing(id) => plant.thing(id).rack,
        };
        plant.site().hall.rack(rack)
    }

    fn unit(&self, plant: &Plant) -> u16 {
        match *self {
            Self::Shelf(_, unit) => unit,
            Self::Thing(id) => plant.thing(id).unit,
        }
    }

    /// The switch or module; none of a shelf.
    fn thing(&self) -> Option<ThingId> {
        match *self {
            Self::Shelf(..) => None,
            Self::Thing(id) => Some(id),
        }
    }

    /// Ports at the front and at the rear.
    fn ports(&self, plant: &Plant) -> Option<(u16, u16)> {
        self.thing().map(|id| plant.ports(id))
    }

    /// The adapter of its front ports, if it has any.
    fn front_adapter(&self, plant: &Plant) -> Option<&'static str> {
        let id = self.thing().filter(|&id| plant.ports(id).0 > 0)?;
        let port = if is_switch(plant.thing(id).kind) { Port::Rx(0) } else { Port::Front(1) };
        Some(adapter(plant.connector(End { thing: id, port })))
    }

    fn has_rear(&self, plant: &Plant) -> bool {
        self.ports(plant).is_some_and(|(_, rear)| rear > 0)
    }
}

type Col = Column<Modules>;

/// The columns.
pub const TABLE: Table<Modules> = Table {
    file: "modules.csv",
    about: "each switch, shelf and module, with its place and ports",
    columns: &[
        Col::new("module", Text, "its label", |plant, row, cell| match *row {
            Row::Shelf(rack, unit) => cell.text(&shelf_label(plant, rack, unit)),
            Row::Thing(id) => cell.text(&module_label(plant, id)),
        }),
        Col::new(
            "kind",
            Text,
            "`shelf`, `switch`, `splitter module`, `splitter and shuffle module`, `row panel` or `frame panel`",
            |plant, row, cell| {
                cell.text(row.thing().map_or("shelf", |id| kind_name(plant.thing(id))))
            },
        ),
        Col::new("row", Text, "row of its rack", |plant, row, cell| {
            cell.text(&plant.site().hall.row_name(row.rack(plant).row));
        }),
        Col::new("rack", Text, "its rack", |plant, row, cell| {
            cell.text(row.rack(plant).name.as_str())
        }),
        Col::new("unit", Whole, "its rack unit", |plant, row, cell| cell.show(row.unit(plant))),
        Col::new("slot", Whole, "its slot in a shelf; empty without", |plant, row, cell| {
            cell.show_some(row.thing().and_then(|id| plant.thing(id).slot));
        }),
        Col::new(
            "front_ports",
            Whole,
            "ports at its front; empty for a shelf",
            |plant, row, cell| {
                cell.show_some(row.ports(plant).map(|(front, _)| front));
            },
        ),
        Col::new("front_adapter", Text, "what a plug meets in them", |plant, row, cell| {
            cell.show_some(row.front_adapter(plant));
        }),
        Col::new(
            "rear_ports",
            Whole,
            "ports at its rear; empty for a shelf",
            |plant, row, cell| {
                cell.show_some(row.ports(plant).map(|(_, rear)| rear));
            },
        ),
        Col::new("rear_adapter", Text, "what a plug meets in them", |plant, row, cell| {
            if row.has_rear(plant) {
                cell.text(adapter(Connector::Mpo(Gender::Male)));
            }
        }),
        Col::new("rear_gender", Text, "gender of the rear ports", |plant, row, cell| {
            if row.has_rear(plant) {
                cell.text(Gender::Male.name());
            }
        }),
        Col::new(
            "map",
            Text,
            "the rows of `maps.csv` that say how its ports are joined",
            |plant, row, cell| {
                cell.show_some(row.thing().map(|id| map_name(plant, id)));
            },
        ),
        Col::new(
            "splitters",
            Text,
            "numbers of its splitters, in order; the front ports of a splitter module are, splitter by splitter, its \
             input and then its outputs; `dark`: its ToR left when the plan shrank",
            |plant, row, cell| cell.show_some(row.thing().map(|id| splitters(plant, id))),
        ),
    ],
};

/// The content of the file.
pub fn csv(plant: &Plant) -> Vec<u8> {
    let shelves = plant.shelves().into_iter().map(|(rack, unit)| Row::Shelf(rack, unit.0));
    let things = (0..).map(ThingId).take(plant.things().len());
    let things = things.filter(|&id| plant.is_hardware(id)).map(Row::Thing);
    TABLE.csv(plant, shelves.chain(things))
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
