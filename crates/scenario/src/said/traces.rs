//! Traces of applications.

use lightloom_twin::{Class, Verb};
use lightloom_units::{DataSize, Instant, Span};

use crate::said::choices::Order;
use crate::said::limits::{LARGEST_FLOW, LONGEST_SPAN};
use crate::said::nodes::Members;
use crate::said::section::section;
use crate::said::value::FileName;

section! {
    /// A trace of an application: what each rank sends, receives and computes, and after what.
    pub struct TraceRow = "trace", list {
        /// File with the trace, in the text form of GOAL.
        file: FileName = "";
        /// Name in reports.
        name: String = "name of the file";
        /// Hosts of the ranks, a host each, that of rank 0 first.
        hosts: Members = "all";
        /// Order in which ranks take the hosts.
        order: Order = "listed";
        /// Time that each send and each receive takes of its stream (o of LogGP).
        overhead: Span ["us"] = "0 s", from Span::ZERO, to LONGEST_SPAN;
        /// Largest message whose send is over with its overhead. A larger one is over when it is acknowledged.
        eager: DataSize ["kB"] = "65535 B", from DataSize::ZERO, to LARGEST_FLOW;
        /// Time at which ranks begin.
        start: Instant ["us"] = "0 s";
        /// Class of the packets.
        class: Class = "lossless";
        /// RDMA verb.
        verb: Verb = "write";
    }
}
