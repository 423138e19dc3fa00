//! Lengths of fibres, routed along trays and ways.

use lightloom_units::Length;

use crate::hall::links::Leg;
use crate::hall::racks::Hall;
use crate::hall::trays::{TrayId, TrayPoint, TrayRun};
use crate::id::{EntranceId, RackId};

/// The end of a fibre: a rack and a height in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The rack.
    pub rack: RackId,
    /// Height above the floor.
    pub height: Length,
}

/// The route of one fibre.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// The sum of tray runs, ways, leads, drops, rack entries and slack.
    pub length: Length,
    /// The trays and ways of the route, in order; empty inside a rack.
    pub runs: Vec<TrayRun>,
}

impl Hall {
    /// The shortest route between two places along trays. Within a room it stays in the room. Between rooms
    /// it goes through their entrances and the ways that join them.
    pub fn route(&self, a: Place, b: Place) -> Route {
        let rules = self.rules();
        let entries = rules.rack_entry * 2;
        if a.rack == b.rack {
            return Route { length: a.height.abs_diff(b.height) + entries, runs: Vec::new() };
        }
        let (along, mut runs) = self.along(a.rack, b.rack);
        runs.retain(|run| run.from != run.to);
        let drop = |place: Place| self.building.room(self.room_of(place.rack)).drop(place.height);
        Route { length: along + drop(a) + drop(b) + entries + rules.slack, runs }
    }

    /// The trays and ways between two racks, and their length.
    fn along(&self, a: RackId, b: RackId) -> (Length, Vec<TrayRun>) {
        let mut runs = Vec::new();
        let (from, to) = (self.point(a), self.point(b));
        if self.room_of(a) == self.room_of(b) {
            // A room of several rows has a cross-aisle.
            let Some(path) = self.grid.shortest(from, to) else { return (Length::ZERO, runs) };
            self.grid.add_runs(from, to, &path, &mut runs);
            return (path.length, runs);
        }
        if a > b {
            // Routes of one length are chosen alike in both directions.
            let (length, mut runs) = self.along(b, a);
            runs.reverse();
            return (length, runs);
        }
        let (here, there) = ((self.room_of(a), from), (self.room_of(b), to));
        // The constructor has checked that ways join all rooms with racks.
        let Some(passage) = self.joints.passage(&self.building, &self.grid, here, there) else {
            return (Length::ZERO, runs);
        };
        let entrance = |id: EntranceId| self.joints.point(id);
        self.add(from, entrance(passage.out), &mut runs);
        for leg in passage.legs {
            match leg {
                Leg::Way(way) => {
                    let to = self.building.way(way).length;
                    runs.push(TrayRun { tray: TrayId::Way(way), from: Length::ZERO, to });
                }
                Leg::Trays(one, other) => self.add(entrance(one), entrance(other), &mut runs),
            }
        }
        self.add(entrance(passage.into), to, &mut runs);
        (passage.length, runs)
    }

    /// Adds the stretches between two points of a room.
    fn add(&self, a: TrayPoint, b: TrayPoint, runs: &mut Vec<TrayRun>) {
        if let Some(path) = self.grid.shortest(a, b) {
            self.grid.add_runs(a, b, &path, runs);
        }
    }

    /// The point above a rack on the tray of its row.
    fn point(&self, rack: RackId) -> TrayPoint {
        let rack = self.rack(rack);
        TrayPoint::Row(rack.row, rack.x)
    }
}
