//! Whether the light arrives: received power, margin and verdict of every branch.

use lightloom_units::{Db, Dbm, Length, named_enum};
use serde::{Deserialize, Serialize};

use crate::optics::{Element, Optics};
use crate::parts::{BestCaseBudget, Levels, Modulation, Power};
use crate::spread::Spread;

named_enum! {
    /// Which values of the parts a budget takes.
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum Case {
        /// Least launch power and greatest losses; greatest launch power and least losses for
        /// overload.
        Worst = "worst",
        /// The usual values.
        Typical = "typical",
        /// Values at random.
        MonteCarlo = "monte-carlo",
    }
}

/// What is said of a branch, from best to worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It closes with a comfortable margin.
    Pass,
    /// It closes, with little margin, beyond the rated reach, or with values missing that matter.
    Warn,
    /// Too little is known to say.
    Unknown,
    /// It does not close, or the light is too strong.
    Fail,
}

impl Verdict {
    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Warn => "warn",
            Self::Unknown => "unknown",
            Self::Fail => "fail",
        }
    }

    /// Whether the light is known to arrive.
    pub fn closes(self) -> bool {
        matches!(self, Self::Pass | Self::Warn)
    }
}

/// One splitter and its fibres.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fan {
    /// From the transmitter to the splitter.
    pub feed: Length,
    /// From each output to its receiver.
    pub branches: Vec<Length>,
}

/// The light of one branch. Levels are absent where the catalogue lacks them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Assessment {
    /// From transmitter to receiver.
    pub loss: Db,
    /// What arrives, at the least that the case allows.
    pub received: Option<Dbm>,
    /// Above the sensitivity, penalties and ageing taken off.
    pub margin: Option<Db>,
    /// What arrives, at the most that the case allows.
    pub strongest: Option<Dbm>,
    /// Below the overload.
    pub headroom: Option<Db>,
    /// What is said of it.
    pub verdict: Verdict,
}

/// Optics as a judge: everything that is the same for all branches, made once.
#[derive(Debug)]
pub struct Judge<'a> {
    pub(crate) optics: &'a Optics,
    pub(crate) power: Option<Power>,
    pub(crate) reserve: Db,
    /// Whether values are missing that a pass would need.
    gaps: bool,
}

impl<'a> Judge<'a> {
    /// Looks at the optics once.
    pub fn new(optics: &'a Optics) -> Self {
        Self {
            optics,
            power: optics.transceiver.levels().ok(),
            reserve: optics.reserve(),
            gaps: !optics.gaps().is_empty(),
        }
    }

    /// Assesses one branch with least and greatest, or typical values.
    pub fn branch(&self, feed: Length, branch: Length, case: Case) -> Assessment {
        let losses = self.feed_loss(feed) + self.branch_loss(branch);
        self.within_reach(self.assess(losses, case), feed, branch)
    }

    /// Whether a branch is longer than the rated reach of the transceiver. Dispersion is not computed:
    /// the rated reach stands for it, and a branch beyond it is at best a warning.
    pub fn is_beyond_reach(&self, feed: Length, branch: Length) -> bool {
        self.optics.transceiver.reach.is_some_and(|reach| feed + branch > reach)
    }

    /// The same light with the rated reach in its verdict.
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

    /// Assesses all branches of fans, in order.
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
            Some(Power::BestCase(BestCaseBudget(budget))) => {
                self.judged(loss, None, Some(budget - loss - self.reserve), None)
            }
            Some(Power::Levels(Levels { launch_min, launch_typ, launch_max, sensitivity })) => {
                let (launch, launch_most) = match case {
                    Case::Typical => (launch_typ, launch_max.map(|_| launch_typ)),
                    Case::Worst | Case::MonteCarlo => (launch_min, launch_max),
                };
                let received = launch - loss;
                let mut margin = received - sensitivity - self.reserve;
                // Only the least amplitude is known, so it limits every case.
                if let Some(by_amplitude) = self.amplitude_budget() {
                    margin = margin.min(by_amplitude - loss - self.reserve);
                }
                let strongest = launch_most.map(|launch| launch - least_loss);
                self.judged(loss, Some(received), Some(margin), strongest)
            }
        }
    }

    /// PAM4: the least outer OMA minus TDECQ, over the sensitivity in OMA minus SECQ.
    pub(crate) fn amplitude_budget(&self) -> Option<Db> {
        let transceiver = &self.optics.transceiver;
        if transceiver.modulation != Modulation::Pam4 {
            return None;
        }
        Some(transceiver.oma_minus_tdecq_min? - transceiver.sensitivity_oma_minus_secq?)
    }

    /// The verdict on what was found.
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

/// To the billionth of a decibel: sums of tenths are then what they are on paper.
fn exact(ratio: Db) -> Db {
    Db::new((ratio.get() * 1e9).round() / 1e9).unwrap_or(ratio)
}

/// What elements take together.
pub fn total(way: &[Element]) -> Spread {
    way.iter().map(|element| element.loss).sum()
}
