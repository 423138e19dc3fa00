//! Comparison for a buyer: everything that is built, the cost per source that can send at line rate at the
//! same time, and the parts that one multicast uses.

use lightloom_plan::bill::{self, CostRange};
use lightloom_power_cost::{PerSource, Side, sources_at_once};
use lightloom_units::Money;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Number of ports on which each ToR receives from the packet core.
const CORE_RECEIVES: u64 = 1;
/// Number of ports on which each ToR receives in a chain that runs both ways. Its two pairs carry light in
/// both directions, and one chain uses one direction.
const CHAIN_RECEIVES: u64 = 2;

/// Everything that is built, per source that can send to all other ToRs at line rate at the same time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AtLineRateReport {
    /// The design.
    pub splitter_fabric: PerSourceReport,
    /// The packet core.
    pub ip_multicast: PerSourceReport,
    /// The chain, one in each direction.
    pub peer_to_peer: PerSourceReport,
}

/// Cost and power of one way, per source that can send at line rate at the same time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PerSourceReport {
    /// Number of these sources. Null if it is not computed at this size.
    pub sources: Option<u64>,
    /// Cost of everything that is built, divided by the number of sources. Null if a price is missing.
    pub cost: Option<Money>,
    /// Bounds of that cost.
    pub range: Option<CostRange>,
    /// The same cost in dollars. Null in another currency.
    pub cost_usd: Option<f64>,
    /// Power of everything that is built, divided by the number of sources, in watts. Null if a power is
    /// missing.
    pub power_w: Option<f64>,
    /// Why a value is null.
    pub unknown: Option<String>,
}

impl AtLineRateReport {
    /// `parallel` is the number of sources that can send at the same time in the splitter fabric. The sides
    /// are everything that is built.
    pub(super) fn new(
        tors: u64,
        parallel: Option<usize>,
        [fabric, core, chain]: [&Side; 3],
    ) -> Self {
        let of = PerSourceReport::new;
        Self {
            splitter_fabric: of(parallel.map(|n| n as u64), fabric),
            ip_multicast: of(Some(sources_at_once(tors, CORE_RECEIVES)), core),
            peer_to_peer: of(Some(sources_at_once(tors, CHAIN_RECEIVES)), chain),
        }
    }
}

impl PerSourceReport {
    fn new(sources: Option<u64>, whole: &Side) -> Self {
        let PerSource { cost, watts: power_w } = whole.per_source(sources);
        let unknown = match (sources.filter(|&sources| sources > 0), cost, power_w) {
            (None, ..) => Some("the number of sources at line rate is not computed at this size"),
            (_, None, _) | (_, _, None) => Some(
                "all that is built lacks a price or a power, which whole_fabric lists under missing",
            ),
            _ => None,
        };
        Self {
            sources,
            range: cost.as_ref().map(|cost| CostRange::new(cost, true)),
            cost: cost.map(|cost| cost.amount()),
            cost_usd: cost.and_then(|cost| bill::in_usd(cost.amount())),
            power_w,
            unknown: unknown.map(str::to_owned),
        }
    }
}
