//! Properties of the relay rows of a fabric: hops, loads and parallel sources.

use lightloom_topology::family::Shufflecast;
use lightloom_topology::{Fabric, TorId};
use lightloom_watch::{Stopped, Watch};

use crate::parallel::{Installed, count_parallel_sources_among, installed_sources};
use crate::rows::{LISTED_TORS, RelayRows, RouterKind};
use crate::sample;
use crate::tables::Load;
use crate::tree::{HopsTotal, NotATree, Tree};

/// Above this number of relay choices (sources × cassettes), hops are measured from a sample.
const MOST_CHOICES: u64 = 1 << 28;
/// Above this number of ToRs, the flows that count parallel sources are not computed.
pub const MOST_FLOW_TORS: usize = 1 << 15;
/// Number of candidates for parallel sources with installed rules if tables are not listed.
const INSTALLED_SAMPLE: usize = 256;
/// Largest number of relay choices of such candidates in memory.
const MOST_SAMPLED_CHOICES: usize = 1 << 25;

/// Relay load over all ToRs: the number of sources that a ToR relays, including itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LoadSummary {
    /// Load of the least loaded ToR.
    pub min: u32,
    /// Mean load.
    pub mean: f64,
    /// Load of the most loaded ToR.
    pub max: u32,
}

impl From<&Load> for LoadSummary {
    fn from(load: &Load) -> Self {
        Self { min: load.min(), mean: load.mean(), max: load.max() }
    }
}

/// Hops and loads, from all sources or a sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Survey {
    /// Hops from the sources to all other ToRs.
    pub hops: HopsTotal,
    /// The relay load. `None`: a sample does not give it.
    pub load: Option<LoadSummary>,
    /// Number of sources in the sample. `None`: all sources.
    pub sampled: Option<usize>,
}

/// Why there is no survey.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoSurvey {
    /// A row is not a tree.
    #[error(transparent)]
    NotATree(#[from] NotATree),
    /// The work was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl Survey {
    /// Measures hops and loads of the rows of a router.
    ///
    /// # Errors
    /// [`NoSurvey`] if a row is not a tree, or if `watch` stops the work.
    pub fn new(
        fabric: &Fabric,
        kind: RouterKind,
        rows: &mut RelayRows<'_>,
        watch: Watch<'_>,
    ) -> Result<Self, NoSurvey> {
        let choices = fabric.tors() as u64 * fabric.cassettes() as u64;
        let all = choices <= MOST_CHOICES;
        let sources = if all {
            fabric.tor_ids().collect()
        } else {
            sample::tors(fabric, sample::SOURCES.min(fabric.tors()))
        };
        let mut load = Load::new(fabric);
        let mut hops = HopsTotal::default();
        for (done, &source) in sources.iter().enumerate() {
            if done % 64 == 0 {
                watch.progress(done as u64, sources.len() as u64)?;
            }
            let made;
            let row = match rows {
                RelayRows::Listed(tables) => tables.row(source),
                RelayRows::Each(_) => {
                    made = rows.row(source, fabric.cassettes());
                    &made
                }
            };
            load.add(row);
            hops.add(Tree::new(fabric, source, row)?.total_hops());
        }
        let load = match kind {
            _ if all => Some(LoadSummary::from(&load)),
            // shufflecast:lemma2: every relay carries k p^(k-1) sources.
            RouterKind::Algorithm1(shape) => {
                let each = shape.cassettes();
                Some(LoadSummary { min: each, mean: each.into(), max: each })
            }
            _ => None,
        };
        Ok(Self { hops, load, sampled: (!all).then_some(sources.len()) })
    }
}

/// Largest number of sources that can send at line rate at the same time if trees are planned for them.
/// `None`: not computed. `shape` is the shape of a Shufflecast.
pub fn parallel_sources_at_size(fabric: &Fabric, shape: Option<Shufflecast>) -> Option<usize> {
    match shape {
        _ if fabric.tors() <= MOST_FLOW_TORS => {
            Some(count_parallel_sources_among(fabric, |_| true))
        }
        // shufflecast:lemma3 gives p of them, and p ToRs transmit into each cassette (shufflecast:lemma4).
        Some(shape) => Some(shape.p() as usize),
        None => None,
    }
}

/// Sources that can send at line rate at the same time with the installed rows, and an upper bound for their
/// number. Above [`LISTED_TORS`] only some candidates are tried.
pub fn installed_parallel_sources(
    fabric: &Fabric,
    shape: Option<Shufflecast>,
    rows: &mut RelayRows<'_>,
) -> Installed {
    let at_most = if fabric.cassettes() == 1 {
        fabric.tors()
    } else {
        fabric.cassette_ids().map(|c| fabric.transmitters(c).len()).min().unwrap_or(0)
    };
    let candidates = match shape {
        _ if fabric.tors() <= LISTED_TORS => fabric.tor_ids().collect(),
        // shufflecast:lemma3: sources whose row has equal digits are in disjoint partitions in every column.
        Some(shape) => same_digit_rows(shape),
        None => {
            let affordable = (MOST_SAMPLED_CHOICES / fabric.cassettes()).max(2);
            sample::tors(fabric, INSTALLED_SAMPLE.min(affordable))
        }
    };
    let exhaustive = candidates.len() == fabric.tors();
    let found = match rows.tables() {
        Some(tables) => {
            let rows: Vec<&[TorId]> = candidates.iter().map(|&s| tables.row(s)).collect();
            installed_sources(&candidates, &rows, at_most)
        }
        None => {
            let rows: Vec<Vec<TorId>> =
                candidates.iter().map(|&s| rows.row(s, fabric.cassettes())).collect();
            let rows: Vec<&[TorId]> = rows.iter().map(Vec::as_slice).collect();
            installed_sources(&candidates, &rows, at_most)
        }
    };
    let at_most = if exhaustive { found.at_most } else { at_most };
    Installed { sources: found.sources, at_most }
}

/// The first source, and those that shifts of all of its digits give (shufflecast:A3.shifts).
fn same_digit_rows(shape: Shufflecast) -> Vec<TorId> {
    let ones: u32 = (0..shape.k()).map(|i| shape.p().pow(i)).sum();
    (0..shape.p()).map(|digit| shape.tor(0, digit * ones)).collect()
}
