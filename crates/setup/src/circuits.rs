//! When the links of a core of optical circuit switches carry light.

use lightloom_topology::electrical::NodeId;
use lightloom_units::Span;

/// The ways that packets take over circuits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CircuitHops {
    /// A packet waits at its ToR for the circuit to the ToR of its receiver.
    Direct,
    /// A packet that finds no such circuit takes the first one that there is, and waits at that ToR for the second one.
    /// Packets of a flow may pass each other.
    Two,
}

/// The schedule of a core of circuit switches. It repeats for ever.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Circuits {
    /// After this time it repeats.
    pub period: Span,
    /// When each ToR may begin frames to each other one.
    pub openings: Vec<Opening>,
    /// The ways that packets take.
    pub hops: CircuitHops,
}

/// When a ToR may begin frames to another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// The ToR.
    pub from: NodeId,
    /// Its port to the other one.
    pub port: u16,
    /// From when until before when, within the period: ascending, apart from each other, not empty.
    pub times: Vec<(Span, Span)>,
}
