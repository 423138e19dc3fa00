//! The choice of pads: fixed attenuators where the light would be too strong.
//!
//! One kind of pad serves all branches of a design. Its tolerance counts on both sides.

use lightloom_units::Db;

use crate::budget::{Assessment, Case, Judge, Verdict};
use crate::optics::Optics;
use crate::parts::{FittedPad, Pad, PadPlace};

/// A design's light with its best pad.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    /// The pad. `None`: the design is best without one.
    pub pad: Option<FittedPad>,
    /// The worst verdict of all branches.
    pub verdict: Verdict,
    /// Smallest margin of all branches.
    pub margin: Option<Db>,
    /// Smallest headroom of all branches.
    pub headroom: Option<Db>,
}

/// The pad with which a design closes best: no pad if that has the headroom of the policy, else the pad with
/// the better verdict, then with the larger of the smallest of margin and headroom, then the weaker one.
///
/// `assess` gives the budgets of all branches with a judge; `Case::MonteCarlo` counts as the worst case,
/// because pads are chosen by bounds.
pub fn best_pad<'a>(
    optics: &Optics,
    pads: impl Iterator<Item = &'a Pad>,
    at: PadPlace,
    case: Case,
    assess: &dyn Fn(&Judge<'_>, Case) -> Vec<Assessment>,
) -> Fit {
    let case = if case == Case::MonteCarlo { Case::Worst } else { case };
    let fit = |pad: Option<FittedPad>| {
        let with = Optics { pad: pad.clone(), ..optics.clone() };
        let found = assess(&Judge::new(&with), case);
        let least = |of: fn(&Assessment) -> Option<Db>| found.iter().filter_map(of).min();
        Fit {
            pad,
            verdict: found.iter().map(|light| light.verdict).max().unwrap_or(Verdict::Unknown),
            margin: least(|light| light.margin),
            headroom: least(|light| light.headroom),
        }
    };
    let bare = fit(None);
    let too_strong = bare.headroom.is_some_and(|headroom| headroom < optics.least_headroom);
    if !too_strong || bare.margin.is_none() {
        return bare;
    }
    let mut pads: Vec<&Pad> = pads.collect();
    pads.sort_by_key(|pad| (pad.attenuation, pad.tolerance, pad.name.clone()));
    let fits = pads.into_iter().map(|pad| fit(Some(FittedPad { pad: pad.clone(), at })));
    // Of equals the first stays: the weaker pad.
    fits.fold(bare, |best, next| if next.rank() > best.rank() { next } else { best })
}

impl Fit {
    /// Order of fits: larger is better.
    fn rank(&self) -> (std::cmp::Reverse<Verdict>, Option<Db>) {
        let smallest = self.margin.into_iter().chain(self.headroom).min();
        // With the margin and the headroom of the policy, the weaker pad is better.
        (std::cmp::Reverse(self.verdict), smallest.filter(|_| self.verdict >= Verdict::Marginal))
    }
}
