//! `trunks.csv`: every trunk with both ends.

use lightloom_plant::end_labels::cable_label;
use lightloom_plant::{Cable, CableKind, Connector, Plant, Trunk};
use lightloom_tables::table::Kind::{Real, Text, Whole};
use lightloom_tables::table::{Column, Rows, Table};
use lightloom_units::Length;

use crate::cables::tray_names;
use crate::papers::jacket::{COLOUR, bend_radius, millimetres, rating};
use crate::papers::place::At;

/// The file's name in a plan folder.
pub const FILE: &str = TABLE.file;

/// By how much each connector of a trunk is longer than the one before it, so that no two connectors lie side by
/// side while the trunk is pulled.
const STAGGER: Length = Length::from_mm(50);

/// The rows of the file.
pub struct Trunks;

impl Rows for Trunks {
    type Row<'a> = Row<'a>;
    type Given<'a> = &'a Plant;
}

/// A trunk.
pub struct Row<'a> {
    cable: &'a Cable,
    trunk: &'a Trunk,
}

impl Row<'_> {
    /// The near end is 0.
    fn at<'a>(&self, plant: &'a Plant, end: usize) -> At<'a> {
        At::of(plant, self.cable.ends[end])
    }

    fn connector(&self, plant: &Plant) -> Connector {
        plant.connector(self.cable.ends[0])
    }

    /// Connectors at each end.
    fn connectors(&self) -> u16 {
        self.trunk.fibres / Connector::MPO_FIBRES
    }
}

type Col = Column<Trunks>;

/// The columns.
pub const TABLE: Table<Trunks> = Table {
    file: "trunks.csv",
    about: "each trunk, with both ends. The near end is at the row. Connectors that are not plugged in stay at both \
            ends as spares",
    columns: &[
        Col::new("label", Text, "its label", |plant, row, cell| {
            cell.text(&cable_label(plant, row.cable))
        }),
        Col::new("fibres", Whole, "its fibres", |_, row, cell| cell.show(row.trunk.fibres)),
        Col::new("connectors", Whole, "connectors at each end", |_, row, cell| {
            cell.show(row.connectors())
        }),
        Col::new("plugged", Whole, "connectors that are plugged in", |_, row, cell| {
            cell.show(row.trunk.legs.len())
        }),
        Col::new("lit", Whole, "strands that carry a fibre", |_, row, cell| {
            cell.show(row.trunk.strands.iter().flatten().count());
        }),
        Col::new("connector", Text, "kind of its connectors", |plant, row, cell| {
            cell.text(row.connector(plant).name())
        }),
        Col::new("polish", Text, "their polish", |plant, row, cell| {
            cell.text(row.connector(plant).polish().name())
        }),
        Col::new("gender", Text, "their gender", |plant, row, cell| {
            cell.text(row.connector(plant).gender().map_or("", |gender| gender.name()));
        }),
        Col::new("key", Text, "their keys at both ends", |_, _, cell| {
            cell.text("up at one end, down at the other")
        }),
        Col::new("near_row", Text, "row at the near end", |plant, row, cell| {
            row.at(plant, 0).row(cell)
        }),
        Col::new("near_rack", Text, "rack at the near end", |plant, row, cell| {
            row.at(plant, 0).rack(cell)
        }),
        Col::new("near_unit", Whole, "rack unit there", |plant, row, cell| {
            row.at(plant, 0).unit(cell)
        }),
        Col::new("near_module", Text, "module of the first connector there", |plant, row, cell| {
            row.at(plant, 0).module(cell)
        }),
        Col::new("far_row", Text, "row at the far end", |plant, row, cell| {
            row.at(plant, 1).row(cell)
        }),
        Col::new("far_rack", Text, "rack at the far end", |plant, row, cell| {
            row.at(plant, 1).rack(cell)
        }),
        Col::new("far_unit", Whole, "rack unit there", |plant, row, cell| {
            row.at(plant, 1).unit(cell)
        }),
        Col::new("far_module", Text, "module of the first connector there", |plant, row, cell| {
            row.at(plant, 1).module(cell)
        }),
        Col::new("length_m", Real, "routed length, in metres", |_, row, cell| {
            cell.text(&row.cable.length.to_metres_string());
        }),
        Col::new("stock_m", Real, "length to order, in metres", |_, row, cell| {
            cell.text(&row.cable.stock.to_metres_string());
        }),
        Col::new(
            "stagger_m",
            Real,
            "by how much the last connector is longer than the first",
            |_, row, cell| {
                cell.text(&(STAGGER * u64::from(row.connectors() - 1)).to_metres_string());
            },
        ),
        Col::new("colour", Text, "colour of the jacket", |_, _, cell| cell.text(COLOUR)),
        Col::new(
            "jacket",
            Text,
            "rating of the jacket, by the places that it runs through",
            |plant, row, cell| {
                cell.text(rating(plant, row.cable));
            },
        ),
        Col::new("diameter_mm", Real, "diameter, in millimetres", |plant, row, cell| {
            cell.text(&millimetres(plant.diameter(row.cable)));
        }),
        Col::new(
            "bend_radius_mm",
            Real,
            "least radius of a bend, in millimetres",
            |plant, row, cell| {
                cell.text(&millimetres(bend_radius(plant, row.cable)));
            },
        ),
        Col::new(
            "trays",
            Text,
            "trays and ways from the near end, `; ` between them",
            |plant, row, cell| {
                cell.text(&tray_names(plant, &plant.cable_runs(row.cable)));
            },
        ),
    ],
};

/// The content of the file.
pub fn csv(plant: &Plant) -> Vec<u8> {
    let trunks = plant.cables().iter().filter_map(|cable| match cable.kind {
        CableKind::Trunk(number) => Some(Row { cable, trunk: &plant.trunks()[number as usize] }),
        CableKind::Cord(..) => None,
    });
    TABLE.csv(plant, trunks)
}
