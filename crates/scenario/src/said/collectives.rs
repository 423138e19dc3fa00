//! Collective operations.

use lightloom_schedules::{Operation, Schedule};
use lightloom_twin::{Class, Verb};
use lightloom_units::{DataSize, Instant, Span};

use crate::said::choices::Order;
use crate::said::limits::{LARGEST_FLOW, LONGEST_SPAN};
use crate::said::nodes::{Members, Node};
use crate::said::section::section;
use crate::said::value::FileName;

section! {
    /// A collective operation: messages of several hosts by a schedule.
    pub struct CollectiveRow = "collective", list {
        /// What the members do.
        operation: Operation = "";
        /// Who sends what to whom, after what.
        schedule: Schedule = "";
        /// Name in reports.
        name: String = "operation and schedule";
        /// Job that it is a part of. Operations of a job go one after the other, as often as they repeat: a member
        /// begins one when it is done with those before.
        job: String = "none";
        /// Members, unless the schedule sends to a group.
        members: Members = "all";
        /// Name of the group that a schedule sends to; its members are those of the operation.
        group: String = "none", only ["broadcast", "allgather", "allreduce", "refresh", "dispatch"];
        /// Order of the members in the schedule. The root comes first, and the others follow it.
        order: Order = "listed";
        /// Member that has the data, or gets them.
        root: Node = "the first member", only ["broadcast", "scatter", "gather", "reduce"];
        /// Size of the data: what a root sends, what all parts are together, what is summed, what each member has for
        /// all members, all weights, or a token.
        size: DataSize ["kB"] = "", only ["broadcast", "allgather", "reduce-scatter", "allreduce", "all-to-all",
            "scatter", "gather", "reduce", "refresh", "dispatch", "combine"],
            from DataSize::from_bytes(1), to LARGEST_FLOW;
        /// Members that have all weights.
        sources: Vec<Node> = "the first member", only ["refresh"];
        /// Number of shards of the weights. The members that are no sources hold one each, in turn: as many of them as
        /// there are shards are a replica of the model.
        shards: u32 = "1", only ["refresh"], from 1, to 1_000_000;
        /// Number of layers of a shard. They go in order.
        layers: u32 = "1", only ["refresh"], from 1, to 1_000_000;
        /// CSV file with the columns token, from and to: a row for each token, the host that has it, and a host with
        /// one of its experts.
        routes: FileName = "", only ["dispatch", "combine"];
        /// Size of slices at most, for chain, binomial-pipeline and double-tree; 4 MB for cornet if not said.
        slice: DataSize ["kB"] = "64 kB", only ["broadcast"], from DataSize::from_bytes(1), to LARGEST_FLOW;
        /// Members that send to the group at a time, for groups of datagrams.
        at_once: u32 = "1", only ["allgather", "allreduce", "refresh", "dispatch"], from 1, to 1_000_000;
        /// Time that each member computes each time. It sends nothing before.
        compute: Span ["us"] = "0 s", from Span::ZERO, to LONGEST_SPAN;
        /// Parts of the data, which go one after the other. Each goes when a member has computed its share.
        buckets: u32 = "1", only ["broadcast", "allgather", "reduce-scatter", "allreduce", "all-to-all", "scatter",
            "gather", "reduce"], from 1, to 1_000_000;
        /// Number of times. A member goes on when it has received all, and all that it sent is acknowledged.
        repeat: u32 = "1", from 1, to 1_000_000;
        /// Number of times under way at once. With 4, a member begins the fifth when it is done with the first.
        depth: u32 = "1", from 1, to 1_000_000;
        /// Time of the request.
        start: Instant ["us"] = "0 s";
        /// Class of the packets.
        class: Class = "lossless";
        /// RDMA verb of messages to single members.
        verb: Verb = "write";
    }
}
