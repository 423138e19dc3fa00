//! The bill of materials of a plan, with what its lines cost and draw, as far as that is known.

use lightloom_export::WiringPlan;
use lightloom_export::bom::{self, BomItem, BomLine};
use lightloom_power_cost::{Draw, Line, Tally};
use lightloom_units::{Money, MoneyError, Power};
use serde::Serialize;

use crate::optics::DesignOptics;
use crate::{InputError, Project};

/// A value that a sum lacks.
#[derive(Debug, Clone, Serialize)]
pub struct MissingReport {
    /// `price` or `power`, or `cost_usd` where prices are in another currency.
    pub value: &'static str,
    /// Of what.
    pub part: String,
    /// How many of them.
    pub quantity: u64,
    /// Why it is missing.
    pub reason: String,
}

/// A sum of power and money over parts.
#[derive(Debug, Clone, Serialize)]
pub struct TotalReport {
    /// What the parts with a known power draw.
    #[serde(skip)]
    pub power: Option<Power>,
    /// The same in watts.
    pub power_w: Option<f64>,
    /// What the parts with a known price cost; absent in another currency.
    pub cost_usd: Option<f64>,
    /// The same with its currency.
    pub cost: Option<Money>,
    /// What the sums lack.
    pub missing: Vec<MissingReport>,
}

/// The lines of a plan with their prices.
pub(crate) fn lines(
    project: &Project,
    wires: &WiringPlan<'_>,
    optics: Option<&DesignOptics>,
) -> Result<Vec<BomLine>, InputError> {
    let mut lines = bom::lines(wires);
    for line in &mut lines {
        match (line.item, line.stock, optics) {
            (BomItem::Fibre, Some(stock), _) => {
                let price = project.catalogue.price().of_piece(stock).map_err(InputError::new)?;
                line.unit_price = Some(price);
            }
            (BomItem::Transceiver, _, Some(chosen)) => {
                let transceiver = &chosen.optics.transceiver;
                line.part.clone_from(&transceiver.name);
                (line.unit_price, line.unit_power) = (transceiver.price, transceiver.power);
            }
            (BomItem::Splitter, _, Some(chosen)) => {
                let splitter = &chosen.optics.splitter;
                line.part.clone_from(&splitter.name);
                line.unit_price = splitter.price;
            }
            (BomItem::Housing, _, Some(chosen)) => {
                let name = wires.housing().name();
                let shelf = chosen.shelves.iter().find(|shelf| shelf.name == name);
                line.unit_price = shelf.and_then(|shelf| shelf.price);
            }
            _ => {}
        }
    }
    if let Some(chosen) = optics {
        let fabric = &project.fabric;
        let ports = fabric.tor_ids().map(|tor| fabric.transceivers(tor) as u64).sum();
        lines.push(port_line(chosen, ports));
        lines.extend(fitting_lines(chosen, fabric.tors() as u64, fabric.branch_fibres()));
    }
    Ok(lines)
}

fn port_line(chosen: &DesignOptics, quantity: u64) -> BomLine {
    let port = chosen.switch_port.as_ref();
    BomLine {
        item: BomItem::SwitchPort,
        variant: format!("{}, on the ToRs", chosen.optics.transceiver.rate),
        stock: None,
        quantity,
        part: port.map(|port| port.name.clone()).unwrap_or_default(),
        unit_price: port.and_then(|port| port.price),
        unit_power: port.and_then(|port| port.power),
    }
}

