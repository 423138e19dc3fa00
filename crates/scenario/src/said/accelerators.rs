//! Accelerators beside switches.

use lightloom_units::{BitRate, DataSize, Span};

use crate::said::limits::{LONGEST_SPAN, MOST_BUFFER, MOST_FAN_OUT, MOST_RATE};
use crate::said::nodes::Node;
use crate::said::section::section;

section! {
    /// An accelerator beside a switch, which replicates and aggregates for all reliable groups there.
    pub struct AcceleratorRow = "accelerator", list {
        /// The switch that it stands beside. Left out: every switch without a row of its own.
        node: Node = "every switch without a row of its own";
        /// Its ports. It takes as many of the switch, beside those of the network.
        ports: u32 = "", from 1, to 64;
        /// Line rate of each port.
        port_rate: BitRate ["Gb/s"] = "", from BitRate::from_bps(1_000), to MOST_RATE;
        /// What it takes and sends, over all ports together. All groups of the switch share it.
        rate: BitRate ["Gb/s"] = "ports times port_rate", from BitRate::from_bps(1_000), to MOST_RATE;
        /// From the last bit of a packet in it to the first bit of its first copy.
        latency: Span ["ns"] = "", from Span::ZERO, to LONGEST_SPAN;
        /// Most ports of the switch that a group may use, beside the one toward the sender.
        fan_out: u32 = "as parameters.groups", from 1, to MOST_FAN_OUT;
        /// Memory for tables of groups.
        memory: DataSize ["kB"] = "as parameters.groups", from DataSize::ZERO, to MOST_BUFFER;
    }
}
