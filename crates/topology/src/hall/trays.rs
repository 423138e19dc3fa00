//! The trays of rooms, and the shortest ways along them within a room.

use std::ops::Range;

use lightloom_units::Length;

use crate::hall::building::Building;
use crate::hall::row::Row;
use crate::id::{RoomId, RowId, WayId};

/// A cable tray, or a way between rooms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TrayId {
    /// The tray of a row.
    Row(RowId),
    /// A cross-aisle tray, by its position among the cross-aisles of all rooms, room by room.
    Cross(u32),
    /// A way between rooms.
    Way(WayId),
}

/// A stretch of one tray, from the lower coordinate to the higher: x on a row tray, y on a
/// cross-aisle tray, the distance from its first end on a way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrayRun {
    /// The tray.
    pub tray: TrayId,
    /// The start of the stretch.
    pub from: Length,
    /// The end of the stretch.
    pub to: Length,
}

impl TrayRun {
    pub(super) fn between(tray: TrayId, a: Length, b: Length) -> Self {
        Self { tray, from: a.min(b), to: a.max(b) }
    }
}

/// A cross-aisle tray.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CrossAisle {
    /// Its room.
    pub room: RoomId,
    /// Its x.
    pub x: Length,
}

/// A point on a tray.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TrayPoint {
    /// On the tray of a row, at this x.
    Row(RowId, Length),
    /// On a cross-aisle tray, at this y.
    Cross(u32, Length),
}

/// The shortest way between two points on the trays of one room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TrayPath {
    /// Its length.
    pub length: Length,
    /// The tray between the trays of the points. `None`: they are on one tray, or on two that cross.
    between: Option<TrayId>,
}

/// The trays of all rooms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Grid {
    pub rows: Vec<Row>,
    pub crosses: Vec<CrossAisle>,
    rooms: Vec<RoomTrays>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct RoomTrays {
    rows: Vec<RowId>,
    crosses: Range<u32>,
}

impl Grid {
    /// The trays of a building with these rows.
    ///
    /// # Panics
    /// If the room of a row does not exist.
    pub fn new(building: &Building, rows: Vec<Row>) -> Self {
        let mut crosses = Vec::new();
        let mut rooms = Vec::with_capacity(building.rooms.len());
        for (number, room) in building.rooms.iter().enumerate() {
            let first = crosses.len();
            let room_id = RoomId::at(number);
            crosses
                .extend(room.rules.cross_aisles.iter().map(|&x| CrossAisle { room: room_id, x }));
            rooms.push(RoomTrays {
                rows: Vec::new(),
                crosses: position(first)..position(crosses.len()),
            });
        }
        for (row, Row { room, .. }) in rows.iter().enumerate() {
            rooms[room.index()].rows.push(RowId::at(row));
        }
        Self { rows, crosses, rooms }
    }

    /// The number of rows of a room.
    pub fn rows_of(&self, room: RoomId) -> usize {
        self.rooms[room.index()].rows.len()
    }

    /// The room of a tray. `None`: it is a way.
    pub fn room_of(&self, tray: TrayId) -> Option<RoomId> {
        match tray {
            TrayId::Row(row) => Some(self.rows[row.index()].room),
            TrayId::Cross(aisle) => Some(self.crosses[aisle as usize].room),
            TrayId::Way(_) => None,
        }
    }

    /// The name of a tray or way. Where there are several rooms, a tray's name starts with the room's.
    pub fn name(&self, building: &Building, tray: TrayId) -> String {
        match tray {
            TrayId::Row(row) => {
                let Row { name, room, .. } = &self.rows[row.index()];
                in_room(building, *room, &format!("row {name}"))
            }
            TrayId::Cross(aisle) => {
                let room = self.crosses[aisle as usize].room;
                let number = aisle - self.rooms[room.index()].crosses.start + 1;
                in_room(building, room, &format!("cross-aisle {number}"))
            }
            TrayId::Way(way) => format!("way {}", building.way(way).name),
        }
    }

    /// The name of a row. Where there are several rooms it starts with the room's.
    pub fn row_name(&self, building: &Building, row: RowId) -> String {
        let Row { name, room, .. } = &self.rows[row.index()];
        in_room(building, *room, name.as_str())
    }

