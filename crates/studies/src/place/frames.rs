//! ToRs in racks, with splitters in frames.
//!
//! The modules of splitters stand where they stood before the search, so each ToR has a cost of its own in each rack:
//! that of its cords to the frames of its splitters. The planner moves modules near their receivers when it lays what
//! was found, so a search has several passes.

use std::collections::BTreeMap;
use std::sync::Arc;

use lightloom_plan::bill;
use lightloom_plan::bom::{BomItem, BomLine};
use lightloom_plan::laid::Laid;
use lightloom_plant::{Plant, ThingKind};
use lightloom_qap::Layout;
use lightloom_request::InputError;
use lightloom_topology::hall::{Place, Shuffle, unit_height};
use lightloom_topology::{RackId, RowId, TorId};
use lightloom_units::{DataSize, Length};

use crate::place::ground::{Numbers, by_length, priced};
use crate::place::report::PlaceObjective;
use crate::place::standing::Standing;

/// What does not change in a search.
#[derive(Debug)]
struct Given {
    /// Number of racks.
    racks: usize,
    /// The cost of a feed, by frame and then by rack.
    feeds: Vec<i64>,
    /// The cost of a branch, by frame and then by rack.
    branches: Vec<i64>,
    /// For each ToR the frame of its own splitter.
    feed_of: Vec<u32>,
    /// For each ToR the frames of the splitters that it hears, each with their number.
    heard_by: Vec<Vec<(u32, i64)>>,
}

/// A layout.
#[derive(Debug, Clone)]
pub(super) struct Framed {
    of: Arc<Given>,
    standing: Standing,
}

impl Framed {
    /// The layout of a laid project, with its ToRs at these positions of these racks.
    ///
    /// # Errors
    /// [`InputError`] if a price is too large, or if the costs need more memory than the design may take.
    pub(super) fn new(
        laid: &Laid,
        racks: &[RackId],
        location_of: Vec<u32>,
    ) -> Result<(Self, PlaceObjective), InputError> {
        let (plant, fabric) = (laid.plant(), laid.project().fabric());
        let (frames, places) = frames_of(plant);
        let frame_of = |tor: TorId| frames[&plant.splitter_rack(tor)];
        let heard = |tor: TorId| {
            let mut heard: BTreeMap<u32, i64> = BTreeMap::new();
            for &from in fabric.transmitters(fabric.receives_from(tor)) {
                *heard.entry(frame_of(from)).or_default() += 1;
            }
            heard.into_iter().collect()
        };
        let (objective, feeds, branches) = costs(laid, racks, &places)?;
        let given = Given {
            racks: racks.len(),
            feeds,
            branches,
            feed_of: fabric.tor_ids().map(frame_of).collect(),
            heard_by: fabric.tor_ids().map(heard).collect(),
        };
        let standing = Standing::new(racks.len(), location_of);
        Ok((Self { of: Arc::new(given), standing }, objective))
    }

    /// The location of each ToR.
    pub(super) fn locations(&self) -> &[u32] {
        self.standing.locations()
    }

    /// The cost of a ToR's cords at a location. Without a ToR there is none.
    fn at(&self, tor: Option<u32>, location: u32) -> i64 {
        let Some(tor) = tor else { return 0 };
        let Given { racks, feeds, branches, feed_of, heard_by } = &*self.of;
        let cost = |of: &[i64], frame: u32| of[frame as usize * racks + location as usize];
        let heard = heard_by[tor as usize].iter();
        cost(feeds, feed_of[tor as usize])
            + heard.map(|&(frame, count)| count * cost(branches, frame)).sum::<i64>()
    }
}

impl Layout for Framed {
    fn cost(&self) -> i64 {
        let tors = (0..).zip(self.locations());
        tors.map(|(tor, &location)| self.at(Some(tor), location)).sum()
    }

    fn delta(&mut self, one: u32, other: u32) -> i64 {
        let [a, b] = [one, other].map(|location| self.standing.tor_at(location));
        self.at(a, other) - self.at(a, one) + self.at(b, one) - self.at(b, other)
    }

    fn swap(&mut self, one: u32, other: u32) {
        self.standing.exchange(one, other);
    }
}

