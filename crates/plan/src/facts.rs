//! Facts about a fabric: hops, loads, parallel sources, parts.

use lightloom_design::design::{Design, RouterChoice};
use lightloom_design::family::{FabricSpec, Kautz};
use lightloom_design::inventory::InventoryReport;
use lightloom_request::choices::Family;
use lightloom_request::choices::RouterName;
use lightloom_request::{Error, InputError};
use lightloom_routing::rows::RelayRows;
use lightloom_routing::survey::{self, LoadSummary, NoSurvey, Survey};
use lightloom_routing::{Load, OneMoreHop};
use lightloom_topology::family::{doubled, moore_bound};
use lightloom_topology::{Fabric, TorId};
use lightloom_watch::Watch;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::accelerators::PlannedAccelerators;
use crate::project::Project;
use crate::routes::{relay_rows, router_kind};

/// Relay load: the number of sources that a ToR relays, including itself.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LoadReport {
    /// Load of the least loaded ToR.
    pub min: u32,
    /// Mean load.
    pub mean: f64,
    /// Load of the most loaded ToR.
    pub max: u32,
}

impl LoadReport {
    /// The load of rules: for each ToR, the sources that it relays.
    #[allow(clippy::cast_precision_loss, reason = "numbers of ToRs")]
    pub fn of_lists(lists: &[Vec<TorId>]) -> Self {
        let length = |list: &Vec<TorId>| u32::try_from(list.len()).unwrap_or(u32::MAX);
        let sum: usize = lists.iter().map(Vec::len).sum();
        Self {
            min: lists.iter().map(length).min().unwrap_or(0),
            mean: sum as f64 / lists.len().max(1) as f64,
            max: lists.iter().map(length).max().unwrap_or(0),
        }
    }
}

impl From<&Load> for LoadReport {
    fn from(load: &Load) -> Self {
        LoadSummary::from(load).into()
    }
}

impl From<LoadSummary> for LoadReport {
    fn from(load: LoadSummary) -> Self {
        Self { min: load.min, mean: load.mean, max: load.max }
    }
}

/// Facts about a fabric. A missing value was too large to compute. Those of a plan that goes around failures are the
/// facts of the plan as it stands, with the parts that were built.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FabricFacts {
    /// The family.
    pub family: Family,
    /// Fan-out of the splitters.
    pub p: u32,
    /// Number of columns of a Shufflecast.
    pub k: Option<u32>,
    /// The router.
    pub router: RouterName,
    /// Number of ToRs.
    pub tors: usize,
    /// Number of cassettes.
    pub cassettes: usize,
    /// Number of relays of a source, including itself. With failures: of the source with most relays.
    pub relays_per_source: usize,
    /// Number of rules in the fullest relay table.
    pub rules_per_relay: Option<u32>,
    /// Relay load over all ToRs.
    pub relay_load: Option<LoadReport>,
    /// Hops to the farthest ToR that light reaches.
    pub max_hops: u32,
    /// Mean number of hops over all pairs of ToRs that light joins.
    pub mean_hops: f64,
    /// Number of sources in the sample for hops. `None`: all sources.
    pub sampled_sources: Option<usize>,
    /// Moore bound: fewest hops that any fabric of these splitters can need.
    pub moore_bound: u32,
    /// Largest number of sources at line rate at the same time if trees are planned for them.
    pub parallel_sources: Option<usize>,
    /// Number of splitters.
    pub splitters: usize,
    /// Number of transceivers, which is the number of ports.
    pub transceivers: u64,
    /// Number of branch fibres.
    pub fibres: u64,
}

/// Gain if every cassette may be one hop late.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OneMoreHopReport {
    /// Relay load over all ToRs.
    pub relay_load: LoadReport,
    /// Hops to the farthest ToR.
    pub max_hops: u32,
    /// Mean number of hops.
    pub mean_hops: f64,
}

/// The larger Shufflecast that the paper would use for a number of ToRs that fits none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DoubledReport {
    /// Fan-out of the splitters.
    pub p: u32,
    /// Number of columns of that Shufflecast.
    pub k: u32,
    /// Number of its logical ToRs.
    pub logical_tors: u32,
    /// Number of logical ToRs that a ToR plays in addition to its own.
    pub extra_roles: u32,
    /// Hops to the farthest ToR: 2k-1 (Lemma 1).
    pub max_hops: u32,
    /// Number of splitters.
    pub splitters: u64,
    /// Number of transceivers, which is the number of ports.
    pub transceivers: u64,
    /// Number of branch fibres.
    pub fibres: u64,
}

