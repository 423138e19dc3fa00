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

/// Number of the port to the unicast network for answers and repairs of groups that an accelerator serves. They are
/// plain packets, and what comes by [`UNICAST_PORT`] is wrapped.
pub const UPLINK: u32 = 59_999;

/// The VLAN of copies that an accelerator sends to the unicast network.
pub const UPLINK_VLAN: u16 = 2_000;
/// The VLAN of copies for the splitter. A packet that is to be relayed comes to the accelerator in it.
pub const SPLITTER_VLAN: u16 = 2_001;
/// The VLAN of copies for the ToR that stands in, and of packets that are to go there.
pub const STAND_IN_VLAN: u16 = 2_002;
/// The VLAN of copies for a server is this and the number of the server.
pub const SERVER_VLANS: u16 = 2_100;
/// Most servers of a ToR whose copies have VLANs. Behind them come those of the fabric in dialects that have one.
pub const MOST_COPIED: u32 = 1_700;

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
    /// A port of the accelerator beside the switch, by its number.
    Accelerator(u32),
    /// The unicast network, for answers and repairs of groups that an accelerator serves.
    Uplink,
}

/// A port of a switch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwitchPort {
    /// Its number in configurations, from 1: the fabric ports of the switch, those to its accelerator, those of the
    /// servers, then [`UPLINK`] and [`Slot::unicast_port`].
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
    /// It goes to the accelerator if that serves its group, and nowhere else.
    Redirect,
    /// It is dropped.
    Drop,
}

impl Outcome {
    /// The outcomes that send a packet anywhere.
    pub const SENDING: [Self; 5] =
        [Self::Relay, Self::Hairpin, Self::Deliver, Self::Wrap, Self::Redirect];

    /// The number that the first stage hands to the second one. `None`: the packet is dropped at once.
    pub fn number(self) -> Option<u8> {
        match self {
            Self::Relay => Some(1),
            Self::Hairpin => Some(2),
            Self::Deliver => Some(3),
            Self::Wrap => Some(4),
            Self::Redirect => Some(5),
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
    /// Admits answers and repairs from the unicast network, for the accelerator.
    Answers,
    /// Refuses what comes from the accelerator and names no port.
    Untagged,
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

/// An entry of the second stage: the members of a group at this ToR. A group without members at this ToR has none,
/// unless an accelerator serves it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecondStage {
    /// Place of the group in the list of all groups.
    pub group: usize,
    /// The destination addresses.
    pub destination: AddressMatch,
    /// Numbers of the ports of its members, ascending.
    pub members: Vec<u32>,
    /// Number of the port that leads to the accelerator, which serves the group. `None`: the switch replicates.
    pub accelerator: Option<u32>,
}

impl SecondStage {
    /// Whether packets of an outcome go anywhere by this entry.
    fn sends(&self, outcome: Outcome) -> bool {
        match outcome {
            Outcome::Redirect => self.accelerator.is_some(),
            // Without a member at this ToR the accelerator would send no copy.
            Outcome::Deliver => !self.members.is_empty(),
            _ => true,
        }
    }
}

/// A copy that comes back from the accelerator. Its VLAN names where it goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CopyBack {
    /// Number of the VLAN. It is taken off.
    pub vlan: u16,
    /// Number of the port that the copy leaves by.
    pub port: u32,
    /// What that port is for.
    pub to: CopyTo,
}

/// Where a copy goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CopyTo {
    /// The unicast network, as a plain packet.
    Uplink,
    /// The splitter of the ToR, with one hop less to live.
    Splitter,
    /// The ToR that stands in, over the unicast network.
    StandIn,
    /// A server.
    Server,
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
    /// Numbers of the ports of the members, ascending. [`Replication::beside`] says which port comes beside them.
    pub members: Vec<u32>,
    /// Whether the packets go to the accelerator, by the only port of `members`.
    pub is_redirected: bool,
}

impl Replication {
    /// Number of the replication group, from 1: that of the outcome, and eight more for each group before this one.
    /// The logical ToRs of a switch have numbers in turn. It stays the same when members join or leave.
    pub fn number(&self) -> u64 {
        let outcome = self.outcome.number().map_or(0, u64::from);
        let number = outcome + 8 * self.group.map_or(0, |group| group as u64 + 1);
        number * u64::from(self.slot.of) + u64::from(self.slot.index)
    }

    /// The outcome that says which port comes beside the members. The accelerator sends everything itself.
    pub fn beside(&self) -> Outcome {
        if self.is_redirected { Outcome::Deliver } else { self.outcome }
    }

    /// The VLAN in which packets go to the accelerator: that of the place that the first stage sends them to beside the
    /// members. So the tables of the switch decide what is relayed. `None`: there is no such place, or the packets do
    /// not go to the accelerator.
    pub fn vlan(&self) -> Option<u16> {
        match self.outcome {
            Outcome::Relay | Outcome::Hairpin if self.is_redirected => Some(SPLITTER_VLAN),
            Outcome::Wrap if self.is_redirected => Some(STAND_IN_VLAN),
            _ => None,
        }
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
    /// The copies that come back from the accelerator, by VLAN. Empty: there is none.
    pub copies: Vec<CopyBack>,
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
            let all =
                Replication { slot, outcome, group, destination, members, is_redirected: false };
            let groups = self.second.iter().filter(move |entry| entry.sends(outcome));
            let groups = groups.map(move |entry| Replication {
                slot,
                outcome,
                group: Some(entry.group),
                destination: Some(entry.destination),
                members: entry.accelerator.map_or_else(|| entry.members.clone(), |port| vec![port]),
                is_redirected: entry.accelerator.is_some(),
            });
            // Without members these have no ports.
            let is_alone = matches!(outcome, Outcome::Deliver | Outcome::Redirect);
            (!is_alone).then_some(all).into_iter().chain(groups)
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
        let (ports, first, second, copies) = Default::default();
        Self { tor, slot, address, ports, first, second, copies, stand_in: None, least }
    }

    /// The same switch for a dialect that cannot lead packets through an accelerator: without the ports, entries and
    /// groups of it.
    #[must_use]
    pub fn without_accelerator(&self) -> Self {
        let is_beside =
            |port: &SwitchPort| matches!(port.used_for, PortUse::Accelerator(_) | PortUse::Uplink);
        let beside: Vec<u32> =
            self.ports.iter().filter(|port| is_beside(port)).map(|port| port.number).collect();
        let mut config = Self { copies: Vec::new(), ..self.clone() };
        config.ports.retain(|port| !is_beside(port));
        config.first.retain(|entry| match entry.ingress {
            Ingress::Port(port) => !beside.contains(&port),
            Ingress::Any => true,
        });
        config.second.retain(|entry| entry.accelerator.is_none());
        config
    }

    /// Numbers of the ports that lead to the accelerator, by its ports.
    pub fn accelerator_ports(&self) -> impl Iterator<Item = u32> {
        let is_one = |port: &&SwitchPort| matches!(port.used_for, PortUse::Accelerator(_));
        self.ports.iter().filter(is_one).map(|port| port.number)
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
