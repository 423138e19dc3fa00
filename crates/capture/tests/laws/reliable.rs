//! Captures of reliable groups: registration, bridged copies, answers of members and of switches.

use std::collections::BTreeMap;

use lightloom_capture::addresses;
use lightloom_capture::frames::Frames;
use lightloom_topology::electrical::{Network, NodeId};
use lightloom_twin::{
    Branch, Cast, Class, Data, Dialect, End, Group, GroupId, GroupVerb, Hop, Kind, LightStop,
    LightTree, LinkLoss, Multicast, Reliable, Repair, Service, Setup, Simulation, Splitter,
};
use lightloom_units::{BitRate, DataSize, Instant, Span};
use proptest::prelude::*;

use crate::captures::{at, network, run};
use crate::frames::{Arrived, Frame, Responder, registered};
use crate::setups::{params, setup};

const SIZES: [(usize, u64); 4] = [(0, 50_001), (0, 4096), (3, 20_000), (0, 1)];

/// Four members on two leaves; host 1 leads (cepheus:III-A.leader), hosts 0 and 3 send.
fn group(network: &Network, light: Option<Repair>) -> Setup<'_> {
    let stop = |at, accept, relay| LightStop { at: NodeId(at), accept, relay };
    // The first leaf lights the second, and the other way round.
    let tree = |source, [root, leaf]: [u32; 2], splitter| LightTree {
        source: NodeId(source),
        stand_in: None,
        stops: vec![stop(root, None, Some(splitter)), stop(leaf, Some(splitter), None)],
    };
    let trees = vec![tree(0, [4, 5], 0), tree(3, [5, 4], 1)];
    let data = light.map_or(Data::Electrons, |repair| Data::Light { repair, trees });
    let splitter = |from, to| Splitter {
        from: NodeId(from),
        rate: BitRate::from_gbps(100),
        loss: None,
        branches: vec![Branch { to: NodeId(to), delay: Span::from_us(1), loss: None }],
    };
    let cast = |(from, bytes)| Cast {
        from: NodeId::at(from),
        to: GroupId(0),
        size: DataSize::from_bytes(bytes),
        start: Instant::ZERO,
        class: Class::LOSSLESS,
        after: Vec::new(),
    };
    let service = Service::Reliable(Reliable {
        leader: NodeId(1),
        start: Instant::ZERO,
        dialect: Dialect::Cepheus,
        verb: GroupVerb::Write,
        data,
        changes: Vec::new(),
    });
    let multicast = Multicast {
        splitters: vec![splitter(4, 5), splitter(5, 4)],
        groups: vec![Group { members: (0..4).map(NodeId).collect(), service }],
        casts: SIZES.map(cast).to_vec(),
        ..Multicast::default()
    };
    Setup { multicast, traced: true, ..setup(network, params()) }
}

