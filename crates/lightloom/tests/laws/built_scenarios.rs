//! A scenario that a program builds runs as the file that says the same.

use std::collections::BTreeMap;
use std::path::Path;

use lightloom::scenario::{
    FlowRow, GroupRow, Members, MulticastRow, NetworkRow, Node, Nodes, Overrides, ProbesRow, Run,
    RunRow, Scenario, ScenarioBuilder, Supplied, shipped_parameters,
};
use lightloom::twin::{
    NetworkKind, SimulateOptions, Simulated, read_results, simulate, simulate_built,
};
use lightloom::units::{BitRate, DataSize, Instant, Length};
use lightloom::{Memory, Request, Texts, Watch, open, setting};

const FILE: &str = r#"
version = 1
until = "1 ms"
seed = 7
[network]
kind = "design"
file = "fabric.toml"
hosts_per_tor = 1
spines = 2
rate = "100 Gb/s"
length = "20 m"
[probes]
flows = true
groups = true
receivers = true
copies = true
[[group]]
name = "all"
members = "all"
[[multicast]]
from = 3
group = "all"
size = "64 kB"
[[flow]]
from = 0
to = 5
size = "10 kB"
"#;

/// The same, with the calls that a program makes.
fn built() -> Result<Scenario, lightloom::InputError> {
    let request =
        Request::default().say(&setting::fabric::P, 2_u32).say(&setting::fabric::TORS, 8_u32);
    let network = NetworkRow {
        kind: Some(NetworkKind::Design),
        hosts_per_tor: Some(1),
        spines: Some(2),
        rate: Some(BitRate::from_gbps(100)),
        length: Some(Length::from_m(20)),
        ..NetworkRow::default()
    };
    let parameters = shipped_parameters()?;
    let plan = Supplied::Plan { project: Box::new(open(&request)?), splitters: true };
    let nodes = Nodes::build(&network, plan, &parameters, Overrides::default())?;
    let until = Some(Instant::from_ps(1_000_000_000));
    let run = Run::new(&RunRow { until, seed: Some(7), ..RunRow::default() }, None)?;
    let mut builder = ScenarioBuilder::new(run, parameters, nodes, Memory::Unknown);
    let all = Some(true);
    builder.probes(ProbesRow {
        flows: all,
        groups: all,
        receivers: all,
        copies: all,
        ..ProbesRow::default()
    });
    builder.flow(&FlowRow {
        from: Some(Node::Host(0)),
        to: Some(Node::Host(5)),
        size: Some(DataSize::from_bytes(10_000)),
        ..FlowRow::default()
    })?;
    builder.group(&GroupRow {
        name: Some("all".to_owned()),
        members: Some(Members::All),
        ..GroupRow::default()
    })?;
    builder.multicast(&MulticastRow {
        from: Some(Node::Host(3)),
        group: Some("all".to_owned()),
        size: Some(DataSize::from_bytes(64_000)),
        ..MulticastRow::default()
    })?;
    Ok(builder.build()?.0)
}

/// What a run writes, but for the list of files that a scenario was read from.
fn results(came: Simulated) -> BTreeMap<&'static str, Vec<u8>> {
    let Simulated::One(run) = came else { panic!("one seed is one run") };
    run.files.into_iter().filter(|(name, _)| name.ends_with(".csv")).collect()
}

#[test]
fn a_scenario_from_rows_runs_as_the_file_that_says_the_same() {
    let texts = [("run.toml", FILE), ("fabric.toml", "version = 1\n[fabric]\np = 2\ntors = 8\n")];
    let texts = Texts::keeping(texts.map(|(name, text)| (name.into(), text.to_owned())).into());
    let options = SimulateOptions { texts, keep_files: true, ..SimulateOptions::default() };
    let read = simulate(Path::new("run.toml"), &options, Watch::quiet()).unwrap();
    let options = SimulateOptions { keep_files: true, ..SimulateOptions::default() };
    let made = simulate_built(&built().unwrap(), &options, Watch::quiet()).unwrap();
    let (read, made) = (results(read), results(made));
    assert!(read.len() > 3, "{:?}", read.keys());
    assert_eq!(read, made);
}

/// Every file of a folder of results is read back, also those that only some runs have.
#[test]
fn results_of_a_built_scenario_are_read_back_whole() {
    let place = tempfile::tempdir().unwrap();
    let run = |name: &str, seeds| {
        let out = Some(place.path().join(name));
        let options =
            SimulateOptions { out, keep_files: true, seeds, ..SimulateOptions::default() };
        simulate_built(&built().unwrap(), &options, Watch::quiet()).unwrap().files()
    };
    for (name, seeds) in [("one", None), ("two", Some(2))] {
        let made: BTreeMap<_, _> = run(name, seeds).into_iter().collect();
        let read = read_results(&place.path().join(name)).unwrap();
        let read: BTreeMap<_, _> = read.into_iter().collect();
        assert!(read.keys().eq(made.keys()), "{:?} and {:?}", read.keys(), made.keys());
        assert_eq!(read, made);
    }
}

#[test]
fn a_seed_comes_too_late_for_a_built_scenario() {
    let options = SimulateOptions { seed: Some(2), ..SimulateOptions::default() };
    let refused = simulate_built(&built().unwrap(), &options, Watch::quiet()).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "--seed: is said too late; the scenario is built, so tell its builder"
    );
}
