//! Throughput over time: of all hosts, by flow, by message to a group, and by receiver.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, UInt64Array};
use arrow_schema::ArrowError;
use lightloom_scenario::scenario::Scenario;
use lightloom_twin::Outcome;

use crate::results::series::{BATCH, write};

/// Series, each with the numbers of what it is of. Samples without payload are left out where there are several series.
pub(super) struct Table<'a, const N: usize> {
    /// What the numbers are.
    names: [&'static str; N],
    series: Vec<([u64; N], std::borrow::Cow<'a, [u64]>)>,
    interval: u64,
}

/// The payload of one interval.
struct Sample<const N: usize> {
    of: [u64; N],
    start: u64,
    bytes: u64,
    rate: f64,
}

/// The series of all hosts.
pub(super) fn all<'a>(scenario: &Scenario, outcome: &'a Outcome) -> Table<'a, 0> {
    let series = vec![([], outcome.goodput.as_slice().into())];
    Table { names: [], series, interval: scenario.probes.interval.as_ps() }
}

/// The series of each flow.
pub(super) fn by_flow<'a>(scenario: &Scenario, outcome: &'a Outcome) -> Table<'a, 1> {
    let series = (0..).zip(&outcome.flow_goodput);
    let series = series.map(|(flow, series)| ([flow], series.as_slice().into())).collect();
    Table { names: ["flow"], series, interval: scenario.probes.interval.as_ps() }
}

/// The series of each receiver of each message to a group.
pub(super) fn by_receiver<'a>(scenario: &Scenario, outcome: &'a Outcome) -> Table<'a, 2> {
    let series = outcome.receiver_goodput.iter().map(|(&(message, host), series)| {
        ([message as u64, u64::from(host.0)], series.as_slice().into())
    });
    let interval = scenario.probes.interval.as_ps();
    Table { names: ["message", "to"], series: series.collect(), interval }
}

/// The series of each message to a group: the sum of those of its receivers.
pub(super) fn by_group(scenario: &Scenario, outcome: &Outcome) -> Table<'static, 1> {
    let mut sums: Vec<Vec<u64>> = vec![Vec::new(); scenario.multicast.casts.len()];
    for ((message, _), series) in &outcome.receiver_goodput {
        let sum = &mut sums[*message];
        sum.resize(sum.len().max(series.len()), 0);
        sum.iter_mut().zip(series).for_each(|(sum, bytes)| *sum += bytes);
    }
    let series = (0..).zip(sums).map(|(message, sum)| ([message], sum.into())).collect();
    Table { names: ["message"], series, interval: scenario.probes.interval.as_ps() }
}

impl<const N: usize> Table<'_, N> {
    /// The samples, series by series.
    fn samples(&self) -> impl Iterator<Item = Sample<N>> {
        let interval = self.interval;
        let samples = self.series.iter().flat_map(move |(of, series)| {
            (0_u64..).zip(series.iter()).map(move |(i, &bytes)| Sample {
                of: *of,
                start: i.saturating_mul(interval),
                bytes,
                rate: bytes as f64 * 8e12 / interval as f64,
            })
        });
        samples.filter(|sample| N == 0 || sample.bytes > 0)
    }

    /// As CSV: one line for each sample.
    pub(super) fn csv(&self) -> Vec<u8> {
        let names: String = self.names.iter().map(|name| format!("{name},")).collect();
        let mut csv = format!("{names}start_ps,bytes,goodput_bps\n");
        for Sample { of, start, bytes, rate } in self.samples() {
            csv.extend(of.iter().map(|number| format!("{number},")));
            csv += &format!("{start},{bytes},{rate:.0}\n");
        }
        csv.into_bytes()
    }

    /// The same as an Arrow IPC file.
    pub(super) fn arrow(&self) -> Result<Vec<u8>, ArrowError> {
        let samples: Vec<Sample<N>> = self.samples().collect();
        let batch = |rows: &[Sample<N>]| {
            let of = |value: &dyn Fn(&Sample<N>) -> u64| -> ArrayRef {
                Arc::new(UInt64Array::from_iter_values(rows.iter().map(value)))
            };
            let rates = rows.iter().map(|row| row.rate);
            let rate: ArrayRef = Arc::new(Float64Array::from_iter_values(rates));
            let numbers = (0..N).map(|place| (self.names[place], of(&|row| row.of[place]), false));
            let columns = numbers.chain([
                ("start_ps", of(&|row| row.start), false),
                ("bytes", of(&|row| row.bytes), false),
                ("goodput_bps", rate, false),
            ]);
            RecordBatch::try_from_iter_with_nullable(columns)
        };
        let empty = batch(&[])?;
        write(&empty, samples.chunks(BATCH).map(batch))
    }
}
