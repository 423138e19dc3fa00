//! What a growth costs: the parts that it needs, and the bills of the plan before and afterwards.

use std::collections::BTreeMap;

use lightloom_plant::CableKind;
use lightloom_request::InputError;
use lightloom_topology::TorId;
use lightloom_units::Length;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bill::{self, TotalReport};
use crate::bom::{BomItem, BomLine};
use crate::cabling::OrderReport;
use crate::growth::cords::{CordAction, CordKind, CordRow};
use crate::laid::Laid;

/// What a growth or a shrinking costs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GrowthCost {
    /// Power and cost of the plan before.
    pub before: TotalReport,
    /// Power and cost of the plan afterwards.
    pub after: TotalReport,
    /// Cost of what the change needs, with spares. Parts that come free are not sold, and cords that are taken out are
    /// not used again.
    pub to_order: TotalReport,
    /// What the change needs. Ports of switches are there already.
    pub orders: Vec<OrderReport>,
    /// Spares to order, in percent of most quantities.
    pub spares_percent: u32,
}

/// A cord or trunk that is built, moved, plugged or taken out, as in `growth.csv`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CordReport {
    /// The stage in which it is touched. 0: before all stages.
    pub stage: usize,
    /// What happens to it.
    pub action: CordAction,
    /// Its label.
    pub label: String,
    /// The ToR whose light it carries, by its number after the change. `None`: it is taken out.
    pub tor: Option<TorId>,
    /// Its ends before, near and far. `None`: it is new.
    pub old_ends: Option<(String, String)>,
    /// Its ends afterwards. `None`: it is taken out.
    pub new_ends: Option<(String, String)>,
    /// Routed length on its new way, in metres.
    pub needed_m: Option<f64>,
    /// Length of the cord that is there, in metres.
    pub there_m: Option<f64>,
    /// Length of the cord to lay, in metres. `None`: none is laid.
    pub lay_m: Option<f64>,
}

impl From<&CordRow> for CordReport {
    fn from(row: &CordRow) -> Self {
        Self {
            stage: row.stage,
            action: row.action,
            label: row.label.clone(),
            tor: row.tor,
            old_ends: row.old_ends.clone(),
            new_ends: row.new_ends.clone(),
            needed_m: row.needed.map(Length::as_m),
            there_m: row.there.map(Length::as_m),
            lay_m: row.lay.map(Length::as_m),
        }
    }
}

/// Number of cords of a plan that its change does not touch.
pub fn kept_cords(before: &Laid, cords: &[CordRow]) -> usize {
    let touched = cords
        .iter()
        .filter(|row| matches!(row.action, CordAction::Move | CordAction::Remove))
        .count();
    let cords =
        before.plant().cables().iter().filter(|cable| matches!(cable.kind, CableKind::Cord(..)));
    cords.count().saturating_sub(touched)
}

/// What a change from one project to another costs. `None`: the design names no optics.
///
/// # Errors
/// [`InputError`] if the prices cannot be summed.
pub fn cost(
    before: &Laid,
    after: &Laid,
    cords: &[CordRow],
) -> Result<Option<GrowthCost>, InputError> {
    let Some(chosen) = &after.project().optics else { return Ok(None) };
    let old = bill::lines(before, before.project().optics.as_deref())?;
    let new = bill::lines(after, after.project().optics.as_deref())?;
    let more = more(&old, &new, cords);
    let spares_percent = after.project().design.spares_percent;
    Ok(Some(GrowthCost {
        before: bill::total(&old, &chosen.catalogue)?,
        after: bill::total(&new, &chosen.catalogue)?,
        to_order: bill::to_order(&more, spares_percent, &chosen.catalogue)?,
        orders: more.iter().map(|line| OrderReport::new(line, spares_percent)).collect(),
        spares_percent,
    }))
}

/// The parts that the new bill has more of, and the cords that are laid.
fn more(old: &[BomLine], new: &[BomLine], cords: &[CordRow]) -> Vec<BomLine> {
    let kind = |line: &BomLine| -> (BomItem, String, Option<Length>, String) {
        (line.item, line.variant.clone(), line.stock, line.part.clone())
    };
    let there: BTreeMap<_, u64> = old
        .iter()
        .filter(|line| line.item != BomItem::Cord)
        .map(|line| (kind(line), line.quantity))
        .collect();
    let mut lines: Vec<BomLine> = new
        .iter()
        .filter(|line| !matches!(line.item, BomItem::Cord | BomItem::SwitchPort))
        .filter_map(|line| {
            let quantity =
                line.quantity.saturating_sub(there.get(&kind(line)).copied().unwrap_or(0));
            (quantity > 0).then(|| BomLine { quantity, ..line.clone() })
        })
        .collect();
    // Trunks stay where they are, so those to order are what the bill has more.
    let mut laid: BTreeMap<(&str, Length), u64> = BTreeMap::new();
    for row in cords.iter().filter(|row| row.kind != CordKind::Trunk) {
        if let Some(length) = row.lay {
            *laid.entry((row.variant.as_str(), length)).or_default() += 1;
        }
    }
    let cord = |variant: &str, stock: Length| {
        let is_it = |line: &&BomLine| line.variant == variant && line.stock == Some(stock);
        new.iter().filter(|line| line.item == BomItem::Cord).find(is_it)
    };
    let of_cords = laid.into_iter().filter_map(|((variant, stock), quantity)| {
        Some(BomLine { quantity, ..cord(variant, stock)?.clone() })
    });
    lines.extend(of_cords);
    lines
}
