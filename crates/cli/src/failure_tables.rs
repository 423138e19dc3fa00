//! Failures and recoveries as people read them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use lightloom::failures::{
    CascadeReport, GroupReport, ImpactReport, OutageReport, Phase, RecoverReport, RepairsReport,
    RiskReport,
};
use lightloom::shown::failures::fault_signalling;
use lightloom::units::text::shown_path;

use crate::cells::{SHOWN, list, more, sheet, table};

pub(crate) fn impact(report: &ImpactReport) -> String {
    let mut text = format!(
        "Failed: {}. {:.1} % of the sources lose no ToR.\n\n",
        report.failed.join(", "),
        100.0 * report.unaffected_fraction
    );
    let mut lost = table(&["ToRs lost", "sources"]);
    for (count, sources) in &report.distribution {
        lost.add_row([count.to_string(), sources.to_string()]);
    }
    let _ = writeln!(text, "{lost}");
    if !report.failed_sources.is_empty() {
        let failed = list(&report.failed_sources);
        let _ = writeln!(text, "Failed sources, which lose everyone until repaired: {failed}.");
    }
    for (source, lost) in &report.worst {
        let _ = writeln!(text, "Source {source} loses {lost} ToRs.");
    }
    if let Some(cascade) = &report.fault_signalling {
        let without = &cascade.without;
        text += &silenced(cascade);
        let _ = writeln!(
            text,
            "With link fault signalling off: {} failed sources in place of {}, and {:.1} % of the sources \
             lose no ToR.",
            without.failed_sources.len(),
            report.failed_sources.len(),
            100.0 * without.unaffected_fraction
        );
    }
    text
}

/// The ToRs that link fault signalling silences, by cause.
fn silenced<T>(cascade: &CascadeReport<T>) -> String {
    if cascade.silenced.is_empty() {
        return "Link fault signalling is on. It silences no ToR.\n".into();
    }
    let mut text = "Link fault signalling is on. It silences further ToRs:\n".to_owned();
    for (why, tors) in cascade.by_cause() {
        let _ = writeln!(text, "  {why}: {}", list(&tors));
    }
    text
}

pub(crate) fn recover(report: &RecoverReport) -> String {
    let mut text = format!(
        "Failed: {}. By {}{}: {}.\n\n",
        report.failed.join(", "),
        report.method,
        report.objective.map_or(String::new(), |o| format!(", {o}")),
        report.outcome(),
    );
    if let Some(fault) = &report.fault {
        let _ = writeln!(text, "The result is not safe: {fault}.\n");
    }
    let mut changes = table(&["tor", "rules to add", "rules to delete"]);
    for (tor, change) in report.changes.iter().take(SHOWN) {
        changes.add_row([
            tor.to_string(),
            change.add.len().to_string(),
            change.delete.len().to_string(),
        ]);
    }
    let _ = writeln!(text, "{changes}{}", more(report.changes.len()));
    if !report.not_counted.is_empty() {
        let _ = writeln!(text, "Given up as sources: {}.", list(&report.not_counted));
    }
    // Each stand-in and filter is named: without them the new rules would loop.
    for (source, root) in &report.via {
        let _ = writeln!(text, "Source {source} unicasts to ToR {root}, which transmits first.");
    }
    for (tor, only) in &report.accept {
        let mut by_splitter: BTreeMap<_, Vec<String>> = BTreeMap::new();
        for (source, from) in only {
            by_splitter.entry(from).or_default().push(source.to_string());
        }
        for (from, sources) in by_splitter {
            let (s, sources) = (if sources.len() == 1 { "" } else { "s" }, sources.join(", "));
            let _ = writeln!(
                text,
                "ToR {tor} takes source{s} {sources} from the splitter of ToR {from} only."
            );
        }
    }
    for (source, tors) in report.unreachable.iter().take(SHOWN) {
        let _ = writeln!(text, "Source {source} cannot reach {}.", list(tors));
    }
    let _ = writeln!(text, "{}", more(report.unreachable.len()).trim_start());
    if !report.restricted.is_empty() {
        let _ = writeln!(
            text,
            "{} moved source(s) had no free choice of relay: {}.",
            report.restricted.len(),
            list(&report.restricted)
        );
    }
    if let Some((cascade, compared)) =
        report.fault_signalling.as_ref().zip(fault_signalling(report))
    {
        text += &silenced(cascade);
        let _ = writeln!(text, "{}\n", sheet(&compared));
    }
    let steps: Vec<String> = report.phases.iter().map(phase).collect();
    let _ = writeln!(
        text,
        "Phases: {}.\nHops: {}. Parallel sources left: {}.",
        if steps.is_empty() { "nothing to do".into() } else { steps.join(", ") },
        report.max_hops,
        report.parallel_sources
    );
    if let Some(line) = report.added_hops_line() {
        let _ = writeln!(text, "{line}");
    }
    if let Some(drain) = &report.drain {
        let _ = writeln!(
            text,
            "The drain is {} hops of at most {} each: {} of fibre, {} in the switch, {} in its queue. Assumed: {}.",
            drain.hops,
            drain.hop,
            drain.fibre,
            drain.switch,
            drain.queue,
            drain.assumed.join("; ")
        );
    }
    if let Some(warning) = report.way_back() {
        let _ = writeln!(text, "{warning}");
    }
    if !report.throughput.is_empty() {
        let mut rates =
            table(&["active sources", "rate before", "rate after", "lost, %", "± 95 %"]);
        for t in &report.throughput {
            rates.add_row([
                t.active.to_string(),
                format!("{:.4}", t.before),
                format!("{:.4}", t.after),
                format!("{:.2}", 100.0 * t.degradation),
                format!("{:.2}", 100.0 * t.ci95),
            ]);
        }
        let _ = writeln!(text, "\n{rates}");
    }
    text
}

