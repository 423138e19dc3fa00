//! What the receive ports of ToRs hear.

use std::collections::BTreeMap;

use crate::fabric::Fabric;
use crate::id::TorId;

impl Fabric {
    /// The ToRs that the ports of a ToR hear, port 0 first: as planned, the inverse of
    /// [`receive_port`](Self::receive_port).
    pub fn heard_by(&self, tor: TorId) -> &[TorId] {
        let planned = || self.transmitters(self.receives_from(tor));
        self.heard.get(&tor).map_or_else(planned, Vec::as_slice)
    }

    /// The same fabric where some ToRs have their receive fibres in other ports: what each port of such a ToR hears.
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
