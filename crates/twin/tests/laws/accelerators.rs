//! Accelerators beside switches (cepheus:IV.accelerator): times by hand, a rate that all groups share, limits of their
//! own, and nothing lost.

use lightloom_topology::electrical::{FatTree, NodeId};
use lightloom_twin::params::{Accelerator, Forwarding, Params, Pausing};
use lightloom_twin::{
    Data, Kind, LinkLoss, Outcome, PauseStorm, Restart, Setup, SetupError, Simulation,
};
use lightloom_units::{BitRate, DataSize, Instant, Span};
use proptest::prelude::*;

use crate::given::*;
use crate::reliable::{cast, complete, group, multicast, setup};

const LATENCY: Span = Span::from_ns(700);
const FRAME: u64 = MTU + HEADER;
/// The first packet of a WRITE says where, in 16 bytes more.
const FIRST: u64 = FRAME + 16;

/// Four ports of 100 Gb/s.
fn board() -> Accelerator {
    Accelerator {
        port_rate: G100,
        rate: BitRate::from_gbps(400),
        latency: LATENCY,
        fan_out: None,
        memory: None,
    }
}

fn beside(
    switches: impl IntoIterator<Item = usize>,
    part: Accelerator,
) -> Vec<(NodeId, Accelerator)> {
    switches.into_iter().map(|at| (NodeId::at(at), part)).collect()
}

fn first(outcome: &Outcome, host: usize, kind: Kind) -> u64 {
    arrivals(outcome, host, kind).map(|hop| hop.at.as_ps()).min().unwrap()
}

/// One packet to four members. From its arrival at the switch: into the accelerator at the rate of a port, its latency,
/// and then the copies one after another at its rate, each over a link of 100 Gb/s and 1 us.
#[test]
fn each_copy_comes_when_hand_arithmetic_says() {
    let network = star(5);
    let groups = vec![group(&[0, 1, 2, 3, 4], Data::Electrons)];
    let one = setup(&network, params(), multicast(groups, vec![cast(0, 0, 1)]));
    let board = board();
    let outcome = run(&Setup { accelerators: beside([5], board), ..one.clone() });
    complete(&outcome);
    let at_switch = first(&outcome, 5, Kind::Data);
    let comes_in = time(PREAMBLE + FIRST, G100);
    let (copy, frame) =
        (time(PREAMBLE + FIRST + GAP, board.rate), time(PREAMBLE + FIRST, board.rate));
    for (number, host) in (0..).zip([1, 2, 3, 4]) {
        let leaves = at_switch + comes_in + LATENCY.as_ps() + number * copy + frame;
        let due = leaves + time(PREAMBLE + FIRST, G100) + US.as_ps();
        assert_eq!(first(&outcome, host, Kind::Data), due, "host {host}");
    }
    // Without it, all at once.
    let alone = run(&one);
    let at_switch = first(&alone, 5, Kind::Data);
    for host in 1..5 {
        let due = at_switch + time(PREAMBLE + FIRST, G100) + US.as_ps();
        assert_eq!(first(&alone, host, Kind::Data), due);
    }
    // Answers pass it too: the last one of four makes the one that goes up.
    let last = arrivals(&outcome, 5, Kind::Ack).map(|hop| hop.at.as_ps()).max().unwrap();
    let answer = |rate| time(PREAMBLE + CONTROL, rate);
    let due =
        last + answer(G100) + LATENCY.as_ps() + answer(board.rate) + answer(G100) + US.as_ps();
    assert_eq!(first(&outcome, 0, Kind::Ack), due);
}

