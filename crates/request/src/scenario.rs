//! Declarations of all fields of a scenario file.
//!
//! The known fields of a section, the reference page and the JSON Schema of scenario files come from these
//! declarations.

/// Kind of value that a field takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A whole number, 0 or more.
    Whole,
    /// A decimal number.
    Number,
    /// True or false.
    Flag,
    /// A text.
    Text,
    /// The path of a file, relative to the folder of the scenario.
    Path,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A number with a unit, in quotes: its description, and the usual unit.
    Quantity(&'static str, &'static str),
    /// A node: a host's number or a node's name.
    Node,
    /// A list of nodes, or their number.
    Nodes,
}

/// A field of a section.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// Name in the file.
    pub name: &'static str,
    /// Kind of its value.
    pub kind: Kind,
    /// Default value as text. Empty: the field is required.
    pub default: &'static str,
    /// Help text: what the field means.
    pub help: &'static str,
    /// Kinds of networks or patterns that have this field. Empty: all kinds.
    pub only: &'static [&'static str],
}

/// A section of a scenario file.
#[derive(Debug, Clone, Copy)]
pub struct Section {
    /// Name in the file. Empty for the fields before all sections.
    pub name: &'static str,
    /// Help text: what the section describes.
    pub about: &'static str,
    /// Whether it is a list of tables, `[[name]]`.
    pub is_list: bool,
    /// Its fields.
    pub fields: &'static [Field],
}

const fn field(
    name: &'static str,
    kind: Kind,
    default: &'static str,
    help: &'static str,
    only: &'static [&'static str],
) -> Field {
    Field { name, kind, default, help, only }
}

/// The section with a name.
///
/// # Panics
/// Panics if no section has this name.
pub fn section(name: &str) -> &'static Section {
    let found = SECTIONS.iter().find(|section| section.name == name);
    found.unwrap_or_else(|| panic!("{name} is a section of scenarios"))
}

impl Section {
    /// The names of all fields of the section.
    pub fn names(&self) -> Vec<&'static str> {
        self.fields.iter().map(|field| field.name).collect()
    }

    /// The names of the fields that apply to a kind of network or pattern.
    pub fn names_of(&self, kind: &str) -> Vec<&'static str> {
        let fields = self.fields.iter();
        let fields = fields.filter(|field| field.only.is_empty() || field.only.contains(&kind));
        fields.map(|field| field.name).collect()
    }
}

/// The section as a file writes it: `[network]` or `[[flow]]`.
pub fn written(section: &Section) -> String {
    match section.is_list {
        true => format!("[[{}]]", section.name),
        false => format!("[{}]", section.name),
    }
}

