//! Messages to a group that wait for others.

use std::ops::Range;

use lightloom_units::Instant;

use super::Member;
use crate::host::applicant::Wanted;
use crate::host::desk::Desk;

impl Member {
    /// The place of a message to the group among those that this host sends.
    fn place(&self, of_group: u32) -> Option<u32> {
        u32::try_from(self.own.binary_search(&of_group).ok()?).ok()
    }

    /// Whether a message still waits for others.
    pub(super) fn is_waiting(&self, of_group: u32) -> bool {
        let sender = self.rc.sender.as_ref();
        let message = self.place(of_group).zip(sender);
        message.is_some_and(|(place, sender)| sender.is_waiting(place))
    }

    /// The application asks for messages of the run at hand, in order. Where messages must be admitted, one that still
    /// waits for others holds back those after it: admitted, they would hold what it waits for, and go after it.
    pub(super) fn request_all(&mut self, of_group: Range<u32>, now: Instant, desk: &Desk<'_>) {
        for of_group in of_group {
            if self.applicant.is_some() && self.is_waiting(of_group) {
                break;
            }
            self.request(of_group, now, desk);
        }
    }

    /// The application asks for a message of the run at hand, unless that still waits for others. Where messages must
    /// be admitted, the controller is asked first.
    fn request(&mut self, of_group: u32, now: Instant, desk: &Desk<'_>) {
        let Some(place) = self.place(of_group).filter(|_| !self.is_waiting(of_group)) else {
            return;
        };
        let Some(cast) = self.schedule.casts.get(of_group as usize) else { return };
        let Some(sender) = &mut self.rc.sender else { return };
        let (stack, mtu) = (&desk.params.stack, desk.params.wire.mtu);
        let takes = match cast.missing {
            0 => stack.to_send(cast.bytes, mtu),
            _ => stack.to_forward(cast.bytes, mtu),
        };
        let at = cast.start.max(sender.earliest(place));
        let ready = (at + takes).max(self.resumes);
        if let Some(applicant) = &mut self.applicant {
            let (cast, at) = (self.schedule.cast(cast), at.max(now));
            applicant.want(Wanted { cast, message: place, at, ready });
            return;
        }
        sender.ask(place, now, (at, ready - at), &desk.params.transport);
    }

    /// One of the messages that a message of this host waits for has arrived.
    pub(super) fn has_come(&mut self, place: u32, now: Instant, desk: &mut Desk<'_>) {
        let Some(sender) = &mut self.rc.sender else { return };
        let Some(earliest) = sender.one_less(place) else { return };
        sender.may_begin(place, now.max(earliest));
        let Some(&of_group) = self.own.get(place as usize) else { return };
        let run = self.sends.and_then(|run| self.schedule.runs.get(run as usize));
        if let Some(Range { start, end }) = run.map(|run| run.casts.clone())
            && (start..end).contains(&of_group)
        {
            match self.applicant {
                None => self.request(of_group, now, desk),
                Some(_) if (start..of_group).any(|before| self.is_waiting(before)) => {}
                Some(_) => self.request_all(of_group..end, now, desk),
            }
            self.apply(now, desk);
            let is_put_off = std::mem::take(&mut self.watch.is_put_off);
            self.fall_back_if(is_put_off, now);
        }
    }
}
