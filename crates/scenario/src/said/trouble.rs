//! Losses and failures.

use lightloom_routing::recovery::Objective;
use lightloom_units::{Instant, Span};

use crate::glass::rollout::Returns;
use crate::said::declared::ONE_OF;
use crate::said::limits::{LONGEST_BURST, LONGEST_SPAN};
use crate::said::nodes::Node;
use crate::said::section::section;

section! {
    /// Random losses on links, or at the splitters of a design. Give one of link, layer and splitter.
    pub struct LossRow = "loss", list {
        /// The two ends of a link.
        link: Vec<Node> = ONE_OF;
        /// Only from the first end to the second.
        one_way: bool = "false";
        /// Layer of the transmitters, 0 for hosts.
        layer: u32 = ONE_OF;
        /// The ToR whose transmitter into its splitter loses packets, on all branches together.
        splitter: String = ONE_OF;
        /// The receiver of the only branch that loses them.
        branch: String = "all together";
        /// Share of packets that are lost.
        rate: f64 = "", from 0.0, to 1.0;
        /// Packets that are lost in a row.
        burst: u32 = "1", from 1, to LONGEST_BURST;
        /// Whether packets arrive with errors, in place of not at all.
        corrupt: bool = "false";
    }
}

section! {
    /// A part that dies, or a pause storm. Give one of link, node, storm, splitter, relay, tor and failed.
    pub struct FailureRow = "failure", list {
        /// The two ends of a link.
        link: Vec<Node> = ONE_OF;
        /// A node, all of whose links die. A switch that comes back has lost its queues and its tables of reliable
        /// groups.
        node: Node = ONE_OF;
        /// A host that stops its switch.
        storm: Node = ONE_OF;
        /// The ToR whose splitter dies.
        splitter: String = ONE_OF;
        /// The receiver of the only branch that dies.
        branch: String = "all";
        /// The ToR whose transmitter into its splitter dies.
        relay: String = ONE_OF;
        /// A ToR that dies with its splitter and its links.
        tor: String = ONE_OF;
        /// Failures as `recover` names them: relay:8,branch:3->7.
        failed: String = ONE_OF;
        /// When it begins.
        at: Instant ["us"] = "";
        /// When it ends.
        until: Instant ["us"] = "for ever";
    }
}

section! {
    /// How the planner recovers from failures of a planned fabric during the run, and how routes are changed around
    /// dead links and switches. Without it rules and routes stay as they are.
    pub struct RecoveryRow = "recovery", single {
        /// Whether it does; with false only the report names failures.
        recover: bool = "true";
        /// Time from a failure, or its end, until the controller knows of it.
        detection: Span ["us"] = "", from Span::ZERO, to LONGEST_SPAN;
        /// Time from then until it has new rules.
        computation: Span ["us"] = "", from Span::ZERO, to LONGEST_SPAN;
        /// Time from the begin of each phase, or of a change of routes, until all its switches have the rules.
        installation: Span ["us"] = "", from Span::ZERO, to LONGEST_SPAN;
        /// Time from the deletions of a rollout until the next phase begins. A shorter one than the default may bring
        /// second copies.
        drain: Span ["us"] = "as long as the last packet may need",
            from Span::ZERO, to LONGEST_SPAN;
        /// When a part of a planned fabric that works again is used again: when its rules are back, until when its
        /// ports are shut, or at once. At once may bring second copies.
        returns: Returns = "after-rules";
        /// What a recovery of a planned fabric minimises.
        objective: Objective = "fewest-changes";
    }
}
