//! A plan: wires, rules, proof, light and bill, in that order.

use lightloom_power_cost::FibrePrice;
use lightloom_request::{Error, InputError};
use lightloom_routing::failure::Damage;
use lightloom_routing::sample;
use lightloom_routing::survey::Survey;
use lightloom_routing::verify::{
    Accept, Demand, InstalledRules, LightMap, Unproved, Via, verify_all, verify_sample,
};
use lightloom_topology::TorId;
use lightloom_topology::hall::Housing;
use lightloom_units::Choice as _;
use lightloom_watch::Watch;
use serde::Serialize;

use crate::bill::{self, TotalReport, UnplacedReport};
use crate::bom::BomLine;
use crate::budget::PlanLight;
use crate::facts::{LoadReport, no_survey};
use crate::labels;
use crate::project::Project;
use crate::provenance::CatalogueReport;
use crate::recover::{RecoverReport, Recovered};
use crate::routes::router_kind;
use crate::trays::{self, TrayReport, Warning};
use crate::verify::{Sample, Verification, light_map_of, unproved};
use crate::wiring::WiringPlan;

/// What was planned and proved.
#[derive(Debug, Clone, Serialize)]
pub struct PlanReport {
    /// The family's name.
    pub family: &'static str,
    /// Splitter fan-out.
    pub p: u32,
    /// Columns of a Shufflecast.
    pub k: Option<u32>,
    /// ToRs.
    pub tors: usize,
    /// Cassettes.
    pub cassettes: usize,
    /// Racks of the hall that hold no ToR of this fabric.
    pub spare_racks: usize,
    /// The router's name.
    pub router: &'static str,
    /// Sources a ToR relays; absent where it was too large to compute.
    pub relay_load: Option<LoadReport>,
    /// Hops to the farthest ToR.
    pub max_hops: u32,
    /// Mean hops.
    pub mean_hops: f64,
    /// The sources that the hops were measured from, when not all.
    pub sampled_sources: Option<usize>,
    /// What was proved.
    pub verification: Verification,
    /// The failures that the rules go around, and how.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recovery: Option<RecoverReport>,
    /// The housing that the plan has, then the other one.
    pub housings: [HousingReport; 2],
    /// Cable trays, the fullest first.
    pub trays: Vec<TrayReport>,
    /// What is wrong with the plan, and yet no reason not to write it.
    pub warnings: Vec<Warning>,
    /// Parts on fibres that are counted and have no place in the hall.
    pub unplaced: Vec<UnplacedReport>,
    /// Whether the light arrives: `not assessed` without optics in the design, otherwise the verdict
    /// of `light`.
    pub optical: &'static str,
    /// The light, where the design names optics.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub light: Option<PlanLight>,
    /// What the plan costs and draws, the ports of its switches included, where the design names
    /// optics.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bill: Option<TotalReport>,
    /// What is to be ordered, spares included, without the ports of switches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to_order: Option<TotalReport>,
    /// Where the optics and prices come from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub catalogue: Option<CatalogueReport>,
}

impl PlanReport {
    /// Whether the light is known to arrive, or was not asked about.
    pub fn lit(&self) -> bool {
        self.light.as_ref().is_none_or(|light| light.closes())
    }
}

/// What `optical` says of a design without optics.
const NOT_ASSESSED: &str = "not assessed";

/// Fibre with the splitters in one kind of place.
#[derive(Debug, Clone, Serialize)]
pub struct HousingReport {
    /// `sender` or `receiver`.
    pub housing: &'static str,
    /// Fibres, feeds and branches.
    pub fibres: u64,
    /// Fibres between a ToR and another rack's splitters.
    pub long_runs: u64,
    /// Routed metres of those.
    pub long_m: f64,
    /// Routed metres of all.
    pub length_m: f64,
    /// Metres to order.
    pub stock_m: f64,
    /// What they cost; spares not counted.
    pub stock_cost: String,
}

