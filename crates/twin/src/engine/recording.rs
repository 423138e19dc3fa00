//! Arrivals that are recorded.

use super::mailbox::Arrival;

/// An arrival at a node of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) local: u32,
    pub(crate) arrival: Arrival,
}

/// The recorded arrivals of a part.
#[derive(Debug)]
pub(crate) struct Recording {
    /// The receiving ports of each node whose arrivals are recorded. None: every arrival is.
    ports: Option<Vec<Vec<u16>>>,
    pub(crate) seen: Vec<Seen>,
}

impl Recording {
    /// Records every arrival.
    pub(crate) fn of_all() -> Self {
        Self { ports: None, seen: Vec::new() }
    }

    /// Records arrivals at these ports: a list for each node of the part.
    pub(crate) fn of_ports(ports: Vec<Vec<u16>>) -> Self {
        Self { ports: Some(ports), seen: Vec::new() }
    }

    /// Takes note of arrivals at a node.
    pub(super) fn note(&mut self, node: usize, arrivals: &[Arrival]) {
        let local = u32::try_from(node).unwrap_or(u32::MAX);
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
