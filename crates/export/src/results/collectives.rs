//! `collectives.csv`: when each member of a collective operation had all that it receives.

use lightloom_scenario::scenario::Scenario;
use lightloom_sim::collectives::members;
use lightloom_sim::groups::taken;
use lightloom_tables::sheet::neutralised;
use lightloom_twin::Outcome;
use lightloom_units::Instant;

use crate::results::series::text;

/// The columns. New columns are added at the end.
const COLUMNS: [&str; 11] = [
    "collective",
    "name",
    "operation",
    "schedule",
    "time",
    "place",
    "host",
    "host_name",
    "start_ps",
    "received_ps",
    "completion_ps",
];

/// One line for each operation, each time and each member that receives, in the order of the schedule.
pub(super) fn csv(scenario: &Scenario, outcome: &Outcome) -> Result<Vec<u8>, csv::Error> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    csv.write_record(COLUMNS)?;
    for (number, one) in scenario.collectives.iter().enumerate() {
        for (time, iteration) in one.iterations.iter().enumerate() {
            let times = members(scenario, outcome, (one, iteration));
            for (place, host) in one.members.iter().enumerate() {
                let Some(member) = times.get(host) else { continue };
                csv.write_record([
                    number.to_string(),
                    neutralised(&one.name).into(),
                    one.operation.to_string(),
                    one.schedule.to_string(),
                    time.to_string(),
                    place.to_string(),
                    host.to_string(),
                    neutralised(&scenario.network.name(*host)).into(),
                    text(member.start.map(Instant::as_ps)),
                    text(member.received.map(Instant::as_ps)),
                    text(taken(member.start, member.received)),
                ])?;
            }
        }
    }
    csv.into_inner().map_err(|error| error.into_error().into())
}
