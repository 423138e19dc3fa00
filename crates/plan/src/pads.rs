//! The pad of a design, chosen by the lengths of its fibres.

use lightloom_power_cost::{Case, Fan, Judge, Optics, best_pad};
use lightloom_units::Length;

use crate::catalogue::Catalogue;
use crate::optics::DesignOptics;

/// The optics with the pad that closes the light best, unless the design names a pad or none. `fans` gives
/// the lengths of all fibres; it is called only if some branch could have too little headroom.
pub fn fitted(
    mut chosen: DesignOptics,
    catalogue: &Catalogue,
    fans: impl FnOnce() -> Vec<Fan>,
) -> DesignOptics {
    if !std::mem::take(&mut chosen.chooses_pad) || !may_be_too_strong(&chosen.optics) {
        return chosen;
    }
    let (fans, pads) = (extremes(&fans()), catalogue.parts.pads.values());
    let case = chosen.accept.unwrap_or(Case::Worst);
    let assess = |judge: &Judge<'_>, case| judge.fans(&fans, case);
    chosen.optics.pad = best_pad(&chosen.optics, pads, chosen.pad_at, case, &assess).pad;
    chosen
}

/// The shortest and the longest way. All ways have the same parts, so these two have the extreme levels.
fn extremes(fans: &[Fan]) -> Vec<Fan> {
    let ways = || fans.iter().flat_map(|fan| fan.branches.iter().map(|&branch| (fan.feed, branch)));
    let whole = |&(feed, branch): &(Length, Length)| feed + branch;
    let both = [ways().min_by_key(whole), ways().max_by_key(whole)];
    let fan = |(feed, branch)| Fan { feed, branches: vec![branch] };
    both.into_iter().flatten().map(fan).collect()
}

/// Whether a branch without length has too little headroom. Longer branches have more.
fn may_be_too_strong(optics: &Optics) -> bool {
    let shortest = Judge::new(optics).branch(Length::ZERO, Length::ZERO, Case::Worst);
    shortest.headroom.is_some_and(|headroom| headroom < optics.least_headroom)
}
