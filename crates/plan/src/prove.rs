//! Makes a plan: wires, rules, proof, optical budget and bill, in that order.

use lightloom_design::assumption::Assumption;
use lightloom_power_cost::Verdict;
use lightloom_request::choices::{Family, RouterName};
use lightloom_request::{Error, InputError};
use lightloom_routing::failure::Damage;
use lightloom_routing::sample;
use lightloom_routing::survey::Survey;
use lightloom_routing::verify::{
    Accept, Demand, InstalledRules, LightMap, Via, verify_all, verify_sample,
};
use lightloom_topology::TorId;
use lightloom_watch::Watch;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::as_built::{
    self,
    report::{AsBuiltReport, BuiltRecord},
};
use crate::assumed;
use crate::bill::{self, TotalReport, UnplacedReport};
use crate::bom::BomLine;
use crate::budget::PlanLight;
use crate::chains;
use crate::concerns;
use crate::facts::{LoadReport, no_survey, parallel_sources};
use crate::growth::report::{GrowthSummary, ProvedChange, prove_change};
use crate::housings::{self, HousingReport, NoHousing};
use crate::labels;
use crate::laid::Laid;
use crate::platform_report::PlatformReport;
use crate::project::Project;
use crate::provenance::CatalogueReport;
use crate::recover::{RecoverReport, Recovered};
use crate::routes::router_kind;
use crate::standing::{Standing, WithoutFailures};
use crate::totals::{self, OneTotal};
use crate::trays::{self, TrayReport, Warning};
use crate::verify::{Sample, Verification, light_map_of, unproved};

/// Report of a proved plan. Hops, loads and copies are those of the plan as it stands: if it goes around failures, of
/// what its rules bring over what still works.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlanReport {
    /// The family.
    pub family: Family,
    /// Fan-out of the splitters.
    pub p: u32,
    /// Number of columns of a Shufflecast.
    pub k: Option<u32>,
    /// Number of ToRs.
    pub tors: usize,
    /// Number of cassettes.
    pub cassettes: usize,
    /// Number of racks that could hold a ToR and hold none of this fabric. Frames are not counted.
    pub spare_racks: usize,
    /// The router.
    pub router: RouterName,
    /// Relay load over all ToRs. `None`: too large to compute.
    pub relay_load: Option<LoadReport>,
    /// Hops to the farthest ToR that light reaches.
    pub max_hops: u32,
    /// Mean number of hops to the ToRs that light reaches.
    pub mean_hops: f64,
    /// Number of sources in the sample for hops. `None`: all sources.
    pub sampled_sources: Option<usize>,
    /// What was proved.
    pub verification: Verification,
    /// The same figures without the failures of the plan, if it was made for failures.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub without_failures: Option<WithoutFailures>,
    /// The recovery of the plan, if it was made for failures.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub recovery: Option<RecoverReport>,
    /// What changed, if the plan grew or shrank from another one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub growth: Option<GrowthSummary>,
    /// What was built otherwise than planned.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub as_built: Option<AsBuiltReport>,
    /// The plan first, then the same fabric with its splitters elsewhere or its fibres laid otherwise.
    pub housings: Vec<HousingReport>,
    /// Other ways to house the splitters, for which the hall has no room.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub no_housings: Vec<NoHousing>,
    /// Cable trays, fullest first.
    pub trays: Vec<TrayReport>,
    /// Warnings: problems that do not prevent the plan.
    pub warnings: Vec<Warning>,
    /// How the switches of the ToRs must be set.
    pub platform: PlatformReport,
    /// Parts on fibres that are counted, but not placed in the hall.
    pub unplaced: Vec<UnplacedReport>,
    /// Whether the light arrives: the verdict of `light`, or `not assessed` without optics in the design.
    pub optical: Optical,
    /// The optical budget. `None`: the design names no optics.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub light: Option<PlanLight>,
    /// Cost and power of the plan, including the ports of its switches. `None`: the design names no optics.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub bill: Option<TotalReport>,
    /// Cost of everything that must be ordered, with spares and without ports of switches.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub to_order: Option<TotalReport>,
    /// Both totals beside each other: what is in each, and what is missing from it. Empty without optics.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub totals: Vec<OneTotal>,
    /// The assumed prices that the totals use, each row of the catalogue once.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub assumed_prices: Vec<Assumption>,
    /// Source of optics and prices.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub catalogue: Option<CatalogueReport>,
}

