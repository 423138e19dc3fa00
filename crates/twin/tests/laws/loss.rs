//! Loss at random and of dead links, and what it costs each transport.

use lightloom_topology::electrical::{Network, NodeId};
use lightloom_twin::params::Recovery;
use lightloom_twin::{Class, DeadLink, DropReason, Flow, Kind, LinkLoss, Outcome, Setup};
use lightloom_units::{Instant, Span};

use crate::given::*;

/// Loss on these ports.
pub fn on(network: &Network, ports: &[(usize, u16)], rate: f64, burst: u32) -> Vec<LinkLoss> {
    assert!(ports.iter().all(|port| port.0 < network.nodes()));
    let loss = |&(node, port): &(usize, u16)| {
        let from = NodeId::at(node);
        LinkLoss { from, port, rate, burst, corrupt: false }
    };
    ports.iter().map(loss).collect()
}

/// One flow of so many packets from host 0 to host 1, whose way out of host 0 loses packets.
fn over_loss(rate: f64, burst: u32, packets: u64, recovery: Recovery, seed: u64) -> Outcome {
    let network = star(2);
    let mut params = params();
    (params.transport.recovery, params.transport.timeout) = (recovery, Span::from_us(100));
    let losses = on(&network, &[(0, 0)], rate, burst);
    let flows = vec![flow(0, 1, packets * MTU)];
    let simulation = simulation(&network, params, flows);
    finished(&Setup { losses, seed, ..simulation })
}

/// Packets that the way out of host 0 lost, and those that went out.
fn share_lost(outcome: &Outcome) -> (f64, f64) {
    let link = &outcome.links[0];
    assert_eq!((link.from, link.port), (NodeId(0), 0));
    (link.lost as f64, link.sent as f64)
}

/// Independent losses: binomial, sigma = sqrt(n p (1 - p)).
#[test]
fn independent_losses_have_their_rate() {
    for (seed, p) in [(1, 0.001), (2, 0.01), (3, 0.1), (4, 0.3), (5, 0.7)] {
        let (lost, sent) = share_lost(&over_loss(p, 1, 20_000, selective(64), seed));
        let sigma = (sent * p * (1.0 - p)).sqrt();
        assert!((lost - sent * p).abs() < 4.0 * sigma, "{lost} of {sent} at {p}");
    }
}

/// For a share p to be lost in bursts of b, geometric runs of b/p - b packets on average must pass
/// between them. Their standard deviation is no larger, so that the number of bursts in n packets
/// varies by at most sqrt(n p / b).
#[test]
fn bursts_have_their_rate() {
    for (seed, p, b) in [(1, 0.01, 10), (2, 0.05, 4), (3, 0.2, 8), (4, 0.3, 20)] {
        let (lost, sent) = share_lost(&over_loss(p, b, 100_000, selective(64), seed));
        let sigma = f64::from(b) * (sent * p / f64::from(b)).sqrt();
        let expected = sent * p;
        assert!((lost - expected).abs() < 4.0 * sigma, "{lost} of {sent} at {p} by {b}");
    }
}

/// Runs of packets between losses are geometric, and losses come in whole bursts.
#[test]
fn gaps_are_geometric_and_bursts_whole() {
    let network = star(2);
    for (p, b) in [(0.02, 1), (0.02, 5)] {
        // Packets without acknowledgement within the run: nothing is repeated before the end.
        let mut params = params();
        params.transport.timeout = Span::from_s(9);
        params.transport.recovery = selective(1 << 20);
        let losses = on(&network, &[(0, 0)], p, b)
            .into_iter()
            .chain(on(&network, &[(1, 0)], 1.0, 1))
            .collect();
        let flows = vec![flow(0, 1, 100_000 * MTU)];
        let until = Instant::from_ms(100);
        let simulation = simulation(&network, params, flows);
        let outcome = run(&Setup { losses, until, traced: true, ..simulation });
        let seen: Vec<u32> =
            arrivals(&outcome, 1, Kind::Data).map(|hop| hop.packet.psn.get()).collect();
        let lost: Vec<u32> = seen.windows(2).map(|w| w[1] - w[0] - 1).filter(|&l| l > 0).collect();
        assert!(lost.iter().all(|lost| lost % b == 0), "bursts of {b}");
        let losses = lost.iter().map(|&lost| f64::from(lost / b)).sum::<f64>();
        let begins = losses / (losses + seen.len() as f64);
        let expected = p / f64::from(b) / (1.0 - p + p / f64::from(b));
        let sigma = (expected / seen.len() as f64).sqrt();
        assert!((begins - expected).abs() < 4.0 * sigma, "{begins} and not {expected}");
        // Memoryless: of the runs, a share (1-begins)^k is longer than k.
        let mut runs = Vec::new();
        let mut run = 0_u32;
        for window in seen.windows(2) {
            run += 1;
            if window[1] != window[0] + 1 {
                runs.push(run);
                run = 0;
            }
        }
        for k in [10, 50, 150] {
            let longer = runs.iter().filter(|&&run| run > k).count() as f64 / runs.len() as f64;
            let expected = (1.0 - expected).powi(k as i32);
            let sigma = (expected * (1.0 - expected) / runs.len() as f64).sqrt();
            assert!((longer - expected).abs() < 4.0 * sigma, "{longer} and not {expected}");
        }
    }
}

