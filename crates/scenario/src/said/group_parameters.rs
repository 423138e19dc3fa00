//! The constants of reliable groups.

use lightloom_twin::params::{Buffering, Pausing, Scope};
use lightloom_units::{BitRate, DataSize, Percent, Span};

use crate::said::declared::CATALOGUE;
use crate::said::limits::{LONGEST_SPAN, MOST_BUFFER, MOST_FAN_OUT, MOST_RATE};
use crate::said::section::section;

section! {
    /// Reliable groups.
    pub struct GroupParametersRow = "parameters.groups", parameters {
        /// Most ports of a switch that a group may use, beside the one toward the sender; 0 for no limit.
        fan_out: u32 = CATALOGUE, from 0, to MOST_FAN_OUT;
        /// Least interval between repetitions of an aggregated acknowledgement.
        repeat_interval: Span ["us"] = CATALOGUE, from Span::ZERO, to LONGEST_SPAN;
        /// Window in which a switch counts notifications by port.
        notification_window: Span ["us"] = CATALOGUE, from Span::from_ns(1), to LONGEST_SPAN;
        /// Time after which the leader registers again what is not confirmed.
        register_timeout: Span ["us"] = CATALOGUE, from Span::from_ns(1), to LONGEST_SPAN;
        /// Tries of a registration before it fails.
        register_tries: u32 = CATALOGUE, from 1, to 1_000;
        /// Time of a queue pair to take up the sequence numbers of another sender.
        synchronisation: Span ["us"] = CATALOGUE, from Span::ZERO, to LONGEST_SPAN;
        /// Memory of a switch for tables of groups.
        memory: DataSize ["kB"] = CATALOGUE, from DataSize::ZERO, to MOST_BUFFER;
        /// Whether copies of a packet share one place in the buffer and one charge to its ingress port, or have one
        /// each.
        buffering: Buffering = CATALOGUE;
        /// What a paused egress of a switch holds back: the copies to that port, or all copies of the group.
        pause: Pausing = CATALOGUE;
        /// Members that the sender reaches over connections of their own if the group makes no progress: none, all, or
        /// those behind the fault.
        safeguard: Option<Scope> = CATALOGUE;
        /// Interval at which the sender looks at its progress.
        safeguard_window: Span ["us"] = CATALOGUE, from Span::from_ns(1), to LONGEST_SPAN;
        /// Goodput below which a group makes no progress.
        safeguard_least: BitRate ["Gb/s"] = CATALOGUE, from BitRate::from_bps(1), to MOST_RATE;
        /// Share of the best earlier interval of a message below which an interval that repeated lost packets makes no
        /// progress. The first one is held against the slowest port on the tree. 0 %: safeguard_least decides.
        safeguard_share: Percent ["%"] = CATALOGUE, from Percent::ZERO, to Percent::ALL;
    }
}
