//! `pull-sheet.csv`: the cables to pull, row by row.

use lightloom_plant::end_labels::{cable_label, port_label};
use lightloom_plant::{Cable, Plant};
use lightloom_tables::table::Kind::{Real, Text};
use lightloom_tables::table::{Cell, Column, Rows, Table};
use lightloom_topology::RackId;
use lightloom_topology::hall::{Name, Rack};

use crate::cables::tray_names;

/// The file's name in a plan folder.
pub const FILE: &str = TABLE.file;

/// The rows of the file.
pub struct Pulls;

impl Rows for Pulls {
    type Row<'a> = &'a Cable;
    type Given<'a> = &'a Plant;
}

/// The racks at both ends.
fn racks(plan: &Plant, cable: &Cable) -> [RackId; 2] {
    cable.ends.map(|end| plan.thing(end.thing).rack)
}

/// The rack at an end: 0 is the near one.
fn rack<'a>(plan: &'a Plant, cable: &Cable, end: usize) -> &'a Rack {
    plan.site().hall.rack(racks(plan, cable)[end])
}

/// Adds the name of the row at an end.
fn row(plan: &Plant, cable: &Cable, end: usize, cell: &mut Cell) {
    cell.text(plan.site().hall.row(rack(plan, cable, end).row).name.as_str());
}

/// Adds the name of the room at an end.
fn room(plan: &Plant, cable: &Cable, end: usize, cell: &mut Cell) {
    cell.text(plan.site().hall.room_name(racks(plan, cable)[end]).map_or("", Name::as_str));
}

fn has_rooms(plan: &Plant) -> bool {
    plan.site().hall.building().rooms.len() > 1
}

type Col = Column<Pulls>;

/// The columns.
pub const TABLE: Table<Pulls> = Table {
    file: "pull-sheet.csv",
    about: "each cable to pull, a cord or a trunk. Cables of one run follow each other: by the row of the near end, \
            then by that of the far end, then by the racks at both ends",
    columns: &[
        Col::new("row", Text, "row of the near end", |plan, cable, cell| row(plan, cable, 0, cell)),
        Col::new("rack", Text, "rack of the near end", |plan, cable, cell| {
            cell.text(rack(plan, cable, 0).name.as_str());
        }),
        Col::new("label", Text, "label of the cable", |plan, cable, cell| {
            cell.text(&cable_label(plan, cable));
        }),
        Col::new("near", Text, "port at the near end", |plan, cable, cell| {
            cell.text(&port_label(plan, cable.ends[0]));
        }),
        Col::new("far", Text, "port at the far end", |plan, cable, cell| {
            cell.text(&port_label(plan, cable.ends[1]));
        }),
        Col::new("to_row", Text, "row of the far end", |plan, cable, cell| {
            row(plan, cable, 1, cell)
        }),
        Col::new("to_rack", Text, "rack of the far end", |plan, cable, cell| {
            cell.text(rack(plan, cable, 1).name.as_str());
        }),
        Col::new("length_m", Real, "routed length, in metres", |_, cable, cell| {
            cell.text(&cable.length.to_metres_string());
        }),
        Col::new("stock_m", Real, "length to order, in metres", |_, cable, cell| {
            cell.text(&cable.stock.to_metres_string());
        }),
        Col::new(
            "trays",
            Text,
            "trays and ways from the near end, `; ` between them",
            |plan, cable, cell| {
                cell.text(&tray_names(plan, &plan.cable_runs(cable)));
            },
        ),
        Col::only(
            "room",
            Text,
            "room of the near end",
            "where there are several rooms",
            has_rooms,
            |plan, cable, cell| room(plan, cable, 0, cell),
        ),
        Col::only(
            "to_room",
            Text,
            "room of the far end",
            "where there are several rooms",
            has_rooms,
            |plan, cable, cell| room(plan, cable, 1, cell),
        ),
    ],
};

/// The content of the file: every cord and trunk once.
pub fn csv(plan: &Plant) -> Vec<u8> {
    let hall = &plan.site().hall;
    let mut by_run: Vec<&Cable> = plan.cables().iter().collect();
    by_run.sort_by_key(|cable| {
        let racks = racks(plan, cable);
        (racks.map(|rack| hall.rack(rack).row), racks)
    });
    TABLE.csv(plan, by_run)
}
