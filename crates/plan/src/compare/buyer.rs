//! What a buyer weighs: all that is built, what each source costs that can send at line rate at
//! once, and what one multicast takes of it.

use lightloom_power_cost::{PerSource, Side, sources_at_once};
use lightloom_units::Money;
use serde::Serialize;

use crate::bill::{self};

/// Ports with which each ToR receives from the packet core.
const CORE_RECEIVES: u64 = 1;
/// Ports with which each ToR receives in a chain that runs both ways: its two pairs carry light in
/// both directions, and one chain uses one direction.
const CHAIN_RECEIVES: u64 = 2;

/// All that is built, for each source that can send to all other ToRs at line rate at once.
#[derive(Debug, Clone, Serialize)]
pub struct AtLineRateReport {
    /// The design.
    pub splitter_fabric: PerSourceReport,
    /// The packet core.
    pub ip_multicast: PerSourceReport,
    /// The chain, one each way.
    pub peer_to_peer: PerSourceReport,
}

/// What one way takes for each source that can send at line rate at once.
#[derive(Debug, Clone, Serialize)]
pub struct PerSourceReport {
    /// How many sources can; null where it is not computed at this size.
    pub sources: Option<u64>,
    /// Cost of all that is built over these sources; null where a price is missing.
    pub cost: Option<Money>,
    /// The same in dollars; null in another currency.
    pub cost_usd: Option<f64>,
    /// Power of all that is built over these sources, in watts; null where a power is missing.
    pub power_w: Option<f64>,
    /// Why a value is null.
    pub unknown: Option<&'static str>,
}

impl AtLineRateReport {
    /// `parallel` sources can send at once in the splitter fabric; the sides are all that is built.
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
        Self { sources, cost, cost_usd: cost.and_then(bill::in_usd), power_w, unknown }
    }
}
