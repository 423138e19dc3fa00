//! The question of a placement, and its answer.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;
use std::sync::Arc;

use lightloom_plan::budget::BudgetOptions;
use lightloom_plan::project::Project;
use lightloom_plan::trays::{self, TrayReport};
use lightloom_power_cost::Verdict;
use lightloom_qap::{Assignment, Effort, Flow, Found, Layout, Moves, Progress, Search, search};
use lightloom_request::{Error, InputError};
use lightloom_topology::hall::{Housing, Place};
use lightloom_topology::{RackId, TorId};
use lightloom_units::DataSize;
use lightloom_watch::Watch;

use crate::deal::{deal, shares};
use crate::place::frames::Framed;
use crate::place::ground::Ground;
use crate::place::moves::{Placing, moves};
use crate::place::report::{PlaceFigures, PlaceObjective, PlaceReport};
use crate::place::shelves::{Grounds, Shelves};

/// What each point of a tray's fill above its planned share costs, in shares of what is compared. It has no price in
/// any catalogue: crowded trays cost labour and the next growth.
const CROWDED_POINT: f64 = 0.001;

/// A placement to be searched.
pub struct Problem<'a> {
    project: &'a Project,
    /// The racks; their positions are the locations of the search.
    racks: Vec<RackId>,
    objective: PlaceObjective,
    moves: Moves,
    first: First,
    kept: usize,
}

/// The layout that a search begins with.
enum First {
    Senders(Assignment),
    Receivers(Shelves),
    Frames(Framed),
}

/// What a search has found: the rack of each ToR, and the least cost after each round.
pub struct Racks {
    /// The rack of each ToR.
    pub racks: Vec<RackId>,
    curve: Vec<i64>,
}

impl Racks {
    /// Takes the racks of a later pass.
    pub fn take(&mut self, later: Self) {
        self.racks = later.racks;
        self.curve.extend(later.curve);
    }

    /// Keeps the racks up to the last of this number of rounds: the rounds that are left would find nothing cheaper.
    pub fn keep(&mut self, rounds: usize) {
        let least = self.least().unwrap_or(0);
        self.curve.resize(rounds.max(self.curve.len()), least);
    }

    /// The least cost of all rounds: micro-units of money, or micrometres. `None`: no round was done.
    pub fn least(&self) -> Option<i64> {
        self.curve.last().copied()
    }
}

impl<'a> Problem<'a> {
    /// The problem of a project's ToRs.
    ///
    /// # Errors
    /// [`InputError`] if a ToR stands in a rack that it may not use, if a price is too large, if the costs need more
    /// memory than the design may take, or if splitters in frames cannot be laid.
    pub fn new(project: &'a Project, placing: &Placing) -> Result<Self, InputError> {
        project.refuse_logical("a search finds places")?;
        let tors: Vec<RackId> = project.placement().racks().to_vec();
        let held = |tor: &TorId| tors[tor.index()];
        let kept_racks: BTreeSet<RackId> = placing.fixed.iter().map(held).collect();
        for (tor, &rack) in tors.iter().enumerate() {
            if placing.forbidden.contains(&rack) && !kept_racks.contains(&rack) {
                let message = format!(
                    "names rack \"{}\", where ToR {tor} stands before the search; give this ToR another rack \
                     first, with a placement file",
                    project.hall().rack(rack).name
                );
                return Err(InputError::new(message).in_option("forbidden"));
            }
        }
        let racks = project.hall().racks_for_tors();
        let may = |rack: &RackId| !placing.forbidden.contains(rack) || kept_racks.contains(rack);
        let racks: Vec<RackId> = racks.into_iter().filter(may).collect();
        let at: BTreeMap<RackId, u32> = racks.iter().copied().zip(0..).collect();
        let location_of: Vec<u32> = tors.iter().map(|rack| at[rack]).collect();
        let moves = moves(project, placing, &racks, &kept_racks, &location_of)?;
        let ground = |splitters: u32| {
            check_memory(project, racks.len())?;
            Ground::new(project, racks.clone(), splitters as usize)
        };
        let (first, objective) = match project.design().scheme.housing {
            Housing::Sender => {
                let ground = ground(1)?;
                (First::Senders(senders(project, &ground, location_of)), ground.objective)
            }
            Housing::Receiver => {
                let ground = ground(project.fabric().fan_out())?;
                (First::Receivers(receivers(project, &ground, location_of)), ground.objective)
            }
            Housing::Zone => {
                let (framed, objective) = Framed::new(&project.laid()?, &racks, location_of)?;
                (First::Frames(framed), objective)
            }
        };
        Ok(Self { project, racks, objective, moves, first, kept: placing.fixed.len() })
    }

