//! Messages of the same host that wait until one of this sender is acknowledged.

use super::Sender;
use crate::messages::Waiter;

impl Sender {
    /// Lets a message of the same host wait until a message of this sender is acknowledged; false where there is no
    /// such message.
    pub fn then(&mut self, place: u32, waiter: Waiter) -> bool {
        let is_one = place < self.messages.len();
        if is_one {
            self.then.get_or_insert_default().entry(place).or_default().push(waiter);
        }
        is_one
    }

    /// Hands on what waited for messages that are acknowledged by now; whether anything did.
    #[cold]
    pub fn hand_on(&mut self, to: &mut Vec<Waiter>) -> bool {
        let Some(then) = &mut self.then else { return false };
        let before = to.len();
        // What was given up is passed over, and done only when others have carried it.
        let messages = &self.messages;
        let is_done = |place: u32| messages.get(place).is_some_and(|m| m.done.is_some());
        for (_, mut waiters) in then.extract_if(..self.done, |&place, _| is_done(place)) {
            to.append(&mut waiters);
        }
        if then.is_empty() {
            self.then = None;
        }
        to.len() > before
    }
}

#[cfg(test)]
mod tests {
    use lightloom_units::{BitRate, Instant, Span};

    use super::*;
    use crate::dcqcn::Rate;
    use crate::messages::FlowId;
    use crate::outgoing::Outgoing;
    use crate::params::{Recovery, Transport};
    use crate::psn::Psn;

    /// One answer for several messages hands on what waited for any of them, in their order, and each once.
    #[test]
    fn what_waits_is_handed_on_once_its_message_is_acknowledged() {
        let transport = Transport {
            recovery: Recovery::GoBackN,
            ack_every: 1,
            timeout: Span::from_ms(1),
            retries: None,
            first_psn: 0,
        };
        let message = |bytes| Outgoing::new(FlowId(0), bytes, 1000, 0);
        let mut sender = Sender::new(message(1000), Rate::new(BitRate::from_gbps(100)), &transport);
        sender.push(message(2000));
        sender.push(message(3000));
        let waiter = |message| Waiter { endpoint: 7, message };
        assert!(
            sender.then(1, waiter(3)) && sender.then(0, waiter(1)) && sender.then(1, waiter(2))
        );
        assert!(sender.then(2, waiter(4)) && !sender.then(3, waiter(5)));
        let now = Instant::ZERO;
        (0..3).for_each(|place| sender.ask(place, now, (now, Span::ZERO), &transport));
        let mut handed = Vec::new();
        assert!(!sender.hand_on(&mut handed));
        while sender.has_work(&transport) {
            sender.take();
        }
        assert!(!sender.acknowledged(now, Psn::new(0), &transport));
        assert!(sender.acknowledged(now, Psn::new(4), &transport));
        assert!(sender.hand_on(&mut handed));
        assert_eq!(handed, [waiter(1), waiter(3), waiter(2)]);
        assert!(!sender.hand_on(&mut handed));
        assert!(sender.missed(now, Psn::new(6), Psn::new(6), &transport));
        assert!(sender.hand_on(&mut handed) && !sender.hand_on(&mut handed));
        assert_eq!(handed[3..], [waiter(4)]);
    }
}
