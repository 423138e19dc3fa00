//! Traces of applications.

use lightloom_schedules::Schedule;
use lightloom_twin::{Class, Verb};
use lightloom_units::{DataSize, Instant, Span, Speed};

use crate::said::choices::Order;
use crate::said::limits::{LARGEST_FLOW, LONGEST_SPAN};
use crate::said::nodes::Members;
use crate::said::section::section;
use crate::said::value::FileName;

section! {
    /// A trace of an application: what each rank sends, receives and computes, and after what.
    pub struct TraceRow = "trace", list {
        /// File with the trace: one in the text form of GOAL, or that of rank 0 of Chakra, NAME.0.et.
        file: FileName = "";
        /// File with the process groups of a trace of Chakra: a JSON object of names and lists of ranks.
        process_groups: FileName = "none";
        /// Speed of each rank, for computations of Chakra that have operations and no duration.
        speed: Speed ["Top/s"] = "none", from Speed::from_ops(1), to Speed::from_ops(u64::MAX);
        /// Name in reports.
        name: String = "name of the file";
        /// Schedule of the broadcasts of a trace of Chakra.
        broadcast: Schedule = "none";
        /// Schedule of its allgathers.
        allgather: Schedule = "none";
        /// Schedule of its reduce-scatters.
        reduce_scatter: Schedule = "none";
        /// Schedule of its allreduces.
        allreduce: Schedule = "none";
        /// Schedule of its all-to-alls.
        all_to_all: Schedule = "none";
        /// Schedule of its barriers.
        barrier: Schedule = "none";
        /// Schedule of its scatters.
        scatter: Schedule = "none";
        /// Schedule of its gathers.
        gather: Schedule = "none";
        /// Schedule of its reduces.
        reduce: Schedule = "none";
        /// Size of slices at most, for chain, binomial-pipeline and double-tree; 4 MB for cornet if not said.
        slice: DataSize ["kB"] = "64 kB", from DataSize::from_bytes(1), to LARGEST_FLOW;
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
