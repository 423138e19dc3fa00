//! Parts on fibres: splices, couplers of patch panels, pads and inline parts. They are counted, but have no place.

use lightloom_design::optics::DesignOptics;
use lightloom_power_cost::Fittings;
use lightloom_power_cost::parts::{FittedPad, PadPlace};
use lightloom_power_cost::price::UnitPrice;
use lightloom_units::Power;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bom::{BomItem, BomLine};
use crate::budget::padded_text;
use crate::project::Project;

/// A part on fibres that is counted but not placed: the plan does not give its position on the fibre or its
/// rack.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UnplacedReport {
    /// `splice`, `coupler` (in a patch panel) or `inline part`, as on the bill.
    pub item: BomItem,
    /// Name of the part in the catalogue.
    pub part: String,
    /// Number on each feed.
    pub per_feed: u32,
    /// Number on each branch.
    pub per_branch: u32,
    /// Number on all fibres.
    pub quantity: u64,
}

/// Parts between the ends of a fibre. They are counted, but not placed in the hall.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Passed {
    /// Number of splices.
    pub splices: u32,
    /// Number of patch panels. The fibre uses one coupler of each.
    pub panels: u32,
    /// Names of other parts, in the direction of the light.
    pub inline: Vec<String>,
    /// The pad.
    pub pad: Option<PassedPad>,
}

/// A pad at an end of a fibre.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PassedPad {
    /// Its name and place, as in `lc-5db at the transmitter`.
    pub text: String,
    /// The end of the fibre.
    pub end: PadEnd,
}

/// An end of a fibre, in the direction of the light.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PadEnd {
    /// Where the light enters.
    Near,
    /// Where the light leaves.
    Far,
}

/// Parts on the fibres of each kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OnFibres {
    /// Parts on each feed.
    pub feed: Passed,
    /// Parts on each branch.
    pub branch: Passed,
}

/// The parts on the fibres of each kind.
pub fn on_fibres(optics: Option<&DesignOptics>) -> OnFibres {
    let passed = |fittings: &Fittings, pad: Option<&FittedPad>| Passed {
        splices: fittings.splices,
        panels: fittings.panels,
        inline: fittings.inline.iter().map(|part| part.name.clone()).collect(),
        pad: pad.map(|fitted| PassedPad {
            text: padded_text(fitted),
            end: match fitted.at {
                PadPlace::Transmitter => PadEnd::Near,
                PadPlace::Feed | PadPlace::Receiver => PadEnd::Far,
            },
        }),
    };
    optics.map_or_else(OnFibres::default, |chosen| {
        let optics = &chosen.optics;
        let on_branches = optics.pad.as_ref().is_some_and(is_on_branches);
        let pad = |here: bool| optics.pad.as_ref().filter(|_| here);
        OnFibres {
            feed: passed(&optics.feed, pad(!on_branches)),
            branch: passed(&optics.branch, pad(on_branches)),
        }
    })
}

fn is_on_branches(fitted: &FittedPad) -> bool {
    fitted.at == PadPlace::Receiver
}

/// Lines of a bill without a place in the hall.
pub fn unplaced(project: &Project) -> Vec<UnplacedReport> {
    let Some(chosen) = &project.optics else { return Vec::new() };
    // A pad is plugged into the end of a fibre.
    let parts = fitted(chosen).into_iter().filter(|part| part.item != BomItem::Pad);
    let report = |part: Fitted| UnplacedReport {
        quantity: part.on_all(project),
        item: part.item,
        part: part.part,
        per_feed: part.per_feed,
        per_branch: part.per_branch,
    };
    parts.map(report).collect()
}

/// A catalogue part on fibres.
pub(super) struct Fitted {
    item: BomItem,
    /// The variant on a bill.
    variant: &'static str,
    part: String,
    part_number: Option<String>,
    per_feed: u32,
    per_branch: u32,
    price: Option<UnitPrice>,
    power: Option<Power>,
}

impl Fitted {
    /// Number on all fibres.
    fn on_all(&self, project: &Project) -> u64 {
        let (feeds, branches) = (project.fabric.tors() as u64, project.fabric.branch_fibres());
        u64::from(self.per_feed) * feeds + u64::from(self.per_branch) * branches
    }

    pub(super) fn line(self, project: &Project) -> BomLine {
        BomLine {
            quantity: self.on_all(project),
            item: self.item,
            variant: self.variant.into(),
            stock: None,
            part: self.part,
            part_number: self.part_number,
            unit_price: self.price,
            unit_power: self.power,
        }
    }
}

/// Splices, couplers of patch panels and inline parts on feeds and branches.
pub(super) fn fitted(chosen: &DesignOptics) -> Vec<Fitted> {
    let optics = &chosen.optics;
    let (feed, branch) = (&optics.feed, &optics.branch);
    let mut found = Vec::new();
    for (item, kind, variant, joint, per_feed, per_branch) in [
        (BomItem::Splice, "splice", "on a fibre", &optics.splice, feed.splices, branch.splices),
        (
            BomItem::Coupler,
            "panel",
            "patch panel, one a fibre",
            &optics.panel,
            feed.panels,
            branch.panels,
        ),
    ] {
        let joint = joint.as_ref().filter(|_| per_feed + per_branch > 0);
        found.extend(joint.map(|row| {
            Fitted {
                item,
                variant,
                part: row.name.clone(),
                part_number: row.provenance.part_number.clone(),
                per_feed,
                per_branch,
                price: row
                    .price
                    .as_ref()
                    .map(|price| UnitPrice::of_row(format!("{kind}.{}", row.name), price)),
                power: Some(Power::ZERO),
            }
        }));
    }
    found.extend(optics.pad.as_ref().map(|fitted| Fitted {
        item: BomItem::Pad,
        variant: match fitted.at {
            PadPlace::Transmitter => "at a transmitter",
            PadPlace::Feed => "at a splitter's input",
            PadPlace::Receiver => "at a receiver",
        },
        part: fitted.pad.name.clone(),
        part_number: fitted.pad.provenance.part_number.clone(),
        per_feed: u32::from(!is_on_branches(fitted)),
        per_branch: u32::from(is_on_branches(fitted)),
        price: fitted.pad.unit_price(),
        power: Some(Power::ZERO),
    }));
    for (inline, each_feed, each_branch, variant) in
        [(&feed.inline, 1, 0, "on a feed"), (&branch.inline, 0, 1, "on a branch")]
    {
        let mut parts: Vec<_> = inline.iter().collect();
        parts.sort_by(|a, b| a.name.cmp(&b.name));
        for same in parts.chunk_by(|a, b| a.name == b.name) {
            // A fibre has at most 64 parts.
            let (row, count) = (same[0], u32::try_from(same.len()).unwrap_or(u32::MAX));
            found.push(Fitted {
                item: BomItem::Inline,
                variant,
                part: row.name.clone(),
                part_number: row.provenance.part_number.clone(),
                per_feed: count * each_feed,
                per_branch: count * each_branch,
                price: row.unit_price(),
                power: row.power.or(Some(Power::ZERO).filter(|_| row.loss_min.get() >= 0.0)),
            });
        }
    }
    found
}
