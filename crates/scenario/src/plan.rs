//! Making a plan: wires, rules, proof, files, in that order; nothing is written before the proof.

use std::path::{Path, PathBuf};

use lightloom_export::folder::{self, Files};
use lightloom_export::rules::Rules;
use lightloom_export::{FibrePrice, Housing, WiringPlan, bom, cables, ports, pull_sheet, rules};
use lightloom_routing::failure::Damage;
use lightloom_routing::sample;
use lightloom_routing::survey::Survey;
use lightloom_routing::verify::{
    Accept, Demand, InstalledRules, LightMap, Unproved, Via, verify_all, verify_sample,
};
use lightloom_topology::TorId;
use lightloom_topology::fabric::MAX_TORS;
use serde::Serialize;

use crate::assumed::{self, Assumption};
use crate::bill::{self, TotalReport, UnplacedReport};
use crate::budget::PlanLight;
use crate::document::PlanDocument;
use crate::facts::{DoubledReport, LoadReport, doubled_report, other_family};
use crate::provenance::CatalogueReport;
use crate::recover::Recovered;
use crate::routes::router_kind;
use crate::trays::{self, TrayReport, Warning};
use crate::verify::{Sample, light_map_of};
use crate::{
    Error, FabricFacts, InputError, InventoryReport, Progress, Project, RecoverReport, Stopped,
    Verification, labels,
};

/// The files of a plan folder.
pub const PLAN_FILES: [&str; 6] =
    [cables::FILE, ports::FILE, bom::FILE, pull_sheet::FILE, rules::FILE, PlanDocument::FILE];

/// The most fibres that a plan lists.
const MAX_FIBRES: u64 = 1 << 24;

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

/// What a plan has beside it in the summary, and not in its files.
#[derive(Debug, Clone, Serialize)]
pub struct Planned {
    /// What was planned and proved.
    #[serde(flatten)]
    pub report: PlanReport,
    /// Where it was written.
    pub out: PathBuf,
    /// What the plan assumes because nobody said it.
    pub assumed: Vec<Assumption>,
    /// The other family for the same ToRs and splitter.
    pub other_family: Option<FabricFacts>,
    /// The paper's answer where the number fits no Shufflecast.
    pub doubled: Option<DoubledReport>,
    /// How the inventory was read, where there is one.
    pub inventory: Option<InventoryReport>,
}

/// Checks that a plan may be written to `out`, and mends what an interrupted run left there. [`plan`]
/// does so too, at its end; call this first, before any work is done.
///
/// # Errors
/// [`Error::Folder`] when it may not.
pub fn check_out(out: &Path) -> Result<(), Error> {
    Ok(folder::check(out, &PLAN_FILES, PlanDocument::FILE)?)
}

/// Plans, proves and writes.
///
/// # Errors
/// [`Error`]; `out` is then as it was.
pub fn plan(project: &Project, out: &Path, progress: Progress<'_>) -> Result<Planned, Error> {
    let settings = &project.design.settings;
    if project.optics.is_none() && settings.has_section("optics") {
        let message = "is missing; name one, or a rate, so that the light can be assessed";
        return Err(settings.refuse("optics.transceiver", message).into());
    }
    let wires = lay(project)?;
    trays::refuse_overfull(project, &wires)?;
    let (report, files) = make(project, &wires, progress)?;
    let (other_family, doubled) = (other_family(project, progress)?, doubled_report(project));
    write_folder(out, &files, (&PLAN_FILES, PlanDocument::FILE), progress)?;
    let of_proof = assumed::of_proof(&report.verification);
    let assumed = project.assumed.iter().cloned().chain(of_proof).collect();
    let (out, inventory) = (out.to_path_buf(), project.inventory_report());
    Ok(Planned { report, out, assumed, other_family, doubled, inventory })
}

/// Replaces a folder, which may hold what is known, in one step, unless the work is stopped before that.
pub(crate) fn write_folder(
    out: &Path,
    files: &Files,
    (known, mark): (&[&str], &str),
    progress: Progress<'_>,
) -> Result<(), Error> {
    let written = folder::write_if(out, files, known, mark, &mut || progress(1, 1).is_ok())?;
    if written { Ok(()) } else { Err(Stopped.into()) }
}

/// Refuses what is too large to list fibre by fibre.
pub(crate) fn check_size(project: &Project) -> Result<(), InputError> {
    let fibres = project.fabric.branch_fibres() + project.fabric.tors() as u64;
    if fibres <= MAX_FIBRES {
        return Ok(());
    }
    let message = format!(
        "the plan would list {fibres} fibres; at most {MAX_FIBRES} are listed (fabrics of up to \
         {MAX_TORS} ToRs can be asked about without a plan)"
    );
    Err(project.design.settings.refuse("fabric.tors", message))
}

