//! Losses and failures.

use crate::scenario::declared::{Kind, ONE_OF, Section, field};

/// `[loss]`.
pub(super) const LOSS: Section = Section {
    name: "loss",
    about: "Random losses on links, or at the splitters of a design. Give one of link, layer and splitter.",
    is_list: true,
    fields: &[
        field("link", Kind::Nodes, ONE_OF, "The two ends of a link.", &[]),
        field("one_way", Kind::Flag, "false", "Only from the first end to the second.", &[]),
        field("layer", Kind::Whole, ONE_OF, "Layer of the transmitters, 0 for hosts.", &[]),
        field(
            "splitter",
            Kind::Text,
            ONE_OF,
            "The ToR whose transmitter into its splitter loses packets, on all branches together.",
            &[],
        ),
        field(
            "branch",
            Kind::Text,
            "all together",
            "The receiver of the only branch that loses them.",
            &[],
        ),
        field("rate", Kind::Number, "", "Share of packets that are lost.", &[]),
        field("burst", Kind::Whole, "1", "Packets that are lost in a row.", &[]),
        field(
            "corrupt",
            Kind::Flag,
            "false",
            "Whether packets arrive with errors, in place of not at all.",
            &[],
        ),
    ],
};

/// `[failure]`.
pub(super) const FAILURE: Section = Section {
    name: "failure",
    about: "A part that dies, or a pause storm. Give one of link, node, storm, splitter, relay, tor and failed.",
    is_list: true,
    fields: &[
        field("link", Kind::Nodes, ONE_OF, "The two ends of a link.", &[]),
        field(
            "node",
            Kind::Node,
            ONE_OF,
            "A node, all of whose links die. A switch that comes back has lost its queues and its tables of reliable \
                groups.",
            &[],
        ),
        field("storm", Kind::Node, ONE_OF, "A host that stops its switch.", &[]),
        field("splitter", Kind::Text, ONE_OF, "The ToR whose splitter dies.", &[]),
        field("branch", Kind::Text, "all", "The receiver of the only branch that dies.", &[]),
        field(
            "relay",
            Kind::Text,
            ONE_OF,
            "The ToR whose transmitter into its splitter dies.",
            &[],
        ),
        field("tor", Kind::Text, ONE_OF, "A ToR that dies with its splitter and its links.", &[]),
        field(
            "failed",
            Kind::Text,
            ONE_OF,
            "Failures as `recover` names them: relay:8,branch:3->7.",
            &[],
        ),
        field("at", Kind::Quantity("a time", "us"), "", "When it begins.", &[]),
        field("until", Kind::Quantity("a time", "us"), "for ever", "When it ends.", &[]),
    ],
};

/// `[recovery]`.
pub(super) const RECOVERY: Section = Section {
    name: "recovery",
    about: "How the planner recovers from failures of a planned fabric during the run, and how routes are changed \
        around dead links and switches. Without it rules and routes stay as they are.",
    is_list: false,
    fields: &[
        field(
            "recover",
            Kind::Flag,
            "true",
            "Whether it does; with false only the report names failures.",
            &[],
        ),
        field(
            "detection",
            Kind::Quantity("a time", "us"),
            "",
            "Time from a failure, or its end, until the controller knows of it.",
            &[],
        ),
        field(
            "computation",
            Kind::Quantity("a time", "us"),
            "",
            "Time from then until it has new rules.",
            &[],
        ),
        field(
            "installation",
            Kind::Quantity("a time", "us"),
            "",
            "Time from the begin of each phase, or of a change of routes, until all its switches have the rules.",
            &[],
        ),
        field(
            "drain",
            Kind::Quantity("a time", "us"),
            "as long as the last packet may need",
            "Time from the deletions of a rollout until the next phase begins. A shorter one than the default may \
                bring second copies.",
            &[],
        ),
        field(
            "returns",
            Kind::Word(&["after-rules", "at-once"]),
            "after-rules",
            "When a part of a planned fabric that works again is used again: when its rules are back, until when its \
                ports are shut, or at once. At once may bring second copies.",
            &[],
        ),
        field(
            "objective",
            Kind::Word(&["fewest-changes", "fewest-hops"]),
            "fewest-changes",
            "What a recovery of a planned fabric minimises.",
            &[],
        ),
    ],
};
