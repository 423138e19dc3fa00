//! Messages to a reliable group that must be admitted before they go.

use lightloom_units::Instant;

use super::Member;
use crate::host::applicant::{Applications, Heard, Wanted};
use crate::host::desk::Desk;
use crate::host::transport::Arrived;
use crate::packet::Packet;

impl Member {
    /// Applies for the messages that this host sends.
    pub(super) fn apply_for_own(&mut self, applications: &mut Applications<'_>) {
        let own = self.own.iter().filter_map(|&place| self.schedule.casts.get(place as usize));
        let asked = own.filter_map(|cast| applications.message(cast.flow)).count();
        self.applicant = (asked > 0).then(|| applications.applicant());
    }

    /// Asks the controller for messages that wait to be asked for.
    pub(super) fn apply(&mut self, now: Instant, desk: &mut Desk<'_>) {
        if let Some(applicant) = &mut self.applicant {
            applicant.fire(now, desk);
        }
    }

    /// The controller says something.
    pub(super) fn admitted(
        &mut self,
        now: Instant,
        packet: &Packet,
        desk: &mut Desk<'_>,
    ) -> Arrived {
        let Some(applicant) = &mut self.applicant else { return Arrived::Stray };
        if let Heard::Granted(wanted) = applicant.heard(now, packet, desk) {
            desk.progress = now;
            self.granted(wanted, now, desk);
        }
        Arrived::Opening
    }

    /// A message may go. What was waited for is no lack of progress.
    fn granted(&mut self, wanted: Wanted, now: Instant, desk: &Desk<'_>) {
        let Some(sender) = &mut self.rc.sender else { return };
        let place = self.own.get(wanted.message as usize);
        let cast = place.and_then(|&place| self.schedule.casts.get(place as usize));
        let start = cast.map_or(wanted.at, |cast| cast.start.max(sender.earliest(wanted.message)));
        let asked = (start, wanted.ready.max(now) - start);
        sender.ask(wanted.message, now, asked, &desk.params.transport);
        if let (Some(guard), Some(next)) = (desk.params.groups.safeguard, &mut self.watch.next) {
            (*next, self.watch.before) = (now + guard.window, sender.acked());
        }
    }

    /// A packet goes out: the next one keeps to the rate that was granted.
    pub(super) fn keep_pace(&mut self, now: Instant, packet: &Packet, desk: &Desk<'_>) {
        let admitted = self.applicant.as_ref().and_then(|applicant| applicant.holds());
        let (Some((_, pace)), Some(sender)) = (admitted, &mut self.rc.sender) else { return };
        let wire = &desk.params.wire;
        let on_wire = u32::from(wire.preamble) + u32::from(packet.bytes) + u32::from(wire.gap);
        sender.eligible = sender.eligible.max(now + pace.time(on_wire));
    }

    /// Tells the controller where a message is over: all have acknowledged it, or the group does not carry it any
    /// more.
    pub(super) fn look_over(&mut self, now: Instant, desk: &mut Desk<'_>) {
        let Some(applicant) = &mut self.applicant else { return };
        if self.watch.is_all {
            applicant.withdraw(now, desk);
            return;
        }
        let Some((&Wanted { message, .. }, _)) = applicant.holds() else { return };
        let messages = self.rc.sender.as_ref().map(|sender| &sender.messages);
        let message = messages.and_then(|messages| messages.get(message));
        if message.is_some_and(|message| message.done.is_some()) {
            applicant.over(now, now, desk);
        }
    }
}
