//! Who goes first: flows at one port take turns, and those of one host share it by their rates.

use lightloom_topology::electrical::Link;
use lightloom_twin::{Flow, Kind, Outcome, Simulation};
use lightloom_units::{BitRate, Instant};

use crate::given::*;

/// The flows whose data arrives at a host, in order.
fn order(outcome: &Outcome, host: usize) -> Vec<usize> {
    arrivals(outcome, host, Kind::Data)
        .map(|hop| hop.flow.expect("data belongs to a flow").index())
        .collect()
}

fn takes_turns(order: &[usize], flows: usize) -> bool {
    order.iter().enumerate().all(|(i, &flow)| flow == i % flows)
}

#[test]
fn hosts_take_turns_at_a_port() {
    for m in [2, 3, 7] {
        let network = star(m as u32 + 1);
        let flows = (0..m).map(|host| flow(host, m, 40 * MTU)).collect();
        let mut params = params();
        params.switch.pfc = false;
        let outcome = lossless(&Simulation { traced: true, ..simulation(&network, params, flows) });
        let order = order(&outcome, m);
        assert_eq!(order.len(), 40 * m);
        assert!(takes_turns(&order, m), "{order:?}");
    }
}

#[test]
fn flows_of_a_host_take_turns() {
    for m in [2, 3, 7] {
        let network = star(2);
        let flows = (0..m).map(|_| flow(0, 1, 40 * MTU)).collect();
        let outcome =
            lossless(&Simulation { traced: true, ..simulation(&network, params(), flows) });
        let order = order(&outcome, 1);
        assert_eq!(order.len(), 40 * m);
        assert!(takes_turns(&order, m), "{order:?}");
    }
}

/// Two flows with a head start have no debt: from the moment a third begins, all three take turns.
#[test]
fn a_late_flow_gets_its_share_at_once_and_no_more() {
    let network = star(2);
    let late = Flow { start: Instant::from_us(20), ..flow(0, 1, 40 * MTU) };
    let flows = vec![flow(0, 1, 100 * MTU), flow(0, 1, 100 * MTU), late];
    let outcome = lossless(&Simulation { traced: true, ..simulation(&network, params(), flows) });
    let order = order(&outcome, 1);
    let first = order.iter().position(|&flow| flow == 2).unwrap();
    for (i, window) in order[first..first + 100].windows(3).enumerate() {
        let mut window = window.to_vec();
        window.sort_unstable();
        assert_eq!(window, [0, 1, 2], "{i} packets after the third flow began");
    }
}

/// A flow that its rate holds back leaves the rest of the link to its neighbour: host 0 sends to a
/// host of 10 Gb/s and to one of 40.
#[test]
fn flows_of_a_host_share_by_their_rates() {
    let (fast, slow) = (BitRate::from_gbps(40), BitRate::from_gbps(10));
    let links: Vec<Link> = vec![(0, 3, fast, US), (1, 3, slow, US), (2, 3, fast, US)];
    let network = wired(3, 1, &links);
    let flows = vec![flow(0, 1, 1 << 30), flow(0, 2, 1 << 30)];
    let (from, until) = (Instant::from_ms(20), Instant::from_ms(40));
    let outcome =
        run(&Simulation { traced: true, until, ..simulation(&network, with_dcqcn(), flows) });
    let gbps = |host: usize| {
        let late = arrivals(&outcome, host, Kind::Data).filter(|hop| hop.at >= from);
        late.map(|hop| f64::from(hop.packet.bytes) * 8.0).sum::<f64>() / 0.02 / 1e9
    };
    let (held, free) = (gbps(1), gbps(2));
    assert!((8.0..=10.0).contains(&held), "{held} Gb/s");
    assert!((28.0..=32.0).contains(&free), "{held} and {free} Gb/s");
}
