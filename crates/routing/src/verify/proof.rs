//! Proof of wires and rules: every ToR that light can still reach gets exactly one copy.

use std::collections::BTreeMap;

use fixedbitset::FixedBitSet;
use lightloom_topology::TorId;
use lightloom_watch::{Stopped, Watch};

use crate::failure::Damage;
use crate::verify::light_map::LightMap;
use crate::verify::reach::LightReach;
use crate::verify::replay::{Delivered, Replay};
use crate::verify::rules::{InstalledRules, RulesOverDamage};
use crate::verify::violation::Violation;

/// Summary of a proof.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Proved {
    /// Number of fibres. Always all of them are checked.
    pub fibres: u64,
    /// Number of sources whose packets were followed copy by copy.
    pub sources: usize,
    /// Deliveries in the replay of these sources.
    pub delivered: Delivered,
    /// For each source that does not reach all other ToRs, those that it does not reach, ascending. Only failures
    /// cut ToRs off.
    pub cut_off: BTreeMap<TorId, Vec<TorId>>,
}

/// Why there is no proof.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unproved {
    /// Wires or rules are wrong.
    #[error(transparent)]
    Violation(#[from] Violation),
    /// The work was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// Requirements for the rules.
#[derive(Debug, Clone, Copy)]
pub struct Demand<'a> {
    /// The damage.
    pub damage: &'a Damage<'a>,
    /// Largest allowed number of hops. `None`: no promise.
    pub bound: Option<u32>,
    /// Whether sources without a working transmitter are given up (Algorithm 2). Otherwise they need a
    /// stand-in.
    pub gives_up: bool,
}

/// Proves the wires and the rules of all sources: every ToR that light can still reach gets exactly one copy.
/// These ToRs follow from wires and damage alone.
///
/// # Errors
/// [`Unproved`] with the first [`Violation`], or because `watch` stopped the work.
pub fn verify_all(
    light: &LightMap,
    fan_out: u32,
    rules: &InstalledRules,
    demand: &Demand<'_>,
    watch: Watch<'_>,
) -> Result<Proved, Unproved> {
    light.check(fan_out)?;
    let damage = demand.damage;
    let reach = LightReach::new(light, damage);
    let mut replay = Replay::new(light);
    let mut proved = Proved { fibres: light.fibres(), ..Proved::default() };
    for source in light.tor_ids() {
        if source.0 % 64 == 0 {
            watch.progress(u64::from(source.0), light.tors() as u64)?;
        }
        let Some(root) = reach.root(source, rules, demand.gives_up)? else {
            let others = light.tor_ids().filter(|&tor| tor != source).collect();
            proved.cut_off.insert(source, others);
            continue;
        };
        let parts = RulesOverDamage { damage, rules, source };
        let lit = |tor| reach.is_lit(tor, root);
        proved.add(replay.deliver(source, root, &parts, lit, demand.bound)?);
        let missed = replay.missed(source, root);
        if !missed.is_empty() {
            proved.cut_off.insert(source, missed);
        }
    }
    Ok(proved)
}

/// Proves the wires, and the rules of some sources over an undamaged fabric. `row` returns the relays of a
/// source.
///
/// # Errors
/// As [`verify_all`].
pub fn verify_sample(
    light: &LightMap,
    fan_out: u32,
    sources: &[TorId],
    bound: u32,
    mut row: impl FnMut(TorId) -> Vec<TorId>,
    watch: Watch<'_>,
) -> Result<Proved, Unproved> {
    light.check(fan_out)?;
    let mut replay = Replay::new(light);
    let mut proved = Proved { fibres: light.fibres(), ..Proved::default() };
    for (done, &source) in sources.iter().enumerate() {
        watch.progress(done as u64, sources.len() as u64)?;
        let mut relays = FixedBitSet::with_capacity(light.tors());
        relays.extend(row(source).iter().map(|relay| relay.index()));
        proved.add(replay.source(source, bound, |tor| relays.contains(tor.index()))?);
    }
    Ok(proved)
}

impl Proved {
    fn add(&mut self, one: Delivered) {
        self.sources += 1;
        self.delivered.copies += one.copies;
        self.delivered.max_hops = self.delivered.max_hops.max(one.max_hops);
        self.delivered.reached += one.reached;
        self.delivered.sum_hops += one.sum_hops;
    }

    /// Mean number of hops over all pairs of a source and a ToR that its light reaches. 0 if there is none.
    #[allow(clippy::cast_precision_loss, reason = "sums stay far below 2^53")]
    pub fn mean_hops(&self) -> f64 {
        match self.delivered.reached {
            0 => 0.0,
            reached => self.delivered.sum_hops as f64 / reached as f64,
        }
    }
}
