//! Cables, room, money and light of a plan, for each way to house its splitters and to lay its fibres.

use lightloom_design::optics::all_threads;
use lightloom_plant::Scheme;
use lightloom_power_cost::{Case, Verdict};
use lightloom_request::Error;
use lightloom_topology::hall::{Cabling, Housing};
use lightloom_units::Money;
use lightloom_watch::Watch;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bill::{self, CostRange};
use crate::bom::BomItem;
use crate::budget::{db, lights};
use crate::laid::Laid;
use crate::trays;

/// A plan with one housing of the splitters and one way to lay the fibres.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HousingReport {
    /// Place of the splitters.
    pub housing: Housing,
    /// How fibres run.
    pub cabling: Cabling,
    /// Number of fibres, feeds and branches.
    pub fibres: u64,
    /// Number of fibres between a ToR and splitters in another rack.
    pub long_runs: u64,
    /// Routed length of these long runs, in metres.
    pub long_m: f64,
    /// Routed length of all fibres, in metres.
    pub length_m: f64,
    /// Stock length to order, in metres.
    pub stock_m: f64,
    /// Cost of the cords and trunks, without spares, as far as prices are known. `None`: no price is known.
    pub stock_cost: Option<Money>,
    /// Bounds of that cost.
    pub stock_cost_range: Option<CostRange>,
    /// Number of cables between different rows.
    pub cables_beyond_rows: u64,
    /// Number of cables between different racks of a row.
    pub cables_within_rows: u64,
    /// Number of cables within a rack.
    pub cables_within_racks: u64,
    /// Fill of the fullest tray, in percent of its cross-section.
    pub fullest_tray_percent: f64,
    /// Rack units of shelves for splitters and panels.
    pub rack_units: usize,
    /// Mated connector pairs from a transmitter to a receiver, without those at the transceivers.
    pub connector_pairs: u32,
    /// Smallest margin in the worst case, in dB. `None`: no optics, or values are missing.
    pub worst_margin_db: Option<f64>,
    /// Smallest headroom in the worst case, in dB.
    pub worst_headroom_db: Option<f64>,
    /// The worst verdict on the light in the worst case. `None`: no optics.
    pub verdict: Option<Verdict>,
}

/// Another way to house the splitters, for which the hall has no room.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NoHousing {
    /// Where the splitters would be.
    pub housing: Housing,
    /// How fibres would run.
    pub cabling: Cabling,
    /// Why the hall does not allow it.
    pub why: String,
}

/// The plan first, then what else its hall allows; and what it does not allow.
pub fn reports(
    laid: &Laid,
    watch: Watch<'_>,
) -> Result<(Vec<HousingReport>, Vec<NoHousing>), Error> {
    let (mut reports, mut not_here) = (vec![report(laid, watch)?], Vec::new());
    for scheme in others(laid.plant().scheme()) {
        match laid.project().laid_by(scheme) {
            Ok(other) => reports.push(report(&other, watch)?),
            Err(why) => not_here.push(NoHousing {
                housing: scheme.housing,
                cabling: scheme.cabling,
                why: why.message.to_string(),
            }),
        }
    }
    Ok((reports, not_here))
}

/// Other ways to house the splitters and to lay the fibres. A zone needs frames, which only the hall of a zone has.
fn others(chosen: Scheme) -> Vec<Scheme> {
    let bare = |housing| Scheme {
        splitter_polish: chosen.splitter_polish,
        ..Scheme::point_to_point(housing)
    };
    let all = [Housing::Zone, Housing::Receiver, Housing::Sender].map(bare);
    let fits = |scheme: &Scheme| {
        *scheme != chosen && (scheme.housing != Housing::Zone || chosen.housing == Housing::Zone)
    };
    all.into_iter().filter(fits).collect()
}

fn report(laid: &Laid, watch: Watch<'_>) -> Result<HousingReport, Error> {
    let (project, plant) = (laid.project(), laid.plant());
    let (totals, scheme) = (plant.totals(), plant.scheme());
    let mut cables = bill::lines(laid, None)?;
    cables.retain(|line| matches!(line.item, BomItem::Cord | BomItem::Trunk));
    let cables = bill::total(&cables, "")?;
    let optics = project.optics.as_deref().cloned().map(|optics| optics.with_scheme(scheme));
    let lights = optics
        .map(|chosen| lights(plant, &chosen, Case::Worst, all_threads(), watch))
        .transpose()?;
    let (feed, branch) = (scheme.mated_on_feeds(), scheme.mated_on_branches());
    let fullest = trays::reports(plant);
    Ok(HousingReport {
        housing: scheme.housing,
        cabling: scheme.cabling,
        fibres: totals.fibres,
        long_runs: totals.long_runs,
        long_m: totals.long_length.as_m(),
        length_m: totals.length.as_m(),
        stock_m: totals.stock.as_m(),
        stock_cost: cables.cost,
        stock_cost_range: cables.range,
        cables_beyond_rows: totals.beyond_rows,
        cables_within_rows: totals.within_rows,
        cables_within_racks: totals.within_racks,
        fullest_tray_percent: fullest.first().map_or(0.0, |tray| tray.fill_percent),
        rack_units: plant.shelves().len(),
        connector_pairs: feed.lc + feed.mpo + branch.lc + branch.mpo,
        worst_margin_db: lights.as_ref().and_then(|all| all.least(|light| light.margin)).map(db),
        worst_headroom_db: lights
            .as_ref()
            .and_then(|all| all.least(|light| light.headroom))
            .map(db),
        verdict: lights.map(|all| all.verdict()),
    })
}
