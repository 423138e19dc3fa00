//! Completion times to the picosecond.
//!
//! A frame of b bytes takes F(b) = b + preamble at the link's rate until its last bit is out, and
//! blocks the link for P(b) = F(b) + gap. d is the delay of a link, L the latency of a switch.

use lightloom_topology::electrical::{Link, Network};
use lightloom_twin::params::{Forwarding, Params, Stack};
use lightloom_twin::{Flow, Verb};
use lightloom_units::{BitRate, DataSize, Instant, Span};
use proptest::prelude::*;

use crate::given::*;

const D: u64 = US.as_ps();
const FULL: u64 = MTU + HEADER;

fn frame(bytes: u64, rate: BitRate) -> u64 {
    time(PREAMBLE + bytes, rate)
}

fn period(bytes: u64, rate: BitRate) -> u64 {
    time(PREAMBLE + bytes + GAP, rate)
}

/// The frames of a message: the first of a WRITE is 16 bytes longer.
fn frames(bytes: u64, verb: Verb) -> Vec<u64> {
    let packets = bytes.div_ceil(MTU).max(1);
    let frame = |i: u64| (bytes - i * MTU).min(MTU) + HEADER;
    let mut frames: Vec<u64> = (0..packets).map(frame).collect();
    frames[0] += if verb == Verb::Write { 16 } else { 0 };
    frames
}

fn write(flow: Flow) -> Flow {
    Flow { verb: Verb::Write, ..flow }
}

fn costs() -> Stack {
    Stack {
        send: Span::from_ps(1_234_567),
        receive: Span::from_ps(7_654_321),
        forward: Span::ZERO,
        packet: Span::from_ps(12_345),
        // 25 ps for each byte.
        copy: Some(BitRate::from_gbps(320)),
    }
}

fn cut_through(params: &mut Params) {
    params.switch.forwarding = Forwarding::CutThrough;
    params.switch.latency = Span::from_ns(350);
}

/// The first frame is the longest, so that the others stand right behind it at every switch:
/// k switches × (first frame + d + L) + P of all but the last + last frame + d.
#[test]
fn one_flow() {
    let sizes = [0, 1, MTU - 1, MTU, MTU + 1, 2 * MTU, 7 * MTU - 1, 50 * MTU, 50 * MTU + 1];
    let rates = [G100, BitRate::from_bps(25_781_250_001), BitRate::from_gbps(7)];
    for (k, rate) in (1..=5_usize).flat_map(|k| rates.map(|rate| (k, rate))) {
        let network = dumbbell(k, rate);
        for (bytes, verb) in sizes.iter().flat_map(|&s| [(s, Verb::Send), (s, Verb::Write)]) {
            for (cut, stack) in [(false, false), (false, true), (true, false), (true, true)] {
                let (k, frames) = (k as u64, frames(bytes, verb));
                let mut params = params();
                params.transport.ack_every = u32::MAX;
                if cut {
                    cut_through(&mut params);
                }
                if stack {
                    params.stack = costs();
                }
                let latency = params.switch.latency.as_ps();
                // What a switch waits for: the frame, or its first 62 bytes.
                let waits = |bytes: u64| frame(if cut { bytes.min(62) } else { bytes }, rate);
                let (last, others) = frames.split_last().unwrap();
                let behind: u64 = others.iter().map(|&bytes| period(bytes, rate)).sum();
                let way = k * (waits(frames[0]) + D + latency) + behind + frame(*last, rate) + D;
                let back = k * (waits(CONTROL) + D + latency) + frame(CONTROL, rate) + D;

                let start = 777;
                let flow = Flow { verb, start: Instant::from_ps(start), ..flow(0, 2, bytes) };
                let outcome = lossless(&simulation(&network, params, vec![flow]));
                let data = if stack { 12_345 * frames.len() as u64 + 25 * bytes } else { 0 };
                let send = params.stack.send.as_ps() + data;
                let receive = params.stack.receive.as_ps() + data;
                let context = format!("{k} switches, {rate}, {bytes} {verb:?}, cut {cut}");
                assert_eq!(received(&outcome, 0), start + send + way + receive, "{context}");
                let acknowledged = outcome.flows[0].acknowledged.unwrap().as_ps();
                assert_eq!(acknowledged, start + send + way + back, "{context}");
                assert_eq!(outcome.flows[0].sent, frames.len() as u64);
                assert_eq!(outcome.data_hops, (k + 1) * frames.len() as u64);
            }
        }
    }
}