/// Splices, panels and inline parts of all feeds and branches.
fn fitting_lines(chosen: &DesignOptics, feeds: u64, branches: u64) -> Vec<BomLine> {
    let optics = &chosen.optics;
    let line = |variant: &str, part: &str, quantity, price, power| BomLine {
        item: BomItem::Fitting,
        variant: variant.into(),
        stock: None,
        quantity,
        part: part.into(),
        unit_price: price,
        unit_power: power,
    };
    let count =
        |on_feed: u32, on_branch: u32| u64::from(on_feed) * feeds + u64::from(on_branch) * branches;
    let mut lines = Vec::new();
    let joints = [
        ("splice", &optics.splice, count(optics.feed.splices, optics.branch.splices)),
        ("panel", &optics.panel, count(optics.feed.panels, optics.branch.panels)),
    ];
    for (variant, joint, quantity) in joints {
        let row = joint.as_ref().filter(|_| quantity > 0);
        lines.extend(
            row.map(|row| line(variant, &row.name, quantity, row.price, Some(Power::ZERO))),
        );
    }
    for (inline, each, on) in [
        (&optics.feed.inline, feeds, "inline, feed"),
        (&optics.branch.inline, branches, "inline, branch"),
    ] {
        let mut parts: Vec<_> = inline.iter().collect();
        parts.sort_by(|a, b| a.name.cmp(&b.name));
        for same in parts.chunk_by(|a, b| a.name == b.name) {
            let (row, quantity) = (same[0], same.len() as u64 * each);
            let power = row.power.or(Some(Power::ZERO).filter(|_| row.loss_min.get() >= 0.0));
            lines.push(line(on, &row.name, quantity, row.price, power));
        }
    }
    lines
}

/// Whether every price is known but that of what splitters sit in.
pub(crate) fn priced_but_housings(lines: &[BomLine]) -> bool {
    let known = |line: &BomLine| line.unit_price.is_some() || line.item == BomItem::Housing;
    lines.iter().all(known)
}

/// What is to be ordered, spares included: all but the switch ports, which are there.
pub(crate) fn to_order(
    lines: &[BomLine],
    spares_percent: u32,
    catalogue: &str,
) -> Result<TotalReport, InputError> {
    let ordered = lines.iter().filter(|line| line.item != BomItem::SwitchPort).cloned();
    let with_spares = |line: BomLine| BomLine {
        quantity: line.quantity + bom::spares(line.quantity, spares_percent),
        ..line
    };
    total(&ordered.map(with_spares).collect::<Vec<_>>(), catalogue)
}

/// The sum of lines.
pub(crate) fn total(lines: &[BomLine], catalogue: &str) -> Result<TotalReport, InputError> {
    let line = |line: &BomLine| {
        let kind = if line.part.is_empty() { &line.variant } else { &line.part };
        Line {
            part: format!("{} {kind}", line.item.name()),
            quantity: line.quantity,
            price: line.unit_price,
            power: match line.item {
                BomItem::Splitter | BomItem::Housing | BomItem::Fibre => Draw::Passive,
                _ => line.unit_power.into(),
            },
        }
    };
    tally(&lines.iter().map(line).collect::<Vec<_>>(), catalogue)
}

/// The sum of lines priced from a catalogue.
pub(crate) fn tally(lines: &[Line], catalogue: &str) -> Result<TotalReport, InputError> {
    let tally = Tally::of(lines).map_err(refuse_sum)?;
    let mut missing: Vec<MissingReport> = Vec::new();
    if let Some(cost) = tally.cost.filter(|&cost| in_usd(cost).is_none()) {
        let reason = format!("prices are in {}, and there is no exchange rate", cost.currency());
        missing.push(MissingReport { value: "cost_usd", part: "sum".into(), quantity: 1, reason });
    }
    missing.extend(tally.missing.into_iter().map(|missing| MissingReport {
        value: missing.value,
        reason: format!("{catalogue} has no {} for it", missing.value),
        part: missing.part,
        quantity: missing.quantity,
    }));
    Ok(TotalReport {
        power: tally.power,
        power_w: tally.power.map(Power::as_watts),
        cost_usd: tally.cost.and_then(in_usd),
        cost: tally.cost,
        missing,
    })
}

pub(crate) fn refuse_sum(error: MoneyError) -> InputError {
    InputError::new(error).in_field("prices of the catalogue")
}

/// An amount in dollars, to the nearest `f64`; nothing in another currency.
pub(crate) fn in_usd(money: Money) -> Option<f64> {
    (money.currency().to_string() == "USD").then(|| money.as_micros() as f64 / 1e6)
}

impl TotalReport {
    /// Whether every price is known.
    pub fn all_priced(&self) -> bool {
        self.cost.is_some() && self.missing.iter().all(|missing| missing.value != "price")
    }

    /// Whether every power is known.
    pub fn all_powered(&self) -> bool {
        self.power_w.is_some() && self.missing.iter().all(|missing| missing.value != "power")
    }
}
