//! Reports of the way of light, hop by hop.

use lightloom_plan::budget::{BranchReport, ElementReport};
use lightloom_power_cost::Case;
use lightloom_topology::TorId;
use lightloom_units::named_enum;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The way of light of each branch that was asked for, from its transmitter to its receiver.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TraceReport {
    /// The case of the light.
    pub case: Case,
    /// Name of the transceiver.
    pub transceiver: String,
    /// Name of the splitter.
    pub splitter: String,
    /// The pad and its place, as in `lc-5db at the transmitter`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pad: Option<String>,
    /// Assumptions for values that the design does not give.
    pub assumed: Vec<String>,
    /// The branches, in the order in which they were named.
    pub branches: Vec<TracedBranch>,
}

/// The way of light of one branch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TracedBranch {
    /// Its row of the budget in this case. Changes that would make it close are given for every failing branch.
    pub light: BranchReport,
    /// The elements on the way of its light.
    pub elements: Vec<ElementReport>,
    /// Length of all fibre from the transmitter to the receiver, in metres.
    pub length_m: f64,
    /// The fibre from the transmitter to the splitter.
    pub feed: TracedFibre,
    /// The fibre from the splitter to the receiver.
    pub branch: TracedFibre,
    /// What the light passes, from the transmitter to the receiver: things and cables in turn.
    pub hops: Vec<HopReport>,
}

/// A fibre, as the sheets of the plan name it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TracedFibre {
    /// Label of the fibre.
    pub label: String,
    /// The label at its near end, where its light comes from.
    pub near_label: String,
    /// The label at its far end.
    pub far_label: String,
    /// Length of all its cables, in metres.
    pub length_m: f64,
    /// Stock length of all its cables, in metres.
    pub stock_m: f64,
}

/// One hop of the way, with its loss.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HopReport {
    /// What the light passes.
    #[serde(flatten)]
    pub what: Hop,
    /// Loss on this hop, in dB: the typical one in the typical case, else the largest one.
    pub loss_db: f64,
    /// Loss from the transmitter to the end of this hop, in dB.
    pub lost_db: f64,
}

/// What the light passes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "hop", rename_all = "snake_case")]
pub enum Hop {
    /// A thing with ports. Its loss is that of its connectors, and of the splitter and the pad that it holds.
    Thing(ThingHop),
    /// A cable. Its loss is that of its length.
    Cable(CableHop),
    /// Parts on a fibre that the budget counts and that have no place in the hall.
    Unplaced {
        /// Label of the fibre.
        label: String,
        /// Kinds of the parts, each as often as it is there.
        parts: Vec<lightloom_power_cost::What>,
    },
}

named_enum! {
    /// Kinds of things on the way of light.
    #[derive(JsonSchema)]
    pub enum ThingName {
        /// The switch of a ToR.
        Switch = "switch",
        /// A splitter.
        Splitter = "splitter",
        /// A patch panel among the racks of a row.
        RowPanel = "row panel",
        /// A patch panel in a frame.
        FramePanel = "frame panel",
    }
}

/// A thing that the light passes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ThingHop {
    /// Kind of the thing.
    pub kind: ThingName,
    /// The ToR of a switch, or the ToR that feeds a splitter.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub tor: Option<TorId>,
    /// Name of its room. `None`: the hall is one room.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub room: Option<String>,
    /// Name of its row.
    pub row: String,
    /// Name of its rack.
    pub rack: String,
    /// Its rack unit, counted from 1 at the bottom.
    pub unit: u16,
    /// Its slot in the shelf of that unit, counted from 1. `None` for a switch.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub slot: Option<u16>,
    /// Label of the port where the light enters. `None` for the transmitter.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub enters: Option<String>,
    /// Label of the port where the light leaves. `None` for the receiver.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub leaves: Option<String>,
}

named_enum! {
    /// Kinds of cables on the way of light.
    #[derive(JsonSchema)]
    pub enum CableName {
        /// A cord of one fibre.
        Cord = "cord",
        /// A trunk of many fibres.
        Trunk = "trunk",
    }
}

/// A cable that the light passes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CableHop {
    /// Kind of the cable.
    pub kind: CableName,
    /// Label of the cable.
    pub label: String,
    /// The fibre of a trunk, counted from 1. `None` for a cord.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub strand: Option<u16>,
    /// Label of the port where the light enters it.
    pub from_port: String,
    /// Label of the port where the light leaves it.
    pub to_port: String,
    /// Length, in metres.
    pub length_m: f64,
    /// Stock length, in metres.
    pub stock_m: f64,
    /// The trays and ways that it lies in, in the direction of the light. Drops, entries and slack are the rest of
    /// its length.
    pub trays: Vec<TrayPart>,
    /// Number of places where it turns from one tray or way into another.
    pub bends: usize,
}

/// A stretch of a tray or way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TrayPart {
    /// Name of the tray or way.
    pub tray: String,
    /// Start of the stretch along it, in metres.
    pub from_m: f64,
    /// End of the stretch, in metres. It is always the greater one.
    pub to_m: f64,
    /// Length of the stretch, in metres.
    pub length_m: f64,
}
