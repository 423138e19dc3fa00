//! Refusals of runs and networks.

use lightloom_scenario::build::{Nodes, Overrides, Run, Supplied};
use lightloom_scenario::glass::Light;
use lightloom_scenario::said::{NetworkRow, RunRow};
use lightloom_scenario::scenario::NetworkKind;
use lightloom_units::{BitRate, Instant, Length, Span};

use crate::given::{leaves, nodes, parameters};
use crate::refusals::{check, ms};

#[test]
fn of_runs_and_networks() {
    let run = |row: RunRow| Run::new(&row, None).map(drop);
    let network = |row: NetworkRow| nodes(&row).map(drop);
    let core = NetworkRow {
        kind: Some(NetworkKind::MulticastCore),
        tors: Some(8),
        ports: Some(100_000),
        rate: Some(BitRate::from_gbps(100)),
        delay: Some(Span::from_us(1)),
        ..NetworkRow::default()
    };
    check([
        (run(RunRow::default()), "until: is missing; give one such as \"100 ms\""),
        (
            run(RunRow { until: Some(Instant::ZERO), ..RunRow::default() }),
            "until: found 0 ps; expected 1 ps to 9223372.036854775808 s",
        ),
        (
            run(RunRow { until: Some(ms(1)), patience: Some(Span::ZERO), ..RunRow::default() }),
            "patience: found 0 ps; expected 1 ns to 1000 s",
        ),
        (network(NetworkRow::default()), "network.kind: is missing; give one such as \"fat-tree\""),
        (
            network(NetworkRow { rate: None, ..leaves(2) }),
            "network.rate: is missing; give one such as \"100 Gb/s\"",
        ),
        (
            network(NetworkRow { rate: Some(BitRate::from_bps(1)), ..leaves(2) }),
            "network.rate: found 1 bps; expected 1 Mbps to 100 Tbps",
        ),
        (
            network(NetworkRow { length: Some(Length::from_um(1)), ..leaves(2) }),
            "network.length: is given together with delay; give one of the two",
        ),
        (
            network(NetworkRow { delay: None, ..leaves(2) }),
            "network.delay: is missing; give delay = \"1 us\" or length = \"200 m\"",
        ),
        (
            network(NetworkRow { spines: None, ..leaves(2) }),
            "network.spines: is missing; give one such as 2",
        ),
        (
            network(NetworkRow { ports: Some(4), ..leaves(2) }),
            "network.ports: unknown field; known here: kind, rate, host_rate, delay, length, \
             leaves, spines, hosts_per_leaf",
        ),
        (network(core), "network.ports: found 100000; expected 3 to 4096"),
        (
            network(NetworkRow { kind: Some(NetworkKind::EdgeList), ..NetworkRow::default() }),
            "network.file: is missing; give one such as \"links.csv\"",
        ),
    ]);
}

#[test]
fn light_without_splitters_is_refused_at_the_option() {
    let overrides = Overrides { light: Some(Light::Worst), ..Overrides::default() };
    let refused = Nodes::build(&leaves(2), Supplied::Nothing, &parameters(), overrides);
    let expected = "--light: is for messages to groups over the splitters of a design";
    assert_eq!(refused.unwrap_err().to_string(), expected);
}
