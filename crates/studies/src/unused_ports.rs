//! Unused ports of racks: over many ways to fill a rack, and for a design's own ToRs.

use std::collections::BTreeMap;

use lightloom_design::catalogue::Catalogue;
use lightloom_design::optics::DEFAULT_RATE;
use lightloom_plan::project::Project;
use lightloom_power_cost::parts::{PortGroup, SwitchModel};
use lightloom_power_cost::unused::{Rack, Ratio, Unused, best_switch};
use lightloom_request::InputError;
use lightloom_units::{BitRate, ParseError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Heights of racks on sale between 18 and 48 units. HPE lists 22, 36, 42, 47 and 48; the others are assumed.
const RACK_UNITS: [u32; 9] = [18, 22, 24, 27, 36, 42, 45, 47, 48];
/// Oversubscription (shufflecast:B): the ratios from the literature, and 1:1 to 10:1.
const OVERSUBSCRIPTION: [&str; 12] =
    ["1:1", "3:2", "2:1", "3:1", "4:1", "5:1", "6:1", "7:1", "8:1", "9:1", "10:1", "20:1"];
/// Ports of a server (shufflecast:B).
const SERVER_PORTS: [&str; 5] =
    ["1 x 10 Gb/s", "2 x 10 Gb/s", "1 x 25 Gb/s", "1 x 40 Gb/s", "2 x 25 Gb/s"];
/// Largest number of heights, ratios, server ports or models of one study.
const MOST: usize = 64;

/// Options of a study. Empty lists mean the paper's values.
#[derive(Debug, Clone, Default)]
pub struct UnusedOptions {
    /// Names of switch models.
    pub models: Vec<String>,
    /// Rack heights in units.
    pub rack_units: Vec<u32>,
    /// Oversubscription, such as `3:1`.
    pub oversubscription: Vec<String>,
    /// Ports of each server, such as `2 x 25 Gb/s`.
    pub server_ports: Vec<String>,
}

/// Unused ports over all ways to fill a rack.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UnusedReport {
    /// The switch models.
    pub models: Vec<String>,
    /// Number of ways to fill a rack: heights × ratios × server ports.
    pub racks: usize,
    /// Number of ways for which no model has enough ports.
    pub impossible: usize,
    /// Distribution over all possible ways.
    pub all: DistributionReport,
    /// Distribution over ways without oversubscription. Their unused ports could not carry more server
    /// traffic anyway.
    pub at_one_to_one: Option<DistributionReport>,
    /// Ports that the design needs.
    pub design: Option<SpareReport>,
    /// Assumptions of the study.
    pub assumed: Vec<String>,
    /// All possible ways to fill a rack.
    pub cases: Vec<RackCaseReport>,
}

/// Distribution of unused ports. Shares are null if no rack is possible.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DistributionReport {
    /// Number of ways to fill a rack.
    pub racks: usize,
    /// Share of ways with at least two unused ports (the paper: nearly 79 %).
    pub share_with_2_ports: Option<f64>,
    /// Share of ways with at least ten unused ports.
    pub share_with_10_ports: Option<f64>,
    /// Share of ways with at least 100 Gb/s unused (the paper: nearly 73 %).
    pub share_with_100_gbps: Option<f64>,
    /// Share of ways with at least ten unused ports and 500 Gb/s (the paper, at 1:1: 54 %).
    pub share_with_10_ports_and_500_gbps: Option<f64>,
    /// Number of ways by number of unused ports.
    pub by_ports: BTreeMap<u32, usize>,
    /// Number of ways by unused Gb/s.
    pub by_gbps: BTreeMap<u64, usize>,
}

/// Whether racks have the ports that a design needs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SpareReport {
    /// Number of ports that a ToR needs.
    pub ports_needed: u32,
    /// Rate of these ports.
    pub rate: String,
    /// Share of the possible racks with at least that many unused ports of at least that rate.
    pub share_with_enough: Option<f64>,
    /// Whether all racks have enough.
    pub every_rack_has_enough: bool,
}

