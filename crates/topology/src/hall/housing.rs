//! Where splitters sit.

use lightloom_units::named_enum;

named_enum! {
    /// Where the splitters sit.
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum Housing {
        /// Each in the rack of the ToR that transmits into it, as in the paper: p long fibres a ToR.
        Sender = "sender",
        /// The splitters of a cassette together, in the rack among its receivers that is nearest to
        /// all of them: one long fibre a ToR and p short ones.
        Receiver = "receiver",
    }
}
