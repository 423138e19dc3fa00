//! A trace as a table: the way of light of each branch, hop by hop.

use lightloom_studies::trace::{CableHop, Hop, HopReport, ThingHop, TraceReport, TracedBranch};
use lightloom_tables::shown::Shown;
use lightloom_tables::table::{Cell, Column, Kind, Rows, Table};

/// The hops of branches.
struct Hops;

impl Rows for Hops {
    type Row<'a> = (&'a TracedBranch, &'a HopReport);
    type Given<'a> = ();
}

type Row<'a> = (&'a TracedBranch, &'a HopReport);

const TABLE: Table<Hops> = Table {
    file: "trace.csv",
    about: "each hop of the light of a branch",
    columns: &[
        Column::new("from_tor", Kind::Whole, "the ToR that sends", |(), row: &Row<'_>, cell| {
            cell.show(row.0.light.from_tor);
        }),
        Column::new("to_tor", Kind::Whole, "the ToR that receives", |(), row: &Row<'_>, cell| {
            cell.show(row.0.light.to_tor);
        }),
        Column::new("hop", Kind::Text, "what the light passes", |(), row: &Row<'_>, cell| {
            cell.text(match &row.1.what {
                Hop::Thing(thing) => thing.kind.name(),
                Hop::Cable(cable) => cable.kind.name(),
                Hop::Unplaced { .. } => "parts without a place",
            });
        }),
        Column::new("name", Kind::Text, "its name", |(), row: &Row<'_>, cell| name(row.1, cell)),
        Column::new("row", Kind::Text, "the row of its rack", |(), row: &Row<'_>, cell| {
            cell.show_some(thing(row.1).map(|thing| &thing.row));
        }),
        Column::new("rack", Kind::Text, "its rack", |(), row: &Row<'_>, cell| {
            cell.show_some(thing(row.1).map(|thing| &thing.rack));
        }),
        Column::new("place", Kind::Text, "its unit and slot there", |(), row: &Row<'_>, cell| {
            cell.show_some(thing(row.1).map(place));
        }),
        Column::new(
            "from_port",
            Kind::Text,
            "the port that it comes in by",
            |(), row: &Row<'_>, cell| {
                cell.show_some(match &row.1.what {
                    Hop::Thing(thing) => thing.enters.as_ref(),
                    Hop::Cable(cable) => Some(&cable.from_port),
                    Hop::Unplaced { .. } => None,
                });
            },
        ),
        Column::new(
            "to_port",
            Kind::Text,
            "the port that it leaves by",
            |(), row: &Row<'_>, cell| {
                cell.show_some(match &row.1.what {
                    Hop::Thing(thing) => thing.leaves.as_ref(),
                    Hop::Cable(cable) => Some(&cable.to_port),
                    Hop::Unplaced { .. } => None,
                });
            },
        ),
        Column::new("length_m", Kind::Real, "length of a cable", |(), row: &Row<'_>, cell| {
            cell.show_some(cable(row.1).map(|cable| metres(cable.length_m)));
        }),
        Column::new(
            "trays",
            Kind::Text,
            "its trays, with the length in each",
            |(), row: &Row<'_>, cell| {
                cell.show_some(cable(row.1).map(trays));
            },
        ),
        Column::new("loss_db", Kind::Real, "loss of the hop", |(), row: &Row<'_>, cell| {
            cell.show(format_args!("{:.2}", row.1.loss_db));
        }),
        Column::new(
            "lost_db",
            Kind::Real,
            "loss from the transmitter to its end",
            |(), row: &Row<'_>, cell| {
                cell.show(format_args!("{:.2}", row.1.lost_db));
            },
        ),
    ],
};

fn hops(report: &TraceReport) -> impl Iterator<Item = Row<'_>> {
    report.branches.iter().flat_map(|branch| branch.hops.iter().map(move |hop| (branch, hop)))
}

/// The table as CSV. A thing has a rack and a place there; a cable has a length and the trays that it lies in.
pub fn csv(report: &TraceReport) -> Vec<u8> {
    TABLE.csv((), hops(report))
}

/// The table as people read it.
pub fn shown(report: &TraceReport) -> Shown {
    TABLE.shown((), hops(report))
}

fn thing(hop: &HopReport) -> Option<&ThingHop> {
    match &hop.what {
        Hop::Thing(thing) => Some(thing),
        _ => None,
    }
}

fn cable(hop: &HopReport) -> Option<&CableHop> {
    match &hop.what {
        Hop::Cable(cable) => Some(cable),
        _ => None,
    }
}

fn name(hop: &HopReport, cell: &mut Cell) {
    match &hop.what {
        Hop::Thing(thing) => cell.show_some(thing.tor.map(|tor| format!("ToR {tor}"))),
        Hop::Cable(cable) => {
            cell.text(&cable.label);
            cell.show_some(cable.strand.map(|strand| format!(".{strand}")));
        }
        Hop::Unplaced { label, parts } => {
            let parts: Vec<_> = parts.iter().map(|part| part.name()).collect();
            cell.show(format_args!("{label}: {}", parts.join(", ")));
        }
    }
}

/// The place of a thing in its rack: its unit, and its slot there.
fn place(thing: &ThingHop) -> String {
    match thing.slot {
        Some(slot) => format!("unit {}, slot {slot}", thing.unit),
        None => format!("unit {}", thing.unit),
    }
}

/// The trays of a cable with the length in each, in the direction of the light.
fn trays(cable: &CableHop) -> String {
    let part = |part: &lightloom_studies::trace::TrayPart| {
        format!("{} {} m", part.tray.replace('%', "%25").replace(';', "%3B"), metres(part.length_m))
    };
    cable.trays.iter().map(part).collect::<Vec<_>>().join("; ")
}

fn metres(value: f64) -> String {
    format!("{value:.2}")
}
