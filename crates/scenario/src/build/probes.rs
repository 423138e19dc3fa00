//! `[probes]`: which series a run records.

use lightloom_request::InputError;
use lightloom_twin::Multicast;
use lightloom_units::{Instant, Span};

use crate::said::limits::{MOST_INTERVALS, MOST_SAMPLES};
use crate::said::{ProbesRow, Row as _};
use crate::scenario::Probes;

/// Default interval of series.
const INTERVAL: Span = Span::from_ms(1);

/// What a row asks for. Refuses series that would fill the memory.
pub(super) fn probes(
    row: &ProbesRow,
    (until, hosts): (Instant, usize),
    (flows, multicast): (usize, &Multicast),
) -> Result<Probes, InputError> {
    let place = ProbesRow::place();
    row.check(place)?;
    let interval = row.interval.unwrap_or_else(|| usual(until, hosts));
    let [by_flow, groups, receivers, copies] =
        [row.flows, row.groups, row.receivers, row.copies].map(|said| said == Some(true));
    let samples = until.as_ps().div_ceil(interval.as_ps());
    if samples > MOST_INTERVALS {
        let message = format!(
            "found {interval}, which makes {samples} intervals until {until}; a series has at most \
             {MOST_INTERVALS}; take a longer interval or an earlier end"
        );
        return Err(place.refuse("interval", message));
    }
    let of = |kind: &str, number: usize| {
        if samples.saturating_mul(number as u64) <= MOST_SAMPLES {
            return Ok(());
        }
        let message = format!(
            "found {interval}, which makes {samples} samples at each of {number} {kind}; the \
             series has at most {MOST_SAMPLES} in all; take a longer interval or an earlier end"
        );
        Err(place.refuse("interval", message))
    };
    of("hosts", hosts)?;
    if by_flow {
        of("flows", flows)?;
    }
    if groups || receivers {
        let members = multicast.casts.iter().map(|cast| &multicast.groups[cast.to.0 as usize]);
        of("receivers", members.map(|group| group.members.len()).sum())?;
    }
    Ok(Probes { interval, flows: by_flow, groups, receivers, copies })
}

/// Default interval: a millisecond, or longer in a long run.
fn usual(until: Instant, hosts: usize) -> Span {
    let most = MOST_INTERVALS.min(MOST_SAMPLES / hosts.max(1) as u64).max(1);
    INTERVAL.max(Span::from_ps(until.as_ps().div_ceil(most)))
}
