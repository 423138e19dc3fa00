//! The panels by name.

use serde::{Deserialize, Serialize};

/// A panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Panel {
    /// The settings of the design.
    Design,
    /// The text of the design file.
    Text,
    /// The fabric, and the tree of the selected source.
    Fabric,
    /// The hall from above.
    Hall,
    /// Broken parts, who is cut off, and the repair.
    Failures,
    /// The light of every branch.
    Light,
    /// The way of the selected fibre's light, hop by hop.
    Trace,
    /// Power and cost, beside a packet core.
    Money,
    /// All designs for the ToRs.
    Explore,
    /// Runs of the packet twin.
    Twin,
    /// What the switches are told.
    Rules,
    /// What is wrong, or could go wrong.
    Problems,
    /// What happened.
    Log,
    /// More or fewer ToRs: what is new, what moves, what stays, and what it costs.
    Growth,
    /// Trunks, the cables to pull, and what to order.
    Cabling,
    /// What crews built otherwise than planned.
    AsBuilt,
    /// All that can be written.
    Exports,
}

impl Panel {
    /// All panels, in the order of menus.
    pub const ALL: [Self; 17] = [
        Self::Design,
        Self::Text,
        Self::Fabric,
        Self::Hall,
        Self::Failures,
        Self::Light,
        Self::Trace,
        Self::Money,
        Self::Explore,
        Self::Twin,
        Self::Rules,
        Self::Problems,
        Self::Log,
        Self::Growth,
        Self::Cabling,
        Self::AsBuilt,
        Self::Exports,
    ];

    /// The title of the panel.
    pub fn title(self) -> &'static str {
        match self {
            Self::Design => "Design",
            Self::Text => "Text",
            Self::Fabric => "Fabric",
            Self::Hall => "Hall",
            Self::Failures => "Failures",
            Self::Light => "Light",
            Self::Trace => "Trace",
            Self::Money => "Money",
            Self::Explore => "Explore",
            Self::Twin => "Twin",
            Self::Rules => "Rules",
            Self::Problems => "Problems",
            Self::Log => "Log",
            Self::Growth => "Growth",
            Self::Cabling => "Cabling",
            Self::AsBuilt => "As-built",
            Self::Exports => "Exports",
        }
    }
}
