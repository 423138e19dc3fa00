//! Reports of sources that can send at line rate at the same time.

use std::collections::BTreeMap;

use lightloom_plan::project::Project;
use lightloom_request::setting;
use lightloom_request::{Error, InputError};
use lightloom_routing::fair_share::max_min_fair;
use lightloom_routing::parallel::{Limit, SoFar, parallel_sources_watched, trees_for_watched};
use lightloom_routing::survey::MOST_FLOW_TORS;
use lightloom_topology::{CassetteId, TorId};
use lightloom_watch::Watch;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Trees for sources that send at the same time, or the reason why none exist.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ParallelReport {
    /// Whether edge-disjoint trees exist.
    pub possible: bool,
    /// For each source, its relays, ascending, including itself. Empty if impossible.
    pub trees: BTreeMap<TorId, Vec<TorId>>,
    /// The cassettes that make it impossible.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub forbidden: Option<ForbiddenReport>,
    /// Why no more sources are possible. Only if no sources were named.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub limit: Option<LimitReport>,
    /// Max-min fair rate of each source with the installed tables, as a share of the line rate.
    pub installed_share: BTreeMap<TorId, f64>,
}

/// What a search for parallel sources knows before it is done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ParallelSoFar {
    /// Number of sources that are known to be possible at the same time. 0: none is known yet.
    pub at_least: u32,
    /// More sources are known to be impossible.
    pub at_most: u32,
    /// For each source whose tree is found, its relays, ascending, including itself. Empty where sources are still to
    /// be chosen.
    pub trees: BTreeMap<TorId, Vec<TorId>>,
}

/// A set X of cassettes with entering + rooted_inside < needed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ForbiddenReport {
    /// The cassettes of X.
    pub cassettes: Vec<CassetteId>,
    /// Number of ToRs that enter X from outside and are not sources.
    pub entering: u32,
    /// Number of sources that transmit into X.
    pub rooted_inside: u32,
    /// The number of sources.
    pub needed: u32,
}

/// Why no more sources can send at the same time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LimitReport {
    /// Every ToR is already a source.
    AllTors,
    /// Every stream needs one of the ToRs that transmit into this cassette.
    Cassette {
        /// The cassette.
        cassette: CassetteId,
        /// Number of ToRs that transmit into it.
        transmitters: u32,
    },
    /// Too few ToRs enter these disjoint sets for one more stream.
    Sets {
        /// The sets.
        sets: Vec<Vec<CassetteId>>,
        /// Number of ToRs that enter the sets.
        entering: u32,
    },
}

impl ParallelSoFar {
    /// The first of these sources have their trees.
    fn new(sources: &[TorId], SoFar { at_least, at_most, rows }: SoFar) -> Self {
        Self { at_least, at_most, trees: trees(sources, rows) }
    }
}

impl From<Limit> for LimitReport {
    fn from(limit: Limit) -> Self {
        match limit {
            Limit::AllToRs => Self::AllTors,
            Limit::Cassette { cassette, transmitters } => Self::Cassette { cassette, transmitters },
            Limit::Sets { sets, entering } => Self::Sets { sets, entering },
        }
    }
}

/// Edge-disjoint trees for exactly these sources. The watch receives the trees that are found so far.
///
/// # Errors
/// [`Error::Stopped`] if the watch stops the work. [`InputError`] if no source is named, one is named twice, or the
/// tables cannot be made. Also if the plan goes around failures: trees are planned for an undamaged fabric.
pub fn parallel(
    project: &Project,
    sources: &[TorId],
    watch: Watch<'_, ParallelSoFar>,
) -> Result<ParallelReport, Error> {
    project.refuse_repaired()?;
    let mut sorted = sources.to_vec();
    sorted.sort_unstable();
    if let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        let message = format!("ToR {} is named twice; name each source once", twice[0]);
        return Err(InputError::new(message).in_option("sources").into());
    }
    if sorted.is_empty() {
        return Err(InputError::new("names no source").in_option("sources").into());
    }
    refuse_large(project)?;
    let installed_share = installed_share(project, &sorted)?;
    let so_far = |found: SoFar| watch.so_far(|| ParallelSoFar::new(&sorted, found));
    let heard = watch.step().on_part(&so_far);
    Ok(match trees_for_watched(project.fabric(), &sorted, heard)? {
        Ok(rows) => ParallelReport {
            possible: true,
            trees: trees(&sorted, rows),
            forbidden: None,
            limit: None,
            installed_share,
        },
        Err(f) => ParallelReport {
            possible: false,
            trees: BTreeMap::new(),
            forbidden: Some(ForbiddenReport {
                cassettes: f.cassettes,
                entering: f.entering,
                rooted_inside: f.rooted_inside,
                needed: f.needed,
            }),
            limit: None,
            installed_share,
        },
    })
}

/// The largest number of sources that can send at the same time, with an example and the reason why no
/// more can. The watch receives bounds of the number.
///
/// # Errors
/// [`Error::Stopped`] if the watch stops the work. [`InputError`] if the tables cannot be made, or if the plan goes
/// around failures.
pub fn most_parallel(
    project: &Project,
    watch: Watch<'_, ParallelSoFar>,
) -> Result<ParallelReport, Error> {
    project.refuse_repaired()?;
    refuse_large(project)?;
    let so_far = |found: SoFar| watch.so_far(|| ParallelSoFar::new(&[], found));
    let heard = watch.step().on_part(&so_far);
    let most = parallel_sources_watched(project.fabric(), heard)?;
    let installed_share = installed_share(project, &most.sources)?;
    Ok(ParallelReport {
        possible: true,
        trees: trees(&most.sources, most.trees),
        forbidden: None,
        limit: Some(most.limit.into()),
        installed_share,
    })
}

fn refuse_large(project: &Project) -> Result<(), InputError> {
    match project.fabric().tors() {
        0..=MOST_FLOW_TORS => Ok(()),
        tors => Err(project.design().settings.refuse(
            &setting::fabric::TORS,
            format!("found {tors} ToRs; parallel sources are computed up to {MOST_FLOW_TORS}"),
        )),
    }
}

fn installed_share(
    project: &Project,
    sources: &[TorId],
) -> Result<BTreeMap<TorId, f64>, InputError> {
    let mut installed = project.relay_rows()?;
    let rows: Vec<Vec<TorId>> =
        sources.iter().map(|&s| installed.row(s, project.fabric().cassettes())).collect();
    let rows: Vec<&[TorId]> = rows.iter().map(Vec::as_slice).collect();
    let rates = max_min_fair(project.fabric().tors(), &rows);
    Ok(sources.iter().copied().zip(rates).collect())
}

fn trees(sources: &[TorId], rows: Vec<Vec<TorId>>) -> BTreeMap<TorId, Vec<TorId>> {
    let sorted = |mut row: Vec<TorId>| {
        row.sort_unstable();
        row
    };
    sources.iter().copied().zip(rows.into_iter().map(sorted)).collect()
}
