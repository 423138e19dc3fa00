//! Changes that would make a failing branch close.

use lightloom_units::{Db, Length};

use crate::budget::{Case, Judge, Verdict};
use crate::optics::Optics;
use crate::parts::{Splitter, Transceiver};

/// A change that makes a branch close.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mend {
    /// Another transceiver at both ends.
    Optic {
        /// Name of the transceiver.
        name: String,
        /// Margin after the change.
        margin: Option<Db>,
    },
    /// The largest smaller splitter that closes the branch.
    Splitter {
        /// Fan-out of the splitter.
        fan_out: u32,
        /// Margin after the change.
        margin: Option<Db>,
    },
    /// A shorter way.
    Shorter {
        /// Length to remove, at least.
        by: Length,
    },
    /// An attenuator with a loss between these bounds.
    Attenuator {
        /// Smallest loss.
        least: Db,
        /// Largest loss.
        most: Db,
    },
}

/// Parts that could replace the present ones.
#[derive(Debug, Default)]
pub struct Alternatives {
    others: Vec<Optics>,
    smaller: Vec<Optics>,
}

impl Alternatives {
    /// Optics with each of these transceivers and each of these splitters, largest splitter first.
    pub fn new(
        optics: &Optics,
        transceivers: Vec<Transceiver>,
        mut splitters: Vec<Splitter>,
    ) -> Self {
        splitters.sort_by_key(|splitter| std::cmp::Reverse(splitter.fan_out));
        let with_transceiver = |transceiver| Optics { transceiver, ..optics.clone() };
        let with_splitter = |splitter| Optics { splitter, ..optics.clone() };
        Self {
            others: transceivers.into_iter().map(with_transceiver).collect(),
            smaller: splitters.into_iter().map(with_splitter).collect(),
        }
    }

    /// The changes that make a branch close. Empty if it closes already, or if no change helps.
    pub fn mends(&self, optics: &Optics, feed: Length, branch: Length, case: Case) -> Vec<Mend> {
        let assess = |optics| Judge::new(optics).branch(feed, branch, case);
        let found = assess(optics);
        let closes = Verdict::closes;
        if closes(found.verdict) {
            return Vec::new();
        }
        let mut mends = Vec::new();
        for other in &self.others {
            let with = assess(other);
            if closes(with.verdict) {
                let name = other.transceiver.name.clone();
                mends.push(Mend::Optic { name, margin: with.margin });
            }
        }
        let smaller = self.smaller.iter().map(|smaller| (smaller, assess(smaller)));
        if let Some((smaller, with)) = smaller.into_iter().find(|(_, with)| closes(with.verdict)) {
            let fan_out = smaller.splitter.fan_out;
            mends.push(Mend::Splitter { fan_out, margin: with.margin });
        }
        if let (Some(margin), Some(headroom)) = (found.margin, found.headroom)
            && headroom < Db::ZERO
            && margin >= -headroom
        {
            mends.push(Mend::Attenuator { least: -headroom, most: margin });
        }
        if let Some(by) =
            found.margin.and_then(|margin| shorter(optics, feed, branch, case, margin))
        {
            let branch_by = by.min(branch);
            let feed_by = by.checked_sub(branch_by).unwrap_or_default();
            let (feed, branch) = (feed.abs_diff(feed_by), branch.abs_diff(branch_by));
            // More light must not overload the receiver.
            if closes(Judge::new(optics).branch(feed, branch, case).verdict) {
                mends.push(Mend::Shorter { by });
            }
        }
        mends
    }
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
        Case::Worst | Case::MonteCarlo => fibre.attenuation_max,
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
