//! Results as CSV for people and spreadsheets, and as Arrow for programs.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray, UInt32Array, UInt64Array};
use arrow_ipc::writer::FileWriter;
use arrow_schema::{ArrowError, Schema};
use lightloom_scenario::scenario::Scenario;
use lightloom_sim::errors::MessageStatus;
use lightloom_sim::kinds::TrafficClass;
use lightloom_sim::report::slowdown;
use lightloom_tables::sheet::neutralised;
use lightloom_twin::{Outcome, Verb};
use lightloom_units::Instant;

/// Rows of a batch of an Arrow file.
pub(super) const BATCH: usize = 1 << 16;

/// A row of the table of flows.
struct FlowRow {
    flow: u64,
    from: u32,
    to: u32,
    class: TrafficClass,
    verb: &'static str,
    size: u64,
    start: u64,
    received: Option<u64>,
    acknowledged: Option<u64>,
    taken: Option<u64>,
    ideal: u64,
    slowdown: Option<f64>,
    counts: [u64; 6],
    from_name: String,
    to_name: String,
    in_order: u64,
    status: MessageStatus,
}

/// The columns of the packet counts of a flow.
const COUNTS: [&str; 6] = ["sent", "repeated", "delivered", "dropped", "in_flight", "timeouts"];

fn flow_rows(scenario: &Scenario, outcome: &Outcome, ideals: &[u64]) -> Vec<FlowRow> {
    let network = &scenario.network;
    let all = (0..).zip(&scenario.flows).zip(&outcome.flows).zip(ideals);
    all.map(|(((flow, asked), came), &ideal)| {
        let taken = came.received.zip(came.asked).and_then(|(at, asked)| at.checked_since(asked));
        let taken = taken.map(lightloom_units::Span::as_ps);
        FlowRow {
            flow,
            from: asked.from.0,
            to: asked.to.0,
            class: asked.class.into(),
            verb: match asked.verb {
                Verb::Write => "write",
                Verb::Send => "send",
            },
            size: asked.size.as_bytes(),
            start: came.asked.unwrap_or(asked.start).as_ps(),
            received: came.received.map(Instant::as_ps),
            acknowledged: came.acknowledged.map(Instant::as_ps),
            taken,
            ideal,
            slowdown: taken.map(|taken| slowdown(taken, ideal)),
            counts: [
                came.sent,
                came.repeated,
                came.delivered,
                came.dropped,
                came.in_flight,
                came.timeouts,
            ],
            from_name: network.name(asked.from),
            to_name: network.name(asked.to),
            in_order: came.in_order,
            status: MessageStatus::of_flow(outcome, flow),
        }
    })
    .collect()
}

/// The text of a value. Empty for `None`.
pub(super) fn text<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// The columns of `flows.csv` before and after the counts. New columns are added at the end.
const FLOW: [&str; 12] = [
    "flow",
    "from",
    "to",
    "class",
    "verb",
    "size_bytes",
    "start_ps",
    "received_ps",
    "acknowledged_ps",
    "completion_ps",
    "ideal_ps",
    "slowdown",
];
const NAMES: [&str; 2] = ["from_name", "to_name"];
const ENDED: [&str; 2] = ["in_order_bytes", "status"];

/// `flows.csv`: one line per flow.
pub(super) fn flows_csv(
    scenario: &Scenario,
    outcome: &Outcome,
    ideals: &[u64],
) -> Result<Vec<u8>, csv::Error> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    csv.write_record(FLOW.iter().chain(&COUNTS).chain(&NAMES).chain(&ENDED))?;
    for row in flow_rows(scenario, outcome, ideals) {
        let cells = [
            row.flow.to_string(),
            row.from.to_string(),
            row.to.to_string(),
            row.class.name().into(),
            row.verb.into(),
            row.size.to_string(),
            row.start.to_string(),
            text(row.received),
            text(row.acknowledged),
            text(row.taken),
            row.ideal.to_string(),
            row.slowdown.map_or_else(String::new, |ratio| format!("{ratio:.6}")),
        ];
        let counts = row.counts.map(|count| count.to_string());
        let names = [neutralised(&row.from_name).into(), neutralised(&row.to_name).into()];
        let ended = [row.in_order.to_string(), row.status.name().into()];
        csv.write_record(cells.iter().chain(&counts).chain(&names).chain(&ended))?;
    }
    csv.into_inner().map_err(|error| error.into_error().into())
}