    /// How often a search begins again from what the planner makes of what was found. With splitters in frames their
    /// modules move when a placement is laid, so a search has several passes.
    pub fn passes(&self) -> NonZeroU32 {
        const OF_FRAMES: NonZeroU32 = NonZeroU32::MIN.saturating_add(2);
        match self.first {
            First::Senders(_) | First::Receivers(_) => NonZeroU32::MIN,
            First::Frames(_) => OF_FRAMES,
        }
    }

    /// Whether one project's cords and trunks cost less than another's, as the planner lays and prices them.
    ///
    /// # Errors
    /// [`InputError`] if one of them cannot be laid or priced.
    pub fn is_cheaper(&self, one: &Project, other: &Project) -> Result<bool, InputError> {
        let value = |project: &Project| {
            let (figures, _) = PlaceFigures::of(&project.laid()?)?;
            Ok(figures.value(&self.objective))
        };
        Ok(value(one)? < value(other)?)
    }

    /// Searches with this effort and seed. Stopped work returns the best placement so far.
    pub fn search(&self, effort: Effort, seed: u64, watch: Watch<'_, Progress>) -> Racks {
        self.search_with(&self.moves, effort, seed, watch)
    }

    /// The kinds of moves of a search, each alone. A search has as many rounds of each.
    pub fn kinds(&self) -> Vec<Moves> {
        let Moves { sets, blocks } = self.moves.clone();
        let kinds = [Moves { sets: Vec::new(), blocks }, Moves { sets, blocks: Vec::new() }];
        kinds.into_iter().filter(|kind| !kind.is_empty()).collect()
    }

    /// Searches as [`Self::search`], with these moves only.
    pub fn search_with(
        &self,
        moves: &Moves,
        effort: Effort,
        seed: u64,
        watch: Watch<'_, Progress>,
    ) -> Racks {
        let asked = Search { effort, seed, moves };
        let racks = |locations: &[u32]| -> Vec<RackId> {
            locations.iter().map(|&at| self.racks[at as usize]).collect()
        };
        match &self.first {
            First::Senders(first) => {
                let Found { layout, curve, .. } = search(first, &asked, watch);
                Racks { racks: racks(layout.locations()), curve }
            }
            First::Receivers(first) => {
                let Found { layout, curve, .. } = search(first, &asked, watch);
                Racks { racks: racks(layout.locations()), curve }
            }
            First::Frames(first) => {
                let Found { layout, curve, .. } = search(first, &asked, watch);
                Racks { racks: racks(layout.locations()), curve }
            }
        }
    }

    /// The cost that the search counts before it begins. The planner's bill has the same, but with splitters in frames:
    /// their cords are counted to the middle of each frame.
    pub fn cost(&self) -> i64 {
        match &self.first {
            First::Senders(first) => first.cost(),
            First::Receivers(first) => first.cost(),
            First::Frames(first) => first.cost(),
        }
    }
}

/// A placement as the planner lays, prices and lights it.
struct Seen {
    figures: PlaceFigures,
    currency: Option<String>,
    trays: Vec<TrayReport>,
    /// The verdict on its light. `None`: the design has no optics.
    verdict: Option<Verdict>,
}

impl Seen {
    fn of(project: &Project) -> Result<Self, Error> {
        let laid = project.laid()?;
        let (figures, currency) = PlaceFigures::of(&laid)?;
        let budget = || laid.budget(&BudgetOptions::default(), Watch::quiet());
        let verdict = project.optics().map(|_| budget()).transpose()?.map(|budget| budget.verdict);
        Ok(Self { figures, currency, trays: trays::reports(laid.plant()), verdict })
    }

    /// What is compared, with a penalty for crowded trays. `whole` is what all cords cost before the search.
    fn value(&self, objective: &PlaceObjective, whole: f64) -> f64 {
        let over = |tray: &TrayReport| (tray.fill_percent - tray.planned_percent()).max(0.0);
        let crowded: f64 = self.trays.iter().map(over).sum();
        self.figures.value(objective) + whole * CROWDED_POINT * crowded
    }

    /// Why this placement is not taken in place of another one. `None`: it is.
    fn worse_than(&self, before: &Self, objective: &PlaceObjective) -> Option<String> {
        let whole = before.figures.value(objective);
        if let Some(tray) = self.trays.iter().find(|tray| tray.overflows()) {
            return Some(format!("its cords do not fit their trays: {}", tray.fault()));
        }
        if let Some((verdict, old)) =
            self.verdict.zip(before.verdict).filter(|(new, old)| new > old)
        {
            let (new, old) = (verdict.name(), old.name());
            return Some(format!("its light is worse: {new} in place of {old}"));
        }
        if self.figures.value(objective) > whole {
            return Some(
                "laid by the planner, its cords and trunks cost more than before".to_owned(),
            );
        }
        (self.value(objective, whole) > before.value(objective, whole))
            .then(|| "it crowds trays more than it saves".to_owned())
    }
}