/// The frames that have splitters, by rack, and for each the middle one of the places of its modules.
fn frames_of(plant: &Plant) -> (BTreeMap<RackId, u32>, Vec<Place>) {
    let mut units: BTreeMap<RackId, Vec<u16>> = BTreeMap::new();
    for thing in plant.things() {
        if matches!(thing.kind, ThingKind::Splitters { .. }) {
            units.entry(thing.rack).or_default().push(thing.unit);
        }
    }
    let middle = |(&rack, units): (&RackId, &Vec<u16>)| Place {
        rack,
        height: unit_height(units[units.len() / 2]),
    };
    let places = units.iter().map(middle).collect();
    (units.keys().copied().zip(0..).collect(), places)
}

/// What is counted, and the costs of feeds and of branches, by frame and then by rack.
fn costs(
    laid: &Laid,
    racks: &[RackId],
    frames: &[Place],
) -> Result<(PlaceObjective, Vec<i64>, Vec<i64>), InputError> {
    let (project, plant) = (laid.project(), laid.plant());
    let (hall, design) = (project.hall(), project.design());
    let cells = (racks.len() as u64).saturating_mul(frames.len() as u64);
    // Two tables of costs, and the numbers of their lengths.
    let needed = DataSize::from_bytes(cells.saturating_mul(20));
    design.memory.check(&design.settings, "the costs of all racks and frames", needed)?;
    let numbers = Numbers(project.catalogue().stock());
    let tor = |rack: RackId| Place { rack, height: hall.tor_height(rack) };
    let length = |one: Place, other: Place| numbers.of(hall.route(one, other).length);
    if !plant.scheme().is_trunked() {
        let pairs = frames.iter().flat_map(|&frame| racks.iter().map(move |&rack| (frame, rack)));
        let pairs: Vec<u16> = pairs.map(|(frame, rack)| length(frame, tor(rack))).collect();
        let (objective, entries) = of_lengths(laid, pairs.iter().copied(), true)?;
        let costs: Vec<i64> = pairs.into_iter().map(|pair| entries[usize::from(pair)]).collect();
        return Ok((objective, costs.clone(), costs));
    }
    let rows = panels(laid, racks, frames);
    let of_row = |at: usize| &rows[&hall.rack(racks[at]).row];
    let drop = |at: usize| length(of_row(at).near, tor(racks[at]));
    let drops: Vec<u16> = (0..racks.len()).map(drop).collect();
    let jumper = |row: &Panels| frames.iter().map(|&frame| length(row.far, frame)).collect();
    let jumpers: BTreeMap<RowId, Vec<u16>> =
        rows.iter().map(|(&row, panels)| (row, jumper(panels))).collect();
    let all = drops.iter().chain(jumpers.values().flatten()).copied();
    let trunks = bill::lines(laid, project.optics())?;
    let trunks: Vec<BomLine> =
        trunks.into_iter().filter(|line| line.item == BomItem::Trunk).collect();
    let are_priced = trunks.iter().all(|line| line.unit_price.is_some());
    let (objective, entries) = of_lengths(laid, all, are_priced)?;
    let shares = trunk_shares(laid, &objective, (&rows, &trunks));
    let cost = |frame: usize, at: usize, has_jumper: bool| {
        let row = hall.rack(racks[at]).row;
        let jumper = if has_jumper { entries[usize::from(jumpers[&row][frame])] } else { 0 };
        entries[usize::from(drops[at])] + jumper + shares[&row]
    };
    let table = |has_jumper: bool| -> Vec<i64> {
        let pairs = (0..frames.len()).flat_map(|frame| (0..racks.len()).map(move |at| (frame, at)));
        pairs.map(|(frame, at)| cost(frame, at, has_jumper)).collect()
    };
    let is_jumped = plant.scheme().shuffle == Shuffle::Jumpers;
    Ok((objective, table(true), table(is_jumped)))
}

/// The costs of stock lengths by their numbers, up to the largest of these. Where trunks have no price, lengths count.
fn of_lengths(
    laid: &Laid,
    numbers: impl Iterator<Item = u16>,
    are_priced: bool,
) -> Result<(PlaceObjective, Vec<i64>), InputError> {
    let catalogue = laid.project().catalogue();
    let most = numbers.max().unwrap_or(0);
    let stocks = (0..=most).map(|number| Numbers(catalogue.stock()).stock(number));
    if are_priced { priced(laid.project(), stocks) } else { Ok(by_length(stocks)) }
}

