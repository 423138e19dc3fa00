//! `acceptance.csv`: how to measure each branch, and the limits of its loss.

use lightloom_design::optics::DesignOptics;
use lightloom_plan::acceptance::{Accepted, branches, pad_test};
use lightloom_plan::budget::pad_text;
use lightloom_plant::end_labels::{end_labels, fibre_label};
use lightloom_plant::{Far, Plant};
use lightloom_power_cost::spec::{Limits, PadCheck};
use lightloom_tables::table::Kind::{Real, Text, Whole};
use lightloom_tables::table::{Cell, Column, Rows, Table};
use lightloom_topology::TorId;
use lightloom_units::Db;

/// The file's name in a plan folder.
pub const FILE: &str = TABLE.file;

/// The rows of the file.
pub struct Measured;

impl Rows for Measured {
    type Row<'a> = Row<'a>;
    type Given<'a> = Given<'a>;
}

/// What all rows share.
#[derive(Clone, Copy)]
pub struct Given<'a> {
    plan: &'a Plant,
    /// Text of the wavelength; empty if unknown.
    wavelength: &'a str,
    /// Text of the design's pad, if it has one.
    pad: Option<&'a str>,
}

/// A branch to measure.
pub struct Row<'a> {
    found: Accepted<'a>,
    to_tor: TorId,
    to_port: u32,
    /// Labels of the transmitter and of the receiver.
    source: String,
    meter: String,
}

impl Row<'_> {
    /// Adds a loss of the limits, if there are limits.
    fn limit(&self, of: fn(Limits) -> Db, cell: &mut Cell) {
        cell.show_some(self.found.limits.map(|limits| format!("{:.2}", of(limits).get())));
    }

    fn pad(&self) -> Option<PadCheck> {
        self.found.limits?.pad
    }
}

/// Whether the design has a pad.
fn has_pad(given: Given<'_>) -> bool {
    given.pad.is_some()
}

type Col = Column<Measured>;

/// The columns.
pub const TABLE: Table<Measured> = Table {
    file: "acceptance.csv",
    about: "each branch to measure, with a source at the sender and a meter at the receiver, after a reference with \
            one cord. A reflectometer looks from the receiver's end toward the splitter. Limits are empty without \
            optics",
    columns: &[
        Col::new("label", Text, "label of the branch", |given, row, cell| {
            cell.text(&fibre_label(&given.plan.site().fabric, row.found.branch.1));
        }),
        Col::new("feed", Text, "label of its feed", |given, row, cell| {
            cell.text(&fibre_label(&given.plan.site().fabric, row.found.feed.1));
        }),
        Col::new("from_tor", Whole, "the ToR that sends", |_, row, cell| {
            cell.show(row.found.branch.1.from);
        }),
        Col::new("to_tor", Whole, "the ToR that receives", |_, row, cell| cell.show(row.to_tor)),
        Col::new("to_port", Whole, "its port", |_, row, cell| cell.show(row.to_port)),
        Col::new("source_at", Text, "where the source is plugged in", |_, row, cell| {
            cell.text(&row.source);
        }),
        Col::new("meter_at", Text, "where the meter is plugged in", |_, row, cell| {
            cell.text(&row.meter)
        }),
        Col::new("otdr_from", Text, "where a reflectometer is plugged in", |_, row, cell| {
            cell.text(&row.meter);
        }),
        Col::new(
            "wavelength",
            Text,
            "wavelength of the light; empty if unknown",
            |given, _, cell| {
                cell.text(given.wavelength);
            },
        ),
        Col::new(
            "least_db",
            Real,
            "least loss that is accepted, with the uncertainty of the meter of 0.2 dB",
            |_, row, cell| row.limit(|limits| limits.loss.least, cell),
        ),
        Col::new("most_db", Real, "most loss that is accepted, with the same", |_, row, cell| {
            row.limit(|limits| limits.loss.most, cell);
        }),
        Col::new("expected_db", Real, "loss with typical values", |_, row, cell| {
            row.limit(|limits| limits.loss.typical, cell);
        }),
        Col::new("length_m", Real, "length of feed and branch, in metres", |_, row, cell| {
            cell.text(&(row.found.feed.1.length + row.found.branch.1.length).to_metres_string());
        }),
        Col::new("direction", Text, "direction of the measurement", |_, _, cell| {
            cell.text("from sender to receiver");
        }),
        Col::only(
            "pad",
            Text,
            "the pad with its place",
            "in a design with pads",
            has_pad,
            |given, row, cell| {
                cell.show_some(row.pad().and(given.pad));
            },
        ),
        Col::only(
            "limits_show_pad",
            Text,
            "`yes` if every branch without its pad measures less than `least_db`; `no` if a branch can pass without it",
            "in a design with pads",
            has_pad,
            |_, row, cell| {
                cell.show_some(row.pad().map(|check| if check.is_told { "yes" } else { "no" }));
            },
        ),
        Col::only(
            "pad_test",
            Text,
            "the measurement that shows the pad, where the limits do not",
            "in a design with pads",
            has_pad,
            |_, row, cell| cell.show_some(row.pad().map(pad_test)),
        ),
    ],
};

/// The content of the file.
pub fn csv(plan: &Plant, optics: Option<&DesignOptics>) -> Vec<u8> {
    let pad = optics.and_then(|chosen| pad_text(&chosen.optics));
    let wavelength = optics.and_then(|chosen| chosen.optics.transceiver.wavelength);
    let wavelength = wavelength.map_or_else(String::new, |found| found.to_string());
    let given = Given { plan, wavelength: &wavelength, pad: pad.as_deref() };
    let rows = branches(plan, optics).filter_map(|found| {
        let Far::Receiver { tor: to_tor, port: to_port, .. } = found.branch.1.far else {
            return None;
        };
        let (source, _) = end_labels(plan, found.feed.0);
        let (_, meter) = end_labels(plan, found.branch.0);
        Some(Row { found, to_tor, to_port, source, meter })
    });
    TABLE.csv(given, rows)
}
