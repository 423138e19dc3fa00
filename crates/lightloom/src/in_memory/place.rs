//! Searches the racks of ToRs, and prices what was found.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;

use lightloom_input::open::Placeable;
use lightloom_plan::project::Project;
use lightloom_qap::{Effort, Progress};
use lightloom_request::{Error, InputError, Request};
use lightloom_studies::place::{
    PlaceReport, Placing, Problem, RackCosts, Racks, chosen, moved_cords, rack_costs,
};
use lightloom_topology::{RackId, TorId};
use lightloom_watch::Watch;

use super::clock::Clock;
use super::effort::SearchEffort;

/// What a search of a placement may do.
#[derive(Debug, Clone, PartialEq)]
pub struct PlaceOptions {
    /// How long it searches.
    pub effort: SearchEffort,
    /// Seed of its random draws.
    pub seed: u64,
    /// ToRs that stay in their racks, by number or rack, separated by commas. Empty: none.
    pub fixed: String,
    /// Names of racks that get no ToR.
    pub forbidden: Vec<String>,
    /// Groups of racks, by the names of racks: a ToR stays within the group of its rack. Racks without a group are one.
    pub groups: BTreeMap<String, String>,
}

impl PlaceOptions {
    /// A search of all ToRs in all racks.
    pub fn new(effort: SearchEffort) -> Self {
        Self {
            effort,
            seed: 0,
            fixed: String::new(),
            forbidden: Vec::new(),
            groups: BTreeMap::new(),
        }
    }

    fn placing(&self, project: &Project, kept: &[Option<RackId>]) -> Result<Placing, InputError> {
        let names = named(project);
        let rack = |name: &str, option: &'static str| rack_of(&names, name, option);
        let mut fixed: BTreeSet<TorId> = BTreeSet::new();
        if !self.fixed.trim().is_empty() {
            let named = project.tors(&self.fixed).map_err(|error| error.in_option("fixed"))?;
            fixed.extend(named);
        }
        // What the old plan placed stays there.
        let is_kept = |tor: &TorId| kept.get(tor.index()).copied().flatten().is_some();
        fixed.extend(project.fabric().tor_ids().filter(is_kept));
        let forbidden = self.forbidden.iter().map(|name| rack(name, "forbidden"));
        let groups =
            self.groups.iter().map(|(name, group)| Ok((rack(name, "rack_groups")?, group.clone())));
        Ok(Placing {
            fixed,
            forbidden: forbidden.collect::<Result<_, InputError>>()?,
            groups: groups.collect::<Result<_, InputError>>()?,
        })
    }
}

/// Opens the design of a request, and searches the racks of its ToRs for the cheapest cords. Stopped work answers with
/// what was found so far. The placement is never dearer than the one that the design has without a search.
///
/// # Examples
/// ```
/// # use lightloom::{Request, Watch, setting};
/// # use lightloom::plan::{PlaceOptions, place};
/// # let request = Request::default().say(&setting::fabric::P, 2_u32).say(&setting::fabric::TORS, 60_u32);
/// let options = PlaceOptions::new("1x2".parse().expect("chains and rounds"));
/// let (project, report) = place(&request, &options, Watch::quiet())?;
/// assert!(report.after.stock_m() <= report.before.stock_m());
/// // The request of the project says where its ToRs are.
/// let again = lightloom::open(project.request().expect("it was opened from one"))?;
/// assert_eq!(again.placement(), project.placement());
/// # Ok::<(), lightloom::Error>(())
/// ```
///
/// # Errors
/// [`Error`] if the design or an option is wrong.
pub fn place(
    request: &Request,
    options: &PlaceOptions,
    watch: Watch<'_, Progress>,
) -> Result<(Project, PlaceReport), Error> {
    let clock = Clock::start();
    let placeable = Placeable::read(request)?;
    let project = placeable.project()?;
    let mut placing = options.placing(&project, &placeable.kept_racks()?)?;
    placing.forbidden.extend(placeable.racks_without_tor());
    let problem = Problem::new(&project, &placing)?;
    let effort = effort(&problem, options.effort)?;
    let search = |watch: Watch<'_, Progress>| {
        searched(&placeable, (&problem, &placing), (effort, options.seed), watch)
    };
    let (racks, after, effort) = options.effort.in_time(clock, watch, search)?;
    let kept = placeable.kept_project()?;
    let (mut report, is_taken) = chosen(&problem, (effort, options.seed), &racks, after.as_ref())?;
    let project = after.ok().filter(|_| is_taken).unwrap_or(project);
    report.moved_cords = kept.map(|kept| moved_cords(&kept, &project)).transpose()?;
    Ok((project, report))
}

