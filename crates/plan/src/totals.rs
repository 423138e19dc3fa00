//! One table that reconciles all totals of a plan: what is in each, what it comes to, and what is missing from it.

use lightloom_power_cost::{Line, Side, Tally};
use lightloom_request::InputError;
use lightloom_units::{Money, named_enum};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bill::{self, TotalReport};
use crate::bom::{BomItem, BomLine};

named_enum! {
    /// The totals of a plan.
    #[derive(JsonSchema)]
    pub enum TotalName {
        /// The plan as it is built, with the switch ports that it uses, without spares.
        Plan = "plan",
        /// What is ordered: the plan without switch ports, with spares.
        Order = "order",
        /// The plan as comparisons count it: every branch one fibre of one length, without what holds it.
        Compared = "compared",
        /// The share of one multicast of the comparison.
        OneMulticast = "one multicast",
    }
}

named_enum! {
    /// Kinds of parts in a total.
    #[derive(JsonSchema)]
    pub enum PartGroup {
        /// Transceivers.
        Transceivers = "transceivers",
        /// Switch ports.
        SwitchPorts = "switch ports",
        /// Accelerators beside switches.
        Accelerators = "accelerators",
        /// Splitters.
        Splitters = "splitters",
        /// Shelves, modules, panels and frames.
        Housings = "shelves, modules and frames",
        /// Cords and trunks; in comparisons, fibre without connectors.
        Cables = "cords and trunks",
        /// Pads, splices, couplers and other parts on fibres.
        OnFibres = "pads, splices and other parts on fibres",
        /// Spares of all of them.
        Spares = "spares",
    }
}

/// A total with its parts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OneTotal {
    /// Which total it is.
    pub name: TotalName,
    /// What is in it and what is not, in a sentence.
    pub says: String,
    /// Its parts. Their costs add up to the total.
    pub groups: Vec<PartSum>,
    /// The total, with what is missing from it.
    #[serde(flatten)]
    pub total: TotalReport,
}

/// Parts of one kind in a total.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PartSum {
    /// The kind.
    pub of: PartGroup,
    /// Number of pieces.
    pub quantity: u64,
    /// Their cost as far as prices are known. Null: no price is known, or there are none of them.
    pub cost: Option<Money>,
    /// Whether prices are missing from it.
    pub lacks: bool,
}

impl PartGroup {
    fn of(item: BomItem) -> Self {
        match item {
            BomItem::Transceiver => Self::Transceivers,
            BomItem::SwitchPort => Self::SwitchPorts,
            BomItem::Accelerator => Self::Accelerators,
            BomItem::Splitter => Self::Splitters,
            BomItem::Housing | BomItem::Frame | BomItem::Module | BomItem::Panel => Self::Housings,
            BomItem::Cord | BomItem::Trunk => Self::Cables,
            BomItem::Splice | BomItem::Coupler | BomItem::Pad | BomItem::Inline => Self::OnFibres,
        }
    }
}

/// The totals of a plan: as it is built, and what is ordered.
///
/// # Errors
/// [`InputError`] if the prices cannot be summed.
pub fn of_plan(
    lines: &[BomLine],
    spares_percent: u32,
    catalogue: &str,
) -> Result<Vec<OneTotal>, InputError> {
    let of_items = |lines: &[BomLine]| -> Vec<(PartGroup, Line)> {
        lines.iter().map(|line| PartGroup::of(line.item)).zip(bill::priced(lines)).collect()
    };
    let spares: Vec<BomLine> = lines
        .iter()
        .map(|line| BomLine { quantity: line.spares(spares_percent), ..line.clone() })
        .collect();
    let without_ports: Vec<BomLine> =
        lines.iter().filter(|line| line.item != BomItem::SwitchPort).cloned().collect();
    let spares = bill::priced(&spares).into_iter().map(|line| (PartGroup::Spares, line));
    let ordered: Vec<_> = of_items(&without_ports).into_iter().chain(spares).collect();
    Ok(vec![
        OneTotal::new(
            TotalName::Plan,
            "All that is built, with the switch ports that it uses and without spares.".into(),
            &of_items(lines),
            bill::total(lines, catalogue)?,
        )?,
        OneTotal::new(
            TotalName::Order,
            format!(
                "All that is ordered: spares of {spares_percent} %, and no switch ports, which are there already."
            ),
            &ordered,
            bill::to_order(lines, spares_percent, catalogue)?,
        )?,
    ])
}

/// The total of a side of a comparison.
///
/// # Errors
/// [`InputError`] if the prices cannot be summed.
pub fn of_side(
    name: TotalName,
    says: String,
    side: &Side,
    catalogue: &str,
) -> Result<OneTotal, InputError> {
    use PartGroup as G;
    // The order of the lines of a side.
    let groups = [G::SwitchPorts, G::Transceivers, G::Splitters, G::Cables];
    let lines: Vec<_> = groups.into_iter().zip(side.lines.iter().cloned()).collect();
    OneTotal::new(name, says, &lines, bill::reported(side.tally.clone(), catalogue))
}

impl OneTotal {
    fn new(
        name: TotalName,
        says: String,
        lines: &[(PartGroup, Line)],
        total: TotalReport,
    ) -> Result<Self, InputError> {
        let group = |of: PartGroup| -> Result<PartSum, InputError> {
            let lines: Vec<Line> = lines
                .iter()
                .filter(|(group, _)| *group == of)
                .map(|(_, line)| line.clone())
                .collect();
            let tally = Tally::of(&lines).map_err(bill::refuse_sum)?;
            Ok(PartSum {
                of,
                quantity: lines.iter().map(|line| line.quantity).sum(),
                cost: tally.cost.map(|cost| cost.amount()),
                lacks: lines.iter().any(|line| line.quantity > 0 && line.price.is_none()),
            })
        };
        let groups: Result<Vec<_>, _> = PartGroup::ALL.into_iter().map(group).collect();
        let groups = groups?.into_iter().filter(|group| group.quantity > 0).collect();
        Ok(Self { name, says, groups, total })
    }

    /// The cost of a kind of parts, as in `150.00 USD and more`. `None`: none of them is in the total.
    pub fn text(&self, of: PartGroup) -> Option<String> {
        let group = self.groups.iter().find(|group| group.of == of)?;
        let more = if group.lacks { bill::AND_MORE } else { "" };
        Some(match group.cost {
            None => "unknown".to_owned(),
            Some(cost) => format!("{}{more}", cost.to_hundredths()),
        })
    }
}
