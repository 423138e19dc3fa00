//! Which ToRs each source loses by failures before anything is repaired.

use std::collections::BTreeMap;

use lightloom_topology::{Fabric, TorId};

use crate::failure::Damage;
use crate::verify::{InstalledRules, LightMap, Replay, RulesOverDamage, Violation};

/// Which receivers each splitter of a fabric lights, as built.
pub fn light_map(fabric: &Fabric) -> LightMap {
    let lights = |from: TorId| {
        fabric.receivers(fabric.transmits_into(from)).iter().map(move |&to| (from, to))
    };
    LightMap::new(fabric.tors(), fabric.tor_ids().flat_map(lights))
}

/// What damage does to each source under installed rules.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Impact {
    /// For every source that can still transmit, how many other ToRs it loses, those without power
    /// included.
    pub lost: BTreeMap<TorId, usize>,
    /// The sources that can no longer transmit, ascending; each loses all other ToRs.
    pub failed_sources: Vec<TorId>,
    /// How many sources lose how many ToRs, those that cannot transmit included.
    pub distribution: BTreeMap<usize, usize>,
}

impl Impact {
    /// Replays all sources over what is left.
    ///
    /// # Errors
    /// The first [`Violation`] of the rules.
    pub fn new(damage: &Damage<'_>, rules: &InstalledRules) -> Result<Self, Violation> {
        let fabric = damage.fabric();
        let light = light_map(fabric);
        let mut replay = Replay::new(&light);
        let mut impact = Self::default();
        for source in fabric.tor_ids() {
            let lost = if damage.sends(source) {
                let lost = lost_by(&mut replay, damage, rules, source)?.len();
                impact.lost.insert(source, lost);
                lost
            } else {
                impact.failed_sources.push(source);
                fabric.tors() - 1
            };
            *impact.distribution.entry(lost).or_default() += 1;
        }
        Ok(impact)
    }

    /// The sources that lose no ToR, as a share of all sources.
    #[allow(clippy::cast_precision_loss, reason = "numbers of ToRs")]
    pub fn unaffected_share(&self) -> f64 {
        let unaffected = self.distribution.get(&0).copied().unwrap_or(0);
        unaffected as f64 / (self.lost.len() + self.failed_sources.len()) as f64
    }

    /// The sources that can still transmit and lose most, at most `count` of them, the worst first.
    pub fn worst(&self, count: usize) -> Vec<(TorId, usize)> {
        let losers =
            self.lost.iter().map(|(&tor, &lost)| (tor, lost)).filter(|(_, lost)| *lost > 0);
        let mut worst: Vec<_> = losers.collect();
        worst.sort_by_key(|&(tor, lost)| (std::cmp::Reverse(lost), tor));
        worst.truncate(count);
        worst
    }
}

/// The ToRs that one source loses: all others where it can no longer transmit.
///
/// # Errors
/// The first [`Violation`] of the rules.
pub fn lost(
    damage: &Damage<'_>,
    rules: &InstalledRules,
    source: TorId,
) -> Result<Vec<TorId>, Violation> {
    let fabric = damage.fabric();
    if !damage.sends(source) {
        return Ok(fabric.tor_ids().filter(|&tor| tor != source).collect());
    }
    lost_by(&mut Replay::new(&light_map(fabric)), damage, rules, source)
}

/// The ToRs that a source which still transmits loses.
fn lost_by(
    replay: &mut Replay<'_>,
    damage: &Damage<'_>,
    rules: &InstalledRules,
    source: TorId,
) -> Result<Vec<TorId>, Violation> {
    replay.follow(source, source, &RulesOverDamage { damage, rules, source })?;
    Ok(replay.missed(source, source))
}
