//! Captured packets are as long as the twin counted them, and a receiver that reads nothing else puts every message
//! together.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use lightloom_capture::addresses;
use lightloom_capture::file;
use lightloom_capture::frames::Frames;
use lightloom_sim::capture::{Tap, taps};
use lightloom_topology::electrical::{LeafSpine, Network, NodeId};
use lightloom_twin::params::{EcnParams, Marks, Recovery};
use lightloom_twin::{
    Branch, Cast, Class, Egress, End, Flow, Group, GroupId, Hop, Ingress, Kind, LinkLoss,
    Multicast, Outcome, Rewrite, Rule, Service, Setup, Simulation, Splitter, Verb, simulate,
};
use lightloom_units::{BitRate, DataSize, Instant, Span};
use pcap_file::pcapng::{Block, PcapNgReader};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::frames::{Arrived, Frame, Responder};
use crate::setups::{params, setup};

const G100: BitRate = BitRate::from_gbps(100);
const US: Span = Span::from_us(1);

/// Two leaves with two hosts each, and a spine.
pub fn network() -> Network {
    LeafSpine { leaves: 2, spines: 1, hosts_per_leaf: 2, rate: G100, host_rate: None, delay: US }
        .network()
        .unwrap()
}

fn any_flows() -> impl Strategy<Value = Vec<Flow>> {
    let verb = prop_oneof![Just(Verb::Send), Just(Verb::Write)];
    let class = prop_oneof![Just(Class::LOSSLESS), Just(Class::LOSSY)];
    let flow = (0_usize..4, 1_usize..4, 0_u64..40_000, verb, class, any::<bool>());
    let flow = flow.prop_map(|(from, by, size, verb, class, shares)| {
        let to = (from + by) % 4;
        let pair = (from.min(to) * 4 + from.max(to)) as u32;
        let class = if shares { Class::LOSSLESS } else { class };
        Flow {
            from: NodeId::at(from),
            to: NodeId::at(to),
            size: DataSize::from_bytes(size),
            start: Instant::ZERO,
            after: Vec::new(),
            class,
            verb,
            connection: shares.then_some(pair),
        }
    });
    vec(flow, 1..10)
}

fn any_setup<'a>(network: &'a Network) -> impl Strategy<Value = Setup<'a>> {
    let psn = prop_oneof![Just(0), Just((1 << 24) - 3), any::<u32>()];
    let mtu = prop_oneof![Just(256_u16), Just(1024), Just(4096)];
    let loss = proptest::option::of((0.0..0.2_f64, any::<bool>()));
    let modes = (any::<bool>(), any::<bool>(), any::<bool>(), 1_u32..5);
    (any_flows(), psn, mtu, loss, modes).prop_map(move |(flows, psn, mtu, loss, modes)| {
        let (selective, marks, tight, ack_every) = modes;
        let mut params = params();
        params.wire.mtu = mtu;
        (params.transport.first_psn, params.transport.ack_every) = (psn, ack_every);
        if selective {
            params.transport.recovery = Recovery::SelectiveRepeat {
                window: 64,
                short_timeout: Span::from_us(50),
                few: 3,
                reorder: 0,
            };
        }
        if marks {
            let size = DataSize::from_bytes;
            params.switch.ecn = Some(EcnParams {
                at: G100,
                kmin: size(2_000),
                kmax: size(20_000),
                pmax: 0.5,
                when: Marks::Joining,
            });
        }
        if tight {
            params.switch.buffer_per_port = DataSize::from_bytes(30_000);
        }
        let ports = |node| (0..).zip(network.ports(node)).map(move |(port, _)| (node, port));
        let all = (0..network.nodes()).map(NodeId::at).flat_map(ports);
        let losses = loss.map(|(rate, corrupt)| {
            let of = |(from, port)| LinkLoss { from, port, rate, burst: 1, corrupt };
            all.map(of).collect()
        });
        Setup { flows, losses: losses.unwrap_or_default(), ..setup(network, params) }
    })
}

pub fn run(simulation: &Simulation<'_>) -> Outcome {
    let outcome = simulate(simulation, &AtomicBool::new(false), &|_| {});
    assert_eq!(outcome.unbalanced, []);
    outcome
}

