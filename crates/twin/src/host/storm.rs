//! A host whose port is at fault: it stops its switch though its own buffers are empty, again and again (a
//! pause storm: Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016, section 4.3).

use std::cmp::Reverse;

use lightloom_setup::PauseStorm;
use lightloom_units::Instant;

use super::{Host, Timer};
use crate::engine::Out;
use crate::link::MOST_QUANTA;
use crate::packet::{Class, Packet};

impl Host<'_> {
    /// The switch acts on each pause after its response, so all of the storm is as much later.
    pub(crate) fn add_storm(&mut self, storm: PauseStorm) {
        let response = self.desk.params.switch.pause_response;
        let later = |at: Instant| at.checked_add(response).unwrap_or(Instant::NEVER);
        let storm = PauseStorm { from: later(storm.from), to: later(storm.to), ..storm };
        self.timers.push(Reverse((storm.from, Timer::Storm)));
        self.storms.push(storm);
    }

    /// Pauses the switch, and does so again in half of the time that it then waits; or lets it go on.
    pub(super) fn storm(&mut self, now: Instant, out: &mut Out<'_>) {
        let raging = self.storms.iter().filter(|storm| storm.from <= now && now < storm.to);
        let end = raging.map(|storm| storm.to).max();
        if let Some(end) = end {
            let again = now + self.link.pace.quanta(MOST_QUANTA / 2);
            self.timers.push(Reverse((again.min(end), Timer::Storm)));
        }
        let quanta = if end.is_some() { MOST_QUANTA } else { 0 };
        let pause = Packet::pause(Class::LOSSLESS, quanta, self.desk.params.wire.pause);
        self.desk.control.push_front(pause);
        self.serve(now, out);
    }
}
