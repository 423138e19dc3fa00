//! The groups that a switch has registered, and what it does with the nodes of a registration packet (Cepheus, HPCA
//! 2024, section III-C; Gleam, Algorithm 4).

use std::collections::BTreeMap;

use lightloom_topology::electrical::{NextHops, NodeId};
use lightloom_units::DataSize;

use super::registration::{Node, Registration, Stop};
use crate::multicast::Dialect;
use crate::packet::GroupId;

/// How a switch reaches a host.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Way<'a> {
    /// The host is connected at this port.
    Direct(u16),
    /// Over any of these ports.
    Through(NextHops<'a>),
}

/// What a switch has room for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limits {
    /// Its ports.
    pub(crate) ports: u16,
    /// Memory for the tables of all groups.
    pub(crate) memory: DataSize,
    /// The most ports of a group beside the one that data come in on; none where there is no limit.
    pub(crate) fan_out: Option<u16>,
    /// What a table takes.
    pub(crate) dialect: Dialect,
}

/// Why a switch does not take a registration. Nothing of the packet stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The tables would need so much more memory than is free.
    Memory { needed: DataSize, free: DataSize },
    /// The group would have so many ports beside the one that data come in on.
    FanOut { needed: u16, most: u16 },
    /// No way leads to the host but the one that the packet came.
    NoWay { host: NodeId },
}

/// What becomes of a registration packet.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Taken {
    /// Packets to hand on, by port.
    pub(crate) onward: Vec<(u16, Registration)>,
    /// Ports behind which members of the packet are: [`Paths::add`](super::paths::Paths::add) is called for each.
    pub(crate) gains: Vec<u16>,
    /// What this switch does with light.
    pub(crate) stops: Vec<Stop>,
}

/// What is behind a port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Host { host: NodeId, qp: u32 },
    Switch,
}

/// The ports of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Table {
    /// The port toward the leader.
    home: u16,
    /// In the order in which they were first used. A repeated packet therefore finds the ports that it found before.
    ports: Vec<(u16, Next)>,
}

impl Table {
    fn open(&mut self, port: u16, next: Next) {
        match self.ports.iter_mut().find(|(other, _)| *other == port) {
            Some((_, old)) if *old == Next::Switch => *old = next,
            Some(_) => {}
            None => self.ports.push((port, next)),
        }
    }

    fn has(&self, port: u16) -> bool {
        self.ports.iter().any(|(other, _)| *other == port)
    }
}

/// All groups of a switch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Registry {
    limits: Limits,
    /// Bytes of all tables.
    used: u64,
    /// Groups that use each port.
    groups: Vec<u32>,
    tables: BTreeMap<GroupId, Table>,
}

/// Bytes of a table. Cepheus: a path index of one byte for each port of the switch, and for each port in use address
/// 4, queue pair 3, acknowledged number 3: 704 with 64 ports, 0.69 MiB for 1,024 groups as the paper says. Gleam gives
/// 0.92 MB for 1,000 groups and no sizes of fields; 15 bytes a port with a host (port 1, type 1, address 4, queue
/// pair 3, acknowledged 3, missing 3) make 0.92 MiB, and a port to a switch has neither address nor queue pair.
fn bytes(table: &Table, limits: &Limits) -> u64 {
    let port = |(_, next): &(u16, Next)| match (limits.dialect, next) {
        (Dialect::Cepheus, _) => 10,
        (Dialect::Gleam, Next::Host { .. }) => 15,
        (Dialect::Gleam, Next::Switch) => 8,
    };
    let index = match limits.dialect {
        Dialect::Cepheus => u64::from(limits.ports),
        Dialect::Gleam => 0,
    };
    index + table.ports.iter().map(port).sum::<u64>()
}

impl Registry {
    pub(crate) fn new(limits: Limits) -> Self {
        let groups = vec![0; usize::from(limits.ports)];
        Self { limits, used: 0, groups, tables: BTreeMap::new() }
    }

    /// Memory that all tables take.
    pub(crate) fn used(&self) -> DataSize {
        DataSize::from_bytes(self.used)
    }

    /// The ports of a group, in the order in which they were first used.
    pub(crate) fn ports(&self, group: GroupId) -> impl Iterator<Item = u16> {
        let ports = self.tables.get(&group).into_iter().flat_map(|table| &table.ports);
        ports.map(|(port, _)| *port)
    }

    /// The host and its queue pair that a group bridges to at a port.
    pub(crate) fn bridge(&self, group: GroupId, port: u16) -> Option<(NodeId, u32)> {
        let ports = &self.tables.get(&group)?.ports;
        match ports.iter().find(|(other, _)| *other == port)?.1 {
            Next::Host { host, qp } => Some((host, qp)),
            Next::Switch => None,
        }
    }

