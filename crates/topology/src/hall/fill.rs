//! The fill of trays.

use std::collections::BTreeMap;

use lightloom_units::Length;

use crate::hall::trays::{TrayId, TrayRun};

/// The fibres in each tray, and the largest number side by side.
#[derive(Debug, Clone, Default)]
pub struct TrayFill {
    /// Points where fibres enter (+1) and leave (-1) a tray.
    changes: BTreeMap<TrayId, Vec<(Length, i64)>>,
}

impl TrayFill {
    /// Adds one fibre.
    pub fn lay(&mut self, runs: &[TrayRun]) {
        for run in runs {
            let changes = self.changes.entry(run.tray).or_default();
            changes.push((run.from, 1));
            changes.push((run.to, -1));
        }
    }

    /// The largest number of fibres side by side, for each tray that has fibres. A fibre that ends
    /// where another starts is not beside it.
    pub fn most_fibres(&self) -> BTreeMap<TrayId, u64> {
        self.fullest().into_iter().map(|(tray, (fibres, _))| (tray, fibres)).collect()
    }

    /// The same, with the first stretch that has this number of fibres.
    pub fn fullest(&self) -> BTreeMap<TrayId, (u64, TrayRun)> {
        let peak = |(&tray, changes): (&TrayId, &Vec<(Length, i64)>)| {
            let mut changes = changes.clone();
            // At the same point, -1 sorts before +1.
            changes.sort_unstable();
            let (mut now, mut most) = (0_i64, 0_i64);
            let (mut from, mut to) = (Length::ZERO, Length::ZERO);
            let mut ends = changes.iter().map(|&(at, _)| at).skip(1);
            for &(at, change) in &changes {
                let next = ends.next().unwrap_or(at);
                now += change;
                if now > most {
                    (most, from, to) = (now, at, next);
                } else if now == most && to == at {
                    // As many fibres enter here as leave.
                    to = next;
                }
            }
            (tray, (most.unsigned_abs(), TrayRun { tray, from, to }))
        };
        self.changes.iter().map(peak).collect()
    }

    /// Stretches with a constant number of fibres side by side, by tray, ascending. Empty parts of
    /// a tray have no stretch.
    pub fn stretches(&self) -> Vec<(TrayRun, u32)> {
        let mut stretches: Vec<(TrayRun, u32)> = Vec::new();
        for (&tray, changes) in &self.changes {
            let mut at: BTreeMap<Length, i64> = BTreeMap::new();
            for &(place, change) in changes {
                *at.entry(place).or_default() += change;
            }
            // If as many fibres enter as leave, the stretch continues.
            at.retain(|_, change| *change != 0);
            let ends = at.keys().copied().skip(1);
            let mut fibres = 0_i64;
            for ((&from, change), to) in at.iter().zip(ends) {
                fibres += change;
                if let Ok(fibres @ 1..) = u32::try_from(fibres) {
                    stretches.push((TrayRun { tray, from, to }, fibres));
                }
            }
        }
        stretches
    }
}
