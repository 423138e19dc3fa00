//! Registration at a switch.

use lightloom_topology::electrical::{NextHops, NodeId};
use lightloom_units::DataSize;
use proptest::prelude::*;

use super::super::registration::{Ask, Node, Registration, Stop};
use super::super::registry::{Limits, Refusal, Registry, Taken, Way};
use crate::multicast::{Dialect, LightStop};
use crate::packet::{GroupId, Psn};

const FROM: u16 = 0;

fn limits(memory: u64, fan_out: Option<u16>, dialect: Dialect) -> Limits {
    Limits { ports: 64, memory: DataSize::from_bytes(memory), fan_out, dialect }
}

fn member(host: u32) -> Node {
    Node::Member { host: NodeId(host), qp: host + 100 }
}

fn packet(group: u32, nodes: &[Node]) -> Registration {
    let about = (GroupId(group), 3, Psn::new(17));
    let mut packets = Registration::packets(about, Ask::Join, nodes);
    assert_eq!(packets.len(), 1);
    packets.remove(0)
}

/// Hosts below 64 are connected at the port of their number, others are behind a range of ports.
fn way(host: NodeId) -> Way<'static> {
    match host.0 {
        port @ 0..64 => Way::Direct(port as u16),
        far => {
            let (first, count) = ((far / 4 % 60) as u16, (1 + far % 4) as u16);
            Way::Through(NextHops::Range { first, count })
        }
    }
}

fn ways(host: u32) -> Vec<u16> {
    match way(NodeId(host)) {
        Way::Direct(port) => vec![port],
        Way::Through(ways) => ways.iter().map(|port| port.0).collect(),
    }
}

fn take(registry: &mut Registry, group: u32, hosts: &[u32]) -> Result<Taken, Refusal> {
    let nodes: Vec<Node> = hosts.iter().map(|&host| member(host)).collect();
    registry.take(&packet(group, &nodes), FROM, way)
}

/// Sizes as the papers print them: Cepheus 704 bytes a group with 64 ports and 0.69 MB for 1,024 groups, Gleam 0.92 MB
/// for 1,000 groups (both in MiB).
#[test]
fn tables_take_what_the_papers_say() {
    let mib = f64::from(1 << 20);
    for (dialect, groups, each, printed) in
        [(Dialect::Cepheus, 1024, 704, 0.69), (Dialect::Gleam, 1000, 960, 0.92)]
    {
        let mut registry = Registry::new(limits(10_000_000, None, dialect));
        let hosts: Vec<u32> = (0..64).collect();
        for group in 0..groups {
            take(&mut registry, group, &hosts).expect("there is room");
        }
        let used = registry.used().as_bytes();
        assert_eq!(used, u64::from(groups) * each);
        assert_eq!((used as f64 / mib * 100.0).round() / 100.0, printed, "{dialect:?}");
    }
}

#[test]
fn one_byte_less_and_the_last_group_is_refused() {
    // A port toward the leader and one to a host.
    let each = 64 + 2 * 10;
    let mut registry = Registry::new(limits(3 * each - 1, None, Dialect::Cepheus));
    take(&mut registry, 0, &[5]).expect("there is room");
    take(&mut registry, 1, &[6]).expect("there is room");
    let before = registry.clone();
    let refusal = take(&mut registry, 2, &[7]);
    let (needed, free) = (DataSize::from_bytes(each), DataSize::from_bytes(each - 1));
    assert_eq!(refusal, Err(Refusal::Memory { needed, free }));
    assert_eq!(registry, before, "nothing of it stays");
    assert_eq!(registry.release(GroupId(0)), [5]);
    take(&mut registry, 2, &[7]).expect("there is room again");
}

#[test]
fn a_fan_out_of_8_is_8_ports_and_the_one_toward_the_source() {
    let mut registry = Registry::new(limits(10_000, Some(8), Dialect::Cepheus));
    take(&mut registry, 0, &[1, 2, 3, 4, 5, 6, 7]).expect("7");
    let before = registry.clone();
    assert_eq!(take(&mut registry, 0, &[8, 9]), Err(Refusal::FanOut { needed: 9, most: 8 }));
    assert_eq!(registry, before);
    take(&mut registry, 0, &[8]).expect("8");
    take(&mut registry, 0, &[1, 8]).expect("the same again");
}

#[test]
fn no_way_back() {
    let mut registry = Registry::new(limits(10_000, None, Dialect::Cepheus));
    let only_back = |_| Way::Through(NextHops::Range { first: FROM, count: 1 });
    let refusal = registry.take(&packet(0, &[member(99)]), FROM, only_back);
    assert_eq!(refusal, Err(Refusal::NoWay { host: NodeId(99) }));
}

