//! Arrivals and drops that are recorded or counted.

use std::collections::BTreeMap;

use lightloom_units::Instant;

use super::mailbox::Arrival;
use crate::drops::{Drop, Owner};
use crate::packet::Kind;

/// An arrival at a node of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) local: u32,
    pub(crate) arrival: Arrival,
    /// Whether its way was dead then.
    pub(crate) is_lost: bool,
}

/// Data packets that arrived, by node of the part, receiving port, and whose they are.
pub(crate) type Counts = BTreeMap<(u32, u16, Owner), u64>;

/// The recorded arrivals of a part.
#[derive(Debug)]
pub(crate) struct Recording {
    /// The receiving ports of each node whose arrivals are recorded. None: every arrival is.
    ports: Option<Vec<Vec<u16>>>,
    pub(crate) seen: Vec<Seen>,
    /// Where arrivals of data are counted.
    pub(crate) counts: Option<Counts>,
    /// Drops with the node of the part, where they are recorded.
    pub(crate) dropped: Option<Vec<(u32, Drop)>>,
    most: usize,
    /// Arrivals and drops beyond the most.
    pub(crate) beyond: Beyond,
}

/// What was not recorded because there was too much of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Beyond {
    /// The time of the first arrival or drop.
    pub(crate) first: Option<Instant>,
    pub(crate) arrivals: u64,
    pub(crate) drops: u64,
}

impl Beyond {
    /// Notes that something of this time is not recorded.
    pub(crate) fn starts(&mut self, at: Instant) {
        self.first = Some(self.first.map_or(at, |first| first.min(at)));
    }
}

impl Recording {
    /// Records every arrival.
    pub(crate) fn of_all() -> Self {
        Self {
            ports: None,
            seen: Vec::new(),
            counts: None,
            dropped: None,
            most: usize::MAX,
            beyond: Beyond::default(),
        }
    }

    /// Records arrivals at these ports: a list for each node of the part.
    pub(crate) fn of_ports(ports: Vec<Vec<u16>>) -> Self {
        Self { ports: Some(ports), ..Self::of_all() }
    }

    /// Counts arrivals of data as well.
    pub(crate) fn counting(self) -> Self {
        Self { counts: Some(Counts::new()), ..self }
    }

    /// Records drops as well.
    pub(crate) fn with_drops(self) -> Self {
        Self { dropped: Some(Vec::new()), ..self }
    }

    /// Pauses to record arrivals, or drops, after the window in which there were more than so many. So memory is
    /// bounded, and all up to some time is there.
    pub(crate) fn up_to(self, most: usize) -> Self {
        Self { most, ..self }
    }

    /// Takes note of arrivals at a node, and of what it dropped. `is_lost` says which arrive over a dead way. `full` is
    /// what [`Self::is_full`] was when the window began.
    pub(super) fn note(
        &mut self,
        place: usize,
        arrivals: &[Arrival],
        full: Full,
        is_lost: impl Fn(&Arrival) -> bool,
        drops: Vec<Drop>,
    ) {
        let local = u32::try_from(place).unwrap_or(u32::MAX);
        if let Some(counts) = &mut self.counts {
            for arrival in arrivals {
                let packet = &arrival.packet;
                if packet.kind == Kind::Data && !is_lost(arrival) {
                    *counts.entry((local, packet.port, Owner::of(packet))).or_default() += 1;
                }
            }
        }
        if let Some(dropped) = &mut self.dropped {
            let beyond = &mut self.beyond;
            for drop in drops {
                if full.drops {
                    beyond.drops += 1;
                    beyond.starts(drop.at);
                } else {
                    dropped.push((local, drop));
                }
            }
        }
        // Whether it is full is decided when a window begins, so a window is recorded as a whole or not at all.
        if full.arrivals {
            self.beyond.arrivals += arrivals.len() as u64;
            arrivals.iter().for_each(|arrival| self.beyond.starts(arrival.at));
            return;
        }
        let seen = |arrival: &Arrival| {
            let is_lost = is_lost(arrival);
            Seen { local, arrival: *arrival, is_lost }
        };
        match self.ports.as_ref().map(|ports| &*ports[place]) {
            None => self.seen.extend(arrivals.iter().map(seen)),
            Some([]) => {}
            Some(ports) => {
                let watched = |arrival: &&Arrival| ports.contains(&arrival.packet.port);
                self.seen.extend(arrivals.iter().filter(watched).map(seen));
            }
        }
    }

    /// What is not recorded any more.
    pub(super) fn is_full(&self) -> Full {
        Full {
            arrivals: self.seen.len() > self.most,
            drops: self.dropped.as_ref().is_some_and(|dropped| dropped.len() > self.most),
        }
    }
}

/// What is not recorded any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Full {
    arrivals: bool,
    drops: bool,
}