/// `links.csv`: one line per direction of each link.
pub(super) fn links_csv(scenario: &Scenario, outcome: &Outcome) -> Result<Vec<u8>, csv::Error> {
    let network = &scenario.network;
    let mut csv = csv::Writer::from_writer(Vec::new());
    csv.write_record([
        "from",
        "from_name",
        "port",
        "to",
        "to_name",
        "rate_bps",
        "delay_ps",
        "sent",
        "lost",
        "received",
        "in_flight",
        "marked",
        "pauses",
        "most_queued_bytes",
        "stopped_ps",
        "sent_bytes",
    ])?;
    for link in &outcome.links {
        let port = &network.ports(link.from)[usize::from(link.port)];
        let (from, to) = (network.name(link.from), network.name(port.peer));
        csv.write_record([
            link.from.to_string(),
            neutralised(&from).into(),
            link.port.to_string(),
            port.peer.to_string(),
            neutralised(&to).into(),
            port.rate.as_bps().to_string(),
            port.delay.as_ps().to_string(),
            link.sent.to_string(),
            link.lost.to_string(),
            link.received.to_string(),
            link.in_flight.to_string(),
            link.marked.to_string(),
            link.pauses.to_string(),
            link.most_queued.to_string(),
            link.paused.as_ps().to_string(),
            link.sent_bytes.to_string(),
        ])?;
    }
    csv.into_inner().map_err(|error| error.into_error().into())
}

/// `flows.arrow`: the table of `flows.csv` as an Arrow IPC file.
pub(super) fn flows_arrow(
    scenario: &Scenario,
    outcome: &Outcome,
    ideals: &[u64],
) -> Result<Vec<u8>, ArrowError> {
    let rows = flow_rows(scenario, outcome, ideals);
    let batch = |rows: &[FlowRow]| {
        let u64s = |of: &dyn Fn(&FlowRow) -> Option<u64>| -> ArrayRef {
            Arc::new(UInt64Array::from_iter(rows.iter().map(of)))
        };
        let u32s = |of: &dyn Fn(&FlowRow) -> u32| -> ArrayRef {
            Arc::new(UInt32Array::from_iter_values(rows.iter().map(of)))
        };
        fn texts<'a>(rows: &'a [FlowRow], of: impl Fn(&'a FlowRow) -> &'a str) -> ArrayRef {
            Arc::new(StringArray::from_iter_values(rows.iter().map(of)))
        }
        let ratios: ArrayRef = Arc::new(Float64Array::from_iter(rows.iter().map(|r| r.slowdown)));
        let mut columns: Vec<(&str, ArrayRef, bool)> = vec![
            ("flow", u64s(&|row| Some(row.flow)), false),
            ("from", u32s(&|row| row.from), false),
            ("to", u32s(&|row| row.to), false),
            ("class", texts(rows, |row| row.class.name()), false),
            ("verb", texts(rows, |row| row.verb), false),
            ("size_bytes", u64s(&|row| Some(row.size)), false),
            ("start_ps", u64s(&|row| Some(row.start)), false),
            ("received_ps", u64s(&|row| row.received), true),
            ("acknowledged_ps", u64s(&|row| row.acknowledged), true),
            ("completion_ps", u64s(&|row| row.taken), true),
            ("ideal_ps", u64s(&|row| Some(row.ideal)), false),
            ("slowdown", ratios, true),
        ];
        let counts = (0..).zip(COUNTS);
        columns.extend(
            counts.map(|(i, name): (usize, &str)| (name, u64s(&|row| Some(row.counts[i])), false)),
        );
        columns.push(("from_name", texts(rows, |row| &row.from_name), false));
        columns.push(("to_name", texts(rows, |row| &row.to_name), false));
        let [in_order, status] = ENDED;
        columns.push((in_order, u64s(&|row| Some(row.in_order)), false));
        columns.push((status, texts(rows, |row| row.status.name()), false));
        RecordBatch::try_from_iter_with_nullable(columns)
    };
    let empty = batch(&[])?;
    write(&empty, rows.chunks(BATCH).map(batch))
}

/// An Arrow IPC file of batches. `empty` defines the columns.
pub(super) fn write(
    empty: &RecordBatch,
    batches: impl Iterator<Item = Result<RecordBatch, ArrowError>>,
) -> Result<Vec<u8>, ArrowError> {
    let schema: Arc<Schema> = empty.schema();
    let mut writer = FileWriter::try_new(Vec::new(), &schema)?;
    for batch in batches {
        writer.write(&batch?)?;
    }
    writer.finish()?;
    writer.into_inner()
}
