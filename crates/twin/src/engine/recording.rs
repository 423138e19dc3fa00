//! Arrivals that are recorded or counted.

use std::collections::BTreeMap;

use super::mailbox::Arrival;
use crate::drops::Owner;
use crate::packet::Kind;

/// An arrival at a node of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) local: u32,
    pub(crate) arrival: Arrival,
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
}

impl Recording {
    /// Records every arrival.
    pub(crate) fn of_all() -> Self {
        Self { ports: None, seen: Vec::new(), counts: None }
    }

    /// Records arrivals at these ports: a list for each node of the part.
    pub(crate) fn of_ports(ports: Vec<Vec<u16>>) -> Self {
        Self { ports: Some(ports), seen: Vec::new(), counts: None }
    }

    /// Counts arrivals of data as well.
    pub(crate) fn counting(self) -> Self {
        Self { counts: Some(Counts::new()), ..self }
    }

    /// Takes note of arrivals at a node.
    pub(super) fn note(&mut self, node: usize, arrivals: &[Arrival]) {
        let local = u32::try_from(node).unwrap_or(u32::MAX);
        if let Some(counts) = &mut self.counts {
            for packet in arrivals.iter().map(|arrival| &arrival.packet) {
                if packet.kind == Kind::Data {
                    *counts.entry((local, packet.port, Owner::of(packet))).or_default() += 1;
                }
            }
        }
        let seen = |&arrival| Seen { local, arrival };
        match self.ports.as_ref().map(|ports| &*ports[node]) {
            None => self.seen.extend(arrivals.iter().map(seen)),
            Some([]) => {}
            Some(ports) => {
                let watched = |arrival: &&Arrival| ports.contains(&arrival.packet.port);
                self.seen.extend(arrivals.iter().filter(watched).map(seen));
            }
        }
    }
}
