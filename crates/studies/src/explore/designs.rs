//! Builds, assesses and prices designs one after the other.

use lightloom_design::design::RouterChoice;
use lightloom_design::family::FabricSpec;
use lightloom_design::optics::{
    DEFAULT_RATE, DesignOptics, Setup, named_transceiver, side_by_side,
};
use lightloom_design::pads::fitted;
use lightloom_plan::assumed;
use lightloom_plan::bill::{self, TotalReport};
use lightloom_plan::budget::{Lights, db, fans, lights, pad_text};
use lightloom_plan::candidate::Open;
use lightloom_plan::facts::{FabricFacts, facts};
use lightloom_plan::laid::Laid;
use lightloom_plan::project::Project;
use lightloom_plan::provenance::CatalogueReport;
use lightloom_plan::routes::relay_rows;
use lightloom_plan::trays::{self, TrayReport};
use lightloom_plant::Scheme;
use lightloom_power_cost::parts::{Splitter, Transceiver};
use lightloom_power_cost::{Basket, Case, Lookup, Verdict};
use lightloom_request::setting;
use lightloom_request::{Error, InputError};
use lightloom_units::{BitRate, Db};
use lightloom_watch::Watch;

use crate::deal::deal;
use crate::explore::limits::Limits;
use crate::explore::report::{DesignReport, RejectedReport};
use crate::explore::schemes::schemes;

/// Fan-outs that are tried.
const FAN_OUTS: std::ops::RangeInclusive<u32> = 2..=32;

/// A design with its report and catalogue rows.
#[derive(Clone)]
pub(super) struct Found {
    pub(super) design: DesignReport,
    pub(super) catalogue: CatalogueReport,
    /// The parts with their prices.
    pub(super) basket: Basket,
    /// The assumed prices of its parts.
    pub(super) assumed: Vec<String>,
}

/// What all designs share.
pub(super) struct SearchSpace<'a> {
    /// The smallest fabric.
    project: &'a Project,
    open: Open<'a>,
    pub(super) limits: &'a Limits,
    pub(super) rate: BitRate,
    transceivers: Vec<Transceiver>,
    setup: Setup,
    /// Name of the splitter in the settings.
    splitter: Option<String>,
    schemes: Vec<Scheme>,
    /// Least margin of a design, if the request says one.
    least_margin: Option<Db>,
    pub(super) assumed: Vec<String>,
    unfit: Vec<RejectedReport>,
}

type Sorted = (Vec<Found>, Vec<RejectedReport>);

