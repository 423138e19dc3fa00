//! `cords.csv`: every cord with both ends.

use lightloom_plant::end_labels::{cable_label, fibre_label};
use lightloom_plant::{Cable, CableKind, FibreId, Part, Plant};
use lightloom_tables::table::Kind::{Real, Text, Whole};
use lightloom_tables::table::{Column, Rows, Table};

use crate::cables::tray_names;
use crate::papers::jacket::{COLOUR, bend_radius, millimetres, rating};
use crate::papers::place::{At, both_labels, direction};

/// The file's name in a plan folder.
pub const FILE: &str = TABLE.file;

/// The rows of the file.
pub struct Cords;

impl Rows for Cords {
    type Row<'a> = Row<'a>;
    type Given<'a> = &'a Plant;
}

/// A cord, the fibre that it is of, and its part of that.
pub struct Row<'a> {
    cable: &'a Cable,
    fibre: FibreId,
    part: Part,
}

impl Row<'_> {
    /// The near end is 0.
    fn at<'a>(&self, plant: &'a Plant, end: usize) -> At<'a> {
        At::of(plant, self.cable.ends[end])
    }
}

type Col = Column<Cords>;

/// The columns.
pub const TABLE: Table<Cords> = Table {
    file: "cords.csv",
    about: "each cord, with both ends. The near end is where the light enters",
    columns: &[
        Col::new(
            "label",
            Text,
            "the fibre's label; a jumper has a `J` after it",
            |plant, cord, cell| {
                cell.text(&cable_label(plant, cord.cable));
            },
        ),
        Col::new("fibre", Text, "label of the fibre", |plant, cord, cell| {
            cell.text(&fibre_label(&plant.site().fabric, &plant.fibres()[cord.fibre.index()]));
        }),
        Col::new("part", Text, "`whole`, `drop` or `jumper`", |_, cord, cell| {
            cell.text(part_name(cord.part))
        }),
        Col::new("near_row", Text, "row at the near end", |plant, cord, cell| {
            cord.at(plant, 0).row(cell)
        }),
        Col::new("near_rack", Text, "rack at the near end", |plant, cord, cell| {
            cord.at(plant, 0).rack(cell)
        }),
        Col::new("near_unit", Whole, "rack unit there", |plant, cord, cell| {
            cord.at(plant, 0).unit(cell)
        }),
        Col::new(
            "near_slot",
            Whole,
            "slot of the shelf there; empty in a switch",
            |plant, cord, cell| cord.at(plant, 0).slot(cell),
        ),
        Col::new("near_module", Text, "module or switch there", |plant, cord, cell| {
            cord.at(plant, 0).module(cell)
        }),
        Col::new("near_side", Text, "its side: `front` or `rear`", |plant, cord, cell| {
            cord.at(plant, 0).side(cell)
        }),
        Col::new("near_port", Whole, "the port on that side", |plant, cord, cell| {
            cord.at(plant, 0).port(cell)
        }),
        Col::new(
            "near_direction",
            Text,
            "`Tx`: light comes out of the port there; `Rx`: it goes in",
            |_, _, cell| cell.text(direction(true)),
        ),
        Col::new("near_connector", Text, "connector of the cable there", |plant, cord, cell| {
            cord.at(plant, 0).connector(cell)
        }),
        Col::new("near_polish", Text, "polish of that connector", |plant, cord, cell| {
            cord.at(plant, 0).polish(cell)
        }),
        Col::new("far_row", Text, "row at the far end", |plant, cord, cell| {
            cord.at(plant, 1).row(cell)
        }),
        Col::new("far_rack", Text, "rack at the far end", |plant, cord, cell| {
            cord.at(plant, 1).rack(cell)
        }),
        Col::new("far_unit", Whole, "rack unit there", |plant, cord, cell| {
            cord.at(plant, 1).unit(cell)
        }),
        Col::new(
            "far_slot",
            Whole,
            "slot of the shelf there; empty in a switch",
            |plant, cord, cell| cord.at(plant, 1).slot(cell),
        ),
        Col::new("far_module", Text, "module or switch there", |plant, cord, cell| {
            cord.at(plant, 1).module(cell)
        }),
        Col::new("far_side", Text, "its side: `front` or `rear`", |plant, cord, cell| {
            cord.at(plant, 1).side(cell)
        }),
        Col::new("far_port", Whole, "the port on that side", |plant, cord, cell| {
            cord.at(plant, 1).port(cell)
        }),
        Col::new(
            "far_direction",
            Text,
            "`Tx`: light comes out of the port there; `Rx`: it goes in",
            |_, _, cell| cell.text(direction(false)),
        ),
        Col::new("far_connector", Text, "connector of the cable there", |plant, cord, cell| {
            cord.at(plant, 1).connector(cell)
        }),
        Col::new("far_polish", Text, "polish of that connector", |plant, cord, cell| {
            cord.at(plant, 1).polish(cell)
        }),
        Col::new(
            "length_m",
            Real,
            "routed length: trays, drops, entries and slack, in metres",
            |_, cord, cell| {
                cell.text(&cord.cable.length.to_metres_string());
            },
        ),
        Col::new("stock_m", Real, "length to order, in metres", |_, cord, cell| {
            cell.text(&cord.cable.stock.to_metres_string());
        }),
        Col::new("colour", Text, "colour of the jacket", |_, _, cell| cell.text(COLOUR)),
        Col::new(
            "jacket",
            Text,
            "rating of the jacket, by the places that it runs through",
            |plant, cord, cell| {
                cell.text(rating(plant, cord.cable));
            },
        ),
        Col::new("diameter_mm", Real, "diameter, in millimetres", |plant, cord, cell| {
            cell.text(&millimetres(plant.diameter(cord.cable)));
        }),
        Col::new(
            "bend_radius_mm",
            Real,
            "least radius of a bend, in millimetres",
            |plant, cord, cell| {
                cell.text(&millimetres(bend_radius(plant, cord.cable)));
            },
        ),
        Col::new("near_label", Text, "label at the near end: near / far", |plant, cord, cell| {
            cell.text(&both_labels(plant, cord.cable.ends)[0]);
        }),
        Col::new("far_label", Text, "label at the far end: far / near", |plant, cord, cell| {
            cell.text(&both_labels(plant, cord.cable.ends)[1]);
        }),
        Col::new(
            "trays",
            Text,
            "trays and ways from the near end, `; ` between them",
            |plant, cord, cell| {
                cell.text(&tray_names(plant, &plant.cable_runs(cord.cable)));
            },
        ),
    ],
};

/// The content of the file.
pub fn csv(plant: &Plant) -> Vec<u8> {
    let cords = plant.cables().iter().filter_map(|cable| match cable.kind {
        CableKind::Cord(fibre, part) => Some(Row { cable, fibre, part }),
        CableKind::Trunk(_) => None,
    });
    TABLE.csv(plant, cords)
}

fn part_name(part: Part) -> &'static str {
    match part {
        Part::Whole => "whole",
        Part::Drop => "drop",
        Part::Jumper => "jumper",
    }
}
