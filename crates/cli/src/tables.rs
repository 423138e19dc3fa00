//! Reports as people read them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use lightloom::designs::NewDesign;
use lightloom::plan::{
    FabricReport, InfoReport, InventoryReport, ParallelReport, Planned, RulesReport, TreeReport,
    VerifyReport,
};
use lightloom::report::Reported;
use lightloom::shown::design::{computed, fabric_name, facts, hops, load};
use lightloom::units::text::{is_hidden, shown_path};
use lightloom::{Project, TorId};

use crate::cells::{SHOWN, list, more, sheet, table};
use crate::place_args::placed;
use crate::{light_tables, plan_tables};

pub(crate) fn new(written: &NewDesign) -> String {
    format!(
        "Wrote {}.\n\n{}\nNext: lightloom plan {} --out plan\n",
        shown_path(&written.design),
        info(&written.info),
        in_shell(&written.design)
    )
}

/// A path as one word of a shell's line. What a reader cannot see is written as bytes, within `$'…'` of POSIX.
fn in_shell(path: &Path) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
    match path.to_str() {
        Some(text) if text.chars().all(plain) => text.into(),
        Some(text) if !text.contains(is_hidden) => format!("'{}'", text.replace('\'', "'\\''")),
        _ => {
            let bytes = path.as_os_str().as_encoded_bytes();
            format!("$'{}'", bytes.iter().map(|&byte| in_dollar_quotes(byte)).collect::<String>())
        }
    }
}

fn in_dollar_quotes(byte: u8) -> String {
    match byte {
        b'\'' | b'\\' => format!("\\{}", char::from(byte)),
        b' '..=b'~' => char::from(byte).to_string(),
        // Three digits: what follows is never taken for a digit of it.
        _ => format!("\\{byte:03o}"),
    }
}

pub(crate) fn plan(planned: &Planned) -> String {
    let report = &planned.report;
    let mut text = format!("Wrote {}.\n\n", shown_path(&planned.out));
    text += &planned.placed.as_ref().map(placed).unwrap_or_default();
    let mut facts = table(&["", "value"]);
    facts.add_row(["fabric".into(), fabric_name(report.family, report.p, report.k)]);
    facts.add_row(["ToRs".into(), report.tors.to_string()]);
    if let Some(logical) = &report.platform.logical {
        let switches = format!("{}, each up to {} ToRs", logical.switches, logical.per_switch);
        facts.add_row(["switches".into(), switches]);
    }
    if let Some(accelerators) = &report.platform.accelerators {
        facts.add_row(["accelerators".into(), accelerators.message.clone()]);
    }
    facts.add_row(["racks left over".into(), report.spare_racks.to_string()]);
    facts.add_row(["cassettes".into(), report.cassettes.to_string()]);
    facts.add_row(["router".into(), report.router.to_string()]);
    facts.add_row(["hops, most / mean".into(), hops(report.max_hops, report.mean_hops)]);
    facts.add_row(["relay load, min / mean / max".into(), load(report.relay_load.as_ref())]);
    facts.add_row(["optical".into(), light_tables::plan_light(report)]);
    if let Some((bill, order)) = report.bill.as_ref().zip(report.to_order.as_ref()) {
        facts.add_row(["power".into(), bill.power_text()]);
        facts.add_row(["cost, switch ports included".into(), bill.cost_text()]);
        facts.add_row(["cost of the order, spares included".into(), order.cost_text()]);
    }
    if let Some(catalogue) = &report.catalogue {
        facts.add_row(["catalogue".into(), catalogue.line()]);
    }
    let _ = writeln!(text, "{facts}\n");
    if !report.totals.is_empty() {
        let _ = writeln!(text, "{}", light_tables::totals(&report.totals));
        let missing: Vec<_> = report.bill.iter().flat_map(|bill| bill.missing.clone()).collect();
        text += &light_tables::lacking(&missing);
    }
    text += &light_tables::plan_warning(report);
    text += &light_tables::plan_hazards(report);
    text += &plan_tables::warnings(report);

    text += &plan_tables::housings(report);
    if let Some(fullest) = report.trays.first() {
        let _ = writeln!(
            text,
            "Fullest tray: {}, {} cables, {:.1} %.",
            fullest.tray, fullest.fibres, fullest.fill_percent
        );
    }
    text += &plan_tables::unplaced(report);
    text += &plan_tables::platform(report);
    let proved = &report.verification;
    let sources = match &proved.sample {
        None => "all sources".to_owned(),
        Some(sample) => format!("a sample of sources (seed {}, listed in plan.json)", sample.seed),
    };
    let _ = writeln!(
        text,
        "Verified: {} branch fibres, {} of {} sources ({sources}), {} copies; every other ToR gets \
         exactly one, within {} hops, without a loop.",
        proved.fibres_checked,
        proved.sources_checked,
        proved.sources,
        proved.copies,
        report.max_hops
    );
    if let Some(other) = &planned.other_family {
        let _ = writeln!(
            text,
            "The other family, {}, would have: hops {}, relay load {}, parallel sources {}.",
            fabric_name(other.family, other.p, other.k),
            hops(other.max_hops, other.mean_hops),
            load(other.relay_load.as_ref()),
            computed(other.parallel_sources),
        );
    }
    if let Some(doubled) = &planned.doubled {
        let _ = writeln!(text, "{}", doubled.line());
    }
    let notes = planned.inventory.iter().flat_map(|inventory| &inventory.notes);
    notes.fold(text + &plan_tables::assumed(planned), |text, note| text + note + "\n")
}

