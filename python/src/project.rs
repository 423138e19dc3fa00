//! A design, opened, and everything that is asked of it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use lightloom::designs;
use lightloom::failures::{self, FailureSet, recovery_method, repairs};
use lightloom::light::BudgetOptions;
use lightloom::plan::{self, ParallelSoFar, check_out, plan};
use lightloom::{Error, Memory, Texts, TorId, Watch, read_option};
use pyo3::prelude::*;
use serde::Serialize;

use crate::arrays::{Branches, Lengths, Numbers, Places, Rows, Stretches};
use crate::asking::{ask, json, planned};
use crate::budgets::Budgeted;
use crate::kept::Kept;
use crate::long::{Answer, Progress, long, plain, planning, quiet};
use crate::requests::InFolder;
use crate::{arrays, compared, errors, many, netbox, placing, requests};

/// An opened design. Users see it as `lightloom.Fabric`.
#[pyclass(frozen, module = "lightloom._lightloom")]
pub(crate) struct Project(Arc<lightloom::Project>);

impl Project {
    pub(crate) fn of(project: lightloom::Project) -> Self {
        Self(Arc::new(project))
    }

    /// The opened design.
    pub(crate) fn cloned(&self) -> lightloom::Project {
        lightloom::Project::clone(&self.0)
    }

    /// The report that answers a question, asked on a thread.
    pub(crate) fn ask<T: Serialize>(
        &self,
        progress: &Progress<'_>,
        question: impl FnOnce(&lightloom::Project, Watch<'_>) -> Result<T, Error> + Send + 'static,
    ) -> Answer {
        let project = Arc::clone(&self.0);
        ask(progress, move |watch| question(&project, watch))
    }

    /// A ToR of this fabric.
    fn tor_id(&self, py: Python<'_>, tor: u32) -> PyResult<TorId> {
        // The prefix says that it is a number, whatever racks are called.
        let found = self.0.tor(&format!("tor:{tor}"));
        found.map_err(|error| errors::input(py, &error))
    }
}

#[pymethods]
impl Project {
    /// Opens a request: values by key, over those of a design file; `files` stand in for files.
    #[new]
    fn new(
        py: Python<'_>,
        said: Vec<(String, requests::Said)>,
        design: Option<PathBuf>,
        files: BTreeMap<PathBuf, String>,
    ) -> PyResult<Self> {
        let request = requests::request(py, said, design, Texts::keeping(files))?;
        planning(py, move |_| lightloom::open(&request)).map(Self::of)
    }

    /// The project that `document` has written, or that a `plan.json` describes.
    #[staticmethod]
    fn restore(py: Python<'_>, document: String) -> PyResult<Self> {
        planning(py, move |_| plan::restore(&document)).map(Self::of)
    }

    /// The project that a plan's folder describes, and the text of its `plan.json`.
    #[staticmethod]
    fn open_plan(py: Python<'_>, folder: InFolder) -> PyResult<(Self, String)> {
        let (project, text) = planning(py, move |_| plan::open_plan(folder.plan()?))?;
        Ok((Self::of(project), text))
    }

    /// The project that a plan's folder describes. Its files must be what its `plan.json` says.
    #[staticmethod]
    fn open_written(py: Python<'_>, folder: InFolder) -> PyResult<Self> {
        planning(py, move |watch| plan::open_written(folder.plan()?, watch)).map(Self::of)
    }

    /// The project with the rules of a recovery from failures.
    fn recovered(
        &self,
        py: Python<'_>,
        failed: &str,
        method: Option<&str>,
        objective: Option<&str>,
    ) -> PyResult<Self> {
        let recovered = recovery_method(method, objective).and_then(|method| {
            Ok(self.cloned().recovered_by(FailureSet::parse(&self.0, failed)?, method))
        });
        recovered.map(Self::of).map_err(|error| errors::input(py, &error))
    }

    /// The project as one text.
    fn document(&self, py: Python<'_>) -> PyResult<String> {
        let project = Arc::clone(&self.0);
        planning(py, move |_| plan::document(&project))
    }

    /// Whether another project is the same in all that can be built and asked.
    fn same_as(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        let (one, other) = (Arc::clone(&self.0), Arc::clone(&other.0));
        plain(py, move |_| one.same_as(&other))
    }

    /// The memory that work may take; none: it was not set.
    #[getter]
    fn memory(&self) -> Option<String> {
        match self.0.design().memory {
            Memory::Allowed(most) => Some(format!("{} B", most.as_bytes())),
            Memory::Left(_) | Memory::Unknown => None,
        }
    }

    #[getter]
    fn family(&self) -> &'static str {
        self.0.design().fabric.family().name()
    }

    #[getter]
    fn p(&self) -> u32 {
        self.0.fabric().fan_out()
    }

    #[getter]
    fn k(&self) -> Option<u32> {
        self.0.design().fabric.k()
    }

    #[getter]
    fn tors(&self) -> usize {
        self.0.fabric().tors()
    }

