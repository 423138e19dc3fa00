//! The panels by name.

use serde::{Deserialize, Serialize};

/// Where a panel is at first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Area {
    /// On the left: settings.
    Left,
    /// In the middle: drawings.
    Middle,
    /// On the right: what is wrong, and what the switches are told.
    Right,
    /// Below: tables.
    Below,
}

/// What a panel shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
    /// The settings of the design.
    Settings,
    /// Answers about the design.
    Design,
    /// A run of the twin.
    Run,
    /// No answers.
    Nothing,
}

/// Makes [`Panel`] from the list of panels: the meaning, the name, the title, where it is at first, and what it shows.
macro_rules! panels {
    ($(#[doc = $meaning:literal] $panel:ident = $title:literal, $area:ident, $about:ident;)+) => {
        /// A panel.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum Panel {
            $(#[doc = $meaning] $panel,)+
        }

        impl Panel {
            /// All panels, in the order of menus.
            pub const ALL: [Self; [$(Self::$panel),+].len()] = [$(Self::$panel),+];

            /// The title of the panel.
            pub fn title(self) -> &'static str {
                match self {
                    $(Self::$panel => $title,)+
                }
            }

            /// Where it is at first.
            pub fn area(self) -> Area {
                match self {
                    $(Self::$panel => Area::$area,)+
                }
            }

            /// What it shows.
            pub fn about(self) -> About {
                match self {
                    $(Self::$panel => About::$about,)+
                }
            }
        }
    };
}

panels! {
    /// The settings of the design.
    Design = "Design", Left, Settings;
    /// The text of the design file.
    Text = "Text", Left, Nothing;
    /// The fabric, and the tree of the selected source.
    Fabric = "Fabric", Middle, Design;
    /// The hall from above.
    Hall = "Hall", Middle, Design;
    /// Broken parts, who is cut off, and the repair.
    Failures = "Failures", Right, Design;
    /// The light of every branch.
    Light = "Light", Below, Design;
    /// The way of the selected fibre's light, hop by hop.
    Trace = "Trace", Below, Design;
    /// Power and cost, beside a packet core.
    Money = "Money", Below, Design;
    /// All designs for the ToRs.
    Explore = "Explore", Below, Design;
    /// Runs of the packet twin.
    Twin = "Twin", Middle, Run;
    /// What the switches are told.
    Rules = "Rules", Right, Design;
    /// What is wrong, or could go wrong.
    Problems = "Problems", Right, Design;
    /// What happened.
    Log = "Log", Below, Nothing;
    /// More or fewer ToRs: what is new, what moves, what stays, and what it costs.
    Growth = "Growth", Middle, Design;
    /// The racks of ToRs: a search for the cheapest cords.
    Placement = "Placement", Below, Design;
    /// Trunks, the cables to pull, and what to order.
    Cabling = "Cabling", Below, Design;
    /// What crews built otherwise than planned.
    AsBuilt = "As-built", Middle, Design;
    /// All that can be written.
    Exports = "Exports", Below, Nothing;
}
