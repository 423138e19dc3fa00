//! The cables, each with both ends.

use lightloom_plant::end_labels::{cable_label, fibre_label};
use lightloom_plant::{CableKind, End, Part, Plant};
use lightloom_units::Length;

use crate::netbox::names::Names;
use crate::netbox::ports::component;
use crate::netbox::table::Table;

/// The file with the cables.
pub(super) const FILE: &str = "11-cables.csv";

/// Yellow, the colour of jackets of single-mode fibre (TIA-598-D), as NetBox writes it.
const YELLOW: &str = "ffeb3b";

/// One row for each cord, and one for each plugged connector of a trunk. NetBox has a cable for each pair of ports
/// with all their positions.
pub(super) fn csv(plant: &Plant, names: &Names) -> Vec<u8> {
    let mut table = Table::new(&[
        "side_a_site",
        "side_a_device",
        "side_a_type",
        "side_a_name",
        "side_b_site",
        "side_b_device",
        "side_b_type",
        "side_b_name",
        "type",
        "status",
        "label",
        "color",
        "length",
        "length_unit",
        "description",
    ]);
    let site = |end: End| names.site(plant.thing(end.thing).rack);
    let mut row = |[a, b]: [End; 2], label: &str, length: Length, description: &str| {
        let [of_a, of_b] = [a, b].map(|end| component(plant, end));
        let (device_a, device_b) = (names.thing(a.thing), names.thing(b.thing));
        table.row(&[
            site(a),
            device_a,
            of_a.kind,
            &of_a.name,
            site(b),
            device_b,
            of_b.kind,
            &of_b.name,
            "smf-os2",
            "planned",
            label,
            YELLOW,
            &metres(length),
            "m",
            description,
        ]);
    };
    for cable in plant.cables() {
        let label = cable_label(plant, cable);
        match cable.kind {
            CableKind::Cord(fibre, part) => {
                let fibre = fibre_label(&plant.site().fabric, &plant.fibres()[fibre.index()]);
                let description = match part {
                    Part::Whole => format!("fibre {fibre}"),
                    Part::Drop => format!("drop of fibre {fibre}"),
                    Part::Jumper => format!("jumper of fibre {fibre}"),
                };
                row(cable.ends, &label, cable.stock, &description);
            }
            CableKind::Trunk(number) => {
                let trunk = &plant.trunks()[number as usize];
                for (connector, leg) in (1..).zip(&trunk.legs) {
                    let description = format!(
                        "connector {connector} of trunk {label}, which has {} fibres",
                        trunk.fibres
                    );
                    row(leg.ends, &format!("{label}.{connector}"), cable.stock, &description);
                }
            }
        }
    }
    table.into_bytes()
}

/// A length in metres, rounded up to centimetres: NetBox keeps two decimals, and refuses more.
fn metres(length: Length) -> String {
    let centimetres = length.as_um().div_ceil(10_000);
    format!("{}.{:02}", centimetres / 100, centimetres % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_rounded_up_to_centimetres() {
        for (um, text) in [(0, "0.00"), (1, "0.01"), (10_000, "0.01"), (12_345_678, "12.35")] {
            assert_eq!(metres(Length::from_um(um)), text);
        }
    }
}
