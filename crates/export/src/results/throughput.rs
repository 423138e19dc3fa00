//! Throughput over time: of all hosts, and per flow.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, UInt64Array};
use arrow_schema::ArrowError;
use lightloom_sim::scenario::Scenario;
use lightloom_twin::Outcome;

use crate::results::series::{BATCH, write};

/// The payload of one interval.
struct Sample {
    /// Number of the flow. Used only in the series of flows.
    flow: u64,
    start: u64,
    bytes: u64,
    rate: f64,
}

/// The samples of a series, in order.
fn samples(scenario: &Scenario, flow: u64, series: &[u64]) -> impl Iterator<Item = Sample> {
    let interval = scenario.probes.interval.as_ps();
    (0_u64..).zip(series).map(move |(i, &bytes)| Sample {
        flow,
        start: i.saturating_mul(interval),
        bytes,
        rate: bytes as f64 * 8e12 / interval as f64,
    })
}

/// The samples of all flows, flow by flow. Samples without payload are omitted.
fn by_flow<'a>(scenario: &'a Scenario, outcome: &'a Outcome) -> impl Iterator<Item = Sample> + 'a {
    let flows = (0..).zip(&outcome.flow_goodput);
    let all = flows.flat_map(|(flow, series)| samples(scenario, flow, series));
    all.filter(|sample| sample.bytes > 0)
}

/// `throughput.csv`: one line per interval.
pub(super) fn throughput_csv(scenario: &Scenario, outcome: &Outcome) -> Vec<u8> {
    let mut csv = String::from("start_ps,bytes,goodput_bps\n");
    for Sample { start, bytes, rate, .. } in samples(scenario, 0, &outcome.goodput) {
        csv += &format!("{start},{bytes},{rate:.0}\n");
    }
    csv.into_bytes()
}

/// `flow-throughput.csv`: one line for each flow and interval with payload.
pub(super) fn flow_throughput_csv(scenario: &Scenario, outcome: &Outcome) -> Vec<u8> {
    let mut csv = String::from("flow,start_ps,bytes,goodput_bps\n");
    for Sample { flow, start, bytes, rate } in by_flow(scenario, outcome) {
        csv += &format!("{flow},{start},{bytes},{rate:.0}\n");
    }
    csv.into_bytes()
}

/// `throughput.arrow`: the series of `throughput.csv` as an Arrow IPC file.
pub(super) fn throughput_arrow(
    scenario: &Scenario,
    outcome: &Outcome,
) -> Result<Vec<u8>, ArrowError> {
    arrow(&samples(scenario, 0, &outcome.goodput).collect::<Vec<_>>(), false)
}

/// `flow-throughput.arrow`: the series of `flow-throughput.csv` as an Arrow IPC file.
pub(super) fn flow_throughput_arrow(
    scenario: &Scenario,
    outcome: &Outcome,
) -> Result<Vec<u8>, ArrowError> {
    arrow(&by_flow(scenario, outcome).collect::<Vec<_>>(), true)
}

fn arrow(samples: &[Sample], by_flow: bool) -> Result<Vec<u8>, ArrowError> {
    let batch = |rows: &[Sample]| {
        let of = |value: &dyn Fn(&Sample) -> u64| -> ArrayRef {
            Arc::new(UInt64Array::from_iter_values(rows.iter().map(value)))
        };
        let rate: ArrayRef = Arc::new(Float64Array::from_iter_values(rows.iter().map(|r| r.rate)));
        let mut columns = vec![
            ("start_ps", of(&|row| row.start), false),
            ("bytes", of(&|row| row.bytes), false),
            ("goodput_bps", rate, false),
        ];
        if by_flow {
            columns.insert(0, ("flow", of(&|row| row.flow), false));
        }
        RecordBatch::try_from_iter_with_nullable(columns)
    };
    let empty = batch(&[])?;
    write(&empty, samples.chunks(BATCH).map(batch))
}
