//! What a plan's summary says besides its figures: warnings, what has no place, what is assumed.

use std::fmt::Write as _;

use lightloom::failures::FaultSignalling;
use lightloom::plan::{Cabling, PlanReport, Planned};

use crate::cells::{SHOWN, table};

/// The warnings of a plan, one a line.
pub(crate) fn warnings(report: &PlanReport) -> String {
    let mut text = String::new();
    for warning in report.warnings.iter().take(SHOWN) {
        let _ = writeln!(text, "Warning: {}.", warning.message);
    }
    let more = report.warnings.len().saturating_sub(SHOWN);
    if more > 0 {
        let _ = writeln!(text, "… and {more} more warnings; --json lists all.");
    }
    if text.is_empty() { text } else { text + "\n" }
}

/// How the switches of the ToRs must be set.
pub(crate) fn platform(report: &PlanReport) -> String {
    let platform = &report.platform;
    let name = platform.model.as_deref().unwrap_or("not named");
    let mut text = format!(
        "ToR switches ({name}): the light goes one way. Switch off on every fabric port:\n  {}.\n",
        platform.switch_off.join(", ")
    );
    // Link fault signalling that stays on is a warning.
    if platform.fault_signalling == FaultSignalling::Off {
        let mut letters = platform.message.chars();
        let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
        let _ = writeln!(text, "{first}{}.", letters.as_str());
    }
    text
}

/// Parts on fibres that are counted and not placed.
pub(crate) fn unplaced(report: &PlanReport) -> String {
    let mut text = String::new();
    for part in &report.unplaced {
        let _ = writeln!(
            text,
            "Not placed: {} × {} {} ({} a feed, {} a branch).",
            part.quantity, part.item, part.part, part.per_feed, part.per_branch
        );
    }
    if !text.is_empty() {
        text += "Couplers of patch panels, splices and inline parts are in the light and in the bill; where they \
                 sit is not planned. Lengths and pieces are from end to end.\n";
    }
    text
}

/// What the plan assumes, and what would say it.
pub(crate) fn assumed(planned: &Planned) -> String {
    let mut text = String::new();
    if !planned.assumed.is_empty() {
        text += "\nAssumed, because nothing says it (in brackets the key or column that would):\n";
    }
    for assumption in &planned.assumed {
        let _ = write!(text, "  {}: {}", assumption.what.name(), assumption.value);
        if let Some(racks) = assumption.racks {
            let _ = write!(text, ", {racks} racks");
        }
        let _ = match assumption.said_by.as_slice() {
            [] => writeln!(text),
            keys => writeln!(text, " [{}]", keys.join(", ")),
        };
    }
    text
}

/// The housings that the hall allows: fibres and money, then cables, room and light.
pub fn housings(report: &PlanReport) -> String {
    let mut fibres = table(&[
        "splitters at the",
        "fibres",
        "long runs",
        "long runs, m",
        "all, m",
        "to order, m",
        "cords and trunks cost",
    ]);
    let mut cables = table(&[
        "splitters at the",
        "cables between rows",
        "in rows",
        "fullest tray",
        "rack units",
        "pairs",
        "margin, dB",
    ]);
    for (i, housing) in report.housings.iter().enumerate() {
        let name = match housing.cabling {
            Cabling::PointToPoint => housing.housing.to_string(),
            Cabling::Trunked => format!("{}, {}", housing.housing, housing.cabling),
        };
        let name = format!("{name}{}", if i == 0 { " (this plan)" } else { "" });
        fibres.add_row([
            name.clone(),
            housing.fibres.to_string(),
            housing.long_runs.to_string(),
            format!("{:.0}", housing.long_m),
            format!("{:.0}", housing.length_m),
            format!("{:.0}", housing.stock_m),
            housing.stock_cost_text(),
        ]);
        cables.add_row([
            name,
            housing.cables_beyond_rows.to_string(),
            housing.cables_within_rows.to_string(),
            format!("{:.1} %", housing.fullest_tray_percent),
            housing.rack_units.to_string(),
            housing.connector_pairs.to_string(),
            housing.worst_margin_db.map_or_else(|| "-".into(), |margin| format!("{margin:.2}")),
        ]);
    }
    let mut text = format!("{fibres}\n\n{cables}\n\n");
    for other in &report.no_housings {
        let _ = writeln!(text, "Splitters at the {} do not fit: {}.", other.housing, other.why);
    }
    text
}