/// What every switch is told.
#[derive(Debug, Clone)]
pub enum Tables {
    /// For each ToR the sources that it relays, ascending, with filters and stand-ins.
    Listed {
        /// The sources of each ToR.
        relays: Vec<Vec<TorId>>,
        /// Port filters.
        accept: Accept,
        /// Stand-ins.
        via: Via,
    },
    /// The router by name: tables of all sources would be too long to list.
    Router(&'static str),
}

/// A proved plan.
#[derive(Debug, Clone)]
pub struct Proved {
    /// What was planned and proved.
    pub report: PlanReport,
    /// What every switch is told.
    pub tables: Tables,
    /// The bill of materials.
    pub lines: Vec<BomLine>,
}

/// Proves labels, wires and rules of a plan, and adds up its light and its bill. The caller judges whether
/// its trays have room.
///
/// # Errors
/// [`Error`] when the plan does not hold, or when the work is stopped.
pub fn prove(project: &Project, wires: &WiringPlan<'_>, watch: Watch<'_>) -> Result<Proved, Error> {
    labels::prove(wires)?;
    let fabric = &project.fabric;
    let mut rows = project.relay_rows()?;
    let survey = Survey::new(fabric, router_kind(&project.design), &mut rows, watch);
    let survey = survey.map_err(no_survey)?;
    let lit = light_map_of(fabric.tors(), wires.cables());
    let (verified, mut tables) = match rows.tables() {
        Some(tables) => {
            let relays = tables.sources_by_relay(fabric);
            let installed = InstalledRules::of_lists(&relays);
            let sound = Damage::new(fabric, &[]).map_err(InputError::new)?;
            let bound = Some(promised_hops(project, fabric.tor_ids()));
            let demand = Demand { damage: &sound, bound, gives_up: false };
            let verified = verify_all(&lit, fabric.fan_out(), &installed, &demand, watch);
            let verified = verified.map(|proved| Verification::new(fabric.tors(), proved, None));
            (verified, Tables::Listed { relays, accept: Accept::new(), via: Via::new() })
        }
        None => {
            let row = |source| rows.row(source, fabric.cassettes());
            let sources = sample::tors(fabric, sample::SOURCES);
            let bound = promised_hops(project, sources.iter().copied());
            let verified = verify_sample(&lit, fabric.fan_out(), &sources, bound, row, watch);
            let drawn = Sample::new(sources);
            let verified =
                verified.map(|proved| Verification::new(fabric.tors(), proved, Some(drawn)));
            (verified, Tables::Router(project.design.router.name()))
        }
    };
    let verification = verified.map_err(unproved)?;
    let mut report = report(project, &survey, verification, wires)?;
    if let Some((failed, method)) = &project.recovery {
        let Recovered { report: recovery, lists } =
            project.recovered(&project.recovery_base()?, failed, *method)?;
        prove_recovered(project, &lit, &lists, &recovery, watch)?;
        let (accept, via) = (recovery.accept.clone(), recovery.via.clone());
        tables = Tables::Listed { relays: lists, accept, via };
        report.recovery = Some(recovery);
    }
    let lines = bill::lines(project, wires, project.optics.as_ref())?;
    if let Some(chosen) = &project.optics {
        let light = PlanLight::of(wires, chosen, watch)?;
        report.optical = light.verdict.name();
        report.light = Some(light);
        report.bill = Some(bill::total(&lines, &chosen.catalogue)?);
        let spares = project.design.spares_percent;
        report.to_order = Some(bill::to_order(&lines, spares, &chosen.catalogue)?);
        report.catalogue = Some(CatalogueReport::new(chosen, project.catalogue.price()));
    }
    Ok(Proved { report, tables, lines })
}

/// Proves what the files of a recovered plan will say: everybody whom light can still reach gets one
/// copy. The recovery proves each state of its rollout, and is not asked here.
fn prove_recovered(
    project: &Project,
    lit: &LightMap,
    lists: &[Vec<TorId>],
    recovery: &RecoverReport,
    watch: Watch<'_>,
) -> Result<(), Error> {
    let Some((failed, method)) = &project.recovery else { return Ok(()) };
    let fabric = &project.fabric;
    let rules = InstalledRules::of_lists(lists).with(recovery.accept.clone(), recovery.via.clone());
    let damage = failed.damage_of(&project.fabric)?;
    let demand = Demand { damage: &damage, bound: None, gives_up: method.gives_up() };
    match verify_all(lit, fabric.fan_out(), &rules, &demand, watch) {
        // Algorithm 2 makes no promise for several failures.
        Err(Unproved::Violation(fault)) if method.gives_up() => Err(Error::PlanRejected(format!(
            "{fault}; method algorithm2 leaves it so, replan does not"
        ))),
        proved => proved.map(|_| ()).map_err(unproved),
    }
}

/// The hops that routing promises these sources.
pub fn promised_hops(project: &Project, sources: impl Iterator<Item = TorId>) -> u32 {
    router_kind(&project.design).promised_hops(&project.fabric, sources)
}

fn report(
    project: &Project,
    survey: &Survey,
    verification: Verification,
    wires: &WiringPlan<'_>,
) -> Result<PlanReport, InputError> {
    let design = &project.design;
    let other = match design.housing {
        Housing::Sender => Housing::Receiver,
        Housing::Receiver => Housing::Sender,
    };
    let other = WiringPlan::new(project.site(), other, project.catalogue.stock());
    let price = project.catalogue.price();
    let trays = trays::reports(wires);
    Ok(PlanReport {
        family: design.fabric.family(),
        p: design.fabric.p(),
        k: design.fabric.k(),
        tors: project.fabric.tors(),
        cassettes: project.fabric.cassettes(),
        spare_racks: project.hall.racks().len() - project.fabric.tors(),
        router: design.router.name(),
        relay_load: survey.load.map(LoadReport::from),
        max_hops: survey.hops.max,
        mean_hops: survey.hops.mean(project.fabric.tors()),
        sampled_sources: survey.sampled,
        verification,
        recovery: None,
        housings: [housing_report(wires, price)?, housing_report(&other, price)?],
        warnings: trays::warnings(&trays),
        trays,
        unplaced: bill::unplaced(project),
        optical: NOT_ASSESSED,
        light: None,
        bill: None,
        to_order: None,
        catalogue: None,
    })
}

fn housing_report(wires: &WiringPlan<'_>, price: &FibrePrice) -> Result<HousingReport, InputError> {
    let totals = wires.totals();
    Ok(HousingReport {
        housing: wires.housing().name(),
        fibres: totals.fibres,
        long_runs: totals.long_runs,
        long_m: totals.long_length.as_m(),
        length_m: totals.length.as_m(),
        stock_m: totals.stock.as_m(),
        stock_cost: price.of(totals.stock).map_err(InputError::new)?.to_string(),
    })
}
