//! The constants of the twin.

use crate::scenario::declared::{Kind, Section, field};

/// `[parameters]`.
pub(super) const PARAMETERS: Section = Section {
    name: "parameters",
    about: "Constants that override those of the catalogue.",
    is_list: false,
    fields: &[
        field(
            "set",
            Kind::Word(&["paper", "rdma-ns3"]),
            "paper",
            "Shipped set: DCQCN as in its paper, or hosts and switches as in the RDMA forks of ns-3.",
            &[],
        ),
        field(
            "file",
            Kind::Path,
            "none",
            "A file of parameters that overrides the shipped ones.",
            &[],
        ),
    ],
};

/// `[parameters.fibre]`.
pub(super) const FIBRE: Section = Section {
    name: "parameters.fibre",
    about: "Fibre.",
    is_list: false,
    fields: &[field(
        "delay_per_m",
        Kind::Quantity("a time", "ns"),
        "the catalogue",
        "Propagation delay of a metre of fibre.",
        &[],
    )],
};

/// `[parameters.wire]`.
pub(super) const WIRE: Section = Section {
    name: "parameters.wire",
    about: "Sizes on the wire.",
    is_list: false,
    fields: &[
        field(
            "mtu",
            Kind::Quantity("a data size", "kB"),
            "the catalogue",
            "Largest payload of a packet.",
            &[],
        ),
        field(
            "header",
            Kind::Quantity("a data size", "kB"),
            "the catalogue",
            "Headers of a data packet.",
            &[],
        ),
        field(
            "control",
            Kind::Quantity("a data size", "kB"),
            "the catalogue",
            "Length of an acknowledgement or a notification.",
            &[],
        ),
        field(
            "pause",
            Kind::Quantity("a data size", "kB"),
            "the catalogue",
            "Length of a pause frame.",
            &[],
        ),
        field(
            "preamble",
            Kind::Quantity("a data size", "kB"),
            "the catalogue",
            "Preamble before each frame.",
            &[],
        ),
        field(
            "gap",
            Kind::Quantity("a data size", "kB"),
            "the catalogue",
            "Gap after each frame.",
            &[],
        ),
    ],
};

/// `[parameters.switch]`.
pub(super) const SWITCH: Section = Section {
    name: "parameters.switch",
    about: "Switches.",
    is_list: false,
    fields: &[
        field(
            "buffer",
            Kind::Quantity("a data size", "MB"),
            "the catalogue",
            "Buffer of a switch that all ports share, whatever their number.",
            &[],
        ),
        field(
            "buffer_per_port",
            Kind::Quantity("a data size", "kB"),
            "the catalogue",
            "Buffer beyond it that all ports share, for each port.",
            &[],
        ),
        field(
            "reserves",
            Kind::Word(&["beside", "within"]),
            "the catalogue",
            "Whether headroom and minimum stand beside the buffer or are taken out of it.",
            &[],
        ),
        field(
            "headroom_per_port",
            Kind::Quantity("a data size", "kB"),
            "the catalogue",
            "Headroom of the lossless class of each port.",
            &[],
        ),
        field(
            "headroom_delays",
            Kind::Number,
            "the catalogue",
            "More headroom, as a multiple of the bytes that the port's link holds in its delay.",
            &[],
        ),
        field(
            "minimum_per_port",
            Kind::Quantity("a data size", "kB"),
            "the catalogue",
            "Bytes of the lossless class of each port that come before any of the shared buffer.",
            &[],
        ),
        field(
            "overflow",
            Kind::Word(&["fault", "drop"]),
            "the catalogue",
            "What a lossless packet does that finds its headroom full: end the run, or be counted as dropped.",
            &[],
        ),
        field(
            "pause_share",
            Kind::Number,
            "the catalogue",
            "A lossless ingress queue pauses its sender above this share of the free buffer.",
            &[],
        ),
        field(
            "drop_share",
            Kind::Number,
            "the catalogue",
            "A lossy egress queue drops above this share of the free buffer.",
            &[],
        ),
        field(
            "resume_offset",
            Kind::Quantity("a data size", "kB"),
            "the catalogue",
            "A paused sender resumes this far below the threshold.",
            &[],
        ),
        field("pfc", Kind::Flag, "the catalogue", "Whether switches pause senders (PFC).", &[]),
        field(
            "forwarding",
            Kind::Word(&["store-and-forward", "cut-through"]),
            "the catalogue",
            "How switches forward.",
            &[],
        ),
        field(
            "latency",
            Kind::Quantity("a time", "us"),
            "the catalogue",
            "Latency of a switch.",
            &[],
        ),
    ],
};

/// `[parameters.transport]`.
pub(super) const TRANSPORT: Section = Section {
    name: "parameters.transport",
    about: "Transport.",
    is_list: false,
    fields: &[
        field(
            "recovery",
            Kind::Word(&["go-back-n", "selective-repeat"]),
            "the catalogue",
            "How losses are repaired.",
            &[],
        ),
        field("ack_every", Kind::Whole, "the catalogue", "Packets for each acknowledgement.", &[]),
        field(
            "timeout",
            Kind::Quantity("a time", "us"),
            "the catalogue",
            "Retransmission timeout.",
            &[],
        ),
        field(
            "retries",
            Kind::WholeOr("none"),
            "the catalogue",
            "Repetitions after timeouts without progress; the next timeout is an error of the queue pair. With none \
                there is no limit.",
            &[],
        ),
        field("first_psn", Kind::Whole, "the catalogue", "First packet sequence number.", &[]),
        field("window", Kind::Whole, "the catalogue", "Packets under way (selective repeat).", &[]),
        field(
            "short_timeout",
            Kind::Quantity("a time", "us"),
            "the catalogue",
            "Timeout while few packets are under way (selective repeat).",
            &[],
        ),
        field(
            "few",
            Kind::Whole,
            "the catalogue",
            "Fewer packets than this are few (selective repeat).",
            &[],
        ),
    ],
};

/// `[parameters.stack]`.
pub(super) const STACK: Section = Section {
    name: "parameters.stack",
    about: "Time in the hosts.",
    is_list: false,
    fields: &[
        field(
            "send",
            Kind::Quantity("a time", "us"),
            "the catalogue",
            "Time of the sending stack.",
            &[],
        ),
        field(
            "receive",
            Kind::Quantity("a time", "us"),
            "the catalogue",
            "Time of the receiving stack.",
            &[],
        ),
        field(
            "forward",
            Kind::Quantity("a time", "us"),
            "the catalogue",
            "Time from the last packet of a message to the first of a flow that hands it on.",
            &[],
        ),
    ],
};