/// Whose address a packet of RoCE has as its source (cepheus:III-B2.bridge).
fn sender(hop: &Hop, from: NodeId) -> [u8; 4] {
    let is_bridged = hop.packet.kind == Kind::Data && hop.packet.to.as_host().is_some();
    match hop.packet.kind {
        Kind::Data if !is_bridged => addresses::ip(NodeId(hop.packet.qp)),
        Kind::Data => [239, 0, 0, 1],
        _ if from.0 < 4 => addresses::ip(from),
        _ => [239, 0, 0, 1],
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// All frames have their lengths, and every member puts all messages of others together: each copy has the member's
    /// queue pair, and what else the connection needs (gleam:alg1:10-11, cepheus:III-B2.write). Registration packets
    /// list the members that lie behind them (cepheus:III-C.onward, gleam:alg4:24-28).
    #[test]
    fn members_understand_what_is_captured(
        light in prop_oneof![Just(None), Just(Some(Repair::Light)), Just(Some(Repair::Electrons))],
        rate in prop_oneof![Just(0.0), 0.0..0.05_f64],
        psn in prop_oneof![Just(0), Just((1 << 24) - 5)],
        seed in any::<u64>(),
    ) {
        let network = network();
        let mut setup = Setup { seed, ..group(&network, light) };
        setup.params.transport.first_psn = psn;
        let lossy = [(4, 0), (4, 1), (5, 0), (5, 1)];
        let loss = |(from, port)| LinkLoss { from: NodeId(from), port, rate, burst: 1, corrupt: false };
        setup.losses = lossy.map(loss).to_vec();
        let simulation = Simulation::new(setup.clone()).unwrap();
        let outcome = run(&simulation);
        prop_assert_eq!(outcome.end, End::Done);
        let mut listed = 0;
        for node in (0..network.nodes()).map(NodeId::at) {
            let ways: Vec<_> = simulation.ways_into(node).collect();
            let mut arrived: Vec<Arrived> = Vec::new();
            let mut pairs: BTreeMap<u32, Vec<(Hop, Frame)>> = BTreeMap::new();
            for (hop, bytes) in at(&simulation, &outcome, node) {
                prop_assert_eq!(bytes.len() + 4, usize::from(hop.packet.bytes));
                let from = ways.iter().find(|way| way.port == hop.port).unwrap().from;
                if hop.packet.kind == Kind::Register {
                    let (metadata, nodes) = registered(&bytes);
                    let flags = match light {
                        None => 1,
                        Some(Repair::Electrons) => 3,
                        Some(Repair::Light) => 7,
                    };
                    prop_assert_eq!(metadata[0] & !8, flags);
                    // The first registration does not ask switches to know the group.
                    prop_assert!(metadata[0] & 8 == 0 || hop.packet.seen.get() > 0);
                    listed += nodes.iter().filter(|node| node[0] == 0).count();
                    // The last way is to the member that the packet lists.
                    if node.0 < 4 {
                        prop_assert_eq!((nodes.len(), &nodes[0][4..]), (1, &addresses::ip(node)[..]));
                    }
                }
                let Some(frame) = Frame::read(&bytes) else { continue };
                prop_assert!(frame.is_good);
                prop_assert_eq!(frame.from, sender(&hop, from), "{:?}", hop);
                if frame.is_data() && node.0 < 4 {
                    pairs.entry(frame.qp).or_default().push((hop, frame));
                }
            }
            prop_assert!(pairs.len() <= 1);
            // What a member sends itself has no packets here, so each run of the others begins anew.
            for (hop, frame) in pairs.into_values().flatten() {
                prop_assert_eq!(frame.to, addresses::ip(node));
                prop_assert!(frame.opcode >= 6 && frame.qp > 1);
                let flow = usize::try_from(hop.flow.unwrap().0).unwrap();
                let before: u64 = SIZES[..flow].iter().map(|(_, bytes)| bytes.div_ceil(4096)).sum();
                let first = psn + before as u32;
                let place = usize::try_from(frame.psn.wrapping_sub(first) & 0x00ff_ffff).unwrap();
                arrived.resize(arrived.len().max(SIZES.len()), Arrived { flow: None, bytes: 0, writes: true });
                let left = SIZES[flow].1 - 4096 * place as u64;
                if arrived[flow].bytes == 4096 * place as u64 {
                    arrived[flow].bytes += left.min(4096);
                    let mut one = Responder::new(frame.psn, 4096);
                    if frame.opcode == 10 {
                        one.take(frame);
                        prop_assert_eq!(one.arrived[0].bytes, SIZES[flow].1);
                    }
                }
            }
            for (flow, &(from, bytes)) in SIZES.iter().enumerate().filter(|_| node.0 < 4) {
                let got = arrived.get(flow).map_or(0, |message| message.bytes);
                prop_assert_eq!(got, if node.index() == from { 0 } else { bytes });
            }
        }
        // Every member is listed on every way to it.
        prop_assert!(listed >= 4);
    }
}

/// gleam:table1: 2 GB are the longest message.
#[test]
fn longer_messages_than_roce_has_are_refused() {
    let network = network();
    let frames = |bytes| {
        let mut setup = group(&network, None);
        setup.multicast.casts[0].size = DataSize::from_bytes(bytes);
        Frames::new(&setup).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(frames(1 << 31), Ok(()));
    let error = frames((1 << 31) + 1).unwrap_err();
    assert!(
        error.contains("2147483649 bytes; a message of RoCE has at most 2147483648"),
        "{error}"
    );
}

/// What a run of one verb shows: packets of addresses with what they list, and the address and key of each first packet
/// of a message, by the node that it reached.
#[derive(Default)]
struct Shown {
    told: BTreeMap<[u8; 4], [u8; 12]>,
    written: BTreeMap<NodeId, Vec<[u8; 12]>>,
    opcodes: Vec<u8>,
}

fn shown(dialect: Dialect, verb: GroupVerb) -> Shown {
    let network = network();
    let mut setup = group(&network, None);
    if let Service::Reliable(service) = &mut setup.multicast.groups[0].service {
        (service.dialect, service.verb) = (dialect, verb);
    }
    let simulation = Simulation::new(setup.clone()).unwrap();
    let outcome = run(&simulation);
    assert_eq!(outcome.end, End::Done);
    let mut shown = Shown::default();
    for node in (0..network.nodes()).map(NodeId::at) {
        for (hop, bytes) in at(&simulation, &outcome, node) {
            if hop.packet.kind == Kind::Address {
                // Ethernet, IPv4, UDP and eight bytes of metadata; then nodes of 20 bytes.
                let nodes = &bytes[14 + 20 + 8 + 8..];
                assert_eq!((bytes[42] & 16, nodes.len() % 20), (16, 0));
                for one in nodes.chunks(20) {
                    let (ip, address) =
                        (one[4..8].try_into().unwrap(), one[8..].try_into().unwrap());
                    assert_eq!(*shown.told.entry(ip).or_insert(address), address);
                }
            }
            let Some(frame) = Frame::read(&bytes).filter(Frame::is_data) else { continue };
            if matches!(frame.opcode, 6 | 10) {
                let address = frame.content[..12].try_into().unwrap();
                shown.written.entry(node).or_default().push(address);
            }
            shown.opcodes.push(frame.opcode);
        }
    }
    shown
}

/// A WRITE reaches each member at the address and with the key that a step of registration told its switch
/// (cepheus:III-B2.write).
#[test]
fn members_are_written_where_they_said() {
    let shown = shown(Dialect::Cepheus, GroupVerb::Write);
    assert_eq!(shown.told.len(), 4);
    for host in (0..4).map(NodeId) {
        let told = shown.told[&addresses::ip(host)];
        assert!(!shown.written[&host].is_empty());
        assert!(shown.written[&host].iter().all(|written| *written == told), "{host:?}");
    }
    // Until the last switch before a member, a WRITE has address 0.
    let on_the_way = shown.written.iter().filter(|(node, _)| node.0 >= 4);
    assert!(on_the_way.flat_map(|(_, all)| all).all(|written| *written == [0; 12]));
}

/// A SEND needs no address, and a WRITE to the same address at all members is never changed on its way (gleam:C). No
/// step of registration tells any, in either protocol.
#[test]
fn other_verbs_need_no_addresses() {
    for dialect in [Dialect::Cepheus, Dialect::Gleam] {
        let sends = shown(dialect, GroupVerb::Send);
        assert!(sends.told.is_empty() && sends.written.is_empty());
        assert!(sends.opcodes.iter().all(|&opcode| opcode <= 4));
        let same = shown(dialect, GroupVerb::WriteSameAddress);
        assert!(same.told.is_empty());
        let all: Vec<_> = same.written.values().flatten().collect();
        assert!(all.iter().all(|&written| written == all[0]) && *all[0] != [0; 12]);
        assert_eq!(same.written.len(), 7, "four members and three switches");
    }
    // What Gleam sends before a WRITE has no frames.
    let network = network();
    let mut setup = group(&network, None);
    if let Service::Reliable(service) = &mut setup.multicast.groups[0].service {
        service.dialect = Dialect::Gleam;
    }
    assert!(Frames::new(&setup).is_err());
}
