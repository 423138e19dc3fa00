//! The fields of the search for designs.

/// A limit of the search for designs, or what it goes by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SearchField {
    /// The most hops to the farthest ToR.
    Hops,
    /// The fewest sources at line rate at once.
    ParallelSources,
    /// The most ports of a ToR.
    Ports,
    /// The most cables between different rows.
    Cables,
    /// The highest fill of the fullest tray, in percent.
    Tray,
    /// The highest cost.
    Cost,
    /// The case in which the light must close.
    Case,
    /// What designs are ranked by.
    RankBy,
}

impl SearchField {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Case,
        Self::RankBy,
        Self::Hops,
        Self::ParallelSources,
        Self::Ports,
        Self::Cables,
        Self::Tray,
        Self::Cost,
    ];

    /// The name of the field in the panel.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hops => "Most hops",
            Self::ParallelSources => "Fewest parallel sources",
            Self::Ports => "Most ports of a ToR",
            Self::Cables => "Most cables between rows",
            Self::Tray => "Fullest tray, %",
            Self::Cost => "Highest cost",
            Self::Case => "Case of the light",
            Self::RankBy => "Ranked by",
        }
    }

    /// The name of the option of the search.
    pub fn option(self) -> &'static str {
        match self {
            Self::Hops => "max_hops",
            Self::ParallelSources => "parallel_sources",
            Self::Ports => "ports_per_tor",
            Self::Cables => "max_cables",
            Self::Tray => "max_tray_percent",
            Self::Cost => "max_cost",
            Self::Case => "case",
            Self::RankBy => "rank_by",
        }
    }
}
