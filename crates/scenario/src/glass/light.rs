//! The loss of each branch, from the optical budget of the design.
//!
//! A frame is lost at the rate that the branch's margin gives (`power-cost/src/error_rate.rs`). The noise of a
//! receiver decides it, so branches lose independently of each other. What they share, the launch power, the
//! feed and the lot of their parts, is in their margins.

use std::num::NonZeroUsize;

use lightloom_power_cost::{Case, Fan, Lights, Optics, Sampling, Verdict, error_rate};
use lightloom_topology::TorId;
use lightloom_twin::{BranchLoss, Splitter};
use lightloom_units::{Db, named_enum};
use schemars::JsonSchema;

named_enum! {
    /// The values of optical parts that decide what branches lose.
    #[derive(JsonSchema)]
    pub enum Light {
        /// Branches lose nothing.
        Off = "off",
        /// Typical values.
        Typical = "typical",
        /// Worst values.
        Worst = "worst",
        /// One random draw of all parts, from the seed of the run.
        Draw = "draw",
    }
}

/// The optics of a design with the lengths of its fibres.
#[derive(Debug, Clone)]
pub struct Budget {
    /// The parts along the light's way.
    pub optics: Optics,
    /// The fibres of each splitter, in the order of the ToRs.
    pub fans: Vec<Fan>,
    /// Transmitter and receiver of each branch, in the order of the fans.
    pub ends: Vec<(TorId, TorId)>,
}

/// The light of one branch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LitBranch {
    /// The ToR that transmits.
    pub from: TorId,
    /// The ToR that receives.
    pub to: TorId,
    /// Received power above the sensitivity, minus penalties and ageing.
    pub margin: Option<Db>,
    /// Distance of the received power from the overload.
    pub headroom: Option<Db>,
    /// The verdict.
    pub verdict: Verdict,
    /// Share of frames that are lost. `None`: the catalogue does not tell.
    pub loss: Option<f64>,
    /// Whether at most that share is lost. A run loses that share.
    pub loss_is_bound: bool,
    /// Mean number of frames that are lost together.
    pub at_once: f64,
}

impl Budget {
    /// The light of every branch, for frames of this many bytes. `seed` is that of the run; only a draw uses it.
    /// Empty if the light is off.
    pub fn branches(&self, light: Light, seed: u64, frame_bytes: u32) -> Vec<LitBranch> {
        let case = match light {
            Light::Off => return Vec::new(),
            Light::Typical => Case::Typical,
            Light::Worst => Case::Worst,
            Light::Draw => Case::MonteCarlo,
        };
        // The percentile of a single draw is that draw.
        let one = NonZeroUsize::MIN;
        let sampling = Sampling { samples: one, seed, percentile: 50.0, threads: one };
        let Some(lights) =
            Lights::new(&self.optics, &self.fans, &self.ends, case, sampling, &mut |_| true)
        else {
            return Vec::new();
        };
        let transceiver = &self.optics.transceiver;
        let lit = |lit: &lightloom_power_cost::Lit<(TorId, TorId)>| {
            let (margin, headroom) = (lit.light.margin, lit.light.headroom);
            let is_blinded = headroom.is_some_and(|headroom| headroom < Db::ZERO);
            let errors = margin
                .filter(|_| !is_blinded)
                .and_then(|margin| error_rate::of_frames(transceiver, margin, frame_bytes));
            LitBranch {
                from: lit.ends.0,
                to: lit.ends.1,
                margin,
                headroom,
                verdict: lit.light.verdict,
                // How much an overloaded receiver loses is unknown; nothing is the wrong guess.
                loss: if is_blinded { Some(1.0) } else { errors.map(|errors| errors.frame_loss) },
                loss_is_bound: errors.is_some_and(|errors| errors.frame_loss_is_bound),
                at_once: errors.map_or(1.0, |errors| errors.frames_at_once),
            }
        };
        lights.branches.iter().map(lit).collect()
    }
}

/// Sets the losses of branches that have none of their own. The splitters are in the order of the ToRs, as
/// [`Budget::branches`] is.
pub fn set_losses(splitters: &mut [Splitter], lit: &[LitBranch]) {
    let branches = splitters.iter_mut().flat_map(|splitter| &mut splitter.branches);
    for (branch, lit) in branches.zip(lit).filter(|(branch, _)| branch.loss.is_none()) {
        branch.loss = lit.loss.filter(|&rate| rate > 0.0).map(|rate| BranchLoss {
            rate: rate.min(1.0),
            burst: whole(lit.at_once),
            corrupt: false,
        });
    }
}

/// The nearest whole number, at least 1.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped before")]
fn whole(mean: f64) -> u32 {
    mean.round().clamp(1.0, 1024.0) as u32
}
