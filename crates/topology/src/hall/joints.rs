//! Entrances on the trays of their rooms, and the routes between them.

use lightloom_units::Length;

use crate::hall::building::Building;
use crate::hall::error::{BuildingFault, BuildingPart, HallError};
use crate::hall::links::{Leg, Reach};
use crate::hall::trays::{Grid, TrayId, TrayPoint};
use crate::id::{EntranceId, RoomId};

/// How the rooms of a building are joined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Joints {
    /// The point of each entrance on the trays of its room.
    points: Vec<TrayPoint>,
    /// The entrances of each room.
    entrances: Vec<Vec<EntranceId>>,
    /// Routes over ways with room below their planned fill.
    with_room: Reach,
    /// Routes over all ways that are not full.
    not_full: Reach,
}

/// The route between two rooms: it leaves the first by one entrance and comes in by the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Passage {
    /// Length of all of it, from point to point.
    pub length: Length,
    /// The entrance of the first room.
    pub out: EntranceId,
    /// The entrance of the second room.
    pub into: EntranceId,
    /// What lies between them, in order.
    pub legs: Vec<Leg>,
}

impl Joints {
    /// Puts the entrances on trays, and joins all rooms that have racks.
    pub fn new(building: &Building, grid: &Grid, with_racks: &[bool]) -> Result<Self, HallError> {
        let rooms = (0..building.rooms.len()).map(RoomId::at);
        let entrances: Vec<Vec<EntranceId>> =
            rooms.clone().map(|room| building.entrances_of(room).collect()).collect();
        if building.rooms.len() > 1
            && let Some(room) = rooms.clone().find(|room| entrances[room.index()].is_empty())
        {
            let fault = BuildingFault::NoEntrance { room: building.room_text(room) };
            return Err(BuildingPart::Room(room).refuse("entrances", fault));
        }
        let ids = (0..building.entrances.len()).map(EntranceId::at);
        let points =
            ids.map(|id| point(building, grid, id)).collect::<Result<Vec<_>, HallError>>()?;
        let with_room = Reach::new(building, grid, &points, |way| way.pathway.has_room());
        let not_full = Reach::new(building, grid, &points, |way| !way.pathway.is_full());
        let joints = Self { points, entrances, with_room, not_full };
        let used: Vec<RoomId> = rooms.filter(|room| with_racks[room.index()]).collect();
        joints.check(building, grid, &used)?;
        Ok(joints)
    }

    /// The point of an entrance on the trays of its room.
    pub fn point(&self, id: EntranceId) -> TrayPoint {
        self.points[id.index()]
    }

    /// Checks that ways with room for a fibre join these rooms.
    fn check(&self, building: &Building, grid: &Grid, rooms: &[RoomId]) -> Result<(), HallError> {
        let Some((&first, others)) = rooms.split_first() else { return Ok(()) };
        let cut_off = |reach: &Reach, room: RoomId| self.nearest(reach, first, room).is_none();
        let Some(&cut) = others.iter().find(|&&room| cut_off(&self.not_full, room)) else {
            return Ok(());
        };
        let refuse = |part, fault| HallError::Building { part, field: "", fault };
        let all = Reach::new(building, grid, &self.points, |_| true);
        let Some((out, into)) = self.nearest(&all, first, cut) else {
            let mut groups: Vec<Vec<RoomId>> = Vec::new();
            for &room in rooms {
                let joined =
                    |group: &&mut Vec<RoomId>| self.nearest(&all, group[0], room).is_some();
                match groups.iter_mut().find(joined) {
                    Some(group) => group.push(room),
                    None => groups.push(vec![room]),
                }
            }
            let told = |group: Vec<RoomId>| {
                group
                    .into_iter()
                    .map(|room| building.room_text(room))
                    .collect::<Vec<_>>()
                    .join(", ")
            };
            let groups = groups.into_iter().map(told).collect();
            return Err(refuse(Some(BuildingPart::Room(cut)), BuildingFault::Apart { groups }));
        };
        let legs = all.legs(out, into);
        let ways = legs.into_iter().filter_map(|leg| match leg {
            Leg::Way(id) => Some((id, building.way(id))),
            Leg::Trays(..) => None,
        });
        let full: Vec<_> = ways.filter(|(_, way)| way.pathway.is_full()).collect();
        let part = full.first().map(|(id, _)| BuildingPart::Way(*id));
        let told = |fill: f64| format!("{:.1} %", 100.0 * fill);
        let ways = full.iter().map(|(_, way)| {
            format!("way \"{}\" ({})", way.name, told(way.pathway.existing_fill()))
        });
        let (from, to) = (building.room_text(first), building.room_text(cut));
        Err(refuse(part, BuildingFault::Full { from, to, ways: ways.collect() }))
    }