/// Compares a placement that was found, as the planner lays, prices and lights it, with the one before. `after` is the
/// project with its ToRs there, or why it cannot be opened. Returns the report, and whether the placement is to be
/// taken.
///
/// # Errors
/// [`Error`] if the project before the search cannot be laid or priced.
pub fn chosen(
    problem: &Problem<'_>,
    (effort, seed): (Effort, u64),
    racks: &Racks,
    after: Result<&Project, &InputError>,
) -> Result<(PlaceReport, bool), Error> {
    let project = problem.project;
    let objective = &problem.objective;
    let seen = Seen::of(project)?;
    let (found, not_taken) = match after.map_err(ToString::to_string).map(Seen::of) {
        Ok(Ok(found)) => {
            let worse = found.worse_than(&seen, objective);
            (Some(found), worse)
        }
        Ok(Err(error)) => (None, Some(error.to_string())),
        Err(refused) => (None, Some(refused)),
    };
    let Seen { figures: before, currency, .. } = seen;
    let is_taken = not_taken.is_none();
    let found = found.map_or_else(|| before.clone(), |found| found.figures);
    let gain = |before: Option<f64>, after: Option<f64>| Some(before? - after?);
    let saved = gain(before.cords_cost, found.cords_cost).filter(|saved| *saved > 0.0 && is_taken);
    let assumed = gain(before.cords_cost_assumed, found.cords_cost_assumed);
    let is_moved = |(tor, &rack): (TorId, &RackId)| rack != project.placement().rack(tor);
    let moved = project.fabric().tor_ids().zip(&racks.racks).filter(|&pair| is_moved(pair)).count();
    let report = PlaceReport {
        objective: objective.clone(),
        currency,
        chains: effort.chains.get(),
        rounds: effort.rounds.get(),
        rounds_done: racks.curve.len(),
        seed,
        kept_tors: problem.kept,
        moved_cords: None,
        moved_tors: if is_taken { moved } else { 0 },
        after: if is_taken { found } else { before.clone() },
        before,
        assumed_share_of_gain: saved.zip(assumed).map(|(saved, assumed)| assumed / saved),
        not_taken,
        curve: racks.curve.clone(),
    };
    Ok((report, is_taken))
}

/// Refuses a search whose table of pairs of racks needs more memory than the design may take.
pub(super) fn check_memory(project: &Project, racks: usize) -> Result<(), InputError> {
    let design = project.design();
    let of_pair = match design.scheme.housing {
        // The cost by either end, and a copy while they are made; the reach too with splitters at receivers.
        Housing::Receiver => 10,
        Housing::Sender | Housing::Zone => 6,
    };
    let pairs = (racks as u64).saturating_mul(racks as u64);
    let needed = DataSize::from_bytes(pairs.saturating_mul(of_pair));
    design.memory.check(&design.settings, "the costs of all pairs of racks", needed)
}

/// The layout of splitters at senders: a flow for each branch, and the cost of a feed for each rack.
fn senders(project: &Project, ground: &Ground, location_of: Vec<u32>) -> Assignment {
    let fabric = project.fabric();
    let flows = fabric.tor_ids().flat_map(|from| {
        let receivers = fabric.receivers(fabric.transmits_into(from)).iter();
        receivers.map(move |to| Flow { from: from.0, to: to.0, weight: 1 })
    });
    let locations = 0..u32::try_from(ground.racks.len()).unwrap_or(u32::MAX);
    let feeds: Vec<i64> = locations.map(|at| ground.costs.cost(at, at)).collect();
    Assignment::new(ground.costs.clone(), feeds.into(), &flows.collect::<Vec<_>>(), location_of)
}

/// The layout of splitters at receivers.
fn receivers(project: &Project, ground: &Ground, location_of: Vec<u32>) -> Shelves {
    let (hall, racks) = (project.hall(), &ground.racks);
    let site = project.site();
    let fabric = &site.fabric;
    let units =
        project.catalogue().hardware.shelf_units(fabric.fan_out() as usize, fabric.fan_out());
    let reach = |rack: RackId| {
        let shelf = Place { rack, height: hall.shelf_height(rack) };
        racks.iter().map(move |&other| {
            let tor = Place { rack: other, height: hall.tor_height(other) };
            u32::try_from(hall.route(shelf, tor).length.as_um()).unwrap_or(u32::MAX)
        })
    };
    let rows = deal(&shares(racks.len()), 1, &mut |_, _| Ok(()), |share| {
        racks[share.clone()].iter().flat_map(|&rack| reach(rack)).collect::<Vec<u32>>()
    });
    let grounds = Grounds {
        fabric: fabric.clone(),
        costs: ground.costs.clone(),
        // Its watch never stops this work.
        reach: rows.unwrap_or_default().concat(),
        has_room: racks.iter().map(|&rack| site.free_units(rack, units).is_some()).collect(),
        order: racks.iter().map(|rack| rack.0).collect(),
    };
    Shelves::new(Arc::new(grounds), location_of)
}
