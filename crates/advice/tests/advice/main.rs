//! Answers about collective operations on one switch, where closed forms hold.

#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    reason = "clippy.toml frees #[test] functions only; these files are those and their helpers"
)]

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use lightloom_advice::advise;
use lightloom_advice::contender::Contender;
use lightloom_advice::costs::Costs;
use lightloom_advice::ground::Ground;
use lightloom_advice::question::Question;
use lightloom_advice::report::{AdviceReport, Axis};
use lightloom_advice::sizes;
use lightloom_request::Memory;
use lightloom_scenario::build::{Nodes, Overrides, Run, ScenarioBuilder, Supplied};
use lightloom_scenario::said::{NetworkRow, Order};
use lightloom_scenario::scenario::{NetworkKind, Parameters};
use lightloom_schedules::Operation;
use lightloom_twin::params::Params;
use lightloom_units::{BitRate, DataSize, Instant, Span};
use lightloom_watch::Watch;
use proptest::prelude::*;

const RATE: BitRate = BitRate::from_gbps(100);

/// Hosts at one switch.
fn ground(hosts: u32, memory: Memory) -> Ground {
    let network = NetworkRow {
        kind: Some(NetworkKind::LeafSpine),
        leaves: Some(1),
        spines: Some(0),
        hosts_per_leaf: Some(hosts),
        rate: Some(RATE),
        delay: Some(Span::from_ns(500)),
        ..NetworkRow::default()
    };
    let parameters = Parameters {
        params: Params::default(),
        delay_per_m: Span::from_ns(5),
        in_force: Vec::new(),
        files: Vec::new(),
    };
    let nodes =
        Nodes::build(&network, Supplied::Nothing, &parameters, Overrides::default()).unwrap();
    let run = Run { seed: 1, until: Instant::from_s(100), patience: Span::from_ms(100) };
    Ground {
        alone: ScenarioBuilder::new(run, parameters, nodes, memory),
        beside: None,
        begin: Instant::from_ms(10),
        rate: RATE,
        dark: Some("there are no splitters".to_owned()),
        memory,
    }
}

fn question(operation: Operation, said: &str, members: &[u32]) -> Question {
    Question {
        operation,
        contenders: Vec::new(),
        sizes: sizes::read(said).unwrap(),
        simulate_up_to: DataSize::from_bytes(16_000_000),
        members: members.to_vec(),
        groups: vec![1],
        order: Order::Listed,
        slice: None,
        shards: 1,
        costs: Costs::default(),
    }
}

fn asked(question: &Question, ground: &Ground, threads: usize) -> AdviceReport {
    advise(question, ground, threads, Watch::quiet()).unwrap()
}

/// After a stop, what is done is told: whole runs, and how many are missing.
#[test]
fn a_stopped_question_keeps_the_runs_that_are_done() {
    let (ground, question) =
        (ground(8, Memory::Unknown), question(Operation::Broadcast, "8 kB..64 kB", &[8]));
    let whole = asked(&question, &ground, 1);
    assert!(whole.good() && whole.stopped().is_none());
    for enough in [0, 1, 7, whole.runs as u64 - 1, whole.runs as u64] {
        let stop = AtomicBool::new(enough == 0);
        let heard = Mutex::new(Vec::new());
        let tell = |done: u64, of: u64| {
            heard.lock().unwrap().push((done, of));
            stop.store(done >= enough, Ordering::Relaxed);
        };
        let watch = Watch::quiet().on_progress(&tell).stopped_by(&stop);
        let part = advise(&question, &ground, 1, watch).unwrap();
        let done = part.cases.len();
        assert_eq!((done as u64, part.missing), (enough, whole.runs - done));
        assert_eq!(part.good(), part.missing == 0);
        // Small sizes ran first, and each has the time that it has in the whole answer.
        for case in &part.cases {
            assert!(whole.cases.contains(case), "{case:?}");
        }
        let told = part.stopped();
        let expected = format!(
            "Stopped: {enough} of {} runs are done, and the answer is about these.",
            whole.runs
        );
        assert_eq!(told, (part.missing > 0).then_some(expected));
        if enough == 0 {
            assert_eq!(part.answer, ["No case has a time."]);
        }
        // A size that lacks a schedule has no fastest one.
        let of_size = whole.runs / 4;
        assert_eq!(part.fastest, whole.fastest[..done / of_size]);
        let all = whole.runs as u64;
        assert_eq!(
            *heard.lock().unwrap(),
            (1..=enough).map(|done| (done, all)).collect::<Vec<_>>()
        );
    }
}

