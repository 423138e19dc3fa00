//! Failure rates and repair times of parts, by kind. Kinds without a rate are unknown.

use std::collections::BTreeMap;

use lightloom_units::{FailureRate, RepairTime, Span, named_enum};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

named_enum! {
    /// A kind of part, or of what parts have in common.
    #[derive(JsonSchema, PartialOrd, Ord)]
    pub enum PartKind {
        /// A ToR switch with all that it does.
        Tor = "tor",
        /// A transceiver of a fabric port: its receiver, and the transmitter where the port has it.
        Transceiver = "transceiver",
        /// A splitter.
        Splitter = "splitter",
        /// The way of a fibre with its cords and connectors: a feed or a branch.
        Fibre = "fibre",
        /// The housing of a cassette, with all its splitters.
        Housing = "housing",
        /// A frame of splitters.
        Frame = "frame",
        /// A trunk, with all its fibres.
        Trunk = "trunk",
        /// A tray, or a way between rooms, with all its fibres.
        Tray = "tray",
        /// A rack, with the power of all its ToRs.
        Rack = "rack",
        /// The power feed of a row of racks, with all ToRs of the row.
        Row = "row",
    }
}

/// How often a part fails, how long its repair takes, and who says so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Rate {
    /// Failures of one part.
    pub rate: FailureRate,
    /// From the failure until the part works again.
    pub repair: RepairTime,
    /// The data sheet, paper or page; `assumed` where there is none.
    pub source: String,
}

/// What is known of the failures of parts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rates {
    /// By kind. A kind that is not here is unknown.
    pub by_kind: BTreeMap<PartKind, Rate>,
    /// From a failure until new rules are in force. `None`: unknown.
    pub recovery: Option<Span>,
}

impl Rate {
    /// Failures of one part in an hour: it does not fail while it is repaired.
    pub fn per_hour(&self) -> f64 {
        self.rate.per_hour() / (1.0 + self.rate.per_hour() * self.repair.hours())
    }

    /// The share of time in which one part does not work.
    pub fn unavailability(&self) -> f64 {
        self.per_hour() * self.repair.hours()
    }
}
