//! Who is cut off before anything is repaired: the paper's counts, and lists that are none.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::bench::{Bench, SMALL};
use crate::reader::Plan;
use crate::recover::recover;

pub(crate) type Rules = BTreeMap<usize, BTreeSet<usize>>;
/// For each ToR the sources that it takes from one ToR only.
pub(crate) type Accept = BTreeMap<usize, BTreeMap<usize, usize>>;
pub(crate) fn read<T: DeserializeOwned>(value: &Value) -> T {
    serde_json::from_value(value.clone()).unwrap_or_else(|error| panic!("{error}: {value}"))
}

/// What failures leave of a fabric.
pub(crate) struct Broken {
    /// (cassette that feeds it, cassette that it transmits into) of each ToR.
    edges: Vec<(usize, usize)>,
    mute: BTreeSet<usize>,
    dark: BTreeSet<usize>,
    cut: BTreeSet<(usize, usize)>,
}

impl Broken {
    /// From the answer of `fabric` and a list of failures by number.
    pub(crate) fn new(fabric: &Value, failed: &str) -> Self {
        let listed: Vec<(usize, usize, usize)> = read(&fabric["edges"]);
        let edges: Vec<(usize, usize)> =
            listed.into_iter().map(|(_, from, to)| (from, to)).collect();
        let into = |at: usize| (0..edges.len()).filter(|&t| edges[t].1 == at).collect::<Vec<_>>();
        let (mut mute, mut dark, mut cut) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for failure in failed.split(',') {
            let (kind, part) = failure.split_once(':').expect("a kind");
            let ids: Vec<usize> =
                part.split(['-', '>', '/']).filter_map(|id| id.parse().ok()).collect();
            match kind {
                "branch" => drop(cut.insert((ids[0], ids[1]))),
                "rx" => drop(cut.insert((into(edges[ids[0]].0)[ids[1]], ids[0]))),
                "cassette" => mute.extend(into(ids[0])),
                _ => drop(mute.insert(ids[0])),
            }
            dark.extend((kind == "tor").then_some(ids[0]));
        }
        Self { edges, mute, dark, cut }
    }

    pub(crate) fn sends(&self, tor: usize) -> bool {
        !self.mute.contains(&tor)
    }

    pub(crate) fn has_power(&self, tor: usize) -> bool {
        !self.dark.contains(&tor)
    }

    fn lit_by(&self, from: usize) -> impl Iterator<Item = usize> {
        let fed = (0..self.edges.len()).filter(move |&to| self.edges[to].0 == self.edges[from].1);
        let works = |to: &usize| !self.dark.contains(to);
        fed.filter(works).filter(move |&to| self.sends(from) && !self.cut.contains(&(from, to)))
    }

    /// The hops of every copy that is taken when `root` transmits a packet of `source`; nobody may
    /// take two. Neither the source nor the root relays the copy that comes back.
    pub(crate) fn replay(
        &self,
        source: usize,
        root: usize,
        rules: &Rules,
        accept: &Accept,
    ) -> BTreeMap<usize, u64> {
        let mut hops = BTreeMap::new();
        let mut queue = VecDeque::from([(root, 1)]);
        while let Some((sender, hop)) = queue.pop_front() {
            if !rules[&sender].contains(&source) {
                continue;
            }
            for to in self.lit_by(sender) {
                let only = accept.get(&to).and_then(|sources| sources.get(&source));
                if only.is_none_or(|&only| only == sender) {
                    assert_eq!(hops.insert(to, hop), None, "{to} takes two copies of {source}");
                    if to != source && to != root {
                        queue.push_back((to, hop + 1));
                    }
                }
            }
        }
        hops
    }

    /// Everyone that light can reach when all relay, but the source never.
    fn flood(&self, source: usize, root: usize) -> BTreeSet<usize> {
        let mut reached = BTreeSet::new();
        let mut queue = VecDeque::from([root]);
        while let Some(sender) = queue.pop_front() {
            let fresh: Vec<usize> = self.lit_by(sender).filter(|&to| reached.insert(to)).collect();
            queue.extend(fresh.into_iter().filter(|&to| to != source && to != root));
        }
        reached.extend([source, root]);
        reached
    }

    /// The fewest ToRs that any wiring leaves without a source.
    pub(crate) fn must_miss(&self, source: usize) -> usize {
        let tors = self.edges.len();
        let missed = |root: usize| tors - self.flood(source, root).len();
        match self.sends(source) {
            true => missed(source),
            false if self.dark.contains(&source) => tors - 1,
            false => (0..tors).filter(|&r| self.sends(r)).map(missed).min().unwrap_or(tors - 1),
        }
    }
}

const FIGURE_4: [&str; 6] = ["--family", "shufflecast", "--p", "2", "--k", "3"];

fn impact(bench: &Bench, design: &[&str], failed: &str) -> Value {
    bench.ask(&[&["impact"], design, &["--failed", failed]].concat())
}

/// How many sources lose how many ToRs.
fn counts(sources: &BTreeMap<usize, usize>) -> BTreeMap<usize, usize> {
    let mut counts = BTreeMap::new();
    for &lost in sources.values() {
        *counts.entry(lost).or_default() += 1;
    }
    counts
}

