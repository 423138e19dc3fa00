//! What a plan's summary says besides its figures: warnings, what has no place, what is assumed.

use std::fmt::Write as _;

use lightloom::{FaultSignalling, PlanReport, Planned};

use crate::cells::SHOWN;

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
