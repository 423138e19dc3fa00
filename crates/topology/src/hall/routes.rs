//! Lengths of fibres, routed along trays.

use lightloom_units::Length;

use crate::hall::racks::Hall;
use crate::id::{RackId, RowId};

/// The end of a fibre: a rack and a height in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The rack.
    pub rack: RackId,
    /// Height above the floor.
    pub height: Length,
}

/// A cable tray.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TrayId {
    /// The tray above a row.
    Row(RowId),
    /// A cross-aisle tray, by its position among the hall's cross-aisles.
    Cross(u32),
}

/// A stretch of one tray, from the lower coordinate to the higher: x on a row tray, y on a
/// cross-aisle tray.
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
    fn between(tray: TrayId, a: Length, b: Length) -> Self {
        Self { tray, from: a.min(b), to: a.max(b) }
    }

    fn length(&self) -> Length {
        self.from.abs_diff(self.to)
    }
}

/// The route of one fibre.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// The sum of tray runs, drops, rack entries and slack.
    pub length: Length,
    /// The trays of the route, in order; empty inside a rack.
    pub runs: Vec<TrayRun>,
}

impl Hall {
    /// The shortest route between two places along trays.
    pub fn route(&self, a: Place, b: Place) -> Route {
        let rules = self.rules();
        let entries = rules.rack_entry * 2;
        if a.rack == b.rack {
            return Route { length: a.height.abs_diff(b.height) + entries, runs: Vec::new() };
        }
        let (rack_a, rack_b) = (self.rack(a.rack), self.rack(b.rack));
        let mut runs = if rack_a.row == rack_b.row {
            vec![TrayRun::between(TrayId::Row(rack_a.row), rack_a.x, rack_b.x)]
        } else {
            let ways = (0..).zip(&rules.cross_aisles).map(|(i, &x)| {
                [
                    TrayRun::between(TrayId::Row(rack_a.row), rack_a.x, x),
                    TrayRun::between(
                        TrayId::Cross(i),
                        self.row(rack_a.row).y,
                        self.row(rack_b.row).y,
                    ),
                    TrayRun::between(TrayId::Row(rack_b.row), x, rack_b.x),
                ]
            });
            let shortest = ways.min_by_key(|way| way.iter().map(TrayRun::length).sum::<Length>());
            // A hall of several rows has a cross-aisle.
            shortest.map(Vec::from).unwrap_or_default()
        };
        let along: Length = runs.iter().map(TrayRun::length).sum();
        runs.retain(|run| run.from != run.to);
        let drops = a.height.abs_diff(rules.tray_height) + b.height.abs_diff(rules.tray_height);
        Route { length: along + drops + entries + rules.slack, runs }
    }
}
