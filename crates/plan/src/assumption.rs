//! What can be assumed.

use serde::Serialize;

/// One thing that a plan assumes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Assumption {
    /// What it is.
    pub what: Assumed,
    /// What is assumed of it; where a key of a design file says it, as that would.
    pub value: String,
    /// The keys of a design file, or the column of the inventory, that would say it.
    pub said_by: Vec<String>,
    /// How many racks it is assumed for, where it may differ between racks.
    pub racks: Option<usize>,
}

/// What can be assumed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Assumed {
    /// The family of the fabric.
    Family,
    /// The fan-out of the splitters.
    FanOut,
    /// The columns of a Shufflecast.
    Columns,
    /// Where the splitters sit.
    Housing,
    /// Spares of what is ordered, in percent.
    Spares,
    /// Where the racks stand: in rows that make the hall square.
    Hall,
    /// From the middle of a rack to that of the next one in its row.
    RackPitch,
    /// From one row to the next.
    RowPitch,
    /// Extent along the rows.
    HallWidth,
    /// Extent across the rows.
    HallDepth,
    /// Where cross-aisle trays run.
    CrossAisles,
    /// Floor to tray.
    TrayHeight,
    /// Inner width of a tray.
    TrayWidth,
    /// Usable height of a tray.
    TrayDepth,
    /// Outer diameter of a fibre's jacket.
    FibreDiameter,
    /// From the port to the riser, for each end.
    RackEntry,
    /// Service loop of a fibre that leaves its rack.
    Slack,
    /// Height of racks, in rack units.
    RackHeight,
    /// The rack unit of ToRs.
    TorUnit,
    /// Which ToR stands in which rack.
    Placement,
    /// Columns of the inventory that are not read.
    IgnoredColumns,
    /// The catalogue that stock lengths, prices and optics are from.
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
    /// What lies between transmitter and splitter besides the fibre.
    FeedFittings,
    /// What lies between splitter and receiver besides the fibre.
    BranchFittings,
    /// Margin for dispersion, reflections and the like.
    Penalty,
    /// Margin for ageing and repairs.
    Ageing,
    /// The margin below which a branch that closes is a warning.
    ComfortableMargin,
    /// How the light is judged.
    Case,
    /// The sources that were replayed stand for all.
    SampledProof,
}

impl Assumed {
    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Family => "family",
            Self::FanOut => "splitter fan-out",
            Self::Columns => "columns of the Shufflecast",
            Self::Housing => "splitters at the",
            Self::Spares => "spares, percent",
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
            Self::ComfortableMargin => "comfortable margin",
            Self::Case => "case that decides on the light",
            Self::SampledProof => "proof by a sample",
        }
    }
}