/// How the inventory was read, a line each.
fn inventory_lines(report: Option<&InventoryReport>) -> String {
    report.into_iter().flat_map(InventoryReport::lines).map(|line| line + "\n").collect()
}

pub(crate) fn reported(report: &Reported) -> String {
    let state =
        if report.good { "" } else { "The plan is not good: see the verdict on the first page.\n" };
    format!(
        "{state}Written: {}, {} bytes, SHA-256 {}.\n",
        shown_path(&report.out),
        report.bytes,
        report.sha256
    )
}

pub(crate) fn verify(report: &VerifyReport) -> String {
    let Some(proved) = &report.verification else {
        let mut text = format!("Wrong: {} fault(s).\n", report.faults);
        for fault in &report.first_faults {
            let _ = writeln!(text, "  {fault}");
        }
        let more = report.faults - report.first_faults.len();
        if more > 0 {
            let _ = writeln!(text, "  and {more} more");
        }
        return text;
    };
    let mut text = match proved.cut_off_text().filter(|_| !report.good) {
        None => "Good: every file is as planned".to_owned(),
        Some(cut_off) => {
            format!("Cut off: every file is as planned, but the failures leave {cut_off}")
        }
    };
    let _ = writeln!(
        text,
        "; {} branch fibres and {} of {} sources proved, {} copies.",
        proved.fibres_checked, proved.sources_checked, proved.sources, proved.copies
    );
    if let Some(without) = &report.without_failures {
        let _ = writeln!(
            text,
            "The plan goes around failures: {}. Its copies take at most {} hops. Without failures: {} copies, at most \
             {} hops.",
            report.failed.join(", "),
            proved.max_hops,
            without.verification.copies,
            without.max_hops
        );
    }
    if !report.given_up.is_empty() {
        let _ = writeln!(text, "Given up as sources: {}.", list(&report.given_up));
    }
    text + &cut_off(&proved.cut_off)
}

/// The ToRs that each source does not reach, a source a line.
pub(crate) fn cut_off(cut_off: &BTreeMap<TorId, Vec<TorId>>) -> String {
    let line = |(source, tors): (&TorId, &Vec<TorId>)| {
        format!("Source {source} cannot reach {}.\n", list(tors))
    };
    let lines: String = cut_off.iter().take(SHOWN).map(line).collect();
    match more(cut_off.len()).trim_start() {
        "" => lines,
        more => format!("{lines}{more}\n"),
    }
}

pub(crate) fn tree(project: &Project, tree: &TreeReport) -> String {
    let mut text = format!("Source {} ({}): ", tree.source, project.tor_name(tree.source));
    // Writing to a string does not fail.
    let _ = match tree.relays.is_empty() {
        true => writeln!(text, "no relays; it reaches no other ToR.\n"),
        false => writeln!(
            text,
            "{} relays, itself included; {} hops to the farthest ToR.\n\nRelays: {}\n",
            tree.relays.len(),
            tree.max_hops,
            list(&tree.relays),
        ),
    };
    if let Some(via) = tree.via {
        let _ = writeln!(text, "It unicasts to ToR {via}, which transmits first.\n");
    }
    let mut paths = table(&["to", "name", "hops", "path"]);
    for (to, path) in tree.paths.iter().take(SHOWN) {
        let way: Vec<String> = path.iter().map(ToString::to_string).collect();
        paths.add_row([
            to.to_string(),
            project.tor_name(*to).to_owned(),
            tree.hops(path).to_string(),
            way.join(" → "),
        ]);
    }
    let _ = writeln!(text, "{paths}{}", more(tree.paths.len()));
    if !tree.cut_off.is_empty() {
        let _ = writeln!(text, "\nCut off by the failures: {}.", list(&tree.cut_off));
    }
    text
}

