//! Who is cut off by failures before anything is repaired.

use std::collections::BTreeMap;

use lightloom_request::{Error, InputError};
use lightloom_routing::verify::{Fault, Replay, Wiring};
use lightloom_topology::{Fabric, TorId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::failures::FailureSet;
use crate::project::Project;
use crate::verify::{Broken, InstalledRules};

/// What failures do to each source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ImpactReport {
    /// The failures.
    pub failed: Vec<String>,
    /// For every source that can still transmit, how many other ToRs it loses, those without power
    /// included.
    pub sources: BTreeMap<TorId, usize>,
    /// The sources that can no longer transmit themselves; before anything is repaired each loses
    /// everyone.
    pub failed_sources: Vec<TorId>,
    /// Sources that lose nobody, as a part of all, those that cannot transmit included.
    pub unaffected_fraction: f64,
    /// How many sources lose how many ToRs, those that cannot transmit included.
    pub distribution: BTreeMap<usize, usize>,
    /// The sources that can still transmit and lose most, the worst first, at most ten.
    pub worst: Vec<(TorId, usize)>,
}

impl Project {
    /// The impact of failures on the installed tables.
    ///
    /// # Errors
    /// [`InputError`] when tables are too large to be listed.
    #[allow(clippy::cast_precision_loss, reason = "numbers of ToRs")]
    pub fn impact(&self, failed: &FailureSet) -> Result<ImpactReport, Error> {
        let damage = failed.damage(self)?;
        let lists = self.listed_rules()?;
        let wiring = wiring(&self.fabric);
        let rules = installed(&self.fabric, &lists);
        let mut replay = Replay::new(&wiring);
        let mut sources = BTreeMap::new();
        let mut failed_sources = Vec::new();
        let mut distribution: BTreeMap<usize, usize> = BTreeMap::new();
        for source in self.fabric.tor_ids() {
            let lost = if damage.sends(source) {
                let parts = Broken { damage: &damage, rules: &rules, source };
                replay.follow(source, source, &parts).map_err(rejected)?;
                let lost = lost(&replay, &self.fabric, source, source).len();
                sources.insert(source, lost);
                lost
            } else {
                failed_sources.push(source);
                self.fabric.tors() - 1
            };
            *distribution.entry(lost).or_default() += 1;
        }
        let unaffected = distribution.get(&0).copied().unwrap_or(0);
        let mut worst: Vec<(TorId, usize)> =
            sources.iter().map(|(&tor, &lost)| (tor, lost)).filter(|(_, lost)| *lost > 0).collect();
        worst.sort_by_key(|&(tor, lost)| (std::cmp::Reverse(lost), tor));
        worst.truncate(10);
        Ok(ImpactReport {
            failed: failed.names(),
            sources,
            failed_sources,
            unaffected_fraction: unaffected as f64 / self.fabric.tors() as f64,
            distribution,
            worst,
        })
    }

    /// Whom one source loses by failures before anything is repaired: all others, where it can no
    /// longer transmit.
    ///
    /// # Errors
    /// [`InputError`] when tables are too large to be listed.
    pub fn lost(&self, failed: &FailureSet, source: TorId) -> Result<Vec<TorId>, Error> {
        let damage = failed.damage(self)?;
        let lists = self.listed_rules()?;
        if !damage.sends(source) {
            return Ok(self.fabric.tor_ids().filter(|&tor| tor != source).collect());
        }
        let (wiring, rules) = (wiring(&self.fabric), installed(&self.fabric, &lists));
        let mut replay = Replay::new(&wiring);
        let parts = Broken { damage: &damage, rules: &rules, source };
        replay.follow(source, source, &parts).map_err(rejected)?;
        Ok(lost(&replay, &self.fabric, source, source))
    }

    /// The installed tables as lists of sources by relay.
    pub fn listed_rules(&self) -> Result<Vec<Vec<TorId>>, InputError> {
        let routes = self.routes()?;
        let tables = routes.tables().ok_or_else(too_large)?;
        Ok(tables.sources_by_relay(&self.fabric))
    }
}

pub fn too_large() -> InputError {
    InputError::new(format!(
        "failures are computed up to {} ToRs, where tables of all sources are listed",
        crate::routes::LISTED_TORS
    ))
}

pub fn rejected(fault: Fault) -> Error {
    Error::PlanRejected(fault.to_string())
}

/// The wires of a fabric as built.
pub fn wiring(fabric: &Fabric) -> Wiring {
    let lights = |from: TorId| {
        fabric.receivers(fabric.transmits_into(from)).iter().map(move |&to| (from, to))
    };
    Wiring::new(fabric.tors(), fabric.tor_ids().flat_map(lights))
}

pub fn installed(fabric: &Fabric, lists: &[Vec<TorId>]) -> InstalledRules {
    InstalledRules::new(fabric.tors(), fabric.tor_ids().zip(lists.iter().map(Vec::as_slice)))
}

/// Who got no copy; the source and the root, which need none, aside.
pub fn lost(replay: &Replay<'_>, fabric: &Fabric, source: TorId, root: TorId) -> Vec<TorId> {
    let others = fabric.tor_ids().filter(|&tor| tor != source && tor != root);
    others.filter(|&tor| replay.hops(tor).is_none()).collect()
}
