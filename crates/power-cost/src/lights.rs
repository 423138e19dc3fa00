//! Optical budgets of a whole plan: a verdict per branch, and one for all.

use lightloom_units::{Db, Length};

use crate::budget::{Assessment, Case, Fan, Judge, Verdict};
use crate::monte_carlo::{Sampled, Sampling, WholeFabric, sample};
use crate::optics::Optics;

/// A branch and its optical budget. `E` names its two ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lit<E> {
    /// Transmitter and receiver, in the caller's type.
    pub ends: E,
    /// Length from the transmitter to the splitter.
    pub feed: Length,
    /// Length from the splitter to the receiver.
    pub branch: Length,
    /// Levels, margin and verdict.
    pub light: Assessment,
    /// Share of failing draws. Only for a Monte Carlo budget with known margins.
    pub failing: Option<f64>,
}

/// Optical budgets of all branches.
#[derive(Debug, Clone, PartialEq)]
pub struct Lights<E> {
    /// The branches: in the order of the fans, or sorted after [`Lights::sort`].
    pub branches: Vec<Lit<E>>,
    /// Number of branches longer than the rated reach of the transceiver.
    pub beyond_reach: usize,
    /// The whole fabric. Only for a Monte Carlo budget.
    pub fabric: Option<WholeFabric>,
}

/// Number of branches per verdict.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct VerdictCounts {
    /// Branches with the margin and the headroom of the policy.
    pub pass: usize,
    /// Branches with values missing, or beyond the rated reach.
    pub warn: usize,
    /// Branches with less margin or headroom than the policy.
    pub marginal: usize,
    /// Branches without a verdict, because values are missing.
    pub unknown: usize,
    /// Branches with too weak or too strong light.
    pub fail: usize,
}

impl<E: Ord + Copy> Lights<E> {
    /// Assesses every branch of the fans in one case. `ends` names the branches, in the order of the fans.
    /// Only the Monte Carlo case uses `sampling`. `progress` receives the number of drawn fans and returns
    /// whether to continue. `None`: it returned `false`.
    pub fn new(
        optics: &Optics,
        fans: &[Fan],
        ends: &[E],
        case: Case,
        sampling: Sampling,
        progress: &mut dyn FnMut(usize) -> bool,
    ) -> Option<Self> {
        let judge = Judge::new(optics);
        let (found, failing, fabric) = match case {
            Case::Worst | Case::Typical | Case::Best => (judge.fans(fans, case), None, None),
            Case::MonteCarlo => {
                let Sampled { branches, failing, fabric } =
                    sample(&judge, fans, sampling, progress)?;
                // Without a margin nobody knows how many draws fail.
                let failing = fabric.closing.map(|_| failing);
                (branches, failing, Some(fabric))
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
        Some(Self { branches, beyond_reach, fabric })
    }

    /// The worst verdict. `Unknown` if there are no branches. A Monte Carlo budget also fails if too few
    /// draws close every branch.
    pub fn verdict(&self) -> Verdict {
        let verdicts = self.branches.iter().map(|lit| lit.light.verdict);
        let of_fabric = self.fabric.map(|fabric| fabric.verdict);
        verdicts.chain(of_fabric).max().unwrap_or(Verdict::Unknown)
    }

    /// Sentences about everything that is unknown or not computed.
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

    /// Sentences about light that may be reported as lost, about receivers in danger, and about lanes that
    /// differ too much.
    pub fn hazards(&self, optics: &Optics) -> Vec<String> {
        let transceiver = &optics.transceiver;
        let mut hazards = optics.hazards();
        let count = |is: &dyn Fn(&Assessment) -> bool| {
            self.branches.iter().filter(|lit| is(&lit.light)).count()
        };
        if let Some(least) = transceiver.signal_detect {
            let dim = count(&|light| light.received.is_some_and(|received| received < least));
            if dim > 0 {
                hazards.push(format!(
                    "{dim} branches may get less than {least}, which {} may report as loss of signal",
                    transceiver.name
                ));
            }
        }
        if let Some(most) = transceiver.damage {
            let bright = count(&|light| light.strongest.is_some_and(|strongest| strongest > most));
            if bright > 0 {
                hazards.push(format!(
                    "{bright} branches may get more than {most}, which damages {}",
                    transceiver.name
                ));
            }
        }
        hazards
    }

    /// The smallest value of a ratio over all branches that have one.
    pub fn least(&self, of: impl Fn(&Assessment) -> Option<Db>) -> Option<Db> {
        self.branches.iter().filter_map(|lit| of(&lit.light)).min()
    }

    /// Sorts branches, worst first: by verdict, then by the smaller of margin and headroom, then by the
    /// larger of them, then by the ends.
    pub fn sort(&mut self) {
        let key = |lit: &Lit<E>| {
            let (margin, headroom) = (lit.light.margin, lit.light.headroom);
            let known = || margin.into_iter().chain(headroom);
            (std::cmp::Reverse(lit.light.verdict), known().min(), known().max(), lit.ends)
        };
        self.branches.sort_unstable_by_key(key);
    }

    /// Number of branches per verdict.
    pub fn count(&self) -> VerdictCounts {
        let mut count = VerdictCounts::default();
        for lit in &self.branches {
            match lit.light.verdict {
                Verdict::Pass => count.pass += 1,
                Verdict::Warn => count.warn += 1,
                Verdict::Marginal => count.marginal += 1,
                Verdict::Unknown => count.unknown += 1,
                Verdict::Fail => count.fail += 1,
            }
        }
        count
    }
}

/// The verdict on a plan, and the case that decided it. `T` is the caller's data per case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decided<T> {
    /// The final verdict.
    pub verdict: Verdict,
    /// The case that decided it.
    pub by: Case,
    /// Data of the worst case.
    pub worst: T,
    /// Data of the accepted case. `None`: it was not assessed.
    pub accepted: Option<T>,
}

impl<T> Decided<T> {
    /// Assesses the worst case. If that does not close, assesses the case that the design accepts. `assess`
    /// returns the verdict of a case and the data to keep.
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