impl PlanReport {
    /// Whether the light arrives for certain, or was not assessed.
    pub fn lit(&self) -> bool {
        self.light.as_ref().is_none_or(|light| light.closes())
    }

    /// Whether every source reaches every other ToR, with the failures of the plan. As in a recovery, sources that the
    /// method gives up do not count.
    pub fn restored(&self) -> bool {
        self.verification.cut_off.keys().all(|source| self.given_up().contains(source))
    }

    /// The sources that the method of the recovery gives up.
    pub fn given_up(&self) -> &[TorId] {
        self.recovery.as_ref().map_or(&[], |recovery| &recovery.not_counted)
    }
}

/// Whether the light of a plan arrives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Optical {
    /// The design names no optics.
    #[serde(rename = "not assessed")]
    NotAssessed,
    /// The verdict on the light.
    #[serde(untagged)]
    Assessed(Verdict),
}

impl Optical {
    /// Whether the light arrives for certain, or was not assessed.
    pub fn lit(self) -> bool {
        match self {
            Self::NotAssessed => true,
            Self::Assessed(verdict) => verdict.closes(),
        }
    }

    /// What is wrong with the light, as a clause. `None`: it arrives, or was not assessed.
    pub fn trouble(self) -> Option<&'static str> {
        match self {
            _ if self.lit() => None,
            Self::Assessed(Verdict::Unknown) => {
                Some("it is not known whether the light arrives: values are missing")
            }
            _ => Some("the light does not arrive everywhere"),
        }
    }

    /// Name in files and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::NotAssessed => "not assessed",
            Self::Assessed(verdict) => verdict.name(),
        }
    }
}

/// The rules of all switches.
#[derive(Debug, Clone)]
pub enum Tables {
    /// Rules of all ToRs.
    Listed {
        /// For each ToR, the sources that it relays, ascending.
        relays: Vec<Vec<TorId>>,
        /// Port filters.
        accept: Accept,
        /// Stand-ins.
        via: Via,
    },
    /// Name of the router. The tables of all sources would be too long to list.
    Router(RouterName),
}

/// A proved plan: what is laid, with its rules, its light, its bill and its proof.
#[derive(Debug, Clone)]
pub struct Proved {
    /// The project with its plant.
    pub laid: Laid,
    /// The report of the plan.
    pub report: PlanReport,
    /// The rules of all switches.
    pub tables: Tables,
    /// The bill of materials.
    pub lines: Vec<BomLine>,
    /// Stages and cords of a plan that grew or shrank.
    pub change: Option<ProvedChange>,
    /// What was built otherwise than planned.
    pub built: Option<BuiltRecord>,
}

/// Proves labels, wires and rules of a plan, and computes its optical budget and bill. The caller checks
/// whether its trays have enough room.
///
/// # Errors
/// [`Error`] if a proof fails or the work is stopped.
pub fn prove(laid: &Laid, watch: Watch<'_>) -> Result<Proved, Error> {
    let (project, wires) = (laid.project(), laid.plant());
    labels::prove(wires)?;
    chains::prove(wires)?;
    let fabric = &project.fabric;
    let mut rows = project.relay_rows()?;
    let survey = Survey::new(fabric, router_kind(&project.design), &mut rows, watch);
    let survey = survey.map_err(no_survey)?;
    let lit = light_map_of(fabric.tors(), wires.fibres());
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
    let mut report = report(laid, &survey, verification, watch)?;
    if let Some(standing) = project.standing()? {
        tables = stand(project, &lit, standing, &mut report, watch)?;
    }
    let lines = bill::lines(laid, project.optics.as_deref())?;
    if let Some(chosen) = &project.optics {
        let light = PlanLight::of(wires, chosen, watch)?;
        report.optical = Optical::Assessed(light.verdict);
        report.light = Some(light);
        report.bill = Some(bill::total(&lines, &chosen.catalogue)?);
        let spares = project.design.spares_percent;
        report.to_order = Some(bill::to_order(&lines, spares, &chosen.catalogue)?);
        report.assumed_prices = assumed::of_prices(&lines);
        report.totals = totals::of_plan(&lines, spares, &chosen.catalogue)?;
        report.catalogue = Some(
            CatalogueReport::new(chosen, &project.catalogue).with_parts(&project.catalogue, &lines),
        );
    }
    let change = prove_change(laid, watch)?;
    report.growth = change.as_ref().map(|change| change.summary.clone());
    let built = as_built::report::record(laid)?;
    report.as_built = built.as_ref().map(|built| built.summary.clone());
    Ok(Proved { laid: laid.clone(), report, tables, lines, change, built })
}

