//! The words of settings and options that nothing below owns.

use lightloom_units::named_enum;

named_enum! {
    /// The family of a fabric.
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum Family {
        /// A p,k-Shufflecast.
        Shufflecast = "shufflecast",
        /// The kautz family: any number of ToRs.
        Kautz = "kautz",
        /// An edge list.
        Custom = "custom",
    }
}

named_enum! {
    /// The name of a router.
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum RouterName {
        /// The paper's, for a Shufflecast.
        Algorithm1 = "algorithm1",
        /// Fewest hops and even load, for every fabric.
        Arborescence = "arborescence",
    }
}

named_enum! {
    /// The column of an inventory that names the rows.
    pub enum RowsFrom {
        /// The column `row`.
        Row = "row",
        /// The column `location`: each location is a row of one room.
        Location = "location",
    }
}

named_enum! {
    /// A catalogue that comes with lightloom.
    pub enum CatalogueName {
        /// The components of the Shufflecast paper of 2022.
        Shufflecast2022 = "shufflecast-2022",
        /// Components by their data sheets of 2026.
        Datasheets2026 = "datasheets-2026",
    }
}

named_enum! {
    /// What designs are ranked by.
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum Criterion {
        /// Cost of the whole bill.
        Cost = "cost",
        /// Routed length of all fibres.
        Fibre = "fibre",
        /// Power of all ports and transceivers.
        Power = "power",
        /// Hops to the farthest ToR.
        Hops = "hops",
        /// Sources at line rate at once.
        ParallelSources = "parallel-sources",
        /// The least optical margin.
        Margin = "margin",
    }
}