/// The panels of a row.
struct Panels {
    /// In the row.
    near: Place,
    /// In a frame.
    far: Place,
}

/// The panels of the rows of these racks. A row without ToRs has none yet: they are taken to be in its middle, and in
/// the frame nearest to that.
fn panels(laid: &Laid, racks: &[RackId], frames: &[Place]) -> BTreeMap<RowId, Panels> {
    let (plant, hall) = (laid.plant(), laid.project().hall());
    let (mut near, mut far) = (BTreeMap::new(), BTreeMap::new());
    for id in plant.thing_ids() {
        let (panels, row) = match plant.thing(id).kind {
            ThingKind::RowPanel(row) => (&mut near, row),
            ThingKind::FramePanel(row) => (&mut far, row),
            _ => continue,
        };
        // The first of several.
        panels.entry(row).or_insert_with(|| plant.place(id));
    }
    let mut of_rows: BTreeMap<RowId, Vec<RackId>> = BTreeMap::new();
    for &rack in racks {
        of_rows.entry(hall.rack(rack).row).or_default().push(rack);
    }
    let both = of_rows.into_iter().map(|(row, racks)| {
        let near = near.get(&row).copied().unwrap_or_else(|| {
            let rack = racks[racks.len() / 2];
            Place { rack, height: hall.shelf_height(rack) }
        });
        let nearest = || {
            let distance = |frame: &&Place| hall.route(near, **frame).length;
            frames.iter().min_by_key(distance).copied().unwrap_or(near)
        };
        (row, Panels { near, far: far.get(&row).copied().unwrap_or_else(nearest) })
    });
    both.collect()
}

/// What a fibre of each row takes of its trunk, by the mean price of a metre of trunks and the mean number of their
/// fibres.
#[allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "an estimate that guides the search; the planner prices what was found"
)]
fn trunk_shares(
    laid: &Laid,
    objective: &PlaceObjective,
    (rows, trunks): (&BTreeMap<RowId, Panels>, &[BomLine]),
) -> BTreeMap<RowId, i64> {
    let (plant, hall) = (laid.plant(), laid.project().hall());
    let (mut money, mut metres) = (0.0, 0.0);
    for line in trunks {
        let price = line.unit_price.as_ref().map_or(0, |price| price.amount().as_micros());
        money += price as f64 * line.quantity as f64;
        metres += line.stock.unwrap_or(Length::ZERO).as_m() * line.quantity as f64;
    }
    let of_metre = match objective {
        PlaceObjective::Money(_) if metres > 0.0 => money / metres,
        PlaceObjective::Money(_) => 0.0,
        PlaceObjective::StockMetres => 1e6,
    };
    let fibres: usize =
        plant.trunks().iter().map(|trunk| trunk.strands.iter().flatten().count()).sum();
    let of_fibre = of_metre * plant.trunks().len() as f64 / fibres.max(1) as f64;
    let share = |(&row, panels): (&RowId, &Panels)| {
        (row, (of_fibre * hall.route(panels.near, panels.far).length.as_m()) as i64)
    };
    rows.iter().map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_swap_changes_the_cost_by_its_delta() {
        let given = Given {
            racks: 5,
            feeds: (0..10).map(|at| at * 7 % 13).collect(),
            branches: (0..10).map(|at| at * 5 % 11).collect(),
            feed_of: vec![0, 1, 0, 1],
            heard_by: vec![vec![(0, 2)], vec![(0, 1), (1, 1)], vec![(1, 2)], vec![(0, 3)]],
        };
        let standing = Standing::new(5, vec![0, 1, 2, 3]);
        let mut framed = Framed { of: Arc::new(given), standing };
        let mut known = framed.cost();
        for step in 0..60_u32 {
            let (one, other) = (step % 5, (step * 3 + 1) % 5);
            if one == other {
                continue;
            }
            known += framed.delta(one, other);
            framed.swap(one, other);
            assert_eq!(framed.cost(), known);
        }
    }
}
