//! Which port of a ToR sends light into its splitter.

use crate::fabric::Fabric;
use crate::id::TorId;
use crate::transmit_port::{TRANSMIT_PORT, TransmitPort};

impl Fabric {
    /// The same fabric with other ports that send light.
    #[must_use]
    pub fn transmitting_by(mut self, transmit: TransmitPort) -> Self {
        self.transmit = transmit;
        self
    }

    /// Which ports send light.
    pub fn transmits_by(&self) -> TransmitPort {
        self.transmit
    }

    /// The port of a ToR that sends light into its splitter.
    pub fn transmit_port(&self, tor: TorId) -> u32 {
        match self.transmit {
            TransmitPort::Shared => TRANSMIT_PORT,
            TransmitPort::Own => u32::try_from(self.heard_by(tor).len()).unwrap_or(u32::MAX),
        }
    }

    /// The ToR that the transmit port of a ToR hears. `None`: the port receives nothing.
    pub fn heard_at_transmit_port(&self, tor: TorId) -> Option<TorId> {
        self.heard_by(tor).get(self.transmit_port(tor) as usize).copied()
    }
}
