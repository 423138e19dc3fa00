//! What the verifier proved of a plan, as it is reported.

use lightloom_request::Error;
use lightloom_routing::sample;
use lightloom_routing::verify::{LightMap, Proved, Unproved};
use lightloom_topology::TorId;
use serde::Serialize;

use crate::wiring::{Cable, Far};

/// What was proved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Verification {
    /// Wires: always all of them.
    pub fibres_checked: u64,
    /// Sources whose packets were followed copy by copy.
    pub sources_checked: usize,
    /// All sources.
    pub sources: usize,
    /// Copies followed.
    pub copies: u64,
    /// The most hops that any of them took to another ToR.
    pub max_hops: u32,
    /// Which sources, when not all; drawn with this seed.
    pub sample: Option<Sample>,
}

/// A seeded sample of sources.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Sample {
    /// The seed.
    pub seed: u64,
    /// The sources.
    pub sources: Vec<TorId>,
}

impl Sample {
    pub fn new(sources: Vec<TorId>) -> Self {
        Self { seed: sample::SEED, sources }
    }
}

impl Verification {
    /// What was proved of a fabric of `tors` ToRs, by a sample of its sources where there is one.
    pub fn new(tors: usize, proved: Proved, sample: Option<Sample>) -> Self {
        Self {
            fibres_checked: proved.fibres,
            sources_checked: proved.sources,
            sources: tors,
            copies: proved.delivered.copies,
            max_hops: proved.delivered.max_hops,
            sample,
        }
    }
}

/// Which receivers each splitter lights, as a cable list describes it.
pub fn light_map_of(tors: usize, cables: &[Cable]) -> LightMap {
    let fibres = cables.iter().filter_map(|cable| match cable.far {
        Far::Receiver { tor, .. } => Some((cable.from, tor)),
        Far::SplitterInput => None,
    });
    LightMap::new(tors, fibres)
}

/// Why there is no proof.
pub fn unproved(unproved: Unproved) -> Error {
    match unproved {
        Unproved::Violation(violation) => Error::PlanRejected(violation.to_string()),
        Unproved::Stopped(stopped) => stopped.into(),
    }
}
