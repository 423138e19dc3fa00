//! A core of optical circuit switches: frames cross a circuit only while it is there, and everything arrives.

use std::collections::BTreeMap;

use lightloom_topology::electrical::{CircuitCore, Link, Network, NodeId};
use lightloom_twin::{
    CircuitHops, Circuits, Class, End, Flow, Hop, Kind, Opening, Outcome, Setup, SetupError,
    Simulation, buffer_sizes,
};
use lightloom_units::{DataSize, Instant, Span};
use proptest::prelude::*;

use crate::given::*;

fn core(tors: usize, each: usize, switches: u16) -> Network {
    let names = |kind: &str, n: usize| (0..n).map(|i| format!("{kind}{i}")).collect::<Vec<_>>();
    let (hosts, tors) = (names("h", tors * each), names("t", tors));
    let link = (G100, US);
    CircuitCore { hosts: &hosts, tors: &tors, switches, circuit: link, host: link }
        .network()
        .unwrap()
}

/// The port of a ToR to another one, by their numbers.
fn port(each: usize, from: usize, to: usize) -> u16 {
    (each + if to < from { to } else { to - 1 }) as u16
}

/// A schedule from what each pair of ToRs has.
fn schedule(
    (tors, each): (usize, usize),
    period: Span,
    hops: CircuitHops,
    times: impl Fn(usize, usize) -> Vec<(Span, Span)>,
) -> Circuits {
    let pairs = (0..tors).flat_map(|from| (0..tors).map(move |to| (from, to)));
    let openings = pairs.filter(|(from, to)| from != to).map(|(from, to)| Opening {
        from: NodeId::at(tors * each + from),
        port: port(each, from, to),
        times: times(from, to),
    });
    Circuits { period, openings: openings.collect(), hops }
}

const SLOT: Span = Span::from_us(20);
const DARK: Span = Span::from_us(2);

/// One circuit switch: in slot s ToR i sends to ToR i + s + 1. Frames begin after it was set and before the time of the
/// longest frame is left.
fn rotor(tors: usize, each: usize, hops: CircuitHops) -> Circuits {
    let guard = time(PREAMBLE + MTU + 78 + GAP, G100);
    schedule((tors, each), SLOT * (tors as u64 - 1), hops, |from, to| {
        let slot = (to + tors - from) % tors - 1;
        let begins = SLOT * slot as u64;
        vec![(begins + DARK, Span::from_ps((begins + SLOT).as_ps() - guard))]
    })
}

fn with<'a>(network: &'a Network, circuits: &Circuits, flows: Vec<Flow>) -> Setup<'a> {
    let mut params = params();
    params.transport.timeout = Span::from_ms(5);
    params.switch.buffer = DataSize::from_bytes(50_000_000);
    Setup { circuits: Some(circuits.clone()), ..simulation(network, params, flows) }
}

/// The first time from `at` on at which a frame may begin.
fn opens(circuits: &Circuits, from: NodeId, port: u16, at: u64) -> u64 {
    let opening = circuits.openings.iter().find(|one| one.from == from && one.port == port);
    let (times, period) = (&opening.unwrap().times, circuits.period.as_ps());
    let round = at / period;
    let all = (round..round + 2).flat_map(|round| {
        times
            .iter()
            .map(move |(from, to)| (round * period + from.as_ps(), round * period + to.as_ps()))
    });
    let mut fits = all.filter(|&(_, to)| at < to).map(|(from, _)| from.max(at));
    fits.next().unwrap()
}

#[test]
fn a_circuit_that_never_changes_is_a_link() {
    let period = Span::from_us(7);
    let always = schedule((2, 2), period, CircuitHops::Direct, |_, _| vec![(Span::ZERO, period)]);
    let over = core(2, 2, 1);
    let links: Vec<Link> =
        [(0, 4), (1, 4), (2, 5), (3, 5), (4, 5)].map(|(a, b)| (a, b, G100, US)).to_vec();
    let link = wired(4, 2, &links);
    for bytes in [1, 64, MTU, 10 * MTU + 7, 300 * MTU] {
        for class in [Class::LOSSLESS, Class::LOSSY] {
            let flows = vec![Flow { class, ..flow(0, 2, bytes) }];
            let (one, other) = (
                run(&with(&over, &always, flows.clone())),
                run(&Setup { circuits: None, ..with(&link, &always, flows) }),
            );
            let told = |outcome: &Outcome| {
                let flow = &outcome.flows[0];
                (flow.received, flow.acknowledged, flow.sent, outcome.end)
            };
            assert_eq!(told(&one), told(&other), "{bytes} bytes");
            assert_eq!(one.end, End::Done);
        }
    }
}

