//! The relay tables of all sources.

use lightloom_topology::{Fabric, TorId};

use crate::router::Router;
use crate::tree::{HopsTotal, NotATree, Tree};

/// The relay row of every source (shufflecast:III-B1.installed): T × cassettes ToR ids. Made for up to a
/// few thousand ToRs. In larger fabrics, rows are computed for one source at a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelayTables {
    cassettes: usize,
    rows: Vec<TorId>,
}

impl RelayTables {
    /// Makes the tables of all sources with a router.
    pub fn new(fabric: &Fabric, router: &mut impl Router) -> Self {
        let cassettes = fabric.cassettes();
        let mut rows = vec![TorId(0); fabric.tors() * cassettes];
        for (source, row) in rows.chunks_mut(cassettes).enumerate() {
            router.relay_row(TorId::at(source), row);
        }
        Self { cassettes, rows }
    }

    pub(crate) fn from_rows(cassettes: usize, rows: Vec<TorId>) -> Self {
        Self { cassettes, rows }
    }

    /// The relay row of a source.
    pub fn row(&self, source: TorId) -> &[TorId] {
        let start = source.index() * self.cassettes;
        &self.rows[start..start + self.cassettes]
    }

    pub(crate) fn row_mut(&mut self, source: TorId) -> &mut [TorId] {
        let start = source.index() * self.cassettes;
        &mut self.rows[start..start + self.cassettes]
    }

    /// The sources that a ToR relays, ascending, including itself.
    pub fn sources_of(&self, fabric: &Fabric, relay: TorId) -> Vec<TorId> {
        // A ToR relays into one cassette, so one entry of each row decides.
        let into = fabric.transmits_into(relay).index();
        fabric.tor_ids().filter(|&source| self.row(source)[into] == relay).collect()
    }

    /// For each ToR, the sources that it relays, ascending: a rule for each (shufflecast:III-B1.rules). Its own id is
    /// included: that rule sends its servers' packets into the splitter.
    pub fn sources_by_relay(&self, fabric: &Fabric) -> Vec<Vec<TorId>> {
        let mut sources: Vec<Vec<TorId>> =
            self.load(fabric).of.iter().map(|&n| Vec::with_capacity(n as usize)).collect();
        for source in fabric.tor_ids() {
            for relay in self.row(source) {
                sources[relay.index()].push(source);
            }
        }
        sources
    }

    /// The number of sources that each ToR relays.
    pub fn load(&self, fabric: &Fabric) -> Load {
        let mut load = Load::new(fabric);
        load.add(&self.rows);
        load
    }

    /// Hops from every source to all other ToRs.
    ///
    /// # Errors
    /// [`NotATree`] for the first source whose row is not a tree.
    pub fn hops(&self, fabric: &Fabric) -> Result<HopsTotal, NotATree> {
        let mut total = HopsTotal::default();
        for source in fabric.tor_ids() {
            total.add(Tree::new(fabric, source, self.row(source))?.total_hops());
        }
        Ok(total)
    }
}

/// Relay load: for each ToR, the number of sources that it relays, including itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Load {
    of: Vec<u32>,
}

impl Load {
    /// A load of zero.
    pub fn new(fabric: &Fabric) -> Self {
        Self { of: vec![0; fabric.tors()] }
    }

    /// Adds the relays of one or more relay rows.
    pub fn add(&mut self, relays: &[TorId]) {
        for relay in relays {
            self.of[relay.index()] += 1;
        }
    }

    /// Load of the least loaded ToR.
    pub fn min(&self) -> u32 {
        self.of.iter().copied().min().unwrap_or(0)
    }

    /// Mean load.
    #[allow(clippy::cast_precision_loss, reason = "sums stay far below 2^53")]
    pub fn mean(&self) -> f64 {
        let sum: u64 = self.of.iter().map(|&n| u64::from(n)).sum();
        sum as f64 / self.of.len() as f64
    }

    /// Load of the most loaded ToR.
    pub fn max(&self) -> u32 {
        self.of.iter().copied().max().unwrap_or(0)
    }
}