/// One way to fill a rack.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RackCaseReport {
    /// Height of the rack, in rack units.
    pub rack_units: u32,
    /// Ratio of server bandwidth to uplink bandwidth.
    pub oversubscription: String,
    /// Ports of each server.
    pub server_ports: String,
    /// The model with the least unused bandwidth.
    pub model: String,
    /// Number of unused ports.
    pub unused_ports: u32,
    /// Bandwidth of the unused ports, in Gb/s.
    pub unused_gbps: f64,
}

/// Studies unused ports of racks. With a design, also reports whether its ToRs have enough spare ports.
///
/// # Errors
/// [`InputError`] if an option is wrong or the catalogue lacks the model.
pub fn unused_ports(
    catalogue: &Catalogue,
    project: Option<&Project>,
    options: &UnusedOptions,
) -> Result<UnusedReport, InputError> {
    let models = models(catalogue, &options.models)?;
    let mut assumed = vec!["a server is one unit high; the switch takes its own units".to_owned()];
    let mut racks = Vec::new();
    let heights = heights(options, &mut assumed)?;
    let ratios = texts(&options.oversubscription, &OVERSUBSCRIPTION, "oversubscription", ratio)?;
    let servers = texts(&options.server_ports, &SERVER_PORTS, "server_ports", ports)?;
    for &units in &heights {
        for (ratio_text, oversubscription) in &ratios {
            for (ports_text, server) in &servers {
                let rack = Rack { units, oversubscription: *oversubscription, server: *server };
                racks.push((rack, ratio_text, ports_text));
            }
        }
    }
    let found: Vec<_> = racks
        .iter()
        .filter_map(|(rack, ratio, ports)| Some((rack, ratio, ports, best_switch(&models, rack)?)))
        .collect();
    let cases = found.iter().map(|(rack, ratio, ports, unused)| RackCaseReport {
        rack_units: rack.units,
        oversubscription: (**ratio).clone(),
        server_ports: (**ports).clone(),
        model: models[unused.model].name.clone(),
        unused_ports: unused.count(),
        unused_gbps: gbps(unused.bandwidth()),
    });
    let even = Ratio::new(1, 1);
    let all: Vec<&Unused> = found.iter().map(|(.., unused)| unused).collect();
    let at_one = found.iter().filter(|(rack, ..)| Some(rack.oversubscription) == even);
    let at_one: Vec<&Unused> = at_one.map(|(.., unused)| unused).collect();
    Ok(UnusedReport {
        models: models.iter().map(|model| model.name.clone()).collect(),
        racks: racks.len(),
        impossible: racks.len() - found.len(),
        at_one_to_one: (!at_one.is_empty()).then(|| DistributionReport::of(&at_one)),
        design: project.map(|project| spare(project, &all)),
        all: DistributionReport::of(&all),
        assumed,
        cases: cases.collect(),
    })
}

fn models(catalogue: &Catalogue, names: &[String]) -> Result<Vec<SwitchModel>, InputError> {
    let rows = &catalogue.parts.switches;
    if names.is_empty() {
        let usual = rows.values().filter(|row| !row.only_by_name);
        return Ok(usual.cloned().collect());
    }
    let refuse = |message: String| InputError::new(message).in_option("model");
    if names.len() > MOST {
        return Err(refuse(format!("found {} models; expected at most {MOST}", names.len())));
    }
    let row = |name: &String| {
        rows.get(name).cloned().ok_or_else(|| {
            let known = rows.keys().cloned().collect::<Vec<_>>().join(", ");
            refuse(format!("found {name:?}; the catalogue has: {known}"))
        })
    };
    names.iter().map(row).collect()
}

fn heights(options: &UnusedOptions, assumed: &mut Vec<String>) -> Result<Vec<u32>, InputError> {
    if options.rack_units.is_empty() {
        assumed.push(format!("racks of {RACK_UNITS:?} units"));
        return Ok(RACK_UNITS.to_vec());
    }
    let refuse = |message: String| InputError::new(message).in_option("rack_units");
    match options.rack_units.iter().find(|units| !(2..=60).contains(*units)) {
        Some(found) => Err(refuse(format!("found {found}; expected 2 to 60"))),
        None if options.rack_units.len() > MOST => Err(refuse(format!("expected at most {MOST}"))),
        None => Ok(options.rack_units.clone()),
    }
}

