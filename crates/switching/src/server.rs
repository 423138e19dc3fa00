//! Servers of ToRs, and the groups that they belong to.

use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;

use lightloom_design::devices::name::InterfaceName;
use lightloom_topology::TorId;

/// A server of a ToR.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    /// Its name.
    pub name: String,
    /// Its ToR.
    pub tor: TorId,
    /// Its number among the servers of its ToR, from 1. Its address ends with the number after.
    pub number: u32,
    /// The interface of the ToR. `None`: the design names no interfaces.
    pub interface: Option<InterfaceName>,
}

/// Index of a server among all servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ServerId(pub usize);

/// A group of servers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// Its address.
    pub address: Ipv4Addr,
    /// Whether it has one reliable connection, which the accelerators beside the switches serve. Else it is sent in
    /// datagrams, which the switches replicate.
    pub is_reliable: bool,
    /// The servers that receive what is sent to it.
    pub members: BTreeSet<ServerId>,
}

/// The servers of a fabric and their groups.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Servers {
    servers: Vec<Server>,
    /// The servers of each ToR that has any, number 1 first.
    by_tor: BTreeMap<TorId, Vec<ServerId>>,
    groups: Vec<Group>,
}

impl Servers {
    /// Adds a server. Its number is the next one of its ToR.
    pub fn add(&mut self, name: String, tor: TorId, interface: Option<InterfaceName>) -> ServerId {
        let id = ServerId(self.servers.len());
        let of_tor = self.by_tor.entry(tor).or_default();
        of_tor.push(id);
        let number = u32::try_from(of_tor.len()).unwrap_or(u32::MAX);
        self.servers.push(Server { name, tor, number, interface });
        id
    }

    /// Adds a group.
    pub fn add_group(&mut self, group: Group) {
        self.groups.push(group);
    }

    /// All servers.
    pub fn all(&self) -> &[Server] {
        &self.servers
    }

    /// All groups.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The servers of a ToR, number 1 first.
    pub fn of_tor(&self, tor: TorId) -> impl Iterator<Item = (ServerId, &Server)> {
        self.ids_of(tor).iter().map(|&id| (id, &self.servers[id.0]))
    }

    /// The servers of a ToR by index, number 1 first.
    pub fn ids_of(&self, tor: TorId) -> &[ServerId] {
        self.by_tor.get(&tor).map_or(&[], Vec::as_slice)
    }

    /// The groups with members at each ToR, by place in the list of groups, with those members.
    pub fn members_by_tor(&self, tors: usize) -> Vec<BTreeMap<usize, Vec<ServerId>>> {
        let mut by_tor = vec![BTreeMap::new(); tors];
        for (place, group) in self.groups.iter().enumerate() {
            for &member in &group.members {
                let tor = self.servers[member.0].tor;
                let members: &mut BTreeMap<usize, Vec<ServerId>> = &mut by_tor[tor.index()];
                members.entry(place).or_default().push(member);
            }
        }
        by_tor
    }
}
