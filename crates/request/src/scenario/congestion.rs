//! The constants of marking and of congestion control.

use crate::scenario::declared::{Kind, Section, field};

/// `[parameters.ecn]`.
pub(super) const ECN: Section = Section {
    name: "parameters.ecn",
    about: "Marking.",
    is_list: false,
    fields: &[
        field("enabled", Kind::Flag, "the catalogue", "Whether switches mark packets.", &[]),
        field(
            "at",
            Kind::Quantity("a rate", "Gb/s"),
            "the catalogue",
            "Port rate that the thresholds are for; they scale in proportion.",
            &[],
        ),
        field(
            "kmin",
            Kind::Quantity("a data size", "kB"),
            "the catalogue",
            "Queue at which marking begins.",
            &[],
        ),
        field(
            "kmax",
            Kind::Quantity("a data size", "kB"),
            "the catalogue",
            "Queue at which every packet is marked.",
            &[],
        ),
        field(
            "pmax",
            Kind::Number,
            "the catalogue",
            "Share of packets that are marked just below kmax.",
            &[],
        ),
        field(
            "when",
            Kind::Word(&["joining", "leaving"]),
            "the catalogue",
            "A packet is marked when it joins a queue, by what is before it, or leaves it, by what is behind.",
            &[],
        ),
    ],
};

/// `[parameters.dcqcn]`.
pub(super) const DCQCN: Section = Section {
    name: "parameters.dcqcn",
    about: "Congestion control.",
    is_list: false,
    fields: &[
        field(
            "enabled",
            Kind::Flag,
            "the catalogue",
            "Whether hosts slow down at notifications (DCQCN).",
            &[],
        ),
        field("g", Kind::Number, "the catalogue", "Gain of alpha.", &[]),
        field(
            "alpha_timer",
            Kind::Quantity("a time", "us"),
            "the catalogue",
            "Interval at which alpha decays.",
            &[],
        ),
        field(
            "alpha",
            Kind::Word(&["notified", "periodic"]),
            "the catalogue",
            "Alpha grows with each notification, or once for each interval that had one.",
            &[],
        ),
        field(
            "first_share",
            Kind::Number,
            "the catalogue",
            "Share of its rate that a queue pair keeps at its first notification, before any cut.",
            &[],
        ),
        field(
            "cut_interval",
            Kind::Quantity("a time", "us"),
            "the catalogue",
            "Interval at which notifications cut the rate; with 0 each does at once.",
            &[],
        ),
        field(
            "clamp",
            Kind::Word(&["always", "after-increase"]),
            "the catalogue",
            "Whether a cut lowers the target rate to the rate where nothing has grown since the last cut.",
            &[],
        ),
        field(
            "increase_timer",
            Kind::Quantity("a time", "us"),
            "the catalogue",
            "Interval at which the rate increases.",
            &[],
        ),
        field(
            "byte_counter",
            Kind::QuantityOr("a data size", "kB", "none"),
            "the catalogue",
            "Bytes after which the rate increases.",
            &[],
        ),
        field("fast_steps", Kind::Whole, "the catalogue", "Steps of fast recovery.", &[]),
        field(
            "stages",
            Kind::Word(&["both", "ahead"]),
            "the catalogue",
            "Hyper increase once both counters have left fast recovery, or one step after either has.",
            &[],
        ),
        field(
            "additive",
            Kind::Quantity("a rate", "Gb/s"),
            "the catalogue",
            "Step of additive increase.",
            &[],
        ),
        field(
            "hyper",
            Kind::Quantity("a rate", "Gb/s"),
            "the catalogue",
            "Step of hyper increase.",
            &[],
        ),
        field(
            "at",
            Kind::QuantityOr("a rate", "Gb/s", "any"),
            "the catalogue",
            "Host link rate that additive and hyper are for; they scale in proportion.",
            &[],
        ),
        field("least", Kind::Quantity("a rate", "Gb/s"), "the catalogue", "Least rate.", &[]),
        field(
            "cnp_interval",
            Kind::Quantity("a time", "us"),
            "the catalogue",
            "Least interval between notifications of a flow.",
            &[],
        ),
        field(
            "notices",
            Kind::Word(&["packets", "answers"]),
            "the catalogue",
            "Notifications are packets of their own, or marks on the answers to marked packets.",
            &[],
        ),
    ],
};
