//! A core of optical circuit switches.

use lightloom_twin::CircuitHops;
use lightloom_units::Span;

use crate::said::declared::ONE_OF;
use crate::said::limits::LONGEST_SPAN;
use crate::said::nodes::Node;
use crate::said::section::section;

section! {
    /// The schedule of the circuit switches between ToRs. Give a slot, for a rotor, or a period and rows of circuit.
    pub struct CircuitsRow = "circuits", single {
        /// Time of a slot of a rotor, its reconfiguration included. In slot s circuit switch q joins ToR i to ToR
        /// i + 1 + q + s times the number of circuit switches, as long as that is another ToR.
        slot: Span ["us"] = ONE_OF, from Span::from_ps(1), to LONGEST_SPAN;
        /// Time at the beginning of a slot in which the switches are dark. A rotor with one slot never changes.
        reconfiguration: Span ["us"] = "0 s", from Span::ZERO, to LONGEST_SPAN;
        /// Time after which rows of circuit repeat.
        period: Span ["us"] = ONE_OF, from Span::from_ps(1), to LONGEST_SPAN;
        /// Time before the end of a circuit in which no frame begins. It is at least the time of the longest frame.
        guard: Span ["us"] = "the time of the longest frame", from Span::ZERO, to LONGEST_SPAN;
        /// The circuits that packets take: direct, or two, by the first circuit that there is.
        hops: CircuitHops = "direct";
    }
}

section! {
    /// A circuit between two ToRs, for a part of each period.
    pub struct CircuitRow = "circuit", list {
        /// The ToR that sends.
        from: Node = "";
        /// The ToR that receives.
        to: Node = "";
        /// Whether it joins them in one direction only.
        one_way: bool = "false";
        /// From when it is there, within the period.
        begins: Span ["us"] = "0 s", from Span::ZERO, to LONGEST_SPAN;
        /// Until before when.
        ends: Span ["us"] = "the end of the period", from Span::from_ps(1), to LONGEST_SPAN;
    }
}