pub(crate) fn fabric(project: &Project, fabric: &FabricReport) -> String {
    let mut edges = table(&["tor", "name", "receives from cassette", "transmits into cassette"]);
    for (tor, (id, from, to)) in project.fabric().tor_ids().zip(&fabric.edges).take(SHOWN) {
        let name = project.tor_name(tor).to_owned();
        edges.add_row([id.to_string(), name, from.to_string(), to.to_string()]);
    }
    format!(
        "{} ToRs on {} cassettes of 1:{} splitters.\n\n{edges}{}\n",
        fabric.edges.len(),
        fabric.cassettes,
        fabric.p,
        more(fabric.edges.len())
    )
}

pub(crate) fn rules(project: &Project, rules: &RulesReport) -> String {
    format!(
        "ToR {} ({}) relays {} sources, its own servers' packets included:\n{}\n",
        rules.tor,
        project.tor_name(rules.tor),
        rules.sources.len(),
        list(&rules.sources)
    )
}

pub(crate) fn parallel(report: &ParallelReport) -> String {
    let mut text = String::new();
    if let Some(f) = &report.forbidden {
        let _ = writeln!(
            text,
            "Impossible: into the cassettes {} lead {} ToRs that are not sources, and {} sources \
             transmit into them; {} streams need {} together.",
            list(&f.cassettes),
            f.entering,
            f.rooted_inside,
            f.needed,
            f.needed
        );
    } else {
        let _ = writeln!(text, "Possible: {} sources at line rate at once.\n", report.trees.len());
        let mut trees = table(&["source", "relays", "which"]);
        for (source, relays) in &report.trees {
            trees.add_row([source.to_string(), relays.len().to_string(), list(relays)]);
        }
        let _ = writeln!(text, "{trees}");
    }
    if let Some(limit) = &report.limit {
        let _ = writeln!(text, "\nNo more can: {}", limit_line(limit));
    }
    let _ = writeln!(text, "\nWith the installed tables, fair shares of the line rate:");
    for (source, share) in &report.installed_share {
        let _ = writeln!(text, "  {source}: {share:.4}");
    }
    text
}

pub(crate) fn info(info: &InfoReport) -> String {
    let mut text = format!("{}\n", sheet(&facts(info)));
    if let Some(line) = info.failures_line() {
        let _ = writeln!(text, "{line}");
    }
    if let Some(sources) = info.fabric.sampled_sources {
        let _ = writeln!(text, "Hops are measured from a seeded sample of {sources} sources.");
    }
    let _ = writeln!(text, "{}.", info.parallel_line());
    if let Some(more) = &info.one_more_hop {
        let _ = writeln!(
            text,
            "One more hop (--extra-hops 1) would buy: relay load {}, hops {}.",
            load(Some(&more.relay_load)),
            hops(more.max_hops, more.mean_hops)
        );
    }
    if let Some(accelerators) = &info.accelerators {
        let _ = writeln!(text, "Accelerators: {}.", accelerators.message);
    }
    if let Some(doubled) = &info.doubled {
        let _ = writeln!(text, "{}", doubled.line());
    }
    text + &inventory_lines(info.inventory.as_ref())
}

fn limit_line(limit: &lightloom::plan::LimitReport) -> String {
    use lightloom::plan::LimitReport as L;
    match limit {
        L::AllTors => "every ToR is a source already.".into(),
        L::Cassette { cassette, transmitters } => format!(
            "only {transmitters} ToRs transmit into cassette {cassette}, and every stream needs one of them."
        ),
        L::Sets { sets, entering } => format!(
            "only {entering} ToRs enter the disjoint cassette sets {}.",
            sets.iter().map(|set| format!("{{{}}}", list(set))).collect::<Vec<_>>().join(", ")
        ),
    }
}