/// A corrupt packet takes its time on the link, and falls where it is checked.
#[test]
fn corrupt_packets_travel() {
    let network = star(2);
    let mut losses = on(&network, &[(0, 0), (2, 1)], 0.05, 1);
    losses.iter_mut().for_each(|loss| loss.corrupt = true);
    let flows = vec![flow(0, 1, 2000 * MTU)];
    let mut params = params();
    params.transport.recovery = selective(64);
    params.transport.timeout = Span::from_us(100);
    let simulation = simulation(&network, params, flows);
    let outcome = finished(&Setup { losses, traced: true, ..simulation });
    let places: Vec<_> = outcome.drops.keys().copied().collect();
    let corrupt = |node| (NodeId(node), 0, DropReason::Corrupt);
    assert_eq!(places, [corrupt(1), corrupt(2)]);
    assert!(outcome.links.iter().all(|link| link.lost == 0 && link.sent == link.received));
    let wrong = outcome.trace.iter().filter(|hop| hop.packet.is_corrupt()).count() as u64;
    assert_eq!(wrong, outcome.drops.values().sum::<u64>());
    assert_eq!(outcome.flows[0].dropped, wrong);
}

/// Go-back-N (cepheus:V-C.transport) sends W packets in vain for each loss: those of one round trip, from the lost
/// packet to the negative acknowledgement of its successor. With probability p the repetition is lost too, and then
/// only the timeout T of R packets helps, as often as needed: a packet costs 1 + p (W + R p / (1 - p)) packet times.
/// Losses are binomial; 4 sigma of their number, and of the number of timeouts, are allowed.
#[test]
fn go_back_n_wastes_a_round_trip_for_each_loss() {
    let (n, period) = (40_000_u64, time(MTU + HEADER + PREAMBLE + GAP, G100) as f64);
    let frame = |bytes| time(PREAMBLE + bytes, G100) as f64;
    // The successor is out after one period more, and crosses two links; so does the answer. The
    // sender then waits for the end of the packet that it is sending.
    let answer = period + 2.0 * (frame(MTU + HEADER) + frame(CONTROL)) + 4e6;
    let w = (answer / period).ceil();
    let r = 100e6 / period;
    for (seed, p) in [(1, 0.0003), (2, 0.001), (3, 0.004)] {
        let outcome = over_loss(p, 1, n, Recovery::GoBackN, seed);
        let (n, q) = (n as f64, p / (1.0 - p));
        let expected = n * (1.0 + p * (w + r * q));
        let sigma = ((n * p).sqrt() * w).hypot((n * p * q).sqrt() * r);
        let sent = outcome.flows[0].sent as f64;
        assert!((sent - expected).abs() < 4.0 * sigma, "{sent} packets and not {expected} at {p}");
        // The sender never rests, so that goodput is n / sent.
        let took = last_received(&outcome) as f64 / period;
        assert!((took - sent).abs() < w + 1.0, "{took} packet times for {sent} packets");
    }
}

