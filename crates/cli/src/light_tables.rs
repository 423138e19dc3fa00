//! Comparisons, and a plan's light, power and cost as people read them.

use std::fmt::Write as _;

use lightloom::designs::{CircuitCoreReport, CompareReport, PerSourceReport, SideReport};
use lightloom::plan::{MissingReport, OneTotal, PartGroup, PlanReport, TotalName};

use crate::budget_tables::{decibels, with_pad};
use crate::cells::table;
use crate::width::Sheet;

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
    for (name, ports, power, cost, bounds) in [
        (
            "IP multicast",
            ratios.ports_ip_multicast,
            ratios.power_ip_multicast,
            ratios.cost_ip_multicast,
            ratios.cost_range_ip_multicast,
        ),
        (
            "peer to peer",
            ratios.ports_peer_to_peer,
            ratios.power_peer_to_peer,
            ratios.cost_peer_to_peer,
            ratios.cost_range_peer_to_peer,
        ),
    ] {
        let bounds = bounds.map_or_else(String::new, |bounds| bounds.text());
        against.add_row([name.into(), format!("{ports:.3}"), times(power), times(cost) + &bounds]);
    }
    let _ = writeln!(text, "\n{against}");
    let _ = writeln!(
        text,
        "The packet core adds {:.0} % to the ToRs' uplinks.\n{}\n",
        report.excess_resource_percent,
        report.core_failures.line()
    );
    if let Some(core) = &report.circuit_core {
        let _ = writeln!(text, "{}\n", core.line());
        let _ = writeln!(text, "{}\n", circuit_core(core));
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
        sides([&whole.splitter_fabric, &whole.ip_multicast, &whole.peer_to_peer], Some(at))
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
    let header: Vec<&str> =
        std::iter::once("what it costs").chain(of.iter().map(|total| total.name.name())).collect();
    let mut shown = table(&header);
    for group in PartGroup::ALL {
        let cells: Vec<Option<String>> = of.iter().map(|total| total.text(group)).collect();
        if cells.iter().any(Option::is_some) {
            let cells = cells.into_iter().map(|cell| cell.unwrap_or_else(|| "-".to_owned()));
            shown
                .add_row(std::iter::once(group.name().to_owned()).chain(cells).collect::<Vec<_>>());
        }
    }
    let cells = of.iter().map(|total| total.total.cost_text());
    shown.add_row(std::iter::once("sum".to_owned()).chain(cells).collect::<Vec<_>>());
    // Spares on a shelf draw nothing.
    let power = |total: &OneTotal| match total.name {
        TotalName::Order => "-".to_owned(),
        _ => total.total.power_text(),
    };
    let cells = of.iter().map(power);
    shown.add_row(std::iter::once("power".to_owned()).chain(cells).collect::<Vec<_>>());
    let mut text = format!("{shown}\n");
    for total in of {
        let _ = writeln!(text, "{}: {}", total.name, total.says);
    }
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
    row("power", &|side| side.total.power_text());
    if sides[0].joules_per_gigabyte.is_some() {
        row("energy a gigabyte", &|side| {
            side.joules_per_gigabyte.map_or("unknown".into(), |joules| format!("{joules:.1} J"))
        });
    }
    row("cost", &|side| side.total.cost_text());
    if let Some(years) = sides[0].over_years.as_ref().map(|over| over.years) {
        row(&format!("cost over {years} years"), &|side| {
            let over = side.over_years.as_ref();
            over.map_or("unknown".into(), |over| over.cost_text(&side.total))
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
        row("cost of each", &|each| Some(each.cost_text()));
    }
    shown
}

fn circuit_core(core: &CircuitCoreReport) -> Sheet {
    let mut shown = table(&["core of circuit switches", "value"]);
    let parts = &core.parts;
    for (name, value) in [
        ("ports of ToRs", parts.ports.to_string()),
        ("ports of circuit switches", core.ports.to_string()),
        ("transceivers", parts.transceivers.to_string()),
        ("fibres", format!("{} ({}s)", parts.fibres, parts.fibre)),
        ("power", parts.total.power_text()),
        ("cost", parts.total.cost_text()),
    ] {
        shown.add_row([name.to_owned(), value]);
    }
    if let Some(over) = &parts.over_years {
        shown.add_row([format!("cost over {} years", over.years), over.cost_text(&parts.total)]);
    }
    shown
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

pub(crate) fn watts(watts: Option<f64>) -> String {
    watts.map_or("unknown".into(), |watts| format!("{watts:.1} W"))
}

fn times(value: Option<f64>) -> String {
    value.map_or("unknown".into(), |value| format!("{value:.3}"))
}
