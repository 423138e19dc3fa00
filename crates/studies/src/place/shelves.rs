//! ToRs in racks, with shelves of cassettes that move with their receivers.

use std::sync::Arc;

use lightloom_qap::{Costs, Layout};
use lightloom_topology::{CassetteId, Fabric, TorId};

use crate::place::ground::IMPOSSIBLE;
use crate::place::standing::Standing;

/// What does not change in a search.
#[derive(Debug)]
pub(super) struct Grounds {
    pub(super) fabric: Arc<Fabric>,
    /// The cost of a cord, by the rack of the shelf and the rack of the ToR.
    pub(super) costs: Arc<Costs>,
    /// Routed length in micrometres from the usual place of a shelf to a ToR, by the racks of both: what decides in
    /// which rack a shelf stands.
    pub(super) reach: Vec<u32>,
    /// Whether each rack has room for a shelf.
    pub(super) has_room: Vec<bool>,
    /// The number of each rack in the hall. Of equally near racks, the shelf takes the first one.
    pub(super) order: Vec<u32>,
}

/// A layout. A cassette's shelf stands in the rack of a receiver, as the planner chooses it.
#[derive(Debug, Clone)]
pub(super) struct Shelves {
    of: Arc<Grounds>,
    standing: Standing,
    /// The location of each cassette's shelf. `None`: no receiver's rack has room.
    shelf_of: Vec<Option<u32>>,
    /// The cost of each cassette's cords: its feeds and its branches.
    cost_of: Vec<i64>,
    /// The cassettes and ToRs that a swap touches.
    touched: Touched,
}

/// What a swap touches.
#[derive(Debug, Clone, Default)]
struct Touched {
    /// The cassettes whose receivers move, each once.
    cassettes: Vec<CassetteId>,
    /// The ToRs that move and feed other cassettes.
    feeding: Vec<TorId>,
}

impl Shelves {
    /// ToRs at these locations.
    pub(super) fn new(of: Arc<Grounds>, location_of: Vec<u32>) -> Self {
        let standing = Standing::new(of.costs.locations(), location_of);
        let cassettes = of.fabric.cassettes();
        let (shelf_of, cost_of) = (vec![None; cassettes], vec![0; cassettes]);
        let touched = Touched::default();
        let mut shelves = Self { of, standing, shelf_of, cost_of, touched };
        for cassette in (0..cassettes).map(CassetteId::at) {
            shelves.keep(cassette);
        }
        shelves
    }

    /// The location of each ToR.
    pub(super) fn locations(&self) -> &[u32] {
        self.standing.locations()
    }

    fn at(&self, tor: TorId) -> u32 {
        self.standing.locations()[tor.index()]
    }

    /// The location of a cassette's shelf. `None`: no receiver's rack has room.
    fn shelf(&self, cassette: CassetteId) -> Option<u32> {
        let receivers = self.of.fabric.receivers(cassette);
        let locations = self.of.costs.locations();
        let total = |shelf: u32| -> u64 {
            let row = &self.of.reach[shelf as usize * locations..][..locations];
            receivers.iter().map(|&tor| u64::from(row[self.at(tor) as usize])).sum()
        };
        let racks = receivers.iter().map(|&tor| self.at(tor));
        racks
            .filter(|&rack| self.of.has_room[rack as usize])
            .min_by_key(|&rack| (total(rack), self.of.order[rack as usize]))
    }

    /// The cost of a cassette's feeds and branches with its shelf at a location.
    fn of_cassette(&self, cassette: CassetteId, shelf: Option<u32>) -> i64 {
        let fabric = &self.of.fabric;
        let (feeds, branches) = (fabric.transmitters(cassette), fabric.receivers(cassette));
        let Some(shelf) = shelf else { return IMPOSSIBLE };
        let cost = |tor: &TorId| self.of.costs.cost(shelf, self.at(*tor));
        let branches: i64 = branches.iter().map(cost).sum();
        feeds.iter().map(|tor| cost(tor) + branches).sum()
    }

    /// Keeps the shelf of a cassette and its cost, as its ToRs are now.
    fn keep(&mut self, cassette: CassetteId) {
        let shelf = self.shelf(cassette);
        self.cost_of[cassette.index()] = self.of_cassette(cassette, shelf);
        self.shelf_of[cassette.index()] = shelf;
    }

    /// The cost of a ToR's feed.
    fn feed(&self, tor: TorId) -> i64 {
        let shelf = self.shelf_of[self.of.fabric.transmits_into(tor).index()];
        shelf.map_or(0, |shelf| self.of.costs.cost(shelf, self.at(tor)))
    }

