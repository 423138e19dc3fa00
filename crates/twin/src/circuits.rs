//! When the ports of a switch to optical circuits may begin frames.

use lightloom_setup::{CircuitHops, Circuits, Opening};
use lightloom_units::{Instant, Span};

/// The gates of a switch: when its ports may begin frames.
#[derive(Debug)]
pub(crate) struct Gates {
    period: u64,
    /// By port; none of one that is always open.
    ports: Vec<Option<Vec<(u64, u64)>>>,
    pub(crate) hops: CircuitHops,
}

impl Gates {
    /// Makes the gates of a switch from the openings of its ports. `ports` is the number of its ports.
    pub(crate) fn new(circuits: &Circuits, own: &[&Opening], ports: usize) -> Self {
        let mut by_port = vec![None; ports];
        for opening in own {
            let times = opening.times.iter().map(|(from, to)| (from.as_ps(), to.as_ps()));
            if let Some(port) = by_port.get_mut(usize::from(opening.port)) {
                *port = Some(times.collect());
            }
        }
        Self { period: circuits.period.as_ps(), ports: by_port, hops: circuits.hops }
    }

    /// Whether a port has a gate.
    pub(crate) fn has(&self, port: usize) -> bool {
        self.ports.get(port).is_some_and(Option::is_some)
    }

    /// The ports with gates.
    pub(crate) fn gated(&self) -> impl Iterator<Item = u16> {
        (0..).zip(&self.ports).filter(|(_, gate)| gate.is_some()).map(|(port, _)| port)
    }

    /// The first time from `now` on at which a port may begin a frame.
    pub(crate) fn opens(&self, now: Instant, port: usize) -> Instant {
        let Some(Some(times)) = self.ports.get(port) else { return now };
        let within = now.as_ps() % self.period;
        // The first opening that ends later.
        let next = times.partition_point(|&(_, to)| to <= within);
        let wait = match (times.get(next), times.first()) {
            (Some(&(from, _)), _) => from.saturating_sub(within),
            (None, Some(&(from, _))) => self.period - within + from,
            (None, None) => return Instant::NEVER,
        };
        now.checked_add(Span::from_ps(wait)).unwrap_or(Instant::NEVER)
    }

    /// Whether a port may begin a frame now.
    pub(crate) fn is_open(&self, now: Instant, port: usize) -> bool {
        self.opens(now, port) == now
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lightloom_topology::electrical::NodeId;
    use proptest::prelude::*;

    proptest! {
        /// Against a walk in steps of a picosecond.
        #[test]
        fn gates_open_when_the_list_says(
            lengths in proptest::collection::vec(1_u64..9, 2..9), begins in any::<bool>(), now in 0_u64..200,
        ) {
            // Closed and open by turns.
            let (mut at, mut times, mut open) = (0, Vec::new(), begins);
            for length in lengths {
                if open {
                    times.push((Span::from_ps(at), Span::from_ps(at + length)));
                }
                (at, open) = (at + length, !open);
            }
            prop_assume!(!times.is_empty());
            let opening = Opening { from: NodeId(3), port: 1, times: times.clone() };
            let period = Span::from_ps(at);
            let circuits = Circuits { period, openings: vec![opening], hops: CircuitHops::Direct };
            let own: Vec<&Opening> = circuits.openings.iter().collect();
            let gates = Gates::new(&circuits, &own, 3);
            let is_open = |ps: u64| {
                times.iter().any(|(from, to)| (from.as_ps()..to.as_ps()).contains(&(ps % at)))
            };
            let first = (now..).find(|&ps| is_open(ps)).expect("it opens some time");
            prop_assert_eq!(gates.opens(Instant::from_ps(now), 1).as_ps(), first);
            prop_assert_eq!(gates.is_open(Instant::from_ps(now), 1), is_open(now));
            prop_assert_eq!(gates.opens(Instant::from_ps(now), 0).as_ps(), now);
            prop_assert!(Gates::new(&circuits, &[], 3).gated().next().is_none());
        }
    }
}
