//! Groups of hosts, and messages to them.

use crate::scenario::declared::{Kind, ONE_OF, Section, field};
use crate::scenario::traffic::AFTER;

/// `[[group]]`.
pub(super) const GROUP: Section = Section {
    name: "group",
    about: "Hosts that receive together. Give members or random.",
    is_list: true,
    fields: &[
        field("name", Kind::Text, "", "Name of the group.", &[]),
        field("members", Kind::Members, ONE_OF, "Hosts of the group.", &[]),
        field("random", Kind::Whole, ONE_OF, "Number of hosts, drawn at random.", &[]),
        field(
            "count",
            Kind::Whole,
            "1",
            "Number of groups that are drawn. Each has `random` hosts.",
            &[],
        ),
        field(
            "transport",
            Kind::Word(&["rc", "datagram"]),
            "rc",
            "How messages reach members: over one reliable connection, or in datagrams, which are not sent again if \
                they are lost.",
            &[],
        ),
        field(
            "data",
            Kind::Word(&["light", "links"]),
            "light in a design, else links",
            "What data go over: the splitters of the design, or links.",
            &[],
        ),
        field(
            "repair",
            Kind::Word(&["links", "light"]),
            "links",
            "What lost packets come back over, if data go over splitters.",
            &[],
        ),
        field(
            "dialect",
            Kind::Word(&["cepheus", "gleam"]),
            "cepheus",
            "Protocol of the switches of a reliable group.",
            &[],
        ),
        field(
            "leader",
            Kind::Node,
            "the first sender, else the first member",
            "Member that registers a reliable group.",
            &[],
        ),
        field(
            "start",
            Kind::Quantity("a time", "us"),
            "0 s",
            "When a reliable group begins to register.",
            &[],
        ),
    ],
};

/// `[[change]]`.
pub(super) const CHANGE: Section = Section {
    name: "change",
    about: "Hosts that join or leave a reliable group. It holds from the next message on.",
    is_list: true,
    fields: &[
        field("group", Kind::Text, "", "Name of the group.", &[]),
        field("at", Kind::Quantity("a time", "us"), "", "When.", &[]),
        field("joins", Kind::Nodes, ONE_OF, "Hosts that join.", &[]),
        field("leaves", Kind::Nodes, ONE_OF, "Hosts that leave.", &[]),
    ],
};

/// `[[multicast]]`.
pub(super) const MULTICAST: Section = Section {
    name: "multicast",
    about: "A message from a member to all others of its group.",
    is_list: true,
    fields: &[
        field(
            "group",
            Kind::Text,
            "",
            "Name of the group; each of them, if its row has a count.",
            &[],
        ),
        field(
            "from",
            Kind::Node,
            "the leader, else the first member",
            "Sending host, a member of the group.",
            &[],
        ),
        field("name", Kind::Text, "none", "Name, for messages that wait for this one.", &[]),
        field("size", Kind::Quantity("a data size", "kB"), "", "Payload.", &[]),
        AFTER,
        field("start", Kind::Quantity("a time", "us"), "0 s", "Time of the request.", &[]),
        field(
            "class",
            Kind::Word(&["lossless", "lossy"]),
            "lossless",
            "Class of the packets.",
            &[],
        ),
    ],
};

/// `[admission]`.
pub(super) const ADMISSION: Section = Section {
    name: "admission",
    about: "How messages over light are admitted that share a relay's transmitter, a splitter or a receiver's port. \
        Without it each goes when it is asked for, and what is too much is dropped.",
    is_list: false,
    fields: &[
        field(
            "policy",
            Kind::Word(&["turns", "share"]),
            "",
            "One after the other, where they share anything, or all at once with max-min fair rates.",
            &[],
        ),
        field("controller", Kind::Node, "host 0", "Host that admits messages.", &[]),
        field(
            "trees",
            Kind::Word(&["installed", "parallel"]),
            "installed",
            "Trees of the senders: those of the plan, or trees made for as many of them as possible that share no \
                relay.",
            &[],
        ),
    ],
};