/// When frames that are ready at given times leave a row of links, each of which sends one after the
/// other: start = max(ready, previous start + P), ready at the next = start + F + d + L.
fn row(ready: &[u64], bytes: &[u64], links: &[(BitRate, u64)], latency: u64) -> Vec<u64> {
    let mut ready = ready.to_vec();
    for (i, &(rate, delay)) in links.iter().enumerate() {
        let mut free = 0;
        for (ready, &bytes) in ready.iter_mut().zip(bytes) {
            let start = free.max(*ready);
            free = start + period(bytes, rate);
            let through = if i + 1 < links.len() { latency } else { 0 };
            *ready = start + frame(bytes, rate) + delay + through;
        }
    }
    ready
}

/// Two hosts, 0 and 1, with a row of links between them.
fn in_a_row(links: &[(BitRate, u64)]) -> Network {
    let node = |i: usize| {
        if i == 0 {
            0
        } else if i == links.len() {
            1
        } else {
            i + 1
        }
    };
    let wire = |(i, &(rate, delay)): (usize, &(BitRate, u64))| {
        (node(i), node(i + 1), rate, Span::from_ps(delay))
    };
    let wires: Vec<Link> = links.iter().enumerate().map(wire).collect();
    wired(2, links.len() - 1, &wires)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]
    #[test]
    fn one_flow_over_any_row_of_links(
        links in proptest::collection::vec((1_000_000_000_u64..400_000_000_000, 1_000_u64..3_000_000), 2..7),
        bytes in 0_u64..40 * MTU,
        is_write in any::<bool>(),
        ack_every in 1_u32..5,
        latency in 0_u64..1_000_000,
    ) {
        let links: Vec<(BitRate, u64)> =
            links.into_iter().map(|(rate, delay)| (BitRate::from_bps(rate), delay)).collect();
        let network = in_a_row(&links);
        let mut params = params();
        params.transport.ack_every = ack_every;
        params.switch.latency = Span::from_ps(latency);
        params.switch.pfc = false;
        let flow = if is_write { write(flow(0, 1, bytes)) } else { flow(0, 1, bytes) };
        let outcome = lossless(&simulation(&network, params, vec![flow.clone()]));

        let frames = frames(bytes, flow.verb);
        let there = row(&vec![0; frames.len()], &frames, &links, latency);
        prop_assert_eq!(received(&outcome, 0), *there.last().unwrap());
        let mut acked: Vec<u64> =
            there.chunks_exact(ack_every as usize).map(|chunk| *chunk.last().unwrap()).collect();
        if !frames.len().is_multiple_of(ack_every as usize) {
            acked.push(*there.last().unwrap());
        }
        let back: Vec<(BitRate, u64)> = links.iter().rev().copied().collect();
        let back = row(&acked, &vec![CONTROL; acked.len()], &back, latency);
        let acknowledged = outcome.flows[0].acknowledged.unwrap().as_ps();
        prop_assert_eq!(acknowledged, *back.last().unwrap());
    }
}

