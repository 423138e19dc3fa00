//! Runs the verifier over a plan: its wires as they are listed, its rules as they are listed.

use fixedbitset::FixedBitSet;
use lightloom_export::{Cable, Far};
use lightloom_routing::verify::{Delivered, Fault, Replay, Wiring};
use lightloom_topology::TorId;
use serde::Serialize;

use crate::facts::SAMPLE_SEED;
use crate::{Error, Progress, Stopped};

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
    pub(crate) fn new(sources: Vec<TorId>) -> Self {
        Self { seed: SAMPLE_SEED, sources }
    }
}

/// The wires that a cable list describes.
pub(crate) fn wiring_of(tors: usize, cables: &[Cable]) -> Wiring {
    let fibres = cables.iter().filter_map(|cable| match cable.far {
        Far::Receiver { tor, .. } => Some((cable.from, tor)),
        Far::SplitterInput => None,
    });
    Wiring::new(tors, fibres)
}

/// Rules as installed: for each source, who has a rule for it.
pub(crate) struct InstalledRules {
    relays_of: Vec<FixedBitSet>,
}

impl InstalledRules {
    /// From relay lists as `rules.json` has them. Ids beyond `tors` are the caller's to refuse.
    pub(crate) fn new<'a>(
        tors: usize,
        lists: impl IntoIterator<Item = (TorId, &'a [TorId])>,
    ) -> Self {
        let mut relays_of = vec![FixedBitSet::with_capacity(tors); tors];
        for (relay, sources) in lists {
            for source in sources {
                relays_of[source.index()].insert(relay.index());
            }
        }
        Self { relays_of }
    }

    /// Whether a ToR has a rule for a source.
    pub(crate) fn relays(&self, source: TorId, tor: TorId) -> bool {
        self.relays_of[source.index()].contains(tor.index())
    }
}

/// Why there is no proof.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unproved {
    /// Wires or rules are wrong.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// It was stopped before.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl From<Unproved> for Error {
    fn from(unproved: Unproved) -> Self {
        match unproved {
            Unproved::Fault(fault) => Self::PlanRejected(fault.to_string()),
            Unproved::Stopped(stopped) => stopped.into(),
        }
    }
}

/// Proves wires and the rules of all sources.
pub(crate) fn verify_all(
    wiring: &Wiring,
    fan_out: u32,
    rules: &InstalledRules,
    bound: u32,
    progress: Progress<'_>,
) -> Result<Verification, Unproved> {
    wiring.check(fan_out)?;
    let mut replay = Replay::new(wiring);
    let mut seen = Seen::default();
    for source in (0..wiring.tors()).map(TorId::at) {
        if source.0 % 64 == 0 {
            progress(u64::from(source.0), wiring.tors() as u64)?;
        }
        let relays = &rules.relays_of[source.index()];
        seen.add(replay.source(source, bound, |tor| relays.contains(tor.index()))?);
    }
    Ok(seen.proved(wiring, None))
}

/// Proves wires, and the rules of a sample of sources whose relays `row` gives.
pub(crate) fn verify_sample(
    wiring: &Wiring,
    fan_out: u32,
    sample: Vec<TorId>,
    bound: u32,
    mut row: impl FnMut(TorId) -> Vec<TorId>,
    progress: Progress<'_>,
) -> Result<Verification, Unproved> {
    wiring.check(fan_out)?;
    let mut replay = Replay::new(wiring);
    let mut seen = Seen::default();
    for (done, &source) in sample.iter().enumerate() {
        progress(done as u64, sample.len() as u64)?;
        let mut relays = FixedBitSet::with_capacity(wiring.tors());
        relays.extend(row(source).iter().map(|relay| relay.index()));
        seen.add(replay.source(source, bound, |tor| relays.contains(tor.index()))?);
    }
    Ok(seen.proved(wiring, Some(Sample::new(sample))))
}

/// Sums over replayed sources.
#[derive(Default)]
struct Seen {
    sources: usize,
    delivered: Delivered,
}

impl Seen {
    fn add(&mut self, one: Delivered) {
        self.sources += 1;
        self.delivered.copies += one.copies;
        self.delivered.max_hops = self.delivered.max_hops.max(one.max_hops);
    }

    fn proved(&self, wiring: &Wiring, sample: Option<Sample>) -> Verification {
        Verification {
            fibres_checked: wiring.fibres(),
            sources_checked: self.sources,
            sources: wiring.tors(),
            copies: self.delivered.copies,
            max_hops: self.delivered.max_hops,
            sample,
        }
    }
}
