//! Comparisons, and a plan's light, power and cost as people read them.

use std::fmt::Write as _;

use lightloom::designs::CompareReport;
use lightloom::plan::{MissingReport, OneTotal, PlanReport};
use lightloom::shown::design::{circuit_core, ratios, totals as beside, ways};

use crate::budget_tables::{decibels, with_pad};
use crate::cells::sheet;

pub(crate) fn compare(report: &CompareReport) -> String {
    let mut text = report.summary.join("\n");
    let _ = writeln!(
        text,
        "\n\nOne one-to-all multicast among {} ToRs at {}; packet core of {}-port switches:",
        report.tors, report.rate, report.core_ports
    );
    let _ = writeln!(
        text,
        "{}",
        sheet(&ways([&report.splitter_fabric, &report.ip_multicast, &report.peer_to_peer], None))
    );
    let _ = writeln!(text, "\n{}", sheet(&ratios(&report.ratios)));
    let _ = writeln!(
        text,
        "The packet core adds {:.0} % to the ToRs' uplinks.\n{}\n",
        report.excess_resource_percent,
        report.core_failures.line()
    );
    if let Some(core) = &report.circuit_core {
        let _ = writeln!(text, "{}\n", core.line());
        let _ = writeln!(text, "{}\n", sheet(&circuit_core(core)));
    }
    if let Some(accelerators) = &report.accelerators {
        let _ = writeln!(text, "{}\n", accelerators.line());
    }
    let whole = &report.whole_fabric;
    let at = &report.at_line_rate;
    let at = [&at.splitter_fabric, &at.ip_multicast, &at.peer_to_peer];
    let _ = writeln!(text, "All that is built:");
    let _ = writeln!(
        text,
        "{}",
        sheet(&ways([&whole.splitter_fabric, &whole.ip_multicast, &whole.peer_to_peer], Some(at)))
    );
    let _ = writeln!(
        text,
        "\nThe plan's own bill, with routed lengths: {}, {}.",
        report.bill.cost_text(),
        report.bill.power_text()
    );
    text += &lacking(&report.bill.missing);
    let _ = writeln!(text, "\n{}", totals(&report.totals));
    let one = &report.splitter_fabric.total.missing;
    if !one.is_empty() {
        text += "Of the one-to-all multicast:\n";
        text += &lacking(one);
    }
    for note in &report.assumed {
        let _ = writeln!(text, "Note: {note}.");
    }
    let _ = writeln!(
        text,
        "Catalogue: {}; a strand is charged {} of a pair.",
        report.catalogue.line(),
        report.catalogue.fibre_accounting
    );
    text
}

/// All totals of a plan beside each other: what is in each, and what is missing from it.
pub(crate) fn totals(of: &[OneTotal]) -> String {
    let mut text = format!("{}\n", sheet(&beside(of)));
    for total in of {
        let _ = writeln!(text, "{}: {}", total.name, total.says);
    }
    text
}

/// What a plan's summary says of its light.
pub(crate) fn plan_light(report: &PlanReport) -> String {
    match &report.light {
        None => report.optical.name().to_owned(),
        Some(light) => {
            let decisive = light.decisive();
            format!(
                "{}{} ({} case: worst margin {}, below overload {})",
                report.optical.name(),
                with_pad(light.pad.as_deref()),
                light.decided_by.name(),
                decibels(decisive.worst_margin_db),
                decibels(decisive.worst_headroom_db)
            )
        }
    }
}

/// What to do about light that does not arrive.
pub(crate) fn plan_warning(report: &PlanReport) -> String {
    let light = report.light.as_ref().and_then(|light| Some((light, light.warning()?)));
    let Some((light, warning)) = light else { return String::new() };
    let advice = if light.accepted.is_some() {
        ""
    } else {
        "; `accept` in [optics] takes the typical or the Monte Carlo case instead"
    };
    format!(
        "{warning}. The plan is marked so. `lightloom budget` says what would mend it{advice}.\n\n"
    )
}

/// What may happen to the receivers of a plan.
pub(crate) fn plan_hazards(report: &PlanReport) -> String {
    let hazards = report.light.iter().flat_map(|light| &light.hazards);
    let mut text: String = hazards.map(|hazard| format!("Hazard: {hazard}.\n")).collect();
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

pub(crate) fn lacking(missing: &[MissingReport]) -> String {
    missing.iter().map(|missing| missing.text() + "\n").collect()
}
