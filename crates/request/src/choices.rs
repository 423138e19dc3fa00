//! The words of settings that are asked for and owned by nothing below.

use lightloom_units::Choice;

/// The family of a fabric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// A p,k-Shufflecast.
    Shufflecast,
    /// The kautz family: any number of ToRs.
    Kautz,
    /// An edge list.
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
    /// The paper's, for a Shufflecast.
    Algorithm1,
    /// Fewest hops and even load, for every fabric.
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

/// The column of an inventory that names the rows.
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

/// A catalogue that comes with lightloom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CatalogueName {
    /// The components of the Shufflecast paper of 2022.
    Shufflecast2022,
    /// Components by their data sheets of 2026.
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

/// What designs are ranked by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RankBy {
    /// Cost of the whole bill.
    Cost,
    /// Routed length of all fibres.
    Fibre,
    /// Power of all ports and transceivers.
    Power,
    /// Hops to the farthest ToR.
    Hops,
    /// Sources at line rate at once.
    ParallelSources,
    /// The least optical margin.
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
