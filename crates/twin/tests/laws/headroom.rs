//! Headroom belongs to a port: just as much as its link needs is enough, less overflows there, and what
//! overflows is told with its place and cause.

use lightloom_topology::electrical::{Link, Network, NodeId, PortId};
use lightloom_twin::params::{Forwarding, Overflows, Params};
use lightloom_twin::{DeadLink, DropReason, End, Kind, LinkLoss, Outcome, Setup, needed_headroom};
use lightloom_units::{BitRate, DataSize, Instant, Span};
use proptest::prelude::*;

use crate::given::*;

const FRAME: u64 = MTU + HEADER;
const SLOW: BitRate = BitRate::from_bps(10_000_000);

/// Hosts on one switch, each with a link of its own.
fn spokes(links: &[(BitRate, Span)]) -> Network {
    let hosts = links.len();
    let links: Vec<Link> =
        links.iter().enumerate().map(|(h, &(rate, delay))| (h, hosts, rate, delay)).collect();
    wired(hosts, 1, &links)
}

fn with_headroom(bytes: u64) -> Params {
    let mut params = params();
    params.switch.buffer_per_port = DataSize::from_bytes(20_000);
    params.switch.headroom_per_port = DataSize::from_bytes(bytes);
    params.transport.timeout = Span::from_s(9);
    params
}

/// A host sends to one whose link is so slow that nothing leaves the switch while the pause takes effect, and
/// nothing is on the way out before the pause. From the first frame that is one too many on the sender begins
/// frames for F + d + F(pause) + d, one in each P.
#[test]
fn headroom_is_enough_to_the_frame() {
    let links = [(100, 1_000), (100, 10_000), (25, 3_300), (400, 77), (10, 1), (200, 5_001)];
    for (gbps, ns) in links {
        let (rate, delay) = (BitRate::from_gbps(gbps), Span::from_ns(ns));
        // 33 other ports lend nothing.
        let mut all = vec![(rate, delay), (SLOW, US)];
        all.extend([(G100, US); 33]);
        let network = spokes(&all);
        let window = time(PREAMBLE + FRAME, rate) + time(PREAMBLE + 64, rate) + 2 * delay.as_ps();
        let frames = window.div_ceil(time(PREAMBLE + FRAME + GAP, rate));
        let flows = vec![flow(0, 1, (frames + 40) * MTU)];
        let outcome = |bytes: u64| {
            let mut params = with_headroom(bytes);
            params.switch.buffer_per_port = DataSize::from_bytes(1_000);
            params.switch.pause_share = 0.3;
            params.transport.ack_every = u32::MAX;
            run(&simulation(&network, params, flows.clone()))
        };
        let enough = outcome(frames * FRAME);
        let context = format!("{frames} frames at {rate} and {delay}");
        assert_eq!((enough.end, &enough.fatal), (End::Done, &None), "{context}");
        assert!(enough.drops.is_empty() && enough.overflows.is_empty());
        let fault = outcome(frames * FRAME - 1).fatal.expect(&context);
        assert_eq!((fault.node, fault.port, fault.lost_pause), (NodeId(35), 0, None), "{context}");
        // What is told to be needed covers a frame on the way out as well.
        let needed =
            needed_headroom(&network, &params(), NodeId(35), PortId(0)).unwrap().as_bytes();
        assert!((frames * FRAME..=(frames + 3) * FRAME).contains(&needed), "{context}: {needed}");
    }
}

/// Frames that a sender begins after the one that stops it, if a frame of the switch is in the way of the pause for
/// `blocked` and the sender acts `response` after the pause has arrived: one each P from G - d on, until
/// blocked + F(pause) + d + response. So none more than this is lost, and no fewer bytes are enough.
fn frames_to_take(rate: BitRate, delay: Span, blocked: u64, response: Span) -> u64 {
    let until = blocked + time(PREAMBLE + 64, rate) + 2 * delay.as_ps() + response.as_ps();
    let period = time(PREAMBLE + FRAME + GAP, rate);
    1 + (until - time(GAP, rate)).div_ceil(period)
}

