//! Budgets, comparisons and a plan's light as people read them.

use std::fmt::Write as _;

use lightloom::{
    BranchReport, BudgetReport, CompareReport, MarginFrom, MendReport, MissingReport,
    PerSourceReport, PlanReport, SideReport, SpecReport, TotalReport,
};

use crate::cells::table;
use crate::width::Sheet;

/// Branches that a table shows, the worst.
const BRANCHES: usize = 10;

pub(crate) fn budget(report: &BudgetReport) -> String {
    let mut text = format!(
        "{}{} over splitter {}, {} case. Verdict: {}.\n",
        report.transceiver,
        with_pad(report.pad.as_deref()),
        report.splitter,
        report.case.name(),
        report.verdict.name()
    );
    let of = match report.margin_from {
        MarginFrom::LaunchPower => "",
        MarginFrom::BestCase => " of a best-case budget: the greatest launch power is assumed",
        MarginFrom::ChannelLoss => " of the channel loss of the class",
    };
    let _ = writeln!(text, "Worst margin: {}{of}.", decibels(report.worst_margin_db));
    if !report.compared.is_empty() {
        let pairs = report.compared.iter().map(|pair| {
            let (launch, sensitivity) = (pair.launch.name(), pair.sensitivity.name());
            format!("{launch} launch over {sensitivity} sensitivity ({:.2} dB)", pair.budget_db)
        });
        let _ = writeln!(text, "Compared: {}.", pairs.collect::<Vec<_>>().join("; "));
    }
    if let Some(headroom) = report.worst_headroom_db {
        let _ = writeln!(text, "Closest to overload: {headroom:.2} dB below it.");
    }
    let count = &report.count;
    let _ = writeln!(
        text,
        "Branches: {} pass, {} warn, {} marginal, {} fail, {} unknown.",
        count.pass, count.warn, count.marginal, count.fail, count.unknown
    );
    if let Some(drawn) = &report.monte_carlo {
        let _ = writeln!(
            text,
            "{} draws, seed {}: {} % of them are worse than what is shown; every branch closes in {:.2} %; \
             {:.2} modules to swap are expected.",
            drawn.samples,
            drawn.seed,
            drawn.percentile,
            100.0 * drawn.all_close_share,
            drawn.expected_swaps
        );
    }
    if let Some(worst) = &report.worst {
        let _ = writeln!(text, "\nThe worst branch, {} to {}:", worst.from_tor, worst.to_tor);
        let mut way = table(&["element", "least, dB", "typical, dB", "most, dB"]);
        for element in &worst.elements {
            way.add_row([
                element.element.name().to_owned(),
                format!("{:.2}", element.least_db),
                format!("{:.2}", element.typical_db),
                format!("{:.2}", element.most_db),
            ]);
        }
        let _ = writeln!(text, "{way}");
    }
    let _ = writeln!(text, "\n{}", branches(report));
    if let Some(branch) = report.branches.first().filter(|branch| !branch.mend.is_empty()) {
        let ways: Vec<String> = branch.mend.iter().map(mend).collect();
        let _ = writeln!(
            text,
            "\nWhat would mend {} to {}: {}.",
            branch.from_tor,
            branch.to_tor,
            ways.join("; ")
        );
    }
    for hazard in &report.hazards {
        let _ = writeln!(text, "Hazard: {hazard}.");
    }
    for note in report.assumed.iter().chain(&report.gaps) {
        let _ = writeln!(text, "Note: {note}.");
    }
    for (field, reason) in &report.unknown {
        let _ = writeln!(text, "Unknown: {field}: {reason}.");
    }
    let _ = writeln!(text, "Catalogue: {}.", report.catalogue.line());
    text
}

