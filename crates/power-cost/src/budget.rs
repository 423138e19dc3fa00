//! Optical budget of a branch: received power, margin and verdict.

use std::collections::BTreeMap;

use lightloom_units::{Db, Dbm, Length, named_enum};
use serde::{Deserialize, Serialize};

use crate::optics::{Element, Lanes, Optics};
use crate::parts::{AverageLaunch, LaunchKind, LightLevels, Pair};
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
        // shufflecast:IV-C.budget
        /// Largest launch power with the largest losses: how the budgets of Shufflecast's Table I are meant.
        Best = "best",
    }
}

/// Verdict on a branch, from best to worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The branch closes, with the margin and the headroom of the policy.
    Pass,
    /// The branch closes, but beyond the rated reach, with important values missing, or with light that may
    /// be reported as a loss of signal.
    Warn,
    /// The branch closes, with less margin or headroom than the policy.
    Marginal,
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
            Self::Marginal => "marginal",
            Self::Unknown => "unknown",
            Self::Fail => "fail",
        }
    }

    /// Whether the light arrives for certain: pass, warn or marginal.
    pub fn closes(self) -> bool {
        matches!(self, Self::Pass | Self::Warn | Self::Marginal)
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
    /// Whether values are missing that a pass needs.
    gaps: bool,
    lanes: Lanes,
}

impl<'a> Judge<'a> {
    /// Prepares a judge for these optics.
    pub fn new(optics: &'a Optics) -> Self {
        Self {
            optics,
            power: optics.transceiver.levels().ok(),
            gaps: !optics.gaps().is_empty(),
            lanes: optics.lanes(),
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
        // The fibres of a hall have few lengths.
        let mut losses: BTreeMap<Length, Spread> = BTreeMap::new();
        let mut loss_of =
            |length| *losses.entry(length).or_insert_with(|| self.branch_loss(length));
        let branches = fans.iter().flat_map(|fan| {
            let loss = self.feed_loss(fan.feed);
            fan.branches.iter().map(move |&length| (fan.feed, loss, length))
        });
        let assess = |(feed, loss, length)| {
            self.within_reach(self.assess(loss + loss_of(length), case), feed, length)
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
            Case::Worst | Case::MonteCarlo | Case::Best => (losses.most, losses.least),
        };
        let found = match &self.power {
            None => Levels { loss, received: None, margin: None, strongest: None },
            Some(LightLevels::BestCase(budget)) => {
                let margin = Some(*budget - loss - self.optics.reserve());
                Levels { loss, received: None, margin, strongest: None }
            }
            Some(LightLevels::Pairs { pairs, average }) => {
                let launch = average.map(|average| launch_in(case, average));
                let margins = pairs.iter().map(|pair| self.margin(pair, launch, loss));
                let most = average.and_then(|average| match case {
                    Case::Typical => average.max.map(|_| average.typ),
                    Case::Worst | Case::MonteCarlo | Case::Best => average.max,
                });
                Levels {
                    loss,
                    received: launch.map(|launch| launch - loss),
                    margin: margins.min(),
                    strongest: most.map(|launch| launch - least_loss),
                }
            }
        };
        self.judged(found, case)
    }

    /// Margin by a pair, with the average launch power of the case.
    fn margin(&self, pair: &Pair, launch: Option<Dbm>, loss: Db) -> Db {
        let launch = match pair.launch {
            LaunchKind::Average => launch.unwrap_or(pair.launch_min),
            // Only the smallest amplitude is known, so it limits every case.
            LaunchKind::Oma | LaunchKind::OmaMinusPenalty => pair.launch_min,
        };
        launch - loss - pair.sensitivity - self.optics.reserve_of(pair)
    }

    /// Whether nothing proves that a branch closes: a budget that starts from the greatest launch power refutes a
    /// branch and proves none; nor do the usual losses of a formula prove the worst case.
    pub(crate) fn is_best_only(&self, case: Case) -> bool {
        let by_formula =
            self.optics.splitter.by_formula && matches!(case, Case::Worst | Case::MonteCarlo);
        let best_case = matches!(self.power, Some(LightLevels::BestCase(_)));
        (best_case && case != Case::Best) || by_formula
    }

    /// Whether nothing proves that a branch is too weak: a lower bound of the launch power proves a branch and refutes
    /// none.
    pub(crate) fn is_bound_only(&self) -> bool {
        matches!(&self.power, Some(LightLevels::Pairs { pairs, .. })
            if pairs.iter().all(|pair| pair.is_derived))
    }

    /// Adds the verdict to levels.
    pub(crate) fn judged(&self, levels: Levels, case: Case) -> Assessment {
        let Levels { loss, received, margin, strongest } = levels;
        let transceiver = &self.optics.transceiver;
        let headroom =
            strongest.zip(transceiver.ceiling()).map(|(strongest, most)| exact(most - strongest));
        let margin = margin.map(exact);
        let best_only = self.is_best_only(case);
        let bound_only = self.is_bound_only();
        let undetected = received.zip(transceiver.signal_detect).is_some_and(|(rx, sd)| rx < sd);
        let below = |found: Option<Db>, least: Db| found.is_some_and(|found| found < least);
        let verdict = match margin {
            _ if below(headroom, Db::ZERO) => Verdict::Fail,
            _ if matches!(self.lanes, Lanes::TooDifferent { .. }) => Verdict::Fail,
            None => Verdict::Unknown,
            Some(margin) if margin < Db::ZERO && bound_only => Verdict::Unknown,
            Some(margin) if margin < Db::ZERO => Verdict::Fail,
            Some(_) if best_only => Verdict::Unknown,
            Some(margin) if margin < self.optics.least_margin => Verdict::Marginal,
            Some(_) if below(headroom, self.optics.least_headroom) => Verdict::Marginal,
            Some(_) if self.gaps || undetected => Verdict::Warn,
            Some(_) => Verdict::Pass,
        };
        Assessment { loss, received, margin, strongest, headroom, verdict }
    }
}

/// Levels of a branch before its verdict.
pub(crate) struct Levels {
    pub(crate) loss: Db,
    pub(crate) received: Option<Dbm>,
    pub(crate) margin: Option<Db>,
    pub(crate) strongest: Option<Dbm>,
}

fn launch_in(case: Case, average: AverageLaunch) -> Dbm {
    match case {
        Case::Typical => average.typ,
        Case::Best => average.max.unwrap_or(average.min),
        Case::Worst | Case::MonteCarlo => average.min,
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
