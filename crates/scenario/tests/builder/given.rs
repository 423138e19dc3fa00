//! Leaves with hosts, and a scenario on them.

use lightloom_request::{InputError, Memory};
use lightloom_scenario::build::{Nodes, Overrides, Run, ScenarioBuilder, Supplied};
use lightloom_scenario::said::{FlowRow, NetworkRow, Node, RunRow};
use lightloom_scenario::scenario::{NetworkKind, Parameters, Scenario};
use lightloom_twin::params::Params;
use lightloom_units::{BitRate, DataSize, Instant, Span};

/// Parameters of the twin without a catalogue.
pub fn parameters() -> Parameters {
    Parameters {
        params: Params::default(),
        delay_per_m: Span::from_ns(5),
        in_force: Vec::new(),
        files: Vec::new(),
    }
}

/// Leaves with four hosts each, and a spine.
pub fn leaves(leaves: u32) -> NetworkRow {
    NetworkRow {
        kind: Some(NetworkKind::LeafSpine),
        leaves: Some(leaves),
        spines: Some(1),
        hosts_per_leaf: Some(4),
        rate: Some(BitRate::from_gbps(100)),
        delay: Some(Span::from_us(1)),
        ..NetworkRow::default()
    }
}

/// A run of a millisecond.
pub fn run(seed: u64) -> RunRow {
    RunRow { until: Some(Instant::from_ps(1_000_000_000)), seed: Some(seed), ..RunRow::default() }
}

/// The network of a row, which is made from nothing else.
pub fn nodes(row: &NetworkRow) -> Result<Nodes, InputError> {
    Nodes::build(row, Supplied::Nothing, &parameters(), Overrides::default())
}

/// A scenario without traffic.
pub fn builder(seed: u64, network: &NetworkRow) -> ScenarioBuilder {
    let run = Run::new(&run(seed), None).unwrap();
    ScenarioBuilder::new(run, parameters(), nodes(network).unwrap(), Memory::Unknown)
}

/// A flow of a kilobyte.
pub fn flow(from: usize, to: usize) -> FlowRow {
    FlowRow {
        from: Some(Node::Host(from)),
        to: Some(Node::Host(to)),
        size: Some(kilobytes(1)),
        ..FlowRow::default()
    }
}

pub fn kilobytes(number: u64) -> DataSize {
    DataSize::from_bytes(1_000 * number)
}

/// The scenario of a builder.
pub fn built(builder: ScenarioBuilder) -> Scenario {
    builder.build().unwrap().0
}
