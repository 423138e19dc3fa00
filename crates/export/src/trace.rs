//! A trace as a table: the way of light of each branch, hop by hop.

use lightloom_studies::trace::{CableHop, Hop, HopReport, ThingHop, TraceReport, TracedBranch};
use lightloom_tables::sheet::Sheet;

/// Titles of the columns, with units.
pub const COLUMNS: [&str; 13] = [
    "from_tor",
    "to_tor",
    "hop",
    "name",
    "row",
    "rack",
    "place",
    "from_port",
    "to_port",
    "length_m",
    "trays",
    "loss_db",
    "lost_db",
];

/// The cells of the table, hop by hop. A thing has a rack and a place there (its unit, and its slot); a cable has a
/// length and the trays that it lies in, with the length in each. `loss_db` is the loss of the hop, `lost_db` that
/// from the transmitter to its end.
pub fn rows(report: &TraceReport) -> Vec<[String; COLUMNS.len()]> {
    let mut rows = Vec::new();
    for TracedBranch { light, hops, .. } in &report.branches {
        let (from, to) = (light.from_tor.to_string(), light.to_tor.to_string());
        rows.extend(hops.iter().map(|hop| row(&from, &to, hop)));
    }
    rows
}

/// The table as CSV.
pub fn csv(report: &TraceReport) -> Vec<u8> {
    let mut sheet = Sheet::new(COLUMNS);
    for row in rows(report) {
        sheet.row(row.into_iter().map(Into::into));
    }
    sheet.into_bytes()
}

fn row(from: &str, to: &str, hop: &HopReport) -> [String; COLUMNS.len()] {
    let nothing = String::new;
    let [kind, name, row, rack, place, from_port, to_port, length, trays] = match &hop.what {
        Hop::Thing(thing) => {
            let ThingHop { kind, row, rack, enters, leaves, .. } = thing;
            [
                kind.name().to_owned(),
                thing.tor.map_or_else(nothing, |tor| format!("ToR {tor}")),
                row.clone(),
                rack.clone(),
                place(thing),
                enters.clone().unwrap_or_default(),
                leaves.clone().unwrap_or_default(),
                nothing(),
                nothing(),
            ]
        }
        Hop::Cable(cable) => {
            let strand = cable.strand.map_or_else(nothing, |strand| format!(".{strand}"));
            [
                cable.kind.name().to_owned(),
                format!("{}{strand}", cable.label),
                nothing(),
                nothing(),
                nothing(),
                cable.from_port.clone(),
                cable.to_port.clone(),
                metres(cable.length_m),
                trays(cable),
            ]
        }
        Hop::Unplaced { label, parts } => {
            let parts: Vec<_> = parts.iter().map(|part| part.name()).collect();
            let name = format!("{label}: {}", parts.join(", "));
            let [a, b, c, d, e, f, g] = std::array::from_fn(|_| nothing());
            ["parts without a place".to_owned(), name, a, b, c, d, e, f, g]
        }
    };
    let decibels = |value: f64| format!("{value:.2}");
    let (loss, lost) = (decibels(hop.loss_db), decibels(hop.lost_db));
    let (from, to) = (from.to_owned(), to.to_owned());
    [from, to, kind, name, row, rack, place, from_port, to_port, length, trays, loss, lost]
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
