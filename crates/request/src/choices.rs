//! Choice types of settings that no crate below this one owns.

use lightloom_units::Choice;

/// The family of a fabric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// A p,k-Shufflecast with k p^k ToRs.
    Shufflecast,
    /// A Kautz fabric, for any number of ToRs.
    Kautz,
    /// A fabric from an edge list.
    Custom,
}

impl Choice for Family {
    const ALL: &'static [Self] = &[Self::Shufflecast, Self::Kautz, Self::Custom];

    fn name(self) -> &'static str {
        match self {
            Self::Shufflecast => "shufflecast",
            Self::Kautz => "kautz",
            Self::Custom => "custom",
        }
    }
}

/// The name of a router.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RouterName {
    /// The router of the Shufflecast paper, for a Shufflecast only.
    Algorithm1,
    /// Router for every fabric: fewest hops with an even load.
    Arborescence,
}

impl Choice for RouterName {
    const ALL: &'static [Self] = &[Self::Algorithm1, Self::Arborescence];

    fn name(self) -> &'static str {
        match self {
            Self::Algorithm1 => "algorithm1",
            Self::Arborescence => "arborescence",
        }
    }
}

/// Column of an inventory that names the rows of racks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowsFrom {
    /// The column `row`.
    Row,
    /// The column `location`: each location is a row of one room.
    Location,
}

impl Choice for RowsFrom {
    const ALL: &'static [Self] = &[Self::Row, Self::Location];

    fn name(self) -> &'static str {
        match self {
            Self::Row => "row",
            Self::Location => "location",
        }
    }
}

/// Built-in catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CatalogueName {
    /// Components of the Shufflecast paper (2022).
    Shufflecast2022,
    /// Components from data sheets of 2026.
    Datasheets2026,
}

impl Choice for CatalogueName {
    const ALL: &'static [Self] = &[Self::Shufflecast2022, Self::Datasheets2026];

    fn name(self) -> &'static str {
        match self {
            Self::Shufflecast2022 => "shufflecast-2022",
            Self::Datasheets2026 => "datasheets-2026",
        }
    }
}

/// Quantity by which designs are ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RankBy {
    /// Cost of the whole bill, in USD.
    Cost,
    /// Routed length of all fibres, in metres.
    Fibre,
    /// Power of all ports and transceivers, in watts.
    Power,
    /// Hops to the farthest ToR.
    Hops,
    /// Number of sources that can send at line rate at the same time.
    ParallelSources,
    /// Smallest optical margin, in dB.
    Margin,
}

impl Choice for RankBy {
    const ALL: &'static [Self] =
        &[Self::Cost, Self::Fibre, Self::Power, Self::Hops, Self::ParallelSources, Self::Margin];

    fn name(self) -> &'static str {
        match self {
            Self::Cost => "cost",
            Self::Fibre => "fibre",
            Self::Power => "power",
            Self::Hops => "hops",
            Self::ParallelSources => "parallel-sources",
            Self::Margin => "margin",
        }
    }
}