/// Searches in as many passes as the problem has. Each begins with what the planner makes of the pass before, and the
/// passes end when it gets no cheaper. Returns the racks of the cheapest one, its project, and the chains and rounds of
/// all passes, which find the same again.
fn searched(
    placeable: &Placeable,
    (problem, placing): (&Problem<'_>, &Placing),
    (effort, seed): (Effort, u64),
    watch: Watch<'_, Progress>,
) -> Result<(Racks, Result<Project, InputError>, Effort), Error> {
    let passes = problem.passes().min(effort.rounds);
    let rounds = NonZeroU32::new(effort.rounds.get() / passes).unwrap_or(NonZeroU32::MIN);
    let first = Effort { rounds, ..effort };
    let all = u64::from(rounds.get()) * u64::from(passes.get());
    let pass = |problem: &Problem<'_>, number: u32| {
        let before = u64::from(rounds.get()) * u64::from(number);
        // The search itself asks whether it is stopped.
        let on_progress = |done, _| {
            let _ = watch.progress(before + done, all);
        };
        let on_part = |part| watch.so_far(|| part);
        let watch = watch.step().on_progress(&on_progress).on_part(&on_part);
        problem.search(first, seed.wrapping_add(number.into()), watch)
    };
    let mut racks = pass(problem, 0);
    let mut best = placeable.placed(&racks.racks);
    for number in 1..passes.get() {
        let Ok(project) = &best else { break };
        if watch.check().is_err() {
            break;
        }
        let next = pass(&Problem::new(project, placing)?, number);
        // What cannot be opened or laid is not taken.
        let placed = placeable.placed(&next.racks);
        let is_cheaper = |placed: &Project| problem.is_cheaper(placed, project).unwrap_or(false);
        if !placed.as_ref().is_ok_and(is_cheaper) {
            break;
        }
        racks.take(next);
        best = placed;
    }
    let all = first.rounds.saturating_mul(passes);
    if watch.check().is_ok() {
        racks.keep(all.get() as usize);
    }
    Ok((racks, best, Effort { rounds: all, ..effort }))
}

/// Opens the design of a request with each ToR in the rack of this name, in the order of the ToRs.
///
/// # Examples
/// ```
/// # use lightloom::{Request, setting};
/// # use lightloom::plan::{cords, placed};
/// # let request = Request::default().say(&setting::fabric::P, 2_u32).say(&setting::fabric::TORS, 6_u32);
/// let project = lightloom::open(&request)?;
/// let hall = project.hall();
/// let mut names: Vec<String> = hall.racks_for_tors().iter().map(|&rack| hall.rack(rack).name.to_string()).collect();
/// names.truncate(6);
/// names.reverse();
/// let turned = placed(&request, &names)?;
/// // The hall has two halves that are alike; what the cords cost is asked of the planner.
/// assert!(cords(&turned)?.cords.stock_m() > 0.0);
/// # Ok::<(), lightloom::Error>(())
/// ```
///
/// # Errors
/// [`InputError`] if the design or a name is wrong, if there is not one name for each ToR, or if two ToRs have one
/// rack.
pub fn placed(request: &Request, names: &[String]) -> Result<Project, InputError> {
    let placeable = Placeable::read(request)?;
    let project = placeable.project()?;
    let tors = project.fabric().tors();
    if names.len() != tors {
        let message = format!("found {} names of racks; the fabric has {tors} ToRs", names.len());
        return Err(InputError::new(message).in_option("racks"));
    }
    let racks = named(&project);
    let mut taken = BTreeSet::new();
    let found = names.iter().map(|name| {
        let rack = rack_of(&racks, name, "racks")?;
        if !taken.insert(rack) {
            let message = format!("found {name:?} twice; a rack has one ToR");
            return Err(InputError::new(message).in_option("racks"));
        }
        Ok(rack)
    });
    let found: Vec<RackId> = found.collect::<Result<_, InputError>>()?;
    let kept = placeable.kept_racks()?;
    for (tor, (kept, now)) in kept.iter().zip(&found).enumerate() {
        if kept.is_some_and(|kept| kept != *now) {
            let message = format!("moves ToR {tor}, which the old plan keeps in its rack");
            return Err(InputError::new(message).in_option("racks"));
        }
    }
    placeable.placed(&found)
}

