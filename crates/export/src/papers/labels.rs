//! `labels.csv`: one row for each label that is printed.

use lightloom_plant::end_labels::{cable_label, module_label, port_label};
use lightloom_plant::{Cable, CableKind, Connector, End, Plant, ThingId, Trunk};
use lightloom_tables::table::Kind::{Text, Whole};
use lightloom_tables::table::{Column, Rows, Table};

use crate::papers::place::{direction, is_switch};

/// The file's name in a plan folder.
pub const FILE: &str = TABLE.file;

/// The rows of the file.
pub struct Labels;

impl Rows for Labels {
    type Row<'a> = Row;
    type Given<'a> = ();
}

/// A label.
pub struct Row {
    item: String,
    end: &'static str,
    lines: [String; 3],
    identifier: String,
}

type Col = Column<Labels>;

/// The columns.
pub const TABLE: Table<Labels> = Table {
    file: "labels.csv",
    about: "each label to print. Programs of label printers import each row as one label. A connector of a trunk has \
            a label of its own",
    columns: &[
        Col::new(
            "item",
            Text,
            "a cable, a connector of a trunk as `T3.2`, or `module`",
            |(), row, cell| {
                cell.text(&row.item);
            },
        ),
        Col::new("end", Text, "`near` or `far`; empty for a module", |(), row, cell| {
            cell.text(row.end)
        }),
        Col::new("line_1", Text, "first line of the label", |(), row, cell| {
            cell.text(&row.lines[0])
        }),
        Col::new("line_2", Text, "second line", |(), row, cell| cell.text(&row.lines[1])),
        Col::new("line_3", Text, "third line", |(), row, cell| cell.text(&row.lines[2])),
        Col::new(
            "identifier",
            Text,
            "after TIA-606: near end / far end, as seen from this end",
            |(), row, cell| {
                cell.text(&row.identifier);
            },
        ),
        Col::new("copies", Whole, "copies to print", |(), _, cell| cell.show(1)),
    ],
};

/// The content of the file.
pub fn csv(plant: &Plant) -> Vec<u8> {
    let cables = plant.cables().iter().flat_map(|cable| of_cable(plant, cable));
    let modules = (0..).zip(plant.things()).filter(|(_, thing)| !is_switch(thing.kind));
    let modules = modules.map(|(at, thing)| {
        let rack = plant.site().hall.rack(thing.rack);
        let identifier = module_label(plant, ThingId(at));
        let lines = [identifier.clone(), rack.name.to_string(), format!("U{}", thing.unit)];
        Row { item: "module".to_owned(), end: "", lines, identifier }
    });
    TABLE.csv((), cables.chain(modules))
}

/// The labels of a cord, or of each connector of a trunk.
fn of_cable(plant: &Plant, cable: &Cable) -> Vec<Row> {
    let label = cable_label(plant, cable);
    match cable.kind {
        CableKind::Cord(..) => {
            of_ends(plant, &label, cable.ends, [direction(true), direction(false)]).into()
        }
        CableKind::Trunk(number) => {
            let trunk = &plant.trunks()[number as usize];
            let connectors = trunk.legs.iter().enumerate();
            let labels = connectors.flat_map(|(at, leg)| {
                of_ends(plant, &format!("{label}.{}", at + 1), leg.ends, ways(plant, trunk, at))
            });
            labels.collect()
        }
    }
}

/// The directions at both ends of a connector of a trunk.
fn ways(plant: &Plant, trunk: &Trunk, connector: usize) -> [&'static str; 2] {
    let strands = trunk.strands.chunks(usize::from(Connector::MPO_FIBRES)).nth(connector);
    let carried = strands.into_iter().flatten().flatten();
    let feeds = carried.map(|fibre| plant.fibres()[fibre.index()].is_feed());
    let (feeds, branches): (Vec<bool>, Vec<bool>) = feeds.partition(|&feed| feed);
    match (feeds.is_empty(), branches.is_empty()) {
        (true, true) => ["dark", "dark"],
        (false, true) => ["Tx", "Rx"],
        (true, false) => ["Rx", "Tx"],
        (false, false) => ["Tx and Rx", "Rx and Tx"],
    }
}

/// The labels of both ends of a cable or connector.
fn of_ends(plant: &Plant, label: &str, ends: [End; 2], ways: [&str; 2]) -> [Row; 2] {
    let [near, far] = ends.map(|end| port_label(plant, end));
    let row = |end, here: &str, there: &str, way| Row {
        item: label.to_owned(),
        end,
        lines: [format!("{label} {way}"), here.to_owned(), there.to_owned()],
        identifier: format!("{here} / {there}"),
    };
    [row("near", &near, &far, ways[0]), row("far", &far, &near, ways[1])]
}
