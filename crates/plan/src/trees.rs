//! Reports about one source's tree, one ToR's rules and the fabric.

use std::collections::BTreeMap;

use lightloom_request::InputError;
use lightloom_routing::{RelayRows, Tree};
use lightloom_topology::TorId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::project::Project;

/// Multicast tree of one source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TreeReport {
    /// The source.
    pub source: TorId,
    /// Its relays, ascending, including the source.
    pub relays: Vec<TorId>,
    /// Number of hops to the farthest other ToR.
    pub max_hops: u32,
    /// For each other ToR, the ToRs on a packet's way to it, source first.
    pub paths: BTreeMap<TorId, Vec<TorId>>,
}

/// The sources that one ToR relays.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RulesReport {
    /// The ToR.
    pub tor: TorId,
    /// The sources, ascending, including its own id.
    pub sources: Vec<TorId>,
}

/// The cassette graph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FabricReport {
    /// Splitter fan-out.
    pub p: u32,
    /// Number of cassettes.
    pub cassettes: usize,
    /// The edges: ToR, cassette that feeds it, cassette that it transmits into.
    pub edges: Vec<(u32, u32, u32)>,
}

impl Project {
    /// The tree of a source.
    ///
    /// # Errors
    /// [`InputError`] if there is no such ToR, or if the router needs tables and the fabric is too large for them.
    pub fn tree(&self, source: TorId) -> Result<TreeReport, InputError> {
        self.check_is_there(source)?;
        let row = self.relay_row(source)?;
        let tree = Tree::new(&self.fabric, source, &row).map_err(InputError::new)?;
        let others = self.fabric.tor_ids().filter(|&tor| tor != source);
        Ok(TreeReport {
            source,
            relays: tree.relays(),
            max_hops: tree.total_hops().max,
            paths: others.map(|tor| (tor, tree.path(tor))).collect(),
        })
    }

    /// The sources that a ToR relays.
    ///
    /// # Errors
    /// [`InputError`] if there is no such ToR, or if the router needs tables and the fabric is too large for them.
    pub fn rules(&self, tor: TorId) -> Result<RulesReport, InputError> {
        self.check_is_there(tor)?;
        let sources = match self.relay_rows()? {
            RelayRows::Listed(tables) => tables.sources_of(&self.fabric, tor),
            RelayRows::Each(mut router) => router.sources_of(tor),
        };
        Ok(RulesReport { tor, sources })
    }

    /// Refuses a ToR that the fabric does not have.
    pub(crate) fn check_is_there(&self, tor: TorId) -> Result<(), InputError> {
        let tors = self.fabric.tors();
        if tor.index() < tors {
            return Ok(());
        }
        let last = tors.saturating_sub(1);
        Err(InputError::new(format!("there is no ToR {tor}; the design has the ToRs 0 to {last}")))
    }

    /// The cassette graph.
    pub fn fabric_report(&self) -> FabricReport {
        let edge = |tor| (tor, self.fabric.receives_from(tor), self.fabric.transmits_into(tor));
        FabricReport {
            p: self.fabric.fan_out(),
            cassettes: self.fabric.cassettes(),
            edges: self
                .fabric
                .tor_ids()
                .map(edge)
                .map(|(t, from, to)| (t.0, from.0, to.0))
                .collect(),
        }
    }
}
