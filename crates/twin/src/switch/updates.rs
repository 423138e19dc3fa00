//! Tables of a switch that change while data flow.

use std::cmp::Reverse;

use lightloom_units::Instant;

use super::Switch;
use super::groups::New;
use crate::engine::Out;

/// Stands in the timers of a switch for its updates. It is above the number of any port, so an update comes after
/// all that ports do at its time.
const UPDATE: u16 = u16::MAX;

impl Switch<'_> {
    /// Sets the timer of the next update.
    pub(super) fn await_update(&mut self) {
        if let Some(at) = self.groups.updates.next() {
            self.timers.push(Reverse((at, UPDATE)));
        }
    }

    /// Makes the changes that are due.
    #[cold]
    pub(super) fn update(&mut self, now: Instant, out: &mut Out<'_>) {
        // All changes of one time, in the order of the setup: a packet sees all of them or none.
        while let Some(new) = self.groups.updates.take(now) {
            match new {
                New::Ways(group, source, ways) => self.groups.replace(group, source, ways),
                New::Light(group, source, light) => self.bridges.relight(group, source, light),
                New::StandIn(group, source, at) => self.bridges.stand_in(group, source, at),
                New::Restart => self.restart(now, out),
            }
        }
        // A group may have other ways now than those that were paused.
        self.go_on(now, out);
        self.await_update();
    }
}
