//! Facts, totals and comparisons of a design.

use lightloom_plan::facts::{FabricFacts, InfoReport, LoadReport};
use lightloom_plan::totals::{OneTotal, PartGroup, TotalName};
use lightloom_request::choices::Family;
use lightloom_studies::compare::{CircuitCoreReport, PerSourceReport, RatioReport, SideReport};
use lightloom_tables::shown::Shown;

use crate::shown::amounts::UNKNOWN;

/// The name of a fabric.
pub fn fabric_name(family: Family, p: u32, k: Option<u32>) -> String {
    match k {
        Some(k) => format!("{p},{k}-Shufflecast"),
        None => format!("{family}, 1:{p}"),
    }
}

/// The most and the mean number of hops.
pub fn hops(max: u32, mean: f64) -> String {
    format!("{max} / {mean:.2}")
}

/// The least, mean and greatest load of relays.
pub fn load(load: Option<&LoadReport>) -> String {
    computed(load.map(|load| format!("{} / {:.0} / {}", load.min, load.mean, load.max)))
}

/// A value that is not computed for large fabrics.
pub fn computed(value: Option<impl ToString>) -> String {
    value.map_or_else(|| "not computed at this size".to_owned(), |value| value.to_string())
}

/// The facts of the fabric, without its failures, and of the other family for the same ToRs and splitter.
pub fn facts(info: &InfoReport) -> Shown {
    let others = info.without_failures.iter().chain(&info.other_family);
    let fabrics: Vec<&FabricFacts> = std::iter::once(&info.fabric).chain(others).collect();
    let mut titles = vec![String::new()];
    titles.extend(fabrics.iter().map(|of| fabric_name(of.family, of.p, of.k)));
    if info.without_failures.is_some() {
        titles[1] += ", with failures";
        titles[2] += ", without";
    }
    let mut shown = Shown::new(titles);
    let mut row = |name: &str, value: fn(&FabricFacts) -> String| {
        let values = fabrics.iter().map(|fabric| value(fabric));
        shown.add(std::iter::once(name.to_owned()).chain(values));
    };
    row("ToRs", |of| of.tors.to_string());
    row("cassettes", |of| of.cassettes.to_string());
    row("router", |of| of.router.to_string());
    row("relays a source", |of| of.relays_per_source.to_string());
    row("rules a relay, at most", |of| computed(of.rules_per_relay));
    row("relay load, min / mean / max", |of| load(of.relay_load.as_ref()));
    row("hops, most / mean", |of| hops(of.max_hops, of.mean_hops));
    row("hops, Moore bound", |of| of.moore_bound.to_string());
    row("parallel sources, trees planned", |of| computed(of.parallel_sources));
    row("splitters", |of| of.splitters.to_string());
    row("transceivers (ports)", |of| of.transceivers.to_string());
    row("branch fibres", |of| of.fibres.to_string());
    shown
}

/// All totals of a plan beside each other.
pub fn totals(totals: &[OneTotal]) -> Shown {
    let names = totals.iter().map(|total| total.name.name());
    let mut shown = Shown::new(std::iter::once("what it costs").chain(names));
    let nothing = || "-".to_owned();
    for group in PartGroup::ALL {
        let cells: Vec<_> = totals.iter().map(|total| total.text(group)).collect();
        if cells.iter().any(Option::is_some) {
            let cells = cells.into_iter().map(|cell| cell.unwrap_or_else(nothing));
            shown.add(std::iter::once(group.name().to_owned()).chain(cells));
        }
    }
    let costs = totals.iter().map(|total| total.total.cost_text());
    shown.add(std::iter::once("sum".to_owned()).chain(costs));
    // Spares on a shelf draw nothing.
    let power = |total: &OneTotal| match total.name {
        TotalName::Order => nothing(),
        _ => total.total.power_text(),
    };
    shown.add(std::iter::once("power".to_owned()).chain(totals.iter().map(power)));
    shown
}

/// What the splitter fabric, the packet core and the chain of ToRs take; if asked for, also for each source that can
/// send at line rate at once.
pub fn ways(ways: [&SideReport; 3], at_line_rate: Option<[&PerSourceReport; 3]>) -> Shown {
    let mut shown = Shown::new(["", "splitter fabric", "IP multicast", "peer to peer"]);
    let unknown = || UNKNOWN.to_owned();
    let mut row = |name: &str, value: &dyn Fn(&SideReport) -> String| {
        shown.add(std::iter::once(name.to_owned()).chain(ways.map(value)));
    };
    row("ports", &|way| way.ports.to_string());
    row("transceivers", &|way| way.transceivers.to_string());
    row("splitters", &|way| way.splitters.to_string());
    row("fibres", &|way| format!("{} ({}s)", way.fibres, way.fibre));
    row("power", &|way| way.total.power_text());
    if ways[0].joules_per_gigabyte.is_some() {
        row("energy a gigabyte", &|way| {
            way.joules_per_gigabyte.map_or_else(unknown, |joules| format!("{joules:.1} J"))
        });
    }
    row("cost", &|way| way.total.cost_text());
    if let Some(years) = ways[0].over_years.as_ref().map(|over| over.years) {
        row(&format!("cost over {years} years"), &|way| {
            way.over_years.as_ref().map_or_else(unknown, |over| over.cost_text(&way.total))
        });
    }
    if let Some(each) = at_line_rate {
        let mut row = |name: &str, value: fn(&PerSourceReport) -> Option<String>| {
            let values = each.map(|each| value(each).unwrap_or_else(unknown));
            shown.add(std::iter::once(name.to_owned()).chain(values));
        };
        row("sources at line rate", |each| Some(each.sources?.to_string()));
        row("power of each", |each| Some(format!("{:.1} W", each.power_w?)));
        row("cost of each", |each| Some(each.cost_text()));
    }
    shown
}

/// How many times the other ways take what the splitter fabric takes.
pub fn ratios(of: &RatioReport) -> Shown {
    let mut shown = Shown::new(["over the splitter fabric", "ports", "power", "cost"]);
    let times = |value: Option<f64>| {
        value.map_or_else(|| UNKNOWN.to_owned(), |value| format!("{value:.3}"))
    };
    for (name, ports, power, cost, bounds) in [
        (
            "IP multicast",
            of.ports_ip_multicast,
            of.power_ip_multicast,
            of.cost_ip_multicast,
            of.cost_range_ip_multicast,
        ),
        (
            "peer to peer",
            of.ports_peer_to_peer,
            of.power_peer_to_peer,
            of.cost_peer_to_peer,
            of.cost_range_peer_to_peer,
        ),
    ] {
        let bounds = bounds.map_or_else(String::new, |bounds| bounds.text());
        shown.add([name.to_owned(), format!("{ports:.3}"), times(power), times(cost) + &bounds]);
    }
    shown
}

/// A core of circuit switches.
pub fn circuit_core(core: &CircuitCoreReport) -> Shown {
    let mut shown = Shown::new(["core of circuit switches", "value"]);
    let parts = &core.parts;
    for (name, value) in [
        ("ports of ToRs", parts.ports.to_string()),
        ("ports of circuit switches", core.ports.to_string()),
        ("transceivers", parts.transceivers.to_string()),
        ("fibres", format!("{} ({}s)", parts.fibres, parts.fibre)),
        ("power", parts.total.power_text()),
        ("cost", parts.total.cost_text()),
    ] {
        shown.add([name.to_owned(), value]);
    }
    if let Some(over) = &parts.over_years {
        shown.add([format!("cost over {} years", over.years), over.cost_text(&parts.total)]);
    }
    shown
}