/// The leader's own switch keeps its address, and sends nothing back to it.
#[test]
fn the_leader_is_in_the_table() {
    let mut registry = Registry::new(limits(10_000, None, Dialect::Cepheus));
    let taken = take(&mut registry, 0, &[FROM.into(), 4]).expect("there is room");
    assert_eq!(registry.bridge(GroupId(0), FROM), Some((NodeId(0), 100)));
    assert_eq!(registry.bridge(GroupId(0), 4), Some((NodeId(4), 104)));
    assert_eq!(taken.gains, [FROM, 4]);
    assert_eq!(taken.onward, [(4, packet(0, &[member(4)]))]);
}

/// Light is told to the switch at the way's end and makes no port of the group on the way.
#[test]
fn light_stops_travel_to_their_switch() {
    let stop = |via| {
        let light = LightStop { at: NodeId(900), accept: Some(3), relay: None };
        Stop { source: NodeId(0), via: NodeId(via), light }
    };
    let mut registry = Registry::new(limits(10_000, None, Dialect::Cepheus));
    let nodes = [Node::Stop(stop(7)), Node::Stop(stop(4 * 30)), member(9)];
    let taken = registry.take(&packet(0, &nodes), FROM, way).expect("there is room");
    assert_eq!(taken.stops, [stop(7)]);
    assert_eq!(taken.onward[0].0, 9);
    assert_eq!(taken.onward[1], (30, packet(0, &[nodes[1]])));
    assert_eq!(taken.gains, [9]);
    assert!(registry.ports(GroupId(0)).eq([FROM, 9]));
}

#[test]
fn a_group_is_closed_port_by_port() {
    let mut registry = Registry::new(limits(10_000, None, Dialect::Gleam));
    take(&mut registry, 0, &[3, 200]).expect("there is room");
    assert!(!registry.close(GroupId(0), 3));
    assert!(!registry.close(GroupId(0), FROM), "the way to the leader stays");
    let last = registry.ports(GroupId(0)).last().expect("it is there");
    assert!(registry.close(GroupId(0), last));
    assert_eq!(registry.release(GroupId(0)), Vec::<u16>::new());
    assert_eq!(registry, Registry::new(limits(10_000, None, Dialect::Gleam)));
}

fn hosts() -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(prop_oneof![1_u32..64, 70_u32..400], 1..30)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    /// Every node goes out at one of its ways, once; the same packet again changes nothing, in any later state; and
    /// giving everything back leaves nothing.
    #[test]
    fn registration_is_undone_and_repeated(
        rounds in prop::collection::vec((0_u32..6, hosts()), 1..30),
        dialect in prop_oneof![Just(Dialect::Cepheus), Just(Dialect::Gleam)],
        memory in prop_oneof![Just(1_000_u64), Just(100_000)],
    ) {
        let empty = Registry::new(limits(memory, Some(25), dialect));
        let mut registry = empty.clone();
        let mut all = Vec::new();
        for (group, hosts) in rounds {
            let before = registry.clone();
            let used: Vec<u16> = registry.ports(GroupId(group)).skip(1).collect();
            let Ok(taken) = take(&mut registry, group, &hosts) else {
                prop_assert_eq!(&registry, &before);
                continue;
            };
            let mut handed = Vec::new();
            for (port, packet) in &taken.onward {
                for node in &packet.nodes {
                    let ways = ways(node.toward().0);
                    prop_assert!(ways.contains(port));
                    let reused = ways.iter().any(|way| used.contains(way));
                    prop_assert!(!reused || used.contains(port), "a port in use goes first");
                    handed.push(node.toward().0);
                }
            }
            let mut expected = hosts.clone();
            expected.sort_unstable();
            handed.sort_unstable();
            prop_assert_eq!(handed, expected);
            all.push((group, hosts, taken));
            for (group, hosts, taken) in &all {
                let before = registry.clone();
                prop_assert_eq!(&take(&mut registry, *group, hosts), &Ok(taken.clone()));
                prop_assert_eq!(&registry, &before);
            }
            prop_assert!(registry.used().as_bytes() <= memory);
        }
        for group in 0..6 {
            let away: Vec<u16> = registry.ports(GroupId(group)).skip(1).collect();
            prop_assert_eq!(registry.release(GroupId(group)), away);
            prop_assert_eq!(registry.release(GroupId(group)), Vec::<u16>::new());
        }
        prop_assert_eq!(registry, empty);
    }

    /// Groups spread: of ways that are free to choose, loads differ by one at most.
    #[test]
    fn the_least_used_port_is_taken(groups in 1_u32..50) {
        let mut registry = Registry::new(limits(1_000_000, None, Dialect::Cepheus));
        let four = |_| Way::Through(NextHops::Range { first: 10, count: 4 });
        let mut load = [0_u32; 4];
        for group in 0..groups {
            let taken = registry.take(&packet(group, &[member(500), member(501)]), FROM, four);
            let onward = taken.expect("there is room").onward;
            prop_assert_eq!(onward.len(), 1, "one copy for both");
            prop_assert_eq!(u32::from(onward[0].0), 10 + group % 4, "the lowest of the least used");
            load[usize::from(onward[0].0) - 10] += 1;
        }
        prop_assert!(load.iter().max().unwrap() - load.iter().min().unwrap() <= 1);
    }
}
