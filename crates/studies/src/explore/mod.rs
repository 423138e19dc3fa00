//! Explores all designs for a number of ToRs: ranks them, and reports why others are rejected.

mod designs;
mod front;
mod in_words;
mod limits;
mod objectives;
mod report;
mod schemes;

use std::collections::BTreeSet;

use lightloom_request::Error;
use lightloom_request::choices::Criterion;
use lightloom_request::setting;
use lightloom_watch::Watch;

use designs::{Explored, Found, SearchSpace};
use lightloom_design::family::FabricSpec;
use lightloom_plan::candidate::Open;
use lightloom_plan::memory::Work;
use lightloom_plan::project::Project;
use limits::MOST_TORS;
pub use limits::{ExploreOptions, Limits};
use objectives::{badness, objective, value};
pub use report::{CostDifference, DesignReport, ExploreReport, RejectedReport};

/// Explores all designs of the families `shufflecast` and `kautz`, with splitters at the senders, at the receivers and
/// in frames. `smallest` is the smallest fabric for the ToRs. The watch receives the explored designs repeatedly.
///
/// # Errors
/// [`Error`] if the settings or an option are wrong.
pub fn explore(
    smallest: &Project,
    open: Open<'_>,
    limits: &Limits,
    watch: Watch<'_, ExploreReport>,
) -> Result<ExploreReport, Error> {
    smallest.check_memory(Work::Explored)?;
    search(smallest, open, limits, None, watch)
}

/// Explores one fabric alone: that of a project, with the housings that its settings allow.
///
/// # Errors
/// As [`explore`].
pub fn explore_one(
    project: &Project,
    open: Open<'_>,
    limits: &Limits,
) -> Result<ExploreReport, Error> {
    search(project, open, limits, Some(project.design().fabric.clone()), Watch::quiet())
}

fn search(
    smallest: &Project,
    open: Open<'_>,
    limits: &Limits,
    only: Option<FabricSpec>,
    watch: Watch<'_, ExploreReport>,
) -> Result<ExploreReport, Error> {
    let tors = smallest.fabric().tors();
    if tors > MOST_TORS {
        let message = format!("found {tors}; designs of at most {MOST_TORS} ToRs are explored");
        return Err(smallest.design().settings.refuse(&setting::fabric::TORS, message).into());
    }
    let space = SearchSpace::new(smallest, open, limits)?;
    let so_far = |explored: &dyn Fn() -> Explored| watch.so_far(|| report(&space, explored()));
    let (specs, rejected) = only.map_or_else(|| space.all(), |spec| (vec![spec], Vec::new()));
    Ok(report(&space, space.explore(&specs, rejected, watch.step(), &so_far)?))
}

/// Ranks the explored designs.
fn report(space: &SearchSpace<'_>, explored: Explored) -> ExploreReport {
    let Explored { mut found, rejected, unexplored } = explored;
    front::mark(&mut found);
    // Sorts by the chosen objective, then by the others in their order. Unknown values come last.
    let first = space.limits.rank_by;
    let others = Criterion::ALL.into_iter().filter(|&criterion| criterion != first);
    let order: Vec<Criterion> = std::iter::once(first).chain(others).collect();
    let key = |found: &Found| {
        let badness = |&one: &Criterion| badness(objective(one), value(one, &found.design));
        order.iter().map(badness).collect::<Vec<_>>()
    };
    found.sort_by(|a, b| {
        let (a, b) = (key(a), key(b));
        a.iter()
            .zip(&b)
            .map(|(a, b)| a.total_cmp(b))
            .find(|order| order.is_ne())
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    front::over_first(&mut found);
    let first = found.first();
    ExploreReport {
        tors: space.tors(),
        rate: space.rate.to_string(),
        case: space.limits.case,
        ranked_by: space.limits.rank_by,
        objectives: Criterion::ALL.to_vec(),
        catalogue: first.map_or_else(|| space.catalogue(), |found| found.catalogue.clone()),
        assumed: space.assumed.iter().cloned().chain(assumed_prices(&found)).collect(),
        designs: found.into_iter().map(|found| found.design).collect(),
        rejected,
        unexplored,
    }
}

/// The assumed prices that the designs use, each row once.
fn assumed_prices(found: &[Found]) -> Vec<String> {
    let all: BTreeSet<&String> = found.iter().flat_map(|found| &found.assumed).collect();
    all.into_iter().map(|price| format!("price of {price}")).collect()
}
