//! Tables of switches in one stage and in two, their sizes against what a model holds, and rules that no packet
//! reaches.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::net::Ipv4Addr;
use std::path::Path;

use lightloom::configs::{ConfigsOptions, Encoding, Rule, Severity, lint};
use lightloom::failures::{FailureSet, Method};
use lightloom::{Project, Texts};
use lightloom_input::groups;
use lightloom_power_cost::parts::Pipeline;
use lightloom_routing::switch::Purpose;
use lightloom_switching::capacity::{Needs, OfSwitch, Table, lacks, stages};
use lightloom_switching::config::{Ingress, Outcome, Reason, SwitchConfig};
use lightloom_switching::fabric::Configs;
use lightloom_switching::single::{self, Single};
use lightloom_topology::TorId;

use crate::place::flags;

fn shufflecast(p: i64, k: i64) -> Project {
    let request = flags(&[("fabric.family", "shufflecast")], &[("fabric.p", p), ("fabric.k", k)]);
    lightloom::open(&request).expect("it is a design")
}

/// The configurations of a project, with this file of groups.
fn configs<'a>(project: &'a Project, encoding: Encoding, text: String) -> Configs<'a> {
    let texts = Texts::keeping(BTreeMap::from([("groups.toml".into(), text)]));
    let file = Some(Path::new("groups.toml"));
    let (addresses, servers, _) =
        groups::read(project, encoding, file, &texts).expect("the groups are right");
    Configs::new(project, encoding, addresses, servers).expect("it is small")
}

/// Two servers a ToR, one group of all and two of some.
fn some_groups() -> String {
    "version = 1\n[servers]\nper_tor = 2\n[[group]]\nname = \"all\"\nmembers = [\"all\"]\n\
     [[group]]\nname = \"one\"\nmembers = [\"tor:0/1\"]\n\
     [[group]]\nname = \"some\"\nmembers = [\"tor:1\", \"tor:3/2\"]\n"
        .into()
}

/// This many groups, each with the one server of ToR 0.
fn many_groups(count: usize) -> String {
    let mut text = "version = 1\n[[server]]\nname = \"s\"\ntor = \"tor:0\"\n".to_owned();
    for number in 0..count {
        writeln!(text, "[[group]]\nname = \"g{number}\"\nmembers = [\"s\"]").expect("text");
    }
    text
}

/// Ports that a packet goes to, with whether it goes into the splitter, and how. `None`: it is dropped.
type Went = Option<(Outcome, Vec<u32>)>;

fn in_two_stages(
    config: &SwitchConfig,
    port: u32,
    source: Ipv4Addr,
    destination: Ipv4Addr,
) -> Went {
    let first = config.first.iter().find(|entry| {
        (entry.ingress == Ingress::Any || entry.ingress == Ingress::Port(port))
            && entry.source.matches(source)
            && entry.destination.matches(destination)
    })?;
    let all = config.replications();
    let mut here: Vec<_> = all.iter().filter(|one| one.outcome == first.outcome).collect();
    here.sort_by_key(|one| one.group.is_none());
    let found =
        here.into_iter().find(|one| one.destination.is_none_or(|to| to.matches(destination)))?;
    Some((found.outcome, found.members.clone()))
}

fn in_one_stage(table: &[Single], port: u32, source: Ipv4Addr, destination: Ipv4Addr) -> Went {
    let found = table.iter().find(|entry| {
        (entry.ingress == Ingress::Any || entry.ingress == Ingress::Port(port))
            && entry.source.matches(source)
            && entry.destination.matches(destination)
    })?;
    found.replication.as_ref().map(|one| (one.outcome, one.members.clone()))
}

/// Compares both for every source at every port and every group, and groups without members.
fn stages_agree(project: &Project, encoding: Encoding) -> usize {
    let configs = configs(project, encoding, some_groups());
    let mut compared = 0;
    let (mut sources, mut groups) = (Vec::new(), Vec::new());
    for tor in project.fabric().tor_ids() {
        sources.extend([configs.addresses.server(tor, 1), configs.addresses.server(tor, 2)]);
        for place in 0..6 {
            groups.push(configs.addresses.sent_to(configs.addresses.group(place), tor));
        }
    }
    sources.extend([Ipv4Addr::new(10, 255, 255, 255), Ipv4Addr::new(192, 0, 2, 1)]);
    groups.sort_unstable();
    groups.dedup();
    for config in configs.switches() {
        let table = single::table(&config);
        let needs = Needs::of(&config, 1);
        assert_eq!(needs.ternary_entries, table.len() as u64, "{encoding}");
        for port in &config.ports {
            for (&source, &to) in sources.iter().flat_map(|s| groups.iter().map(move |g| (s, g))) {
                let due = in_two_stages(&config, port.number, source, to);
                let found = in_one_stage(&table, port.number, source, to);
                assert_eq!(
                    found, due,
                    "{encoding} ToR {} {} {source} {to}",
                    config.tor, port.number
                );
                compared += usize::from(due.is_some());
            }
        }
    }
    compared
}