    /// The pair of entrances of two rooms with the shortest route between them. `None`: there is no route.
    fn nearest(&self, reach: &Reach, a: RoomId, b: RoomId) -> Option<(EntranceId, EntranceId)> {
        if a == b {
            return self.entrances[a.index()].first().map(|&entrance| (entrance, entrance));
        }
        let pairs = self.entrances[a.index()]
            .iter()
            .flat_map(|&out| self.entrances[b.index()].iter().map(move |&into| (out, into)));
        let joined = pairs.filter_map(|pair| Some((reach.cost(pair.0, pair.1)?, pair)));
        joined.min().map(|(_, pair)| pair)
    }

    /// The shortest route between points of two rooms. It takes ways with room below their planned fill if
    /// such ways join the rooms, and otherwise all that are not full. Ties go to the fewest legs, then to the
    /// first entrances.
    pub fn passage(
        &self,
        building: &Building,
        grid: &Grid,
        (room_a, a): (RoomId, TrayPoint),
        (room_b, b): (RoomId, TrayPoint),
    ) -> Option<Passage> {
        let approach = |room: RoomId, point: TrayPoint| -> Vec<(EntranceId, Length)> {
            let inside = self.entrances[room.index()].iter();
            let reached = inside.filter_map(|&id| {
                let path = grid.shortest(point, self.point(id))?;
                Some((id, path.length + building.entrance(id).lead.unwrap_or_default()))
            });
            reached.collect()
        };
        let (outs, ins) = (approach(room_a, a), approach(room_b, b));
        let best = |reach: &Reach| {
            let pairs = outs.iter().flat_map(|out| ins.iter().map(move |into| (out, into)));
            let routes = pairs.filter_map(|(&(out, before), &(into, after))| {
                let (length, legs) = reach.cost(out, into)?;
                Some((before + length + after, legs, out, into))
            });
            let (length, _, out, into) = routes.min()?;
            Some(Passage { length, out, into, legs: reach.legs(out, into) })
        };
        best(&self.with_room).or_else(|| best(&self.not_full))
    }
}

/// The point of an entrance on the trays of its room.
fn point(building: &Building, grid: &Grid, id: EntranceId) -> Result<TrayPoint, HallError> {
    let entrance = building.entrance(id);
    let (rules, name) = (&building.room(entrance.room).rules, entrance.name.clone());
    let refuse = |field, fault| Err(BuildingPart::Entrance(id).refuse(field, fault));
    if entrance.x > rules.width || entrance.y > rules.depth {
        let (x, y, width, depth) = (entrance.x, entrance.y, rules.width, rules.depth);
        let entrance = name;
        return refuse("x", BuildingFault::EntranceOutside { entrance, x, y, width, depth });
    }
    let Some((point, distance)) = grid.nearest(entrance.room, entrance.x, entrance.y) else {
        return refuse("", BuildingFault::NoTrays { entrance: name });
    };
    let tray = || -> String {
        let tray: TrayId = Grid::tray(point);
        grid.name(building, tray)
    };
    match entrance.lead {
        None if distance > Length::ZERO => {
            let (entrance, tray) = (name, tray());
            refuse("x", BuildingFault::OffTray { entrance, tray, distance })
        }
        Some(lead) if lead < distance => {
            let (entrance, tray) = (name, tray());
            refuse("lead", BuildingFault::ShortLead { entrance, lead, tray, distance })
        }
        _ => Ok(point),
    }
}