/// Number of sources of an example that a sentence names.
const SHOWN: usize = 20;

/// Facts about a fabric and its alternatives.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct InfoReport {
    /// Facts about the fabric.
    #[serde(flatten)]
    pub fabric: FabricFacts,
    /// The failures that the rules go around. Empty: none.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub failed: Vec<String>,
    /// Number of pairs of a source and another ToR that the failures cut off. `None`: the plan has no failures.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pairs_cut_off: Option<usize>,
    /// Facts about the fabric without the failures. `None`: the plan has none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub without_failures: Option<FabricFacts>,
    /// Number of sources for which a set at line rate at the same time with the installed tables was found.
    pub parallel_sources_installed: usize,
    /// Upper bound for that number.
    pub parallel_sources_installed_at_most: usize,
    /// An example of such a set.
    pub parallel_sources_installed_example: Vec<TorId>,
    /// Gain if every cassette may be one hop late. Only for the fewest-hop router with listed tables.
    pub one_more_hop: Option<OneMoreHopReport>,
    /// Facts about the other family for the same ToRs and splitter.
    pub other_family: Option<FabricFacts>,
    /// The paper's answer if the number fits no Shufflecast.
    pub doubled: Option<DoubledReport>,
    /// Accelerators beside the switches. `None`: there are none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub accelerators: Option<PlannedAccelerators>,
    /// How the inventory was read. `None`: no inventory.
    pub inventory: Option<InventoryReport>,
}

impl InfoReport {
    /// The failures and what they cut off, as a sentence. `None`: the plan has none.
    pub fn failures_line(&self) -> Option<String> {
        let cut_off = self.pairs_cut_off?;
        let of_failures = format!("The rules go around failures: {}", self.failed.join(", "));
        Some(match cut_off {
            0 => format!("{of_failures}. Every source reaches every other ToR."),
            1 => format!("{of_failures}. 1 pair of a source and another ToR is cut off."),
            pairs => {
                format!("{of_failures}. {pairs} pairs of a source and another ToR are cut off.")
            }
        })
    }

    /// The number of parallel sources with the installed tables, and an example, as a clause without a period.
    pub fn parallel_line(&self) -> String {
        let (known, most) =
            (self.parallel_sources_installed, self.parallel_sources_installed_at_most);
        let bound =
            if known == most { "exactly".to_owned() } else { format!("at most {most}, at least") };
        let example = &self.parallel_sources_installed_example;
        let shown: Vec<_> = example.iter().take(SHOWN).map(ToString::to_string).collect();
        let such_as = match example.len().saturating_sub(SHOWN) {
            _ if example.is_empty() => String::new(),
            0 => format!(", such as {}", shown.join(", ")),
            more => format!(", such as {} and {more} more", shown.join(", ")),
        };
        format!("Parallel sources with the installed tables: {bound} {known}{such_as}")
    }
}

impl DoubledReport {
    /// What the paper's way takes, as a sentence.
    pub fn line(&self) -> String {
        format!(
            "No Shufflecast of 1:{} splitters has this number of ToRs; the paper's way, a {},{}-Shufflecast of {} \
             logical ToRs with {} doubled roles, takes up to {} hops, {} splitters, {} transceivers, {} \
             branch fibres.",
            self.p,
            self.p,
            self.k,
            self.logical_tors,
            self.extra_roles,
            self.max_hops,
            self.splitters,
            self.transceivers,
            self.fibres
        )
    }
}

impl Project {
    /// Facts about this fabric and its alternatives.
    ///
    /// # Errors
    /// [`InputError`] if the router does not support this size.
    pub fn info(&self, watch: Watch<'_>) -> Result<InfoReport, Error> {
        let mut rows = self.relay_rows()?;
        let fabric = facts(&self.fabric, &self.design, &mut rows, watch)?;
        let one_more_hop = match (&rows, self.design.router) {
            (RelayRows::Listed(_), RouterChoice::Arborescence) => Some(one_more_hop(&self.fabric)?),
            _ => None,
        };
        let shape = self.design.fabric.shape();
        let installed = survey::installed_parallel_sources(&self.fabric, shape, &mut rows);
        let sound = InfoReport {
            fabric,
            failed: Vec::new(),
            pairs_cut_off: None,
            without_failures: None,
            parallel_sources_installed: installed.sources.len(),
            parallel_sources_installed_at_most: installed.at_most,
            parallel_sources_installed_example: installed.sources,
            one_more_hop,
            other_family: other_family(self, watch)?,
            doubled: doubled_report(self),
            accelerators: PlannedAccelerators::new(&self.platform, &self.placement),
            inventory: self.inventory_report(),
        };
        match self.standing()? {
            Some(standing) => standing.info(self, sound, watch),
            None => Ok(sound),
        }
    }
}

