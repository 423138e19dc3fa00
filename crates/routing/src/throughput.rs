//! Throughput after a recovery. The rate of an active source is 1 / (largest number of active sources on any of its
//! relays) (shufflecast:VI-C.rate).

use lightloom_topology::TorId;

use crate::sample;

/// Number of drawn sets for each number of active sources.
const DRAWS: usize = 200;
/// Normal quantile of a 95 % confidence interval.
const NORMAL_95: f64 = 1.96;

/// Mean rates with some number of active sources, as a share of the line rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatesWithActive {
    /// Number of active sources.
    pub active: usize,
    /// Mean rate with the installed tables and no failure.
    pub before: f64,
    /// Mean rate after the recovery.
    pub after: f64,
    /// Mean share of the rate that is lost.
    pub degradation: f64,
    /// Half the width of the 95 % confidence interval of `degradation`.
    pub ci95: f64,
}

/// Compares two sets of tables over uniform seeded samples of active sources, drawn from `sources`. The
/// tables are lists of sources by relay.
#[allow(clippy::cast_precision_loss, reason = "numbers of ToRs")]
pub fn compare(
    before: &[Vec<TorId>],
    after: &[Vec<TorId>],
    sources: &[TorId],
) -> Vec<RatesWithActive> {
    let (before, after) = (relays_of(before), relays_of(after));
    let mut random = sample::generator();
    let mut reports = Vec::new();
    let sizes = (0..).map(|i| 1_usize << i).take_while(|&n| n < sources.len());
    for active in sizes.chain([sources.len()]).filter(|&n| n > 0) {
        let mut sums = [0.0; 4];
        for _ in 0..DRAWS {
            let drawn = rand::seq::index::sample(&mut random, sources.len(), active);
            let set: Vec<TorId> = drawn.into_iter().map(|i| sources[i]).collect();
            let (old, new) = (mean_rate(&before, &set), mean_rate(&after, &set));
            let lost = 1.0 - new / old;
            for (sum, value) in sums.iter_mut().zip([old, new, lost, lost * lost]) {
                *sum += value;
            }
        }
        let [old, new, lost, squares] = sums.map(|sum| sum / DRAWS as f64);
        let variance = (squares - lost * lost).max(0.0);
        let ci95 = NORMAL_95 * (variance / (DRAWS - 1) as f64).sqrt();
        reports.push(RatesWithActive { active, before: old, after: new, degradation: lost, ci95 });
    }
    reports
}

/// The relays of each source.
fn relays_of(sources_by_relay: &[Vec<TorId>]) -> Vec<Vec<u32>> {
    let mut relays = vec![Vec::new(); sources_by_relay.len()];
    for (relay, sources) in (0..).zip(sources_by_relay) {
        for source in sources {
            relays[source.index()].push(relay);
        }
    }
    relays
}

#[allow(clippy::cast_precision_loss, reason = "numbers of ToRs")]
fn mean_rate(relays_of: &[Vec<u32>], active: &[TorId]) -> f64 {
    let mut sharing = vec![0_u32; relays_of.len()];
    for relay in active.iter().flat_map(|source| &relays_of[source.index()]) {
        sharing[*relay as usize] += 1;
    }
    let rate = |source: &TorId| {
        let most = relays_of[source.index()].iter().map(|&relay| sharing[relay as usize]).max();
        1.0 / f64::from(most.unwrap_or(1).max(1))
    };
    active.iter().map(rate).sum::<f64>() / active.len() as f64
}