/// Every fibre of a project.
pub(crate) fn lay(project: &Project) -> Result<WiringPlan<'_>, InputError> {
    check_size(project)?;
    Ok(WiringPlan::new(project.site(), project.design.housing, project.catalogue.stock()))
}

/// A verified plan and its files. Whether its trays have room is the caller's to judge.
pub(crate) fn make(
    project: &Project,
    wires: &WiringPlan<'_>,
    progress: Progress<'_>,
) -> Result<(PlanReport, Files), Error> {
    labels::prove(wires)?;
    let fabric = &project.fabric;
    let mut rows = project.relay_rows()?;
    let survey = Survey::new(fabric, router_kind(&project.design), &mut rows, progress)?;
    let wiring = light_map_of(fabric.tors(), wires.cables());
    let (verified, rules_file) = match rows.tables() {
        Some(tables) => {
            let lists = tables.sources_by_relay(fabric);
            let installed = InstalledRules::of_lists(&lists);
            let sound = Damage::new(fabric, &[]).map_err(InputError::new)?;
            let bound = Some(promised_hops(project, fabric.tor_ids()));
            let demand = Demand { damage: &sound, bound, gives_up: false };
            let verified = verify_all(&wiring, fabric.fan_out(), &installed, &demand, progress);
            let (accept, via) = (&Accept::new(), &Via::new());
            let verified = verified.map(|proved| Verification::new(fabric.tors(), proved, None));
            (verified, rules::json(Rules { relays: &lists, accept, via }))
        }
        None => {
            let row = |source| rows.row(source, fabric.cassettes());
            let sources = sample::tors(fabric, sample::SOURCES);
            let bound = promised_hops(project, sources.iter().copied());
            let verified = verify_sample(&wiring, fabric.fan_out(), &sources, bound, row, progress);
            let drawn = Sample::new(sources);
            let verified =
                verified.map(|proved| Verification::new(fabric.tors(), proved, Some(drawn)));
            (verified, rules::router_json(project.design.router.name()))
        }
    };
    let verification = verified?;
    let mut report = report(project, &survey, verification, wires)?;
    let mut rules_file = rules_file;
    if let Some((failed, method)) = &project.recovery {
        let Recovered { report: recovery, lists } =
            project.recovered(&project.recovery_base()?, failed, *method)?;
        prove_recovered(project, &wiring, &lists, &recovery, progress)?;
        let (accept, via) = (&recovery.accept, &recovery.via);
        rules_file = rules::json(Rules { relays: &lists, accept, via });
        report.recovery = Some(recovery);
    }
    let lines = bill::lines(project, wires, project.optics.as_ref())?;
    if let Some(chosen) = &project.optics {
        let light = PlanLight::of(wires, chosen, progress)?;
        report.optical = light.verdict.name();
        report.light = Some(light);
        report.bill = Some(bill::total(&lines, &chosen.catalogue)?);
        let spares = project.design.spares_percent;
        report.to_order = Some(bill::to_order(&lines, spares, &chosen.catalogue)?);
        report.catalogue = Some(CatalogueReport::new(chosen, project.catalogue.price()));
    }
    let document = PlanDocument::new(project, &report);
    let files = vec![
        (cables::FILE, cables::csv(wires, &bill::on_fibres(project.optics.as_ref()))),
        (ports::FILE, ports::csv(wires)),
        (bom::FILE, bom::csv(&lines, project.design.spares_percent)),
        (pull_sheet::FILE, pull_sheet::csv(wires)),
        (rules::FILE, rules_file),
        (PlanDocument::FILE, document.to_bytes()),
    ];
    Ok((report, files))
}

/// Proves what the files of a recovered plan will say: everybody whom light can still reach gets one
/// copy. The recovery proves each state of its rollout, and is not asked here.
fn prove_recovered(
    project: &Project,
    wiring: &LightMap,
    lists: &[Vec<TorId>],
    recovery: &RecoverReport,
    progress: Progress<'_>,
) -> Result<(), Error> {
    let Some((failed, method)) = &project.recovery else { return Ok(()) };
    let fabric = &project.fabric;
    let rules = InstalledRules::of_lists(lists).with(recovery.accept.clone(), recovery.via.clone());
    let damage = failed.damage(project)?;
    let demand = Demand { damage: &damage, bound: None, gives_up: method.gives_up() };
    match verify_all(wiring, fabric.fan_out(), &rules, &demand, progress) {
        // Algorithm 2 makes no promise for several failures.
        Err(Unproved::Violation(fault)) if method.gives_up() => Err(Error::PlanRejected(format!(
            "{fault}; method algorithm2 leaves it so, replan does not"
        ))),
        proved => proved.map(|_| ()).map_err(Error::from),
    }
}

/// The hops that routing promises these sources.
pub(crate) fn promised_hops(project: &Project, sources: impl Iterator<Item = TorId>) -> u32 {
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
