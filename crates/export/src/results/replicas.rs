//! Several runs: one row per run, and one row for each message to a group and each run.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray, UInt64Array};
use arrow_schema::ArrowError;
use lightloom_sim::goodput::GoodputReport;
use lightloom_sim::replicas::{MessageIntervals, ReplicaMessage, ReplicaReport, ReplicasReport};
use lightloom_sim::summary::TimesReport;
use lightloom_sim::to_groups::ToGroupsReport;
use lightloom_tables::sheet::neutralised;

use crate::results::series::{BATCH, text, write};

/// `replicas.csv`: one line per run.
pub(super) fn csv(report: &ReplicasReport) -> Vec<u8> {
    let mut csv = String::from(
        "seed,end,reached_ps,completed,unfinished,mean_completion_ps,p99_completion_ps,goodput_bps,\
         repeated,timeouts,dropped,pauses,data_hops,group_goodput_bps,all_goodput_bps,messages,\
         messages_completed,group_repeated,group_timeouts\n",
    );
    for replica in &report.replicas {
        let ReplicaReport { seed, end, flows, goodput, to_groups, .. } = replica;
        let ReplicaReport { dropped, pauses, data_hops, .. } = replica;
        let times = flows.completion;
        let bps = |moved: Option<GoodputReport>| {
            moved.map_or_else(String::new, |moved| format!("{:.0}", moved.goodput_bps))
        };
        let count = |of: fn(&ToGroupsReport) -> u64| text(to_groups.as_ref().map(of));
        let ps = |of: fn(TimesReport) -> u64| {
            times.map_or_else(String::new, |times| of(times).to_string())
        };
        csv += &format!(
            "{seed},{},{},{},{},{},{},{},{},{},{dropped},{pauses},{data_hops},{},{},{},{},{},{}\n",
            end.how,
            end.reached_ps,
            flows.completed,
            flows.unfinished,
            ps(|times| times.mean_ps),
            ps(|times| times.p99_ps),
            bps(goodput.flows),
            flows.repeated,
            flows.timeouts,
            bps(goodput.groups),
            bps(goodput.all),
            count(|all| (all.completed + all.unfinished) as u64),
            count(|all| all.completed as u64),
            count(|all| all.repeated),
            count(|all| all.timeouts),
        );
    }
    csv.into_bytes()
}

/// A message to a group in one run.
type Row<'a> = (u64, u64, &'a MessageIntervals, &'a ReplicaMessage);

/// The columns of `messages.csv`. New columns are added at the end.
const COLUMNS: [&str; 11] = [
    "seed",
    "message",
    "group_name",
    "from_name",
    "size_bytes",
    "receivers",
    "completed",
    "last_ps",
    "goodput_bps",
    "repeated",
    "dropped",
];

fn messages(report: &ReplicasReport) -> impl Iterator<Item = Row<'_>> {
    report.replicas.iter().flat_map(|replica| {
        let messages = (0..).zip(&report.multicasts).zip(&replica.multicasts);
        messages.map(|((number, message), came)| (replica.seed, number, message, came))
    })
}

/// `messages.csv`: one line for each run and each message to a group.
pub(super) fn messages_csv(report: &ReplicasReport) -> Result<Vec<u8>, csv::Error> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    csv.write_record(COLUMNS)?;
    for (seed, number, message, came) in messages(report) {
        csv.write_record([
            seed.to_string(),
            number.to_string(),
            neutralised(&message.group).into(),
            neutralised(&message.from).into(),
            message.bytes.to_string(),
            message.receivers.to_string(),
            came.completed.to_string(),
            text(came.last_ps),
            came.goodput_bps.map_or_else(String::new, |bps| format!("{bps:.0}")),
            came.repeated.to_string(),
            came.dropped.to_string(),
        ])?;
    }
    csv.into_inner().map_err(|error| error.into_error().into())
}

/// `messages.arrow`: the table of `messages.csv` as an Arrow IPC file.
pub(super) fn messages_arrow(report: &ReplicasReport) -> Result<Vec<u8>, ArrowError> {
    let rows: Vec<Row<'_>> = messages(report).collect();
    let batch = |rows: &[Row<'_>]| {
        let u64s = |of: &dyn Fn(&Row<'_>) -> Option<u64>| -> ArrayRef {
            Arc::new(UInt64Array::from_iter(rows.iter().map(of)))
        };
        let texts = |of: &dyn Fn(&Row<'_>) -> String| -> ArrayRef {
            Arc::new(StringArray::from_iter_values(rows.iter().map(of)))
        };
        let goodput: ArrayRef =
            Arc::new(Float64Array::from_iter(rows.iter().map(|row| row.3.goodput_bps)));
        let arrays: [(ArrayRef, bool); 11] = [
            (u64s(&|row| Some(row.0)), false),
            (u64s(&|row| Some(row.1)), false),
            (texts(&|row| row.2.group.clone()), false),
            (texts(&|row| row.2.from.clone()), false),
            (u64s(&|row| Some(row.2.bytes)), false),
            (u64s(&|row| Some(row.2.receivers as u64)), false),
            (u64s(&|row| Some(row.3.completed as u64)), false),
            (u64s(&|row| row.3.last_ps), true),
            (goodput, true),
            (u64s(&|row| Some(row.3.repeated)), false),
            (u64s(&|row| Some(row.3.dropped)), false),
        ];
        let columns = COLUMNS.into_iter().zip(arrays);
        RecordBatch::try_from_iter_with_nullable(
            columns.map(|(name, (array, null))| (name, array, null)),
        )
    };
    let empty = batch(&[])?;
    write(&empty, rows.chunks(BATCH).map(batch))
}
