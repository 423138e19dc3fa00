//! The pad of a design, chosen by the lengths of its fibres.

use lightloom_power_cost::{Case, Fan, Judge, Optics, best_pad};
use lightloom_request::InputError;
use lightloom_units::Length;

use crate::catalogue::Catalogue;
use crate::optics::DesignOptics;

/// The optics with the pad that closes the light best, unless the design names a pad or none. `fans` gives
/// the lengths of all fibres; it is called only if some branch could have too little headroom.
pub fn fitted(
    mut chosen: DesignOptics,
    catalogue: &Catalogue,
    fans: impl FnOnce() -> Result<Vec<Fan>, InputError>,
) -> Result<DesignOptics, InputError> {
    if !std::mem::take(&mut chosen.chooses_pad) || !may_be_too_strong(&chosen.optics) {
        return Ok(chosen);
    }
    let (fans, pads) = (extremes(&fans()?), catalogue.parts.pads.values());
    let assess = |judge: &Judge<'_>, case| judge.fans(&fans, case);
    let best = |case| best_pad(&chosen.optics, pads.clone(), chosen.pad_at, case, &assess);
    // The accepted case decides only where the worst case does not close.
    let worst = best(Case::Worst);
    let accepted = chosen.accept.filter(|_| !worst.verdict.closes()).map(best);
    chosen.optics.pad = accepted.unwrap_or(worst).pad;
    Ok(chosen)
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