/// A frame that cuts through from a link of one rate to one of another: the second link begins it when the
/// header has come, or so late that its last bit goes out just when it has come in, whichever is later:
/// max(F(header), F - F') + F' + 2d + L. Onto a faster link that is the time of the first one alone, F + 2d + L;
/// onto a slower one, or one of the same rate, F(header) + F' + 2d + L.
#[test]
fn cut_through_onto_a_link_of_another_rate() {
    let gbps = [10, 25, 40, 100, 400, 800].map(BitRate::from_gbps);
    let odd = [BitRate::from_bps(25_781_250_001), BitRate::from_bps(103_125_000_003)];
    let rates = [gbps.as_slice(), &odd].concat();
    for (way_in, way_out) in rates.iter().flat_map(|&a| rates.iter().map(move |&b| (a, b))) {
        let network = wired(2, 1, &[(0, 2, way_in, US), (1, 2, way_out, US)]);
        for payload in [0, 1, 64, 512, 1500, MTU] {
            let mut params = params();
            cut_through(&mut params);
            let outcome = lossless(&simulation(&network, params, vec![flow(0, 1, payload)]));
            let latency = params.switch.latency.as_ps();
            let crosses = |bytes: u64, way_in: BitRate, way_out: BitRate| {
                let (whole, out) = (frame(bytes, way_in), frame(bytes, way_out));
                let faster = whole > frame(62, way_in) + out;
                let one = if faster { whole } else { frame(62, way_in) + out };
                one + 2 * D + latency
            };
            let there = crosses(payload + HEADER, way_in, way_out);
            let context = format!("{payload} bytes from {way_in} to {way_out}");
            assert_eq!(received(&outcome, 0), there, "{context}");
            let back = crosses(CONTROL, way_out, way_in);
            let acknowledged = outcome.flows[0].acknowledged.unwrap().as_ps();
            assert_eq!(acknowledged, there + back, "{context}");
        }
    }
}

/// As [`row`], where switches cut through: a frame is ready at the next link when its header has come, or so
/// late that it does not run dry there.
pub fn cut_row(frames: &[u64], links: &[(BitRate, u64)], latency: u64) -> u64 {
    let mut ready = vec![0; frames.len()];
    for (i, &(rate, delay)) in links.iter().enumerate() {
        let mut free = 0;
        for (ready, &bytes) in ready.iter_mut().zip(frames) {
            let start = free.max(*ready);
            free = start + period(bytes, rate);
            let whole = frame(bytes, rate);
            let waits = match links.get(i + 1) {
                Some(&(next, _)) => {
                    let dry = whole.saturating_sub(frame(bytes, next));
                    frame(bytes.min(62), rate).max(dry) + latency
                }
                None => whole,
            };
            *ready = start + waits + delay;
        }
    }
    *ready.last().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]
    #[test]
    fn one_flow_cuts_through_any_row_of_links(
        links in proptest::collection::vec((1_000_000_000_u64..400_000_000_000, 1_000_u64..3_000_000), 2..7),
        bytes in 0_u64..40 * MTU,
        is_write in any::<bool>(),
        latency in 0_u64..1_000_000,
    ) {
        let links: Vec<(BitRate, u64)> =
            links.into_iter().map(|(rate, delay)| (BitRate::from_bps(rate), delay)).collect();
        let mut params = params();
        params.switch.forwarding = Forwarding::CutThrough;
        params.switch.latency = Span::from_ps(latency);
        params.switch.pfc = false;
        let flow = if is_write { write(flow(0, 1, bytes)) } else { flow(0, 1, bytes) };
        let network = in_a_row(&links);
        let outcome = lossless(&simulation(&network, params, vec![flow.clone()]));
        prop_assert_eq!(received(&outcome, 0), cut_row(&frames(bytes, flow.verb), &links, latency));
    }
}

/// Both flows reach the shared link together; it takes their packets in turn, that of the lower port
/// first: packet i of flow j starts at F + d + (2i + j)P.
#[test]
fn two_flows_over_one_link() {
    let (f, p) = (frame(FULL, G100), period(FULL, G100));
    let network = dumbbell(2, G100);
    for (n, pfc) in [(1, false), (2, false), (17, false), (60, false), (17, true)] {
        let mut params = params();
        params.switch.pfc = pfc;
        let flows = vec![flow(0, 2, n * MTU), flow(1, 3, n * MTU)];
        let outcome = lossless(&simulation(&network, params, flows));
        for j in 0..2 {
            let expected = f + D + (2 * (n - 1) + j) * p + f + D + f + D;
            assert_eq!(received(&outcome, j as usize), expected, "{n} packets, flow {j}");
        }
    }
}

