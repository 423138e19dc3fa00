//! Optical budget of a branch: received power, margin and verdict.

use lightloom_units::{Db, Dbm, Length, named_enum};
use serde::{Deserialize, Serialize};

use crate::optics::{Element, Optics};
use crate::parts::{BestCaseBudget, Levels, LightLevels, Modulation};
use crate::spread::Spread;

named_enum! {
    /// The values of the parts that a budget assumes.
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum Case {
        /// Smallest launch power and largest losses. For overload: largest launch power and smallest losses.
        Worst = "worst",
        /// Typical values.
        Typical = "typical",
        /// Random values, of which a percentile is reported.
        MonteCarlo = "monte-carlo",
    }
}

/// Verdict on a branch, from best to worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The branch closes with a comfortable margin.
    Pass,
    /// The branch closes, but with little margin, beyond the rated reach, or with important values missing.
    Warn,
    /// Too few values are known for a verdict.
    Unknown,
    /// The branch does not close, or the light is too strong.
    Fail,
}

impl Verdict {
    /// Name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Warn => "warn",
            Self::Unknown => "unknown",
            Self::Fail => "fail",
        }
    }

    /// Whether the light arrives for certain: pass or warn.
    pub fn closes(self) -> bool {
        matches!(self, Self::Pass | Self::Warn)
    }
}

/// A splitter with its fibres.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fan {
    /// Length from the transmitter to the splitter.
    pub feed: Length,
    /// Length from each output to its receiver.
    pub branches: Vec<Length>,
}

/// Optical budget of one branch. Levels are `None` if the catalogue lacks values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Assessment {
    /// Loss from transmitter to receiver.
    pub loss: Db,
    /// Smallest received power of the case.
    pub received: Option<Dbm>,
    /// Received power above the sensitivity, minus penalties and ageing.
    pub margin: Option<Db>,
    /// Largest received power of the case.
    pub strongest: Option<Dbm>,
    /// Distance of the largest received power from the overload.
    pub headroom: Option<Db>,
    /// The verdict.
    pub verdict: Verdict,
}

/// Assesses branches with given optics. Holds everything that is the same for all branches.
#[derive(Debug)]
pub struct Judge<'a> {
    pub(crate) optics: &'a Optics,
    pub(crate) power: Option<LightLevels>,
    pub(crate) reserve: Db,
    /// Whether values are missing that a pass needs.
    gaps: bool,
}

impl<'a> Judge<'a> {
    /// Prepares a judge for these optics.
    pub fn new(optics: &'a Optics) -> Self {
        Self {
            optics,
            power: optics.transceiver.levels().ok(),
            reserve: optics.reserve(),
            gaps: !optics.gaps().is_empty(),
        }
    }

    /// Assesses one branch with worst-case or typical values.
    pub fn branch(&self, feed: Length, branch: Length, case: Case) -> Assessment {
        let losses = self.feed_loss(feed) + self.branch_loss(branch);
        self.within_reach(self.assess(losses, case), feed, branch)
    }

    /// Whether a branch is longer than the rated reach of the transceiver. Dispersion is not computed; the
    /// rated reach stands in for it. A branch beyond the reach gets a warning at best.
    pub fn is_beyond_reach(&self, feed: Length, branch: Length) -> bool {
        self.optics.transceiver.reach.is_some_and(|reach| feed + branch > reach)
    }

    /// The same budget with the rated reach included in its verdict.
    pub(crate) fn within_reach(
        &self,
        mut found: Assessment,
        feed: Length,
        branch: Length,
    ) -> Assessment {
        if self.is_beyond_reach(feed, branch) {
            found.verdict = found.verdict.max(Verdict::Warn);
        }
        found
    }

    /// Assesses all branches of the fans, in order.
    pub fn fans(&self, fans: &[Fan], case: Case) -> Vec<Assessment> {
        let branches = fans.iter().flat_map(|fan| {
            let loss = self.feed_loss(fan.feed);
            fan.branches.iter().map(move |&length| (fan.feed, loss, length))
        });
        let assess = |(feed, loss, length)| {
            self.within_reach(self.assess(loss + self.branch_loss(length), case), feed, length)
        };
        branches.map(assess).collect()
    }

    fn feed_loss(&self, length: Length) -> Spread {
        total(&self.optics.feed(length))
    }

    fn branch_loss(&self, length: Length) -> Spread {
        total(&self.optics.branch(length))
    }

    fn assess(&self, losses: Spread, case: Case) -> Assessment {
        let (loss, least_loss) = match case {
            Case::Typical => (losses.typical, losses.typical),
            Case::Worst | Case::MonteCarlo => (losses.most, losses.least),
        };
        match self.power {
            None => self.judged(loss, None, None, None),
            Some(LightLevels::BestCase(BestCaseBudget(budget))) => {
                self.judged(loss, None, Some(budget - loss - self.reserve), None)
            }
            Some(LightLevels::Levels(Levels {
                launch_min,
                launch_typ,
                launch_max,
                sensitivity,
            })) => {
                let (launch, launch_most) = match case {
                    Case::Typical => (launch_typ, launch_max.map(|_| launch_typ)),
                    Case::Worst | Case::MonteCarlo => (launch_min, launch_max),
                };
                let received = launch - loss;
                let mut margin = received - sensitivity - self.reserve;
                // Only the smallest amplitude is known, so it limits every case.
                if let Some(by_amplitude) = self.amplitude_budget() {
                    margin = margin.min(by_amplitude - loss - self.reserve);
                }
                let strongest = launch_most.map(|launch| launch - least_loss);
                self.judged(loss, Some(received), Some(margin), strongest)
            }
        }
    }

    /// Budget of PAM4: smallest (outer OMA - TDECQ) minus sensitivity in (OMA - SECQ).
    pub(crate) fn amplitude_budget(&self) -> Option<Db> {
        let transceiver = &self.optics.transceiver;
        if transceiver.modulation != Modulation::Pam4 {
            return None;
        }
        Some(transceiver.oma_minus_tdecq_min? - transceiver.sensitivity_oma_minus_secq?)
    }

    /// Adds the verdict to a budget.
    pub(crate) fn judged(
        &self,
        loss: Db,
        received: Option<Dbm>,
        margin: Option<Db>,
        strongest: Option<Dbm>,
    ) -> Assessment {
        let headroom = strongest
            .zip(self.optics.transceiver.ceiling())
            .map(|(strongest, most)| exact(most - strongest));
        let margin = margin.map(exact);
        let verdict = match margin {
            _ if headroom.is_some_and(|headroom| headroom < Db::ZERO) => Verdict::Fail,
            None => Verdict::Unknown,
            Some(margin) if margin < Db::ZERO => Verdict::Fail,
            Some(margin) if margin < self.optics.comfortable || self.gaps => Verdict::Warn,
            Some(_) => Verdict::Pass,
        };
        Assessment { loss, received, margin, strongest, headroom, verdict }
    }
}

/// Rounds to 10⁻⁹ dB, so that sums of tenths are exact decimals.
fn exact(ratio: Db) -> Db {
    Db::new((ratio.get() * 1e9).round() / 1e9).unwrap_or(ratio)
}

/// Total loss of several elements.
pub fn total(way: &[Element]) -> Spread {
    way.iter().map(|element| element.loss).sum()
}
