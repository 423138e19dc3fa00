//! The configuration of a switch: ports, and tables in two stages.

use std::net::Ipv4Addr;

use lightloom_design::devices::name::InterfaceName;
use lightloom_routing::switch::Purpose;
use lightloom_topology::TorId;

use crate::address::AddressMatch;
use crate::server::ServerId;

/// Number of the port to the unicast network, as seen by stand-ins and those that need one. The second logical ToR of a
/// switch has the next number, and so on.
pub const UNICAST_PORT: u32 = 60_000;

/// Which of the logical ToRs of its switch a ToR is (shufflecast:V.logical). They share tables and ports, so all that
/// one is told names its own ports or its own numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    /// Its place among them, from 0.
    pub index: u32,
    /// Most logical ToRs of a switch. 1: it is a switch of its own.
    pub of: u32,
}

impl Slot {
    /// Whether the ToR is a switch of its own.
    pub fn is_alone(self) -> bool {
        self.of == 1
    }

    /// The number of an outcome that the first stage hands to the second one. `None`: the packet is dropped at once.
    pub fn code(self, outcome: Outcome) -> Option<u64> {
        outcome.number().map(|number| u64::from(number) + 8 * u64::from(self.index))
    }

    /// The number of the port to the unicast network.
    pub fn unicast_port(self) -> u32 {
        UNICAST_PORT + self.index
    }
}

/// Largest frame that all ports take, in bytes without the Ethernet header. A group's packets are not fragmented, so it
/// is the same on all ports. It is the usual value of SONiC.
pub const MTU: u32 = 9_100;

/// What a port is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PortUse {
    /// A port of the fabric, by its number in `ports.csv`.
    Fabric {
        /// The port's number in the fabric.
        port: u32,
        /// The ToR whose splitter it hears. `None`: it only transmits.
        hears: Option<TorId>,
        /// Whether it sends light into the splitter of its ToR.
        transmits: bool,
    },
    /// A server.
    Server(ServerId),
    /// The unicast network.
    Unicast,
}

/// A port of a switch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwitchPort {
    /// Its number in configurations, from 1: the fabric ports of the switch, then those of the servers, then
    /// [`Slot::unicast_port`].
    pub number: u32,
    /// What it is for.
    pub used_for: PortUse,
    /// Name of the interface. `None`: the design names no interfaces.
    pub interface: Option<InterfaceName>,
}

impl SwitchPort {
    /// Whether it sends light into the splitter of its ToR.
    pub fn transmits(&self) -> bool {
        matches!(self.used_for, PortUse::Fabric { transmits: true, .. })
    }
}

/// Where a packet came in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ingress {
    /// Any port.
    Any,
    /// One port, by its number in configurations.
    Port(u32),
}

/// What becomes of a packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// It goes to the members of its group, and into the splitter with one hop less to live.
    Relay,
    /// The same for a packet that came in by the transmit port: it leaves by the port that it came in on.
    Hairpin,
    /// It goes to the members of its group.
    Deliver,
    /// It goes to the members of its group, and over the unicast network to the ToR that stands in.
    Wrap,
    /// It is dropped.
    Drop,
}

impl Outcome {
    /// The outcomes that send a packet anywhere.
    pub const SENDING: [Self; 4] = [Self::Relay, Self::Hairpin, Self::Deliver, Self::Wrap];

    /// The number that the first stage hands to the second one. `None`: the packet is dropped at once.
    pub fn number(self) -> Option<u8> {
        match self {
            Self::Relay => Some(1),
            Self::Hairpin => Some(2),
            Self::Deliver => Some(3),
            Self::Wrap => Some(4),
            Self::Drop => None,
        }
    }
}

/// What an entry of the first stage is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// Admits a server with its own address.
    Origin,
    /// Refuses all else from a server.
    Spoofed,
    /// Unwraps what a source without a transmitter sends to its stand-in.
    StandIn,
    /// Refuses all else from the unicast network.
    Unwrapped,
    /// An entry for copies from the fabric.
    Fabric(Purpose),
}

/// An entry of the first stage. Of those that fit, the one with the highest priority decides. A packet that none fits
/// is dropped. All entries are for UDP over IPv4.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct FirstStage {
    /// Higher ones go first.
    pub priority: u16,
    /// What it is for.
    pub reason: Reason,
    /// Where the packet came in.
    pub ingress: Ingress,
    /// Its source address.
    pub source: AddressMatch,
    /// Its destination address.
    pub destination: AddressMatch,
    /// What becomes of it.
    pub outcome: Outcome,
}

