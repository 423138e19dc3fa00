//! The configurations of all switches of a fabric.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_plan::memory::{self, Counts, Work};
use lightloom_plan::project::Project;
use lightloom_request::{Error, InputError};
use lightloom_routing::recovery::Installed;
use lightloom_routing::switch::{Entry, Kind, SwitchTable, Ternary, Told};
use lightloom_topology::{FabricPort, TorId};

use crate::address::{AddressMatch, Addresses};
use crate::config::{
    CopyBack, CopyTo, FirstStage, Ingress, Outcome, PortUse, Reason, SERVER_VLANS, SPLITTER_VLAN,
    STAND_IN_VLAN, SecondStage, Slot, SwitchConfig, SwitchPort, UPLINK, UPLINK_VLAN,
};
use crate::encoding::Encoding;
use crate::large::is_masked;
use crate::lossless::Lossless;
use crate::rules::FabricRules;
use crate::server::{Group, ServerId, Servers};

/// All that the switches of a fabric are told.
#[derive(Debug)]
pub struct Configs<'a> {
    /// The project.
    pub project: &'a Project,
    /// How sources are matched.
    pub encoding: Encoding,
    /// The addresses.
    pub addresses: Addresses,
    /// The servers and their groups.
    pub servers: Servers,
    /// The lossless class of the unicast ports. `None`: the switches are told of none.
    pub lossless: Option<Lossless>,
    /// The relay rules.
    pub rules: FabricRules,
    /// The members of each ToR, by group.
    members: Vec<BTreeMap<usize, Vec<ServerId>>>,
}

/// Refuses configurations of a project that need more memory than they may take.
///
/// # Errors
/// [`InputError`] with the estimate and the setting to change.
pub fn check_memory(project: &Project, encoding: Encoding, work: Work) -> Result<(), InputError> {
    memory::check(project.design(), Counts::of_tables(project, is_masked(encoding)), work)
}

impl<'a> Configs<'a> {
    /// Decides what all switches are told.
    ///
    /// # Errors
    /// [`Error`] if the fabric is too large, or if a recovery is not possible.
    pub fn new(
        project: &'a Project,
        encoding: Encoding,
        addresses: Addresses,
        servers: Servers,
    ) -> Result<Self, Error> {
        check_memory(project, encoding, Work::Counted)?;
        let rules = FabricRules::new(project, encoding)?;
        let tors = project.fabric().tors();
        let members = servers.members_by_tor(tors);
        let lossless = None;
        Ok(Self { project, encoding, addresses, servers, lossless, rules, members })
    }

    /// The same with a lossless class.
    #[must_use]
    pub fn with_lossless(self, lossless: Option<Lossless>) -> Self {
        Self { lossless, ..self }
    }

    /// The time to live that servers must send with: one for each transmission, and one to arrive.
    pub fn time_to_live(&self) -> u32 {
        self.rules.max_hops + 1
    }

    /// The configurations of all switches under the installed rules, ToR 0 first.
    pub fn switches(&self) -> Vec<SwitchConfig> {
        let none = BTreeSet::new();
        let tors = self.project.fabric().tor_ids();
        tors.map(|tor| self.switch(tor, &self.rules.installed, &none)).collect()
    }

    /// The configuration of one switch under some rules. It also drops copies of `returning` sources.
    pub fn switch(
        &self,
        tor: TorId,
        installed: &Installed,
        returning: &BTreeSet<TorId>,
    ) -> SwitchConfig {
        let stands_in: Vec<TorId> = installed
            .via
            .iter()
            .filter(|(_, root)| **root == tor)
            .map(|(&source, _)| source)
            .collect();
        let mut returning = returning.clone();
        returning.insert(tor);
        returning.extend(&stands_in);
        let told = Told {
            tor,
            planned: &self.rules.planned[tor.index()],
            relays: &installed.lists[tor.index()],
            accept: installed.accept.get(&tor),
            returning: &returning,
        };
        let (fabric, codes) = (self.project.fabric(), self.addresses.codes());
        let table = SwitchTable::new(fabric, codes, self.encoding.matching(), told);
        let stand_in = installed.via.get(&tor).map(|&root| (root, self.addresses.tor(root)));
        let ports = self.ports(tor, stand_in.is_some() || !stands_in.is_empty());
        let sends = installed.lists[tor.index()].binary_search(&tor).is_ok();
        let own = match stand_in {
            Some(_) => Outcome::Wrap,
            None if sends => Outcome::Relay,
            None => Outcome::Deliver,
        };
        // Between the phases of a rollout a stand-in has no rule for its sources yet, or no longer.
        let relays = &installed.lists[tor.index()];
        let has_rule = |source: &&TorId| relays.binary_search(source).is_ok();
        let admitted: Vec<TorId> = stands_in.iter().filter(has_rule).copied().collect();
        let mut first: Vec<FirstStage> =
            ports.iter().flat_map(|port| self.guards(tor, port, own, &admitted)).collect();
        let of_fabric = table.entries.iter().map(|entry| self.fabric_entry(tor, entry));
        first.extend(self.at_own_ports(tor, of_fabric.collect()));
        first.sort_by(|one, other| other.priority.cmp(&one.priority).then(one.cmp(other)));
        let second = self.second(tor, &ports);
        let copies = self.copies(&ports, stand_in.is_some());
        let address = self.addresses.tor(tor);
        let slot = self.slot(tor);
        let least = table.least;
        SwitchConfig { tor, slot, address, ports, first, second, copies, stand_in, least }
    }