pub(crate) fn repairs(report: &RepairsReport) -> String {
    let mut text = format!("Wrote {} repairs to {}.\n", report.repairs, shown_path(&report.out));
    if !report.not_restored.is_empty() {
        let _ = writeln!(
            text,
            "{} failures leave some source without some ToR, whatever the rules: {}.",
            report.not_restored.len(),
            list(&report.not_restored)
        );
    }
    text
}

pub(crate) fn risk(report: &RiskReport) -> String {
    let mut groups = table(&[
        "parts that fail together",
        "parts",
        "pairs cut off",
        "sources hit",
        "failed sources",
    ]);
    for group in report.groups.iter().take(SHOWN) {
        groups.add_row([
            group.group.clone(),
            group.parts.to_string(),
            group.cut_off.to_string(),
            group.sources_hit.to_string(),
            group.failed_sources.to_string(),
        ]);
    }
    let pairs = &report.pairs;
    let mut text = format!("{groups}{}\n\n", more(report.groups.len()));
    let _ = writeln!(
        text,
        "{} of {} pairs of relays{} cut somebody off.",
        pairs.cutting,
        pairs.tried,
        if pairs.exhaustive { ", all there are," } else { ", drawn with a fixed seed," }
    );
    for (a, b) in pairs.listed.iter().take(SHOWN) {
        let _ = writeln!(text, "  {a} and {b}");
    }
    if let Some(cascade) = &report.fault_signalling {
        let _ = writeln!(
            text,
            "Link fault signalling is on: {} of {} transmitters silence other ToRs if they fail, up to {} of \
             them.\nWith it off, {} pairs cut somebody off.",
            cascade.silencing,
            cascade.transmitters,
            cascade.most_silenced,
            cascade.pairs_without.cutting
        );
        let hit = |g: &&GroupReport| g.fault_signalling.as_ref().is_some_and(|f| f.silenced > 0);
        let _ = writeln!(text, "Groups that silence further ToRs, and their figures with it off:");
        let mut groups =
            table(&["parts that fail together", "silenced", "cut off", "hit", "failed"]);
        for group in report.groups.iter().filter(hit).take(SHOWN) {
            let Some(with) = &group.fault_signalling else { continue };
            groups.add_row([
                group.group.clone(),
                with.silenced.to_string(),
                with.cut_off_without.to_string(),
                with.sources_hit_without.to_string(),
                with.failed_sources_without.to_string(),
            ]);
        }
        let _ = writeln!(text, "{groups}");
    }
    text.push('\n');
    text.push_str(&outages(&report.outages));
    text
}

/// Outages by failure rates.
fn outages(report: &OutageReport) -> String {
    let mut text = String::new();
    if let Some(known) = &report.known {
        let mut kinds = table(&[
            "kind",
            "parts",
            "rate",
            "repair",
            "failures a year",
            "pairs cut a year, until new rules",
            "until repaired",
            "pair hours a year",
        ]);
        for kind in &report.kinds {
            let Some((rate, outages)) = kind.rate.as_ref().zip(kind.outages) else {
                let unknown = || "unknown".to_owned();
                let mut row = vec![kind.kind.name().to_owned(), kind.parts.to_string()];
                row.extend((0..6).map(|_| unknown()));
                kinds.add_row(row);
                continue;
            };
            kinds.add_row([
                kind.kind.name().to_owned(),
                kind.parts.to_string(),
                rate.rate.to_string(),
                rate.repair.to_string(),
                format!("{:.4}", outages.failures_per_year),
                format!("{:.2}", outages.before_recovery_per_year),
                format!("{:.2}", outages.after_recovery_per_year),
                format!("{:.2}", outages.pair_hours_per_year),
            ]);
        }
        let _ = writeln!(text, "{kinds}");
        let mut most =
            table(&["part", "failures a year", "pairs, before", "after", "pair hours a year"]);
        for part in &known.most {
            most.add_row([
                part.part.clone(),
                format!("{:.5}", part.failures_per_year),
                part.pairs_before.to_string(),
                part.pairs_after.to_string(),
                format!("{:.3}", part.pair_hours_per_year),
            ]);
        }
        let _ = writeln!(text, "The parts that matter most:\n{most}");
    }
    for line in report.lines() {
        let _ = writeln!(text, "{line}");
    }
    text
}

fn phase(phase: &Phase) -> String {
    let count = |rules: usize, tors: usize| format!("{rules} rules on {tors} ToRs");
    match phase {
        Phase::Delete { rules } => {
            format!("delete {}", count(rules.values().map(Vec::len).sum(), rules.len()))
        }
        Phase::Barrier => "barrier".into(),
        Phase::Drain { time } => format!("drain {time}"),
        Phase::Accept { only } => format!("filter on {} ToRs", only.len()),
        Phase::Add { rules } => {
            format!("add {}", count(rules.values().map(Vec::len).sum(), rules.len()))
        }
    }
}
