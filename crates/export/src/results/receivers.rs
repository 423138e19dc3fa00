//! Messages to groups, one row for each receiver; and the branches of splitters.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray, UInt32Array, UInt64Array};
use arrow_schema::ArrowError;
use lightloom_scenario::scenario::Scenario;
use lightloom_sim::errors::MessageStatus;
use lightloom_sim::groups::taken;
use lightloom_tables::sheet::neutralised;
use lightloom_twin::{Admitted, CastOutcome, Outcome, ReceiverOutcome};
use lightloom_units::{BitRate, Instant};

use crate::results::series::{BATCH, text, write};

/// What a receiver got of a message.
struct Got<'a> {
    message: u64,
    group: u32,
    from: u32,
    size: u64,
    came: &'a CastOutcome,
    receiver: &'a ReceiverOutcome,
    status: MessageStatus,
}

/// The columns of `receivers.csv`. New columns are added at the end.
const COLUMNS: [&str; 20] = [
    "message",
    "group",
    "group_name",
    "from",
    "from_name",
    "to",
    "to_name",
    "size_bytes",
    "start_ps",
    "received_ps",
    "completion_ps",
    "delivered",
    "twice",
    "admission_asked_ps",
    "admission_granted_ps",
    "admission_over_ps",
    "admission_waited_for",
    "admission_rate_bps",
    "in_order_bytes",
    "status",
];

fn all<'a>(scenario: &'a Scenario, outcome: &'a Outcome) -> impl Iterator<Item = Got<'a>> {
    let casts = (0..).zip(&scenario.multicast.casts).zip(&outcome.casts);
    casts.flat_map(move |((message, cast), came)| {
        came.receivers.iter().map(move |receiver| Got {
            message,
            group: cast.to.0,
            from: cast.from.0,
            size: cast.size.as_bytes(),
            came,
            receiver,
            status: MessageStatus::of_receiver(outcome, message, receiver),
        })
    })
}

impl Got<'_> {
    fn start(&self) -> Option<u64> {
        self.came.all.asked.map(Instant::as_ps)
    }

    fn received(&self) -> Option<u64> {
        self.receiver.received.map(Instant::as_ps)
    }

    /// Admission of the message: when it was asked for, granted and over, what it waited for, and its first rate.
    fn admission(&self) -> [Option<u64>; 5] {
        let Some(admitted) = self.came.admission else { return [None; 5] };
        let Admitted { asked, granted, over, waited_for, rate, .. } = admitted;
        let [asked, granted, over] = [asked, granted, over].map(|at| at.map(Instant::as_ps));
        [asked, granted, over, waited_for.map(u64::from), rate.map(BitRate::as_bps)]
    }

    fn taken(&self) -> Option<u64> {
        taken(self.came.all.asked, self.receiver.received)
    }
}

/// `receivers.csv`: one line for each message to a group and each receiver.
pub(super) fn receivers_csv(scenario: &Scenario, outcome: &Outcome) -> Result<Vec<u8>, csv::Error> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    csv.write_record(COLUMNS)?;
    for got in all(scenario, outcome) {
        let host = got.receiver.host;
        let from = lightloom_topology::electrical::NodeId(got.from);
        let [from_name, to_name] = [from, host].map(|node| scenario.network.name(node));
        let row: [String; 13] = [
            got.message.to_string(),
            got.group.to_string(),
            neutralised(&scenario.groups.names[got.group as usize]).into(),
            got.from.to_string(),
            neutralised(&from_name).into(),
            host.to_string(),
            neutralised(&to_name).into(),
            got.size.to_string(),
            text(got.start()),
            text(got.received()),
            text(got.taken()),
            got.receiver.delivered.to_string(),
            got.receiver.spurious.to_string(),
        ];
        let admission = got.admission().map(text);
        let ending = [got.receiver.in_order.to_string(), got.status.name().into()];
        csv.write_record(row.into_iter().chain(admission).chain(ending))?;
    }
    csv.into_inner().map_err(|error| error.into_error().into())
}

