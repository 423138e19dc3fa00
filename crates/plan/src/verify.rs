//! Reports of the verifier.

use std::collections::BTreeMap;

use lightloom_request::Error;
use lightloom_routing::sample;
use lightloom_routing::verify::{LightMap, Proved, Unproved};
use lightloom_topology::TorId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use lightloom_plant::{Far, Fibre};

/// What was proved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Verification {
    /// Number of fibres. Always all of them are checked.
    pub fibres_checked: u64,
    /// Number of sources whose packets were followed copy by copy.
    pub sources_checked: usize,
    /// Number of all sources.
    pub sources: usize,
    /// Number of followed copies.
    pub copies: u64,
    /// Largest number of hops of a copy to another ToR.
    pub max_hops: u32,
    /// The sample of sources. `None`: all sources.
    pub sample: Option<Sample>,
    /// Number of pairs of a source and another ToR that it does not reach.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub pairs_cut_off: usize,
    /// For each source that does not reach all other ToRs, those that it does not reach. Only the failures of a plan
    /// that goes around them cut ToRs off.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub cut_off: BTreeMap<TorId, Vec<TorId>>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// A seeded sample of sources.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Sample {
    /// Seed of the sample.
    pub seed: u64,
    /// The sources in the sample.
    pub sources: Vec<TorId>,
}

impl Sample {
    /// A sample of these sources, drawn with the seed of all samples.
    pub fn new(sources: Vec<TorId>) -> Self {
        Self { seed: sample::SEED, sources }
    }
}

impl Verification {
    /// The report for a fabric of `tors` ToRs. `sample` is the sample of its sources, if there is one.
    pub fn new(tors: usize, proved: Proved, sample: Option<Sample>) -> Self {
        Self {
            fibres_checked: proved.fibres,
            sources_checked: proved.sources,
            sources: tors,
            copies: proved.delivered.copies,
            max_hops: proved.delivered.max_hops,
            sample,
            pairs_cut_off: proved.cut_off.values().map(Vec::len).sum(),
            cut_off: proved.cut_off,
        }
    }

    /// What is cut off, as a clause without a period. `None`: nothing is.
    pub fn cut_off_text(&self) -> Option<String> {
        cut_off_text(self.pairs_cut_off, self.cut_off.len())
    }
}

/// Pairs that are cut off, as a clause without a period. `None`: there are none.
pub(crate) fn cut_off_text(pairs: usize, sources: usize) -> Option<String> {
    let plural = |number: usize| if number == 1 { "" } else { "s" };
    (pairs > 0).then(|| {
        format!(
            "{pairs} pair{} of a source and another ToR cut off, of {sources} source{}",
            plural(pairs),
            plural(sources)
        )
    })
}

/// The receivers that each splitter lights, from a list of cables.
pub fn light_map_of(tors: usize, cables: &[Fibre]) -> LightMap {
    let fibres = cables.iter().filter_map(|cable| match cable.far {
        Far::Receiver { tor, .. } => Some((cable.from, tor)),
        Far::SplitterInput => None,
    });
    LightMap::new(tors, fibres)
}

/// The error of a proof that failed or was stopped.
pub fn unproved(unproved: Unproved) -> Error {
    match unproved {
        Unproved::Violation(violation) => Error::PlanRejected(violation.to_string()),
        Unproved::Stopped(stopped) => stopped.into(),
    }
}
