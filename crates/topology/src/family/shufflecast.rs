//! The p,k-Shufflecast with the paper's names. ToR *i* is (column, row). Its row has k base-p digits r_{k-1} … r_0.
//! Its partition is the top digit.

use crate::fabric::{Fabric, FabricError, MAX_TORS, check_fan_out, check_tors};
use crate::id::{CassetteId, TorId};

/// The shape of a p,k-Shufflecast: N = k p^k ToRs in k columns of p^k rows (shufflecast:III-A1.size).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shufflecast {
    p: u32,
    k: u32,
    /// p^(k-1): ToRs of a partition, and cassettes of a column.
    partition_size: u32,
}

impl Shufflecast {
    /// The shape with 1:`p` splitters and `k` columns.
    ///
    /// # Errors
    /// [`FabricError`] if p < 2, k < 1, or k p^k exceeds [`MAX_TORS`].
    pub fn new(p: u32, k: u32) -> Result<Self, FabricError> {
        check_fan_out(p)?;
        if k < 1 {
            return Err(FabricError::Columns(k));
        }
        let partition_size = p.checked_pow(k - 1).ok_or(FabricError::Overflow { p, k })?;
        let tors = u128::from(partition_size) * u128::from(p) * u128::from(k);
        check_tors(tors).map_err(|_| FabricError::Overflow { p, k })?;
        Ok(Self { p, k, partition_size })
    }

    /// The shape with exactly `tors` ToRs and 1:`p` splitters, if there is one.
    pub fn with_tors(p: u32, tors: u32) -> Option<Self> {
        (1..=MAX_TORS.ilog2())
            .map_while(|k| Self::new(p, k).ok())
            .find(|shape| shape.tors() == tors)
    }

    /// p: outputs of a splitter.
    pub fn p(self) -> u32 {
        self.p
    }

    /// k: columns.
    pub fn k(self) -> u32 {
        self.k
    }

    /// N = k p^k.
    pub fn tors(self) -> u32 {
        self.k * self.rows()
    }

    /// Rows of a column: p^k.
    pub fn rows(self) -> u32 {
        self.partition_size * self.p
    }

    /// Relays of a source, equal to sources of a relay: k p^(k-1) (shufflecast:lemma2).
    pub fn cassettes(self) -> u32 {
        self.k * self.partition_size
    }

    /// The ToR at a column and a row.
    pub fn tor(self, column: u32, row: u32) -> TorId {
        TorId(column * self.rows() + row)
    }

    /// c: the ToR's column (shufflecast:III-A1.id).
    pub fn column(self, tor: TorId) -> u32 {
        tor.0 / self.rows()
    }

    /// r: the ToR's row in its column (shufflecast:III-A1.id).
    pub fn row(self, tor: TorId) -> u32 {
        tor.0 % self.rows()
    }

    /// r_i: digit `i` of the row, 0 the lowest (shufflecast:III-A1.id).
    pub fn digit(self, tor: TorId, i: u32) -> u32 {
        self.row(tor) / self.p.pow(i) % self.p
    }

    /// The row's digits, r_{k-1} first.
    pub fn digits(self, tor: TorId) -> Vec<u32> {
        (0..self.k).rev().map(|i| self.digit(tor, i)).collect()
    }

    /// The ToR's partition: r_{k-1} (shufflecast:III-A1.partition).
    pub fn partition(self, tor: TorId) -> u32 {
        self.row(tor) / self.partition_size
    }

    /// The mirrored relays of a ToR, including itself: the same row except for the top digit
    /// (shufflecast:III-C1.mirrors).
    pub fn mirrors(self, tor: TorId) -> impl Iterator<Item = TorId> {
        let low = self.row(tor) % self.partition_size;
        (0..self.p).map(move |d| self.tor(self.column(tor), d * self.partition_size + low))
    }

    /// The ToRs that a ToR's splitter feeds: in the next column, with the row shifted left by one
    /// digit (shufflecast:III-A1.links).
    pub fn successors(self, tor: TorId) -> impl Iterator<Item = TorId> {
        let column = (self.column(tor) + 1) % self.k;
        let shifted = self.row(tor) % self.partition_size * self.p;
        (0..self.p).map(move |m| self.tor(column, shifted + m))
    }

    /// The cassette that a ToR transmits into: its column, and its row without the top digit.
    pub fn cassette(self, tor: TorId) -> CassetteId {
        CassetteId(self.column(tor) * self.partition_size + self.row(tor) % self.partition_size)
    }

    /// The relay of a partition that transmits into a cassette.
    pub fn relay(self, cassette: CassetteId, partition: u32) -> TorId {
        let (column, low) = (cassette.0 / self.partition_size, cassette.0 % self.partition_size);
        self.tor(column, partition * self.partition_size + low)
    }

    /// The column whose ToRs transmit into a cassette.
    pub fn cassette_column(self, cassette: CassetteId) -> u32 {
        cassette.0 / self.partition_size
    }

    /// The cassette graph of this shape (shufflecast:III-A1.links).
    ///
    /// # Errors
    /// None in practice: every shape is a legal fabric.
    pub fn fabric(self) -> Result<Fabric, FabricError> {
        let edges: Vec<_> = (0..self.tors())
            .map(|i| {
                let tor = TorId(i);
                let before = (self.column(tor) + self.k - 1) % self.k;
                let from = CassetteId(before * self.partition_size + self.row(tor) / self.p);
                (from, self.cassette(tor))
            })
            .collect();
        Fabric::new(self.p, self.cassettes(), &edges)
    }
}
