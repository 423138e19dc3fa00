//! Quantities that a plan can assume.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One assumption of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Assumption {
    /// The assumed quantity.
    pub what: Assumed,
    /// The assumed value. If a setting of the design file can give it, the value as written there.
    pub value: String,
    /// The settings of the design file, or the column of the inventory, that can give the value.
    pub said_by: Vec<String>,
    /// Number of racks that the value is assumed for. `None`: it does not depend on the rack.
    pub racks: Option<usize>,
}

/// Quantities that can be assumed.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Assumed {
    /// The family of the fabric.
    Family,
    /// The fan-out of the splitters.
    FanOut,
    /// Number of columns of a Shufflecast.
    Columns,
    /// Place of the splitters.
    Housing,
    /// Spares, in percent.
    Spares,
    /// Crews, and what each does in a shift. The work packages follow from it.
    Work,
    /// Link fault signalling of the ToR switches. Nothing says whether they can switch it off.
    FaultSignalling,
    /// Places of the racks: in rows that make the hall square.
    Hall,
    /// Distance between the middles of neighbouring racks in a row.
    RackPitch,
    /// Distance between rows.
    RowPitch,
    /// Extent of the hall along the rows.
    HallWidth,
    /// Extent of the hall across the rows.
    HallDepth,
    /// Places of the cross-aisle trays.
    CrossAisles,
    /// Height of the trays above the floor.
    TrayHeight,
    /// Inner width of a tray.
    TrayWidth,
    /// Usable height of a tray.
    TrayDepth,
    /// Outer diameter of a fibre's jacket.
    FibreDiameter,
    /// Distance from the port to the riser, at each end.
    RackEntry,
    /// Service loop of a fibre that leaves its rack.
    Slack,
    /// Height of racks, in rack units.
    RackHeight,
    /// Rack unit of the ToRs.
    TorUnit,
    /// The rack of each ToR.
    Placement,
    /// Columns of the inventory that are ignored.
    IgnoredColumns,
    /// Catalogue of stock lengths, prices and optics.
    Catalogue,
    /// The transceiver.
    Transceiver,
    /// The splitter.
    Splitter,
    /// The fibre, for its attenuation.
    Fibre,
    /// The connector pairs at the splitters.
    Connector,
    /// The splices.
    Splice,
    /// The couplers in patch panels.
    Panel,
    /// Parts between transmitter and splitter, without the fibre.
    FeedFittings,
    /// Parts between splitter and receiver, without the fibre.
    BranchFittings,
    /// Margin for dispersion, reflections and the like.
    Penalty,
    /// Margin for ageing and repairs.
    Ageing,
    /// A branch that closes with less margin than this is marginal.
    Margin,
    /// A branch that closes with less headroom than this is marginal.
    Headroom,
    /// The fixed attenuators.
    Pad,
    /// The case that decides on the light.
    Case,
    /// The price of a row of the catalogue: an order of magnitude, by a rule.
    Price,
    /// A sample of sources was replayed instead of all.
    SampledProof,
}

impl Assumed {
    /// Name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Family => "family",
            Self::FanOut => "splitter fan-out",
            Self::Columns => "columns of the Shufflecast",
            Self::Housing => "splitters at the",
            Self::Spares => "spares, percent",
            Self::Work => "work in a shift of a crew",
            Self::FaultSignalling => "link fault signalling",
            Self::Hall => "places of the racks",
            Self::RackPitch => "rack pitch",
            Self::RowPitch => "row pitch",
            Self::HallWidth => "hall width",
            Self::HallDepth => "hall depth",
            Self::CrossAisles => "cross-aisle trays at",
            Self::TrayHeight => "tray height",
            Self::TrayWidth => "tray width",
            Self::TrayDepth => "tray depth",
            Self::FibreDiameter => "fibre diameter",
            Self::RackEntry => "rack entry, each end",
            Self::Slack => "slack",
            Self::RackHeight => "rack height",
            Self::TorUnit => "unit of the ToR",
            Self::Placement => "placement",
            Self::IgnoredColumns => "columns not read",
            Self::Catalogue => "catalogue",
            Self::Transceiver => "transceiver",
            Self::Splitter => "splitter",
            Self::Fibre => "fibre",
            Self::Connector => "connector",
            Self::Splice => "splice",
            Self::Panel => "panel",
            Self::FeedFittings => "on each feed",
            Self::BranchFittings => "on each branch",
            Self::Penalty => "optical penalty",
            Self::Ageing => "ageing margin",
            Self::Margin => "least margin",
            Self::Headroom => "least headroom",
            Self::Pad => "pad",
            Self::Case => "case that decides on the light",
            Self::Price => "price",
            Self::SampledProof => "proof by a sample",
        }
    }
}