#[test]
fn one_stage_does_what_two_do() {
    let small = shufflecast(2, 2);
    let repaired = |names: &str| {
        let failed = FailureSet::parse(&small, names).expect("they are of this fabric");
        let method: Method =
            lightloom::failures::recovery_method(None, None).expect("the usual one");
        small.clone().recovered_by(failed, method)
    };
    for encoding in Encoding::ALL {
        let compared = stages_agree(&small, encoding);
        assert!(compared > 300, "{encoding}: {compared}");
        for names in ["relay:3", "tx:1", "branch:0->4", "tor:5", "rx:6/1"] {
            let compared = stages_agree(&repaired(names), encoding);
            assert!(compared > 200, "{encoding}, {names}: {compared}");
        }
    }
    let odd = flags(&[("fabric.family", "kautz")], &[("fabric.p", 3), ("fabric.tors", 10)]);
    let odd = lightloom::open(&odd).expect("it is a design");
    let compared = stages_agree(&odd, Encoding::Masked);
    assert!(compared > 300, "{compared}");
}

/// The figures of the issue: 36,001 masked entries and 12,002 replication groups. Its entries leave out the eight that
/// relay groups without members at this ToR; its replication groups count the two that they need.
#[test]
fn two_stages_at_4000_groups() {
    let project = shufflecast(4, 4);
    let configs = configs(&project, Encoding::Masked, many_groups(4000));
    let none = std::collections::BTreeSet::new();
    let config = configs.switch(TorId(0), &configs.rules.installed, &none);
    assert_eq!(config.relay_entries(), 8);
    let table = single::table(&config);
    let from_fabric = |entry: &&Single| matches!(entry.reason, Reason::Fabric(_));
    let fabric: Vec<&Single> = table.iter().filter(from_fabric).collect();
    assert_eq!(fabric.len(), 36_009);
    let without_members = |entry: &&&Single| {
        entry.reason == Reason::Fabric(Purpose::Relay)
            && entry.replication.as_ref().is_some_and(|one| one.group.is_none())
    };
    assert_eq!(fabric.iter().filter(without_members).count(), 8);
    assert_eq!(fabric.len() - 8, 36_001);
    let one = Needs::of(&config, 1);
    assert_eq!((one.multicast_groups, one.exact_entries), (12_002, 0));
    // The server's own packets, and the drop of all else from it.
    assert_eq!(one.ternary_entries, 36_009 + 4_001 + 1);
    // In two stages: origin, its guard, own copy, relays, delivery; relays without members.
    let two = Needs::of(&config, 2);
    assert_eq!(two.ternary_entries, 1 + 1 + 1 + 8 + 1 + 2);
    assert_eq!((two.exact_entries, two.multicast_groups), (12_000, 12_002));
    let pipeline = Pipeline { ternary_entries: Some(40_011), ..Pipeline::default() };
    assert!(lacks(OfSwitch::alone(&config, 1), &pipeline, 1).is_empty());
    let pipeline = Pipeline {
        ternary_entries: Some(40_010),
        multicast_groups: Some(12_001),
        ..Pipeline::default()
    };
    let found: Vec<(Table, u64, u32)> = lacks(OfSwitch::alone(&config, 1), &pipeline, 1)
        .iter()
        .map(|lack| (lack.table, lack.needs, lack.holds))
        .collect();
    assert_eq!(found, [(Table::Ternary, 40_011, 40_010), (Table::Groups, 12_002, 12_001)]);
    assert_eq!(lacks(OfSwitch::alone(&config, 2), &pipeline, 2).len(), 1);
}

#[test]
fn a_model_has_no_more_stages_than_the_dialect() {
    let model = |stages| Pipeline { stages, ..Pipeline::default() };
    assert_eq!(stages(&model(None), 2), 2);
    assert_eq!(stages(&model(Some(1)), 2), 1);
    assert_eq!(stages(&model(Some(2)), 1), 1);
}

#[test]
fn plans_without_failures_have_no_rule_that_no_packet_reaches() {
    for (p, k) in [(2, 2), (2, 3), (3, 2), (4, 2), (3, 3)] {
        let project = shufflecast(p, k);
        for encoding in Encoding::ALL {
            let options = ConfigsOptions { encoding: Some(encoding), ..ConfigsOptions::default() };
            let report = lint(&project, &options).expect("it is small");
            let dead = [Rule::UnreachableEntry, Rule::NoSuchPort, Rule::NothingArrives];
            let found = report.findings.iter().find(|finding| dead.contains(&finding.rule));
            assert_eq!(found, None, "{p},{k} {encoding}");
            assert_eq!(report.errors, 0);
        }
    }
}

#[test]
fn repairs_of_sources_that_cannot_arrive_are_found() {
    let project = shufflecast(2, 3);
    let failed = FailureSet::parse(&project, "tor:8").expect("it is of this fabric");
    let method = lightloom::failures::recovery_method(None, None).expect("the usual one");
    let project = project.recovered_by(failed, method);
    let report = lint(&project, &ConfigsOptions::default()).expect("it is small");
    let silent: Vec<_> =
        report.findings.iter().filter(|finding| finding.rule == Rule::NothingArrives).collect();
    assert!(!silent.is_empty(), "{:?}", report.findings);
    // Only the ToR without power hears nothing at all.
    assert!(silent.iter().all(|finding| finding.severity == Severity::Warning));
    assert!(silent.iter().any(|finding| finding.tor == Some(TorId(8))));
}
