//! The lines of a bill of materials, without prices.

use std::collections::BTreeMap;

use lightloom_topology::hall::Housing;
use lightloom_units::{Length, Money, Power};

use crate::wiring::{Far, WiringPlan};

/// One type and variant of things.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BomLine {
    /// What it is.
    pub item: BomItem,
    /// Which kind of it.
    pub variant: String,
    /// The piece to order, of fibre.
    pub stock: Option<Length>,
    /// How many are built in.
    pub quantity: u64,
    /// Which part of the catalogue; empty where none was chosen.
    pub part: String,
    /// What one costs, where it is known.
    pub unit_price: Option<Money>,
    /// What one draws, where it is known.
    pub unit_power: Option<Power>,
}

/// The kinds of things on a bill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BomItem {
    /// A transceiver.
    Transceiver,
    /// A splitter.
    Splitter,
    /// What splitters sit in.
    Housing,
    /// One fibre.
    Fibre,
    /// A port of a switch, which is there already and not ordered.
    SwitchPort,
    /// A splice.
    Splice,
    /// A coupler (adapter) in a patch panel: what one fibre takes of the panel.
    Coupler,
    /// Anything else on a fibre: an attenuator, a filter, an amplifier.
    Inline,
}

impl BomItem {
    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Transceiver => "transceiver",
            Self::Splitter => "splitter",
            Self::Housing => "housing",
            Self::Fibre => "fibre",
            Self::SwitchPort => "switch port",
            Self::Splice => "splice",
            Self::Coupler => "coupler",
            Self::Inline => "inline part",
        }
    }
}

/// What a wiring plan takes, without prices.
pub fn lines(plan: &WiringPlan<'_>) -> Vec<BomLine> {
    let line = |item, variant: &str, stock, quantity| BomLine {
        item,
        variant: variant.into(),
        stock,
        quantity,
        part: String::new(),
        unit_price: None,
        unit_power: None,
    };
    let fabric = plan.site().fabric;
    let transceivers = fabric.tor_ids().map(|tor| fabric.transceivers(tor) as u64).sum();
    let splitter = format!("1:{}", fabric.fan_out());
    let (shelf, shelves) = match plan.housing() {
        Housing::Sender => ("splitter shelf, one splitter", fabric.tors()),
        Housing::Receiver => ("cassette, up to p splitters", fabric.cassettes()),
    };
    let mut lines = vec![
        line(BomItem::Transceiver, "one fibre in, and out on port 0", None, transceivers),
        line(BomItem::Splitter, &splitter, None, fabric.tors() as u64),
        line(BomItem::Housing, shelf, None, shelves as u64),
    ];
    let mut fibres: BTreeMap<(&str, Length), u64> = BTreeMap::new();
    for cable in plan.cables() {
        let kind = match cable.far {
            Far::SplitterInput => "feed, simplex single-mode",
            Far::Receiver { .. } => "branch, simplex single-mode",
        };
        *fibres.entry((kind, cable.stock)).or_default() += 1;
    }
    let fibre = |((kind, stock), quantity)| line(BomItem::Fibre, kind, Some(stock), quantity);
    lines.extend(fibres.into_iter().map(fibre));
    lines
}

/// Spares of a quantity, rounded up.
pub fn spares(quantity: u64, percent: u32) -> u64 {
    (quantity * u64::from(percent)).div_ceil(100)
}
