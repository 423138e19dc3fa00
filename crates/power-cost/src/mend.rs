//! Changes that would make a failing branch close.

use lightloom_units::{Db, Length};

use crate::budget::{Assessment, Case, Judge, Verdict};
use crate::optics::Optics;
use crate::pads::{Fit, best_pad};
use crate::parts::{Pad, PadPlace, Splitter, Transceiver};

/// A change that makes a branch close.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mend {
    /// Another transceiver at both ends.
    Optic {
        /// Name of the transceiver.
        name: String,
        /// Name of the pad that it needs.
        pad: Option<String>,
        /// Margin after the change.
        margin: Option<Db>,
        /// Headroom after the change.
        headroom: Option<Db>,
    },
    /// The largest smaller splitter that closes the branch.
    Splitter {
        /// Fan-out of the splitter.
        fan_out: u32,
        /// Name of the pad that it needs.
        pad: Option<String>,
        /// Margin after the change.
        margin: Option<Db>,
    },
    /// A shorter way.
    Shorter {
        /// Length to remove, at least.
        by: Length,
    },
    /// A pad.
    Pad {
        /// Name of the pad.
        name: String,
        /// Its place.
        at: PadPlace,
        /// Margin after the change.
        margin: Option<Db>,
        /// Headroom after the change.
        headroom: Option<Db>,
    },
}

/// Parts that could replace the present ones.
#[derive(Debug)]
pub struct Alternatives {
    others: Vec<Optics>,
    smaller: Vec<Optics>,
    pads: Vec<Pad>,
    /// Place of pads.
    at: PadPlace,
}

impl Alternatives {
    /// Optics with each of these transceivers and each of these splitters, largest splitter first.
    pub fn new(
        optics: &Optics,
        transceivers: Vec<Transceiver>,
        mut splitters: Vec<Splitter>,
        (pads, at): (Vec<Pad>, PadPlace),
    ) -> Self {
        splitters.sort_by_key(|splitter| std::cmp::Reverse(splitter.fan_out));
        // The pad belongs to the present transceiver.
        let with_transceiver = |transceiver| Optics { transceiver, pad: None, ..optics.clone() };
        let with_splitter = |splitter| Optics { splitter, ..optics.clone() };
        Self {
            others: transceivers.into_iter().map(with_transceiver).collect(),
            smaller: splitters.into_iter().map(with_splitter).collect(),
            pads,
            at,
        }
    }

    /// The best pad for one branch.
    fn padded(&self, optics: &Optics, feed: Length, branch: Length, case: Case) -> Fit {
        best_pad(optics, self.pads.iter(), self.at, case, &|judge, case| {
            vec![judge.branch(feed, branch, case)]
        })
    }

    /// The changes that make a branch close, each with a margin and a headroom above 0. Empty if it closes
    /// already, or if no change helps.
    pub fn mends(&self, optics: &Optics, feed: Length, branch: Length, case: Case) -> Vec<Mend> {
        let found = Judge::new(optics).branch(feed, branch, case);
        if found.verdict.closes() {
            return Vec::new();
        }
        let mut mends = Vec::new();
        let bare = Optics { pad: None, ..optics.clone() };
        let Fit { pad, verdict, margin, headroom } = self.padded(&bare, feed, branch, case);
        if let Some(fitted) = pad
            && helps(verdict, margin, headroom)
        {
            mends.push(Mend::Pad {
                name: fitted.pad.name.clone(),
                at: fitted.at,
                margin,
                headroom,
            });
        }
        for other in &self.others {
            let Fit { pad, verdict, margin, headroom } = self.padded(other, feed, branch, case);
            if helps(verdict, margin, headroom) {
                let (name, pad) =
                    (other.transceiver.name.clone(), pad.map(|pad| pad.pad.name.clone()));
                mends.push(Mend::Optic { name, pad, margin, headroom });
            }
        }
        let smaller = self.smaller.iter().map(|smaller| {
            let bare = Optics { pad: None, ..smaller.clone() };
            (smaller.splitter.fan_out, self.padded(&bare, feed, branch, case))
        });
        let closing = |with: &Assessment| helps(with.verdict, with.margin, with.headroom);
        let fits = |fit: &Fit| helps(fit.verdict, fit.margin, fit.headroom);
        if let Some((fan_out, Fit { pad, margin, .. })) =
            smaller.into_iter().find(|(_, fit)| fits(fit))
        {
            let pad = pad.map(|fitted| fitted.pad.name.clone());
            mends.push(Mend::Splitter { fan_out, pad, margin });
        }
        // A way that is just short enough would leave a margin of 0.
        let tenth = Db::new(0.1).unwrap_or(Db::ZERO);
        let wanted = found.margin.map(|margin| margin - optics.least_margin.max(tenth));
        if let Some(by) = wanted.and_then(|margin| shorter(optics, feed, branch, case, margin)) {
            let branch_by = by.min(branch);
            let feed_by = by.checked_sub(branch_by).unwrap_or_default();
            let (feed, branch) = (feed.abs_diff(feed_by), branch.abs_diff(branch_by));
            // More light must not overload the receiver.
            if closing(&Judge::new(optics).branch(feed, branch, case)) {
                mends.push(Mend::Shorter { by });
            }
        }
        mends
    }
}

/// Whether a branch closes with a margin and a headroom above 0.
fn helps(verdict: Verdict, margin: Option<Db>, headroom: Option<Db>) -> bool {
    let above = |ratio: Option<Db>| ratio.is_none_or(|ratio| ratio > Db::ZERO);
    verdict.closes() && above(margin) && above(headroom)
}

/// Length by which the way must be shorter. `None` if no way would remain.
fn shorter(
    optics: &Optics,
    feed: Length,
    branch: Length,
    case: Case,
    margin: Db,
) -> Option<Length> {
    let fibre = optics.fibre.as_ref()?;
    let attenuation = match case {
        Case::Typical => fibre.attenuation_typ.unwrap_or(fibre.attenuation_max),
        Case::Worst | Case::MonteCarlo | Case::Best => fibre.attenuation_max,
    };
    let each_um = attenuation.over(Length::from_um(1)).get();
    if each_um <= 0.0 {
        return None;
    }
    let um = (-margin.get() / each_um).ceil();
    let most = feed.checked_add(branch)?.as_um();
    // The number is at most the length of the way, so it is in range.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    (um > 0.0 && um < most as f64).then(|| Length::from_um(um as u64))
}
