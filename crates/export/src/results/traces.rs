//! `traces.csv`: when each rank of a trace had done all.

use lightloom_scenario::scenario::Scenario;
use lightloom_sim::traces::ranks;
use lightloom_tables::sheet::neutralised;
use lightloom_twin::Outcome;
use lightloom_units::{Instant, Span};

use crate::results::series::text;

/// The columns. New columns are added at the end.
const COLUMNS: [&str; 9] =
    ["trace", "name", "rank", "host", "host_name", "operations", "ended", "busy_ps", "done_ps"];

/// One line for each trace and rank.
pub(super) fn csv(scenario: &Scenario, outcome: &Outcome) -> Result<Vec<u8>, csv::Error> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    csv.write_record(COLUMNS)?;
    for (number, trace) in scenario.traces.iter().enumerate() {
        for (rank, came) in ranks(scenario, outcome, trace).into_iter().enumerate() {
            csv.write_record([
                number.to_string(),
                neutralised(&trace.name).into(),
                rank.to_string(),
                came.host.to_string(),
                neutralised(&scenario.network.name(came.host)).into(),
                came.operations.to_string(),
                came.ended.to_string(),
                text(came.busy.map(Span::as_ps)),
                text(came.done.map(Instant::as_ps)),
            ])?;
        }
    }
    csv.into_inner().map_err(|error| error.into_error().into())
}
