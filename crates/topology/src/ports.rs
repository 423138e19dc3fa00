//! The ports of a ToR: what each hears, and which one sends light into its splitter.

use crate::fabric::Fabric;
use crate::id::TorId;
use crate::transmit_port::{TRANSMIT_PORT, TransmitPort};

/// A port of a ToR with a transceiver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FabricPort {
    /// Its number. Numbers have gaps where a ToR left the fabric: no other fibre moves for it.
    pub number: u32,
    /// The ToR whose light arrives at it.
    pub hears: Option<TorId>,
    /// Whether it sends light into the splitter of the ToR.
    pub transmits: bool,
}

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

    /// The ports of a ToR that have a transceiver, ascending: those with a receive fibre, and the one that transmits.
    pub fn ports(&self, tor: TorId) -> impl Iterator<Item = FabricPort> + use<'_> {
        let transmit = self.transmit_port(tor);
        let heard = self.heard(tor).map(move |(number, from)| FabricPort {
            number,
            hears: Some(from),
            transmits: number == transmit,
        });
        let deaf = FabricPort { number: transmit, hears: None, transmits: true };
        let deaf = Some(deaf).filter(|_| self.heard_at(tor, transmit).is_none());
        // A port that only transmits is the first one or the last one.
        let (first, last) = match self.transmit {
            TransmitPort::Shared => (deaf, None),
            TransmitPort::Own => (None, deaf),
        };
        first.into_iter().chain(heard).chain(last)
    }

    /// Transceivers of a ToR: one per receive fibre. The first of them also transmits, so a ToR
    /// needs p and not p+1 (shufflecast:III-A2.ports).
    pub fn transceivers(&self, tor: TorId) -> usize {
        let transmits_only = self.heard_at_transmit_port(tor).is_none();
        self.heard_by(tor).len() + usize::from(transmits_only)
    }

    /// The number after that of a ToR's last port. Some numbers below may have no fibre.
    pub fn end_of_ports(&self, tor: TorId) -> u32 {
        (self.transmit_port(tor) + 1).max(self.end_of_receive_ports(tor))
    }

    /// No ToR has a port of this number: one for each ToR that a ToR can hear, and one more if light has a port of its
    /// own.
    pub fn most_ports(&self) -> u32 {
        self.fan_out() + u32::from(self.transmit == TransmitPort::Own)
    }

    fn end_of_receive_ports(&self, tor: TorId) -> u32 {
        let last = self.transmitters(self.receives_from(tor)).last();
        last.map_or(0, |&last| self.receive_port(last) + 1)
    }

    /// The port of a ToR that sends light into its splitter.
    pub fn transmit_port(&self, tor: TorId) -> u32 {
        match self.transmit {
            TransmitPort::Shared => TRANSMIT_PORT,
            TransmitPort::Own => self.end_of_receive_ports(tor),
        }
    }

    /// The ToR that the transmit port of a ToR hears. `None`: the port receives nothing.
    pub fn heard_at_transmit_port(&self, tor: TorId) -> Option<TorId> {
        self.heard_at(tor, self.transmit_port(tor))
    }
}
