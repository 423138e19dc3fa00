//! Bill of materials of a plan, with cost and power as far as they are known.

use lightloom_power_cost::parts::{FittedPad, PadPlace};
use lightloom_power_cost::{Draw, Fittings, Line, MissingValue, Tally};
use lightloom_request::InputError;
use lightloom_units::{Money, MoneyError, Power};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bom::{self, BomItem, BomLine};
use crate::budget::padded_text;
use crate::optics::DesignOptics;
use crate::project::Project;
use lightloom_plant::Plant;

/// A value that a sum lacks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MissingReport {
    /// Kind of the missing value.
    pub value: MissingValue,
    /// Name of the part.
    pub part: String,
    /// Quantity of the part.
    pub quantity: u64,
    /// Why it is missing.
    pub reason: String,
}

/// A sum of power and money over parts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TotalReport {
    /// Power of the parts whose power is known.
    #[serde(skip)]
    pub power: Option<Power>,
    /// The same power in watts.
    pub power_w: Option<f64>,
    /// Cost of the parts whose price is known. `None` in another currency.
    pub cost_usd: Option<f64>,
    /// The same cost with its currency.
    pub cost: Option<Money>,
    /// Values that the sums lack.
    pub missing: Vec<MissingReport>,
}

/// The lines of a plan with prices and powers.
pub fn lines(
    project: &Project,
    wires: &Plant<'_>,
    optics: Option<&DesignOptics>,
) -> Result<Vec<BomLine>, InputError> {
    let mut lines = bom::lines(wires);
    for line in &mut lines {
        let part = project.catalogue.parts.plant.get(&line.part);
        line.part = part.map_or_else(String::new, |part| part.name.clone());
        if let Some(part) = part {
            for price in [part.price, part.price_per_m] {
                project.catalogue.check_currency(&format!("part.{}", part.name), price)?;
            }
            line.part_number.clone_from(&part.provenance.part_number);
            line.unit_price = part.price_of(line.stock).map_err(InputError::new)?;
        }
        match (line.item, line.stock, optics) {
            (BomItem::Cord, Some(stock), _) => {
                let fibre = project.catalogue.price().of_piece(stock).map_err(InputError::new)?;
                let connectors = line.unit_price;
                let price =
                    connectors.map_or(Ok(fibre), |connectors| fibre.checked_add(connectors));
                line.unit_price = Some(price.map_err(refuse_sum)?);
            }
            (BomItem::Transceiver, _, Some(chosen)) => {
                let transceiver = &chosen.optics.transceiver;
                line.part.clone_from(&transceiver.name);
                line.part_number.clone_from(&transceiver.provenance.part_number);
                (line.unit_price, line.unit_power) = (transceiver.price, transceiver.power);
            }
            (BomItem::Splitter, _, Some(chosen)) => {
                let splitter = &chosen.optics.splitter;
                line.part.clone_from(&splitter.name);
                line.part_number.clone_from(&splitter.provenance.part_number);
                line.unit_price = splitter.price;
            }
            (BomItem::Housing, _, Some(chosen)) => {
                let name = wires.housing().name();
                let shelf = chosen.shelves.iter().find(|shelf| shelf.name == name);
                line.part_number = shelf.and_then(|shelf| shelf.provenance.part_number.clone());
                line.unit_price = line.unit_price.or(shelf.and_then(|shelf| shelf.price));
            }
            _ => {}
        }
    }
    if let Some(chosen) = optics {
        lines.push(port_line(chosen, project.transceivers()));
        lines.extend(fitted(chosen).into_iter().map(|part| part.line(project)));
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
        part_number: port.and_then(|port| port.provenance.part_number.clone()),
        unit_price: port.and_then(|port| port.price),
        unit_power: port.and_then(|port| port.power),
    }
}

/// A part on fibres that is counted but not placed: the plan does not give its position on the fibre or its
/// rack.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UnplacedReport {
    /// `splice`, `coupler` (in a patch panel) or `inline part`, as on the bill.
    pub item: BomItem,
    /// Name of the part in the catalogue.
    pub part: String,
    /// Number on each feed.
    pub per_feed: u32,
    /// Number on each branch.
    pub per_branch: u32,
    /// Number on all fibres.
    pub quantity: u64,
}

/// Parts between the ends of a fibre. They are counted, but not placed in the hall.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Passed {
    /// Number of splices.
    pub splices: u32,
    /// Number of patch panels. The fibre uses one coupler of each.
    pub panels: u32,
    /// Names of other parts, in the direction of the light.
    pub inline: Vec<String>,
    /// The pad.
    pub pad: Option<PassedPad>,
}

