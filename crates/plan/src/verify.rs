//! Runs the verifier over a plan: its wires as they are listed, its rules as they are listed.

use std::cell::OnceCell;

use fixedbitset::FixedBitSet;
use lightloom_request::Error;
use lightloom_routing::failure::Damage;
use lightloom_routing::verify::{Delivered, Fault, Parts, Replay, Wiring};
use lightloom_topology::TorId;
use lightloom_watch::{Progress, Stopped};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::facts::SAMPLE_SEED;
use crate::installed::{Accept, Via};
use crate::wiring::{Cable, Far};

/// What was proved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Sample {
    /// The seed.
    pub seed: u64,
    /// The sources.
    pub sources: Vec<TorId>,
}

impl Sample {
    pub fn new(sources: Vec<TorId>) -> Self {
        Self { seed: SAMPLE_SEED, sources }
    }
}

/// The wires that a cable list describes.
pub fn wiring_of(tors: usize, cables: &[Cable]) -> Wiring {
    let fibres = cables.iter().filter_map(|cable| match cable.far {
        Far::Receiver { tor, .. } => Some((cable.from, tor)),
        Far::SplitterInput => None,
    });
    Wiring::new(tors, fibres)
}

/// Rules as installed: for each source, who has a rule for it, who transmits first, and who takes its
/// packets from one splitter only.
pub struct InstalledRules {
    relays_of: Vec<FixedBitSet>,
    accept: Accept,
    via: Via,
}

impl InstalledRules {
    /// From relay lists as `rules.json` has them, without filters and stand-ins. Ids beyond `tors` are
    /// the caller's to refuse, here and in [`Self::with`].
    pub fn new<'a>(tors: usize, lists: impl IntoIterator<Item = (TorId, &'a [TorId])>) -> Self {
        let mut relays_of = vec![FixedBitSet::with_capacity(tors); tors];
        for (relay, sources) in lists {
            for source in sources {
                relays_of[source.index()].insert(relay.index());
            }
        }
        Self { relays_of, accept: Accept::new(), via: Via::new() }
    }

    /// The same with filters and stand-ins.
    #[must_use]
    pub fn with(self, accept: Accept, via: Via) -> Self {
        Self { accept, via, ..self }
    }

    /// Whether a ToR has a rule for a source.
    pub fn relays(&self, source: TorId, tor: TorId) -> bool {
        self.relays_of[source.index()].contains(tor.index())
    }

    /// Whether a ToR takes a source's packets from another ToR's splitter.
    pub fn accepts(&self, tor: TorId, source: TorId, from: TorId) -> bool {
        let only = self.accept.get(&tor).and_then(|sources| sources.get(&source));
        only.is_none_or(|&only| only == from)
    }

    /// Who transmits a source's packets first.
    pub fn root(&self, source: TorId) -> TorId {
        self.via.get(&source).copied().unwrap_or(source)
    }
}

/// Installed rules over broken parts, for the packets of one source.
pub struct Broken<'a> {
    pub damage: &'a Damage<'a>,
    pub rules: &'a InstalledRules,
    pub source: TorId,
}

impl Parts for Broken<'_> {
    fn has_rule(&self, tor: TorId) -> bool {
        self.damage.sends(tor) && self.rules.relays(self.source, tor)
    }

    fn arrives(&self, from: TorId, to: TorId) -> bool {
        self.damage.arrives(from, to)
    }

    fn accepts(&self, tor: TorId, from: TorId) -> bool {
        self.rules.accepts(tor, self.source, from)
    }
}

/// Why there is no proof.
#[derive(Debug, thiserror::Error)]
pub enum Unproved {
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

/// What rules are held to.
pub struct Demand<'a> {
    /// What is broken.
    pub damage: &'a Damage<'a>,
    /// The most hops, where they are promised.
    pub bound: Option<u32>,
    /// Whether sources whose own transmitter is out are given up (Algorithm 2), or get a stand-in.
    pub gives_up: bool,
}

/// Proves wires and the rules of all sources: everybody whom light can still reach gets one copy.
/// Whom that is follows from wires and damage alone.
pub fn verify_all(
    wiring: &Wiring,
    fan_out: u32,
    rules: &InstalledRules,
    demand: &Demand<'_>,
    progress: Progress<'_>,
) -> Result<Verification, Unproved> {
    wiring.check(fan_out)?;
    let damage = demand.damage;
    let light = Light { wiring, damage, lit: vec![OnceCell::new(); wiring.tors()] };
    let mut replay = Replay::new(wiring);
    let mut seen = Seen::default();
    for source in (0..wiring.tors()).map(TorId::at) {
        if source.0 % 64 == 0 {
            progress(u64::from(source.0), wiring.tors() as u64)?;
        }
        let Some(root) = light.root(source, rules, demand.gives_up)? else { continue };
        let parts = Broken { damage, rules, source };
        let lit = |tor| light.is_lit(tor, root);
        seen.add(replay.deliver(source, root, &parts, lit, demand.bound)?);
    }
    Ok(seen.proved(wiring, None))
}

/// Whom light can reach over what is left, with no thought of rules.
struct Light<'a> {
    wiring: &'a Wiring,
    damage: &'a Damage<'a>,
    /// By who transmits first, once asked.
    lit: Vec<OnceCell<FixedBitSet>>,
}

impl Light<'_> {
    fn lit_by(&self, root: TorId) -> &FixedBitSet {
        let arrives = |from, to| self.damage.arrives(from, to);
        self.lit[root.index()].get_or_init(|| self.wiring.lit(root, arrives))
    }

    /// Of a sound fabric the check of its wires has proved that light reaches everyone.
    fn is_lit(&self, tor: TorId, root: TorId) -> bool {
        self.damage.is_none() || self.lit_by(root).contains(tor.index())
    }

    /// How many ToRs but the source have its packet when `root` transmits first.
    fn holders(&self, source: TorId, root: TorId) -> usize {
        if self.damage.is_none() {
            return self.wiring.tors() - 1;
        }
        let lit = self.lit_by(root);
        let alone = |tor: TorId| usize::from(!lit.contains(tor.index()));
        let others = lit.count_ones(..) + alone(root);
        others - usize::from(source == root || alone(source) == 0)
    }

    /// Who transmits first, as the rules say; nobody where nobody can, or where the source is given up.
    fn root(
        &self,
        source: TorId,
        rules: &InstalledRules,
        gives_up: bool,
    ) -> Result<Option<TorId>, Fault> {
        let root = rules.root(source);
        let wrong = |why| Err(Fault::StandIn { source_tor: source, root, why });
        let live = || (0..self.wiring.tors()).map(TorId::at).filter(|&tor| self.damage.sends(tor));
        if root == source {
            return match self.damage.sends(source) {
                true => Ok(Some(source)),
                false if gives_up || !self.damage.has_power(source) => Ok(None),
                false if live().next().is_none() => Ok(None),
                false => Err(Fault::NoStandIn(source)),
            };
        }
        if !self.damage.has_power(source) {
            return wrong("but the source has no power and sends nothing");
        }
        if !self.damage.sends(root) {
            return wrong("which does not transmit either");
        }
        let found = self.holders(source, root);
        let best = match self.damage.sends(source) {
            true => self.holders(source, source),
            // Nobody can reach more than all.
            false if found == self.wiring.tors() - 1 => found,
            false => live().map(|tor| self.holders(source, tor)).max().unwrap_or(0),
        };
        if found < best {
            return wrong("whose light reaches fewer ToRs than that of another one");
        }
        Ok(Some(root))
    }
}

/// Proves wires, and the rules of a sample of sources whose relays `row` gives.
pub fn verify_sample(
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