    /// Notes what a swap of these locations touches.
    fn touch(&mut self, locations: impl Iterator<Item = u32> + Clone) {
        let (fabric, standing) = (&self.of.fabric, &self.standing);
        let Touched { cassettes, feeding } = &mut self.touched;
        cassettes.clear();
        feeding.clear();
        let tors = locations.filter_map(|location| standing.tor_at(location)).map(TorId);
        for tor in tors.clone() {
            let cassette = fabric.receives_from(tor);
            if !cassettes.contains(&cassette) {
                cassettes.push(cassette);
            }
        }
        feeding.extend(tors.filter(|&tor| !cassettes.contains(&fabric.transmits_into(tor))));
    }

    /// The cost of what was noted, with the shelves where they stood.
    fn cost_of_touched(&self) -> i64 {
        let Touched { cassettes, feeding } = &self.touched;
        let of_cassettes: i64 = cassettes.iter().map(|c| self.cost_of[c.index()]).sum();
        of_cassettes + feeding.iter().map(|&tor| self.feed(tor)).sum::<i64>()
    }

    /// Swaps pairs of locations, keeps the new costs, and returns the change.
    fn take(&mut self, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> i64 {
        self.touch(pairs.clone().flat_map(|(one, other)| [one, other]));
        let before = self.cost_of_touched();
        let touched = std::mem::take(&mut self.touched);
        for &tor in &touched.feeding {
            let cassette = self.of.fabric.transmits_into(tor).index();
            self.cost_of[cassette] -= self.feed(tor);
        }
        pairs.for_each(|(one, other)| self.standing.exchange(one, other));
        touched.cassettes.iter().for_each(|&cassette| self.keep(cassette));
        for &tor in &touched.feeding {
            let cassette = self.of.fabric.transmits_into(tor).index();
            self.cost_of[cassette] += self.feed(tor);
        }
        self.touched = touched;
        self.cost_of_touched() - before
    }
}

impl Layout for Shelves {
    fn cost(&self) -> i64 {
        let cassettes = (0..self.of.fabric.cassettes()).map(CassetteId::at);
        cassettes.map(|cassette| self.of_cassette(cassette, self.shelf(cassette))).sum()
    }

    fn delta(&mut self, one: u32, other: u32) -> i64 {
        self.touch([one, other].into_iter());
        let before = self.cost_of_touched();
        self.standing.exchange(one, other);
        let of_cassette = |&cassette: &CassetteId| self.of_cassette(cassette, self.shelf(cassette));
        let of_cassettes: i64 = self.touched.cassettes.iter().map(of_cassette).sum();
        let feeds: i64 = self.touched.feeding.iter().map(|&tor| self.feed(tor)).sum();
        self.standing.exchange(one, other);
        of_cassettes + feeds - before
    }

    fn swap(&mut self, one: u32, other: u32) {
        self.take(std::iter::once((one, other)));
    }

    fn swap_blocks(&mut self, one: &[u32], other: &[u32]) -> i64 {
        self.take(one.iter().copied().zip(other.iter().copied()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lightloom_topology::family::kautz;

    #[test]
    fn a_swap_changes_the_cost_by_its_delta() {
        let fabric = Arc::new(kautz(3, 20).expect("it is a fabric"));
        let places = 23_u32;
        let far = |one: u32, other: u32| (one * 7 % 13).abs_diff(other * 5 % 11) + 1;
        let pairs = || (0..places).flat_map(|one| (0..places).map(move |other| (one, other)));
        let costs: Vec<i64> = pairs().map(|(one, other)| far(one, other).into()).collect();
        let grounds = Grounds {
            fabric,
            costs: Arc::new(Costs::new(places as usize, &costs).expect("they are few")),
            reach: pairs().map(|(one, other)| far(other, one)).collect(),
            has_room: (0..places).map(|at| at % 4 != 3).collect(),
            order: (0..places).collect(),
        };
        let mut shelves = Shelves::new(Arc::new(grounds), (0..20).collect());
        let mut known = shelves.cost();
        let mut draw = 12_345_u32;
        let mut next = |below: u32| {
            draw = draw.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (draw >> 8) % below
        };
        for _ in 0..500 {
            let (one, other) = (next(places), next(places));
            if one == other {
                continue;
            }
            known += shelves.delta(one, other);
            shelves.swap(one, other);
            assert_eq!(shelves.cost(), known);
            let (one, other) = (next(7) * 3, next(7) * 3);
            if one != other {
                let blocks = [one, other].map(|first| [first, first + 1, first + 2]);
                let before = known;
                known += shelves.swap_blocks(&blocks[0], &blocks[1]);
                assert_eq!(shelves.cost(), known);
                assert_eq!(shelves.clone().swap_blocks(&blocks[0], &blocks[1]), before - known);
            }
        }
    }
}
