//! Timeouts of a sender without an answer (cepheus:III-D.timeout), and when it gives up.

use lightloom_units::{Instant, Span};

use super::retries::QueuePairError;
use super::{Selective, Sender};
use crate::params::{Recovery, Transport};

impl Sender {
    /// The queue pair goes to the error state: it sends nothing more, takes no answer, and ends all its messages.
    pub fn fail(&mut self, error: QueuePairError) {
        self.withdraw();
        // No message is posted after the last.
        // Messages that were not asked for stay without an end: they never began.
        self.asked = self.messages.len();
        self.retries.get_or_insert_default().error = Some(error);
    }

    /// Why the queue pair is in the error state; none where it is not.
    pub fn error(&self) -> Option<QueuePairError> {
        self.retries.as_ref()?.error
    }

    /// Nothing is under way or posted any more.
    fn withdraw(&mut self) {
        (self.next, self.posted, self.gate) = (self.acked, self.acked, Instant::NEVER);
        if let Some(selective) = &mut self.selective {
            **selective = Selective::default();
        }
    }

    /// Gives up what is not acknowledged of the messages that end at a place or before it: others carry it.
    pub fn give_up(&mut self, end: u64) {
        self.withdraw();
        // They are passed over, and count as done only when those who carry them say so.
        while self.messages.get(self.done).is_some_and(|message| message.end <= end) {
            self.done += 1;
        }
        self.asked = self.asked.max(self.done);
        self.due = self.messages.get(self.done).map_or(u64::MAX, |message| message.end);
    }

    /// Others have carried what was given up of these messages.
    pub fn carried(&mut self, (from, end): (u64, u64), now: Instant) {
        for place in 0..self.messages.len() {
            let Some(message) = self.messages.get_mut(place) else { continue };
            if from <= message.first && message.end <= end && message.done.is_none() {
                message.done = Some(now);
            }
        }
    }

    /// Nothing was heard for too long: the oldest packet counts as lost. Where it may not be repeated again, the error
    /// that this is.
    fn timed_out(&mut self, now: Instant, transport: &Transport) -> Option<QueuePairError> {
        // The timeout belongs to the message of the oldest packet, whichever went out last.
        self.messages.of(self.acked).timeouts += 1;
        self.again(now, transport);
        self.is_late = true;
        let most = transport.retries?;
        let timeouts = self.retries.get_or_insert_default().timed_out(self.acked);
        let psn = transport.psn(self.acked);
        // With a limit of 7 the eighth timeout in a row is the error.
        (timeouts > most).then_some(QueuePairError { at: now, psn, timeouts })
    }

    /// What is under way may be lost for a reason that is over now: the oldest packet is sent again, without a timeout.
    pub fn repeat(&mut self, now: Instant, transport: &Transport) {
        if !self.is_idle() && self.next > self.acked {
            self.again(now, transport);
            self.is_late = false;
        }
    }

    /// The oldest packet is sent again; without selective repeat, all from it on.
    fn again(&mut self, now: Instant, transport: &Transport) {
        match &mut self.selective {
            None => self.next = self.acked,
            Some(selective) => {
                selective.until = Some(self.next);
                selective.look = self.acked;
                // The oldest packet counts as overtaken, though nothing says so: else nothing would be repeated.
                selective.lost = selective.lost.max(self.acked + 1).min(self.next.max(1));
            }
        }
        self.listen_from(now, transport);
    }

    /// Silence begins now.
    pub fn listen_from(&mut self, now: Instant, transport: &Transport) {
        // The deadline is set by the timeout that holds now. When it passes it is looked at again, since fewer packets
        // under way make the short timeout hold.
        self.since = now;
        self.deadline = now + self.timeout(transport);
    }

    /// Puts the deadline where what is under way by now puts it; whether it has passed.
    fn is_overdue(&mut self, now: Instant, transport: &Transport) -> bool {
        self.deadline = self.since + self.timeout(transport);
        self.deadline <= now
    }

    /// The timeout that now holds.
    fn timeout(&self, transport: &Transport) -> Span {
        match transport.recovery {
            Recovery::SelectiveRepeat { short_timeout, few, .. }
                if self.next - self.acked < u64::from(few) =>
            {
                short_timeout
            }
            _ => transport.timeout,
        }
    }

    /// When to look for silence, or for a message that is ready.
    pub fn deadline(&self) -> Instant {
        self.deadline.min(self.gate)
    }

    /// The timer fires: where the oldest packet has been out for too long without an answer it counts as lost. Where
    /// it may not be repeated again, the error that this is: [`Sender::fail`] enters it.
    #[must_use = "a queue pair that may not repeat again fails, or is replaced by others"]
    pub fn silence(&mut self, now: Instant, transport: &Transport) -> Option<QueuePairError> {
        self.post(now, transport);
        if !self.is_overdue(now, transport) {
            return None;
        }
        if self.next > self.acked {
            return self.timed_out(now, transport);
        }
        // Nothing is under way, so nothing is missed.
        let ready = self.messages.of(self.next).ready;
        self.listen_from(now.max(ready), transport);
        None
    }
}