    #[getter]
    fn cassettes(&self) -> usize {
        self.0.fabric().cassettes()
    }

    #[getter]
    fn router(&self) -> &'static str {
        self.0.design().router.name().name()
    }

    #[getter]
    fn extra_hops(&self) -> u32 {
        self.0.design().router.extra_hops()
    }

    #[getter]
    fn housing(&self) -> &'static str {
        self.0.design().scheme.housing.name()
    }

    /// The rack of each ToR.
    fn tor_names(&self) -> Vec<&str> {
        self.0.fabric().tor_ids().map(|tor| self.0.tor_name(tor)).collect()
    }

    /// The ToR that a text names (`12`, `tor:12`, `R7`, `rack:R7`); `field` is for messages.
    fn tor(&self, py: Python<'_>, text: &str, field: &str) -> PyResult<u32> {
        let found = self.0.tor(text).map_err(|error| error.in_field(field));
        found.map(|tor| tor.0).map_err(|error| errors::input(py, &error))
    }

    /// The ToRs that a text names, separated by commas; `field` is for messages.
    fn tors_listed(&self, py: Python<'_>, text: &str, field: &str) -> PyResult<Vec<u32>> {
        let found = self.0.tors(text).map_err(|error| error.in_field(field));
        let numbers = found.map(|tors| tors.into_iter().map(|tor| tor.0).collect());
        numbers.map_err(|error| errors::input(py, &error))
    }

    /// Three numbers for each ToR: the ToR, the cassette that feeds it, the one that it transmits into.
    fn edges<'py>(&self, py: Python<'py>) -> PyResult<Rows<'py>> {
        arrays::edges(py, &self.0)
    }

    /// The relay row and the hops of a source's tree. `source` is one of this fabric.
    fn tree<'py>(&self, py: Python<'py>, source: u32) -> PyResult<(Numbers<'py>, Numbers<'py>)> {
        let source = self.tor_id(py, source)?;
        arrays::tree(py, &self.0, source)
    }

    /// The relay rows and the hops of these sources, or of all, a row each.
    fn trees(&self, sources: Option<Vec<u32>>, progress: Progress<'_>) -> Answer {
        many::many_trees(&self.0, sources, &progress)
    }

    /// The losses of many failure sets.
    fn impacts(&self, failed: Vec<String>, progress: Progress<'_>) -> Answer {
        many::many_impacts(&self.0, failed, &progress)
    }

    /// The pairs of source and ToR that failures separate.
    fn lost_pairs<'py>(&self, py: Python<'py>, failed: String) -> PyResult<Rows<'py>> {
        many::pairs(py, &self.0, failed)
    }

    /// The texts of all single failures.
    fn single_failures(&self) -> Vec<String> {
        many::texts_of_singles(&self.0)
    }

    /// The recoveries from many failure sets.
    fn recoveries(
        &self,
        failed: Vec<String>,
        how: (Option<String>, Option<String>),
        rollout: bool,
        progress: Progress<'_>,
    ) -> Answer {
        many::many_recoveries(&self.0, failed, how, rollout, &progress)
    }

    /// The project with its ToRs in racks that a search has found, and the report of the search.
    fn place(&self, search: placing::Search, progress: Progress<'_>) -> Answer {
        search.of(Arc::clone(&self.0), &progress, Self::of)
    }

    /// The relays of all sources: where each begins, and all of them.
    fn relay_sets(&self, progress: Progress<'_>) -> Answer {
        arrays::relay_sets(&self.0, &progress)
    }

    /// The place of each ToR: along the rows, across them, its row; and the names of the rows.
    fn places<'py>(&self, py: Python<'py>) -> PyResult<Places<'py>> {
        arrays::places(py, &self.0)
    }

    /// Routed lengths between racks, in metres.
    fn rack_lengths<'py>(&self, py: Python<'py>) -> PyResult<Lengths<'py>> {
        arrays::rack_lengths(py, &self.0)
    }

    /// Every branch: from, to, splitter output, port; feed and branch in metres.
    fn branches<'py>(&self, py: Python<'py>) -> PyResult<Branches<'py>> {
        arrays::branches(py, &self.0)
    }

    /// The hall from above.
    fn floor(&self, py: Python<'_>) -> Answer {
        self.ask(&quiet(py), |project, _| Ok(plan::floor(project)))
    }

    /// Stretches of trays with all fibres or some (a branch, or the feed of one ToR): ends in metres, fibres in each.
    fn tray_stretches<'py>(
        &self,
        py: Python<'py>,
        wanted: Option<Vec<(u32, Option<u32>)>>,
    ) -> PyResult<Stretches<'py>> {
        arrays::tray_stretches(py, &self.0, wanted)
    }

    /// The parts and fibres that failures darken.
    fn dark(&self, py: Python<'_>, failed: String) -> Answer {
        self.ask(&quiet(py), move |project, _| {
            Ok(failures::dark(project, &FailureSet::parse(project, &failed)?)?)
        })
    }

    /// The ToRs that a source loses by failures.
    fn lost(&self, py: Python<'_>, failed: String, source: u32) -> PyResult<Vec<u32>> {
        let source = self.tor_id(py, source)?;
        let project = Arc::clone(&self.0);
        let lost = planning(py, move |_| -> Result<Vec<TorId>, Error> {
            project.refuse_repaired()?;
            project.lost(&FailureSet::parse(&project, &failed)?, source)
        })?;
        Ok(lost.into_iter().map(|tor| tor.0).collect())
    }

    /// The sources that a ToR relays.
    fn rules(&self, py: Python<'_>, tor: u32) -> Answer {
        let tor = self.tor_id(py, tor)?;
        self.ask(&quiet(py), move |project, _| project.rules(tor))
    }

    /// Sizes, hops, loads, parallel sources and parts.
    fn info(&self, progress: Progress<'_>) -> Answer {
        self.ask(&progress, |project, watch| project.info(watch))
    }

    /// Edge-disjoint trees for these sources, or for as many as can send at once.
    fn parallel(&self, sources: Option<Vec<u32>>, progress: Progress<'_>) -> Answer {
        let py = progress.py();
        let sources = sources.map(|all| all.into_iter().map(|tor| self.tor_id(py, tor)).collect());
        let sources: Option<Vec<TorId>> = sources.transpose()?;
        let project = Arc::clone(&self.0);
        let kept = Kept::new();
        let keep = kept.clone();
        let work = move |watch: Watch<'_>| {
            let so_far = |found: ParallelSoFar| keep.keep(found);
            let watch = watch.step().on_part(&so_far);
            json(&match sources {
                None => plan::most_parallel(&project, watch)?,
                Some(sources) => plan::parallel(&project, &sources, watch)?,
            })
        };
        long(&progress, work, move |py, answer| planned(py, kept.or(answer)))
    }

    /// The ToRs that failures cut off before a repair.
    fn impact(&self, py: Python<'_>, failed: String) -> Answer {
        self.ask(&quiet(py), move |project, _| {
            project.refuse_repaired()?;
            project.impact(&FailureSet::parse(project, &failed)?)
        })
    }

    /// The rules to change, and in which order.
    fn recover(
        &self,
        py: Python<'_>,
        failed: String,
        method: Option<String>,
        objective: Option<String>,
        throughput: bool,
    ) -> Answer {
        self.ask(&quiet(py), move |project, _| {
            project.refuse_repaired()?;
            let method = recovery_method(method.as_deref(), objective.as_deref())?;
            let failed = FailureSet::parse(project, &failed)?;
            if throughput {
                project.recover_with_throughput(&failed, method)
            } else {
                project.recover(&failed, method)
            }
        })
    }

    /// Parts that fail together, pairs of relays, and outages by a file of failure rates.
    fn risk(&self, rates: Option<PathBuf>, progress: Progress<'_>) -> Answer {
        self.ask(&progress, move |project, watch| failures::risk(project, rates.as_deref(), watch))
    }

    /// Writes the repair of every single failure.
    fn repairs(&self, out: PathBuf, objective: Option<String>, progress: Progress<'_>) -> Answer {
        self.ask(&progress, move |project, watch| {
            project.refuse_repaired()?;
            let method = recovery_method(None, objective.as_deref())?;
            repairs(project, &out, method, watch)
        })
    }

    /// The optical budget of every branch.
    fn budget(
        &self,
        case: Option<String>,
        threads: Option<std::num::NonZeroUsize>,
        progress: Progress<'_>,
    ) -> Answer {
        let project = Arc::clone(&self.0);
        let work = move |watch: Watch<'_>| -> Result<_, Error> {
            let case = read_option("case", case.as_deref())?;
            project.budget(&BudgetOptions { case, threads }, watch)
        };
        long(&progress, work, |py, report| planned(py, report.map(Budgeted::from)))
    }

    /// The requirements for transceivers and splitters.
    fn spec(&self, py: Python<'_>) -> Answer {
        self.ask(&quiet(py), move |project, _| project.spec())
    }

    /// Parts, power and cost, compared with two other ways to multicast.
    fn compare(&self, py: Python<'_>, asked: compared::Compared) -> Answer {
        self.ask(&quiet(py), move |project, _| designs::compare(project, &asked.into()))
    }

    /// The import files for NetBox, by name. `out`: a folder to write them to.
    fn netbox(
        &self,
        py: Python<'_>,
        out: Option<PathBuf>,
        site: Option<String>,
        location: Option<String>,
        with_racks: bool,
        with_switches: bool,
    ) -> Answer {
        let question = netbox::Question { out, site, location, with_racks, with_switches };
        self.ask(&quiet(py), move |project, watch| question.texts(project, watch))
    }

    /// Plans, proves the plan, and writes it to a folder.
    fn plan(&self, out: PathBuf, progress: Progress<'_>) -> Answer {
        self.ask(&progress, move |project, watch| {
            // Before the work: a folder is refused, or repaired after an interrupted run.
            check_out(&out)?;
            plan(project, &out, watch)
        })
    }
}
