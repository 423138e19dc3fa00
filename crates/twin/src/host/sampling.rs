//! What a host has received.

use super::{Endpoint, Host};
use crate::sample::Sample;

impl Host<'_> {
    /// Adds its payload so far, and the messages that its application has.
    pub(crate) fn sample(&self, sample: &mut Sample) {
        sample.delivered += self.desk.goodput.iter().sum::<u64>();
        for slot in &self.slots {
            let done = match &slot.endpoint {
                Endpoint::Rc(rc) => rc.incoming(),
                Endpoint::Member(member) => member.rc.incoming(),
                Endpoint::Datagrams(datagrams) => {
                    let into = datagrams.into.iter();
                    sample.completed += count(into.map(|message| message.done.is_some()));
                    None
                }
                Endpoint::Stream(_) | Endpoint::Controller(_) => None,
            };
            if let Some(receiver) = done {
                let messages = receiver.messages.iter();
                sample.completed += count(messages.map(|message| message.done.is_some()));
            }
        }
    }
}

fn count(all: impl Iterator<Item = bool>) -> u64 {
    all.map(u64::from).sum()
}