impl FirstStage {
    /// What tells it from other entries: priority and match.
    pub fn key(&self) -> (u16, Ingress, AddressMatch, AddressMatch) {
        (self.priority, self.ingress, self.source, self.destination)
    }
}

/// An entry of the second stage: the members of a group at this ToR. A group without members at this ToR has none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecondStage {
    /// Place of the group in the list of all groups.
    pub group: usize,
    /// The destination addresses.
    pub destination: AddressMatch,
    /// Numbers of the ports of its members, ascending.
    pub members: Vec<u32>,
}

/// Where packets of an outcome and a group go: an entry of the second stage with its replication group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replication {
    /// The logical ToR that it is of.
    pub slot: Slot,
    /// The outcome that the first stage decided.
    pub outcome: Outcome,
    /// Place of the group in the list of all groups. `None`: all groups without members at this ToR.
    pub group: Option<usize>,
    /// The destination addresses. `None`: those of all groups.
    pub destination: Option<AddressMatch>,
    /// Numbers of the ports of the members, ascending. The outcome says which port comes beside them.
    pub members: Vec<u32>,
}

impl Replication {
    /// Number of the replication group, from 1: that of the outcome, and eight more for each group before this one.
    /// The logical ToRs of a switch have numbers in turn. It stays the same when members join or leave.
    pub fn number(&self) -> u64 {
        let outcome = self.outcome.number().map_or(0, u64::from);
        let number = outcome + 8 * self.group.map_or(0, |group| group as u64 + 1);
        number * u64::from(self.slot.of) + u64::from(self.slot.index)
    }

    /// The number by which the first stage names the outcome.
    pub fn code(&self) -> u64 {
        self.slot.code(self.outcome).unwrap_or_default()
    }
}

/// The configuration of one switch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwitchConfig {
    /// The ToR.
    pub tor: TorId,
    /// Which logical ToR of its switch it is.
    pub slot: Slot,
    /// Its address.
    pub address: Ipv4Addr,
    /// Its ports, by number.
    pub ports: Vec<SwitchPort>,
    /// The first stage, by falling priority.
    pub first: Vec<FirstStage>,
    /// The second stage, by group.
    pub second: Vec<SecondStage>,
    /// The ToR that stands in for this one, and its address.
    pub stand_in: Option<(TorId, Ipv4Addr)>,
    /// No cover of the planned sources has fewer entries.
    pub least: usize,
}

impl SwitchConfig {
    /// Whether an entry of the first stage names an outcome.
    pub fn names(&self, outcome: Outcome) -> bool {
        self.first.iter().any(|entry| entry.outcome == outcome)
    }

    /// The second stage in full: for each outcome that the first stage names and that sends packets, all groups, and
    /// then each group with members at this ToR. A longer match goes first.
    pub fn replications(&self) -> Vec<Replication> {
        let used = Outcome::SENDING.into_iter().filter(|&outcome| self.names(outcome));
        let slot = self.slot;
        let of = |outcome| {
            let (group, destination, members) = (None, None, Vec::new());
            let all = Replication { slot, outcome, group, destination, members };
            let groups = self.second.iter().map(move |entry| Replication {
                slot,
                outcome,
                group: Some(entry.group),
                destination: Some(entry.destination),
                members: entry.members.clone(),
            });
            // A delivery without members has no ports.
            (outcome != Outcome::Deliver).then_some(all).into_iter().chain(groups)
        };
        used.flat_map(of).collect()
    }

    /// Number of the port to the unicast network. `None`: the ToR needs none.
    pub fn unicast_port(&self) -> Option<u32> {
        let port = self.ports.iter().find(|port| port.used_for == PortUse::Unicast);
        port.map(|port| port.number)
    }

    /// Number of entries that relay sources as planned.
    pub fn relay_entries(&self) -> usize {
        let planned = |entry: &&FirstStage| entry.reason == Reason::Fabric(Purpose::Relay);
        self.first.iter().filter(planned).count()
    }

    /// The same switch without rules: no entries, and no ports.
    #[must_use]
    pub fn without_rules(&self) -> Self {
        let (tor, slot, address, least) = (self.tor, self.slot, self.address, 0);
        let (ports, first, second) = Default::default();
        Self { tor, slot, address, ports, first, second, stand_in: None, least }
    }

    /// Whether it has no rules.
    pub fn has_no_rules(&self) -> bool {
        self.ports.is_empty()
    }

    /// Number of the port that sends light into the splitter.
    pub fn transmit_port(&self) -> Option<u32> {
        self.ports.iter().find(|port| port.transmits()).map(|port| port.number)
    }
}