/// Selective repeat sends again what was lost and no more.
#[test]
fn selective_repeat_sends_only_what_was_lost() {
    let n = 40_000;
    let period = time(MTU + HEADER + PREAMBLE + GAP, G100) as f64;
    for (seed, p) in [(1, 0.0003), (2, 0.001), (3, 0.01)] {
        let outcome = over_loss(p, 1, n, selective(64), seed);
        let flow = &outcome.flows[0];
        assert!(flow.repeated <= flow.dropped + flow.timeouts, "{flow:?}");
        let (n, sent) = (n as f64, flow.sent as f64);
        let sigma = (sent * p * (1.0 - p)).sqrt();
        assert!((n / sent - (1.0 - p)).abs() < 4.0 * sigma / sent, "{sent} at {p}");
        // A second loss of the same packet waits for the timeout, with the window shut.
        let rests = flow.timeouts as f64 * 120e6 / period;
        let took = last_received(&outcome) as f64 / period;
        assert!(took < sent + rests + 20.0, "{took} packet times for {sent} and {rests}");
    }
}

/// A single packet that is lost is repeated after the short timeout: nothing else tells of it.
#[test]
fn a_lost_single_packet_waits_for_the_short_timeout() {
    let network = star(2);
    let mut params = params();
    params.transport.recovery = selective(64);
    let from = Instant::ZERO;
    let dead = vec![DeadLink { node: NodeId(0), port: 0, from, to: Instant::from_us(1) }];
    let flows = vec![flow(0, 1, 100)];
    let outcome = finished(&Setup { dead, ..simulation(&network, params, flows) });
    let (there, short) = (2 * (time(PREAMBLE + 100 + HEADER, G100) + 1_000_000), 100_000_000);
    assert_eq!(received(&outcome, 0), short + there);
}

/// Packets fall on a dead link only while it is dead, and come through after it.
#[test]
fn dead_links_return() {
    let network = dumbbell(2, G100);
    let (from, to) = (Instant::from_us(50), Instant::from_us(900));
    for recovery in [Recovery::GoBackN, selective(64)] {
        for class in [Class::LOSSLESS, Class::LOSSY] {
            let mut params = params();
            (params.transport.recovery, params.transport.timeout) = (recovery, Span::from_us(300));
            let flows = [flow(0, 2, 500 * MTU), flow(3, 1, 500 * MTU)];
            let flows = flows.map(|flow| Flow { class, ..flow }).to_vec();
            // The port of the first switch to the second, named from there.
            let dead = vec![DeadLink { node: NodeId(4), port: 2, from, to }];
            let simulation = Setup { dead, traced: true, ..simulation(&network, params, flows) };
            let outcome = finished(&simulation);
            assert!(outcome.drops.keys().all(|drop| drop.2 == DropReason::Dead));
            let ends: Vec<_> = outcome.drops.keys().map(|drop| drop.0).collect();
            assert!(ends.iter().all(|end| [NodeId(4), NodeId(5)].contains(end)), "{ends:?}");
            let lost: Vec<u64> = outcome.flows.iter().map(|flow| flow.dropped).collect();
            assert!(lost.iter().all(|&lost| lost > 0), "{lost:?}");
            let early = Setup { until: from, ..simulation.clone() };
            assert!(run(&early).drops.is_empty());
            let late = Setup { until: to, ..simulation.clone() };
            assert_eq!(run(&late).drops, outcome.drops, "nothing falls after its return");
        }
    }
}

/// A link that dies twice loses packets twice, and nothing between.
#[test]
fn links_die_again() {
    let network = dumbbell(2, G100);
    let us = Instant::from_us;
    let mut params = params();
    params.transport.timeout = Span::from_us(300);
    let flows = vec![flow(0, 2, 1500 * MTU)];
    let once = |from, to| DeadLink { node: NodeId(4), port: 2, from, to };
    let (first, second) = (once(us(50), us(60)), once(us(400), us(410)));
    let dropped = |dead: Vec<DeadLink>| {
        let simulation = Setup { dead, ..simulation(&network, params, flows.clone()) };
        finished(&simulation).drops.values().sum::<u64>()
    };
    let (one, other) = (dropped(vec![first]), dropped(vec![second]));
    let both = dropped(vec![first, second]);
    assert!(one > 0 && other > 0);
    assert!(both > one, "the second death counts as well: {both}, {one}");
    assert_eq!(both, dropped(vec![second, first]), "whatever the order in which they are given");
}
