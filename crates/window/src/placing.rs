//! The fields of the search for racks.

/// What a search for racks goes by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PlacingField {
    /// How long it searches.
    Time,
    /// The seed of its random draws.
    Seed,
    /// The ToRs that stay in their racks.
    Fixed,
    /// The racks that get no ToR.
    Forbidden,
    /// The file of groups of racks.
    Groups,
}

impl PlacingField {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Time, Self::Seed, Self::Fixed, Self::Forbidden, Self::Groups];

    /// The name of the field in the panel.
    pub fn name(self) -> &'static str {
        match self {
            Self::Time => "Time of the search",
            Self::Seed => "Seed of the search",
            Self::Fixed => "ToRs that stay",
            Self::Forbidden => "Racks without a ToR",
            Self::Groups => "Groups of racks",
        }
    }

    /// The name of the option of the search.
    pub fn option(self) -> &'static str {
        match self {
            Self::Time => "place",
            Self::Seed => "place_seed",
            Self::Fixed => "fixed",
            Self::Forbidden => "forbidden",
            Self::Groups => "rack_groups",
        }
    }
}
