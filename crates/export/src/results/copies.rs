//! Copies of messages to groups: one row for each message and each link or branch that it crossed.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray, UInt32Array, UInt64Array};
use arrow_schema::ArrowError;
use lightloom_scenario::scenario::Scenario;
use lightloom_tables::sheet::neutralised;
use lightloom_twin::{CastCopies, Outcome};

use crate::results::series::{BATCH, text, write};

/// The columns of `copies.csv`. New columns are added at the end. A link has no splitter.
const COLUMNS: [&str; 11] = [
    "message",
    "group",
    "group_name",
    "from",
    "from_name",
    "port",
    "to",
    "to_name",
    "to_port",
    "splitter",
    "copies",
];

/// The number of the group of a message.
fn group(scenario: &Scenario, row: &CastCopies) -> u32 {
    scenario.multicast.casts[row.cast].to.0
}

/// `copies.csv`: one line for each message to a group and each link or branch that it crossed.
pub(super) fn csv(scenario: &Scenario, outcome: &Outcome) -> Result<Vec<u8>, csv::Error> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    csv.write_record(COLUMNS)?;
    for row in &outcome.copies {
        let (way, group) = (row.way, group(scenario, row));
        csv.write_record([
            row.cast.to_string(),
            group.to_string(),
            neutralised(&scenario.groups.names[group as usize]).into(),
            way.from.to_string(),
            neutralised(&scenario.network.name(way.from)).into(),
            way.out.to_string(),
            way.to.to_string(),
            neutralised(&scenario.network.name(way.to)).into(),
            way.port.to_string(),
            text(way.splitter),
            row.copies.to_string(),
        ])?;
    }
    csv.into_inner().map_err(|error| error.into_error().into())
}

/// `copies.arrow`: the table of `copies.csv` as an Arrow IPC file.
pub(super) fn arrow(scenario: &Scenario, outcome: &Outcome) -> Result<Vec<u8>, ArrowError> {
    let batch = |rows: &[CastCopies]| {
        let u64s = |of: &dyn Fn(&CastCopies) -> Option<u64>| -> ArrayRef {
            Arc::new(UInt64Array::from_iter(rows.iter().map(of)))
        };
        let u32s = |of: &dyn Fn(&CastCopies) -> u32| -> ArrayRef {
            Arc::new(UInt32Array::from_iter_values(rows.iter().map(of)))
        };
        let texts = |of: &dyn Fn(&CastCopies) -> String| -> ArrayRef {
            Arc::new(StringArray::from_iter_values(rows.iter().map(of)))
        };
        let arrays: [(ArrayRef, bool); 11] = [
            (u64s(&|row| Some(row.cast as u64)), false),
            (u32s(&|row| group(scenario, row)), false),
            (texts(&|row| scenario.groups.names[group(scenario, row) as usize].clone()), false),
            (u32s(&|row| row.way.from.0), false),
            (texts(&|row| scenario.network.name(row.way.from)), false),
            (u32s(&|row| row.way.out.into()), false),
            (u32s(&|row| row.way.to.0), false),
            (texts(&|row| scenario.network.name(row.way.to)), false),
            (u32s(&|row| row.way.port.into()), false),
            (u64s(&|row| row.way.splitter.map(u64::from)), true),
            (u64s(&|row| Some(row.copies)), false),
        ];
        let columns = COLUMNS.into_iter().zip(arrays);
        RecordBatch::try_from_iter_with_nullable(
            columns.map(|(name, (array, null))| (name, array, null)),
        )
    };
    let empty = batch(&[])?;
    write(&empty, outcome.copies.chunks(BATCH).map(batch))
}
