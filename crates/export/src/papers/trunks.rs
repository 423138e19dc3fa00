//! `trunks.csv`: every trunk with both ends.

use lightloom_plan::end_labels::{cable_label, module_label};
use lightloom_plant::{CableKind, Connector, Plant};
use lightloom_tables::sheet::Sheet;
use lightloom_units::Length;

use crate::cables::tray_names;
use crate::papers::jacket::{COLOUR, bend_radius, millimetres, rating};

/// The file's name in a plan folder.
pub const FILE: &str = "trunks.csv";

/// By how much each connector of a trunk is longer than the one before it, so that no two connectors lie side by
/// side while the trunk is pulled.
const STAGGER: Length = Length::from_mm(50);

/// The content of the file, one row a trunk. The near end is at the row. Connectors that are not plugged in stay at
/// both ends as spares.
pub fn csv(plant: &Plant) -> Vec<u8> {
    let mut sheet = Sheet::new([
        "label",
        "fibres",
        "connectors",
        "plugged",
        "lit",
        "connector",
        "polish",
        "gender",
        "key",
        "near_row",
        "near_rack",
        "near_unit",
        "near_module",
        "far_row",
        "far_rack",
        "far_unit",
        "far_module",
        "length_m",
        "stock_m",
        "stagger_m",
        "colour",
        "jacket",
        "diameter_mm",
        "bend_radius_mm",
        "trays",
    ]);
    let hall = &plant.site().hall;
    for cable in plant.cables() {
        let CableKind::Trunk(number) = cable.kind else { continue };
        let trunk = &plant.trunks()[number as usize];
        let connector = plant.connector(cable.ends[0]);
        let connectors = trunk.fibres / Connector::MPO_FIBRES;
        let [near, far] = cable.ends.map(|end| {
            let thing = plant.thing(end.thing);
            let rack = hall.rack(thing.rack);
            [
                hall.row_name(rack.row),
                rack.name.to_string(),
                thing.unit.to_string(),
                module_label(plant, end.thing),
            ]
        });
        let ([n0, n1, n2, n3], [f0, f1, f2, f3]) = (near, far);
        sheet.row([
            cable_label(plant, cable).into(),
            trunk.fibres.to_string().into(),
            connectors.to_string().into(),
            trunk.legs.len().to_string().into(),
            trunk.strands.iter().flatten().count().to_string().into(),
            connector.name().into(),
            connector.polish().name().into(),
            connector.gender().map_or("", |gender| gender.name()).into(),
            "up at one end, down at the other".into(),
            n0.into(),
            n1.into(),
            n2.into(),
            n3.into(),
            f0.into(),
            f1.into(),
            f2.into(),
            f3.into(),
            cable.length.to_metres_string().into(),
            cable.stock.to_metres_string().into(),
            (STAGGER * u64::from(connectors - 1)).to_metres_string().into(),
            COLOUR.into(),
            rating(plant, cable).into(),
            millimetres(plant.diameter(cable)).into(),
            millimetres(bend_radius(plant, cable)).into(),
            tray_names(plant, &plant.cable_runs(cable)).into(),
        ]);
    }
    sheet.into_bytes()
}