/// The facts of a fabric with its router.
pub fn facts(
    fabric: &Fabric,
    design: &Design,
    rows: &mut RelayRows<'_>,
    watch: Watch<'_>,
) -> Result<FabricFacts, Error> {
    let survey = Survey::new(fabric, router_kind(design), rows, watch).map_err(no_survey)?;
    let spec = &design.fabric;
    let tors = fabric.tors();
    let parallel = parallel_sources(fabric, spec);
    Ok(FabricFacts {
        family: spec.family(),
        p: spec.p(),
        k: spec.k(),
        router: design.router.name(),
        tors,
        cassettes: fabric.cassettes(),
        relays_per_source: fabric.cassettes(),
        rules_per_relay: survey.load.map(|load| load.max),
        relay_load: survey.load.map(LoadReport::from),
        max_hops: survey.hops.max,
        mean_hops: survey.hops.mean(tors),
        sampled_sources: survey.sampled,
        moore_bound: moore_bound(fabric.fan_out(), tors),
        parallel_sources: parallel,
        splitters: tors,
        transceivers: fabric.tor_ids().map(|tor| fabric.transceivers(tor) as u64).sum(),
        fibres: fabric.branch_fibres(),
    })
}

/// Number of sources that can send at line rate at the same time. `None`: not computed at this size.
pub fn parallel_sources(fabric: &Fabric, spec: &FabricSpec) -> Option<usize> {
    survey::parallel_sources_at_size(fabric, spec.shape())
}

/// The error of a survey without a result.
pub fn no_survey(error: NoSurvey) -> Error {
    match error {
        NoSurvey::NotATree(error) => InputError::new(error).into(),
        NoSurvey::Stopped(stopped) => stopped.into(),
    }
}

fn one_more_hop(fabric: &Fabric) -> Result<OneMoreHopReport, InputError> {
    let tables = OneMoreHop::new(fabric).into_tables();
    let hops = tables.hops(fabric).map_err(InputError::new)?;
    Ok(OneMoreHopReport {
        relay_load: LoadReport::from(&tables.load(fabric)),
        max_hops: hops.max,
        mean_hops: hops.mean(fabric.tors()),
    })
}

/// Facts about the other family for the same ToRs and splitter. `None`: that family does not have such a
/// fabric.
pub fn other_family(project: &Project, watch: Watch<'_>) -> Result<Option<FabricFacts>, Error> {
    let (p, tors) = (project.fabric.fan_out(), project.fabric.tors());
    let tors = u32::try_from(tors).unwrap_or(u32::MAX);
    let spec = if project.design.fabric.family() == Family::Kautz {
        FabricSpec::for_tors(tors, Some(p))
    } else {
        FabricSpec::Kautz(Kautz { p, tors })
    };
    if spec.family() == project.design.fabric.family() {
        return Ok(None);
    }
    let mut design = Design::clone(&project.design);
    design.router = RouterChoice::usual(&spec);
    design.fabric = spec;
    let fabric = design.fabric.build().map_err(InputError::new)?;
    let mut rows = relay_rows(&fabric, &design)?;
    facts(&fabric, &design, &mut rows, watch).map(Some)
}

/// The next larger Shufflecast with doubled ToRs. `None`: the number fits a Shufflecast.
pub fn doubled_report(project: &Project) -> Option<DoubledReport> {
    let p = project.fabric.fan_out();
    let tors = u32::try_from(project.fabric.tors()).ok()?;
    let doubled = doubled(p, tors).ok().filter(|d| d.extra_roles > 0)?;
    Some(DoubledReport {
        p,
        k: doubled.shape.k(),
        logical_tors: doubled.shape.tors(),
        extra_roles: doubled.extra_roles,
        max_hops: 2 * doubled.shape.k() - 1,
        splitters: doubled.splitters,
        transceivers: doubled.transceivers,
        fibres: doubled.fibres,
    })
}