/// Packets leave their ToR as soon as they are there, the wire is free, and the circuit is there.
#[test]
fn one_flow_over_a_rotor_is_the_closed_form() {
    let (tors, each) = (5, 2);
    let network = core(tors, each, 1);
    let circuits = rotor(tors, each, CircuitHops::Direct);
    for (to, packets, start) in [(2, 1, 0), (4, 40, 0), (6, 500, 33_000_000), (8, 90, 79_999_999)] {
        let one = Flow {
            start: Instant::from_ps(start),
            class: Class::LOSSY,
            ..flow(0, to, packets * MTU)
        };
        let mut setup = with(&network, &circuits, vec![one]);
        setup.params.transport.ack_every = u32::MAX;
        let outcome = run(&setup);
        assert_eq!(outcome.end, End::Done);
        let (own, port) = (NodeId::at(tors * each), port(each, 0, to / each));
        let (on_wire, period) =
            (time(PREAMBLE + MTU + HEADER, G100), time(PREAMBLE + MTU + HEADER + GAP, G100));
        let (mut free, mut last) = (0, 0);
        for packet in 0..packets {
            let there = start + packet * period + on_wire + US.as_ps();
            let begins = opens(&circuits, own, port, there.max(free));
            free = begins + period;
            last = begins + on_wire + US.as_ps();
        }
        let arrives = last + on_wire + US.as_ps();
        assert_eq!(outcome.flows[0].received.unwrap().as_ps(), arrives, "to host {to}");
        assert_eq!(outcome.flows[0].repeated, 0);
    }
}

/// Every host sends 64 bytes to every host of the other ToRs at once: each packet goes with its circuit's next turn.
#[test]
fn all_to_all_over_a_rotor_is_the_closed_form() {
    let (tors, each) = (6, 1);
    let network = core(tors, each, 1);
    let circuits = rotor(tors, each, CircuitHops::Direct);
    let pairs = (0..tors).flat_map(|from| (0..tors).map(move |to| (from, to)));
    let pairs: Vec<_> = pairs.filter(|(from, to)| from != to).collect();
    let of = |&(from, to): &(usize, usize)| Flow { class: Class::LOSSY, ..flow(from, to, 64) };
    let outcome = run(&with(&network, &circuits, pairs.iter().map(of).collect()));
    assert_eq!(outcome.end, End::Done);
    let on_wire = time(PREAMBLE + 64 + HEADER, G100);
    for (at, &(from, to)) in pairs.iter().enumerate() {
        // A host sends its packets by the order of its flows.
        let before = pairs[..at].iter().filter(|(other, _)| *other == from).count() as u64;
        let there = before * time(PREAMBLE + 64 + HEADER + GAP, G100) + on_wire + US.as_ps();
        let begins = opens(&circuits, NodeId::at(tors + from), port(each, from, to), there);
        // The acknowledgement of what came the other way in an earlier slot waits for the same circuit, and goes first.
        let slot = |from: usize, to: usize| (to + tors - from) % tors - 1;
        let earlier = slot(to, from) < slot(from, to);
        let before = if earlier { time(PREAMBLE + CONTROL + GAP, G100) } else { 0 };
        let arrives = begins + before + 2 * (on_wire + US.as_ps());
        assert_eq!(outcome.flows[at].received.unwrap().as_ps(), arrives, "{from} to {to}");
    }
    // All of it within one turn of the rotor and the way.
    let last = outcome.flows.iter().map(|flow| flow.received.unwrap().as_ps()).max().unwrap();
    assert!(last <= (circuits.period + SLOT).as_ps());
}

