//! Algorithm 1 of Shufflecast: the next relay on the way to a destination, and the relay rows that follow from
//! it. A row depends on its source alone (shufflecast:III-A3.static).

use lightloom_topology::family::Shufflecast;
use lightloom_topology::{CassetteId, TorId};

use crate::router::Router;

/// The paper's router.
#[derive(Debug, Clone, Copy)]
pub struct Algorithm1 {
    shape: Shufflecast,
}

impl Algorithm1 {
    /// The router of a Shufflecast.
    pub fn new(shape: Shufflecast) -> Self {
        Self { shape }
    }

    /// The ToR after `current` on the way of `source`'s packets to `dest` (shufflecast:alg1:1-2). Follows Algorithm 1
    /// line by line.
    pub fn next_hop(&self, source: TorId, dest: TorId, current: TorId) -> TorId {
        let s = &self.shape;
        let k = s.k();
        // shufflecast:A2
        let columns_on = |from: TorId, to: TorId| (k + s.column(to) - s.column(from)) % k;
        // shufflecast:alg1:3-7: X hops to the destination's column, k if that is the current column.
        let x = match columns_on(current, dest) {
            0 => k,
            x => x,
        };
        // shufflecast:alg1:8: after X left shifts, the kept digits must equal those of the destination.
        let kept = s.row(current) % s.p().pow(k - x);
        let digit = if kept == s.row(dest) / s.p().pow(x) {
            // shufflecast:alg1:9
            s.digit(dest, x - 1)
        } else {
            // shufflecast:alg1:10-13
            s.digit(source, k - 1 - columns_on(source, current))
        };
        s.tor((s.column(current) + 1) % k, s.row(current) % s.p().pow(k - 1) * s.p() + digit)
    }

    /// The relay into a cassette by the partition criterion (shufflecast:III-A3.criterion, shufflecast:lemma2). In the
    /// column `j` columns after the source's, the relays are in the partition whose number is the source's digit k-1-j.
    pub fn relay_into(&self, source: TorId, cassette: CassetteId) -> TorId {
        let s = &self.shape;
        let j = (s.k() + s.cassette_column(cassette) - s.column(source)) % s.k();
        s.relay(cassette, s.digit(source, s.k() - 1 - j))
    }
}

impl Router for Algorithm1 {
    fn relay_row(&mut self, source: TorId, row: &mut [TorId]) {
        let s = &self.shape;
        let per_column = row.len() / s.k() as usize;
        for (column, relays) in row.chunks_mut(per_column).enumerate() {
            // One partition serves the whole column. Its ToRs have consecutive numbers.
            let first = self.relay_into(source, CassetteId::at(column * per_column));
            for (relay, id) in relays.iter_mut().zip(first.0..) {
                *relay = TorId(id);
            }
        }
    }

    fn sources_of(&mut self, relay: TorId) -> Vec<TorId> {
        let cassette = self.shape.cassette(relay);
        let sources = (0..self.shape.tors()).map(TorId);
        sources.filter(|&source| self.relay_into(source, cassette) == relay).collect()
    }
}