    /// Which logical ToR of its switch a ToR is.
    pub fn slot(&self, tor: TorId) -> Slot {
        let placement = self.project.placement();
        Slot { index: placement.slot(tor), of: placement.per_switch() }
    }

    /// The number of a fabric port in configurations.
    fn fabric_port(&self, tor: TorId, port: u32) -> u32 {
        self.project.placement().switch_port(self.project.fabric(), tor, port) + 1
    }

    /// The number of the port of a ToR's server, which counts from 0. It stays when other servers are added.
    fn server_port(&self, tor: TorId, server: u32) -> u32 {
        let (fabric, slot) = (self.project.fabric(), self.slot(tor));
        match slot.is_alone() {
            // A port keeps its number if one before it has no fibre any more.
            true => fabric.end_of_ports(tor) + self.accelerator_ports() + 1 + server,
            false => slot.of * fabric.most_ports() + 1 + server * slot.of + slot.index,
        }
    }

    /// Entries for copies from the fabric where the switch has ports of other logical ToRs: one for any port becomes
    /// one for each fabric port that has no entry of its own for the same packets. Ports that are not of the fabric
    /// have entries with higher priorities for all packets.
    fn at_own_ports(&self, tor: TorId, entries: Vec<FirstStage>) -> Vec<FirstStage> {
        if self.slot(tor).is_alone() {
            return entries;
        }
        let own: BTreeSet<_> = entries.iter().map(FirstStage::key).collect();
        let at = |entry: &FirstStage| -> Vec<FirstStage> {
            if entry.ingress != Ingress::Any {
                return vec![*entry];
            }
            let ports = self.project.fabric().ports(tor);
            let at = |port: FabricPort| Ingress::Port(self.fabric_port(tor, port.number));
            let ports = ports.map(at).filter(|&port| {
                !own.contains(&(entry.priority + 1, port, entry.source, entry.destination))
            });
            ports.map(|ingress| FirstStage { ingress, ..*entry }).collect()
        };
        entries.iter().flat_map(at).collect()
    }

    fn ports(&self, tor: TorId, has_unicast: bool) -> Vec<SwitchPort> {
        let named = self.project.ports().map(|ports| &ports.tors()[tor.index()].interfaces);
        let fabric = self.project.fabric().ports(tor).map(|port| SwitchPort {
            number: self.fabric_port(tor, port.number),
            used_for: PortUse::Fabric {
                port: port.number,
                hears: port.hears,
                transmits: port.transmits,
            },
            interface: named.map(|named| named[port.number as usize].clone()),
        });
        let servers = (0..).zip(self.servers.ids_of(tor)).map(|(server, &id)| {
            let interface = self.servers.all()[id.0].interface.clone();
            let number = self.server_port(tor, server);
            SwitchPort { number, used_for: PortUse::Server(id), interface }
        });
        let interface = |port: u32| {
            named
                .and_then(|_| self.project.ports())
                .and_then(|ports| ports.tors()[tor.index()].accelerator.get(port as usize).cloned())
        };
        let end = self.project.fabric().end_of_ports(tor) + 1;
        let accelerator = (0..self.accelerator_ports()).map(move |port| SwitchPort {
            number: end + port,
            used_for: PortUse::Accelerator(port),
            interface: interface(port),
        });
        let uplink = (self.accelerator_ports() > 0).then_some(SwitchPort {
            number: UPLINK,
            used_for: PortUse::Uplink,
            interface: None,
        });
        let unicast = SwitchPort {
            number: self.slot(tor).unicast_port(),
            used_for: PortUse::Unicast,
            interface: None,
        };
        let ports = fabric.chain(accelerator).chain(servers).chain(uplink);
        ports.chain(has_unicast.then_some(unicast)).collect()
    }

    /// Ports of each switch that lead to its accelerator.
    fn accelerator_ports(&self) -> u32 {
        self.project.platform().accelerator_ports()
    }

