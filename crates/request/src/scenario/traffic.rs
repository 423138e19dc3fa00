//! Messages and patterns of messages.

use crate::scenario::declared::{Field, Kind, ONE_OF, Section, field};

const START: Field =
    field("start", Kind::Quantity("a time", "us"), "0 s", "Time of the request.", &[]);

const CLASS: Field =
    field("class", Kind::Word(&["lossless", "lossy"]), "lossless", "Class of the packets.", &[]);

const VERB: Field = field("verb", Kind::Word(&["write", "send"]), "write", "RDMA verb.", &[]);

const CONNECTION: Field = field(
    "connection",
    Kind::Text,
    "its own",
    "Name of the queue pair that flows share; one is sent after the other.",
    &[],
);

/// What a message waits for.
pub(super) const AFTER: Field = field(
    "after",
    Kind::Flows,
    "none",
    "Flows by number, and messages to groups by name, that this one waits for; it starts when all of them have \
        arrived.",
    &[],
);

/// `[flow]`.
pub(super) const FLOW: Section = Section {
    name: "flow",
    about: "A message from one host to another.",
    is_list: true,
    fields: &[
        field("from", Kind::Node, "", "Sending host: its number or its name.", &[]),
        field("to", Kind::Node, "", "Receiving host.", &[]),
        field("size", Kind::Quantity("a data size", "kB"), "", "Payload.", &[]),
        AFTER,
        START,
        CLASS,
        VERB,
        CONNECTION,
    ],
};

/// `[traffic]`.
pub(super) const TRAFFIC: Section = Section {
    name: "traffic",
    about: "A pattern of messages.",
    is_list: true,
    fields: &[
        field(
            "pattern",
            Kind::Word(&["stride", "permutation", "incast", "poisson"]),
            "",
            "The pattern.",
            &[],
        ),
        field(
            "size",
            Kind::Quantity("a data size", "kB"),
            ONE_OF,
            "Payload of each message; give size or sizes.",
            &[],
        ),
        field(
            "sizes",
            Kind::Path,
            ONE_OF,
            "File with the distribution of payloads, in two columns; give size or sizes.",
            &[],
        ),
        START,
        CLASS,
        VERB,
        CONNECTION,
        field(
            "offset",
            Kind::Whole,
            "half of the hosts",
            "Host i sends to host i + offset.",
            &["stride"],
        ),
        field("senders", Kind::Nodes, "", "Number of senders, or a list of hosts.", &["incast"]),
        field("to", Kind::Node, "", "Receiving host.", &["incast"]),
        field("load", Kind::Number, "", "Payload of each host over its line rate.", &["poisson"]),
        field(
            "duration",
            Kind::Quantity("a time", "us"),
            "until the end",
            "Time during which messages arrive.",
            &["poisson"],
        ),
    ],
};