    /// The point of a room's trays that is nearest to a place, and its distance. Ties go to the first
    /// cross-aisle, then to the first row. `None`: the room has no trays.
    pub fn nearest(&self, room: RoomId, x: Length, y: Length) -> Option<(TrayPoint, Length)> {
        let RoomTrays { rows, crosses } = &self.rooms[room.index()];
        let across = crosses
            .clone()
            .map(|aisle| (TrayPoint::Cross(aisle, y), self.crosses[aisle as usize].x.abs_diff(x)));
        let along =
            rows.iter().map(|&row| (TrayPoint::Row(row, x), self.rows[row.index()].y.abs_diff(y)));
        across.chain(along).min_by_key(|(_, distance)| *distance)
    }

    /// The tray of a point.
    pub fn tray(point: TrayPoint) -> TrayId {
        match point {
            TrayPoint::Row(row, _) => TrayId::Row(row),
            TrayPoint::Cross(aisle, _) => TrayId::Cross(aisle),
        }
    }

    fn place(&self, point: TrayPoint) -> (Length, Length) {
        match point {
            TrayPoint::Row(row, x) => (x, self.rows[row.index()].y),
            TrayPoint::Cross(aisle, y) => (self.crosses[aisle as usize].x, y),
        }
    }

    /// The shortest path between two points of one room. `None`: no tray joins their trays.
    pub fn shortest(&self, a: TrayPoint, b: TrayPoint) -> Option<TrayPath> {
        let ((ax, ay), (bx, by)) = (self.place(a), self.place(b));
        let (across, along) = (ay.abs_diff(by), ax.abs_diff(bx));
        let direct = Some(TrayPath { length: across + along, between: None });
        match (a, b) {
            (TrayPoint::Row(one, _), TrayPoint::Row(other, _)) if one != other => {
                let aisles = self.rooms[self.rows[one.index()].room.index()].crosses.clone();
                let by_aisle = |aisle: u32| {
                    let x = self.crosses[aisle as usize].x;
                    let length = ax.abs_diff(x) + across + x.abs_diff(bx);
                    TrayPath { length, between: Some(TrayId::Cross(aisle)) }
                };
                aisles.map(by_aisle).min_by_key(|path| path.length)
            }
            (TrayPoint::Cross(one, _), TrayPoint::Cross(other, _)) if one != other => {
                let rows = &self.rooms[self.crosses[one as usize].room.index()].rows;
                let by_row = |&row: &RowId| {
                    let y = self.rows[row.index()].y;
                    let length = ay.abs_diff(y) + along + y.abs_diff(by);
                    TrayPath { length, between: Some(TrayId::Row(row)) }
                };
                rows.iter().map(by_row).min_by_key(|path| path.length)
            }
            _ => direct,
        }
    }

    /// Adds the stretches of a path between two points, in order.
    pub fn add_runs(&self, a: TrayPoint, b: TrayPoint, path: &TrayPath, runs: &mut Vec<TrayRun>) {
        let ((ax, ay), (bx, by)) = (self.place(a), self.place(b));
        let mut run = |tray, from, to| runs.push(TrayRun::between(tray, from, to));
        match path.between {
            Some(cross @ TrayId::Cross(aisle)) => {
                let x = self.crosses[aisle as usize].x;
                run(Self::tray(a), ax, x);
                run(cross, ay, by);
                run(Self::tray(b), x, bx);
            }
            Some(along @ TrayId::Row(row)) => {
                let y = self.rows[row.index()].y;
                run(Self::tray(a), ay, y);
                run(along, ax, bx);
                run(Self::tray(b), y, by);
            }
            _ => match (a, b) {
                (TrayPoint::Row(..), TrayPoint::Row(..)) => run(Self::tray(a), ax, bx),
                (TrayPoint::Cross(..), TrayPoint::Cross(..)) => run(Self::tray(a), ay, by),
                (TrayPoint::Row(..), TrayPoint::Cross(..)) => {
                    run(Self::tray(a), ax, bx);
                    run(Self::tray(b), ay, by);
                }
                (TrayPoint::Cross(..), TrayPoint::Row(..)) => {
                    run(Self::tray(a), ay, by);
                    run(Self::tray(b), ax, bx);
                }
            },
        }
    }
}

/// A name, after the name of its room if there are several.
fn in_room(building: &Building, room: RoomId, name: &str) -> String {
    let room = building.room(room).name.as_ref().filter(|_| building.rooms.len() > 1);
    room.map_or_else(|| name.to_owned(), |room| format!("{room}: {name}"))
}

fn position(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
