//! Jackets of cables: rating, colour and bend.

use lightloom_plant::{Cable, CableKind, Plant};
use lightloom_topology::hall::{PathwayKind, TrayId, TrayLevel};
use lightloom_units::Length;

/// Rating of a jacket for the places that a cable runs through (NFPA 70, article 770): plenum below a raised floor,
/// riser between floors, and the general one elsewhere.
pub(super) fn rating(plant: &Plant, cable: &Cable) -> &'static str {
    let hall = &plant.site().hall;
    let kind = |tray| match tray {
        TrayId::Way(way) => hall.building().way(way).kind,
        TrayId::Row(_) | TrayId::Cross(_) => match hall.room_of_tray(tray) {
            Some(room) if hall.building().room(room).trays == TrayLevel::Floor => {
                PathwayKind::UnderFloor
            }
            _ => PathwayKind::Tray,
        },
    };
    let kinds: Vec<PathwayKind> =
        plant.cable_runs(cable).iter().map(|run| kind(run.tray)).collect();
    if kinds.contains(&PathwayKind::UnderFloor) {
        "OFNP"
    } else if kinds.contains(&PathwayKind::Riser) {
        "OFNR"
    } else {
        "OFN"
    }
}

/// Colour of the jackets of single-mode fibre (TIA-598-D).
pub(super) const COLOUR: &str = "yellow";

/// Least bend radius of an installed cable without load (TIA-568.3-D): 25 mm for up to four fibres, ten times the
/// diameter for more.
pub(super) fn bend_radius(plant: &Plant, cable: &Cable) -> Length {
    match cable.kind {
        CableKind::Cord(..) => Length::from_mm(25),
        CableKind::Trunk(_) => plant.diameter(cable) * 10,
    }
}

/// A length in millimetres.
pub(super) fn millimetres(length: Length) -> String {
    let um = length.as_um();
    match um % 1_000 {
        0 => (um / 1_000).to_string(),
        rest => {
            let text = format!("{}.{rest:03}", um / 1_000);
            text.trim_end_matches('0').to_owned()
        }
    }
}
