//! What a recording has at a time. Times are found by binary search.

use crate::recording::{RecordedDrop, RecordedHop, RecordingReport};

/// An arrival or a drop of a recording, by its index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// An arrival, by its index among the hops.
    Hop(usize),
    /// A drop, by its index among the drops.
    Drop(usize),
}

/// Which events are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventOf {
    /// All.
    All,
    /// Drops.
    Drops,
    /// Those of a flow, or of a message to a group, by its number.
    Message(u32),
    /// Those of a group, by its number.
    Group(u32),
}

impl RecordingReport {
    /// The time of an event, in picoseconds.
    pub fn time_of(&self, event: Event) -> u64 {
        match event {
            Event::Hop(hop) => self.hops.get(hop).map_or(self.until_ps, |hop| hop.at_ps),
            Event::Drop(drop) => self.drops.get(drop).map_or(self.until_ps, |drop| drop.at_ps),
        }
    }

    /// The packet of an event.
    pub fn packet_of(&self, event: Event) -> Option<u32> {
        match event {
            Event::Hop(hop) => self.hops.get(hop).map(|hop| hop.packet),
            Event::Drop(drop) => self.drops.get(drop).map(|drop| drop.packet),
        }
    }

    /// The packets that are on a way at a time. Takes time in proportion to them.
    pub fn in_flight(&self, at_ps: u64) -> impl Iterator<Item = &RecordedHop> {
        let first = self.hops.partition_point(|hop| hop.at_ps <= at_ps);
        let latest = at_ps.saturating_add(self.longest_ps);
        let under_way = self.hops[first..].iter().take_while(move |hop| hop.at_ps <= latest);
        under_way.filter(move |hop| hop.left_ps <= at_ps)
    }

    /// The drops after a time, up to another one.
    pub fn drops_within(&self, after_ps: u64, to_ps: u64) -> &[RecordedDrop] {
        let first = self.drops.partition_point(|drop| drop.at_ps <= after_ps);
        let end = self.drops.partition_point(|drop| drop.at_ps <= to_ps);
        &self.drops[first.min(end)..end]
    }

    /// The first event after a time. Takes time in proportion to the events between.
    pub fn next(&self, after_ps: u64, of: EventOf) -> Option<Event> {
        let hop = self.hops.partition_point(|hop| hop.at_ps <= after_ps);
        let drop = self.drops.partition_point(|drop| drop.at_ps <= after_ps);
        let hop = (hop..self.hops.len()).map(Event::Hop).find(|&event| self.is_of(event, of));
        let drop = (drop..self.drops.len()).map(Event::Drop).find(|&event| self.is_of(event, of));
        [hop, drop].into_iter().flatten().min_by_key(|&event| self.time_of(event))
    }

    /// The last event before a time.
    pub fn before(&self, before_ps: u64, of: EventOf) -> Option<Event> {
        let hop = self.hops.partition_point(|hop| hop.at_ps < before_ps);
        let drop = self.drops.partition_point(|drop| drop.at_ps < before_ps);
        let hop = (0..hop).rev().map(Event::Hop).find(|&event| self.is_of(event, of));
        let drop = (0..drop).rev().map(Event::Drop).find(|&event| self.is_of(event, of));
        [hop, drop].into_iter().flatten().max_by_key(|&event| self.time_of(event))
    }

    /// All events of a packet, by time.
    pub fn history(&self, packet: u32) -> Vec<Event> {
        let hops = (0..).zip(&self.hops).filter(|(_, hop)| hop.packet == packet);
        let drops = (0..).zip(&self.drops).filter(|(_, drop)| drop.packet == packet);
        let hops = hops.map(|(index, _)| Event::Hop(index));
        let mut events: Vec<Event> =
            hops.chain(drops.map(|(index, _)| Event::Drop(index))).collect();
        events.sort_by_key(|&event| self.time_of(event));
        events
    }

    fn is_of(&self, event: Event, of: EventOf) -> bool {
        let packet = || {
            let packet = usize::try_from(self.packet_of(event)?).ok()?;
            self.packets.get(packet)
        };
        match of {
            EventOf::All => true,
            EventOf::Drops => matches!(event, Event::Drop(_)),
            EventOf::Message(number) => packet().is_some_and(|packet| packet.flow == Some(number)),
            EventOf::Group(number) => packet().is_some_and(|packet| packet.group == Some(number)),
        }
    }
}
