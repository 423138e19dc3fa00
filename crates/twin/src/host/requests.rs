//! What applications ask for, at a time or when other messages have arrived.

use lightloom_transport::messages::Waiter;
use lightloom_units::{Instant, Span};

use super::Host;
use super::transport::Handed;

impl Host<'_> {
    /// The application asks an endpoint for a message, now or at a later time; the software takes a time.
    pub(crate) fn ask(&mut self, number: u32, message: u32, now: Instant, asked: (Instant, Span)) {
        let endpoint = &mut self.slots[number as usize].endpoint;
        endpoint.ask(message, now, asked, &self.desk);
        self.set_alarm(number);
        if let Some(first) = self.enqueue(number) {
            self.wake(first.max(now));
        }
    }

    /// Opens the connections that an endpoint asks for.
    pub(super) fn open_streams(&mut self, number: u32) {
        let slot = &mut self.slots[number as usize];
        let class = slot.class;
        for opened in slot.endpoint.opens() {
            let number = self.open(opened, class);
            self.set_alarm(number);
        }
    }

    /// Messages have arrived that others waited for, or members have what their group did not bring them.
    #[cold]
    pub(super) fn hand_on(&mut self, now: Instant) {
        while !self.desk.handed.is_empty() || !self.desk.reached.is_empty() {
            let mut handed = std::mem::take(&mut self.desk.handed);
            for waiter in handed.drain(..) {
                self.has_arrived(waiter, now);
            }
            if self.desk.handed.is_empty() {
                // Its memory is used again.
                self.desk.handed = handed;
            }
            for (number, has_all) in std::mem::take(&mut self.desk.reached) {
                let endpoint = &mut self.slots[number as usize].endpoint;
                endpoint.transport_mut().reached(has_all, now, &mut self.desk);
                self.set_alarm(number);
                self.enqueue(number);
            }
        }
    }

    /// One of the messages has arrived that a message waits for. After the last the application asks for that.
    fn has_arrived(&mut self, Waiter { endpoint: number, message }: Waiter, now: Instant) {
        let endpoint = &mut self.slots[number as usize].endpoint;
        match endpoint.transport_mut().handed(message, now, &mut self.desk) {
            Handed::Noted => {}
            Handed::Ask(earliest, bytes) => {
                let params = &self.desk.params;
                let forward = params.stack.to_forward(bytes, params.wire.mtu);
                self.ask(number, message, now, (now.max(earliest), forward));
            }
            Handed::Opening => {
                self.set_alarm(number);
                self.enqueue(number);
                self.open_streams(number);
            }
        }
    }
}
