//! What a fabric can do: hops, loads, parallel sources, parts.

use lightloom_request::{Error, InputError};
use lightloom_routing::parallel::Installed;
use lightloom_routing::rows::RelayRows;
use lightloom_routing::survey::{self, LoadSummary, NoSurvey, Survey};
use lightloom_routing::{Load, OneMoreHop};
use lightloom_topology::family::{Shufflecast, doubled, moore_bound};
use lightloom_topology::{Fabric, TorId};
use lightloom_watch::Watch;
use serde::Serialize;

use crate::choose;
use crate::design::{Design, RouterChoice};
use crate::fabric_spec::FabricSpec;
use crate::inventory::InventoryReport;
use crate::project::Project;
use crate::routes::{relay_rows, router_kind};

/// Relay load: how many sources a ToR relays, itself included.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct LoadReport {
    /// The least loaded ToR.
    pub min: u32,
    /// The mean.
    pub mean: f64,
    /// The most loaded ToR.
    pub max: u32,
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

/// What a fabric takes and gives. Absent values were too large to compute.
#[derive(Debug, Clone, Serialize)]
pub struct FabricFacts {
    /// The family's name.
    pub family: &'static str,
    /// Splitter fan-out.
    pub p: u32,
    /// Columns of a Shufflecast.
    pub k: Option<u32>,
    /// The router's name.
    pub router: &'static str,
    /// ToRs.
    pub tors: usize,
    /// Cassettes.
    pub cassettes: usize,
    /// Relays of a source, itself included.
    pub relays_per_source: usize,
    /// Entries of the fullest relay table.
    pub rules_per_relay: Option<u32>,
    /// Sources a ToR relays.
    pub relay_load: Option<LoadReport>,
    /// Hops to the farthest ToR.
    pub max_hops: u32,
    /// Mean hops over all pairs.
    pub mean_hops: f64,
    /// The sources that the hops were measured from, when not all.
    pub sampled_sources: Option<usize>,
    /// Hops that no fabric of these splitters can beat.
    pub moore_bound: u32,
    /// The most sources at line rate at once when trees are planned for them.
    pub parallel_sources: Option<usize>,
    /// Splitters.
    pub splitters: usize,
    /// Transceivers, which are ports.
    pub transceivers: u64,
    /// Branch fibres.
    pub fibres: u64,
}

/// What one more hop would buy.
#[derive(Debug, Clone, Serialize)]
pub struct OneMoreHopReport {
    /// Sources a ToR relays.
    pub relay_load: LoadReport,
    /// Hops to the farthest ToR.
    pub max_hops: u32,
    /// Mean hops.
    pub mean_hops: f64,
}

/// The paper's answer for a number that fits no Shufflecast.
#[derive(Debug, Clone, Serialize)]
pub struct DoubledReport {
    /// Splitter fan-out.
    pub p: u32,
    /// Columns of the Shufflecast that is wired.
    pub k: u32,
    /// Its logical ToRs.
    pub logical_tors: u32,
    /// Roles that some ToR plays besides its own.
    pub extra_roles: u32,
    /// Hops to the farthest ToR: 2k-1 (Lemma 1).
    pub max_hops: u32,
    /// Splitters.
    pub splitters: u64,
    /// Transceivers, which are ports.
    pub transceivers: u64,
    /// Branch fibres.
    pub fibres: u64,
}

/// A fabric, and beside it what the alternatives would be.
#[derive(Debug, Clone, Serialize)]
pub struct InfoReport {
    /// The fabric.
    #[serde(flatten)]
    pub fabric: FabricFacts,
    /// Sources that are known to send at line rate at once with the installed tables.
    pub parallel_sources_installed: usize,
    /// No more than this many can.
    pub parallel_sources_installed_at_most: usize,
    /// An example set of them.
    pub parallel_sources_installed_example: Vec<TorId>,
    /// What one more hop would buy (fewest-hop router, listed tables).
    pub one_more_hop: Option<OneMoreHopReport>,
    /// The other family for the same ToRs and splitter.
    pub other_family: Option<FabricFacts>,
    /// The paper's answer where the number fits no Shufflecast.
    pub doubled: Option<DoubledReport>,
    /// How the inventory was read, where there is one.
    pub inventory: Option<InventoryReport>,
}

impl Project {
    /// What this fabric takes and gives.
    ///
    /// # Errors
    /// [`InputError`] when the router cannot be had at this size.
    pub fn info(&self, watch: Watch<'_>) -> Result<InfoReport, Error> {
        let mut rows = self.relay_rows()?;
        let fabric = facts(&self.fabric, &self.design, &mut rows, watch)?;
        let one_more_hop = match (&rows, self.design.router) {
            (RelayRows::Listed(_), RouterChoice::Arborescence) => Some(one_more_hop(&self.fabric)?),
            _ => None,
        };
        let shape = shape(&self.design.fabric);
        let Installed { sources: installed, at_most } =
            survey::installed_parallel_sources(&self.fabric, shape, &mut rows);
        Ok(InfoReport {
            fabric,
            parallel_sources_installed: installed.len(),
            parallel_sources_installed_at_most: at_most,
            parallel_sources_installed_example: installed,
            one_more_hop,
            other_family: other_family(self, watch)?,
            doubled: doubled_report(self),
            inventory: self.inventory_report(),
        })
    }
}

/// The facts of one fabric with its router.
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

/// Sources that can send at line rate at once; nothing where that is not computed.
pub fn parallel_sources(fabric: &Fabric, spec: &FabricSpec) -> Option<usize> {
    survey::parallel_sources_at_size(fabric, shape(spec))
}

/// The shape of a Shufflecast.
fn shape(spec: &FabricSpec) -> Option<Shufflecast> {
    match spec {
        FabricSpec::Shufflecast(shape) => Some(*shape),
        _ => None,
    }
}

/// Why a survey ended without an answer.
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

/// The same ToRs and splitter in the other family, where it has them.
pub fn other_family(project: &Project, watch: Watch<'_>) -> Result<Option<FabricFacts>, Error> {
    let (p, tors) = (project.fabric.fan_out(), project.fabric.tors());
    let tors = u32::try_from(tors).unwrap_or(u32::MAX);
    let spec = match &project.design.fabric {
        FabricSpec::Kautz { .. } => match choose::fabric_for(tors, Some(p)) {
            shape @ FabricSpec::Shufflecast(_) => shape,
            _ => return Ok(None),
        },
        _ => FabricSpec::Kautz { p, tors },
    };
    let mut design = project.design.clone();
    design.router = match spec {
        FabricSpec::Shufflecast(_) => RouterChoice::Algorithm1,
        _ => RouterChoice::Arborescence,
    };
    design.fabric = spec;
    let fabric = design.fabric.build().map_err(InputError::new)?;
    let mut rows = relay_rows(&fabric, &design)?;
    facts(&fabric, &design, &mut rows, watch).map(Some)
}

/// The next larger Shufflecast with doubled ToRs, unless the number fits one.
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
