//! Packets over the listed fibres with the listed rules, followed by a replay of our own.

use std::collections::VecDeque;

use crate::bench::Bench;
use crate::reader::Plan;

/// Sends one packet of each source and follows every copy. A ToR puts a copy that it receives into
/// its splitter when its list has the packet's source, but never a copy of its own; its own id lets
/// its servers' packets in.
fn every_source_reaches_everyone_once(plan: &Plan, max_hops: usize) {
    let tors = plan.rules.len();
    let mut receivers = vec![Vec::new(); tors];
    for (from, to) in plan.branches() {
        receivers[from].push(to);
    }
    for source in 0..tors {
        assert!(plan.rules[&source].contains(&source), "{source} lacks its own entry");
        let mut copies = vec![0; tors];
        let mut queue = VecDeque::from([(source, 0)]);
        while let Some((sender, hops)) = queue.pop_front() {
            assert!(hops < max_hops, "a copy of {source} goes beyond {max_hops} hops");
            for &to in &receivers[sender] {
                copies[to] += 1;
                assert_eq!(copies[to], 1, "{to} gets two copies of {source}");
                if to != source && plan.rules[&to].contains(&source) {
                    queue.push_back((to, hops + 1));
                }
            }
        }
        let missed: Vec<usize> = (0..tors).filter(|&t| t != source && copies[t] != 1).collect();
        assert!(missed.is_empty(), "{source} does not reach {missed:?}");
    }
}

fn replayed(args: &[&str]) {
    let bench = Bench::new();
    bench.plan("plan", args);
    let plan = Plan::read(&bench, "plan");
    let max_hops = plan.document["report"]["max_hops"].as_u64().expect("hops");
    every_source_reaches_everyone_once(&plan, max_hops.try_into().expect("few hops"));
    assert_eq!(bench.verify("plan").code, 0);
}

#[test]
fn a_shufflecast_delivers_with_algorithm_1() {
    replayed(&["--family", "shufflecast", "--p", "2", "--k", "3"]);
    replayed(&["--family", "shufflecast", "--p", "3", "--k", "2"]);
}

#[test]
fn a_shufflecast_delivers_with_arborescences() {
    replayed(&["--family", "shufflecast", "--p", "2", "--k", "3", "--router", "arborescence"]);
}

#[test]
fn a_kautz_fabric_with_empty_seats_delivers() {
    replayed(&["--family", "kautz", "--p", "4", "--tors", "30"]);
    replayed(&["--family", "kautz", "--p", "2", "--tors", "2"]);
}

#[test]
fn one_more_hop_delivers_too() {
    replayed(&["--family", "kautz", "--p", "4", "--tors", "61", "--extra-hops", "1"]);
}

#[test]
fn splitters_at_the_receivers_deliver_the_same() {
    replayed(&["--family", "kautz", "--p", "4", "--tors", "30", "--housing", "receiver"]);
}

#[test]
fn a_custom_ring_with_a_chord_delivers() {
    let bench = Bench::new();
    bench.write("edges.csv", "tor,from_cassette,to_cassette\n0,0,1\n1,1,2\n2,2,0\n3,0,2\n4,1,0\n");
    bench.plan("plan", &["--family", "custom", "--p", "2", "--edges", "edges.csv"]);
    let plan = Plan::read(&bench, "plan");
    every_source_reaches_everyone_once(&plan, 3);
}
