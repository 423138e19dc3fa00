//! Impact of failures before any repair: the ToRs that each source loses (shufflecast:III-C1.impact).

use std::collections::BTreeMap;

use lightloom_topology::{Fabric, TorId};

use crate::failure::Damage;
use crate::verify::{InstalledRules, LightMap, Replay, RulesOverDamage, Violation};

/// The receivers that each splitter of the undamaged fabric lights.
pub fn light_map(fabric: &Fabric) -> LightMap {
    let lights = |from: TorId| {
        fabric.receivers(fabric.transmits_into(from)).iter().map(move |&to| (from, to))
    };
    LightMap::new(fabric.tors(), fabric.tor_ids().flat_map(lights))
}

/// Effect of damage on each source, with installed rules.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Impact {
    /// For every source that can still transmit, the number of other ToRs that it loses. ToRs without power
    /// count.
    pub lost: BTreeMap<TorId, usize>,
    /// The sources that can no longer transmit, ascending. Each loses all other ToRs.
    pub failed_sources: Vec<TorId>,
    /// Number of sources by number of lost ToRs. Sources that cannot transmit are included.
    pub distribution: BTreeMap<usize, usize>,
}

impl Impact {
    /// Replays all sources over the damaged fabric.
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

    /// Share of all sources that lose no ToR.
    #[allow(clippy::cast_precision_loss, reason = "numbers of ToRs")]
    pub fn unaffected_share(&self) -> f64 {
        let unaffected = self.distribution.get(&0).copied().unwrap_or(0);
        unaffected as f64 / (self.lost.len() + self.failed_sources.len()) as f64
    }

    /// The sources that lose most, worst first, with their losses. At most `count`, and only sources that can
    /// still transmit.
    pub fn worst(&self, count: usize) -> Vec<(TorId, usize)> {
        let losers =
            self.lost.iter().map(|(&tor, &lost)| (tor, lost)).filter(|(_, lost)| *lost > 0);
        let mut worst: Vec<_> = losers.collect();
        worst.sort_by_key(|&(tor, lost)| (std::cmp::Reverse(lost), tor));
        worst.truncate(count);
        worst
    }
}

/// The ToRs that one source loses. All other ToRs if it can no longer transmit.
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

/// The ToRs that a source loses. The source must still transmit.
fn lost_by(
    replay: &mut Replay<'_>,
    damage: &Damage<'_>,
    rules: &InstalledRules,
    source: TorId,
) -> Result<Vec<TorId>, Violation> {
    replay.follow(source, source, &RulesOverDamage { damage, rules, source })?;
    Ok(replay.missed(source, source))
}
