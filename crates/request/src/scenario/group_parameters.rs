//! `[parameters.groups]`: reliable groups.

use super::declared::{Kind, Section, field};

/// `[parameters.groups]`.
pub(super) const GROUPS: Section = Section {
    name: "parameters.groups",
    about: "Reliable groups.",
    is_list: false,
    fields: &[
        field(
            "repeat_interval",
            Kind::Quantity("a time", "us"),
            "the catalogue",
            "Least interval between repetitions of an aggregated acknowledgement.",
            &[],
        ),
        field(
            "notification_window",
            Kind::Quantity("a time", "us"),
            "the catalogue",
            "Window in which a switch counts notifications by port.",
            &[],
        ),
        field(
            "register_timeout",
            Kind::Quantity("a time", "us"),
            "the catalogue",
            "Time after which the leader registers again what is not confirmed.",
            &[],
        ),
        field(
            "register_tries",
            Kind::Whole,
            "the catalogue",
            "Tries of a registration before it fails.",
            &[],
        ),
        field(
            "synchronisation",
            Kind::Quantity("a time", "us"),
            "the catalogue",
            "Time of a queue pair to take up the sequence numbers of another sender.",
            &[],
        ),
        field(
            "fan_out",
            Kind::Whole,
            "the catalogue",
            "Most ports of a switch that a group may use, beside the one toward the sender; 0 for no limit.",
            &[],
        ),
        field(
            "memory",
            Kind::Quantity("a data size", "kB"),
            "the catalogue",
            "Memory of a switch for tables of groups.",
            &[],
        ),
        field(
            "buffering",
            Kind::Word(&["shared", "copies"]),
            "the catalogue",
            "Whether copies of a packet share one place in the buffer and one charge to its ingress port, or have one \
                each.",
            &[],
        ),
        field(
            "safeguard",
            Kind::Word(&["off", "all", "behind"]),
            "the catalogue",
            "Members that the sender reaches over connections of their own if the group makes no progress: none, all, \
                or those behind the fault.",
            &[],
        ),
        field(
            "safeguard_window",
            Kind::Quantity("a time", "us"),
            "the catalogue",
            "Interval at which the sender looks at its progress.",
            &[],
        ),
        field(
            "safeguard_least",
            Kind::Quantity("a rate", "Gb/s"),
            "the catalogue",
            "Goodput below which a group makes no progress.",
            &[],
        ),
    ],
};
