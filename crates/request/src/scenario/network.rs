//! The network.

use crate::scenario::declared::{Kind, ONE_OF, Section, field};

/// `[network]`.
pub(super) const NETWORK: Section = Section {
    name: "network",
    about: "The network.",
    is_list: false,
    fields: &[
        field(
            "kind",
            Kind::Word(&["fat-tree", "leaf-spine", "multicast-core", "edge-list", "design"]),
            "",
            "Family of the network.",
            &[],
        ),
        field(
            "rate",
            Kind::Quantity("a rate", "Gb/s"),
            "",
            "Rate of links between switches; also of links of hosts, unless host_rate is given.",
            &["fat-tree", "leaf-spine", "multicast-core", "design"],
        ),
        field(
            "host_rate",
            Kind::Quantity("a rate", "Gb/s"),
            "as rate",
            "Rate of links of hosts.",
            &["fat-tree", "leaf-spine", "design"],
        ),
        field(
            "delay",
            Kind::Quantity("a time", "us"),
            ONE_OF,
            "Delay of every link; give delay or length.",
            &["fat-tree", "leaf-spine", "multicast-core", "design"],
        ),
        field(
            "length",
            Kind::Quantity("a length", "m"),
            ONE_OF,
            "Length of fibre of every link; give delay or length.",
            &["fat-tree", "leaf-spine", "multicast-core", "design"],
        ),
        field("ports", Kind::Whole, "", "Ports of each switch.", &["fat-tree", "multicast-core"]),
        field(
            "hosts_per_edge",
            Kind::Whole,
            "half of the ports",
            "Hosts of each edge switch.",
            &["fat-tree"],
        ),
        field("leaves", Kind::Whole, "", "Leaf switches.", &["leaf-spine"]),
        field("spines", Kind::Whole, "", "Spine switches.", &["leaf-spine", "design"]),
        field("hosts_per_leaf", Kind::Whole, "", "Hosts of each leaf.", &["leaf-spine"]),
        field("tors", Kind::Whole, "", "ToR switches, each with one host.", &["multicast-core"]),
        field(
            "file",
            Kind::Path,
            "",
            "CSV file of links (edge-list); design file or plan folder (design).",
            &["edge-list", "design"],
        ),
        field(
            "nodes",
            Kind::Path,
            "whatever has one link is a host",
            "CSV file of nodes with the columns name and kind.",
            &["edge-list"],
        ),
        field("hosts_per_tor", Kind::Whole, "", "Hosts of each ToR.", &["design"]),
        field(
            "spine_rack",
            Kind::Text,
            "delay or length holds for links to spines too",
            "Rack that the spines stand in; links to them are as long as the way along the trays.",
            &["design"],
        ),
        field(
            "light_rate",
            Kind::Quantity("a rate", "Gb/s"),
            "as rate",
            "Rate of the splitters' transmitters.",
            &["design"],
        ),
        field(
            "light",
            Kind::Word(&["off", "typical", "worst", "draw"]),
            "typical if the design names optics, else off",
            "Values of the optical parts that decide what branches lose; draw takes them at random for each seed.",
            &["design"],
        ),
        field(
            "dark_branches",
            Kind::Word(&["refuse", "run"]),
            "refuse",
            "Whether a design whose light does not close is refused, or runs with what its branches lose.",
            &["design"],
        ),
    ],
};
