//! The comparison in sentences.

use lightloom_plan::bill::{CostRange, TotalReport};
use lightloom_units::Money;

use crate::compare::buyer::{AtLineRateReport, PerSourceReport};
use crate::compare::report::{Dearer, RatioBounds, SideReport, WholeReport};

/// The comparison in sentences, the whole fabric first.
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
    let ratios = &whole.ratios;
    let hotter = times(over(ratios.power_ip_multicast));
    let dearer = times(over(ratios.cost_ip_multicast))
        + &ratios.cost_range_ip_multicast.as_ref().map_or_else(String::new, bounds_over);
    let sides = [&whole.splitter_fabric, &whole.ip_multicast, &whole.peer_to_peer];
    let [here, packet, chain] =
        sides.map(|side| format!("costs {} and draws {}", cost(&side.total), power(&side.total)));
    let AtLineRateReport { splitter_fabric, ip_multicast, peer_to_peer } = at_line_rate;
    let sources = |of: &PerSourceReport| match of.sources {
        None => "an unknown number of ToRs".to_owned(),
        Some(1) => "1 ToR".to_owned(),
        Some(sources) => format!("{sources} ToRs"),
    };
    let each = |of: &PerSourceReport| {
        let bounds = of.range.as_ref().map_or_else(String::new, CostRange::text);
        money(of.cost) + &bounds
    };
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

/// The bounds of the inverse of a ratio, and whether prices decide which of the two is dearer.
fn bounds_over(of: &RatioBounds) -> String {
    let bounds = match (of.high, of.low) {
        (Some(high), Some(low)) if low > 0.0 && (high - low).abs() > 0.005 * low => {
            format!("{:.2} to {:.2}", 1.0 / high, 1.0 / low)
        }
        _ => String::new(),
    };
    let decided = match of.dearer {
        Dearer::Open => "prices decide which is dearer",
        Dearer::This if of.low.is_none() => "cheaper at all prices",
        Dearer::Other if of.low.is_none() => "dearer at all prices",
        _ => "",
    };
    match (bounds.as_str(), decided) {
        ("", "") => String::new(),
        ("", decided) => format!(" ({decided})"),
        (bounds, "") => format!(" ({bounds})"),
        (bounds, decided) => format!(" ({bounds}; {decided})"),
    }
}

fn money(amount: Option<Money>) -> String {
    amount.map_or_else(|| "an unknown amount".into(), |cost| cost.to_hundredths().to_string())
}

fn cost(total: &TotalReport) -> String {
    if total.cost.is_none() { money(None) } else { total.cost_text() }
}

fn power(total: &TotalReport) -> String {
    if total.power_w.is_none() { "unknown power".to_owned() } else { total.power_text() }
}
