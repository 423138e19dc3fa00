//! Where splitters sit, and how fibres run to them.

use lightloom_units::named_enum;

named_enum! {
    /// Where the splitters sit.
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum Housing {
        // shufflecast:IV-B.fibres
        /// Each splitter in the rack of its ToR, as in the paper: p long fibres per ToR.
        Sender = "sender",
        /// The splitters of a cassette in the rack among its receivers that is nearest to all of them:
        /// one long fibre per ToR.
        Receiver = "receiver",
        /// All splitters in frames, which stand side by side and hold no ToR.
        Zone = "zone",
    }
}

named_enum! {
    /// How fibres run between racks and splitters.
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum Cabling {
        /// One cord from port to port.
        PointToPoint = "point-to-point",
        /// Through panels in every row, and from there in trunks of many fibres to the frames of a zone.
        Trunked = "trunked",
    }
}

named_enum! {
    /// How the outputs of splitters in a frame come to the trunks of their receivers.
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum Shuffle {
        /// A jumper from each output to a panel.
        Jumpers = "jumpers",
        /// Modules that are made for the fabric: their outputs leave on MPO connectors, sorted by receiver.
        Modules = "modules",
    }
}
