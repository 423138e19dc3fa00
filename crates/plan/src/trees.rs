//! Reports about one source's tree, one ToR's rules and the fabric.

use std::collections::BTreeMap;

use lightloom_request::{Error, InputError};
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
    /// Number of hops to the farthest other ToR that light reaches.
    pub max_hops: u32,
    /// For each other ToR that gets the packet, the ToRs on its way, source first.
    pub paths: BTreeMap<TorId, Vec<TorId>>,
    /// The stand-in that the source unicasts to and that transmits first. It is no hop. Only in a plan that goes around
    /// failures.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub via: Option<TorId>,
    /// The other ToRs that the failures of the plan cut off from the source, ascending.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub cut_off: Vec<TorId>,
}

impl TreeReport {
    /// Number of splitters on the way along a path.
    pub fn hops(&self, path: &[TorId]) -> usize {
        path.len().saturating_sub(1 + usize::from(self.via.is_some()))
    }
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
    /// The tree of a source, with the failures that the plan goes around.
    ///
    /// # Errors
    /// [`InputError`] if there is no such ToR, or if the router needs tables and the fabric is too large for them.
    pub fn tree(&self, source: TorId) -> Result<TreeReport, Error> {
        self.check_is_there(source)?;
        if let Some(standing) = self.standing()? {
            return standing.tree(source);
        }
        let row = self.relay_row(source)?;
        let tree = Tree::new(&self.fabric, source, &row).map_err(InputError::new)?;
        let others = self.fabric.tor_ids().filter(|&tor| tor != source);
        Ok(TreeReport {
            source,
            relays: tree.relays(),
            max_hops: tree.total_hops().max,
            paths: others.map(|tor| (tor, tree.path(tor))).collect(),
            via: None,
            cut_off: Vec::new(),
        })
    }

    /// The sources that a ToR relays, with the failures that the plan goes around.
    ///
    /// # Errors
    /// [`InputError`] if there is no such ToR, or if the router needs tables and the fabric is too large for them.
    pub fn rules(&self, tor: TorId) -> Result<RulesReport, Error> {
        self.check_is_there(tor)?;
        if let Some(standing) = self.standing()? {
            let sources = standing.recovered.lists[tor.index()].clone();
            return Ok(RulesReport { tor, sources });
        }
        let sources = match self.relay_rows()? {
            RelayRows::Listed(tables) => tables.sources_of(&self.fabric, tor),
            RelayRows::Each(mut router) => router.sources_of(tor),
        };
        Ok(RulesReport { tor, sources })
    }

    /// Refuses a ToR that the fabric does not have.
    pub fn check_is_there(&self, tor: TorId) -> Result<(), InputError> {
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