/// shufflecast:fig4
#[test]
fn relay_8_of_a_2_3_does_what_the_papers_figure_4_shows() {
    let impact = impact(&Bench::new(), &FIGURE_4, "relay:8");
    let sources: BTreeMap<usize, usize> = read(&impact["sources"]);
    assert!(sources.keys().copied().eq((0..24).filter(|&tor| tor != 8)));
    assert_eq!(counts(&sources), BTreeMap::from([(0, 12), (2, 6), (6, 3), (7, 1), (15, 1)]));
    assert_eq!(impact["unaffected_fraction"], 0.5);
    assert_eq!(impact["failed"], json!(["relay:8"]));
}

/// shufflecast:fig7a
#[test]
fn the_unaffected_part_is_that_of_the_papers_figure_7a() {
    for (p, unaffected) in [("4", 0.75), ("6", 5.0 / 6.0), ("8", 0.875)] {
        let design = ["--family", "shufflecast", "--p", p, "--k", "2"];
        for failed in ["relay:0", "relay:5"] {
            let fraction = impact(&Bench::new(), &design, failed)["unaffected_fraction"].as_f64();
            assert!((fraction.expect("a number") - unaffected).abs() < 1e-12, "{p}: {fraction:?}");
        }
    }
}

/// shufflecast:III-C1.parts
#[test]
fn a_transmitter_and_a_splitter_fail_as_the_relay_does() {
    let bench = Bench::new();
    let of = |failed: &str| impact(&bench, &FIGURE_4, failed)["sources"].clone();
    assert_eq!(of("tx:8"), of("relay:8"));
    assert_eq!(of("splitter:8"), of("relay:8"));
    assert_ne!(of("tor:8"), of("relay:8"), "a ToR without power also receives nothing");
}

#[test]
fn every_loss_is_that_of_a_replay_of_the_installed_rules() {
    let kautz = ["--family", "kautz", "--p", "4", "--tors", "30"];
    let cases = [
        (&FIGURE_4[..], ["relay:8", "tor:3,rx:12/1", "cassette:2,branch:3->14"]),
        (&kautz[..], ["relay:0,relay:7", "tor:29,rx:1/3", "cassette:0,splitter:9"]),
    ];
    for (design, lists) in cases {
        let bench = Bench::new();
        bench.plan("plan", design);
        let rules = Plan::read(&bench, "plan").rules;
        let fabric = bench.ask(&[&["fabric"], design].concat());
        for failed in lists {
            let broken = Broken::new(&fabric, failed);
            let impact = impact(&bench, design, failed);
            let sources: BTreeMap<usize, usize> = read(&impact["sources"]);
            let tors = rules.len();
            assert!(sources.keys().copied().eq((0..tors).filter(|&tor| broken.sends(tor))));
            for (&source, &lost) in &sources {
                let hops = broken.replay(source, source, &rules, &BTreeMap::new());
                let missed = (0..tors).filter(|t| *t != source && !hops.contains_key(t)).count();
                assert_eq!(missed, lost, "{failed}: source {source}");
            }
            let well = sources.values().filter(|&&lost| lost == 0).count() as f64 / tors as f64;
            let fraction = impact["unaffected_fraction"].as_f64().expect("a number");
            assert!((fraction - well).abs() < 1e-12, "{failed}: {fraction}, not {well}");
        }
    }
}

#[test]
fn lists_that_name_no_failure_of_the_fabric_are_refused() {
    let lists = [
        "",
        " ",
        ",",
        "relay",
        "relay:",
        "relay:99",
        "relay:-1",
        "relay:18446744073709551616",
        "branch:3->9999",
        "branch:0->1",
        "branch:0",
        "branch:->",
        "branch:1->0",
        "rx:12/9",
        "rx:12",
        "rx:/0",
        "rx:12/-1",
        "cassette:999",
        "cassette:4294967296",
        "cassette:x",
        "tor:24",
        "foo:1",
        ":8",
        "RELAY:8",
        "relay:8,",
        "relay:8,relay:8",
        "relay:8,tor:1, relay:08",
        "branch:0->8,branch:0->8",
    ];
    let bench = Bench::new();
    for failed in lists {
        for command in ["impact", "recover"] {
            let args = [&[command], &FIGURE_4[..], &["--failed", failed]].concat();
            bench.refuses(&args, &["--failed"]);
        }
    }
    for command in ["impact", "recover"] {
        bench.refuses(&[&[command], &SMALL[..]].concat(), &["--failed"]);
    }
}

#[test]
fn racks_may_be_named_in_a_list() {
    let bench = Bench::new();
    bench.write("racks.csv", crate::bench::inventory(1));
    let design = [&SMALL[..], &["--inventory", "racks.csv"]].concat();
    let (named, numbers) =
        ("relay:R3,branch:R0->R4,rx:R5/1,tor:R7", "relay:3,branch:0->4,rx:5/1,tor:7");
    assert_eq!(impact(&bench, &design, named), impact(&bench, &design, numbers));
    let recover = |list| recover(&bench, &design, list, &[]);
    assert_eq!(recover(named), recover(numbers));
    let twice = [&["impact"], &design[..], &["--failed", "relay:R3,relay:3"]].concat();
    bench.refuses(&twice, &["twice"]);
}
