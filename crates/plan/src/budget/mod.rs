//! Whether the light of a design arrives, branch by branch.

mod in_plan;
mod report;

use std::num::NonZeroUsize;

use lightloom_power_cost::mend::Alternatives;
use lightloom_power_cost::{Assessment, Case, Fan, Judge, Optics, Sampled, Verdict, sample};
use lightloom_request::{Error, InputError, MOST_THREADS};
use lightloom_topology::TorId;
use lightloom_units::{Db, Length};
use lightloom_watch::{Progress, Stopped};

use crate::optics::{DesignOptics, all_threads, case as case_named};
use crate::project::Project;
use crate::prove::check_size;
use crate::provenance::CatalogueReport;
use crate::wiring::{Far, WiringPlan};

pub use in_plan::{PlanCase, PlanLight};
pub use report::db;
pub use report::{
    BranchField, BranchReport, BudgetReport, ElementReport, MarginFrom, MendReport,
    MonteCarloReport, Tallied, WorstReport,
};

/// How a budget is asked for.
#[derive(Debug, Clone, Default)]
pub struct BudgetOptions {
    /// `worst` (where nothing is said), `typical` or `monte-carlo`.
    pub case: Option<String>,
    /// Threads for a Monte Carlo budget; as many as there are processors where nothing is said.
    pub threads: Option<NonZeroUsize>,
}

/// One branch of a wiring plan and its light.
pub struct Lit {
    pub from: TorId,
    pub to: TorId,
    pub feed: Length,
    pub branch: Length,
    pub light: Assessment,
    /// Share of draws that fail, of a Monte Carlo budget.
    pub failing: Option<f64>,
}

/// The light of all branches.
pub struct Lights {
    /// Branches that are longer than the transceiver's rated reach.
    pub beyond_reach: usize,
    pub branches: Vec<Lit>,
    /// Share of draws in which every branch closes.
    pub all_close: Option<f64>,
}

/// The branches of a wiring plan, splitter by splitter.
struct Branches {
    fans: Vec<Fan>,
    ends: Vec<(TorId, TorId)>,
}

impl Branches {
    fn of(wires: &WiringPlan<'_>) -> Self {
        let mut branches = Self { fans: Vec::new(), ends: Vec::new() };
        for cable in wires.cables() {
            match (cable.far, branches.fans.last_mut()) {
                // A plan lists each feed before its branches.
                (Far::SplitterInput, _) | (Far::Receiver { .. }, None) => {
                    branches.fans.push(Fan { feed: cable.length, branches: Vec::new() });
                }
                (Far::Receiver { tor, .. }, Some(fan)) => {
                    fan.branches.push(cable.length);
                    branches.ends.push((cable.from, tor));
                }
            }
        }
        branches
    }
}

/// The light of every branch of a wiring plan.
pub fn lights(
    wires: &WiringPlan<'_>,
    chosen: &DesignOptics,
    case: Case,
    threads: NonZeroUsize,
    progress: Progress<'_>,
) -> Result<Lights, Stopped> {
    let Branches { fans, ends } = Branches::of(wires);
    let judge = Judge::new(&chosen.optics);
    let (found, failing, all_close) = match case {
        Case::Worst | Case::Typical => (judge.fans(&fans, case), None, None),
        Case::MonteCarlo => {
            let of = fans.len() as u64;
            let mut told = |done: usize| progress(done as u64, of).is_ok();
            let sampled = sample(&judge, &fans, chosen.sampling.on(threads), &mut told);
            let Sampled { branches, failing, all_close } = sampled.ok_or(Stopped)?;
            (branches, Some(failing), Some(all_close))
        }
    };
    let lengths = fans.iter().flat_map(|fan| fan.branches.iter().map(|&branch| (fan.feed, branch)));
    let lit = |(i, ((&(from, to), light), (feed, branch)))| {
        let failing = failing.as_ref().map(|failing: &Vec<f64>| failing[i]);
        Lit { from, to, feed, branch, light, failing }
    };
    let mut branches: Vec<Lit> = ends.iter().zip(found).zip(lengths).enumerate().map(lit).collect();
    // Dispersion is not computed: the rated reach stands for it.
    let reach = chosen.optics.transceiver.reach;
    let mut beyond_reach = 0;
    for lit in &mut branches {
        if reach.is_some_and(|reach| lit.feed + lit.branch > reach) {
            beyond_reach += 1;
            lit.light.verdict = lit.light.verdict.max(Verdict::Warn);
        }
    }
    Ok(Lights { beyond_reach, branches, all_close })
}