/// The response of a sender to a pause is as long as IEEE 802.3 (31B.3.7) allows, and a largest frame has just begun
/// on the way of the pause, at every phase of it: the bytes of the worst phase are enough, and one byte less is not.
#[test]
fn headroom_covers_the_response_at_the_worst_phase() {
    let lengths = [(25, 80), (100, 394), (400, 905)];
    for (gbps, quanta) in lengths {
        for ns in [5, 490, 9_800] {
            let (rate, delay) = (BitRate::from_gbps(gbps), Span::from_ns(ns));
            let response = Span::from_ps(time(512 * quanta / 8, rate));
            let mut all = vec![(rate, delay), (SLOW, US)];
            all.push((rate, US));
            all.extend([(G100, US); 32]);
            let network = spokes(&all);
            let own = time(PREAMBLE + FRAME + GAP, rate);
            let worst = frames_to_take(rate, delay, own, response);
            // Frames for the sender leave the switch one after another, so that one is always in the way.
            let lost_at = |bytes: u64, phase: u64| {
                let mut params = with_headroom(bytes);
                params.switch.buffer_per_port = DataSize::from_bytes(1_000);
                params.switch.pause_share = 0.3;
                params.switch.pause_response = response;
                params.transport.ack_every = u32::MAX;
                let start = Instant::from_ps(0) + US + US + Span::from_ps(phase);
                let stopped = lightloom_twin::Flow { start, ..flow(0, 1, (worst + 40) * MTU) };
                let flows = vec![stopped, flow(2, 0, 1_000 * MTU)];
                let outcome = run(&simulation(&network, params, flows));
                outcome.fatal.map(|fault| (fault.node, fault.port))
            };
            let context = format!("{gbps} Gb/s, {ns} ns");
            let phases: Vec<u64> = (0..60).map(|n| n * own / 60).collect();
            let lost =
                |bytes: u64| phases.iter().filter_map(|&phase| lost_at(bytes, phase)).count();
            assert_eq!(lost(worst * FRAME), 0, "{context}");
            assert!(lost(worst * FRAME - 1) > 0, "{context}: {worst} frames");
            let mut params = params();
            params.switch.pause_response = response;
            let needed = needed_headroom(&network, &params, NodeId(35), PortId(0)).unwrap();
            let told = needed.as_bytes();
            assert!((worst * FRAME..(worst + 2) * FRAME).contains(&told), "{context}: {told}");
        }
    }
}

/// A pause acts as much later as its receiver responds, and so does its end; those of a storm too. Records say when it
/// acts, and when it left.
#[test]
fn pauses_act_after_the_response() {
    let network = spokes(&[(G100, US), (G100, US)]);
    let storm = |response: Span| {
        let (from, to) = (Instant::from_ps(3_000_000), Instant::from_ps(50_000_000));
        let storms = vec![lightloom_twin::PauseStorm { host: NodeId(1), from, to }];
        let mut params = params();
        params.switch.pause_response = response;
        let setup = simulation(&network, params, vec![flow(0, 1, 200 * MTU)]);
        let setup = Setup { storms, traced: true, ..setup };
        let outcome = run(&setup);
        let simulation = checked(&setup);
        // At the switch, which is numbered after the hosts.
        let pauses = arrivals(&outcome, 2, Kind::Pause);
        let told: Vec<(u64, u64)> = pauses
            .map(|hop| {
                let packet = (hop.packet.kind, hop.packet.bytes);
                (hop.at.as_ps(), simulation.left((hop.node, hop.port), packet, hop.at).as_ps())
            })
            .collect();
        told
    };
    let response = Span::from_us(2);
    let (at_once, later) = (storm(Span::ZERO), storm(response));
    assert_eq!(at_once.len(), later.len());
    assert!(at_once.len() >= 2, "it stops and goes on: {at_once:?}");
    for ((at, left), (at_later, left_later)) in at_once.into_iter().zip(later) {
        assert_eq!(at_later, at + response.as_ps());
        assert_eq!(left_later, left);
        assert_eq!(at - left, time(PREAMBLE + 64, G100) + US.as_ps());
    }
}

/// Of ports that are all as busy, the one whose link is longer than headroom allows is at fault.
#[test]
fn the_fault_names_the_port_that_overflowed() {
    for far in [0, 5, 15] {
        let mut links = vec![(G100, Span::from_ns(100)); 17];
        links[far].1 = Span::from_us(5);
        links[16] = (BitRate::from_gbps(10), US);
        let network = spokes(&links);
        let flows: Vec<_> = (0..16).map(|host| flow(host, 16, 400 * MTU)).collect();
        let simulation = simulation(&network, with_headroom(30_000), flows);
        for threads in [1, 3] {
            let outcome = run(&Setup { threads, ..simulation.clone() });
            assert_eq!(outcome.end, End::Overflow);
            let fault = outcome.fatal.unwrap();
            assert_eq!((fault.node, usize::from(fault.port)), (NodeId(17), far));
            assert_eq!(outcome.overflows.len(), 1, "{:?}", outcome.overflows);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(48) })]
    /// With as much headroom as the neediest port needs nothing overflows, whatever comes the other way.
    #[test]
    fn what_is_needed_is_enough(
        links in proptest::collection::vec((5_000_000_000_u64..200_000_000_000, 1_000_u64..8_000_000), 3..7),
        flows in proptest::collection::vec((0_usize..60, 0_usize..60, 1_u64..200_000, 0_u64..40_000_000), 4..24),
        (buffer, share) in (0_u64..60_000, 0.01..1.5_f64),
        (cut, latency, mtu) in (any::<bool>(), 0_u64..2_000_000, prop_oneof![Just(256_u16), Just(4096)]),
        seed in any::<u64>(),
    ) {
        // Switches in a row, two hosts each, so that a tree has no ring.
        let switches = links.len();
        let hosts = 2 * switches;
        let wires = |(i, &(bps, ps)): (usize, &(u64, u64))| {
            let (rate, delay) = (BitRate::from_bps(bps), Span::from_ps(ps));
            let on = (i + 1 < switches).then_some((hosts + i, hosts + i + 1, G100, US));
            [Some((2 * i, hosts + i, rate, delay)), Some((2 * i + 1, hosts + i, G100, US)), on]
        };
        let wires: Vec<Link> = links.iter().enumerate().flat_map(wires).flatten().collect();
        let network = wired(hosts, switches, &wires);
        let mut params = params();
        params.wire.mtu = mtu;
        params.switch.buffer_per_port = DataSize::from_bytes(buffer);
        params.switch.pause_share = share;
        params.switch.latency = Span::from_ps(latency);
        params.transport.timeout = Span::from_s(1);
        if cut {
            params.switch.forwarding = Forwarding::CutThrough;
        }
        let nodes = (hosts..network.nodes()).map(NodeId::at);
        let ports = nodes.flat_map(|node| (0..network.ports(node).len() as u16).map(move |port| (node, port)));
        let needs = ports.map(|(node, port)| needed_headroom(&network, &params, node, PortId(port)));
        params.switch.headroom_per_port = needs.max().flatten().unwrap();
        let flows = flows.into_iter().map(|(from, by, bytes, start)| {
            let (from, to) = (from % hosts, (from + 1 + by % (hosts - 1)) % hosts);
            lightloom_twin::Flow { start: Instant::from_ps(start), ..flow(from, to, bytes) }
        });
        let simulation = simulation(&network, params, flows.collect());
        let outcome = finished(&Setup { seed, ..simulation });
        prop_assert!(outcome.drops.is_empty() && outcome.overflows.is_empty(), "{:?}", outcome.overflows);
    }
}

