//! What a plan says of its light.

use lightloom_power_cost::{Case, Decided, Verdict};
use lightloom_watch::{Stopped, Watch};
use serde::Serialize;

use crate::budget::lights::{Lights, lights};
use crate::budget::report::{Tallied, db};
use crate::optics::{DesignOptics, all_threads};
use crate::wiring::WiringPlan;

/// The light of a plan: the worst case, and the case that the design accepts where that does not
/// close.
#[derive(Debug, Clone, Serialize)]
pub struct PlanLight {
    /// The transceiver.
    pub transceiver: String,
    /// The splitter.
    pub splitter: String,
    /// The verdict that counts.
    pub verdict: Verdict,
    /// The case that it is from.
    pub decided_by: Case,
    /// Least launch power, greatest losses.
    pub worst: PlanCase,
    /// The case that the design accepts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accepted: Option<PlanCase>,
    /// What the catalogue does not say.
    pub gaps: Vec<String>,
}

/// All branches in one case.
#[derive(Debug, Clone, Serialize)]
pub struct PlanCase {
    /// The worst verdict.
    pub verdict: Verdict,
    /// Branches by verdict.
    pub branches: Tallied,
    /// The least margin.
    pub worst_margin_db: Option<f64>,
    /// The least distance from the receiver's overload.
    pub worst_headroom_db: Option<f64>,
    /// Share of draws in which every branch closes, of a Monte Carlo budget.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all_close_share: Option<f64>,
}

impl PlanLight {
    pub fn of(
        wires: &WiringPlan<'_>,
        chosen: &DesignOptics,
        watch: Watch<'_>,
    ) -> Result<Self, Stopped> {
        let assess = |case| -> Result<_, Stopped> {
            let lights = lights(wires, chosen, case, all_threads(), watch)?;
            let found = (PlanCase::of(&lights), lights.gaps(&chosen.optics));
            Ok((lights.verdict(), found))
        };
        let Decided { verdict, by, worst: (worst, gaps), accepted } =
            Decided::new(chosen.accept, assess)?;
        Ok(Self {
            transceiver: chosen.optics.transceiver.name.clone(),
            splitter: chosen.optics.splitter.name.clone(),
            verdict,
            decided_by: by,
            worst,
            accepted: accepted.map(|(case, _)| case),
            gaps,
        })
    }

    /// Whether the light is known to arrive in the case that counts.
    pub fn closes(&self) -> bool {
        self.verdict.closes()
    }
}

impl PlanCase {
    fn of(lights: &Lights) -> Self {
        Self {
            verdict: lights.verdict(),
            branches: lights.count().into(),
            worst_margin_db: lights.least(|light| light.margin).map(db),
            worst_headroom_db: lights.least(|light| light.headroom).map(db),
            all_close_share: lights.all_close,
        }
    }
}