/// Two hops use circuits that direct packets leave idle, so one large flow is sooner there; packets pass each other.
#[test]
fn two_hops_are_faster_for_one_flow_and_reorder() {
    let (tors, each) = (8, 1);
    let network = core(tors, each, 1);
    let one = |hops| {
        let bytes = 2_000 * MTU;
        let flows = vec![Flow { class: Class::LOSSY, ..flow(0, 5, bytes) }];
        let mut setup = with(&network, &rotor(tors, each, hops), flows);
        setup.params.transport.recovery = selective(1 << 14);
        setup.params.transport.timeout = Span::from_ms(50);
        run(&setup)
    };
    let (direct, two) = (one(CircuitHops::Direct), one(CircuitHops::Two));
    assert_eq!((direct.end, two.end), (End::Done, End::Done));
    let received = |outcome: &Outcome| outcome.flows[0].received.unwrap();
    assert!(received(&two) < received(&direct), "{two:?}");
    assert_eq!(direct.flows[0].repeated, 0);
}

/// What crosses circuits, by transmitter, with the time at which it began.
fn crossings(setup: &Setup<'_>, outcome: &Outcome) -> Vec<(Hop, NodeId, u16, u64)> {
    let simulation: Simulation<'_> = checked(setup);
    let network = setup.network;
    let hops = outcome.trace.iter().filter(|hop| {
        !network.is_host(hop.node) && network.is_circuit(hop.node, usize::from(hop.port))
    });
    hops.map(|hop| {
        let link = &network.ports(hop.node)[usize::from(hop.port)];
        let began =
            simulation.left((hop.node, hop.port), (hop.packet.kind, hop.packet.bytes), hop.at);
        (*hop, link.peer, link.peer_port.0, began.as_ps())
    })
    .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]
    /// Frames begin only in openings, at most two circuits are crossed, nothing is dropped where the buffer is large,
    /// everything arrives once, and any number of threads gives the same.
    #[test]
    fn frames_keep_to_the_schedule(
        (tors, each) in (2_usize..7, 1_usize..3),
        flows in proptest::collection::vec(
            (0_usize..60, 1_usize..60, 1_u64..60_000, 0_u64..200_000_000, any::<bool>()), 1..12,
        ),
        cuts in proptest::collection::vec(1_u64..40, 30),
        two in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let network = core(tors, each, 2);
        let hops = if two { CircuitHops::Two } else { CircuitHops::Direct };
        let period = Span::from_us(200);
        // Each pair has two openings at drawn places.
        let circuits = schedule((tors, each), period, hops, |from, to| {
            let (a, b) = (cuts[(7 * from + to) % 30], cuts[(from + 5 * to) % 30]);
            vec![(Span::from_us(a), Span::from_us(a + 20)), (Span::from_us(90 + b), Span::from_us(91 + 2 * b))]
        });
        let hosts = tors * each;
        let flows: Vec<Flow> = flows.into_iter().map(|(from, by, bytes, start, lossy)| {
            let (from, to) = (from % hosts, (from + 1 + by % (hosts - 1)) % hosts);
            let class = if lossy { Class::LOSSY } else { Class::LOSSLESS };
            Flow { start: Instant::from_ps(start), class, ..flow(from, to, bytes) }
        }).collect();
        let mut setup = with(&network, &circuits, flows);
        setup.params.transport.recovery = selective(1 << 12);
        setup.params.transport.timeout = Span::from_ms(20);
        setup.traced = true;
        setup.seed = seed;
        let outcome = finished(&setup);
        prop_assert!(outcome.drops.is_empty() && outcome.overflows.is_empty());
        let mut circuits_of: BTreeMap<(u32, u32, u32), usize> = BTreeMap::new();
        for (hop, from, port, began) in crossings(&setup, &outcome) {
            prop_assert_eq!(opens(&circuits, from, port, began), began, "{:?} of {} at {}", hop, from, began);
            if hop.packet.kind == Kind::Data {
                let key = (hop.flow.map_or(0, |flow| flow.0), hop.packet.psn.get(), hop.packet.qp);
                *circuits_of.entry(key).or_default() += 1;
            }
        }
        for flow in &outcome.flows {
            prop_assert!(flow.received.is_some() && flow.dropped == 0);
        }
        // No pause ever crosses a circuit.
        let paused = outcome.trace.iter().filter(|hop| hop.packet.kind == Kind::Pause);
        for hop in paused {
            prop_assert!(network.is_host(hop.node));
        }
        if outcome.flows.iter().all(|flow| flow.repeated == 0) {
            let most = if two { 2 } else { 1 };
            prop_assert!(circuits_of.values().all(|&crossed| crossed <= most), "{circuits_of:?}");
        }
        for threads in [2, 3] {
            let other = finished(&Setup { threads, ..setup.clone() });
            prop_assert_eq!(&other.flows, &outcome.flows);
            prop_assert_eq!(&other.trace, &outcome.trace);
        }
    }
}

