//! `growth.csv` and `stages.json`: the cords that move, and the rules that change, of a plan that grew or shrank.

use lightloom_plan::growth::cords::CordRow;
use lightloom_plan::growth::staging::Staging;
use lightloom_tables::table::Kind::{Real, Text, Whole};
use lightloom_tables::table::{Column, Rows, Table};
use lightloom_units::Length;
use serde::Serialize;

/// The file of cords in a plan folder.
pub const CORDS: &str = "growth.csv";
/// The file of stages in a plan folder.
pub const STAGES: &str = "stages.json";
/// Value of `format` in the file of stages.
pub const FORMAT: &str = "lightloom-stages";
/// Version of that format.
pub const VERSION: u32 = 1;

/// The rows of `growth.csv`.
pub struct Cords;

impl Rows for Cords {
    /// A cord, and its place in its stage.
    type Row<'a> = Row<'a>;
    type Given<'a> = ();
}

/// A cord or trunk, and its place in the order of its stage, from 1.
type Row<'a> = (&'a CordRow, u32);

/// Label of an end: 0 is the near one.
fn end(of: Option<&(String, String)>, end: usize) -> &str {
    of.map_or("", |(near, far)| if end == 0 { near } else { far })
}

type Col = Column<Cords>;

/// The columns of `growth.csv`.
pub const TABLE: Table<Cords> = Table {
    file: CORDS,
    about: "each cord or trunk that is built, moved, plugged or taken out, in the order of work. Those that keep both \
            ends are not listed",
    columns: &[
        Col::new(
            "stage",
            Whole,
            "the stage in which it is touched; 0: before all stages",
            |(), row, cell| {
                cell.show(row.0.stage);
            },
        ),
        Col::new("order", Whole, "place in the order of the stage, from 1", |(), row, cell| {
            cell.show(row.1);
        }),
        Col::new("action", Text, "what happens to it", |(), row, cell| {
            cell.text(row.0.action.name())
        }),
        Col::new("label", Text, "its label", |(), row, cell| cell.text(&row.0.label)),
        Col::new("kind", Text, "what it carries", |(), row, cell| cell.text(row.0.kind.name())),
        Col::new(
            "tor",
            Whole,
            "the ToR whose light it carries afterwards; empty if it is taken out or is a trunk",
            |(), row, cell| cell.show_some(row.0.tor),
        ),
        Col::new(
            "old_near",
            Text,
            "label of its near end before; empty if it is new",
            |(), row, cell| {
                cell.text(end(row.0.old_ends.as_ref(), 0));
            },
        ),
        Col::new(
            "old_far",
            Text,
            "label of its far end before; empty if it is new",
            |(), row, cell| {
                cell.text(end(row.0.old_ends.as_ref(), 1));
            },
        ),
        Col::new(
            "new_near",
            Text,
            "label of its near end afterwards; empty if taken out",
            |(), row, cell| {
                cell.text(end(row.0.new_ends.as_ref(), 0));
            },
        ),
        Col::new(
            "new_far",
            Text,
            "label of its far end afterwards; empty if taken out",
            |(), row, cell| {
                cell.text(end(row.0.new_ends.as_ref(), 1));
            },
        ),
        Col::new("needed_m", Real, "routed length on its new way, in metres", |(), row, cell| {
            cell.show_some(row.0.needed.map(Length::to_metres_string));
        }),
        Col::new("there_m", Real, "stock length of the cord that is there", |(), row, cell| {
            cell.show_some(row.0.there.map(Length::to_metres_string));
        }),
        Col::new(
            "long_enough",
            Text,
            "whether the cord that is there reaches: `yes` or `no`; empty without one or without a new way",
            |(), row, cell| {
                let cord = row.0;
                if cord.there.is_some() && cord.needed.is_some() {
                    cell.text(if cord.lay.is_some() { "no" } else { "yes" });
                }
            },
        ),
        Col::new(
            "lay_m",
            Real,
            "stock length of a new cord; with a moved cord it says that the old one is too short",
            |(), row, cell| cell.show_some(row.0.lay.map(Length::to_metres_string)),
        ),
    ],
};

/// The content of `growth.csv`.
pub fn csv(cords: &[CordRow]) -> Vec<u8> {
    let (mut stage, mut order) = (usize::MAX, 0);
    let rows = cords.iter().map(|cord| {
        order = if cord.stage == stage { order + 1 } else { 1 };
        stage = cord.stage;
        (cord, order)
    });
    TABLE.csv((), rows)
}

#[derive(Serialize)]
struct Document<'a> {
    format: &'a str,
    version: u32,
    #[serde(flatten)]
    staging: &'a Staging,
}

/// The content of `stages.json`.
pub fn json(staging: &Staging) -> Vec<u8> {
    let document = Document { format: FORMAT, version: VERSION, staging };
    let mut bytes = serde_json::to_vec(&document).expect("stages have text keys and numbers");
    bytes.push(b'\n');
    bytes
}
