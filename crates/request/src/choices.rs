//! Choice types of settings and options that no crate below this one owns.

use lightloom_units::named_enum;

named_enum! {
    /// The family of a fabric.
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum Family {
        /// The fabric of the Shufflecast paper: k columns of p^k ToRs.
        Shufflecast = "shufflecast",
        /// Any number of ToRs in the fewest hops.
        Kautz = "kautz",
        /// The edge list of `fabric.edges`.
        Custom = "custom",
    }
}

named_enum! {
    /// The name of a router.
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum RouterName {
        /// The paper's router, for a Shufflecast only and its default.
        Algorithm1 = "algorithm1",
        /// Shortest trees with balanced relays, for every family.
        Arborescence = "arborescence",
    }
}

named_enum! {
    /// Column of an inventory that names the rows of racks.
    pub enum RowsFrom {
        /// The column `row`.
        Row = "row",
        /// The column `location`: each location is a row of one room.
        Location = "location",
    }
}

named_enum! {
    /// Built-in catalogue.
    pub enum CatalogueName {
        /// Components of the Shufflecast paper (2022).
        Shufflecast2022 = "shufflecast-2022",
        /// Components from data sheets of 2026.
        Datasheets2026 = "datasheets-2026",
    }
}

named_enum! {
    /// Quantity by which designs are ranked.
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum Criterion {
        /// Cost of the whole bill, in USD.
        Cost = "cost",
        /// Routed length of all fibres, in metres.
        Fibre = "fibre",
        /// Power of all ports and transceivers, in watts.
        Power = "power",
        /// Hops to the farthest ToR.
        Hops = "hops",
        /// Number of sources that can send at line rate at the same time.
        ParallelSources = "parallel-sources",
        /// Smallest optical margin, in dB.
        Margin = "margin",
        /// Number of cables between different rows.
        Cables = "cables",
        /// Fill of the fullest tray, in percent of its cross-section.
        Tray = "tray",
    }
}