/// A run that the memory does not hold is told, and the others run.
#[test]
fn what_the_memory_does_not_hold_is_left_out() {
    // 992 messages of an all-to-all take 1.3 MB.
    let memory = Memory::Allowed(DataSize::from_bytes(17_000_000));
    let question = question(Operation::Allgather, "32 kB", &[4, 32]);
    let report = asked(&question, &ground(32, memory), 1);
    assert!(!report.good());
    let small = report.cases.iter().filter(|case| case.members == 4).count();
    assert_eq!(small, Contender::all(Operation::Allgather).len() - 1);
    let ring = report.left_out.iter().find(|out| out.schedule == "ring").unwrap();
    assert_eq!((ring.members, ring.bytes), (32, Some(32_000)));
    assert!(ring.reason.contains("needs about"), "{ring:?}");
    assert!(report.cases.iter().any(|case| (case.members, case.name.as_str()) == (32, "bruck")));
}

/// One after the other takes as many times as there are others; light is left out with its reason.
#[test]
fn members_grow_along_an_axis_of_their_own() {
    let report = asked(
        &Question {
            contenders: ["multicast:cepheus", "sequential"]
                .map(|word| Contender::read(word, Operation::Broadcast).unwrap())
                .to_vec(),
            ..question(Operation::Broadcast, "1 MB", &[2, 4, 8])
        },
        &ground(8, Memory::Unknown),
        2,
    );
    let time = |members: u32, name: &str| {
        let case = report.cases.iter().find(|case| case.members == members && case.name == name);
        case.unwrap().last_ps.unwrap() as f64
    };
    for (members, others) in [(4, 3.0), (8, 7.0)] {
        let times = time(members, "sequential") / time(2, "sequential");
        assert!((times / others - 1.0).abs() < 0.05, "{times} times for {others}");
        let same = time(members, "multicast over cepheus") / time(2, "multicast over cepheus");
        assert!((same - 1.0).abs() < 0.02, "{same}");
    }
    // Nothing is over light, so there is nothing to break even.
    assert!(
        report.break_even.iter().all(|one| one.axis == Axis::Size) && report.break_even.is_empty()
    );
    let default =
        asked(&question(Operation::Broadcast, "8 kB", &[4]), &ground(4, Memory::Unknown), 1);
    let dark = default.left_out.iter().find(|out| out.schedule == "multicast over light").unwrap();
    assert_eq!(
        (dark.bytes, dark.reason.as_str()),
        (None, "light cannot be used: there are no splitters")
    );
    assert!(default.good(), "what cannot run was not asked for");
}

/// Extended times pass no port faster than it can be passed; a time that would is told as left out.
#[test]
fn no_extended_time_is_impossible() {
    let all = Contender::all(Operation::Broadcast).len() - 1;
    for up_to in [64_000, 1_000_000] {
        let question = Question {
            simulate_up_to: DataSize::from_bytes(up_to),
            ..question(Operation::Broadcast, "1 GB", &[8])
        };
        let report = asked(&question, &ground(8, Memory::Unknown), 1);
        let cases = || report.cases.iter().filter(|case| case.is_extended);
        assert!(cases().all(|case| case.bus_bps.unwrap() <= 100e9));
        let out = report.left_out.iter().filter(|out| out.bytes == Some(1_000_000_000)).count();
        assert_eq!(cases().count() + out, all);
        assert_eq!(report.good(), out == 0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Every case has a time that no schedule beats: each receiver must receive its bytes through one port. The same
    /// answer comes from any number of threads.
    #[test]
    fn no_time_is_shorter_than_the_bytes_of_a_port(
        place in 0..5_usize,
        members in 2..12_u32,
        bytes in 1_u64..300_000,
        threads in 1..4_usize,
    ) {
        let operation = Operation::ALL[place];
        let said = format!("{bytes} B");
        let question = question(operation, &said, &[members]);
        let ground = ground(12, Memory::Unknown);
        let report = asked(&question, &ground, threads);
        prop_assert_eq!(&report, &asked(&question, &ground, 1));
        let parts = match operation {
            Operation::Broadcast => 1.0,
            Operation::Allreduce => 2.0 * f64::from(members - 1) / f64::from(members),
            _ => f64::from(members - 1) / f64::from(members),
        };
        // Parts differ by a byte; a sum can come back to its owner over a tree in one piece.
        let parts = if operation == Operation::Allreduce { parts / 2.0 } else { parts };
        let least = ((bytes as f64) * parts - f64::from(members)).max(0.0) * 80.0;
        for case in &report.cases {
            let last = case.last_ps.unwrap() as f64;
            prop_assert!(last >= least, "{case:?}");
            prop_assert!(case.first_ps <= case.median_ps && case.median_ps <= case.last_ps);
        }
    }
}
