//! Poisson traffic: each host sends messages at random times to random other hosts. Their payload is `load` of the
//! host's line rate.

use lightloom_request::InputError;
use lightloom_topology::electrical::NodeId;
use lightloom_units::{DataSize, Instant, Span};

use crate::build::context::Context;
use crate::build::random::{Purpose, below, stream, unit};
use crate::build::sizes::Sizes;
use crate::said::{Place, TrafficRow};

/// Poisson traffic of a row.
pub(super) struct Poisson<'a> {
    context: &'a Context,
    place: Place,
    /// Number of the pattern.
    number: u64,
    load: f64,
    start: Instant,
    /// Time during which messages arrive, in picoseconds.
    duration: f64,
}

impl<'a> Poisson<'a> {
    pub(super) fn new(
        row: &TrafficRow,
        (place, number): (Place, u64),
        start: Instant,
        context: &'a Context,
    ) -> Result<Self, InputError> {
        let load = row.load.ok_or_else(|| place.missing("load", "0.5"))?;
        let until = context.run.until;
        let longest = until - start;
        let duration = row.duration.unwrap_or(longest);
        if duration == Span::ZERO || duration > longest {
            let message = format!(
                "found {duration}; expected more than 0 s and at most {longest}: arrivals begin at {start}, and the \
                 run ends at {until}"
            );
            return Err(place.refuse("duration", message));
        }
        Ok(Self { context, place, number, load, start, duration: duration.as_ps() as f64 })
    }

    /// Draws all messages, host by host, and answers each with its sender, receiver, size and start. There are `before`
    /// flows already.
    pub(super) fn draw(
        &self,
        sizes: &Sizes,
        before: usize,
        push: &mut dyn FnMut(NodeId, NodeId, DataSize, Instant),
    ) -> Result<(), InputError> {
        let Self { context, place, number, load, duration, .. } = *self;
        let network = &context.nodes.network;
        let mean_gap = |host: NodeId| {
            let bytes_per_ps = network.ports(host)[0].rate.as_bps() as f64 / 8e12;
            sizes.mean() / (load * bytes_per_ps)
        };
        let hosts = || (0..network.hosts()).map(NodeId::at);
        let expected: f64 = hosts().map(|host| duration / mean_gap(host)).sum();
        context.check_flows(place, "load", before, expected)?;
        let mut drawn = 0;
        for from in hosts() {
            let host = from.index() as u64;
            let mut arrivals = stream(context.run.seed, Purpose::Arrivals, number, host);
            let mut random = stream(context.run.seed, Purpose::Sizes, number, host);
            let gap = mean_gap(from);
            let mut at = 0.0;
            loop {
                at -= gap * libm::log(1.0 - unit(&mut arrivals));
                if at >= duration {
                    break;
                }
                context.check_flows(place, "load", before + drawn, 1.0)?;
                drawn += 1;
                let to = below(&mut arrivals, network.hosts() - 1);
                let to = NodeId::at(to + usize::from(to >= from.index()));
                // The value is below the duration, which is a valid time.
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
                let start = self.start + Span::from_ps(at as u64);
                push(from, to, sizes.next(&mut random), start);
            }
        }
        if drawn == 0 {
            let message =
                format!("found {load}, at which no message arrives; raise it, or duration");
            return Err(place.refuse("load", message));
        }
        Ok(())
    }
}
