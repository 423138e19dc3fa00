//! Groups of hosts, and messages to them.

use lightloom_twin::{Class, Dialect, GroupVerb, Policy, Repair};
use lightloom_units::{DataSize, Instant, Span};

use crate::said::choices::Way;
use crate::said::declared::ONE_OF;
use crate::said::limits::{LARGEST_FLOW, LONGEST_SPAN, MOST_GROUPS};
use crate::said::nodes::{Awaited, Members, Node};
use crate::said::section::section;
use crate::scenario::GroupTransport;
use crate::scenario::TreeChoice;

section! {
    /// Hosts that receive together. Give members or random.
    pub struct GroupRow = "group", list {
        /// Name of the group.
        name: String = "";
        /// Hosts of the group.
        members: Members = ONE_OF;
        /// Number of hosts, drawn at random.
        random: u64 = ONE_OF;
        /// Number of groups that are drawn. Each has `random` hosts.
        count: u64 = "1", from 1, to MOST_GROUPS;
        /// How messages reach members: over one reliable connection, or in datagrams, which are not sent again if they
        /// are lost.
        transport: GroupTransport = "rc";
        /// What data go over: the splitters of the design, or links.
        data: Way = "light in a design, else links";
        /// What lost packets come back over, if data go over splitters.
        repair: Repair = "links";
        /// Protocol of the switches of a reliable group.
        dialect: Dialect = "cepheus";
        /// What messages are. WRITE needs address and key of each member at its switch: with cepheus in tables and by a
        /// further step of registration, with gleam by a message before each. SEND needs none, nor does WRITE to the
        /// same address at all members, which takes changed adapters.
        verb: GroupVerb = "write";
        /// Member that registers a reliable group.
        leader: Node = "the first sender, else the first member";
        /// When a reliable group begins to register; with a set-up, when a host asks for a group of datagrams.
        start: Instant ["us"] = "0 s";
    }
}

section! {
    /// Hosts that join or leave a group. It holds from the next message on.
    pub struct ChangeRow = "change", list {
        /// Name of the group.
        group: String = "";
        /// Time of the change.
        at: Instant ["us"] = "";
        /// Hosts that join.
        joins: Vec<Node> = ONE_OF;
        /// Hosts that leave.
        leaves: Vec<Node> = ONE_OF;
    }
}

section! {
    /// How groups of datagrams are set up: a host asks the controller, all switches get their rules in parallel, and
    /// the host hears of it before it sends. Without it rules are there at once.
    pub struct SetupRow = "setup", single {
        /// Time of a switch for a rule of a group.
        rule: Span ["us"] = "600 us", from Span::ZERO, to LONGEST_SPAN;
        /// Rules that a switch installs at a time.
        at_once: u32 = "1", from 1, to 1_000_000;
        /// Time of the controller to find the rules.
        computation: Span ["us"] = "0 s", from Span::ZERO, to LONGEST_SPAN;
        /// Delay between a host and the controller, one way.
        to_host: Span ["us"] = "0 s", from Span::ZERO, to LONGEST_SPAN;
        /// Delay between the controller and a switch, one way.
        to_switch: Span ["us"] = "0 s", from Span::ZERO, to LONGEST_SPAN;
    }
}

section! {
    /// A message from a member to all others of its group.
    pub struct MulticastRow = "multicast", list {
        /// Name of the group; each of them, if its row has a count.
        group: String = "";
        /// Sending host, a member of the group.
        from: Node = "the leader, else the first member";
        /// Name, for messages that wait for this one.
        name: String = "none";
        /// Payload.
        size: DataSize ["kB"] = "", from DataSize::from_bytes(1), to LARGEST_FLOW;
        /// Flows by number, and messages to groups by name, that this one waits for; it starts when all of them have
        /// arrived, and those that its host sends are acknowledged.
        after: Vec<Awaited> = "none";
        /// Time of the request.
        start: Instant ["us"] = "0 s";
        /// Class of the packets.
        class: Class = "lossless";
    }
}

section! {
    /// How messages over light are admitted that share a relay's transmitter, a splitter or a receiver's port. Without
    /// it each goes when it is asked for, and what is too much is dropped.
    pub struct AdmissionRow = "admission", single {
        /// One after the other, where they share anything, or all at once with max-min fair rates.
        policy: Policy = "";
        /// Host that admits messages.
        controller: Node = "host 0";
        /// Trees of the senders: those of the plan, or trees made for as many of them as possible that share no relay.
        trees: TreeChoice = "installed";
    }
}
