//! Reports of throughput after a recovery.

use lightloom_routing::throughput::RatesWithActive;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Mean rates with some number of active sources, as a share of the line rate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ThroughputReport {
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

impl From<RatesWithActive> for ThroughputReport {
    fn from(rates: RatesWithActive) -> Self {
        let RatesWithActive { active, before, after, degradation, ci95 } = rates;
        Self { active, before, after, degradation, ci95 }
    }
}
