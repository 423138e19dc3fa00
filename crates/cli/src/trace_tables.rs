//! Traces of light as people read them.

use std::fmt::Write as _;

use lightloom::light::{Hop, HopReport, ThingHop, TraceReport, TracedBranch, TracedFibre};

use crate::budget_tables::{decibels, elements, with_pad};
use crate::cells::table;

pub(crate) fn trace(report: &TraceReport) -> String {
    let mut text = format!(
        "{}{} over splitter {}, {} case.\n",
        report.transceiver,
        with_pad(report.pad.as_deref()),
        report.splitter,
        report.case.name()
    );
    for traced in &report.branches {
        branch(&mut text, traced);
    }
    for note in &report.assumed {
        let _ = writeln!(text, "Note: {note}.");
    }
    text
}

fn branch(text: &mut String, traced: &TracedBranch) {
    let light = &traced.light;
    let _ = writeln!(
        text,
        "\n{} to {}: {:.2} m, loss {:.2} dB, margin {}, verdict {}.",
        light.from_tor,
        light.to_tor,
        traced.length_m,
        light.loss_db,
        decibels(light.margin_db),
        light.verdict.name()
    );
    for TracedFibre { label, near_label, far_label, length_m, stock_m } in
        [&traced.feed, &traced.branch]
    {
        let _ = writeln!(
            text,
            "{label}: {length_m:.2} m (order {stock_m:.2} m); near {near_label}; far {far_label}"
        );
    }
    let mut hops =
        table(&["hop", "place", "from port", "to port", "m", "trays", "dB", "so far, dB"]);
    for hop in &traced.hops {
        hops.add_row(row(hop));
    }
    let _ = writeln!(text, "{hops}");
    let _ = writeln!(text, "{}", elements(&traced.elements));
}

fn row(hop: &HopReport) -> [String; 8] {
    let nothing = String::new;
    let [what, place, from, to, length, trays] = match &hop.what {
        Hop::Thing(thing) => {
            let ThingHop { kind, rack, unit, slot, enters, leaves, .. } = thing;
            let name = thing.tor.map_or_else(nothing, |tor| format!(" {tor}"));
            let slot = slot.map_or_else(nothing, |slot| format!(".{slot}"));
            let port = |label: &Option<String>| label.clone().unwrap_or_default();
            [
                format!("{}{name}", kind.name()),
                format!("{rack}, unit {unit}{slot}"),
                port(enters),
                port(leaves),
                nothing(),
                nothing(),
            ]
        }
        Hop::Cable(cable) => {
            let strand = cable.strand.map_or_else(nothing, |strand| format!(".{strand}"));
            let trays: Vec<String> = cable
                .trays
                .iter()
                .map(|part| format!("{} {:.2} m", part.tray, part.length_m))
                .collect();
            [
                format!("{} {}{strand}", cable.kind.name(), cable.label),
                nothing(),
                cable.from_port.clone(),
                cable.to_port.clone(),
                format!("{:.2}", cable.length_m),
                trays.join("; "),
            ]
        }
        Hop::Unplaced { label, parts } => {
            let parts: Vec<_> = parts.iter().map(|part| part.name()).collect();
            let text = format!("on {label}: {}", parts.join(", "));
            [text, "no place".to_owned(), nothing(), nothing(), nothing(), nothing()]
        }
    };
    let (loss, lost) = (format!("{:.2}", hop.loss_db), format!("{:.2}", hop.lost_db));
    [what, place, from, to, length, trays, loss, lost]
}
