//! The fill of trays.

use std::collections::BTreeMap;

use lightloom_units::Length;

use crate::hall::rules::THICKEST;
use crate::hall::trays::{TrayId, TrayRun};

/// The cables in each tray, and where they take the most room.
#[derive(Debug, Clone, Default)]
pub struct TrayFill {
    /// Points where cables enter and leave a tray, with the square of their diameter in µm²: positive where one
    /// enters, negative where one leaves.
    changes: BTreeMap<TrayId, Vec<(Length, i64)>>,
}

/// Cables side by side.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Side {
    /// Sum of the squares of their diameters, in µm². A cross-section is π/4 of it.
    squares: i64,
    /// Their number.
    cables: i64,
}

impl Side {
    fn change(&mut self, square: i64) {
        self.squares += square;
        self.cables += square.signum();
    }
}

/// A stretch of a tray with the same cables all along it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stretch {
    /// The stretch.
    pub run: TrayRun,
    /// Number of cables side by side.
    pub cables: u32,
    /// Sum of the squares of their diameters, in µm².
    pub squares: u64,
}

/// The first stretch of a tray where cables take the most room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peak {
    /// The stretch.
    pub run: TrayRun,
    /// Number of cables side by side.
    pub cables: u64,
    /// Sum of the squares of their diameters, in µm².
    pub squares: u64,
}

impl TrayFill {
    /// Adds one cable of this diameter.
    ///
    /// # Panics
    /// If the diameter is zero or above [`THICKEST`].
    pub fn lay(&mut self, runs: &[TrayRun], diameter: Length) {
        assert!(diameter > Length::ZERO && diameter <= THICKEST, "checked with the hall");
        let square = (diameter.as_um() * diameter.as_um()).cast_signed();
        for run in runs {
            let changes = self.changes.entry(run.tray).or_default();
            changes.push((run.from, square));
            changes.push((run.to, -square));
        }
    }

    /// The fullest stretch of each tray that has cables. A cable that ends where another starts is not
    /// beside it.
    pub fn fullest(&self) -> BTreeMap<TrayId, Peak> {
        let peak = |(&tray, changes): (&TrayId, &Vec<(Length, i64)>)| {
            let mut changes = changes.clone();
            // At the same point, a cable that leaves sorts before one that enters.
            changes.sort_unstable();
            let (mut now, mut most) = (Side::default(), Side::default());
            let (mut from, mut to) = (Length::ZERO, Length::ZERO);
            let mut ends = changes.iter().map(|&(at, _)| at).skip(1);
            for &(at, square) in &changes {
                let next = ends.next().unwrap_or(at);
                now.change(square);
                if now.squares > most.squares {
                    (most, from, to) = (now, at, next);
                } else if now == most && to == at {
                    // What enters here takes as much room as what leaves.
                    to = next;
                }
            }
            let (cables, squares) = (most.cables.unsigned_abs(), most.squares.unsigned_abs());
            (tray, Peak { run: TrayRun { tray, from, to }, cables, squares })
        };
        self.changes.iter().map(peak).collect()
    }

    /// Stretches with a constant number of cables side by side, by tray, ascending. Empty parts of
    /// a tray have no stretch.
    pub fn stretches(&self) -> Vec<Stretch> {
        let mut stretches = Vec::new();
        for (&tray, changes) in &self.changes {
            let mut at: BTreeMap<Length, Side> = BTreeMap::new();
            for &(place, square) in changes {
                at.entry(place).or_default().change(square);
            }
            // If the same cables enter as leave, the stretch continues.
            at.retain(|_, change| *change != Side::default());
            let ends = at.keys().copied().skip(1);
            let mut now = Side::default();
            for ((&from, change), to) in at.iter().zip(ends) {
                now.squares += change.squares;
                now.cables += change.cables;
                if let Ok(cables @ 1..) = u32::try_from(now.cables) {
                    let squares = now.squares.unsigned_abs();
                    stretches.push(Stretch { run: TrayRun { tray, from, to }, cables, squares });
                }
            }
        }
        stretches
    }
}