/// Groups share the rate. Four copies of each packet at 400 Gb/s keep the line rate of 100 Gb/s of one sender, nearly;
/// those of two senders get half each. Nothing is lost, and the senders are paused.
#[test]
fn groups_share_its_rate_and_lose_nothing() {
    let network = star(10);
    let packets = 2_000;
    let groups =
        vec![group(&[0, 1, 2, 3, 4], Data::Electrons), group(&[5, 6, 7, 8, 9], Data::Electrons)];
    let took = |casts: Vec<_>, rate| {
        let part = Accelerator { rate: BitRate::from_gbps(rate), ..board() };
        let one = setup(&network, params(), multicast(groups.clone(), casts));
        let outcome = run(&Setup { accelerators: beside([10], part), ..one });
        complete(&outcome);
        assert_eq!(outcome.drops.values().sum::<u64>(), 0);
        let (_, done) = outcome.accelerators[0];
        let ends = outcome.casts.iter().map(|cast| cast.all.received.unwrap());
        let end = ends.max().unwrap();
        // It sends no more than its rate.
        assert!(done.sending.as_ps() <= end.as_ps() + US.as_ps() * 20, "{done:?}");
        let data = 4 * packets * outcome.casts.len() as u64;
        assert!(done.copies >= data, "{done:?}");
        let least = data * time(PREAMBLE + FRAME + GAP, part.rate);
        assert!(end.as_ps() > least, "{end} is faster than {rate} Gb/s");
        // From the first data on.
        let begun = first(&outcome, 10, Kind::Data);
        (end.as_ps() - begun, done)
    };
    let both = || vec![cast(0, 0, packets), cast(5, 1, packets)];
    let (span, done) = took(both(), 400);
    // Its rate is what both wait for: it sends all the time.
    let sending = done.sending.as_ps();
    assert!(span < sending + sending / 200, "{span} {sending}");
    assert!(done.most_waiting > DataSize::from_bytes(50_000), "{done:?}");
    // One alone goes at line rate, and with twice the rate both do.
    let line = packets * time(PREAMBLE + FRAME + GAP, G100);
    for (casts, rate) in [(vec![cast(0, 0, packets)], 450), (both(), 900)] {
        let (span, _) = took(casts, rate);
        assert!(span < line + line / 50, "{span} {line}");
    }
}

/// Its own limits hold, and only at its switch.
#[test]
fn its_limits_are_those_of_its_switch() {
    let network =
        FatTree { ports: 4, hosts_per_edge: None, rate: G100, host_rate: None, delay: US }
            .network()
            .unwrap();
    let all: Vec<usize> = (0..16).collect();
    let one = setup(
        &network,
        params(),
        multicast(vec![group(&all, Data::Electrons)], vec![cast(0, 0, 5)]),
    );
    let with = |part, at: usize| run(&Setup { accelerators: beside([at], part), ..one.clone() });
    for at in 16..36 {
        complete(&with(board(), at));
    }
    let few = Accelerator { fan_out: Some(1), ..board() };
    let outcome = with(few, 16);
    let refused: Vec<NodeId> = outcome.refusals.iter().map(|refusal| refusal.switch).collect();
    assert_eq!(refused, [NodeId(16)]);
    let little = Accelerator { memory: Some(DataSize::from_bytes(10)), ..board() };
    assert_eq!(with(little, 17).refusals.len(), 1);
}

#[test]
fn setups_that_cannot_be_are_refused() {
    let network = star(3);
    let one = setup(&network, params(), multicast(vec![], vec![]));
    let refuses = |accelerators: Vec<(NodeId, Accelerator)>, params: Params| {
        Simulation::new(Setup { accelerators, params, ..one.clone() }).unwrap_err()
    };
    let no_switch =
        |node| SetupError::NoSwitch { what: "accelerator", number: 0, node: NodeId(node) };
    assert_eq!(refuses(beside([0], board()), params()), no_switch(0));
    assert_eq!(refuses(beside([9], board()), params()), no_switch(9));
    let twice = refuses(beside([3, 3], board()), params()).to_string();
    assert!(twice.contains("without another accelerator"), "{twice}");
    let slow = Accelerator { rate: BitRate::from_bps(1), ..board() };
    assert!(refuses(beside([3], slow), params()).to_string().contains("1 kb/s"));
    let mut cuts = params();
    cuts.switch.forwarding = Forwarding::CutThrough;
    assert!(refuses(beside([3], board()), cuts).to_string().contains("store and forward"));
}

