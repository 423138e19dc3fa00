//! What the receive ports of ToRs hear.

use std::collections::BTreeMap;

use crate::fabric::Fabric;
use crate::id::TorId;

impl Fabric {
    /// The ToRs that a ToR hears, by ascending port.
    pub fn heard_by(&self, tor: TorId) -> &[TorId] {
        let planned = || self.transmitters(self.receives_from(tor));
        self.heard.get(&tor).map_or_else(planned, Vec::as_slice)
    }

    /// The receive ports of a ToR that have a fibre, ascending, with the ToR that each hears: as planned, the inverse
    /// of [`receive_port`](Self::receive_port).
    pub fn heard(&self, tor: TorId) -> impl Iterator<Item = (u32, TorId)> + use<'_> {
        let planned = self.transmitters(self.receives_from(tor)).iter();
        let ports = planned.map(|&from| self.receive_port(from));
        ports.zip(self.heard_by(tor).iter().copied())
    }

    /// The ToR whose light arrives at a port of a ToR. `None`: no fibre ends there.
    pub fn heard_at(&self, tor: TorId, port: u32) -> Option<TorId> {
        self.heard(tor).find(|&(number, _)| number == port).map(|(_, from)| from)
    }

    /// The port of a ToR where the light of another arrives. `None`: it arrives at none.
    pub fn port_hearing(&self, tor: TorId, from: TorId) -> Option<u32> {
        self.heard(tor).find(|&(_, heard)| heard == from).map(|(port, _)| port)
    }

    /// The same fabric where some ToRs have their receive fibres in other ports: what each port of such a ToR hears,
    /// by ascending port.
    ///
    /// # Panics
    /// If a ToR would hear others than its cassette's transmitters, or one of them twice.
    #[must_use]
    pub fn hearing(mut self, heard: BTreeMap<TorId, Vec<TorId>>) -> Self {
        self.heard.clear();
        for (&tor, order) in &heard {
            let sorted = |tors: &[TorId]| {
                let mut tors = tors.to_vec();
                tors.sort_unstable();
                tors
            };
            assert_eq!(sorted(order), sorted(self.heard_by(tor)), "the same ToRs in other ports");
        }
        self.heard = heard;
        self
    }
}