/// The frames of all that arrived at a node, in order, each with its hop.
pub fn at(simulation: &Simulation<'_>, outcome: &Outcome, node: NodeId) -> Vec<(Hop, Vec<u8>)> {
    let mut frames = Frames::new(simulation.setup()).unwrap();
    let ways: Vec<_> = simulation.ways_into(node).collect();
    let hops = outcome.trace.iter().filter(|hop| hop.node == node);
    let frame = |hop: &Hop| {
        let way = ways.iter().find(|way| way.port == hop.port).unwrap();
        (*hop, frames.frame(hop, way.from, &outcome.registrations).unwrap())
    };
    hops.map(frame).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever is sent and lost: frames have the lengths that the twin counted, the check sequence is wrong where bits
    /// are, and every host puts together what it was sent.
    #[test]
    fn receivers_understand_what_is_captured(setup in any_setup(Box::leak(Box::new(network())))) {
        let simulation = Simulation::new(Setup { traced: true, ..setup.clone() }).unwrap();
        let outcome = run(&simulation);
        for node in (0..setup.network.nodes()).map(NodeId::at) {
            let mut pairs: BTreeMap<u32, Responder> = BTreeMap::new();
            for (hop, bytes) in at(&simulation, &outcome, node) {
                prop_assert_eq!(bytes.len() + 4, usize::from(hop.packet.bytes));
                let Some(frame) = Frame::read(&bytes) else {
                    prop_assert_eq!(hop.packet.kind, Kind::Pause);
                    continue;
                };
                prop_assert_eq!(frame.is_good, !hop.packet.is_corrupt());
                prop_assert_eq!(frame.is_data(), hop.packet.kind == Kind::Data);
                if frame.is_data() && setup.network.is_host(node) {
                    prop_assert_eq!(frame.to, addresses::ip(node));
                    let psn = setup.params.transport.first_psn;
                    let new = || Responder::new(psn, setup.params.wire.mtu.into());
                    pairs.entry(frame.qp).or_insert_with(new).take(frame);
                }
            }
            if outcome.end != End::Done {
                continue;
            }
            let mut arrived: Vec<Arrived> = pairs.into_values().flat_map(|p| p.arrived).collect();
            let sent = (0..).zip(&setup.flows).filter(|(_, flow)| flow.to == node);
            let mut sent: Vec<Arrived> = sent.map(|(number, flow)| {
                let (bytes, writes) = (flow.size.as_bytes(), flow.verb == Verb::Write);
                // A SEND of fewer than four bytes does not say all of its number.
                let whole = writes || bytes >= 4;
                let kept = if bytes == 0 { None } else { Some(number & !0_u32 << (32 - 8 * bytes.min(4))) };
                Arrived { flow: if whole { Some(number) } else { kept }, bytes, writes }
            }).collect();
            arrived.sort();
            sent.sort();
            prop_assert_eq!(arrived, sent);
        }
    }
}

/// A message to three members: over a splitter to the second leaf, and over a link within the first.
fn to_a_group(network: &Network, rewrite: bool) -> Setup<'_> {
    let (first, second) = (NodeId(4), NodeId(5));
    let branches = vec![Branch { to: second, delay: US, loss: None }];
    let group = GroupId(0);
    let to = |host| if rewrite { Rewrite::ToHost(NodeId(host)) } else { Rewrite::Keep };
    let rule = |at, ways| Rule { at, group, source: None, accept: None, ways };
    let rules = vec![
        rule(first, vec![(Egress::Splitter(0), Rewrite::Keep), (Egress::Link(1), to(1))]),
        Rule {
            accept: Some(Ingress::Splitter(0)),
            ..rule(second, vec![(Egress::Link(0), to(2)), (Egress::Link(1), to(3))])
        },
    ];
    let members = vec![NodeId(1), NodeId(2), NodeId(3)];
    let cast = |bytes| Cast {
        from: NodeId(0),
        to: group,
        size: DataSize::from_bytes(bytes),
        start: Instant::ZERO,
        class: Class::LOSSLESS,
        after: Vec::new(),
    };
    let multicast = Multicast {
        splitters: vec![Splitter { from: first, rate: G100, loss: None, branches }],
        groups: vec![Group { members, service: Service::Datagrams }],
        rules,
        casts: vec![cast(10_001), cast(5)],
        ..Multicast::default()
    };
    Setup { multicast, ..setup(network, params()) }
}

