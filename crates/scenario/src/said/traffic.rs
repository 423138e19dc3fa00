//! Messages and patterns of messages.

use lightloom_twin::{Class, Verb};
use lightloom_units::{DataSize, Instant, Span};

use crate::said::choices::{Distribution, Pattern};
use crate::said::declared::ONE_OF;
use crate::said::limits::LARGEST_FLOW;
use crate::said::nodes::{Awaited, Members, Node, Senders};
use crate::said::section::section;
use crate::said::value::FileName;

section! {
    /// A message from one host to another.
    pub struct FlowRow = "flow", list {
        /// Sending host: its number or its name.
        from: Node = "";
        /// Receiving host.
        to: Node = "";
        /// Payload.
        size: DataSize ["kB"] = "", from DataSize::from_bytes(1), to LARGEST_FLOW;
        /// Flows by number, and messages to groups by name, that this one waits for; it starts when all of them have
        /// arrived, and those that its host sends are acknowledged.
        after: Vec<Awaited> = "none";
        /// Time of the request.
        start: Instant ["us"] = "0 s";
        /// Class of the packets.
        class: Class = "lossless";
        /// RDMA verb.
        verb: Verb = "write";
        /// Name of the queue pair that flows share; one is sent after the other.
        connection: String = "its own";
    }
}

section! {
    /// A pattern of messages.
    pub struct TrafficRow = "traffic", list {
        /// The pattern.
        pattern: Pattern = "";
        /// Payload of each message; give size, sizes or distribution.
        size: DataSize ["kB"] = ONE_OF, only ["stride", "permutation", "incast", "poisson", "all-to-all"],
            from DataSize::from_bytes(1), to LARGEST_FLOW;
        /// File with the distribution of payloads, in two columns; give size, sizes or distribution.
        sizes: FileName = ONE_OF, only ["stride", "permutation", "incast", "poisson", "all-to-all"];
        /// Published distribution of payloads; give size, sizes or distribution.
        distribution: Distribution = ONE_OF, only ["stride", "permutation", "incast", "poisson", "all-to-all"];
        /// Time of the request.
        start: Instant ["us"] = "0 s";
        /// Class of the packets.
        class: Class = "lossless";
        /// RDMA verb.
        verb: Verb = "write";
        /// Name of the queue pair that flows share; one is sent after the other.
        connection: String = "its own", only ["stride", "permutation", "incast", "poisson", "all-to-all"];
        /// Hosts that send and receive, in the order of the pattern.
        hosts: Members = "all", only ["stride", "permutation", "incast", "poisson", "all-to-all"];
        /// Host i of the pattern sends to host i + offset.
        offset: u64 = "half of the hosts", only ["stride"];
        /// Number of senders, or a list of hosts.
        senders: Senders = "", only ["incast"];
        /// Receiving host.
        to: Node = "", only ["incast"];
        /// Payload of each host over its line rate.
        load: f64 = "", only ["poisson"], from 1e-9, to 10.0;
        /// Time during which messages arrive.
        duration: Span ["us"] = "until the end", only ["poisson"];
        /// Hosts that receive more than others.
        hot: Vec<Node> = "none", only ["poisson"];
        /// Share of the messages that go to one of the hot hosts; the others go to any host.
        hot_share: f64 = "none", only ["poisson"], from 0.0, to 1.0;
        /// CSV file: of listed, with a flow a line (from, to, size, start, class, verb); of matrix, with a row for each
        /// sender and a column for each receiver.
        file: FileName = "", only ["listed", "matrix"];
    }
}
