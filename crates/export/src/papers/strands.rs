//! `strands.csv`: every fibre of every trunk.

use lightloom_plant::end_labels::{cable_label, fibre_label};
use lightloom_plant::{Cable, CableKind, Connector, Fibre, Leg, Plant};
use lightloom_tables::table::Kind::{Text, Whole};
use lightloom_tables::table::{Column, Rows, Table};

use crate::papers::place::{At, direction};

/// The file's name in a plan folder.
pub const FILE: &str = TABLE.file;

/// The rows of the file.
pub struct Strands;

impl Rows for Strands {
    type Row<'a> = Row<'a>;
    type Given<'a> = &'a Plant;
}

/// A fibre of a trunk.
pub struct Row<'a> {
    cable: &'a Cable,
    leg: &'a Leg,
    /// Its place in the trunk, from 0.
    place: usize,
    /// The fibre of the fabric that it carries.
    carries: Option<&'a Fibre>,
}

impl Row<'_> {
    /// The near end is 0.
    fn at<'a>(&self, plant: &'a Plant, end: usize) -> At<'a> {
        At::of(plant, self.leg.ends[end])
    }

    /// Its position in the connector, the same at both ends.
    fn position(&self) -> usize {
        self.place % usize::from(Connector::MPO_FIBRES) + 1
    }

    /// The direction at an end; empty for a dark one. The near end is at the row: light of a feed enters there, light
    /// of a branch leaves there.
    fn direction(&self, is_near: bool) -> &'static str {
        self.carries.map_or("", |fibre| direction(fibre.is_feed() == is_near))
    }
}

type Col = Column<Strands>;

/// The columns.
pub const TABLE: Table<Strands> = Table {
    file: "strands.csv",
    about: "each fibre of each trunk. Position n of a connector is position n at the other end",
    columns: &[
        Col::new("trunk", Text, "label of the trunk", |plant, row, cell| {
            cell.text(&cable_label(plant, row.cable))
        }),
        Col::new("strand", Whole, "the fibre of the trunk, from 1", |_, row, cell| {
            cell.show(row.place + 1)
        }),
        Col::new(
            "carries",
            Text,
            "label of the fibre that it carries, or `dark`",
            |plant, row, cell| match row.carries {
                Some(fibre) => cell.text(&fibre_label(&plant.site().fabric, fibre)),
                None => cell.text("dark"),
            },
        ),
        Col::new("near_module", Text, "module at the near end", |plant, row, cell| {
            row.at(plant, 0).module(cell)
        }),
        Col::new("near_side", Text, "its side: `front` or `rear`", |plant, row, cell| {
            row.at(plant, 0).side(cell)
        }),
        Col::new("near_port", Whole, "the port on that side", |plant, row, cell| {
            row.at(plant, 0).port(cell)
        }),
        Col::new("near_position", Whole, "position in the connector, from 1", |_, row, cell| {
            cell.show(row.position())
        }),
        Col::new(
            "near_direction",
            Text,
            "`Tx`: light comes out of the port there; `Rx`: it goes in; empty if dark",
            |_, row, cell| {
                cell.text(row.direction(true));
            },
        ),
        Col::new("far_module", Text, "module at the far end", |plant, row, cell| {
            row.at(plant, 1).module(cell)
        }),
        Col::new("far_side", Text, "its side: `front` or `rear`", |plant, row, cell| {
            row.at(plant, 1).side(cell)
        }),
        Col::new("far_port", Whole, "the port on that side", |plant, row, cell| {
            row.at(plant, 1).port(cell)
        }),
        Col::new("far_position", Whole, "position in the connector, from 1", |_, row, cell| {
            cell.show(row.position())
        }),
        Col::new(
            "far_direction",
            Text,
            "`Tx`: light comes out of the port there; `Rx`: it goes in; empty if dark",
            |_, row, cell| {
                cell.text(row.direction(false));
            },
        ),
    ],
};

/// The content of the file.
pub fn csv(plant: &Plant) -> Vec<u8> {
    let strands = plant.cables().iter().flat_map(|cable| {
        let trunk = match cable.kind {
            CableKind::Trunk(number) => plant.trunks().get(number as usize),
            CableKind::Cord(..) => None,
        };
        trunk.into_iter().flat_map(move |trunk| {
            trunk.strands.iter().enumerate().map(move |(place, carries)| {
                let leg = &trunk.legs[place / usize::from(Connector::MPO_FIBRES)];
                let carries = carries.map(|fibre| &plant.fibres()[fibre.index()]);
                Row { cable, leg, place, carries }
            })
        })
    });
    TABLE.csv(plant, strands)
}