/// Packets to a group have its addresses and its queue pair until a switch makes them packets to a host.
#[test]
fn groups_have_addresses() {
    let network = network();
    for rewrite in [false, true] {
        let mut simulation = Simulation::new(to_a_group(&network, rewrite)).unwrap();
        let over_glass = taps(&simulation, "leaf 0>leaf 1").unwrap();
        let to_host = taps(&simulation, "leaf 1 > 3").unwrap();
        let all = [over_glass.clone(), to_host.clone()].concat();
        all.iter().for_each(|tap| simulation.watch(&tap.way));
        let outcome = run(&simulation);
        for (taps, is_rewritten) in [(&over_glass, false), (&to_host, rewrite)] {
            let (names, frames) = written(&simulation, taps, &outcome);
            assert_eq!((names.len(), frames.len()), (1, 4));
            let frames = frames.iter().map(|(_, bytes)| Frame::read(bytes).unwrap());
            let frames: Vec<Frame> = frames.collect();
            let opcodes: Vec<u8> = frames.iter().map(|frame| frame.opcode).collect();
            assert_eq!(opcodes, [0x20, 0x21, 0x22, 0x24]);
            for frame in &frames {
                assert!(frame.is_good && frame.from == [10, 0, 0, 1]);
                // gleam:3.3.mac
                let (mac, ip, is_group) = match is_rewritten {
                    true => ([2, 0, 0, 0, 0, 3], [10, 0, 0, 4], false),
                    false => ([1, 0, 0x5e, 0, 0, 1], [239, 0, 0, 1], true),
                };
                assert_eq!((frame.to_mac, frame.to, frame.qp == 1), (mac, ip, is_group));
            }
            for (message, bytes) in [(&frames[..3], 10_001), (&frames[3..], 5)] {
                let mut responder = Responder::new(0, 4096);
                message.iter().for_each(|frame| responder.take(frame.clone()));
                assert_eq!(responder.arrived.iter().map(|a| a.bytes).collect::<Vec<_>>(), [bytes]);
            }
        }
    }
}

/// The names of interfaces, and the interface and bytes of each packet of a file.
type Written = (Vec<String>, Vec<(u32, Vec<u8>)>);

fn written(simulation: &Simulation<'_>, taps: &[Tap], outcome: &Outcome) -> Written {
    let mut bytes = Vec::new();
    let mut frames = Frames::new(simulation.setup()).unwrap();
    file::write(&mut bytes, taps, (&outcome.trace, &outcome.registrations), &mut frames)
        .unwrap()
        .unwrap();
    let (mut names, mut packets) = (Vec::new(), Vec::new());
    let mut reader = PcapNgReader::new(&bytes[..]).unwrap();
    while let Some(block) = reader.next_block() {
        match block.unwrap() {
            Block::InterfaceDescription(interface) => {
                names.push(format!("{:?}", interface.options))
            }
            Block::EnhancedPacket(packet) => {
                assert_eq!(packet.original_len as usize, packet.data.len());
                packets.push((packet.interface_id, packet.data.into_owned()));
            }
            other => panic!("{other:?}"),
        }
    }
    (names, packets)
}

/// Links that do not exist are refused with those that do; parallel ones are told apart.
#[test]
fn links_are_named_by_their_nodes() {
    let network = network();
    let simulation = Simulation::new(to_a_group(&network, false)).unwrap();
    let names = |link| -> Vec<String> {
        taps(&simulation, link).unwrap().into_iter().map(|tap| tap.name).collect()
    };
    assert_eq!(names("0<>leaf 0"), ["host 0>leaf 0", "leaf 0>host 0"]);
    assert_eq!(names(" spine 0 >leaf 1"), ["spine 0>leaf 1"]);
    let refused = [
        ("leaf 0", "expected two nodes: \"host 0>leaf 0\""),
        ("leaf 0>leaf 9", "found no node \"leaf 9\""),
        ("4>leaf 0", "by its number, 0 to 3"),
        ("host 0>leaf 1", "come from \"host 2\", \"host 3\", \"spine 0\", \"leaf 0\""),
        // The splitter goes one way.
        ("leaf 0<>leaf 1", "from \"leaf 1\" to \"leaf 0\""),
    ];
    for (link, why) in refused {
        let told = taps(&simulation, link).unwrap_err().to_string();
        assert!(told.contains(why) && told.contains("--pcap"), "{told}");
    }
}

/// Frames of other lengths than RoCE has, and messages that it cannot have, are refused.
#[test]
fn what_has_no_frames_is_refused() {
    let network = network();
    let of = |change: &dyn Fn(&mut Setup<'_>)| {
        let mut setup = to_a_group(&network, false);
        change(&mut setup);
        Frames::new(&setup).map(|_| ()).unwrap_err().to_string()
    };
    let told = of(&|setup| setup.params.wire.header = 70);
    assert!(told.contains("parameters.wire.header is 70 B, expected 62 B"), "{told}");
    let long = |size| {
        move |setup: &mut Setup<'_>| setup.multicast.casts[1].size = DataSize::from_bytes(size)
    };
    let told = of(&long((1 << 31) + 1));
    assert!(told.contains("flow 1 has 2147483649 bytes"), "{told}");
    let told = of(&|setup: &mut Setup<'_>| {
        setup.params.wire.mtu = 64;
        long((1 << 30) + 1)(setup);
    });
    assert!(told.contains("16777216 packets"), "{told}");
}
