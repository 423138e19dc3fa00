//! `[probes]`: which series a run records.

use lightloom_request::InputError;
use lightloom_request::scenario::section;
use lightloom_sim::scenario::Probes;
use lightloom_twin::Multicast;
use lightloom_units::{Instant, Span};

use crate::rows::Row;
use crate::scenario::limits::{LONGEST_SPAN, MOST_INTERVALS, MOST_SAMPLES, within};
use crate::scenario::network::Nodes;

/// Default interval of series.
const INTERVAL: Span = Span::from_ms(1);

/// Reads the section. Refuses series that would fill the memory.
pub(super) fn read(
    root: &Row<'_>,
    until: Instant,
    nodes: &Nodes,
    (flows, multicast): (usize, &Multicast),
) -> Result<Probes, InputError> {
    let hosts = nodes.network.hosts();
    let Some(probes) = root.table("probes", "probes")? else {
        let interval = usual(until, hosts);
        let (flows, groups, receivers, copies) = (false, false, false, false);
        return Ok(Probes { interval, flows, groups, receivers, copies });
    };
    probes.only_these(&section("probes").names())?;
    let interval = probes.quantity("interval")?.unwrap_or_else(|| usual(until, hosts));
    let interval = within(&probes, "interval", interval, (Span::from_ns(1), LONGEST_SPAN))?;
    let by_flow = probes.flag("flows")?.unwrap_or(false);
    let groups = probes.flag("groups")?.unwrap_or(false);
    let receivers = probes.flag("receivers")?.unwrap_or(false);
    let copies = probes.flag("copies")?.unwrap_or(false);
    let samples = until.as_ps().div_ceil(interval.as_ps());
    if samples > MOST_INTERVALS {
        let message = format!(
            "found {interval}, which makes {samples} intervals until {until}; a series has at most \
             {MOST_INTERVALS}; take a longer interval or an earlier end"
        );
        return Err(probes.refuse("interval", message));
    }
    let of = |kind: &str, number: usize| {
        if samples.saturating_mul(number as u64) <= MOST_SAMPLES {
            return Ok(());
        }
        let message = format!(
            "found {interval}, which makes {samples} samples at each of {number} {kind}; the \
             series has at most {MOST_SAMPLES} in all; take a longer interval or an earlier end"
        );
        Err(probes.refuse("interval", message))
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