/// Hosts are paused by their ToR while its circuits are closed, and no ToR pauses another one: what is too much for its
/// buffer is dropped there.
#[test]
fn pauses_go_to_hosts_alone() {
    let network = core(3, 2, 1);
    // ToRs 0 and 1 have circuits to ToR 2 at the same time, as two circuit switches would give them.
    let period = Span::from_us(100);
    let circuits = schedule((3, 2), period, CircuitHops::Direct, |_, _| {
        vec![(Span::from_us(20), Span::from_us(99))]
    });
    let flows = vec![flow(0, 4, 2_000 * MTU), flow(2, 4, 2_000 * MTU)];
    let mut setup = with(&network, &circuits, flows);
    setup.params.switch.buffer = DataSize::from_bytes(400_000);
    setup.params.switch.headroom_per_port = DataSize::from_bytes(60_000);
    setup.params.transport.timeout = Span::from_us(500);
    setup.traced = true;
    let outcome = run(&setup);
    assert_eq!((outcome.end, &outcome.fatal), (End::Done, &None));
    let pauses: Vec<&Hop> =
        outcome.trace.iter().filter(|hop| hop.packet.kind == Kind::Pause).collect();
    assert!(!pauses.is_empty() && pauses.iter().all(|hop| network.is_host(hop.node)));
    let last = NodeId::at(6 + 2);
    assert!(!outcome.drops.is_empty());
    assert!(outcome.drops.keys().all(|drop| drop.0 == last), "{:?}", outcome.drops);
}

/// The buffer of a ToR grows by its hosts' ports and one for each circuit switch, and headroom is for hosts alone.
#[test]
fn a_buffer_counts_real_ports() {
    let network = core(6, 2, 3);
    let mut params = params();
    params.switch.buffer = DataSize::from_bytes(7);
    params.switch.buffer_per_port = DataSize::from_bytes(1_000);
    params.switch.headroom_per_port = DataSize::from_bytes(100_000);
    let tor = NodeId::at(6 * 2);
    let ports = network.ports(tor).len() as u64;
    assert_eq!(ports, 2 + 5);
    let sizes = buffer_sizes(&network, &params.switch, tor, ports);
    let bytes = [sizes.shared, sizes.reserved].map(DataSize::as_bytes);
    assert_eq!(bytes, [7 + (2 + 3) * 1_000, 2 * 100_000]);
}

#[test]
fn schedules_that_cannot_be_are_refused() {
    let network = core(3, 1, 1);
    let sound = rotor(3, 1, CircuitHops::Direct);
    let checked = |circuits: Option<Circuits>| {
        Simulation::new(Setup { circuits, ..simulation(&network, params(), Vec::new()) }).err()
    };
    assert_eq!(checked(Some(sound.clone())), None);
    let is_refused = |change: &dyn Fn(&mut Circuits)| {
        let mut circuits = sound.clone();
        change(&mut circuits);
        matches!(checked(Some(circuits)), Some(SetupError::Parameter { .. }))
    };
    assert!(is_refused(&|circuits| circuits.period = Span::ZERO));
    assert!(is_refused(&|circuits| circuits.period = Span::from_us(10)));
    assert!(is_refused(&|circuits| circuits.openings.truncate(5)));
    assert!(is_refused(&|circuits| circuits.openings[1].times.clear()));
    assert!(is_refused(&|circuits| circuits.openings[1].port = 0));
    assert!(is_refused(&|circuits| circuits.openings[1].from = NodeId(99)));
    assert!(is_refused(&|circuits| circuits.openings[1] = circuits.openings[0].clone()));
    assert!(is_refused(&|circuits| circuits.openings[1].times.push((Span::ZERO, US))));
    assert!(matches!(checked(None), Some(SetupError::Parameter { name: "circuits", .. })));
    let plain = star(3);
    let setup = Setup { circuits: Some(sound), ..simulation(&plain, params(), Vec::new()) };
    assert!(Simulation::new(setup).is_err());
}
