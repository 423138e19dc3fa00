//! Answers of receivers at one switch of a group: how many a second are aggregated.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use lightloom_transport::bridge::{Feedback, Paths};
use lightloom_transport::params::Recovery;
use lightloom_transport::psn::Psn;
use lightloom_units::{Instant, Span};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

/// Answers of a run, over all ports.
const ANSWERS: u64 = 64_000;
/// Shares of packets that are lost before a port.
const LOSSES: [(&str, f64); 3] = [("lossless", 0.0), ("loss 1e-4", 1e-4), ("loss 1e-2", 1e-2)];

/// An answer: who says it, of which packet, and whether it reports a loss.
type Answer = (u16, Psn, bool);

/// The answers to packets in order. Of each packet the ports answer in an order of its own; a port that lost it says so
/// first, and then that it has come.
fn answers(ports: u16, loss: f64) -> Vec<Answer> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut answers = Vec::new();
    for packet in 0..ANSWERS / u64::from(ports) {
        let first = random.random_range(0..ports);
        let port = |place| 1 + (first + place) % ports;
        let psn = Psn::of(Psn::new(0), packet);
        for port in (0..ports).map(port) {
            if random.random_bool(loss) {
                answers.push((port, psn, true));
            }
            answers.push((port, Psn::of(psn, 1), false));
        }
    }
    answers
}

/// What goes up for these answers: how often, and up to which packet.
fn aggregated(ports: u16, recovery: Recovery, answers: &[Answer]) -> (u64, Psn) {
    let mut now = Instant::ZERO;
    let mut paths = Paths::new(Psn::new(0), recovery, Span::from_us(10));
    let mut went = 0;
    let mut count = |feedback: Feedback| went += u64::from(feedback != Feedback::NOTHING);
    for port in 0..=ports {
        count(paths.add(port, 0, Psn::new(0), now));
    }
    count(paths.set_up(Some(0), now));
    for &(port, psn, is_loss) in answers {
        now = now + Span::from_ps(340_000);
        count(match is_loss {
            true => paths.missed(port, (psn, Psn::of(psn, 1)), 0, now),
            false => paths.acked(port, psn, 0, now),
        });
    }
    (went, paths.floor())
}

fn bridge(c: &mut Criterion) {
    let selective = Recovery::SelectiveRepeat {
        window: 64,
        short_timeout: Span::from_us(100),
        few: 3,
        reorder: 0,
    };
    for (name, recovery) in
        [("bridge_go_back_n", Recovery::GoBackN), ("bridge_selective", selective)]
    {
        let mut group = c.benchmark_group(name);
        for ports in [2, 8, 64] {
            for (loss_name, loss) in LOSSES {
                let answers = answers(ports, loss);
                group.throughput(Throughput::Elements(answers.len() as u64));
                let id = BenchmarkId::new(format!("{ports} ports"), loss_name);
                group.bench_with_input(id, &answers, |b, answers| {
                    b.iter(|| black_box(aggregated(ports, recovery, black_box(answers))));
                });
            }
        }
        group.finish();
    }
}

criterion_group!(benches, bridge);
criterion_main!(benches);