/// A pad at an end of a fibre.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PassedPad {
    /// Its name and place, as in `lc-5db at the transmitter`.
    pub text: String,
    /// The end of the fibre.
    pub end: PadEnd,
}

/// An end of a fibre, in the direction of the light.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PadEnd {
    /// Where the light enters.
    Near,
    /// Where the light leaves.
    Far,
}

/// Parts on the fibres of each kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OnFibres {
    /// Parts on each feed.
    pub feed: Passed,
    /// Parts on each branch.
    pub branch: Passed,
}

/// The parts on the fibres of each kind.
pub fn on_fibres(optics: Option<&DesignOptics>) -> OnFibres {
    let passed = |fittings: &Fittings, pad: Option<&FittedPad>| Passed {
        splices: fittings.splices,
        panels: fittings.panels,
        inline: fittings.inline.iter().map(|part| part.name.clone()).collect(),
        pad: pad.map(|fitted| PassedPad {
            text: padded_text(fitted),
            end: match fitted.at {
                PadPlace::Transmitter => PadEnd::Near,
                PadPlace::Feed | PadPlace::Receiver => PadEnd::Far,
            },
        }),
    };
    optics.map_or_else(OnFibres::default, |chosen| {
        let optics = &chosen.optics;
        let on_branches = optics.pad.as_ref().is_some_and(is_on_branches);
        let pad = |here: bool| optics.pad.as_ref().filter(|_| here);
        OnFibres {
            feed: passed(&optics.feed, pad(!on_branches)),
            branch: passed(&optics.branch, pad(on_branches)),
        }
    })
}

fn is_on_branches(fitted: &FittedPad) -> bool {
    fitted.at == PadPlace::Receiver
}

/// Lines of a bill without a place in the hall.
pub fn unplaced(project: &Project) -> Vec<UnplacedReport> {
    let Some(chosen) = &project.optics else { return Vec::new() };
    // A pad is plugged into the end of a fibre.
    let parts = fitted(chosen).into_iter().filter(|part| part.item != BomItem::Pad);
    let report = |part: Fitted| UnplacedReport {
        quantity: part.on_all(project),
        item: part.item,
        part: part.part,
        per_feed: part.per_feed,
        per_branch: part.per_branch,
    };
    parts.map(report).collect()
}

/// A catalogue part on fibres.
struct Fitted {
    item: BomItem,
    /// The variant on a bill.
    variant: &'static str,
    part: String,
    part_number: Option<String>,
    per_feed: u32,
    per_branch: u32,
    price: Option<Money>,
    power: Option<Power>,
}

impl Fitted {
    /// Number on all fibres.
    fn on_all(&self, project: &Project) -> u64 {
        let (feeds, branches) = (project.fabric.tors() as u64, project.fabric.branch_fibres());
        u64::from(self.per_feed) * feeds + u64::from(self.per_branch) * branches
    }

    fn line(self, project: &Project) -> BomLine {
        BomLine {
            quantity: self.on_all(project),
            item: self.item,
            variant: self.variant.into(),
            stock: None,
            part: self.part,
            part_number: self.part_number,
            unit_price: self.price,
            unit_power: self.power,
        }
    }
}

/// Splices, couplers of patch panels and inline parts on feeds and branches.
fn fitted(chosen: &DesignOptics) -> Vec<Fitted> {
    let optics = &chosen.optics;
    let (feed, branch) = (&optics.feed, &optics.branch);
    let mut found = Vec::new();
    for (item, variant, joint, per_feed, per_branch) in [
        (BomItem::Splice, "on a fibre", &optics.splice, feed.splices, branch.splices),
        (BomItem::Coupler, "patch panel, one a fibre", &optics.panel, feed.panels, branch.panels),
    ] {
        let joint = joint.as_ref().filter(|_| per_feed + per_branch > 0);
        found.extend(joint.map(|row| Fitted {
            item,
            variant,
            part: row.name.clone(),
            part_number: row.provenance.part_number.clone(),
            per_feed,
            per_branch,
            price: row.price,
            power: Some(Power::ZERO),
        }));
    }
    found.extend(optics.pad.as_ref().map(|fitted| Fitted {
        item: BomItem::Pad,
        variant: match fitted.at {
            PadPlace::Transmitter => "at a transmitter",
            PadPlace::Feed => "at a splitter's input",
            PadPlace::Receiver => "at a receiver",
        },
        part: fitted.pad.name.clone(),
        part_number: fitted.pad.provenance.part_number.clone(),
        per_feed: u32::from(!is_on_branches(fitted)),
        per_branch: u32::from(is_on_branches(fitted)),
        price: fitted.pad.price,
        power: Some(Power::ZERO),
    }));
    for (inline, each_feed, each_branch, variant) in
        [(&feed.inline, 1, 0, "on a feed"), (&branch.inline, 0, 1, "on a branch")]
    {
        let mut parts: Vec<_> = inline.iter().collect();
        parts.sort_by(|a, b| a.name.cmp(&b.name));
        for same in parts.chunk_by(|a, b| a.name == b.name) {
            // A fibre has at most 64 parts.
            let (row, count) = (same[0], u32::try_from(same.len()).unwrap_or(u32::MAX));
            found.push(Fitted {
                item: BomItem::Inline,
                variant,
                part: row.name.clone(),
                part_number: row.provenance.part_number.clone(),
                per_feed: count * each_feed,
                per_branch: count * each_branch,
                price: row.price,
                power: row.power.or(Some(Power::ZERO).filter(|_| row.loss_min.get() >= 0.0)),
            });
        }
    }
    found
}

