//! Budgets and specifications of light as people read them.

use std::fmt::Write as _;

use lightloom::light::{BranchReport, BudgetReport, ElementReport, SpecReport};
use lightloom::shown::light::BRANCHES;
use lightloom::shown::{Face, Head};

use crate::cells::table;

/// Branches that a table shows, the worst.
const WORST: usize = 10;

pub(crate) fn budget(report: &BudgetReport) -> String {
    let mut text = format!(
        "{}{} over splitter {}, {} case. Verdict: {}.\n",
        report.transceiver,
        with_pad(report.pad.as_deref()),
        report.splitter,
        report.case.name(),
        report.verdict.name()
    );
    let _ = writeln!(text, "Worst margin: {}.", report.worst_margin_text());
    if let Some(compared) = report.compared_text() {
        let _ = writeln!(text, "{compared}");
    }
    if let Some(headroom) = report.worst_headroom_db {
        let side = if headroom < 0.0 { "above" } else { "below" };
        let _ = writeln!(text, "Closest to overload: {:.2} dB {side} it.", headroom.abs());
    }
    let count = &report.count;
    let _ = writeln!(
        text,
        "Branches: {} pass, {} warn, {} marginal, {} fail, {} unknown.",
        count.pass, count.warn, count.marginal, count.fail, count.unknown
    );
    if let Some(drawn) = report.draws_text() {
        let _ = writeln!(text, "{drawn}");
    }
    if let Some(worst) = &report.worst {
        let _ = writeln!(text, "\nThe worst branch, {} to {}:", worst.from_tor, worst.to_tor);
        let _ = writeln!(text, "{}", elements(&worst.elements));
    }
    let _ = writeln!(text, "\n{}", branches(report));
    if let Some(mend) = report.branches.first().and_then(BranchReport::mend_text) {
        let _ = writeln!(text, "\n{mend}");
    }
    for hazard in &report.hazards {
        let _ = writeln!(text, "Hazard: {hazard}.");
    }
    for note in report.assumed.iter().chain(&report.gaps) {
        let _ = writeln!(text, "Note: {note}.");
    }
    for unknown in report.unknown_texts() {
        let _ = writeln!(text, "{unknown}");
    }
    let _ = writeln!(text, "Catalogue: {}.", report.catalogue.line());
    text
}

/// What the light loses at each element of a branch.
pub(crate) fn elements(elements: &[ElementReport]) -> String {
    let mut way = table(&["element", "least, dB", "typical, dB", "most, dB"]);
    for element in elements {
        way.add_row([
            element.element.name().to_owned(),
            format!("{:.2}", element.least_db),
            format!("{:.2}", element.typical_db),
            format!("{:.2}", element.most_db),
        ]);
    }
    way.to_string()
}

pub(crate) fn with_pad(pad: Option<&str>) -> String {
    pad.map_or_else(String::new, |pad| format!(" with pad {pad}"))
}

/// What to demand of the parts of a design.
pub(crate) fn spec(report: &SpecReport) -> String {
    let splitter = &report.splitter;
    let mut text = format!(
        "To buy for this design, with {:.2} dB of margin and {:.2} dB of headroom:\n\n\
         Branches lose {:.2} to {:.2} dB{}.\n",
        report.margin_db,
        report.headroom_db,
        report.least_loss_db,
        report.most_loss_db,
        with_pad(report.pad.as_deref())
    );
    let name = &report.transceiver;
    for demand in &report.transceivers {
        let _ = writeln!(
            text,
            "Launch power ({}): at least {:.2} dBm with the sensitivity of {name}; or sensitivity ({}): \
             {:.2} dBm or better with its launch power. {name} {} this.",
            demand.launch.name(),
            demand.required_launch_dbm,
            demand.sensitivity.name(),
            demand.worst_sensitivity_dbm,
            if demand.met { "meets" } else { "DOES NOT MEET" }
        );
    }
    if let Some(greatest) = report.greatest_launch_dbm {
        let keeps = match report.keeps_greatest_launch {
            Some(true) => format!(" {name} keeps this."),
            Some(false) => format!(" {name} DOES NOT KEEP this."),
            None => String::new(),
        };
        let _ = writeln!(text, "Average launch power: at most {greatest:.2} dBm.{keeps}");
    }
    let _ = writeln!(
        text,
        "Splitters 1:{}: each port loses {:.2} to {:.2} dB over the band, polarisation included{}; return \
         loss {:.0} dB, directivity {:.0} dB; a sheet with the values of each port.",
        splitter.fan_out,
        splitter.loss_min_db,
        splitter.loss_max_db,
        splitter
            .uniformity_db
            .map_or_else(String::new, |u| format!(", ports alike within {u:.2} dB")),
        splitter.return_loss_db,
        splitter.directivity_db
    );
    for note in report.assumed.iter().chain(&report.gaps) {
        let _ = writeln!(text, "Note: {note}.");
    }
    let _ = writeln!(text, "Catalogue: {}.", report.catalogue.line());
    text
}

/// The worst branches, without the columns of which nothing is known. A verdict is always known: it may be "unknown".
fn branches(report: &BudgetReport) -> String {
    let shown = &report.branches[..report.branches.len().min(WORST)];
    let is_known = |head: &Head<BranchReport>, branch: &BranchReport| {
        head.value().is_none_or(|value| !value(branch).is_nan())
    };
    let mut heads = BRANCHES.of(Face::Command);
    heads.retain(|head| shown.iter().any(|branch| is_known(head, branch)));
    let mut rows = table(&heads.iter().map(|head| head.title()).collect::<Vec<_>>());
    for branch in shown {
        let cell = |head: &&Head<BranchReport>| match is_known(head, branch) {
            true => head.text(branch),
            false => "?".to_owned(),
        };
        rows.add_row(heads.iter().map(cell).collect::<Vec<_>>());
    }
    let left = report.branches.len() - shown.len();
    let more =
        if left > 0 { format!("\n… and {left} more; --json lists all") } else { String::new() };
    format!("{rows}{more}")
}

pub(crate) fn decibels(value: Option<f64>) -> String {
    value.map_or("unknown".into(), |value| format!("{value:.2} dB"))
}

pub(crate) fn plain(value: Option<f64>) -> String {
    value.map_or("?".into(), |value| format!("{value:.2}"))
}
