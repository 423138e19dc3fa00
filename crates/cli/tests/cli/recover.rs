//! Recoveries, proved by a replay of our own over what the failures leave of the fabric.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::bench::Bench;
use crate::reader::Plan;

type Rules = BTreeMap<usize, BTreeSet<usize>>;
/// For each ToR the sources that it takes from one ToR only.
type Accept = BTreeMap<usize, BTreeMap<usize, usize>>;
type Change = BTreeMap<String, BTreeSet<usize>>;

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
        let edges: Vec<(usize, usize)> = listed.into_iter().map(|(_, from, to)| (from, to)).collect();
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

    fn lit_by(&self, from: usize) -> impl Iterator<Item = usize> {
        let fed = (0..self.edges.len()).filter(move |&to| self.edges[to].0 == self.edges[from].1);
        let works = |to: &usize| !self.dark.contains(to);
        fed.filter(works).filter(move |&to| self.sends(from) && !self.cut.contains(&(from, to)))
    }

    /// The hops of every copy that is taken when `root` transmits a packet of `source`; nobody may
    /// take two. Neither the source nor the root relays the copy that comes back.
    pub(crate) fn replay(&self, source: usize, root: usize, rules: &Rules, accept: &Accept) -> BTreeMap<usize, u64> {
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
    fn must_miss(&self, source: usize) -> usize {
        let tors = self.edges.len();
        let missed = |root: usize| tors - self.flood(source, root).len();
        match self.sends(source) {
            true => missed(source),
            false if self.dark.contains(&source) => tors - 1,
            false => (0..tors).filter(|&r| self.sends(r)).map(missed).min().unwrap_or(tors - 1),
        }
    }
}

fn recover(bench: &Bench, design: &[&str], failed: &str, more: &[&str]) -> Value {
    bench.ask(&[&["recover"], design, &["--failed", failed], more].concat())
}

/// Makes the changes of one kind, each of which must be possible.
fn change(rules: &mut Rules, changes: &BTreeMap<usize, BTreeSet<usize>>, add: bool) {
    for (tor, sources) in changes {
        let list = rules.get_mut(tor).expect("a ToR");
        for source in sources {
            assert!(if add { list.insert(*source) } else { list.remove(source) }, "{tor}: {source}");
        }
    }
}

/// Checks one answer by itself, and the phases and tables that it promises.
fn proved(bench: &Bench, fabric: &Value, rules: &Rules, failed: &str, answer: &Value) -> Rules {
    let broken = Broken::new(fabric, failed);
    let of_kind = |kind: &str| -> Rules {
        let changes: BTreeMap<usize, Change> = read(&answer["changes"]);
        let lists = changes.into_iter().map(|(tor, mut change)| (tor, change.remove(kind).expect("both kinds")));
        lists.filter(|(_, list)| !list.is_empty()).collect()
    };
    let (deletes, adds) = (of_kind("delete"), of_kind("add"));
    let via: BTreeMap<usize, usize> = read(&answer["via"]);
    let accept: Accept = read(&answer["accept"]);
    let phases = answer["phases"].as_array().expect("phases");
    let steps: Vec<&str> = phases.iter().map(|p| p["step"].as_str().expect("a step")).collect();
    let mut expected = vec!["delete", "barrier", "drain"];
    expected.extend((!accept.is_empty()).then_some(["accept", "barrier"]).into_iter().flatten());
    expected.extend(["add", "barrier"]);
    if !phases.is_empty() || !deletes.is_empty() || !adds.is_empty() {
        assert_eq!(steps, expected, "{failed}");
        assert_eq!(read::<Rules>(&phases[0]["rules"]), deletes, "{failed}");
        assert_eq!(read::<Rules>(&phases[expected.len() - 2]["rules"]), adds, "{failed}");
        assert!(accept.is_empty() || phases[3]["only"] == answer["accept"], "{failed}");
    }
    let touched: BTreeSet<usize> = deletes.values().chain(adds.values()).flatten().copied().collect();
    let (mut between, mut half) = (rules.clone(), adds.clone());
    change(&mut between, &deletes, false);
    let rest = half.split_off(&(rules.len() / 2));
    let mut midway = between.clone();
    change(&mut midway, &half, true);
    let mut new = midway.clone();
    change(&mut new, &rest, true);
    let unreachable: BTreeMap<usize, BTreeSet<usize>> = read(&answer["unreachable"]);
    let mut deepest = 0;
    for source in 0..rules.len() {
        let root = via.get(&source).copied().unwrap_or(source);
        assert!(root == source || broken.sends(root) && !broken.sends(source), "{failed}: {via:?}");
        let before = broken.replay(source, source, rules, &BTreeMap::new());
        let drained = broken.replay(source, source, &between, &BTreeMap::new());
        assert!(touched.contains(&source) || before == drained, "{failed}: {source} loses copies");
        broken.replay(source, root, &midway, &accept);
        let after = broken.replay(source, root, &new, &accept);
        let missed: BTreeSet<usize> = (0..rules.len())
            .filter(|t| *t != source && (*t != root || !new[&root].contains(&source)) && !after.contains_key(t))
            .collect();
        assert_eq!(missed, unreachable.get(&source).cloned().unwrap_or_default(), "{failed}: {source}");
        assert_eq!(missed.len(), broken.must_miss(source), "{failed}: {source} misses {missed:?}");
        deepest = after.iter().filter(|(t, _)| **t != source).map(|(_, h)| *h).max().unwrap_or(0).max(deepest);
    }
    assert_eq!(answer["max_hops"], deepest, "{failed}");
    assert_eq!(answer["restored"], unreachable.is_empty(), "{failed}");
    assert!(bench.names(".").contains(&"plan".to_owned()));
    new
}

/// Recovers from each list with both objectives, applies it, and verifies what was written.
fn all_proved(bench: &Bench, design: &[&str], lists: &[&str]) {
    bench.plan("plan", design);
    let rules = Plan::read(bench, "plan").rules;
    let fabric = bench.ask(&[&["fabric"], design].concat());
    for failed in lists {
        for objective in ["fewest-changes", "fewest-hops"] {
            let answer = recover(bench, design, failed, &["--objective", objective, "--apply", "out"]);
            let new = proved(bench, &fabric, &rules, failed, &answer);
            assert_eq!(new, Plan::read(bench, "out").rules, "{failed}");
            let verified = bench.verify("out");
            assert_eq!(verified.code, 0, "{design:?}: {failed}: {objective}: {verified:?}");
        }
    }
}