fn with_pad(pad: Option<&str>) -> String {
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

/// The worst branches, without the columns of which nothing is known.
fn branches(report: &BudgetReport) -> String {
    type Column = (&'static str, fn(&BranchReport) -> String);
    let columns: [Column; 7] = [
        ("loss, dB", |branch| format!("{:.2}", branch.loss_db)),
        ("received, dBm", |branch| plain(branch.rx_dbm)),
        ("margin, dB", |branch| plain(branch.margin_db)),
        ("headroom, dB", |branch| plain(branch.headroom_db)),
        ("pre-FEC BER", |branch| small(branch.pre_fec_ber)),
        ("frames lost", |branch| small(branch.frame_loss)),
        ("verdict", |branch| branch.verdict.name().to_owned()),
    ];
    let shown = &report.branches[..report.branches.len().min(BRANCHES)];
    let known = |(_, cell): &&Column| shown.iter().any(|branch| cell(branch) != "?");
    let columns: Vec<&Column> = columns.iter().filter(known).collect();
    let mut header = vec!["from", "to"];
    header.extend(columns.iter().map(|(name, _)| *name));
    let mut rows = table(&header);
    for branch in shown {
        let mut row = vec![branch.from_tor.to_string(), branch.to_tor.to_string()];
        row.extend(columns.iter().map(|(_, cell)| cell(branch)));
        rows.add_row(row);
    }
    let left = report.branches.len() - shown.len();
    let more =
        if left > 0 { format!("\n… and {left} more; --json lists all") } else { String::new() };
    format!("{rows}{more}")
}

fn mend(mend: &MendReport) -> String {
    match mend {
        MendReport::Transceiver { name, pad, margin_db, .. } => {
            let pad = with_pad(pad.as_deref());
            format!("{name}{pad} (margin {})", decibels(*margin_db))
        }
        MendReport::Splitter { fan_out, margin_db } => {
            format!("splitters 1:{fan_out} (margin {})", decibels(*margin_db))
        }
        MendReport::ShorterRoute { by_m } => format!("a way that is {by_m:.0} m shorter"),
        MendReport::Pad { name, at, margin_db, headroom_db } => {
            let (margin, headroom) = (decibels(*margin_db), decibels(*headroom_db));
            format!("pad {name} at the {} (margin {margin}, below overload {headroom})", at.name())
        }
    }
}

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
        sides([&report.splitter_fabric, &report.ip_multicast, &report.peer_to_peer], None)
    );
    let ratios = &report.ratios;
    let mut against = table(&["over the splitter fabric", "ports", "power", "cost"]);
    for (name, ports, power, cost) in [
        (
            "IP multicast",
            ratios.ports_ip_multicast,
            ratios.power_ip_multicast,
            ratios.cost_ip_multicast,
        ),
        (
            "peer to peer",
            ratios.ports_peer_to_peer,
            ratios.power_peer_to_peer,
            ratios.cost_peer_to_peer,
        ),
    ] {
        against.add_row([name.into(), format!("{ports:.3}"), times(power), times(cost)]);
    }
    let _ = writeln!(text, "\n{against}");
    let _ = writeln!(
        text,
        "The packet core adds {:.0} % to the ToRs' uplinks.\n",
        report.excess_resource_percent
    );
    let whole = &report.whole_fabric;
    let at = &report.at_line_rate;
    let at = [&at.splitter_fabric, &at.ip_multicast, &at.peer_to_peer];
    let _ = writeln!(text, "All that is built:");
    let _ = writeln!(
        text,
        "{}",
        sides([&whole.splitter_fabric, &whole.ip_multicast, &whole.peer_to_peer], Some(at))
    );
    let _ = writeln!(
        text,
        "\nThe plan's own bill, with routed lengths: {}, {}.",
        cost(&report.bill),
        power(&report.bill)
    );
    text += &lacking(&report.bill.missing);
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

/// What three ways take, and what that is for each source that can send at line rate at once.
fn sides(sides: [&SideReport; 3], at_line_rate: Option<[&PerSourceReport; 3]>) -> Sheet {
    let mut shown = table(&["", "splitter fabric", "IP multicast", "peer to peer"]);
    let mut row = |name: &str, value: &dyn Fn(&SideReport) -> String| {
        let mut cells = vec![name.to_owned()];
        cells.extend(sides.iter().map(|side| value(side)));
        shown.add_row(cells);
    };
    row("ports", &|side| side.ports.to_string());
    row("transceivers", &|side| side.transceivers.to_string());
    row("splitters", &|side| side.splitters.to_string());
    row("fibres", &|side| format!("{} ({}s)", side.fibres, side.fibre));
    row("power", &|side| power(&side.total));
    if sides[0].joules_per_gigabyte.is_some() {
        row("energy a gigabyte", &|side| {
            side.joules_per_gigabyte.map_or("unknown".into(), |joules| format!("{joules:.1} J"))
        });
    }
    row("cost", &|side| cost(&side.total));
    if let Some(years) = sides[0].over_years.as_ref().map(|over| over.years) {
        row(&format!("cost over {years} years"), &|side| {
            let cost = side.over_years.as_ref().and_then(|over| over.cost);
            cost.map_or("unknown".into(), |cost| cost.to_hundredths().to_string())
        });
    }
    if let Some(each) = at_line_rate {
        let unknown = || "unknown".to_owned();
        let mut row = |name: &str, value: &dyn Fn(&PerSourceReport) -> Option<String>| {
            let mut cells = vec![name.to_owned()];
            cells.extend(each.iter().map(|each| value(each).unwrap_or_else(unknown)));
            shown.add_row(cells);
        };
        row("sources at line rate", &|each| Some(each.sources?.to_string()));
        row("power of each", &|each| Some(watts(Some(each.power_w?))));
        row("cost of each", &|each| Some(each.cost?.to_hundredths().to_string()));
    }
    shown
}

/// What a plan's summary says of its light.
pub(crate) fn plan_light(report: &PlanReport) -> String {
    match &report.light {
        None => report.optical.name().to_owned(),
        Some(light) => {
            let decisive = light.accepted.as_ref().unwrap_or(&light.worst);
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
    let Some(light) = report.light.as_ref().filter(|light| !light.closes()) else {
        return String::new();
    };
    let decisive = light.accepted.as_ref().unwrap_or(&light.worst);
    let (fail, unknown) = (decisive.branches.fail, decisive.branches.unknown);
    let what = if fail > 0 {
        format!("THE LIGHT DOES NOT ARRIVE: {fail} branches fail")
    } else {
        format!(
            "NOT KNOWN TO ARRIVE: of {unknown} branches the catalogue lacks launch power or sensitivity"
        )
    };
    let advice = if light.accepted.is_some() {
        ""
    } else {
        "; `accept` in [optics] takes the typical or the Monte Carlo case instead"
    };
    format!(
        "{what} ({} over {}, {} case). The plan is marked so. `lightloom budget` says what would mend \
         it{advice}.\n\n",
        light.transceiver,
        light.splitter,
        light.decided_by.name()
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
    let line = |m: &MissingReport| {
        format!("Not in the sums: the {} of {} × {} ({}).\n", m.value, m.quantity, m.part, m.reason)
    };
    missing.iter().map(line).collect()
}

pub(crate) fn cost(total: &TotalReport) -> String {
    let cost = total.cost.map_or("unknown".into(), |cost| cost.to_hundredths().to_string());
    if total.cost.is_none() || total.all_priced() { cost } else { format!("{cost} and more") }
}

pub(crate) fn power(total: &TotalReport) -> String {
    let power = watts(total.power_w);
    if total.power_w.is_none() || total.all_powered() { power } else { format!("{power} and more") }
}

pub(crate) fn watts(watts: Option<f64>) -> String {
    watts.map_or("unknown".into(), |watts| format!("{watts:.1} W"))
}

fn decibels(value: Option<f64>) -> String {
    value.map_or("unknown".into(), |value| format!("{value:.2} dB"))
}

pub(crate) fn plain(value: Option<f64>) -> String {
    value.map_or("?".into(), |value| format!("{value:.2}"))
}

fn small(value: Option<f64>) -> String {
    match value {
        None => "?".into(),
        Some(value) if value < 1e-15 => "< 1e-15".into(),
        Some(value) => format!("{value:.1e}"),
    }
}

fn times(value: Option<f64>) -> String {
    value.map_or("unknown".into(), |value| format!("{value:.3}"))
}