impl<'a> SearchSpace<'a> {
    /// Chooses the transceivers: the named one, or all at the rate.
    pub(super) fn new(
        project: &'a Project,
        open: Open<'a>,
        limits: &'a Limits,
    ) -> Result<Self, InputError> {
        let settings = &project.design().settings;
        let catalogue = project.catalogue();
        let parts = &catalogue.parts;
        let said_rate = settings.get(&setting::optics::RATE)?;
        let name = settings.get(&setting::optics::TRANSCEIVER)?;
        let mut assumed = Vec::new();
        if name.is_none() && said_rate.is_none() {
            assumed.push(format!("the request names no rate; {DEFAULT_RATE} is assumed"));
        }
        let rate = said_rate.unwrap_or(DEFAULT_RATE);
        let all: Vec<Transceiver> = match name {
            Some(_) => vec![named_transceiver(settings, catalogue)?.clone()],
            None => parts.transceivers_at(rate).cloned().collect(),
        };
        let rate = all.first().map_or(rate, |transceiver| transceiver.rate);
        if all.is_empty() {
            let known = parts.transceivers.keys().cloned().collect::<Vec<_>>().join(", ");
            let message = format!(
                "{} has no transceiver at {rate}; it has {known}",
                project.catalogue().name
            );
            return Err(settings.refuse(&setting::optics::RATE, message));
        }
        let mut unfit = Vec::new();
        let mut transceivers = Vec::new();
        for transceiver in all {
            match side_by_side(&transceiver) {
                None => transceivers.push(transceiver),
                Some(reason) => unfit.push(RejectedReport {
                    family: None,
                    p: None,
                    housing: None,
                    cabling: None,
                    transceiver: Some(transceiver.name.clone()),
                    reasons: vec![reason],
                }),
            }
        }
        let setup = Setup::read(settings, catalogue)?;
        let currency = catalogue.currency;
        if let Some(most) = limits.max_cost.filter(|most| most.currency() != currency) {
            let message = format!("found {most}; the catalogue's prices are in {currency}");
            return Err(InputError::new(message).in_option("max_cost"));
        }
        let splitter = settings.get(&setting::optics::SPLITTER)?;
        if let Some(name) = splitter.as_ref().filter(|name| !parts.splitters.contains_key(*name)) {
            let known = parts.splitters.keys().cloned().collect::<Vec<_>>().join(", ");
            let message = format!("found {name:?}; the catalogue has: {known}");
            return Err(settings.refuse(&setting::optics::SPLITTER, message));
        }
        let schemes = schemes(project)?;
        let least_margin = settings.get(&setting::optics::MARGIN)?;
        Ok(Self {
            project,
            open,
            limits,
            rate,
            transceivers,
            setup,
            splitter,
            schemes,
            least_margin,
            assumed,
            unfit,
        })
    }

    pub(super) fn tors(&self) -> usize {
        self.project.fabric().tors()
    }

    /// The catalogue without rows in use.
    pub(super) fn catalogue(&self) -> CatalogueReport {
        let catalogue = self.project.catalogue();
        CatalogueReport::without_rows(&catalogue.name, catalogue)
    }

    /// All fabrics for the ToRs, and those that no number of ToRs allows.
    pub(super) fn all(&self) -> (Vec<FabricSpec>, Vec<RejectedReport>) {
        let tors = u32::try_from(self.tors()).unwrap_or(u32::MAX);
        let (mut specs, mut rejected) = (Vec::new(), Vec::new());
        for p in FAN_OUTS {
            for found in FabricSpec::with_tors(p, tors) {
                match found {
                    Ok(spec) => specs.push(spec),
                    Err((family, reason)) => rejected.push(RejectedReport {
                        family: Some(family),
                        p: Some(p),
                        housing: None,
                        cabling: None,
                        transceiver: None,
                        reasons: vec![reason],
                    }),
                }
            }
        }
        (specs, rejected)
    }

    /// Explores the designs of these fabrics, and separates those within the limits from the others, which join
    /// those that are rejected already. `so_far` receives the explored designs repeatedly.
    pub(super) fn explore(
        &self,
        specs: &[FabricSpec],
        mut rejected: Vec<RejectedReport>,
        watch: Watch<'_>,
        so_far: &dyn Fn(&dyn Fn() -> Explored),
    ) -> Result<Explored, Error> {
        rejected.splice(0..0, self.unfit.iter().cloned());
        let mut told = |answers: &[Result<Sorted, Error>], of: usize| {
            so_far(&|| {
                let mut explored = Explored::new(&rejected, of - answers.len());
                answers.iter().flatten().for_each(|answer| explored.add(answer.clone()));
                explored
            });
            watch.progress(answers.len() as u64, of as u64)
        };
        let answers = deal(specs, 1, &mut told, |spec| self.designs(spec))?;
        let mut explored = Explored::new(&rejected, 0);
        for answer in answers {
            explored.add(answer?);
        }
        Ok(explored)
    }