/// The given values or the usual ones, each with its text.
fn texts<T>(
    given: &[String],
    usual: &[&str],
    option: &'static str,
    parse: fn(&str) -> Result<T, String>,
) -> Result<Vec<(String, T)>, InputError> {
    let usual = || usual.iter().map(|&text| text.to_owned()).collect();
    let texts: Vec<String> = if given.is_empty() { usual() } else { given.to_vec() };
    let refuse = |message: String| InputError::new(message).in_option(option);
    if texts.len() > MOST {
        return Err(refuse(format!("found {}; expected at most {MOST}", texts.len())));
    }
    let read = |text: String| {
        let value = parse(text.trim()).map_err(refuse)?;
        Ok((text, value))
    };
    texts.into_iter().map(read).collect()
}

fn ratio(text: &str) -> Result<Ratio, String> {
    let numbers = text.split_once(':');
    let numbers = numbers.and_then(|(a, b)| Some((a.trim().parse().ok()?, b.trim().parse().ok()?)));
    let within = numbers.filter(|(a, b): &(u32, u32)| *a <= 1000 && *b <= 1000);
    within.and_then(|(over, under)| Ratio::new(over, under)).ok_or_else(|| {
        format!("found {text:?}; expected a ratio such as 3:1, of numbers up to 1000")
    })
}

fn ports(text: &str) -> Result<PortGroup, String> {
    let ports: PortGroup = text.parse().map_err(|error: ParseError| error.to_string())?;
    if (1..=16).contains(&ports.count) && ports.rate.as_bps() > 0 {
        Ok(ports)
    } else {
        Err(format!("found {text:?}; expected 1 to 16 ports of more than 0 bps"))
    }
}

/// The spare ports that a design needs.
fn spare(project: &Project, unused: &[&Unused]) -> SpareReport {
    let rate = match project.optics() {
        Some(chosen) => chosen.optics.transceiver.rate,
        None => DEFAULT_RATE,
    };
    let fabric = project.fabric();
    let most = fabric.tor_ids().map(|tor| fabric.transceivers(tor)).max().unwrap_or(0);
    let ports_needed = u32::try_from(most).unwrap_or(u32::MAX);
    let enough = unused.iter().filter(|unused| unused.count_at(rate) >= ports_needed).count();
    SpareReport {
        ports_needed,
        rate: rate.to_string(),
        share_with_enough: share(enough, unused.len()),
        every_rack_has_enough: !unused.is_empty() && enough == unused.len(),
    }
}

impl DistributionReport {
    fn of(racks: &[&Unused]) -> Self {
        let with = |has: &dyn Fn(&Unused) -> bool| {
            share(racks.iter().filter(|unused| has(unused)).count(), racks.len())
        };
        let least = |gbps| move |unused: &Unused| unused.bandwidth() >= BitRate::from_gbps(gbps);
        let mut by_ports = BTreeMap::new();
        let mut by_gbps = BTreeMap::new();
        for unused in racks {
            *by_ports.entry(unused.count()).or_default() += 1;
            *by_gbps.entry(unused.bandwidth().as_bps() / 1_000_000_000).or_default() += 1;
        }
        Self {
            racks: racks.len(),
            share_with_2_ports: with(&|unused| unused.count() >= 2),
            share_with_10_ports: with(&|unused| unused.count() >= 10),
            share_with_100_gbps: with(&least(100)),
            share_with_10_ports_and_500_gbps: with(&|unused| {
                unused.count() >= 10 && least(500)(unused)
            }),
            by_ports,
            by_gbps,
        }
    }
}

fn share(part: usize, of: usize) -> Option<f64> {
    (of > 0).then(|| part as f64 / of as f64)
}

fn gbps(rate: BitRate) -> f64 {
    rate.as_bps() as f64 / 1e9
}
