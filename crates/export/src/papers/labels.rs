//! `labels.csv`: one row for each label that is printed.

use lightloom_plan::end_labels::{cable_label, module_label, port_label};
use lightloom_plant::{CableKind, Connector, End, Plant, ThingId};
use lightloom_tables::sheet::Sheet;

use crate::papers::place::{direction, is_switch};

/// The file's name in a plan folder.
pub const FILE: &str = "labels.csv";

/// The content of the file. Programs of label printers import each row as one label: three lines of text, and the
/// identifier after TIA-606, which names this end first. A connector of a trunk has a label of its own.
pub fn csv(plant: &Plant) -> Vec<u8> {
    let mut sheet =
        Sheet::new(["item", "end", "line_1", "line_2", "line_3", "identifier", "copies"]);
    for cable in plant.cables() {
        let label = cable_label(plant, cable);
        match cable.kind {
            CableKind::Cord(..) => {
                let ways = [direction(true), direction(false)];
                add_ends(&mut sheet, plant, &label, cable.ends, ways);
            }
            CableKind::Trunk(number) => {
                let trunk = &plant.trunks()[number as usize];
                let per_leg = usize::from(Connector::MPO_FIBRES);
                for ((leg, strands), at) in
                    trunk.legs.iter().zip(trunk.strands.chunks(per_leg)).zip(1..)
                {
                    let feeds =
                        strands.iter().flatten().map(|f| plant.fibres()[f.index()].is_feed());
                    let (feeds, branches): (Vec<bool>, Vec<bool>) = feeds.partition(|&feed| feed);
                    let ways = match (feeds.is_empty(), branches.is_empty()) {
                        (true, true) => ["dark", "dark"],
                        (false, true) => ["Tx", "Rx"],
                        (true, false) => ["Rx", "Tx"],
                        (false, false) => ["Tx and Rx", "Rx and Tx"],
                    };
                    add_ends(&mut sheet, plant, &format!("{label}.{at}"), leg.ends, ways);
                }
            }
        }
    }
    for (at, thing) in (0..).zip(plant.things()).filter(|(_, thing)| !is_switch(thing.kind)) {
        let rack = plant.site().hall.rack(thing.rack);
        let identifier = module_label(plant, ThingId(at));
        sheet.row([
            "module".into(),
            "".into(),
            identifier.clone().into(),
            rack.name.as_str().into(),
            format!("U{}", thing.unit).into(),
            identifier.into(),
            "1".into(),
        ]);
    }
    sheet.into_bytes()
}

/// Adds the labels of both ends of a cable or connector.
fn add_ends(sheet: &mut Sheet, plant: &Plant, label: &str, ends: [End; 2], ways: [&str; 2]) {
    let [near, far] = ends.map(|end| port_label(plant, end));
    for (end, here, there, way) in [("near", &near, &far, ways[0]), ("far", &far, &near, ways[1])] {
        sheet.row([
            label.into(),
            end.into(),
            format!("{label} {way}").into(),
            here.as_str().into(),
            there.as_str().into(),
            format!("{here} / {there}").into(),
            "1".into(),
        ]);
    }
}
