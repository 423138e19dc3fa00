//! Explored designs and unused ports as people read them.

use std::fmt::Write as _;

use lightloom::designs::{DesignReport, DistributionReport, ExploreReport, UnusedReport};
use lightloom::plan::Cabling;

use crate::budget_tables::plain;
use lightloom::shown::design::{computed, fabric_name, hops};

use crate::cells::{SHOWN, more, table};
use crate::light_tables::lacking;

pub(crate) fn explore(report: &ExploreReport) -> String {
    let mut text = format!(
        "{} designs for {} ToRs at {} ({} case), ranked by {}; {} more are rejected. * marks the Pareto \
         front over {}; ~ is where prices decide.\n\n",
        report.designs.len(),
        report.tors,
        report.rate,
        report.case.name(),
        report.ranked_by,
        report.rejected.len(),
        report.objectives_text()
    );
    let one_optic = report.designs.windows(2).all(|pair| optic(&pair[0]) == optic(&pair[1]));
    let mut header =
        vec!["design", "housing", "cost", "fibre, m", "power", "hops", "parallel", "margin, dB"];
    if !one_optic {
        header.push("optic");
    }
    let mut designs = table(&header);
    for design in report.designs.iter().take(SHOWN) {
        let mut row = design_row(design).to_vec();
        row.extend((!one_optic).then(|| optic(design)));
        designs.add_row(row);
    }
    let _ = writeln!(text, "{designs}{}", more(report.designs.len()));
    if let Some(first) = report.designs.first().filter(|_| one_optic) {
        let _ = writeln!(text, "All with {}.", optic(first));
    }
    if !report.designs.is_empty() {
        let _ = writeln!(text, "\n{}", costs(report));
        let _ = writeln!(text, "\n{}", cabling(report));
    }
    text.push('\n');
    let _ = writeln!(text, "Rejected:");
    let rejections = report.rejections();
    for (of, why) in rejections.iter().take(SHOWN) {
        let _ = writeln!(text, "  {of}: {why}");
    }
    let _ = writeln!(text, "{}", more(rejections.len()));
    if let Some(first) = report.designs.first() {
        text += &lacking(&first.missing);
    }
    for note in report.cost_notes() {
        let _ = writeln!(text, "{note}");
    }
    for note in report.notes() {
        let _ = writeln!(text, "Note: {note}.");
    }
    let _ = writeln!(text, "Catalogue: {}.", report.catalogue.line());
    text
}

/// Bounds of the costs of the shown designs, and how each compares with the first one.
fn costs(report: &ExploreReport) -> String {
    let mut costs =
        table(&["design", "housing", "optic", "low to high", "assumed", "beside first"]);
    for design in report.designs.iter().take(SHOWN) {
        let assumed = design.cost_range.as_ref().and_then(|range| range.assumed_percent);
        costs.add_row([
            fabric_name(design.family, design.p, design.k),
            housing(design),
            optic(design),
            design.bounds_text(),
            assumed.map_or_else(|| "-".to_owned(), |percent| format!("{percent:.0} %")),
            design.beside_first_text().to_owned(),
        ]);
    }
    costs.to_string()
}

/// The cables of the shown designs. They do not depend on the optics, so each fabric with its housing is there
/// once.
fn cabling(report: &ExploreReport) -> String {
    let mut cabling =
        table(&["design", "housing", "cables between rows", "fullest tray", "rack units"]);
    let mut seen = Vec::new();
    for design in report.designs.iter().take(SHOWN) {
        let of = (design.family, design.p, design.housing, design.cabling);
        if !seen.contains(&of) {
            seen.push(of);
            cabling.add_row([
                fabric_name(design.family, design.p, design.k),
                housing(design),
                design.cables_beyond_rows.to_string(),
                format!("{:.1} %", design.fullest_tray_percent),
                design.rack_units.to_string(),
            ]);
        }
    }
    cabling.to_string()
}

fn design_row(design: &DesignReport) -> [String; 8] {
    // No space, so that a narrow column does not part them.
    let mark = match (design.pareto, design.pareto_open) {
        (true, false) => "*",
        (true, true) => "*~",
        (false, true) => "~",
        (false, false) => "",
    };
    [
        format!("{}{mark}", fabric_name(design.family, design.p, design.k)),
        housing(design),
        design.cost_text(),
        format!("{:.0}", design.fibre_m),
        design.power_w.map_or("unknown".into(), |watts| format!("{:.1} kW", watts / 1000.0)),
        hops(design.max_hops, design.mean_hops),
        computed(design.parallel_sources),
        format!("{} {}", plain(design.worst_margin_db), design.verdict.name()),
    ]
}

fn housing(design: &DesignReport) -> String {
    match design.cabling {
        Cabling::PointToPoint => design.housing.to_string(),
        Cabling::Trunked => format!("{}, trunks", design.housing),
    }
}

/// The transceiver of a design, with its pad.
fn optic(design: &DesignReport) -> String {
    match design.pad.as_ref().and_then(|pad| pad.split_whitespace().next()) {
        Some(pad) => format!("{} + {pad}", design.transceiver),
        None => design.transceiver.clone(),
    }
}

pub(crate) fn unused_ports(report: &UnusedReport) -> String {
    let mut text = format!(
        "{} ways to fill a rack, {} switch models; {} ways need more ports than any model has.\n\n",
        report.racks,
        report.models.len(),
        report.impossible
    );
    let columns: Vec<(&str, &DistributionReport)> = std::iter::once(("all", &report.all))
        .chain(report.at_one_to_one.as_ref().map(|at_one| ("1:1", at_one)))
        .collect();
    let mut header = vec!["share of racks"];
    header.extend(columns.iter().map(|(name, _)| *name));
    let mut shares = table(&header);
    for (name, share) in [
        (
            "2 unused ports or more",
            (|d| d.share_with_2_ports) as fn(&DistributionReport) -> Option<f64>,
        ),
        ("10 or more", |d| d.share_with_10_ports),
        ("100 Gb/s or more", |d| d.share_with_100_gbps),
        ("10 and 500 Gb/s or more", |d| d.share_with_10_ports_and_500_gbps),
    ] {
        let mut row = vec![name.to_owned()];
        row.extend(columns.iter().map(|(_, d)| percent(share(d))));
        shares.add_row(row);
    }
    let _ = writeln!(text, "{shares}\n");
    if let Some(design) = &report.design {
        let _ = writeln!(
            text,
            "The design needs {} ports of {} a ToR: {} of these racks have them to spare.",
            design.ports_needed,
            design.rate,
            percent(design.share_with_enough)
        );
    }
    for note in &report.assumed {
        let _ = writeln!(text, "Note: {note}.");
    }
    text
}

fn percent(share: Option<f64>) -> String {
    share.map_or("none possible".into(), |share| format!("{:.1} %", 100.0 * share))
}
