//! What a buyer weighs: all that is built, what each source costs that can send at line rate at
//! once, and what one multicast takes of it.

use lightloom_units::Money;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{SideReport, WholeReport};
use crate::bill::{self, TotalReport};

/// Ports with which each ToR receives from the packet core.
const CORE_RECEIVES: u64 = 1;
/// Ports with which each ToR receives in a chain that runs both ways: its two pairs carry light in
/// both directions, and one chain uses one direction.
const CHAIN_RECEIVES: u64 = 2;

/// All that is built, for each source that can send to all other ToRs at line rate at once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AtLineRateReport {
    /// The design.
    pub splitter_fabric: PerSourceReport,
    /// The packet core.
    pub ip_multicast: PerSourceReport,
    /// The chain, one each way.
    pub peer_to_peer: PerSourceReport,
}

/// What one way takes for each source that can send at line rate at once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PerSourceReport {
    /// How many sources can; null where it is not computed at this size.
    pub sources: Option<u64>,
    /// Cost of all that is built over these sources; null where a price is missing.
    pub cost: Option<Money>,
    /// The same in dollars; null in another currency.
    pub cost_usd: Option<f64>,
    /// Power of all that is built over these sources, in watts; null where a power is missing.
    pub power_w: Option<f64>,
    /// Why a value is null.
    pub unknown: Option<String>,
}

impl AtLineRateReport {
    /// `parallel` sources can send at once in the splitter fabric.
    pub(super) fn new(tors: u64, parallel: Option<usize>, whole: &WholeReport) -> Self {
        let of = PerSourceReport::new;
        Self {
            splitter_fabric: of(parallel.map(|n| n as u64), &whole.splitter_fabric.total),
            ip_multicast: of(Some(at_once(tors, CORE_RECEIVES)), &whole.ip_multicast.total),
            peer_to_peer: of(Some(at_once(tors, CHAIN_RECEIVES)), &whole.peer_to_peer.total),
        }
    }
}

/// Sources that can send to all at once when each ToR receives one stream a port: as many as it has
/// ports. All can where there are so few that the others of each fill its ports.
fn at_once(tors: u64, ports: u64) -> u64 {
    if tors <= ports + 1 { tors } else { ports }
}

impl PerSourceReport {
    fn new(sources: Option<u64>, whole: &TotalReport) -> Self {
        let each = sources.filter(|&sources| sources > 0);
        let cost = whole.cost.filter(|_| whole.all_priced()).zip(each);
        // A share of an amount that exists, of at least one: it exists too.
        let cost = cost.and_then(|(cost, each)| cost.scale(1, each).ok());
        let power = whole.power_w.filter(|_| whole.all_powered()).zip(each);
        let power_w = power.map(|(watts, each)| watts / each as f64);
        let unknown = match (each, cost, power_w) {
            (None, ..) => Some("the number of sources at line rate is not computed at this size"),
            (_, None, _) | (_, _, None) => Some(
                "all that is built lacks a price or a power, which whole_fabric lists under missing",
            ),
            _ => None,
        };
        Self {
            sources,
            cost,
            cost_usd: cost.and_then(bill::in_usd),
            power_w,
            unknown: unknown.map(str::to_owned),
        }
    }
}

/// The comparison in sentences, the whole first.
pub(super) fn summary(
    rate: &str,
    whole: &WholeReport,
    at_line_rate: &AtLineRateReport,
    [fabric, core]: [&SideReport; 2],
    one_tree: Option<f64>,
) -> Vec<String> {
    let over = |ratio: Option<f64>| ratio.filter(|&ratio| ratio > 0.0).map(|ratio| 1.0 / ratio);
    let times = |ratio: Option<f64>| match ratio {
        Some(ratio) => format!("{ratio:.2} times"),
        None => "an unknown number of times".to_owned(),
    };
    let [dearer, hotter] =
        [whole.ratios.cost_ip_multicast, whole.ratios.power_ip_multicast].map(over).map(times);
    let sides = [&whole.splitter_fabric, &whole.ip_multicast, &whole.peer_to_peer];
    let [here, packet, chain] =
        sides.map(|side| format!("costs {} and draws {}", cost(&side.total), power(&side.total)));
    let AtLineRateReport { splitter_fabric, ip_multicast, peer_to_peer } = at_line_rate;
    let sources = |of: &PerSourceReport| match of.sources {
        None => "an unknown number of ToRs".to_owned(),
        Some(1) => "1 ToR".to_owned(),
        Some(sources) => format!("{sources} ToRs"),
    };
    let each = |of: &PerSourceReport| money(of.cost);
    let multiple = one_tree.map_or_else(String::new, |ratio| format!(", {ratio:.2} times as much"));
    vec![
        format!(
            "All that is built: this fabric {here}; a packet core {packet}; a peer-to-peer chain {chain}."
        ),
        format!(
            "Built whole, this fabric costs {dearer} as much as the packet core and draws {hotter} as much."
        ),
        format!(
            "At {rate} each, {} can send to all others at once here, on trees planned for them; {} can \
             over the packet core, and {} over the chain, one each way.",
            sources(splitter_fabric),
            sources(ip_multicast),
            sources(peer_to_peer)
        ),
        format!(
            "For each such sender, all that is built costs {} here, {} with the packet core and {} with \
             the chain.",
            each(splitter_fabric),
            each(ip_multicast),
            each(peer_to_peer)
        ),
        format!(
            "One multicast alone takes parts of this fabric for {}, and of the packet core for {}{multiple}.",
            cost(&fabric.total),
            cost(&core.total)
        ),
    ]
}

fn money(amount: Option<Money>) -> String {
    amount.map_or_else(|| "an unknown amount".into(), |cost| cost.to_hundredths().to_string())
}

fn cost(total: &TotalReport) -> String {
    let more = if total.cost.is_none() || total.all_priced() { "" } else { " and more" };
    money(total.cost) + more
}

fn power(total: &TotalReport) -> String {
    let power =
        total.power_w.map_or_else(|| "unknown power".into(), |watts| format!("{watts:.1} W"));
    let more = if total.power_w.is_none() || total.all_powered() { "" } else { " and more" };
    power + more
}
