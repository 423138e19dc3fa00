//! The light of a whole plan: the verdict on every branch, and one verdict on all of them.

use lightloom_units::{Db, Length};

use crate::budget::{Assessment, Case, Fan, Judge, Verdict};
use crate::monte_carlo::{Sampled, Sampling, sample};
use crate::optics::Optics;

/// One branch and its light. `E` names its two ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lit<E> {
    /// The transmitter and the receiver, as the caller names them.
    pub ends: E,
    /// Length from the transmitter to the splitter.
    pub feed: Length,
    /// Length from the splitter to the receiver.
    pub branch: Length,
    /// Levels, margin and verdict.
    pub light: Assessment,
    /// Share of draws that fail, of a Monte Carlo budget.
    pub failing: Option<f64>,
}

/// The light of all branches.
#[derive(Debug, Clone, PartialEq)]
pub struct Lights<E> {
    /// The branches, in the order of the fans until they are sorted.
    pub branches: Vec<Lit<E>>,
    /// Number of branches that are longer than the rated reach of the transceiver.
    pub beyond_reach: usize,
    /// Share of draws in which every branch closes, of a Monte Carlo budget.
    pub all_close: Option<f64>,
}

/// Number of branches by verdict.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct VerdictCounts {
    /// Comfortable.
    pub pass: usize,
    /// Little margin, or values missing.
    pub warn: usize,
    /// Values missing without which no verdict is possible.
    pub unknown: usize,
    /// Too weak or too strong.
    pub fail: usize,
}

impl<E: Ord + Copy> Lights<E> {
    /// The light of every branch of fans in one case; `ends` names the branches in the order of the fans.
    /// Only the Monte Carlo case takes `sampling`; `progress` is told how many fans it has drawn and says
    /// whether to go on. None when it says no.
    pub fn new(
        optics: &Optics,
        fans: &[Fan],
        ends: &[E],
        case: Case,
        sampling: Sampling,
        progress: &mut dyn FnMut(usize) -> bool,
    ) -> Option<Self> {
        let judge = Judge::new(optics);
        let (found, failing, all_close) = match case {
            Case::Worst | Case::Typical => (judge.fans(fans, case), None, None),
            Case::MonteCarlo => {
                let Sampled { branches, failing, all_close } =
                    sample(&judge, fans, sampling, progress)?;
                (branches, Some(failing), Some(all_close))
            }
        };
        let lengths =
            fans.iter().flat_map(|fan| fan.branches.iter().map(|&branch| (fan.feed, branch)));
        let lit = |(i, ((&ends, light), (feed, branch)))| {
            let failing = failing.as_ref().map(|failing: &Vec<f64>| failing[i]);
            Lit { ends, feed, branch, light, failing }
        };
        let branches: Vec<Lit<E>> =
            ends.iter().zip(found).zip(lengths).enumerate().map(lit).collect();
        let is_beyond = |lit: &&Lit<E>| judge.is_beyond_reach(lit.feed, lit.branch);
        let beyond_reach = branches.iter().filter(is_beyond).count();
        Some(Self { branches, beyond_reach, all_close })
    }

    /// The worst verdict; unknown without branches.
    pub fn verdict(&self) -> Verdict {
        let verdicts = self.branches.iter().map(|lit| lit.light.verdict);
        verdicts.max().unwrap_or(Verdict::Unknown)
    }

    /// What is not known or not computed, in sentences.
    pub fn gaps(&self, optics: &Optics) -> Vec<String> {
        let mut gaps = optics.gaps();
        if let (Some(reach), 1..) = (optics.transceiver.reach, self.beyond_reach) {
            gaps.push(format!(
                "{} branches are longer than the rated reach of {reach}; dispersion is not computed",
                self.beyond_reach
            ));
        }
        gaps
    }

    /// The least of a ratio over all branches that have it.
    pub fn least(&self, of: impl Fn(&Assessment) -> Option<Db>) -> Option<Db> {
        self.branches.iter().filter_map(|lit| of(&lit.light)).min()
    }

    /// Sorts worst first: by verdict, then by the smaller of margin and headroom, then by the larger of
    /// them, then by the ends. A branch with less of one and not more of the other so comes first.
    pub fn sort(&mut self) {
        let key = |lit: &Lit<E>| {
            let (margin, headroom) = (lit.light.margin, lit.light.headroom);
            let known = || margin.into_iter().chain(headroom);
            (std::cmp::Reverse(lit.light.verdict), known().min(), known().max(), lit.ends)
        };
        self.branches.sort_unstable_by_key(key);
    }

    /// The number of branches by verdict.
    pub fn count(&self) -> VerdictCounts {
        let mut count = VerdictCounts::default();
        for lit in &self.branches {
            match lit.light.verdict {
                Verdict::Pass => count.pass += 1,
                Verdict::Warn => count.warn += 1,
                Verdict::Unknown => count.unknown += 1,
                Verdict::Fail => count.fail += 1,
            }
        }
        count
    }
}

/// The verdict on a plan, and what it was decided by. `T` is what the caller keeps of each case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decided<T> {
    /// The verdict that counts.
    pub verdict: Verdict,
    /// The case that it is from.
    pub by: Case,
    /// The worst case.
    pub worst: T,
    /// The accepted case, where it was assessed.
    pub accepted: Option<T>,
}

impl<T> Decided<T> {
    /// Assesses the worst case, and where that does not close the case that the design accepts. `assess`
    /// answers a case with its verdict and what is to be kept of it.
    ///
    /// # Errors
    /// The first error of `assess`.
    pub fn new<F>(
        accept: Option<Case>,
        mut assess: impl FnMut(Case) -> Result<(Verdict, T), F>,
    ) -> Result<Self, F> {
        let (verdict, worst) = assess(Case::Worst)?;
        match accept.filter(|&case| case != Case::Worst && !verdict.closes()) {
            None => Ok(Self { verdict, by: Case::Worst, worst, accepted: None }),
            Some(by) => {
                let (verdict, accepted) = assess(by)?;
                Ok(Self { verdict, by, worst, accepted: Some(accepted) })
            }
        }
    }
}
