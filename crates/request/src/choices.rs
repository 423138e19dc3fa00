//! Choice types of settings and options that no crate below this one owns.

use lightloom_units::named_enum;

named_enum! {
    /// The family of a fabric.
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum Family {
        /// A p,k-Shufflecast with k p^k ToRs.
        Shufflecast = "shufflecast",
        /// A Kautz fabric, for any number of ToRs.
        Kautz = "kautz",
        /// A fabric from an edge list.
        Custom = "custom",
    }
}

named_enum! {
    /// The name of a router.
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum RouterName {
        /// The router of the Shufflecast paper, for a Shufflecast only.
        Algorithm1 = "algorithm1",
        /// Router for every fabric: fewest hops with an even load.
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
    }
}
