//! Fields before all sections, and what is recorded.

use crate::scenario::declared::{Kind, Section, field};

/// The fields before all sections.
pub(super) const ROOT: Section = Section {
    name: "",
    about: "The scenario itself.",
    is_list: false,
    fields: &[
        field("version", Kind::Whole, "", "Version of the format: 1.", &[]),
        field("seed", Kind::Whole, "1", "Seed of traffic, losses, marks and path choice.", &[]),
        field("until", Kind::Quantity("a time", "ms"), "", "End of the run.", &[]),
        field(
            "patience",
            Kind::Quantity("a time", "ms"),
            "100 ms",
            "Time without progress after which the run is stalled.",
            &[],
        ),
    ],
};

/// `[probes]`.
pub(super) const PROBES: Section = Section {
    name: "probes",
    about: "What is recorded over time.",
    is_list: false,
    fields: &[
        field(
            "interval",
            Kind::Quantity("a time", "us"),
            "1 ms, or longer in a long run",
            "Interval of all series.",
            &[],
        ),
        field("flows", Kind::Flag, "false", "Whether every flow has a series of its own.", &[]),
        field(
            "groups",
            Kind::Flag,
            "false",
            "Whether every message to a group has a series of its own, over all its receivers.",
            &[],
        ),
        field(
            "receivers",
            Kind::Flag,
            "false",
            "Whether every receiver of every message to a group has a series of its own.",
            &[],
        ),
        field(
            "copies",
            Kind::Flag,
            "false",
            "Whether the copies of each message to a group are counted by link and branch.",
            &[],
        ),
    ],
};
