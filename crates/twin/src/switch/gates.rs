//! Ports to circuits: they begin frames only while a circuit is there.

use lightloom_setup::CircuitHops;
use lightloom_units::Instant;

use super::Switch;
use super::port::Apart;

use crate::circuits::Gates;
use crate::engine::Out;
use crate::packet::Class;

impl Switch<'_> {
    /// Gives ports to circuits their gates.
    pub(crate) fn set_gates(&mut self, gates: Gates) {
        for port in gates.gated() {
            // Its queues are looked at before any packet goes out.
            let at = usize::from(port);
            self.ports[at].becomes_gated();
            self.links[at].waits = true;
        }
        self.detours = gates.hops == CircuitHops::Two;
        self.gates = Some(Box::new(gates));
    }

    /// What a port that is served apart does first, and whether it may begin a frame.
    #[cold]
    #[inline(never)]
    pub(super) fn served_apart(&mut self, now: Instant, port: usize, out: &mut Out<'_>) -> bool {
        if self.ports[port].apart.is(Apart::HALTS) {
            self.end_halt(now, port, out);
        }
        self.is_open(now, port)
    }

    /// Whether a port may begin a frame now.
    #[cold]
    #[inline(never)]
    pub(super) fn is_open(&self, now: Instant, port: usize) -> bool {
        self.gates.as_ref().is_none_or(|gates| gates.is_open(now, port))
    }

    /// The port of a packet whose way is the circuit to the ToR of its receiver. A packet from a host takes the circuit
    /// that opens first. If several open at once, it takes the one where the fewest bytes wait. A packet that came over
    /// a circuit waits for its own.
    #[cold]
    #[inline(never)]
    pub(super) fn first_circuit(&self, now: Instant, way: u16, ingress: u16) -> u16 {
        let Some(gates) = &self.gates else { return way };
        if !gates.has(usize::from(way)) || gates.has(usize::from(ingress)) {
            return way;
        }
        let waits = |port: u16| -> u64 {
            self.ports[usize::from(port)].queues.iter().map(|queue| u64::from(queue.bytes)).sum()
        };
        let rank = |port: u16| {
            let opens = gates.opens(now, usize::from(port));
            // Its own circuit goes before others that are there as soon.
            (opens, if port == way { 0 } else { 1 + waits(port) }, port)
        };
        gates.gated().min_by_key(|&port| rank(port)).unwrap_or(way)
    }

    /// Whether a packet may go out of a port before all that waits there.
    pub(super) fn lets_pass(&self, now: Instant, egress: usize, class: Class) -> bool {
        let port = &self.ports[egress];
        port.lets_pass(now, class) && (!port.apart.is_any() || self.is_open(now, egress))
    }
}
