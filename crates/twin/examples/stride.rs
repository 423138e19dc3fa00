//! The stride permutation on a fat-tree: host i sends to host i + N/2. Prints data hops per second.
//!
//! `cargo run --release --example stride -- PORTS BYTES THREADS [MTU] [ACK_EVERY]`

use std::sync::atomic::AtomicBool;

use lightloom_topology::electrical::{FatTree, NodeId};
use lightloom_twin::params::{
    Dcqcn, EcnParams, Forwarding, Params, Recovery, Stack, SwitchParams, Transport, Wire,
};
use lightloom_twin::{Class, Flow, Simulation, Verb, simulate};
use lightloom_units::{BitRate, DataSize, Instant, Span};

#[allow(clippy::print_stdout, clippy::cast_possible_truncation)]
fn main() {
    let number = |n: usize, usual: u64| {
        std::env::args().nth(n).and_then(|text| text.parse().ok()).unwrap_or(usual)
    };
    let (ports, bytes, threads) = (number(1, 8), number(2, 10_000_000), number(3, 1));
    let (mtu, ack_every) = (number(4, 4096), number(5, 1));
    let rate = BitRate::from_gbps(100);
    let started = std::time::Instant::now();
    let tree = FatTree {
        ports: ports as u32,
        hosts_per_edge: None,
        rate,
        host_rate: None,
        delay: Span::from_us(1),
    };
    let network = tree.network().expect("a fat-tree");
    let hosts = network.hosts();
    let flow = |i: usize| Flow {
        from: NodeId::at(i),
        to: NodeId::at((i + hosts / 2) % hosts),
        size: DataSize::from_bytes(bytes),
        start: Instant::from_ps(0),
        class: Class::LOSSLESS,
        verb: Verb::Write,
    };
    let simulation = Simulation {
        network: &network,
        params: params(mtu as u16, ack_every as u32),
        flows: (0..hosts).map(flow).collect(),
        losses: Vec::new(),
        dead: Vec::new(),
        patience: Span::from_ms(100),
        traced: false,
        seed: 1,
        until: Instant::from_s(10),
        interval: Span::from_ms(1),
        threads: threads as usize,
    };
    let set_up = started.elapsed();
    let outcome = simulate(&simulation, &AtomicBool::new(false), &|_| {});
    let took = started.elapsed().as_secs_f64();
    let done = outcome.flows.iter().filter(|flow| flow.acknowledged.is_some()).count();
    let last = outcome.flows.iter().filter_map(|flow| flow.received).max();
    println!(
        "{hosts} hosts, {threads} threads: {took:.2} s (set-up {:.2}), {done} flows done, last at {last:?}, fault {:?}, broken {}",
        set_up.as_secs_f64(),
        outcome.fault,
        outcome.broken.len()
    );
    println!(
        "data hops {}, control hops {}, events {}, drops {}, marks {}, pauses {}, notifications {}",
        outcome.data_hops,
        outcome.control_hops,
        outcome.events,
        outcome.drops.values().sum::<u64>(),
        outcome.links.iter().map(|link| link.marked).sum::<u64>(),
        outcome.links.iter().map(|link| link.pauses).sum::<u64>(),
        outcome.notifications
    );
    println!(
        "{:.3} million data hops a second, {:.1} ns an event",
        outcome.data_hops as f64 / took / 1e6,
        took * 1e9 / outcome.events as f64
    );
}

fn params(mtu: u16, ack_every: u32) -> Params {
    Params {
        wire: Wire { mtu, header: 62, control: 66, pause: 64, preamble: 8, gap: 12 },
        switch: SwitchParams {
            buffer_per_port: DataSize::from_bytes(1_000_000),
            headroom_per_port: DataSize::from_bytes(100_000),
            pause_share: 0.125,
            drop_share: 1.0,
            resume_offset: DataSize::from_bytes(8_192),
            pfc: true,
            ecn: Some(EcnParams {
                at: BitRate::from_gbps(100),
                kmin: DataSize::from_bytes(400_000),
                kmax: DataSize::from_bytes(1_600_000),
                pmax: 0.2,
            }),
            forwarding: Forwarding::StoreAndForward,
            latency: Span::from_ns(0),
        },
        transport: Transport {
            recovery: Recovery::GoBackN,
            ack_every,
            timeout: Span::from_ms(4),
            first_psn: 0,
        },
        dcqcn: Some(Dcqcn {
            g: 1.0 / 256.0,
            alpha_timer: Span::from_us(55),
            increase_timer: Span::from_us(55),
            byte_counter: DataSize::from_bytes(10_000_000),
            fast_steps: 5,
            additive: BitRate::from_bps(40_000_000),
            hyper: BitRate::from_bps(200_000_000),
            least: BitRate::from_bps(100_000_000),
            cnp_interval: Span::from_us(50),
        }),
        stack: Stack { send: Span::from_ps(0), receive: Span::from_ps(0) },
    }
}
