//! Growth and shrinking as people read them.

use std::fmt::Write as _;

use lightloom::growth::GrowReport;
use lightloom::shown::Face;
use lightloom::shown::design::hops;
use lightloom::shown::growth::{STAGES, Stage};
use lightloom::units::text::shown_path;

use crate::cells::{SHOWN, list, more, sheet, table};

pub(crate) fn grow(report: &GrowReport) -> String {
    let change = &report.change;
    let mut text = match &report.out {
        Some(out) => format!("Wrote {}.\n\n", shown_path(out)),
        None => "Nothing was written; --out names a folder.\n\n".into(),
    };
    let mut facts = table(&["", "before", "afterwards"]);
    let row = |name: &str, before: String, after: String| [name.to_owned(), before, after];
    facts.add_row(row("ToRs", change.tors_before.to_string(), change.tors.to_string()));
    facts.add_row(row(
        "cassettes",
        change.cassettes_before.to_string(),
        change.cassettes.to_string(),
    ));
    let now = hops(report.hops.max, report.hops.mean);
    facts.add_row(row("hops, most / mean", String::new(), now));
    let fresh = hops(report.fresh_kautz.max, report.fresh_kautz.mean);
    facts.add_row(row("hops of a fresh kautz fabric", String::new(), fresh));
    let _ = writeln!(text, "{facts}");
    let mut cords = table(&["cords and trunks", "number"]);
    for (name, number) in [
        ("transmit cords that move", change.moved_transmit_cords),
        ("receive cords that move", change.moved_receive_cords),
        ("moved cords that are too short", change.too_short.len()),
        ("cords that stay", report.kept_cords),
        ("new cords", change.new_cords),
        ("cords to take out", change.removed_cords),
        ("new trunks", change.new_trunks),
    ] {
        cords.add_row([name.to_owned(), number.to_string()]);
    }
    let _ = writeln!(text, "{cords}");
    if let Some(sum) = &report.cost {
        let mut sums = table(&["power and cost", "power", "cost"]);
        for (name, total) in
            [("before", &sum.before), ("afterwards", &sum.after), ("to order", &sum.to_order)]
        {
            sums.add_row([name.to_owned(), total.power_text(), total.cost_text()]);
        }
        let _ = writeln!(text, "{sums}");
    }
    if !change.moved.is_empty() {
        let _ = writeln!(text, "ToRs whose cords move: {}.\n", list(&change.moved));
    }
    let stages: Vec<Stage> = (1..).zip(change.stages.iter().cloned()).collect();
    let stages = STAGES.shown(Face::Command, &stages, SHOWN);
    let _ = writeln!(text, "{}{}", sheet(&stages), more(stages.all()));
    let states: usize = change.stages.iter().map(|stage| stage.states_replayed).sum();
    let _ = writeln!(
        text,
        "Every source in service was replayed in {states} states: each ToR in service gets exactly one copy. \
         growth.csv lists the cords, stages.json the rules."
    );
    for phase in &report.later {
        let _ = writeln!(
            text,
            "Later, {} to {} ToRs: {} transmit cords move, {} hops, mean {:.2}, {} parallel sources.",
            phase.tors_before,
            phase.tors,
            phase.moved_transmit_cords,
            phase.hops.max,
            phase.hops.mean,
            phase.parallel_sources
        );
    }
    if let Some(paper) = &report.paper {
        let _ = writeln!(
            text,
            "Re-wiring into the {},{}-Shufflecast of {} ToRs would move {} of {} branch fibres.",
            paper.p, paper.k, paper.tors, paper.moved_branch_fibres, paper.branch_fibres
        );
    }
    if report.assumed_racks > 0 {
        let _ = writeln!(
            text,
            "Assumed: {} racks in more rows of the generated hall [--inventory].",
            report.assumed_racks
        );
    }
    if report.assumed_frames > 0 {
        let _ = writeln!(
            text,
            "Assumed: {} frames beside those that are there.",
            report.assumed_frames
        );
    }
    if !change.racks_with_splitters_only.is_empty() {
        let racks = list(&change.racks_with_splitters_only);
        let _ = writeln!(text, "Racks that keep their splitter shelf without a ToR: {racks}.");
    }
    if let Some(trouble) = report.optical.trouble() {
        let _ = writeln!(text, "Of the grown fabric: {trouble}.");
    }
    text
}
