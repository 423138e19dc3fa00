//! Pathways of fibres, trays and ways alike: cross-section, existing cables and the fill to plan for.

use std::f64::consts::FRAC_PI_4;

use lightloom_units::{Length, Percent};

/// Inner cross-section of a pathway.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum CrossSection {
    /// A tray or a channel.
    Rectangle {
        /// Inner width.
        width: Length,
        /// Usable height.
        depth: Length,
    },
    /// A duct or a conduit.
    Round {
        /// Inner diameter.
        diameter: Length,
    },
}

impl CrossSection {
    /// The area, in square metres.
    pub fn area_m2(self) -> f64 {
        match self {
            Self::Rectangle { width, depth } => width.as_m() * depth.as_m(),
            Self::Round { diameter } => circle_m2(diameter),
        }
    }
}

/// What lies in a pathway before the plan's fibres.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Existing {
    /// Nothing.
    #[default]
    Nothing,
    /// Cables of one outer diameter.
    Cables {
        /// Their number.
        cables: u32,
        /// Their outer diameter.
        diameter: Length,
    },
    /// A share of the cross-section.
    Share {
        /// The share.
        fill: Percent,
    },
}

/// A tray or a way as a place for fibres.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pathway {
    /// Inner cross-section.
    pub section: CrossSection,
    /// What already lies in it.
    pub existing: Existing,
    /// The fill to plan for, existing cables included.
    pub planned: Percent,
}

impl Pathway {
    /// The share of the cross-section to plan for in trays (TIA-569).
    pub const PLANNED_IN_TRAYS: Percent = Percent::new(25);
    /// The share of the cross-section to plan for in ducts with more than two cables (TIA-569; NEC chapter 9,
    /// table 1).
    pub const PLANNED_IN_DUCTS: Percent = Percent::new(40);

    /// The share of the cross-section that existing cables fill; 1 is the whole.
    pub fn existing_fill(&self) -> f64 {
        match self.existing {
            Existing::Nothing => 0.0,
            Existing::Cables { cables, diameter } => {
                f64::from(cables) * circle_m2(diameter) / self.section.area_m2()
            }
            Existing::Share { fill } => fill.ratio(),
        }
    }

    /// The share of the cross-section that existing and new cables fill. `squares` is the sum of the squares of
    /// the new cables' diameters, in µm².
    pub fn fill(&self, squares: u64) -> f64 {
        self.existing_fill() + FRAC_PI_4 * squares as f64 * 1e-12 / self.section.area_m2()
    }

    /// Whether existing cables leave room for a fibre below the planned fill.
    pub fn has_room(&self) -> bool {
        self.existing_fill() < self.planned.ratio()
    }

    /// Whether existing cables leave no room at all.
    pub fn is_full(&self) -> bool {
        self.existing_fill() >= 1.0
    }
}

fn circle_m2(diameter: Length) -> f64 {
    FRAC_PI_4 * diameter.as_m() * diameter.as_m()
}
