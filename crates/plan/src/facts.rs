//! What a fabric can do: hops, loads, parallel sources, parts.

use lightloom_request::{Error, InputError};
use lightloom_routing::parallel::{count_parallel_sources_among, installed_sources};
use lightloom_routing::{HopsTotal, Load, OneMoreHop, Tree};
use lightloom_topology::family::{Shufflecast, doubled, moore_bound};
use lightloom_topology::{Fabric, TorId};
use lightloom_watch::Progress;
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::choose;
use crate::design::{Design, RouterChoice, RouterName};
use crate::fabric_spec::{FabricSpec, Family};
use crate::inventory::InventoryReport;
use crate::project::Project;
use crate::routes::{LISTED_TORS, Routes};

/// Beyond this many relay choices (sources × cassettes), hops are measured from a sample.
const MOST_CHOICES: u64 = 1 << 28;
/// Beyond this many ToRs the flows that count parallel sources are not run.
pub const MOST_FLOW_TORS: usize = 1 << 15;
/// Sources of a sample.
pub const SAMPLE: usize = 64;
/// Candidates for parallel sources with installed rules where tables are not listed.
const INSTALLED_SAMPLE: usize = 256;
/// Relay choices of such candidates that are held at once.
const MOST_SAMPLED_CHOICES: usize = 1 << 25;

/// Relay load: how many sources a ToR relays, itself included.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
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
        Self { min: load.min(), mean: load.mean(), max: load.max() }
    }
}

/// What a fabric takes and gives. Absent values were too large to compute.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FabricFacts {
    /// The family.
    pub family: Family,
    /// Splitter fan-out.
    pub p: u32,
    /// Columns of a Shufflecast.
    pub k: Option<u32>,
    /// The router.
    pub router: RouterName,
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OneMoreHopReport {
    /// Sources a ToR relays.
    pub relay_load: LoadReport,
    /// Hops to the farthest ToR.
    pub max_hops: u32,
    /// Mean hops.
    pub mean_hops: f64,
}

/// The paper's answer for a number that fits no Shufflecast.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
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
    pub fn info(&self, progress: Progress<'_>) -> Result<InfoReport, Error> {
        let mut routes = self.routes()?;
        let fabric = facts(&self.fabric, &self.design, &mut routes, progress)?;
        let one_more_hop = match (&routes, self.design.router) {
            (Routes::Listed(_), RouterChoice::Arborescence) => Some(one_more_hop(&self.fabric)?),
            _ => None,
        };
        let (installed, at_most) = installed(&self.fabric, &self.design, &mut routes);
        Ok(InfoReport {
            fabric,
            parallel_sources_installed: installed.len(),
            parallel_sources_installed_at_most: at_most,
            parallel_sources_installed_example: installed,
            one_more_hop,
            other_family: other_family(self, progress)?,
            doubled: doubled_report(self),
            inventory: self.inventory_report(),
        })
    }
}

/// The facts of one fabric with its router.
pub fn facts(
    fabric: &Fabric,
    design: &Design,
    routes: &mut Routes<'_>,
    progress: Progress<'_>,
) -> Result<FabricFacts, Error> {
    let survey = Survey::new(fabric, design, routes, progress)?;
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
        relay_load: survey.load,
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
    match spec {
        _ if fabric.tors() <= MOST_FLOW_TORS => {
            Some(count_parallel_sources_among(fabric, |_| true))
        }
        // Lemma 3 gives p of them, and p ToRs transmit into each cassette.
        FabricSpec::Shufflecast(shape) => Some(shape.p() as usize),
        _ => None,
    }
}

/// Hops and loads, from all sources or a sample.
pub struct Survey {
    pub hops: HopsTotal,
    pub load: Option<LoadReport>,
    pub sampled: Option<usize>,
}

