//! Optical budgets of a design, branch by branch.

mod branch;
mod in_plan;
mod in_words;
mod lights;
mod report;
mod spec;
mod traced;

use std::num::NonZeroUsize;

use lightloom_design::optics::{DesignOptics, all_threads};
use lightloom_design::pads::fitted;
use lightloom_power_cost::Case;
use lightloom_power_cost::mend::Alternatives;
use lightloom_request::{Error, InputError, MOST_THREADS};
use lightloom_watch::Watch;

use crate::laid::{Laid, check_size};
use crate::memory::Work;
use crate::project::Project;
use crate::provenance::CatalogueReport;

pub use branch::{BranchField, BranchReport, MendReport, db, pad_text, padded_text};
pub use in_plan::{PlanCase, PlanLight};
pub use lights::{Lights, Lit, fans, lights};
pub use report::{
    BudgetReport, ComparedReport, ElementReport, MarginFrom, MonteCarloReport, ReflectorReport,
    Tallied, WorstReport,
};
pub use spec::{DemandReport, SpecReport, SplitterDemand};
pub use traced::{Asked, TracedLight, traced};

/// Options of a budget.
#[derive(Debug, Clone, Default)]
pub struct BudgetOptions {
    /// The case (default: worst).
    pub case: Option<Case>,
    /// Threads for a Monte Carlo budget (default: number of processors).
    pub threads: Option<NonZeroUsize>,
}

impl BudgetOptions {
    /// Threads for a Monte Carlo budget.
    pub fn threads(&self) -> Result<NonZeroUsize, InputError> {
        let threads = self.threads.unwrap_or_else(all_threads);
        if threads.get() > MOST_THREADS {
            let message = format!("found {threads}; expected 1 to {MOST_THREADS}");
            return Err(InputError::new(message).in_option("threads"));
        }
        Ok(threads)
    }
}

impl Laid {
    /// The optics of the design, or assumed ones with sentences about the assumptions.
    ///
    /// # Errors
    /// [`InputError`] if the catalogue lacks the optics. A plan keeps only the catalogue rows of its own optics, so
    /// nothing is assumed for a plan without optics.
    pub fn optics_or_assumed(&self) -> Result<(DesignOptics, Vec<String>), InputError> {
        let project = self.project();
        match &project.optics {
            Some(optics) => Ok((DesignOptics::clone(optics), Vec::new())),
            None if project.request.is_none()
                && project.catalogue.parts.transceivers.is_empty() =>
            {
                let message = "the plan names no optics, so its light and its cost are not known; name a transceiver \
                               or a rate in its design, and plan it again";
                Err(InputError::new(message).in_field("optics"))
            }
            None => {
                let (design, catalogue) = (&project.design, &project.catalogue);
                let fan_out = project.fabric.fan_out();
                let assumed =
                    DesignOptics::assumed(&design.settings, catalogue, fan_out, design.scheme)?;
                let note = format!(
                    "the design names no optics; {} of {} is assumed",
                    assumed.optics.transceiver.name, assumed.catalogue
                );
                Ok((fitted(assumed, catalogue, || Ok(fans(self.plant())))?, vec![note]))
            }
        }
    }

    /// Optical budget of every branch, worst first.
    ///
    /// # Errors
    /// [`InputError`] if the catalogue lacks the optics, or if the number of threads is out of range.
    pub fn budget(&self, options: &BudgetOptions, watch: Watch<'_>) -> Result<BudgetReport, Error> {
        let project = self.project();
        project.check_memory(Work::Budgeted)?;
        let (chosen, assumed) = self.optics_or_assumed()?;
        let case = options.case.unwrap_or(Case::Worst);
        let threads = options.threads()?;
        let mut lights = lights(self.plant(), &chosen, case, threads, watch)?;
        lights.sort();
        let alternatives = project.alternatives(&chosen)?;
        let catalogue = CatalogueReport::new(&chosen, &project.catalogue);
        Ok(BudgetReport::new(&lights, case, &chosen, &alternatives, assumed, catalogue))
    }
}

impl Project {
    /// As [`Laid::budget`], of a project that is laid for it.
    ///
    /// # Errors
    /// As [`Laid::budget`], and as [`Self::laid`].
    pub fn budget(&self, options: &BudgetOptions, watch: Watch<'_>) -> Result<BudgetReport, Error> {
        check_size(self)?;
        self.check_memory(Work::Budgeted)?;
        self.laid()?.budget(options, watch)
    }

    /// Other transceivers at the same rate, and splitters with fewer outputs.
    pub fn alternatives(&self, chosen: &DesignOptics) -> Result<Alternatives, InputError> {
        let parts = &self.catalogue.parts;
        let now = &chosen.optics.transceiver;
        let others = parts.transceivers_at(now.rate);
        let others = others.filter(|other| other.name != now.name && other.fibres == 1);
        let smaller = (2..self.fabric.fan_out()).filter_map(|p| parts.splitter(p, None).ok());
        let at = chosen.optics.pad.as_ref().map_or(chosen.pad_at, |fitted| fitted.at);
        let pads = (parts.pads.values().cloned().collect(), at);
        Ok(Alternatives::new(&chosen.optics, others.cloned().collect(), smaller.collect(), pads))
    }
}
