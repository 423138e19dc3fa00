//! Jackets of cables: rating, colour and bend.

use lightloom_plant::{Cable, CableKind, Plant};
use lightloom_units::Length;

/// Rating of a jacket for the places that a cable runs through (NFPA 70, article 770): trays of a room take the
/// general one.
pub(super) fn rating(_plant: &Plant<'_>, _cable: &Cable) -> &'static str {
    "OFN"
}

/// Colour of the jackets of single-mode fibre (TIA-598-D).
pub(super) const COLOUR: &str = "yellow";

/// Least bend radius of an installed cable without load (TIA-568.3-D): 25 mm for up to four fibres, ten times the
/// diameter for more.
pub(super) fn bend_radius(plant: &Plant<'_>, cable: &Cable) -> Length {
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