    /// The designs of one fabric: every housing and cabling, every transceiver.
    fn designs(&self, spec: &FabricSpec) -> Result<Sorted, Error> {
        let reject =
            |scheme: Option<Scheme>, transceiver: Option<&Transceiver>, reasons| RejectedReport {
                family: Some(spec.family()),
                p: Some(spec.p()),
                housing: scheme.map(|scheme| scheme.housing),
                cabling: scheme.map(|scheme| scheme.cabling),
                transceiver: transceiver.map(|transceiver| transceiver.name.clone()),
                reasons,
            };
        let candidate = match (self.open)(spec) {
            Ok(candidate) => candidate.routed(RouterChoice::usual(spec)),
            Err(error) => {
                return Ok((vec![], vec![reject(None, None, vec![error.message.to_string()])]));
            }
        };
        let project = candidate.project();
        let mut rows = relay_rows(project.fabric(), project.design())?;
        let facts = facts(project.fabric(), project.design(), &mut rows, Watch::quiet())?;
        drop(rows);
        let (mut found, mut rejected) = (Vec::new(), Vec::new());
        for &scheme in &self.schemes {
            let project = match candidate.housed(scheme) {
                Ok(project) => project,
                // Designs with more frames may need a wider hall.
                Err(error) => {
                    rejected.push(reject(Some(scheme), None, vec![error.message.to_string()]));
                    continue;
                }
            };
            let laid = match project.laid() {
                Ok(laid) => laid,
                Err(error) => {
                    rejected.push(reject(Some(scheme), None, vec![error.message.to_string()]));
                    continue;
                }
            };
            let trays = trays::reports(laid.plant());
            // The fullest tray comes first.
            let overflow = trays.first().filter(|tray| tray.overflows()).map(TrayReport::fault);
            for transceiver in &self.transceivers {
                let splitter = self.splitter(spec.p());
                let splitter = match splitter {
                    Ok(splitter) => splitter,
                    Err(error) => {
                        let reasons = vec![error.to_string()];
                        rejected.push(reject(Some(scheme), Some(transceiver), reasons));
                        continue;
                    }
                };
                let chosen = DesignOptics::with(
                    &self.setup,
                    project.catalogue(),
                    transceiver,
                    splitter,
                    scheme,
                )?;
                let chosen = fitted(chosen, project.catalogue(), || Ok(fans(laid.plant())))?;
                let design = self.design(&laid, &trays, &facts, &chosen)?;
                let mut reasons = self.broken_by_light(&design.design);
                reasons.extend(overflow.clone());
                let lit = candidate.lit(&project, chosen);
                reasons.extend(lit.err().map(|error| error.message.to_string()));
                reasons.extend(self.limits.broken_by(&design.design));
                if reasons.is_empty() {
                    found.push(design);
                } else {
                    rejected.push(reject(Some(scheme), Some(transceiver), reasons));
                }
            }
        }
        Ok((found, rejected))
    }

    /// Why the light of a design does not arrive for certain, in sentences.
    fn broken_by_light(&self, design: &DesignReport) -> Vec<String> {
        let mut broken = Vec::new();
        let (margin, headroom) = (design.worst_margin_db, design.worst_headroom_db);
        let with = design.pad.as_ref().map_or_else(String::new, |pad| format!(" with pad {pad}"));
        let fails = design.verdict == Verdict::Fail;
        if let Some(weak) = margin.filter(|&margin| margin < 0.0 && fails) {
            broken.push(format!("the light is {:.2} dB too weak{with}", -weak));
        }
        if let Some(strong) = headroom.filter(|&headroom| headroom < 0.0) {
            broken.push(format!("the light is {:.2} dB too strong{with}", -strong));
        }
        match design.verdict {
            Verdict::Fail if broken.is_empty() && self.limits.case == Case::MonteCarlo => {
                broken.push("too many draws are too weak or too strong".into());
            }
            Verdict::Fail if broken.is_empty() => broken.extend(design.hazards.clone()),
            Verdict::Unknown => broken.extend(design.gaps.clone()),
            _ => {}
        }
        let below = self.least_margin.filter(|least| margin.is_some_and(|m| m < least.get()));
        if let (Some(least), Some(margin)) = (below, margin.filter(|&margin| margin >= 0.0)) {
            broken.push(format!("margin {margin:.2} dB, less than {least}"));
        }
        broken
    }

