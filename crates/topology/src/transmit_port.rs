//! The port of a ToR that sends light into its splitter.

use lightloom_units::named_enum;

/// The port of a ToR that also transmits, with [`TransmitPort::Shared`]. Its receiver shares one transceiver with the
/// ToR's only transmitter (shufflecast:III-A2.ports).
pub const TRANSMIT_PORT: u32 = 0;

named_enum! {
    /// The port that sends light into the splitter of a ToR.
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum TransmitPort {
        /// Port 0, which also receives. Its transceiver does both (Shufflecast, section III-A2).
        Shared = "shared",
        /// A port of its own after the others, which receives nothing: one more transceiver a ToR, for switches that
        /// cannot send a packet back by the port that it came in on.
        Own = "own",
    }
}
