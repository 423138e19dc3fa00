//! Lines of a bill of materials, without prices.

use lightloom_units::named_enum;
use schemars::JsonSchema;
use std::collections::BTreeMap;

use lightloom_topology::hall::Housing;
use lightloom_units::{Length, Money, Power};

use crate::wiring::{Far, WiringPlan};

/// A type and variant of things.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BomLine {
    /// The type.
    pub item: BomItem,
    /// The variant.
    pub variant: String,
    /// Stock length to order. Only for fibre.
    pub stock: Option<Length>,
    /// Quantity that is built in, without spares.
    pub quantity: u64,
    /// Name of the part in the catalogue. Empty if none was chosen.
    pub part: String,
    /// Price per piece, if known.
    pub unit_price: Option<Money>,
    /// Power per piece, if known.
    pub unit_power: Option<Power>,
}

named_enum! {
    /// Types of things on a bill.
    #[derive(JsonSchema)]
    pub enum BomItem {
        /// A transceiver.
        Transceiver = "transceiver",
        /// A splitter.
        Splitter = "splitter",
        /// A housing of splitters.
        Housing = "housing",
        /// One fibre.
        Fibre = "fibre",
        /// A switch port. It already exists and is not ordered.
        SwitchPort = "switch port",
        /// A splice.
        Splice = "splice",
        /// A coupler (adapter) in a patch panel: the part of the panel that one fibre uses.
        Coupler = "coupler",
        /// A fixed attenuator at the end of a fibre.
        Pad = "pad",
        /// Another part on a fibre: an attenuator, a filter or an amplifier.
        Inline = "inline part",
    }
}

/// The lines of a wiring plan, without prices.
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

/// Number of spares, rounded up.
pub fn spares(quantity: u64, percent: u32) -> u64 {
    (quantity * u64::from(percent)).div_ceil(100)
}