/// A switch that begins anew loses what is in its accelerator, and the group goes on.
#[test]
fn a_restart_empties_it() {
    let network = star(5);
    let groups = vec![group(&[0, 1, 2, 3, 4], Data::Electrons)];
    let mut params = params();
    params.transport.timeout = Span::from_us(100);
    params.groups.register_timeout = Span::from_us(100);
    params.groups.register_tries = 1000;
    let one = setup(&network, params, multicast(groups, vec![cast(0, 0, 400)]));
    let slow = Accelerator { rate: BitRate::from_gbps(100), ..board() };
    let at = Instant::from_us(60);
    let restarts = vec![Restart { at, node: NodeId(5) }];
    let outcome = run(&Setup { accelerators: beside([5], slow), restarts, ..one });
    assert_eq!(outcome.unbalanced, []);
    assert!(outcome.drops.values().sum::<u64>() > 0);
}

proptest! {
    #![proptest_config(cases(96))]

    /// With losses, pauses and slow accelerators, at some switches of a tree or at all: every member has everything
    /// once, nothing is lost but by the losses, and threads change nothing.
    #[test]
    fn every_member_has_everything_with_any_threads(
        at in proptest::collection::btree_set(16_usize..36, 1..20),
        rate in 60_u64..900, latency in 0_u64..3_000, lossy in any::<bool>(), by_group in any::<bool>(),
        groups in proptest::collection::vec(proptest::collection::btree_set(0_usize..16, 2..10), 1..4),
        packets in 1_u64..120, storm in proptest::option::of(0_u32..16), seed in any::<u64>(),
    ) {
        let network =
            FatTree { ports: 4, hosts_per_edge: None, rate: G100, host_rate: None, delay: US }
                .network()
                .unwrap();
        let mut params = params();
        params.groups.pausing = if by_group { Pausing::Group } else { Pausing::Port };
        params.transport.timeout = Span::from_us(400);
        let members: Vec<Vec<usize>> = groups.iter().map(|of| of.iter().copied().collect()).collect();
        let casts = (0..).zip(&members).map(|(number, of)| cast(of[0], number, packets)).collect();
        let groups = members.iter().map(|of| group(of, Data::Electrons)).collect();
        let part = Accelerator {
            rate: BitRate::from_gbps(rate), latency: Span::from_ns(latency), ..board()
        };
        let losses = match lossy {
            true => vec![LinkLoss { from: NodeId(16), port: 0, rate: 0.02, burst: 1, corrupt: false }],
            false => vec![],
        };
        let storms = storm.map(|host| PauseStorm {
            host: NodeId(host), from: Instant::from_us(20), to: Instant::from_us(60),
        });
        let one = Setup {
            accelerators: beside(at, part),
            losses,
            storms: storms.into_iter().collect(),
            seed,
            ..setup(&network, params, multicast(groups, casts))
        };
        let outcome = run(&one);
        complete(&outcome);
        prop_assert!(lossy || outcome.drops.values().sum::<u64>() == 0);
        for cast in &outcome.casts {
            for receiver in &cast.receivers {
                prop_assert_eq!(receiver.in_order, packets * MTU);
            }
        }
        for threads in [2, 3] {
            let again = run(&Setup { threads, ..one.clone() });
            prop_assert_eq!(&again.casts, &outcome.casts);
            prop_assert_eq!(&again.accelerators, &outcome.accelerators);
            prop_assert!(again.trace == outcome.trace);
        }
    }
}

/// A run that ends while copies of a slow accelerator are still to be sent counts what it sent, and not what it would
/// have sent: no more than its rate gives in the time of the run.
#[test]
fn what_is_not_sent_at_the_end_of_a_run_does_not_count() {
    let network = star(12);
    let members: Vec<_> = (0..12).collect();
    let groups = vec![group(&members, Data::Electrons)];
    let one = setup(&network, params(), multicast(groups, vec![cast(0, 0, 4)]));
    let slow = Accelerator { rate: BitRate::from_gbps(1), ..board() };
    for until in [50, 100, 200].map(Span::from_us) {
        let until = Instant::ZERO + until;
        let outcome = run(&Setup {
            accelerators: beside([12], slow),
            until,
            patience: Span::from_ms(100),
            ..one.clone()
        });
        let (_, done) = outcome.accelerators[0];
        assert!(done.sending.as_ps() <= until.as_ps(), "{done:?} by {until}");
        let arrived: u64 =
            (0..12).map(|host| arrivals(&outcome, host, Kind::Data).count() as u64).sum();
        assert!(arrived <= done.copies, "{arrived} {done:?}");
    }
}