impl Survey {
    pub fn new(
        fabric: &Fabric,
        design: &Design,
        routes: &mut Routes<'_>,
        progress: Progress<'_>,
    ) -> Result<Self, Error> {
        let choices = fabric.tors() as u64 * fabric.cassettes() as u64;
        let all = choices <= MOST_CHOICES;
        let sources = if all {
            fabric.tor_ids().collect()
        } else {
            sample(fabric, SAMPLE.min(fabric.tors()))
        };
        let mut load = Load::new(fabric);
        let mut hops = HopsTotal::default();
        for (done, &source) in sources.iter().enumerate() {
            if done % 64 == 0 {
                progress(done as u64, sources.len() as u64)?;
            }
            let made;
            let row = match routes {
                Routes::Listed(tables) => tables.row(source),
                Routes::Each(_) => {
                    made = routes.row(source, fabric.cassettes());
                    &made
                }
            };
            load.add(row);
            hops.add(Tree::new(fabric, source, row).map_err(InputError::new)?.total_hops());
        }
        let load = match &design.fabric {
            _ if all => Some(LoadReport::from(&load)),
            // Lemma 2: every relay carries k p^(k-1) sources.
            FabricSpec::Shufflecast(shape) if design.router == RouterChoice::Algorithm1 => {
                let each = shape.cassettes();
                Some(LoadReport { min: each, mean: each.into(), max: each })
            }
            _ => None,
        };
        Ok(Self { hops, load, sampled: (!all).then_some(sources.len()) })
    }
}

/// Distinct ToRs, the same ones every time, ascending.
pub fn sample(fabric: &Fabric, count: usize) -> Vec<TorId> {
    let mut random = ChaCha8Rng::seed_from_u64(SAMPLE_SEED);
    let mut tors: Vec<TorId> = rand::seq::index::sample(&mut random, fabric.tors(), count)
        .into_iter()
        .map(TorId::at)
        .collect();
    tors.sort_unstable();
    tors
}

/// The seed of every sample.
pub const SAMPLE_SEED: u64 = 1;

fn one_more_hop(fabric: &Fabric) -> Result<OneMoreHopReport, InputError> {
    let tables = OneMoreHop::new(fabric).into_tables();
    let hops = tables.hops(fabric).map_err(InputError::new)?;
    Ok(OneMoreHopReport {
        relay_load: LoadReport::from(&tables.load(fabric)),
        max_hops: hops.max,
        mean_hops: hops.mean(fabric.tors()),
    })
}

/// Sources with disjoint relay sets, and a bound on how many there can be.
fn installed(fabric: &Fabric, design: &Design, routes: &mut Routes<'_>) -> (Vec<TorId>, usize) {
    let at_most = if fabric.cassettes() == 1 {
        fabric.tors()
    } else {
        fabric.cassette_ids().map(|c| fabric.transmitters(c).len()).min().unwrap_or(0)
    };
    let candidates = match &design.fabric {
        _ if fabric.tors() <= LISTED_TORS => fabric.tor_ids().collect(),
        // Lemma 3: rows whose digits are all the same lie in disjoint partitions everywhere.
        FabricSpec::Shufflecast(shape) => same_digit_rows(*shape),
        _ => {
            let affordable = (MOST_SAMPLED_CHOICES / fabric.cassettes()).max(2);
            sample(fabric, INSTALLED_SAMPLE.min(affordable))
        }
    };
    let exhaustive = candidates.len() == fabric.tors();
    let found = match routes.tables() {
        Some(tables) => {
            let rows: Vec<&[TorId]> = candidates.iter().map(|&s| tables.row(s)).collect();
            installed_sources(&candidates, &rows, at_most)
        }
        None => {
            let rows: Vec<Vec<TorId>> =
                candidates.iter().map(|&s| routes.row(s, fabric.cassettes())).collect();
            let rows: Vec<&[TorId]> = rows.iter().map(Vec::as_slice).collect();
            installed_sources(&candidates, &rows, at_most)
        }
    };
    let bound = if exhaustive { found.at_most } else { at_most };
    (found.sources, bound)
}

fn same_digit_rows(shape: Shufflecast) -> Vec<TorId> {
    let ones: u32 = (0..shape.k()).map(|i| shape.p().pow(i)).sum();
    (0..shape.p()).map(|digit| shape.tor(0, digit * ones)).collect()
}

/// The same ToRs and splitter in the other family, where it has them.
pub fn other_family(
    project: &Project,
    progress: Progress<'_>,
) -> Result<Option<FabricFacts>, Error> {
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
    let mut routes = Routes::new(&fabric, &design)?;
    facts(&fabric, &design, &mut routes, progress).map(Some)
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
