//! Fields before all sections, and what is recorded.

use lightloom_units::{Instant, Span};

use crate::said::limits::{LATEST, LONGEST_SPAN};
use crate::said::section::section;

section! {
    /// The scenario itself.
    pub struct RunRow = "", single {
        /// Version of the format: 1.
        version: u64 = "";
        /// Seed of traffic, losses, marks and path choice.
        seed: u64 = "1";
        /// End of the run.
        until: Instant ["ms"] = "", from Instant::from_ps(1), to LATEST;
        /// Time without progress after which the run is stalled.
        patience: Span ["ms"] = "100 ms", from Span::from_ns(1), to LONGEST_SPAN;
    }
}

section! {
    /// What is recorded over time.
    pub struct ProbesRow = "probes", single {
        /// Interval of all series.
        interval: Span ["us"] = "1 ms, or longer in a long run",
            from Span::from_ns(1), to LONGEST_SPAN;
        /// Whether every flow has a series of its own.
        flows: bool = "false";
        /// Whether every message to a group has a series of its own, over all its receivers.
        groups: bool = "false";
        /// Whether every receiver of every message to a group has a series of its own.
        receivers: bool = "false";
        /// Whether the copies of each message to a group are counted by link and branch.
        copies: bool = "false";
    }
}
