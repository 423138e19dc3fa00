//! Messages that hosts hand on: chains and trees of overlays (cepheus:II-C.overlays).

use lightloom_twin::{Flow, FlowId, Setup};
use lightloom_units::{BitRate, Instant, Span};

use crate::given::*;

fn after(before: u32, flow: Flow) -> Flow {
    Flow { after: vec![FlowId(before)], ..flow }
}

/// How long a message of full packets takes over a switch, from the first bit to the last packet.
fn alone(packets: u64) -> u64 {
    let frame = |overhead: u64| time(MTU + HEADER + overhead, G100);
    (packets - 1) * frame(PREAMBLE + GAP) + 2 * (frame(PREAMBLE) + US.as_ps())
}

/// Along a chain every host waits for all of the message, and hands it on after the stack's time: n hosts
/// on take n times that, to the picosecond.
#[test]
fn chains_add_up() {
    let network = star(5);
    let mut params = params();
    let (send, receive, forward) = (Span::from_ns(700), Span::from_ns(900), Span::from_ns(1_300));
    (params.stack.send, params.stack.receive, params.stack.forward) = (send, receive, forward);
    // For each packet, and 100 ps for each byte.
    (params.stack.packet, params.stack.copy) = (Span::from_ns(3), Some(BitRate::from_gbps(80)));
    let data = Span::from_ps(10 * 3_000 + 10 * MTU * 100);
    let (send, receive, forward) = (send + data, receive + data, forward + data);
    let flows = (0..4).map(|i: usize| {
        let flow = flow(i, i + 1, 10 * MTU);
        if i == 0 { flow } else { after(i as u32 - 1, flow) }
    });
    let outcome = lossless(&simulation(&network, params, flows.collect()));
    for hop in 0..4 {
        let on = hop as u64;
        let arrives = send.as_ps() + alone(10) + on * (forward.as_ps() + alone(10));
        assert_eq!(received(&outcome, hop), arrives + receive.as_ps(), "hop {hop}");
        if hop > 0 {
            let before = Instant::from_ps(received(&outcome, hop - 1) - receive.as_ps());
            assert_eq!(outcome.flows[hop].asked, Some(before), "asked for when all has arrived");
        }
    }
}

/// A message is not handed on before its own start, and one of which the first half never arrives never is.
#[test]
fn hosts_wait_for_what_they_hand_on() {
    let network = star(4);
    let late = Instant::from_us(500);
    let flows = vec![flow(0, 1, 3 * MTU), Flow { start: late, ..after(0, flow(1, 2, MTU)) }];
    let outcome = lossless(&simulation(&network, params(), flows));
    assert_eq!(outcome.flows[1].asked, Some(late));
    assert_eq!(received(&outcome, 1), late.as_ps() + alone(1));

    let flows = vec![flow(0, 1, 1000 * MTU), after(0, flow(1, 2, MTU))];
    let early = Setup { until: Instant::from_us(50), ..simulation(&network, params(), flows) };
    let outcome = run(&early);
    assert_eq!((outcome.flows[1].asked, outcome.flows[1].sent), (None, 0));
}

/// In a binomial tree of eight hosts three rounds reach all, the same for any number of threads.
#[test]
fn trees_reach_all() {
    let network = star(8);
    let mut flows: Vec<Flow> = Vec::new();
    let mut has = [None; 8];
    for round in [4, 2, 1] {
        for from in (0..8).step_by(2 * round) {
            let send = flow(from, from + round, 5 * MTU);
            let number = flows.len() as u32;
            flows.push(match has[from] {
                Some(before) => after(before, send),
                None => send,
            });
            has[from + round] = Some(number);
        }
    }
    let one = simulation(&network, params(), flows);
    let outcome = lossless(&one);
    let last = last_received(&outcome);
    assert!(last >= 3 * alone(5), "three rounds one after the other");
    for threads in [2, 7] {
        assert_eq!(lossless(&Setup { threads, ..one.clone() }).flows, outcome.flows);
    }
}