    /// The copies that come back from the accelerator. A server that is added changes no VLAN of another one.
    fn copies(&self, ports: &[SwitchPort], is_stood_in: bool) -> Vec<CopyBack> {
        if self.accelerator_ports() == 0 {
            return Vec::new();
        }
        let copy = |port: &SwitchPort| {
            let (vlan, to) = match port.used_for {
                PortUse::Uplink => (UPLINK_VLAN, CopyTo::Uplink),
                PortUse::Fabric { transmits: true, .. } => (SPLITTER_VLAN, CopyTo::Splitter),
                PortUse::Unicast if is_stood_in => (STAND_IN_VLAN, CopyTo::StandIn),
                PortUse::Server(id) => {
                    let number = u16::try_from(self.servers.all()[id.0].number).ok()?;
                    (SERVER_VLANS.checked_add(number)?, CopyTo::Server)
                }
                _ => return None,
            };
            Some(CopyBack { vlan, port: port.number, to })
        };
        let mut copies: Vec<CopyBack> = ports.iter().filter_map(copy).collect();
        copies.sort_unstable_by_key(|copy| copy.vlan);
        copies
    }

    /// The entries for packets that do not come from the fabric.
    fn guards(
        &self,
        tor: TorId,
        port: &SwitchPort,
        own: Outcome,
        stands_in: &[TorId],
    ) -> Vec<FirstStage> {
        let ingress = Ingress::Port(port.number);
        let any_group = self.addresses.groups().all();
        let entry = |priority, reason, (source, destination), outcome| FirstStage {
            priority,
            reason,
            ingress,
            source,
            destination,
            outcome,
        };
        let refused = (AddressMatch::ANY, any_group);
        match port.used_for {
            PortUse::Fabric { .. } => Vec::new(),
            PortUse::Server(id) => {
                let number = self.servers.all()[id.0].number;
                let (_, destination) = self.sent_by(tor);
                let source = AddressMatch::one(self.addresses.server(tor, number));
                vec![
                    entry(900, Reason::Origin, (source, destination), own),
                    entry(800, Reason::Spoofed, refused, Outcome::Drop),
                ]
            }
            PortUse::Unicast => {
                let admit = stands_in.iter().map(|&source| {
                    entry(900, Reason::StandIn, self.sent_by(source), Outcome::Relay)
                });
                let refuse = entry(800, Reason::Unwrapped, refused, Outcome::Drop);
                admit.chain([refuse]).collect()
            }
            // Copies go by their VLAN. Without one, no entry for any port may fit.
            PortUse::Accelerator(_) => vec![entry(900, Reason::Untagged, refused, Outcome::Drop)],
            PortUse::Uplink => vec![entry(900, Reason::Answers, refused, Outcome::Redirect)],
        }
    }

    /// Matches for what a ToR's servers send.
    fn sent_by(&self, tor: TorId) -> (AddressMatch, AddressMatch) {
        let codes = self.addresses.codes();
        let code = Ternary::exact(codes.of(tor), codes.bits());
        self.addresses.sent_by(code)
    }

    fn fabric_entry(&self, tor: TorId, entry: &Entry) -> FirstStage {
        let (source, destination) = self.addresses.sent_by(entry.source);
        FirstStage {
            priority: entry.priority(),
            reason: Reason::Fabric(entry.purpose),
            ingress: entry
                .port
                .map_or(Ingress::Any, |port| Ingress::Port(self.fabric_port(tor, port))),
            source,
            destination,
            outcome: match entry.kind {
                Kind::Relay => Outcome::Relay,
                Kind::Hairpin => Outcome::Hairpin,
                Kind::Deliver => Outcome::Deliver,
                Kind::Drop => Outcome::Drop,
            },
        }
    }

    fn second(&self, tor: TorId, ports: &[SwitchPort]) -> Vec<SecondStage> {
        let number = |id: &ServerId| {
            let port = ports.iter().find(|port| port.used_for == PortUse::Server(*id));
            port.map(|port| port.number)
        };
        let is_beside = |port: &&SwitchPort| matches!(port.used_for, PortUse::Accelerator(_));
        let beside: Vec<u32> = ports.iter().filter(is_beside).map(|port| port.number).collect();
        let members = &self.members[tor.index()];
        let entry = |(place, group): (usize, &Group)| {
            let here = members.get(&place);
            // A relay without members still hands the packets to its accelerator.
            let accelerator = group.is_reliable.then(|| beside.get(place % beside.len().max(1)));
            let accelerator = accelerator.flatten().copied();
            (here.is_some() || accelerator.is_some()).then(|| SecondStage {
                group: place,
                destination: self.addresses.to_group(group.address),
                members: here.into_iter().flatten().filter_map(number).collect(),
                accelerator,
            })
        };
        self.servers.groups().iter().enumerate().filter_map(entry).collect()
    }
}
