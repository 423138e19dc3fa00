//! The messages of one direction of a connection, one after the other.

use std::collections::BTreeMap;

/// A flow's number, in the order in which flows were given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FlowId(pub u32);

impl FlowId {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Messages that wait, by the place of the message that they wait for. It is made for the first of them.
pub(crate) type Then = Option<Box<BTreeMap<u32, Vec<Waiter>>>>;

/// A message that waits for others: an endpoint of the same host, and the message's place there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waiter {
    /// The place of the endpoint among those of its host.
    pub endpoint: u32,
    /// The place of the message among those that the endpoint sends.
    pub message: u32,
}

/// A message that takes a run of the packets of its connection.
pub trait Run {
    /// Its first packet, and the one after its last.
    fn run(&self) -> (u64, u64);
}

/// Messages in order, none of them empty. The one at hand lies within the owner, so that an owner with one
/// message needs nothing else.
#[derive(Debug)]
#[repr(C)]
pub struct Messages<M> {
    here: M,
    /// The place of `here`.
    at: u32,
    /// All of them, `here` exchanged for another; empty where there is one.
    all: Vec<M>,
}

impl<M: Run + Default> Messages<M> {
    /// The first message.
    pub fn new(first: M) -> Self {
        Self { here: first, at: 0, all: Vec::new() }
    }

    /// Adds a message after all others.
    pub fn push(&mut self, message: M) {
        if self.all.is_empty() {
            // A second message: the first gets a place in the list, which it takes when another one is at hand.
            self.all.push(M::default());
        }
        self.all.push(message);
    }

    /// The number of messages, at least 1.
    #[allow(clippy::len_without_is_empty, reason = "there is always a message")]
    pub fn len(&self) -> u32 {
        u32::try_from(self.all.len().max(1)).unwrap_or(u32::MAX)
    }

    /// The message of a packet; past the last one, the last.
    #[inline]
    pub fn of(&mut self, packet: u64) -> &mut M {
        let (first, end) = self.here.run();
        if packet < first || packet >= end {
            self.seek(packet);
        }
        &mut self.here
    }

    /// The place of the message at hand.
    pub fn at(&self) -> u32 {
        self.at
    }

    #[cold]
    fn seek(&mut self, packet: u64) {
        // One step at a time. Packets go in order, and a repetition is seldom far behind.
        while packet < self.here.run().0 && self.at > 0 {
            self.go(self.at - 1);
        }
        while packet >= self.here.run().1 && self.at + 1 < self.len() {
            self.go(self.at + 1);
        }
    }

    fn go(&mut self, place: u32) {
        std::mem::swap(&mut self.here, &mut self.all[self.at as usize]);
        self.at = place;
        std::mem::swap(&mut self.here, &mut self.all[place as usize]);
    }

    /// The message at a place.
    pub fn get(&self, place: u32) -> Option<&M> {
        if place == self.at { Some(&self.here) } else { self.all.get(place as usize) }
    }

    /// The same, to be changed.
    pub fn get_mut(&mut self, place: u32) -> Option<&mut M> {
        if place == self.at { Some(&mut self.here) } else { self.all.get_mut(place as usize) }
    }

    /// All messages in order.
    pub fn iter(&self) -> impl Iterator<Item = &M> {
        (0..self.len()).filter_map(|place| self.get(place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Default, PartialEq, Eq, Clone, Copy)]
    struct Piece(u64, u64);

    impl Run for Piece {
        fn run(&self) -> (u64, u64) {
            (self.0, self.1)
        }
    }

    #[test]
    fn packets_find_their_messages_in_any_order() {
        let pieces = [Piece(0, 3), Piece(3, 4), Piece(4, 10), Piece(10, 11)];
        let mut messages = Messages::new(pieces[0]);
        pieces[1..].iter().for_each(|&piece| messages.push(piece));
        for packet in [0, 2, 3, 10, 9, 4, 3, 0, 10, 11, 99, 5] {
            let expected = pieces.iter().find(|piece| packet < piece.1).unwrap_or(&pieces[3]);
            assert_eq!(messages.of(packet), expected, "{packet}");
            assert!(messages.iter().eq(&pieces), "after {packet}");
            assert_eq!(messages.get(messages.at()), Some(expected));
        }
        assert_eq!((messages.len(), messages.get(4)), (4, None));
    }

    #[test]
    fn one_message_needs_no_list() {
        let mut messages = Messages::new(Piece(0, 1));
        assert_eq!(*messages.of(7), Piece(0, 1));
        assert_eq!((messages.len(), messages.get(1)), (1, None));
        assert!(messages.all.is_empty());
    }
}
