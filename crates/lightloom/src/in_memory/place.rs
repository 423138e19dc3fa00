//! Searches the racks of ToRs, and prices what was found.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};

use lightloom_design::optics::all_threads;
use lightloom_input::open::Placeable;
use lightloom_plan::project::Project;
use lightloom_qap::{Effort, Progress};
use lightloom_request::{Error, InputError, MOST_THREADS, Request};
use lightloom_studies::place::{PlaceReport, Placing, Problem, chosen};
use lightloom_topology::{RackId, TorId};
use lightloom_units::Span;
use lightloom_watch::Watch;

use super::clock::Clock;

/// Rounds of the trial that tells how fast the machine is, of each kind of moves.
const TRIAL: u32 = 2;
/// Longest search in seconds: a week.
const LONGEST_S: f64 = 7.0 * 86_400.0;
/// A search on a machine that got slower is stopped at this multiple of its time.
const PATIENCE: f64 = 1.25;

#[allow(clippy::cast_precision_loss, reason = "a time that a person waits")]
fn seconds_of(time: Span) -> f64 {
    time.as_ps() as f64 / 1e12
}

/// How long a placement is searched.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PlaceEffort {
    /// A time on this machine, with one chain on each processor. The report tells the chains and rounds that this time
    /// came to.
    Time(Span),
    /// A number of chains and of rounds. The result does not depend on the machine.
    Rounds {
        /// Layouts that are annealed side by side.
        chains: NonZeroU32,
        /// Rounds of each.
        rounds: NonZeroU32,
    },
}

impl FromStr for PlaceEffort {
    type Err = String;

    /// Reads a time such as `60s`, or chains and rounds such as `2x500`.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "found {text:?}; expected a time such as 60s, or chains and rounds such as 2x500"
            )
        };
        if let Some((chains, rounds)) = text.split_once('x') {
            let [chains, rounds] = [chains, rounds].map(|count| count.trim().parse::<NonZeroU32>());
            let (Ok(chains), Ok(rounds)) = (chains, rounds) else { return Err(wrong()) };
            // Each chain is a thread.
            if chains.get() as usize > MOST_THREADS {
                return Err(format!("found {text:?}; at most {MOST_THREADS} chains are annealed"));
            }
            return Ok(Self::Rounds { chains, rounds });
        }
        let time: Span = text.parse().map_err(|_| wrong())?;
        if time == Span::ZERO || seconds_of(time) > LONGEST_S {
            return Err(format!(
                "found {text}; a search takes more than nothing and at most 7 days"
            ));
        }
        Ok(Self::Time(time))
    }
}

/// What a search of a placement may do.
#[derive(Debug, Clone, PartialEq)]
pub struct PlaceOptions {
    /// How long it searches.
    pub effort: PlaceEffort,
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
    pub fn new(effort: PlaceEffort) -> Self {
        Self {
            effort,
            seed: 0,
            fixed: String::new(),
            forbidden: Vec::new(),
            groups: BTreeMap::new(),
        }
    }

    fn placing(&self, project: &Project, kept: &[Option<RackId>]) -> Result<Placing, InputError> {
        let all = project.hall().racks_for_tors();
        let names = all.into_iter().map(|id| (project.hall().rack(id).name.as_str(), id));
        let names: BTreeMap<&str, RackId> = names.collect();
        let rack = |name: &str, option: &'static str| {
            names.get(name).copied().ok_or_else(|| {
                let message = format!("found {name:?}; no rack for ToRs has that name");
                InputError::new(message).in_option(option)
            })
        };
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
/// [`Error`] if the design or an option is wrong, or if the splitters are in a zone.
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
    let late = |seconds: f64| match options.effort {
        PlaceEffort::Time(time) => seconds > PATIENCE * seconds_of(time) + 1.0,
        PlaceEffort::Rounds { .. } => false,
    };
    let stop = AtomicBool::new(false);
    let on_progress = |done, of| {
        if watch.progress(done, of).is_err() || late(clock.seconds().unwrap_or(0.0)) {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let on_part = |part| watch.so_far(|| part);
    let inner = Watch::quiet().stopped_by(&stop).on_progress(&on_progress).on_part(&on_part);
    let racks = problem.search(effort, options.seed, inner);
    let after = placeable.placed(&racks.racks);
    let (report, is_taken) = chosen(&problem, (effort, options.seed), &racks, after.as_ref())?;
    Ok((after.ok().filter(|_| is_taken).unwrap_or(project), report))
}

/// The chains and rounds of an effort.
fn effort(problem: &Problem<'_>, asked: PlaceEffort) -> Result<Effort, Error> {
    let time = match asked {
        PlaceEffort::Rounds { chains, rounds } => return Ok(Effort { chains, rounds }),
        PlaceEffort::Time(time) => time,
    };
    let chains =
        u32::try_from(all_threads().get().min(MOST_THREADS)).ok().and_then(NonZeroU32::new);
    let effort = Effort { chains: chains.unwrap_or(NonZeroU32::MIN), rounds: NonZeroU32::MAX };
    let clock = Clock::start();
    let kinds = problem.kinds();
    for moves in &kinds {
        // It is stopped after a few rounds, so that it ends without a descent.
        let stop = AtomicBool::new(false);
        let hear = |done, _| stop.store(done >= u64::from(TRIAL), Ordering::Relaxed);
        let watch = Watch::quiet().stopped_by(&stop).on_progress(&hear);
        problem.search_with(moves, effort, 0, watch);
    }
    let tried = TRIAL * u32::try_from(kinds.len().max(1)).unwrap_or(1);
    let Some(seconds) = clock.seconds() else {
        let message =
            "is a time, and this build has no clock; say chains and rounds, such as 2x500";
        return Err(InputError::new(message).in_option("place").into());
    };
    let rounds = (seconds_of(time) - seconds) / (seconds / f64::from(tried)).max(1e-6);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is clamped")]
    let rounds = rounds.clamp(1.0, f64::from(u32::MAX)) as u32;
    Ok(Effort { rounds: NonZeroU32::new(rounds).unwrap_or(NonZeroU32::MIN), ..effort })
}