impl Lights {
    /// The worst verdict.
    pub fn verdict(&self) -> Verdict {
        let verdicts = self.branches.iter().map(|lit| lit.light.verdict);
        verdicts.max().unwrap_or(Verdict::Unknown)
    }

    /// What is not known or not computed.
    pub fn gaps(&self, optics: &Optics) -> Vec<String> {
        let mut gaps = optics.gaps();
        if let (Some(reach), 1..) = (optics.transceiver.reach, self.beyond_reach) {
            gaps.push(format!(
                "{} branches are longer than the rated reach of {reach}; dispersion is not computed",
                self.beyond_reach
            ));
        }
        gaps
    }

    /// The least of a ratio over all branches that have it.
    pub fn least(&self, of: impl Fn(&Assessment) -> Option<Db>) -> Option<Db> {
        self.branches.iter().filter_map(|lit| of(&lit.light)).min()
    }

    /// Worst first: by verdict, then by the smaller of margin and headroom, then by the larger of
    /// them, then by the ToRs. A branch with less of one and not more of the other so comes first.
    pub fn sort(&mut self) {
        let key = |lit: &Lit| {
            let (margin, headroom) = (lit.light.margin, lit.light.headroom);
            let known = || margin.into_iter().chain(headroom);
            (std::cmp::Reverse(lit.light.verdict), known().min(), known().max(), lit.from, lit.to)
        };
        self.branches.sort_unstable_by_key(key);
    }
}

impl Project {
    /// The optics of the design, or those that are assumed, and what was assumed.
    pub fn optics_or_assumed(&self) -> Result<(DesignOptics, Vec<String>), InputError> {
        match &self.optics {
            Some(optics) => Ok((optics.clone(), Vec::new())),
            None => {
                let fan_out = self.fabric.fan_out();
                let assumed =
                    DesignOptics::assumed(&self.design.settings, &self.catalogue, fan_out)?;
                let note = format!(
                    "the design names no optics; {} of {} is assumed",
                    assumed.optics.transceiver.name, assumed.catalogue
                );
                Ok((assumed, vec![note]))
            }
        }
    }

    /// The optical budget of every branch, the worst first.
    ///
    /// # Errors
    /// [`InputError`] when the catalogue has no such optics, or for more threads than are run.
    pub fn budget(
        &self,
        options: &BudgetOptions,
        progress: Progress<'_>,
    ) -> Result<BudgetReport, Error> {
        check_size(self)?;
        let (chosen, assumed) = self.optics_or_assumed()?;
        let case = options.case.as_deref().map(case_named).transpose();
        let case = case.map_err(|error| error.in_field("--case"))?.unwrap_or(Case::Worst);
        let wires = WiringPlan::new(self.site(), self.design.housing, self.catalogue.stock());
        let threads = options.threads.unwrap_or_else(all_threads);
        if threads.get() > MOST_THREADS {
            let message = format!("found {threads}; expected 1 to {MOST_THREADS}");
            return Err(InputError::new(message).in_field("--threads").into());
        }
        let mut lights = lights(&wires, &chosen, case, threads, progress)?;
        lights.sort();
        let alternatives = self.alternatives(&chosen)?;
        let catalogue = CatalogueReport::new(&chosen, self.catalogue.price());
        Ok(BudgetReport::new(&lights, case, &chosen, &alternatives, assumed, catalogue))
    }

    /// Other transceivers of the same rate, and splitters with fewer outputs.
    fn alternatives(&self, chosen: &DesignOptics) -> Result<Alternatives, InputError> {
        let parts = &self.catalogue.parts;
        let now = &chosen.optics.transceiver;
        let others = parts.transceivers_at(now.rate);
        let others = others.filter(|other| other.name != now.name && other.fibres == 1);
        let smaller = (2..self.fabric.fan_out()).filter_map(|p| parts.splitter(p, None).ok());
        Ok(Alternatives::new(&chosen.optics, others.cloned().collect(), smaller.collect()))
    }
}
