//! Limits of scenarios. They follow from the twin's integers and from memory.

use std::fmt::Display;

use lightloom_request::{InputError, Memory};
use lightloom_sim::memory::of_flows;
use lightloom_units::{BitRate, DataSize, Instant, Span};

use crate::rows::Row;

/// Largest number of flows. They take about 22 GB.
pub(super) const MOST_FLOWS: u64 = 1 << 24;

/// Latest end of a run: half of the clock's range, 106 days, so that no timer overflows.
pub(super) const LATEST: Instant = Instant::from_ps(1 << 63);

/// Longest delay, latency or timer.
pub(super) const LONGEST_SPAN: Span = Span::from_s(1000);

/// Slowest link. Its longest pause, 65,535 quanta, lasts 34 s.
pub(super) const LEAST_RATE: BitRate = BitRate::from_bps(1_000_000);

/// The fastest link.
pub(super) const MOST_RATE: BitRate = BitRate::from_gbps(100_000);

/// Largest message.
pub(super) const LARGEST_FLOW: DataSize = DataSize::from_bytes(1_000_000_000_000);

/// Largest number of intervals of a series. A series is written as text three times.
pub(super) const MOST_INTERVALS: u64 = 1 << 20;

/// Largest number of entries of the throughput series over all hosts: 2 GB.
pub(super) const MOST_SAMPLES: u64 = 1 << 28;

/// Refuses a value outside a range.
pub(super) fn within<T: PartialOrd + Display>(
    row: &Row<'_>,
    field: &str,
    found: T,
    (least, most): (T, T),
) -> Result<T, InputError> {
    if found < least || found > most {
        return Err(row.refuse(field, format!("found {found}; expected {least} to {most}")));
    }
    Ok(found)
}

/// Refuses too many flows, and more than the memory may take, before memory is allocated for them.
pub(super) fn check_flows(
    row: &Row<'_>,
    field: &str,
    (before, memory): (usize, Memory),
    more: f64,
) -> Result<(), InputError> {
    let all = before as f64 + more;
    if all > MOST_FLOWS as f64 {
        let message = format!(
            "found {all:.0} flows in all; a scenario has at most {MOST_FLOWS}; shorten it, lower its \
             load, or send fewer, larger messages"
        );
        return Err(row.refuse(field, message));
    }
    if all < 1.0 {
        return Ok(());
    }
    // At most the number above.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let flows = all as u64;
    let within = memory.check_option(&format!("a scenario of {flows} flows"), of_flows(flows));
    within.map_err(|error| InputError { message: error.message, ..row.refuse(field, "") })
}