    /// The splitter with a fan-out. The splitter in the settings is used if it has that fan-out.
    fn splitter(&self, fan_out: u32) -> Result<Splitter, Lookup> {
        let parts = &self.project.catalogue().parts;
        let named = self.splitter.as_deref();
        let fits =
            |name: &&str| parts.splitters.get(*name).is_some_and(|row| row.fan_out == fan_out);
        parts.splitter(fan_out, named.filter(fits))
    }

    fn design(
        &self,
        laid: &Laid,
        trays: &[TrayReport],
        facts: &FabricFacts,
        chosen: &DesignOptics,
    ) -> Result<Found, Error> {
        let (project, wires) = (laid.project(), laid.plant());
        let lights: Lights =
            lights(wires, chosen, self.limits.case, std::num::NonZeroUsize::MIN, Watch::quiet())?;
        let lines = bill::lines(laid, Some(chosen))?;
        let total: TotalReport = bill::total(&lines, &chosen.catalogue)?;
        let totals = wires.totals();
        let fabric = project.fabric();
        let ports = fabric.tor_ids().map(|tor| fabric.transceivers(tor)).max().unwrap_or(0);
        let design = DesignReport {
            family: facts.family,
            p: facts.p,
            k: facts.k,
            housing: wires.housing(),
            cabling: wires.scheme().cabling,
            transceiver: chosen.optics.transceiver.name.clone(),
            max_hops: facts.max_hops,
            mean_hops: facts.mean_hops,
            parallel_sources: facts.parallel_sources,
            ports_per_tor: ports,
            transceivers: facts.transceivers,
            fibre_m: totals.length.as_m(),
            long_runs: totals.long_runs,
            cables_beyond_rows: totals.beyond_rows,
            fullest_tray_percent: trays.first().map_or(0.0, |tray| tray.fill_percent),
            rack_units: wires.shelves().len(),
            power_w: total.power_w.filter(|_| total.all_powered()),
            cost_usd: total.cost_usd,
            cost: total.cost,
            may_exceed: self.limits.max_cost.is_some_and(|most| match &total.range {
                Some(range) => range.high.is_none_or(|high| high > most),
                None => true,
            }),
            cost_range: total.range,
            cost_over_first: None,
            cost_compares: bill::priced_but_housings(&lines),
            priced_as: chosen.priced_as.clone().filter(|_| chosen.optics.splitter.price.is_some()),
            missing: total.missing,
            worst_margin_db: lights.least(|light| light.margin).map(db),
            worst_headroom_db: lights.least(|light| light.headroom).map(db),
            gaps: lights.gaps(&chosen.optics),
            pad: pad_text(&chosen.optics),
            hazards: lights.hazards(&chosen.optics),
            verdict: lights.verdict(),
            pareto: false,
            pareto_open: false,
        };
        let catalogue = CatalogueReport::new(chosen, project.catalogue())
            .with_parts(project.catalogue(), &lines);
        let basket = Basket::of(&bill::priced(&lines));
        let assumed = assumed::of_prices(&lines).into_iter().map(|one| one.value).collect();
        Ok(Found { design, catalogue, basket, assumed })
    }
}

/// All explored designs.
pub(super) struct Explored {
    /// Designs within the limits.
    pub(super) found: Vec<Found>,
    /// Designs that break a limit.
    pub(super) rejected: Vec<RejectedReport>,
    /// Number of fabrics that are not explored yet.
    pub(super) unexplored: usize,
}

impl Explored {
    fn new(rejected: &[RejectedReport], unexplored: usize) -> Self {
        Self { found: Vec::new(), rejected: rejected.to_vec(), unexplored }
    }

    fn add(&mut self, (good, bad): Sorted) {
        self.found.extend(good);
        self.rejected.extend(bad);
    }
}
