//! Where splitters sit.

use lightloom_units::named_enum;

named_enum! {
    /// Where the splitters sit.
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum Housing {
        /// Each splitter in the rack of its ToR, as in the paper: p long fibres per ToR.
        Sender = "sender",
        /// The splitters of a cassette in the rack among its receivers that is nearest to all of them:
        /// one long fibre per ToR.
        Receiver = "receiver",
    }
}