/// The last link has nothing but serialisation to do from the first arrival on: packet i of flow j
/// of m starts at F + d + (im + j)P.
#[test]
fn incast() {
    let (f, p) = (frame(FULL, G100), period(FULL, G100));
    for (m, n) in [(2, 1), (2, 40), (5, 13), (16, 25), (40, 9)] {
        let network = star(m as u32 + 1);
        let flows: Vec<Flow> = (0..m).map(|i| flow(i as usize, m as usize, n * MTU)).collect();
        let mut params = params();
        params.switch.pfc = false;
        let outcome = lossless(&simulation(&network, params, flows.clone()));
        for j in 0..m {
            let expected = f + D + ((n - 1) * m + j) * p + f + D;
            assert_eq!(received(&outcome, j as usize), expected, "{m} to 1, {n} packets, {j}");
        }
        // Stops change whose turn it is, but the last link never idles.
        for buffer in [200_000, 1_000_000] {
            let mut params = params;
            params.switch.pfc = true;
            params.switch.buffer_per_port = DataSize::from_bytes(buffer);
            let outcome = lossless(&simulation(&network, params, flows.clone()));
            assert_eq!(last_received(&outcome), f + D + (m * n - 1) * p + f + D, "{m} to 1");
        }
    }
}

/// A host at each switch of a row sends to the host at its end, whose link has nothing but
/// serialisation to do from the arrival of its nearest sender on.
#[test]
fn parking_lot() {
    let (f, p) = (frame(FULL, G100), period(FULL, G100));
    for (k, n, pfc) in [(2, 30, false), (3, 20, true), (5, 30, false), (5, 30, true)] {
        // Hosts 0 ... k-1 at switches 0 ... k-1, host k at the last.
        let mut links: Vec<Link> = (0..=k).map(|i| (i, k + 1 + i.min(k - 1), G100, US)).collect();
        links.extend((0..k - 1).map(|i| (k + 1 + i, k + 2 + i, G100, US)));
        let network = wired(k + 1, k, &links);
        let mut params = params();
        params.switch.pfc = pfc;
        let flows = (0..k).map(|i| flow(i, k, n * MTU)).collect();
        let outcome = lossless(&simulation(&network, params, flows));
        let packets = k as u64 * n;
        assert_eq!(last_received(&outcome), f + D + (packets - 1) * p + f + D, "{k} switches");
    }
}

/// A switch that forwards after the header gains nothing where packets wait anyway: two hosts of 25
/// Gb/s fill half of a link of 100 Gb/s.
#[test]
fn cut_through_into_a_faster_link_keeps_its_rate() {
    let slow = BitRate::from_gbps(25);
    let links: Vec<Link> =
        [0, 1, 2].map(|host| (host, 3, if host == 2 { G100 } else { slow }, US)).to_vec();
    let network = wired(3, 1, &links);
    let mut params = params();
    cut_through(&mut params);
    let n = 200;
    let flows = vec![flow(0, 2, n * MTU), flow(1, 2, n * MTU)];
    let outcome = lossless(&simulation(&network, params, flows));
    // The hosts are done after n P; then there are two links and the switch, and one packet to wait.
    let least = n * period(FULL, slow);
    let most = least + 2 * D + 350_000 + 2 * period(FULL, G100);
    let last = last_received(&outcome);
    assert!(last <= most, "{last} ps, and not {least} to {most}");
}

/// Payload that arrived is payload that was sent.
#[test]
fn goodput_is_payload() {
    let network = star(3);
    for verb in [Verb::Send, Verb::Write] {
        let flows = [0, 1, MTU, 10 * MTU + 5];
        let total: u64 = flows.iter().sum();
        let flows = flows.map(|bytes| Flow { verb, ..flow(0, 2, bytes) }).to_vec();
        let outcome = lossless(&simulation(&network, params(), flows));
        assert_eq!(outcome.goodput.iter().sum::<u64>(), total, "{verb:?}");
    }
}