/// Proves a plan that goes around failures. The report gets the figures of the plan as it stands, beside those without
/// failures. Returns the rules of the plan.
fn stand(
    project: &Project,
    lit: &LightMap,
    standing: Standing<'_>,
    report: &mut PlanReport,
    watch: Watch<'_>,
) -> Result<Tables, Error> {
    let proved = standing.prove(lit, project.fabric.fan_out(), watch)?;
    let load = standing.relay_load();
    let Recovered { report: recovery, lists, .. } = standing.recovered;
    let (accept, via) = (recovery.accept.clone(), recovery.via.clone());
    let (max_hops, mean_hops) = (proved.delivered.max_hops, proved.mean_hops());
    let verification = Verification::new(project.fabric.tors(), proved, None);
    report.without_failures = Some(WithoutFailures {
        relay_load: report.relay_load.replace(load),
        max_hops: std::mem::replace(&mut report.max_hops, max_hops),
        mean_hops: std::mem::replace(&mut report.mean_hops, mean_hops),
        parallel_sources: parallel_sources(&project.fabric, &project.design.fabric),
        verification: std::mem::replace(&mut report.verification, verification),
    });
    // It is an answer's, and no part of a plan: plans that were written before stay as they are.
    report.recovery = Some(RecoverReport { added_hops: Vec::new(), ..recovery });
    Ok(Tables::Listed { relays: lists, accept, via })
}

/// Number of hops that the router promises these sources.
pub fn promised_hops(project: &Project, sources: impl Iterator<Item = TorId>) -> u32 {
    router_kind(&project.design).promised_hops(&project.fabric, sources)
}

fn report(
    laid: &Laid,
    survey: &Survey,
    verification: Verification,
    watch: Watch<'_>,
) -> Result<PlanReport, Error> {
    let (project, wires) = (laid.project(), laid.plant());
    let design = &project.design;
    let trays = trays::reports(wires);
    let (housings, no_housings) = housings::reports(laid, watch)?;
    let platform = PlatformReport::new(&project.platform, &project.fabric, &project.placement);
    let warnings = concerns::warnings(&trays, &platform);
    Ok(PlanReport {
        family: design.fabric.family(),
        p: design.fabric.p(),
        k: design.fabric.k(),
        tors: project.fabric.tors(),
        cassettes: project.fabric.cassettes(),
        spare_racks: project.hall.racks_for_tors().len() - project.placement.switches().len(),
        router: design.router.name(),
        relay_load: survey.load.map(LoadReport::from),
        max_hops: survey.hops.max,
        mean_hops: survey.hops.mean(project.fabric.tors()),
        sampled_sources: survey.sampled,
        verification,
        without_failures: None,
        recovery: None,
        growth: None,
        as_built: None,
        housings,
        no_housings,
        warnings,
        platform,
        trays,
        unplaced: bill::unplaced(project),
        optical: Optical::NotAssessed,
        light: None,
        bill: None,
        to_order: None,
        totals: Vec::new(),
        assumed_prices: Vec::new(),
        catalogue: None,
    })
}
