//! `cords.csv`: every cord with both ends.

use lightloom_plan::end_labels::{cable_label, fibre_label};
use lightloom_plant::{CableKind, Part, Plant};

use crate::cables::tray_names;
use crate::papers::jacket::{COLOUR, bend_radius, millimetres, rating};
use crate::papers::place::{both_labels, cells, direction};
use crate::sheet::Sheet;

/// The file's name in a plan folder.
pub const FILE: &str = "cords.csv";

/// The content of the file, one row a cord. The near end is where the light enters.
pub fn csv(plant: &Plant<'_>) -> Vec<u8> {
    let mut sheet = Sheet::new([
        "label",
        "fibre",
        "part",
        "near_row",
        "near_rack",
        "near_unit",
        "near_slot",
        "near_module",
        "near_side",
        "near_port",
        "near_direction",
        "near_connector",
        "near_polish",
        "far_row",
        "far_rack",
        "far_unit",
        "far_slot",
        "far_module",
        "far_side",
        "far_port",
        "far_direction",
        "far_connector",
        "far_polish",
        "length_m",
        "stock_m",
        "colour",
        "jacket",
        "diameter_mm",
        "bend_radius_mm",
        "near_label",
        "far_label",
        "trays",
    ]);
    for cable in plant.cables() {
        let CableKind::Cord(fibre, part) = cable.kind else { continue };
        let [near, far] = cable.ends;
        let [n0, n1, n2, n3, n4, n5, n6, n7, n8, n9] = cells(plant, near, direction(true));
        let [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9] = cells(plant, far, direction(false));
        let [near_label, far_label] = both_labels(plant, cable.ends);
        sheet.row([
            cable_label(plant, cable).into(),
            fibre_label(plant.site().fabric, &plant.fibres()[fibre.index()]).into(),
            part_name(part).into(),
            n0,
            n1,
            n2,
            n3,
            n4,
            n5,
            n6,
            n7,
            n8,
            n9,
            f0,
            f1,
            f2,
            f3,
            f4,
            f5,
            f6,
            f7,
            f8,
            f9,
            cable.length.to_metres_string().into(),
            cable.stock.to_metres_string().into(),
            COLOUR.into(),
            rating(plant, cable).into(),
            millimetres(plant.diameter(cable)).into(),
            millimetres(bend_radius(plant, cable)).into(),
            near_label.into(),
            far_label.into(),
            tray_names(plant, &plant.cable_runs(cable)).into(),
        ]);
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
