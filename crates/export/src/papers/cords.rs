//! `cords.csv`: every cord with both ends.

use std::borrow::Cow;

use lightloom_plan::end_labels::{cable_label, fibre_label};
use lightloom_plant::{CableKind, Part, Plant};
use lightloom_tables::sheet::Sheet;

use crate::cables::tray_names;
use crate::papers::jacket::{COLOUR, bend_radius, millimetres, rating};
use crate::papers::place::{COLUMNS, both_labels, cells, direction};

/// The file's name in a plan folder.
pub const FILE: &str = "cords.csv";

/// The content of the file, one row a cord. The near end is where the light enters.
pub fn csv(plant: &Plant) -> Vec<u8> {
    let of = |end: &str| COLUMNS.map(|column| format!("{end}_{column}"));
    let ends = [of("near"), of("far")].concat();
    let ends = ends.iter().map(String::as_str);
    let mut sheet = Sheet::new(["label", "fibre", "part"].into_iter().chain(ends).chain([
        "length_m",
        "stock_m",
        "colour",
        "jacket",
        "diameter_mm",
        "bend_radius_mm",
        "near_label",
        "far_label",
        "trays",
    ]));
    for cable in plant.cables() {
        let CableKind::Cord(fibre, part) = cable.kind else { continue };
        let [near, far] = cable.ends;
        let [near_label, far_label] = both_labels(plant, cable.ends);
        let name: [Cow<'_, str>; 3] = [
            cable_label(plant, cable).into(),
            fibre_label(&plant.site().fabric, &plant.fibres()[fibre.index()]).into(),
            part_name(part).into(),
        ];
        let body: [Cow<'_, str>; 9] = [
            cable.length.to_metres_string().into(),
            cable.stock.to_metres_string().into(),
            COLOUR.into(),
            rating(plant, cable).into(),
            millimetres(plant.diameter(cable)).into(),
            millimetres(bend_radius(plant, cable)).into(),
            near_label.into(),
            far_label.into(),
            tray_names(plant, &plant.cable_runs(cable)).into(),
        ];
        let ends = [cells(plant, near, direction(true)), cells(plant, far, direction(false))];
        sheet.row(name.into_iter().chain(ends.into_iter().flatten()).chain(body));
    }
    sheet.into_bytes()
}

fn part_name(part: Part) -> &'static str {
    match part {
        Part::Whole => "whole",
        Part::Drop => "drop",
        Part::Jumper => "jumper",
    }
}