/// Three hosts send to a fourth, whose link is slower; the pauses to the first are lost.
fn losing_pauses(losses: Vec<LinkLoss>, dead: Vec<DeadLink>, overflow: Overflows) -> Outcome {
    let slower = (BitRate::from_gbps(25), US);
    let network = spokes(&[(G100, US), (G100, US), (G100, US), slower]);
    let mut params = with_headroom(40_000);
    params.switch.buffer_per_port = DataSize::from_bytes(100_000);
    params.switch.overflow = overflow;
    params.transport.timeout = Span::from_us(500);
    let flows = (0..3).map(|host| flow(host, 3, 1000 * MTU)).collect();
    run(&Setup { losses, dead, traced: true, ..simulation(&network, params, flows) })
}

#[test]
fn a_lost_pause_is_the_cause() {
    let switch = NodeId(4);
    let sound = losing_pauses(Vec::new(), Vec::new(), Overflows::End);
    assert_eq!((sound.end, &sound.fatal), (End::Done, &None));
    // Acknowledgements go the same way, so that some must get through.
    let lossy = |corrupt| vec![LinkLoss { from: switch, port: 0, rate: 0.7, burst: 1, corrupt }];
    // The link of host 0 is dead just when the first pause is on it.
    let pause = arrivals(&sound, 0, Kind::Pause).next().unwrap().at;
    let at = |ps: i64| Instant::from_ps(pause.as_ps().checked_add_signed(ps).unwrap());
    let dead = vec![DeadLink { node: NodeId(0), port: 0, from: at(-100_000), to: at(100_000) }];
    for (losses, dead, reason) in [
        (lossy(false), Vec::new(), DropReason::Link),
        (lossy(true), Vec::new(), DropReason::Corrupt),
        (Vec::new(), dead, DropReason::Dead),
    ] {
        let ended = losing_pauses(losses.clone(), dead.clone(), Overflows::End);
        let fault = ended.fatal.unwrap_or_else(|| panic!("{reason:?}"));
        assert_eq!((ended.end, fault.node, fault.port), (End::Overflow, switch, 0));
        let lost = fault.lost_pause.unwrap();
        assert_eq!(lost.reason, reason);
        assert!(lost.at < fault.at, "{fault:?}");
        // Where overflows are counted all is delivered in the end, and each of them is one drop.
        let counted = losing_pauses(losses, dead, Overflows::Drop);
        assert_eq!((counted.end, &counted.fatal), (End::Done, &None));
        let [overflow] = counted.overflows.as_slice() else { panic!("{:?}", counted.overflows) };
        assert_eq!((overflow.at, overflow.node, overflow.port), (fault.at, switch, 0));
        assert_eq!(overflow.lost_pause, Some(lost));
        assert_eq!(counted.drops[&(switch, 0, DropReason::Headroom)], overflow.packets);
        assert!(overflow.packets > 0);
    }
}

/// Without any room for lossless packets none is stuck: each is dropped, counted, and repeated.
#[test]
fn no_room_at_all_stops_nobody_for_ever() {
    let network = star(3);
    let mut params = with_headroom(0);
    params.switch.buffer_per_port = DataSize::ZERO;
    params.switch.overflow = Overflows::Drop;
    params.transport.timeout = Span::from_us(200);
    let flows = vec![flow(0, 2, 50 * MTU), flow(1, 2, 50 * MTU)];
    let outcome = finished(&simulation(&network, params, flows));
    let dropped: u64 = outcome.overflows.iter().map(|overflow| overflow.packets).sum();
    assert_eq!(dropped, outcome.flows.iter().map(|flow| flow.dropped).sum::<u64>());
    assert!(dropped > 0);
}
