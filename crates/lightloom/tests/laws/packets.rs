//! Follows packets through the tables of switches, entry by entry. It shares no code with what makes the tables.

use std::collections::{BTreeMap, VecDeque};
use std::net::Ipv4Addr;

use lightloom_switching::config::{
    FirstStage, Ingress, Outcome, PortUse, SwitchConfig, SwitchPort, UNICAST_PORT,
};
use lightloom_switching::fabric::Configs;
use lightloom_topology::{Fabric, TorId};

/// A packet at a port of a switch.
struct Packet {
    tor: TorId,
    port: u32,
    source: Ipv4Addr,
    destination: Ipv4Addr,
    hops_left: u32,
}

/// Copies that each ToR's servers received, by number of the port.
pub(crate) type Received = BTreeMap<(TorId, u32), u32>;

/// What one server's packet to the first group does. `arrives` says whether light goes from a ToR's splitter to a
/// receiver.
pub(crate) fn send(
    configs: &Configs<'_>,
    switches: &[SwitchConfig],
    from: TorId,
    arrives: impl Fn(TorId, TorId) -> bool,
) -> Received {
    let group = configs.servers.groups()[0].address;
    let (id, server) = configs.servers.of_tor(from).next().expect("each ToR has servers");
    let at_server = |port: &&SwitchPort| port.used_for == PortUse::Server(id);
    let port = switches[from.index()].ports.iter().find(at_server).expect("it has a port").number;
    let mut received = Received::new();
    let mut queue = VecDeque::from([Packet {
        tor: from,
        port,
        source: configs.addresses.server(from, server.number),
        destination: configs.addresses.sent_to(group, from),
        hops_left: 64,
    }]);
    let mut steps = 0;
    while let Some(packet) = queue.pop_front() {
        steps += 1;
        assert!(steps < 100_000, "a packet of ToR {from} circulates");
        let switch = &switches[packet.tor.index()];
        let Some(outcome) = decided(switch, &packet) else { continue };
        let all = switch.replications();
        let fits = |one: &&lightloom_switching::config::Replication| {
            one.outcome == outcome
                && one.destination.is_none_or(|to| to.matches(packet.destination))
        };
        // Entries of groups go before the one for all groups.
        let Some(found) = all.iter().filter(fits).max_by_key(|one| one.destination.is_some())
        else {
            continue;
        };
        for &member in found.members.iter().filter(|&&member| member != packet.port) {
            *received.entry((packet.tor, member)).or_default() += 1;
        }
        let transmit = switch.transmit_port();
        let out = match outcome {
            Outcome::Relay => transmit.filter(|&port| port != packet.port),
            Outcome::Hairpin => Some(packet.port),
            Outcome::Wrap => {
                let (root, _) = switch.stand_in.expect("it wraps for a stand-in");
                queue.push_back(Packet { tor: root, port: UNICAST_PORT, ..packet });
                continue;
            }
            Outcome::Deliver | Outcome::Redirect | Outcome::Drop => None,
        };
        // Only the transmit port leads into a splitter.
        if out.is_some() && out == transmit && packet.hops_left > 1 {
            for tor in lit(configs.project.fabric(), packet.tor) {
                if arrives(packet.tor, tor) {
                    let port = port_to(&switches[tor.index()], packet.tor);
                    queue.push_back(Packet {
                        tor,
                        port,
                        hops_left: packet.hops_left - 1,
                        ..packet
                    });
                }
            }
        }
    }
    received
}

fn decided(switch: &SwitchConfig, packet: &Packet) -> Option<Outcome> {
    let fits = |entry: &&FirstStage| {
        let port = match entry.ingress {
            Ingress::Any => true,
            Ingress::Port(port) => port == packet.port,
        };
        port && entry.source.matches(packet.source) && entry.destination.matches(packet.destination)
    };
    let best = switch.first.iter().filter(fits).max_by_key(|entry| entry.priority)?;
    Some(best.outcome).filter(|outcome| *outcome != Outcome::Drop)
}

fn lit(fabric: &Fabric, tor: TorId) -> Vec<TorId> {
    fabric.receivers(fabric.transmits_into(tor)).to_vec()
}

fn port_to(switch: &SwitchConfig, from: TorId) -> u32 {
    let hears = |port: &&SwitchPort| matches!(port.used_for, PortUse::Fabric { hears, .. } if hears == Some(from));
    switch.ports.iter().find(hears).expect("it hears the ToR").number
}
