//! `cables.csv`: every fibre with both ends, lengths, labels and trays.

use std::collections::BTreeMap;

use lightloom_plan::bill::{OnFibres, PadEnd, Passed, PassedPad};
use lightloom_plant::end_labels::{end_labels, fibre_label};
use lightloom_plant::{Far, Fibre, Plant};
use lightloom_tables::table::Kind::{Real, Text, Whole};
use lightloom_tables::table::{Column, Rows, Table};
use lightloom_topology::TorId;
use lightloom_topology::hall::{TrayId, TrayRun};

/// The file's name in a plan folder.
pub const FILE: &str = TABLE.file;

/// The rows of the file.
pub struct Cables;

impl Rows for Cables {
    type Row<'a> = Row<'a>;
    type Given<'a> = &'a Plant;
}

/// A fibre, and what its row says.
pub struct Row<'a> {
    fibre: &'a Fibre,
    /// Labels of both ends.
    near: String,
    far: String,
    runs: Vec<TrayRun>,
    /// Percent, of the fullest tray.
    fill: f64,
    passed: &'a Passed,
}

impl Row<'_> {
    /// The branch, the receiving ToR and its port; none of a feed.
    fn receiver(&self) -> Option<(u32, TorId, u32)> {
        match self.fibre.far {
            Far::SplitterInput => None,
            Far::Receiver { branch, tor, port } => Some((branch, tor, port)),
        }
    }
}

type Col = Column<Cables>;

/// The columns.
pub const TABLE: Table<Cables> = Table {
    file: "cables.csv",
    about: "each *fibre* of the fabric: a feed from a transmitter to its splitter, or a branch from a splitter to a \
            receiver",
    columns: &[
        Col::new(
            "label",
            Text,
            "`F12`: the feed of ToR 12; `B12.3`: branch 3 of its splitter",
            |plan, row, cell| cell.text(&fibre_label(&plan.site().fabric, row.fibre)),
        ),
        Col::new("kind", Text, "`feed` or `branch`", |_, row, cell| {
            cell.text(if row.fibre.is_feed() { "feed" } else { "branch" });
        }),
        Col::new("from_tor", Whole, "the ToR whose light it carries", |_, row, cell| {
            cell.show(row.fibre.from);
        }),
        Col::new("from_port", Whole, "the port whose light it carries", |plan, row, cell| {
            cell.show(plan.site().fabric.transmit_port(row.fibre.from));
        }),
        Col::new("splitter", Whole, "the splitter, by its number", |plan, row, cell| {
            cell.show(plan.site().fabric.splitter_number(row.fibre.from));
        }),
        Col::new(
            "branch",
            Whole,
            "output of the splitter, from 0; empty for a feed",
            |_, row, cell| {
                cell.show_some(row.receiver().map(|(branch, ..)| branch));
            },
        ),
        Col::new("to_tor", Whole, "the ToR that receives; empty for a feed", |_, row, cell| {
            cell.show_some(row.receiver().map(|(_, tor, _)| tor));
        }),
        Col::new("to_port", Whole, "its port; empty for a feed", |_, row, cell| {
            cell.show_some(row.receiver().map(|(.., port)| port));
        }),
        Col::new(
            "length_m",
            Real,
            "length of all cables of the fibre, in metres",
            |_, row, cell| {
                cell.text(&row.fibre.length.to_metres_string());
            },
        ),
        Col::new("stock_m", Real, "the same as ordered, in stock lengths", |_, row, cell| {
            cell.text(&row.fibre.stock.to_metres_string());
        }),
        Col::new("near_label", Text, "label at the near end: near / far", |_, row, cell| {
            cell.show(format_args!("{} / {}", row.near, row.far));
        }),
        Col::new("far_label", Text, "label at the far end: far / near", |_, row, cell| {
            cell.show(format_args!("{} / {}", row.far, row.near));
        }),
        Col::new(
            "trays",
            Text,
            "trays and ways in the direction of the light, `; ` between them; `%` and `;` in names are `%25` and `%3B`",
            |plan, row, cell| cell.text(&tray_names(plan, &row.runs)),
        ),
        Col::new("tray_fill_percent", Real, "fill of the fullest of them", |_, row, cell| {
            cell.show(format_args!("{:.1}", row.fill));
        }),
        Col::new("splices", Whole, "splices on it", |_, row, cell| cell.show(row.passed.splices)),
        Col::new("panels", Whole, "patch panels on it", |_, row, cell| {
            cell.show(row.passed.panels)
        }),
        Col::new("inline", Text, "other parts on it, `; ` between them", |_, row, cell| {
            cell.text(&row.passed.inline.join("; "));
        }),
        Col::new("pad", Text, "the pad on it; empty without", |_, row, cell| {
            cell.text(row.passed.pad.as_ref().map_or("", |pad| &pad.text));
        }),
        Col::new(
            "pad_label",
            Text,
            "label of the pad: that of its end with `PAD`",
            |_, row, cell| {
                cell.show_some(
                    row.passed.pad.as_ref().map(|pad| pad_label(pad, &row.near, &row.far)),
                );
            },
        ),
    ],
};

/// The content of the file.
pub fn csv(plan: &Plant, on: &OnFibres) -> Vec<u8> {
    let fills = fill_by_tray(plan);
    let rows = plan.numbered().map(|(id, fibre)| {
        let (near, far) = end_labels(plan, id);
        let runs = plan.runs(id);
        let fill = runs.iter().filter_map(|run| fills.get(&run.tray).copied()).fold(0.0, f64::max);
        let passed = if fibre.is_feed() { &on.feed } else { &on.branch };
        Row { fibre, near, far, runs, fill, passed }
    });
    TABLE.csv(plan, rows)
}

/// Label of the pad at an end of a fibre: the label of that end with `PAD`, as in `R101-42:0 PAD`.
fn pad_label(pad: &PassedPad, near: &str, far: &str) -> String {
    match pad.end {
        PadEnd::Near => format!("{near} PAD"),
        PadEnd::Far => format!("{far} PAD"),
    }
}

/// Names of the trays and ways of these stretches, in order, with `; ` between them. `%` and `;` within a name are
/// percent-escaped (RFC 3986, 2.1).
pub(crate) fn tray_names(plan: &Plant, runs: &[TrayRun]) -> String {
    let names =
        runs.iter().map(|run| plan.tray_name(run.tray).replace('%', "%25").replace(';', "%3B"));
    names.collect::<Vec<_>>().join("; ")
}

/// The fill of each used tray and way at its fullest point, in percent.
fn fill_by_tray(plan: &Plant) -> BTreeMap<TrayId, f64> {
    let hall = &plan.site().hall;
    let fullest = plan.tray_fill().fullest().into_iter();
    fullest.map(|(tray, peak)| (tray, 100.0 * hall.fill(tray, peak.squares))).collect()
}