/// The racks of a project's ToRs as a placement file, which a design names with `hall.placement`.
///
/// # Examples
/// ```
/// # use lightloom::{Request, setting};
/// # use lightloom::plan::placement_csv;
/// # let request = Request::default().say(&setting::fabric::P, 2_u32).say(&setting::fabric::TORS, 6_u32);
/// let project = lightloom::open(&request)?;
/// let text = String::from_utf8(placement_csv(&project)).expect("names are texts");
/// assert_eq!(text.lines().count(), 1 + 6);
/// # Ok::<(), lightloom::Error>(())
/// ```
pub fn placement_csv(project: &Project) -> Vec<u8> {
    let rack = |&rack: &RackId| project.hall().rack(rack).name.as_str();
    lightloom_input::placing::csv(project.placement().racks().iter().map(rack)).into_bytes()
}

/// What a placement is counted by, and what may not move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlaceGround {
    /// The racks, and what a cord between two of them costs.
    pub costs: RackCosts,
    /// The racks in which the inventory of devices has no ToR: they get none.
    pub closed: Vec<RackId>,
    /// The rack of each ToR that an old plan keeps. `None`: it is free. Empty: no plan is kept.
    pub kept: Vec<Option<RackId>>,
}

/// What solvers outside need of the design of a request, whose splitters are at the senders.
///
/// # Examples
/// ```
/// # use lightloom::{Request, setting};
/// # use lightloom::plan::place_ground;
/// # let request = Request::default().say(&setting::fabric::P, 2_u32).say(&setting::fabric::TORS, 6_u32);
/// let ground = place_ground(&request)?;
/// let racks = ground.costs.racks.len();
/// assert_eq!(ground.costs.costs.len(), racks * racks);
/// assert!(ground.closed.is_empty() && ground.kept.is_empty());
/// # Ok::<(), lightloom::Error>(())
/// ```
///
/// # Errors
/// [`InputError`] if the design is wrong, or if the costs need more memory than it may take.
pub fn place_ground(request: &Request) -> Result<PlaceGround, InputError> {
    let placeable = Placeable::read(request)?;
    let costs = rack_costs(&placeable.project()?)?;
    Ok(PlaceGround { costs, closed: placeable.racks_without_tor(), kept: placeable.kept_racks()? })
}

/// The racks for ToRs by name.
fn named(project: &Project) -> BTreeMap<&str, RackId> {
    let all = project.hall().racks_for_tors();
    all.into_iter().map(|id| (project.hall().rack(id).name.as_str(), id)).collect()
}

fn rack_of(
    names: &BTreeMap<&str, RackId>,
    name: &str,
    option: &'static str,
) -> Result<RackId, InputError> {
    names.get(name).copied().ok_or_else(|| {
        let message = format!("found {name:?}; no rack for ToRs has that name");
        InputError::new(message).in_option(option)
    })
}

/// The chains and rounds of an effort.
fn effort(problem: &Problem<'_>, asked: SearchEffort) -> Result<Effort, Error> {
    let kinds = problem.kinds();
    let trial = |kind: usize, effort, watch: Watch<'_, Progress>| {
        problem.search_with(&kinds[kind], effort, 0, watch);
    };
    Ok(asked.measured("place", kinds.len(), trial)?)
}
