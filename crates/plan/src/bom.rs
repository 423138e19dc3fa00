//! Lines of a bill of materials, without prices.

use lightloom_units::named_enum;
use schemars::JsonSchema;
use std::collections::BTreeMap;

use lightloom_topology::hall::Housing;
use lightloom_units::{Length, Money, Power};

use lightloom_plant::{Cable, CableKind, Plant, ThingKind};

/// A type and variant of things.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BomLine {
    /// The type.
    pub item: BomItem,
    /// The variant.
    pub variant: String,
    /// Stock length to order. Only for cables.
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
    #[derive(PartialOrd, Ord, JsonSchema)]
    pub enum BomItem {
        /// A transceiver.
        Transceiver = "transceiver",
        /// A splitter.
        Splitter = "splitter",
        /// A housing of splitters.
        Housing = "housing",
        /// A frame for splitters and panels.
        Frame = "frame",
        /// A module of splitters in a shelf.
        Module = "splitter module",
        /// A module of a patch panel.
        Panel = "panel module",
        /// A cord of one fibre.
        Cord = "cord",
        /// A trunk of many fibres.
        Trunk = "trunk",
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

/// The lines of a plant, without prices.
pub fn lines(plant: &Plant<'_>) -> Vec<BomLine> {
    let line = |item, variant: String, stock, quantity| BomLine {
        item,
        variant,
        stock,
        quantity,
        part: String::new(),
        unit_price: None,
        unit_power: None,
    };
    let fabric = plant.site().fabric;
    let transceivers = fabric.tor_ids().map(|tor| fabric.transceivers(tor) as u64).sum();
    let splitter = format!("1:{}", fabric.fan_out());
    let ports = "one fibre in, and out on port 0".to_owned();
    let mut lines = vec![
        line(BomItem::Transceiver, ports, None, transceivers),
        line(BomItem::Splitter, splitter, None, fabric.tors() as u64),
    ];
    lines.extend(
        housings(plant).into_iter().map(|(item, variant, count)| line(item, variant, None, count)),
    );
    let mut cables: BTreeMap<(BomItem, String, Length), u64> = BTreeMap::new();
    for cable in plant.cables() {
        let (item, variant) = cable_variant(plant, cable);
        *cables.entry((item, variant, cable.stock)).or_default() += 1;
    }
    let cable = |((item, variant, stock), quantity)| line(item, variant, Some(stock), quantity);
    lines.extend(cables.into_iter().map(cable));
    lines
}

/// Shelves, modules and frames: the item, its variant and the number.
fn housings(plant: &Plant<'_>) -> Vec<(BomItem, String, u64)> {
    let fabric = plant.site().fabric;
    match plant.housing() {
        Housing::Sender => {
            vec![(BomItem::Housing, "splitter shelf, one splitter".into(), fabric.tors() as u64)]
        }
        Housing::Receiver => {
            let cassettes = fabric.cassettes() as u64;
            vec![(BomItem::Housing, "cassette, up to p splitters".into(), cassettes)]
        }
        Housing::Zone => zone_housings(plant),
    }
}

fn zone_housings(plant: &Plant<'_>) -> Vec<(BomItem, String, u64)> {
    let hall = plant.site().hall;
    let mut counts: BTreeMap<(BomItem, String), u64> = BTreeMap::new();
    for frame in hall.frames() {
        let variant = format!("frame of {} units", hall.rack(frame).units);
        *counts.entry((BomItem::Frame, variant)).or_default() += 1;
    }
    counts.insert((BomItem::Housing, "shelf of one unit".into()), plant.shelves().len() as u64);
    for thing in plant.things() {
        let kind = match thing.kind {
            ThingKind::Switch(_) => continue,
            ThingKind::Splitters { count, shuffles, .. } => {
                let outputs = if shuffles { "outputs on MPO-12/APC" } else { "outputs on LC" };
                (BomItem::Module, format!("{count} splitters, {outputs}"))
            }
            ThingKind::RowPanel(_) | ThingKind::FramePanel(_) => {
                (BomItem::Panel, "LC/UPC in front, MPO-12/APC behind".into())
            }
        };
        *counts.entry(kind).or_default() += 1;
    }
    counts.into_iter().map(|((item, variant), count)| (item, variant, count)).collect()
}

/// The variant of a cable: the kind of cable and its connectors. A cord can be laid either way round.
pub fn cable_variant(plant: &Plant<'_>, cable: &Cable) -> (BomItem, String) {
    let mut ends = cable.ends.map(|end| plant.connector(end).name());
    ends.sort_unstable_by(|a, b| b.cmp(a));
    let [one, other] = ends;
    match cable.kind {
        CableKind::Cord(..) => (BomItem::Cord, format!("simplex single-mode, {one} to {other}")),
        CableKind::Trunk(number) => {
            let fibres = plant.trunks()[number as usize].fibres;
            (BomItem::Trunk, format!("{fibres} fibres, single-mode, {one} to {other}, straight"))
        }
    }
}

/// Number of spares, rounded up.
pub fn spares(quantity: u64, percent: u32) -> u64 {
    (quantity * u64::from(percent)).div_ceil(100)
}
