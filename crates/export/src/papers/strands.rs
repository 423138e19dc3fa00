//! `strands.csv`: every fibre of every trunk.

use lightloom_plan::end_labels::{cable_label, fibre_label, module_label};
use lightloom_plant::{CableKind, Connector, Plant};
use lightloom_tables::sheet::Sheet;

use crate::papers::place::{direction, number, side};

/// The file's name in a plan folder.
pub const FILE: &str = "strands.csv";

/// The content of the file, one row a fibre of a trunk. `carries` is the fibre of the fabric, or `dark`. Directions
/// are empty for dark ones. Position n of a connector is position n at the other end.
pub fn csv(plant: &Plant) -> Vec<u8> {
    let mut sheet = Sheet::new([
        "trunk",
        "strand",
        "carries",
        "near_module",
        "near_side",
        "near_port",
        "near_position",
        "near_direction",
        "far_module",
        "far_side",
        "far_port",
        "far_position",
        "far_direction",
    ]);
    for cable in plant.cables() {
        let CableKind::Trunk(trunk_number) = cable.kind else { continue };
        let trunk = &plant.trunks()[trunk_number as usize];
        let label = cable_label(plant, cable);
        for (at, carries) in trunk.strands.iter().enumerate() {
            let per_leg = usize::from(Connector::MPO_FIBRES);
            let (leg, position) = (&trunk.legs[at / per_leg], at % per_leg + 1);
            let fibre = carries.map(|fibre| &plant.fibres()[fibre.index()]);
            // The near end is at the row: light of a feed enters there, light of a branch leaves there.
            let towards_frame = fibre.map(|fibre| fibre.is_feed());
            let [near, far] = leg.ends;
            let way = |is_near: bool| towards_frame.map_or("", |feed| direction(feed == is_near));
            sheet.row([
                label.as_str().into(),
                (at + 1).to_string().into(),
                fibre
                    .map_or_else(|| "dark".into(), |fibre| fibre_label(&plant.site().fabric, fibre))
                    .into(),
                module_label(plant, near.thing).into(),
                side(near.port).into(),
                number(near.port).to_string().into(),
                position.to_string().into(),
                way(true).into(),
                module_label(plant, far.thing).into(),
                side(far.port).into(),
                number(far.port).to_string().into(),
                position.to_string().into(),
                way(false).into(),
            ]);
        }
    }
    sheet.into_bytes()
}