/// `receivers.arrow`: the table of `receivers.csv` as an Arrow IPC file.
pub(super) fn receivers_arrow(
    scenario: &Scenario,
    outcome: &Outcome,
) -> Result<Vec<u8>, ArrowError> {
    let rows: Vec<Got<'_>> = all(scenario, outcome).collect();
    let batch = |rows: &[Got<'_>]| {
        let u64s = |of: &dyn Fn(&Got<'_>) -> Option<u64>| -> ArrayRef {
            Arc::new(UInt64Array::from_iter(rows.iter().map(of)))
        };
        let u32s = |of: &dyn Fn(&Got<'_>) -> u32| -> ArrayRef {
            Arc::new(UInt32Array::from_iter_values(rows.iter().map(of)))
        };
        let texts = |of: &dyn Fn(&Got<'_>) -> String| -> ArrayRef {
            Arc::new(StringArray::from_iter_values(rows.iter().map(of)))
        };
        let name = |node: u32| scenario.network.name(lightloom_topology::electrical::NodeId(node));
        let arrays: [(ArrayRef, bool); 20] = [
            (u64s(&|got| Some(got.message)), false),
            (u32s(&|got| got.group), false),
            (texts(&|got| scenario.groups.names[got.group as usize].clone()), false),
            (u32s(&|got| got.from), false),
            (texts(&|got| name(got.from)), false),
            (u32s(&|got| got.receiver.host.0), false),
            (texts(&|got| name(got.receiver.host.0)), false),
            (u64s(&|got| Some(got.size)), false),
            (u64s(&|got| got.start()), true),
            (u64s(&|got| got.received()), true),
            (u64s(&|got| got.taken()), true),
            (u64s(&|got| Some(got.receiver.delivered)), false),
            (u64s(&|got| Some(got.receiver.spurious)), false),
            (u64s(&|got| got.admission()[0]), true),
            (u64s(&|got| got.admission()[1]), true),
            (u64s(&|got| got.admission()[2]), true),
            (u64s(&|got| got.admission()[3]), true),
            (u64s(&|got| got.admission()[4]), true),
            (u64s(&|got| Some(got.receiver.in_order)), false),
            (texts(&|got| got.status.name().into()), false),
        ];
        let columns = COLUMNS.into_iter().zip(arrays);
        RecordBatch::try_from_iter_with_nullable(
            columns.map(|(name, (array, null))| (name, array, null)),
        )
    };
    let empty = batch(&[])?;
    write(&empty, rows.chunks(BATCH).map(batch))
}

/// `branches.csv`: one line for each branch of each splitter.
pub(super) fn branches_csv(scenario: &Scenario, outcome: &Outcome) -> Result<Vec<u8>, csv::Error> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    csv.write_record([
        "splitter",
        "from_name",
        "branch",
        "to_name",
        "rate_bps",
        "delay_ps",
        "sent",
        "lost",
        "received",
        "in_flight",
        "most_queued_bytes",
    ])?;
    let splitters = scenario.multicast.splitters.iter().zip(&outcome.splitters);
    for (number, (splitter, came)) in splitters.enumerate() {
        let from = scenario.network.name(splitter.from);
        for (place, (branch, got)) in splitter.branches.iter().zip(&came.branches).enumerate() {
            csv.write_record([
                number.to_string(),
                neutralised(&from).into(),
                place.to_string(),
                neutralised(&scenario.network.name(branch.to)).into(),
                splitter.rate.as_bps().to_string(),
                branch.delay.as_ps().to_string(),
                came.sent.to_string(),
                got.lost.to_string(),
                got.received.to_string(),
                got.in_flight.to_string(),
                came.most_queued.to_string(),
            ])?;
        }
    }
    csv.into_inner().map_err(|error| error.into_error().into())
}
