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
    let (fans, pads) = (fans(), catalogue.parts.pads.values());
    let case = chosen.accept.unwrap_or(Case::Worst);
    let assess = |judge: &Judge<'_>, case| judge.fans(&fans, case);
    chosen.optics.pad = best_pad(&chosen.optics, pads, chosen.pad_at, case, &assess).pad;
    chosen
}

/// Whether a branch without length has too little headroom. Longer branches have more.
fn may_be_too_strong(optics: &Optics) -> bool {
    let shortest = Judge::new(optics).branch(Length::ZERO, Length::ZERO, Case::Worst);
    shortest.headroom.is_some_and(|headroom| headroom < optics.least_headroom)
}