/// Whether all prices are known, except those of the housings of splitters.
pub fn priced_but_housings(lines: &[BomLine]) -> bool {
    let known = |line: &BomLine| line.unit_price.is_some() || line.item == BomItem::Housing;
    lines.iter().all(known)
}

/// The bill of everything that must be ordered, with spares. Switch ports already exist and are left out.
pub fn to_order(
    lines: &[BomLine],
    spares_percent: u32,
    catalogue: &str,
) -> Result<TotalReport, InputError> {
    let ordered = lines.iter().filter(|line| line.item != BomItem::SwitchPort).cloned();
    let with_spares =
        |line: BomLine| BomLine { quantity: line.quantity + line.spares(spares_percent), ..line };
    total(&ordered.map(with_spares).collect::<Vec<_>>(), catalogue)
}

/// The total of bill lines.
pub fn total(lines: &[BomLine], catalogue: &str) -> Result<TotalReport, InputError> {
    let line = |line: &BomLine| {
        let kind = if line.part.is_empty() { &line.variant } else { &line.part };
        Line {
            part: format!("{} {kind}", line.item.name()),
            quantity: line.quantity,
            price: line.unit_price,
            power: match line.item {
                BomItem::Transceiver
                | BomItem::SwitchPort
                | BomItem::Inline
                | BomItem::Splice
                | BomItem::Coupler => line.unit_power.into(),
                _ => Draw::Passive,
            },
        }
    };
    tally(&lines.iter().map(line).collect::<Vec<_>>(), catalogue)
}

/// The total of lines that are priced from a catalogue.
fn tally(lines: &[Line], catalogue: &str) -> Result<TotalReport, InputError> {
    Ok(reported(Tally::of(lines).map_err(refuse_sum)?, catalogue))
}

/// A total as a report.
pub fn reported(tally: Tally, catalogue: &str) -> TotalReport {
    let mut missing: Vec<MissingReport> = Vec::new();
    if let Some(cost) = tally.cost.filter(|&cost| in_usd(cost).is_none()) {
        let reason = format!("prices are in {}, and there is no exchange rate", cost.currency());
        missing.push(MissingReport {
            value: MissingValue::CostUsd,
            part: "sum".into(),
            quantity: 1,
            reason,
        });
    }
    missing.extend(tally.missing.into_iter().map(|missing| MissingReport {
        value: missing.value,
        reason: format!("{catalogue} has no {} for it", missing.value),
        part: missing.part,
        quantity: missing.quantity,
    }));
    TotalReport {
        power: tally.power,
        power_w: tally.power.map(Power::as_watts),
        cost_usd: tally.cost.and_then(in_usd),
        cost: tally.cost,
        missing,
    }
}

/// Places an error about money at the prices of the catalogue.
pub fn refuse_sum(error: MoneyError) -> InputError {
    InputError::new(error).in_field("prices of the catalogue")
}

/// An amount in dollars, as the nearest `f64`. `None` in another currency.
pub fn in_usd(money: Money) -> Option<f64> {
    (money.currency().to_string() == "USD").then(|| money.as_micros() as f64 / 1e6)
}

impl TotalReport {
    /// Whether every price is known.
    pub fn all_priced(&self) -> bool {
        self.cost.is_some()
            && self.missing.iter().all(|missing| missing.value != MissingValue::Price)
    }

    /// Whether every power is known.
    pub fn all_powered(&self) -> bool {
        self.power_w.is_some()
            && self.missing.iter().all(|missing| missing.value != MissingValue::Power)
    }
}
