//! The optical budget in a plan's report.

use lightloom_design::optics::{DesignOptics, all_threads};
use lightloom_plant::Plant;
use lightloom_power_cost::{Case, Decided, ShareIs, Verdict};
use lightloom_watch::{Stopped, Watch};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::budget::branch::{db, pad_text};
use crate::budget::lights::{Lights, lights};
use crate::budget::report::Tallied;

/// Optical budget of a plan: the worst case, and, if that does not close, the case that the design accepts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlanLight {
    /// Name of the transceiver.
    pub transceiver: String,
    /// Name of the splitter.
    pub splitter: String,
    /// The pad and its place.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pad: Option<String>,
    /// Light that may be reported as lost, receivers in danger (by mistakes too), and lanes that differ.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub hazards: Vec<String>,
    /// Policy: least margin, in dB.
    #[serde(default)]
    pub least_margin_db: f64,
    /// Policy: least headroom, in dB.
    #[serde(default)]
    pub least_headroom_db: f64,
    /// The final verdict.
    pub verdict: Verdict,
    /// The case that decided it.
    pub decided_by: Case,
    /// The worst case: smallest launch power, largest losses.
    pub worst: PlanCase,
    /// The case that the design accepts. `None`: the worst case closes, or the design accepts no other.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub accepted: Option<PlanCase>,
    /// Values that the catalogue lacks.
    pub gaps: Vec<String>,
}

/// Budget of all branches in one case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlanCase {
    /// The worst verdict.
    pub verdict: Verdict,
    /// Number of branches per verdict.
    pub branches: Tallied,
    /// Smallest margin, in dB.
    pub worst_margin_db: Option<f64>,
    /// Smallest distance from the receiver's overload, in dB.
    pub worst_headroom_db: Option<f64>,
    /// Share of draws in which every branch closes. Only for a Monte Carlo budget.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub all_close_share: Option<f64>,
    /// Mean number of transmitters with a branch that does not close: modules to swap. Only for a Monte Carlo
    /// budget.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub expected_swaps: Option<f64>,
    /// What is known of the share, where it is not exact. The number of modules to swap is bounded from the other side.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub all_close_share_is: Option<ShareIs>,
}

impl PlanLight {
    /// Assesses the worst case of a wiring plan and, if that does not close, the case that the design
    /// accepts.
    ///
    /// # Errors
    /// [`Stopped`] if `watch` stops the work.
    pub fn of(wires: &Plant, chosen: &DesignOptics, watch: Watch<'_>) -> Result<Self, Stopped> {
        let assess = |case| -> Result<_, Stopped> {
            let lights = lights(wires, chosen, case, all_threads(), watch)?;
            let notes = (lights.gaps(&chosen.optics), lights.hazards(&chosen.optics));
            let found = (PlanCase::of(&lights), notes);
            Ok((lights.verdict(), found))
        };
        let Decided { verdict, by, worst: (worst, (gaps, hazards)), accepted } =
            Decided::new(chosen.accept, assess)?;
        Ok(Self {
            transceiver: chosen.optics.transceiver.name.clone(),
            splitter: chosen.optics.splitter.name.clone(),
            pad: pad_text(&chosen.optics),
            least_margin_db: db(chosen.optics.least_margin),
            least_headroom_db: db(chosen.optics.least_headroom),
            hazards,
            verdict,
            decided_by: by,
            worst,
            accepted: accepted.map(|(case, _)| case),
            gaps,
        })
    }

    /// The case that decided the verdict.
    pub fn decisive(&self) -> &PlanCase {
        self.accepted.as_ref().unwrap_or(&self.worst)
    }

    /// Why the light does not arrive for certain, without a period. `None`: it arrives.
    pub fn warning(&self) -> Option<String> {
        if self.closes() {
            return None;
        }
        let Tallied { fail, unknown, .. } = self.decisive().branches;
        let what = if fail > 0 {
            format!("THE LIGHT DOES NOT ARRIVE: {fail} branches fail")
        } else {
            format!(
                "NOT KNOWN TO ARRIVE: of {unknown} branches the catalogue has too little for a verdict"
            )
        };
        let case = self.decided_by.name();
        Some(format!("{what} ({} over {}, {case} case)", self.transceiver, self.splitter))
    }

    /// Whether the light arrives for certain in the deciding case.
    pub fn closes(&self) -> bool {
        self.verdict.closes()
    }
}

impl PlanCase {
    fn of(lights: &Lights) -> Self {
        let closing = lights.fabric.and_then(|fabric| fabric.closing);
        let share_is = closing.map(|closing| closing.share_is);
        Self {
            verdict: lights.verdict(),
            branches: lights.count().into(),
            worst_margin_db: lights.least(|light| light.margin).map(db),
            worst_headroom_db: lights.least(|light| light.headroom).map(db),
            all_close_share: closing.map(|closing| closing.all_close),
            expected_swaps: closing.map(|closing| closing.swaps),
            all_close_share_is: share_is.filter(|&known| known != ShareIs::Exact),
        }
    }
}