/// All sections, in the order of a file.
pub const SECTIONS: &[Section] = &[
    Section {
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
    },
    Section {
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
                "",
                "Delay of every link; give delay or length.",
                &["fat-tree", "leaf-spine", "multicast-core", "design"],
            ),
            field(
                "length",
                Kind::Quantity("a length", "m"),
                "",
                "Length of fibre of every link; give delay or length.",
                &["fat-tree", "leaf-spine", "multicast-core", "design"],
            ),
            field(
                "ports",
                Kind::Whole,
                "",
                "Ports of each switch.",
                &["fat-tree", "multicast-core"],
            ),
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
            field(
                "tors",
                Kind::Whole,
                "",
                "ToR switches, each with one host.",
                &["multicast-core"],
            ),
            field(
                "file",
                Kind::Path,
                "",
                "CSV file of links (edge-list), or design file (design).",
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
        ],
    },
    Section {
        name: "parameters",
        about: "Constants that go over those of the catalogue.",
        is_list: false,
        fields: &[field(
            "file",
            Kind::Path,
            "none",
            "A file of parameters that goes over the shipped ones.",
            &[],
        )],
    },
    Section {
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
    },
    Section {
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
    },
    Section {
        name: "parameters.switch",
        about: "Switches.",
        is_list: false,
        fields: &[
            field(
                "buffer_per_port",
                Kind::Quantity("a data size", "kB"),
                "the catalogue",
                "Buffer that all ports share, for each port.",
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
    },
    Section {
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
        ],
    },
    Section {
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
            field(
                "ack_every",
                Kind::Whole,
                "the catalogue",
                "Packets for each acknowledgement.",
                &[],
            ),
            field(
                "timeout",
                Kind::Quantity("a time", "us"),
                "the catalogue",
                "Retransmission timeout.",
                &[],
            ),
            field("first_psn", Kind::Whole, "the catalogue", "First packet sequence number.", &[]),
            field(
                "window",
                Kind::Whole,
                "the catalogue",
                "Packets under way (selective repeat).",
                &[],
            ),
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
    },
    Section {
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
                "increase_timer",
                Kind::Quantity("a time", "us"),
                "the catalogue",
                "Interval at which the rate increases.",
                &[],
            ),
            field(
                "byte_counter",
                Kind::Quantity("a data size", "kB"),
                "the catalogue",
                "Bytes after which the rate increases.",
                &[],
            ),
            field("fast_steps", Kind::Whole, "the catalogue", "Steps of fast recovery.", &[]),
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
            field("least", Kind::Quantity("a rate", "Gb/s"), "the catalogue", "Least rate.", &[]),
            field(
                "cnp_interval",
                Kind::Quantity("a time", "us"),
                "the catalogue",
                "Least interval between notifications of a flow.",
                &[],
            ),
        ],
    },
    Section {
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
    },
    Section {
        name: "flow",
        about: "A message from one host to another.",
        is_list: true,
        fields: &[
            field("from", Kind::Node, "", "Sending host: its number or its name.", &[]),
            field("to", Kind::Node, "", "Receiving host.", &[]),
            field("size", Kind::Quantity("a data size", "kB"), "", "Payload.", &[]),
            field(
                "after",
                Kind::Whole,
                "none",
                "Number of the flow that this one hands on; it starts when that one has arrived.",
                &[],
            ),
            field("start", Kind::Quantity("a time", "us"), "0 s", "Time of the request.", &[]),
            field(
                "class",
                Kind::Word(&["lossless", "lossy"]),
                "lossless",
                "Class of the packets.",
                &[],
            ),
            field("verb", Kind::Word(&["write", "send"]), "write", "RDMA verb.", &[]),
        ],
    },
    Section {
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
                "",
                "Payload of each message; give size or sizes.",
                &[],
            ),
            field(
                "sizes",
                Kind::Path,
                "",
                "File with the distribution of payloads, in two columns; give size or sizes.",
                &[],
            ),
            field("start", Kind::Quantity("a time", "us"), "0 s", "Time of the request.", &[]),
            field(
                "class",
                Kind::Word(&["lossless", "lossy"]),
                "lossless",
                "Class of the packets.",
                &[],
            ),
            field("verb", Kind::Word(&["write", "send"]), "write", "RDMA verb.", &[]),
            field(
                "offset",
                Kind::Whole,
                "half of the hosts",
                "Host i sends to host i + offset.",
                &["stride"],
            ),
            field(
                "senders",
                Kind::Nodes,
                "",
                "Number of senders, or a list of hosts.",
                &["incast"],
            ),
            field("to", Kind::Node, "", "Receiving host.", &["incast"]),
            field(
                "load",
                Kind::Number,
                "",
                "Payload of each host over its line rate.",
                &["poisson"],
            ),
            field(
                "duration",
                Kind::Quantity("a time", "us"),
                "until the end",
                "Time during which messages arrive.",
                &["poisson"],
            ),
        ],
    },
    Section {
        name: "loss",
        about: "Random losses on links.",
        is_list: true,
        fields: &[
            field("link", Kind::Nodes, "", "The two ends of a link; give link or layer.", &[]),
            field("one_way", Kind::Flag, "false", "Only from the first end to the second.", &[]),
            field(
                "layer",
                Kind::Whole,
                "",
                "Layer of the transmitters, 0 for hosts; give link or layer.",
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
    },
    Section {
        name: "failure",
        about: "A link or a switch that dies, or a pause storm. Give one of link, node and storm.",
        is_list: true,
        fields: &[
            field("link", Kind::Nodes, "", "The two ends of a link.", &[]),
            field("node", Kind::Node, "", "A node, all of whose links die.", &[]),
            field("storm", Kind::Node, "", "A host that stops its switch.", &[]),
            field("at", Kind::Quantity("a time", "us"), "", "When it begins.", &[]),
            field("until", Kind::Quantity("a time", "us"), "for ever", "When it ends.", &[]),
        ],
    },
    Section {
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
        ],
    },
];
