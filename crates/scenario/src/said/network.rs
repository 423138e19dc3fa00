//! The network.

use lightloom_units::{BitRate, Length, Span};

use crate::glass::Light;
use crate::said::choices::DarkBranches;
use crate::said::declared::ONE_OF;
use crate::said::limits::{LEAST_RATE, LONGEST_SPAN, MOST_RATE};
use crate::said::section::section;
use crate::said::value::FileName;
use crate::scenario::NetworkKind;

section! {
    /// The network.
    pub struct NetworkRow = "network", single {
        /// Family of the network.
        kind: NetworkKind = "";
        /// Rate of links between switches; also of links of hosts, unless host_rate is given.
        rate: BitRate ["Gb/s"] = "", only ["fat-tree", "leaf-spine", "multicast-core", "circuits", "design"],
            from LEAST_RATE, to MOST_RATE;
        /// Rate of links of hosts.
        host_rate: BitRate ["Gb/s"] = "as rate", only ["fat-tree", "leaf-spine", "circuits", "design"],
            from LEAST_RATE, to MOST_RATE;
        /// Delay of every link; give delay or length.
        delay: Span ["us"] = ONE_OF, only ["fat-tree", "leaf-spine", "multicast-core", "circuits", "design"],
            from Span::from_ps(1), to LONGEST_SPAN;
        /// Length of fibre of every link; give delay or length.
        length: Length ["m"] = ONE_OF, only ["fat-tree", "leaf-spine", "multicast-core", "circuits", "design"];
        /// Ports of each switch.
        ports: u32 = "", only ["fat-tree", "multicast-core"];
        /// Hosts of each edge switch.
        hosts_per_edge: u32 = "half of the ports", only ["fat-tree"];
        /// Leaf switches.
        leaves: u32 = "", only ["leaf-spine"];
        /// Spine switches; a design has these or circuit switches.
        spines: u32 = "", only ["leaf-spine", "design"];
        /// Optical circuit switches between ToRs; each ToR has an uplink to each of them.
        circuit_switches: u32 = "1; spines for a design", only ["circuits", "design"],
            from 1, to 1_024;
        /// Hosts of each leaf.
        hosts_per_leaf: u32 = "", only ["leaf-spine"];
        /// ToR switches; in a multicast core each has one host.
        tors: u32 = "", only ["multicast-core", "circuits"];
        /// CSV file of links (edge-list); design file or plan folder (design).
        file: FileName = "", only ["edge-list", "design"];
        /// CSV file of nodes with the columns name and kind.
        nodes: FileName = "whatever has one link is a host", only ["edge-list"];
        /// Hosts of each ToR.
        hosts_per_tor: u32 = "", only ["circuits", "design"];
        /// Rack that the spines stand in; links to them are as long as the way along the trays.
        spine_rack: String = "delay or length holds for links to spines too", only ["design"];
        /// Rate of the splitters' transmitters.
        light_rate: BitRate ["Gb/s"] = "as rate", only ["design"], from LEAST_RATE, to MOST_RATE;
        /// Values of the optical parts that decide what branches lose; draw takes them at random for each seed.
        light: Light = "typical if the design names optics, else off", only ["design"];
        /// Whether a design whose light does not close is refused, or runs with what its branches lose.
        dark_branches: DarkBranches = "refuse", only ["design"];
    }
}
