//! What a recovery costs in throughput, as it is reported.

use lightloom_routing::throughput::RatesWithActive;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Mean rates with some number of active sources, in line rates.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ThroughputReport {
    /// Active sources.
    pub active: usize,
    /// Mean rate with the installed tables, nothing broken.
    pub before: f64,
    /// Mean rate after the recovery.
    pub after: f64,
    /// The mean part of the rate that is lost.
    pub degradation: f64,
    /// Half the width of its 95 % confidence interval.
    pub ci95: f64,
}

impl From<RatesWithActive> for ThroughputReport {
    fn from(rates: RatesWithActive) -> Self {
        let RatesWithActive { active, before, after, degradation, ci95 } = rates;
        Self { active, before, after, degradation, ci95 }
    }
}