    /// A packet whose nodes join has come in at a port, the one toward the leader. All of it is taken or nothing. A
    /// repeated packet changes nothing and is handed on again.
    pub(crate) fn take<'a>(
        &mut self,
        packet: &Registration,
        from: u16,
        way: impl Fn(NodeId) -> Way<'a>,
    ) -> Result<Taken, Refusal> {
        let old = self.tables.get(&packet.group);
        let new = || Table { home: from, ports: vec![(from, Next::Switch)] };
        let mut table = old.cloned().unwrap_or_else(new);
        let mut stops = Vec::new();
        let mut onward: BTreeMap<u16, Vec<Node>> = BTreeMap::new();
        let mut gains: Vec<u16> = Vec::new();
        for &node in &packet.nodes {
            let port = match (way(node.toward()), node) {
                (Way::Direct(_), Node::Stop(stop)) => {
                    stops.push(stop);
                    continue;
                }
                (Way::Direct(port), Node::Member { host, qp }) => {
                    table.open(port, Next::Host { host, qp });
                    port
                }
                (Way::Through(ways), node) => {
                    let no_way = Refusal::NoWay { host: node.toward() };
                    let port = self.choose(&table, ways).ok_or(no_way)?;
                    // No answers come from a switch that only relays light.
                    if matches!(node, Node::Member { .. }) {
                        table.open(port, Next::Switch);
                    }
                    port
                }
            };
            if matches!(node, Node::Member { .. }) && !gains.contains(&port) {
                gains.push(port);
            }
            if port != table.home {
                onward.entry(port).or_default().push(node);
            }
        }
        self.replace(packet.group, table)?;
        let onward = onward.into_iter().map(|(port, nodes)| (port, packet.about(nodes))).collect();
        Ok(Taken { onward, gains, stops })
    }

    /// Of several ports the one that the group used first; else the one that the fewest groups use, and of those the
    /// lowest.
    fn choose(&self, table: &Table, ways: NextHops<'_>) -> Option<u16> {
        let is_way = |port: u16| ways.iter().any(|way| way.0 == port);
        let used = table.ports.iter().map(|(port, _)| *port).filter(|&port| port != table.home);
        let load = |port: &u16| (self.groups.get(usize::from(*port)).copied(), *port);
        let new = ways.iter().map(|way| way.0).filter(|&port| port != table.home);
        used.into_iter().find(|&port| is_way(port)).or_else(|| new.min_by_key(load))
    }

    /// Puts a table in the place of a group's, if there is room.
    fn replace(&mut self, group: GroupId, table: Table) -> Result<(), Refusal> {
        let fan_out = u16::try_from(table.ports.len() - 1).unwrap_or(u16::MAX);
        if let Some(most) = self.limits.fan_out.filter(|&most| fan_out > most) {
            return Err(Refusal::FanOut { needed: fan_out, most });
        }
        let old = self.tables.get(&group);
        let before = old.map_or(0, |old| bytes(old, &self.limits));
        let (used, memory) = (self.used - before, self.limits.memory.as_bytes());
        let after = used + bytes(&table, &self.limits);
        if after > memory {
            let needed = DataSize::from_bytes(after - self.used);
            let free = DataSize::from_bytes(memory.saturating_sub(self.used));
            return Err(Refusal::Memory { needed, free });
        }
        self.used = after;
        let opened = table.ports.iter().filter(|(port, _)| old.is_none_or(|old| !old.has(*port)));
        for (port, _) in opened {
            if let Some(groups) = self.groups.get_mut(usize::from(*port)) {
                *groups += 1;
            }
        }
        self.tables.insert(group, table);
        Ok(())
    }

    /// The last member behind a port has left. Whether nobody is left but toward the leader, so that the group is to
    /// be given back here and the port to this switch is to be closed there.
    pub(crate) fn close(&mut self, group: GroupId, port: u16) -> bool {
        let limits = self.limits;
        let Some(table) = self.tables.get_mut(&group) else { return false };
        if port != table.home && table.has(port) {
            self.used -= bytes(table, &limits);
            table.ports.retain(|(other, _)| *other != port);
            self.used += bytes(table, &limits);
            self.groups[usize::from(port)] -= 1;
        }
        table.ports.len() == 1
    }

    /// Gives back what a group has here. The ports that lead away from the leader, to hand it on.
    pub(crate) fn release(&mut self, group: GroupId) -> Vec<u16> {
        let Some(table) = self.tables.remove(&group) else { return Vec::new() };
        self.used -= bytes(&table, &self.limits);
        for (port, _) in &table.ports {
            if let Some(groups) = self.groups.get_mut(usize::from(*port)) {
                *groups -= 1;
            }
        }
        let ports = table.ports.iter().map(|(port, _)| *port);
        ports.filter(|&port| port != table.home).collect()
    }
}
