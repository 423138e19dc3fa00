//! Lines of a bill of materials, without prices.

use lightloom_units::named_enum;
use schemars::JsonSchema;
use std::collections::BTreeMap;

use lightloom_power_cost::price::UnitPrice;
use lightloom_topology::hall::{Housing, RackRole};
use lightloom_topology::{RackId, TransmitPort};
use lightloom_units::{Length, Power};

use lightloom_plant::end_labels::module_label;

use lightloom_plant::{Cable, CableKind, Plant, ThingId, ThingKind};

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
    /// The maker's part number, if known.
    pub part_number: Option<String>,
    /// Price per piece, if known.
    pub unit_price: Option<UnitPrice>,
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
        /// An accelerator beside a switch.
        Accelerator = "accelerator",
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

/// Names of the catalogue's rows for parts of the plant, except trunks, which are `trunk-` and their number of fibres.
pub const PLANT_PARTS: [&str; 6] =
    ["shelf", "frame", "splitter-module", "shuffle-module", "panel-module", "cord"];

/// Name of the catalogue's row for cords.
pub const CORD: &str = "cord";

/// A kind of thing or cable: the item, its variant, its stock length, and its row in the catalogue.
type Kind = (BomItem, String, Option<Length>, String);

/// The lines of a plant, without prices. `part` is the row of the catalogue that can have a price, where there is one.
pub fn lines(plant: &Plant) -> Vec<BomLine> {
    let fabric = &plant.site().fabric;
    let transceivers = fabric.tor_ids().map(|tor| fabric.transceivers(tor) as u64).sum();
    let mut counts: BTreeMap<Kind, u64> = BTreeMap::new();
    let mut add = |item, variant: String, row: &str, stock, count| {
        *counts.entry((item, variant, stock, row.to_owned())).or_default() += count;
    };
    let ports = match fabric.transmits_by() {
        TransmitPort::Shared => "one fibre in, and out on port 0".to_owned(),
        TransmitPort::Own => "one fibre in, or out on the last port".to_owned(),
    };
    add(BomItem::Transceiver, ports, "", None, transceivers);
    let splitter = format!("1:{}, within the splitter modules", fabric.fan_out());
    add(BomItem::Splitter, splitter, "", None, fabric.tors() as u64);
    if plant.housing() == Housing::Zone {
        let hall = &plant.site().hall;
        let new = |frame: &RackId| hall.rack(*frame).role == RackRole::NewFrame;
        for frame in hall.frames().into_iter().filter(new) {
            let units = plant.site().hall.rack(frame).units;
            add(BomItem::Frame, format!("frame of {units} units"), "frame", None, 1);
        }
    }
    let shelf = match plant.housing() {
        Housing::Sender => "splitter shelf of one unit, at a sender",
        Housing::Receiver => "cassette shelf of one unit, at the receivers",
        Housing::Zone => "shelf of one unit",
    };
    add(BomItem::Housing, shelf.into(), "shelf", None, plant.shelves().len() as u64);
    for (item, variant, row) in
        (0..).map(ThingId).zip(plant.things()).filter_map(|(id, _)| module_variant(plant, id))
    {
        add(item, variant, row, None, 1);
    }
    // There are far more cables than kinds of them, so a name is made per kind.
    let mut cables: BTreeMap<(CableType, Length), u64> = BTreeMap::new();
    for cable in plant.cables() {
        *cables.entry((CableType::of(plant, cable), cable.stock)).or_default() += 1;
    }
    for ((cable, stock), count) in cables {
        add(cable.item(), cable.variant(), &cable.row(), Some(stock), count);
    }
    let line = |((item, variant, stock, part), quantity)| BomLine {
        item,
        variant,
        stock,
        quantity,
        part,
        part_number: None,
        unit_price: None,
        unit_power: None,
    };
    counts.into_iter().map(line).collect()
}

/// The item, variant and catalogue row of a module. `None`: a switch.
fn module_variant(plant: &Plant, id: ThingId) -> Option<(BomItem, String, &'static str)> {
    match plant.thing(id).kind {
        ThingKind::Switch(_) => None,
        ThingKind::Splitters { count, shuffles: false, .. } => Some((
            BomItem::Module,
            format!("{}, outputs on LC", splitters(count)),
            "splitter-module",
        )),
        ThingKind::Splitters { count, shuffles: true, .. } => {
            let map = module_label(plant, plant.map_of(id));
            let variant =
                format!("{}, outputs on MPO-12/APC by map shuffle {map}", splitters(count));
            Some((BomItem::Module, variant, "shuffle-module"))
        }
        ThingKind::RowPanel(_) | ThingKind::FramePanel(_) => {
            let variant = "LC/UPC in front, MPO-12/APC behind".to_owned();
            Some((BomItem::Panel, variant, "panel-module"))
        }
    }
}

fn splitters(count: u16) -> String {
    if count == 1 { "1 splitter".into() } else { format!("{count} splitters") }
}

/// The variant of a cable on a bill.
pub fn cable_variant(plant: &Plant, cable: &Cable) -> String {
    CableType::of(plant, cable).variant()
}

/// What tells one kind of cable from another on a bill, besides its length.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct CableType {
    /// Fibres of a trunk. `None`: a cord.
    fibres: Option<u16>,
    /// Names of the connectors. A cord can be laid either way round, so they have an order of their own.
    connectors: [&'static str; 2],
}

impl CableType {
    fn of(plant: &Plant, cable: &Cable) -> Self {
        let mut connectors = cable.ends.map(|end| plant.connector(end).name());
        connectors.sort_unstable_by(|a, b| b.cmp(a));
        let fibres = match cable.kind {
            CableKind::Cord(..) => None,
            CableKind::Trunk(number) => Some(plant.trunks()[number as usize].fibres),
        };
        Self { fibres, connectors }
    }

    fn item(self) -> BomItem {
        if self.fibres.is_some() { BomItem::Trunk } else { BomItem::Cord }
    }

    fn variant(self) -> String {
        let [one, other] = self.connectors;
        match self.fibres {
            None => format!("simplex single-mode, {one} to {other}"),
            Some(fibres) => format!("{fibres} fibres, single-mode, {one} to {other}, straight"),
        }
    }

    /// The catalogue's row.
    fn row(self) -> String {
        self.fibres.map_or_else(|| CORD.into(), |fibres| format!("trunk-{fibres}"))
    }
}

impl BomLine {
    /// Number of spares for this share of the quantity, rounded up. Frames have none, since nothing replaces one that
    /// is full of fibres. Switch ports come with their switches.
    pub fn spares(&self, percent: u32) -> u64 {
        match self.item {
            BomItem::Frame | BomItem::SwitchPort => 0,
            _ => (self.quantity * u64::from(percent)).div_ceil(100),
        }
    }
}
