//! Poisson traffic: each host sends messages at random times to random other hosts. Their payload is `load` of the
//! host's line rate. A share of them may go to a few hot hosts.

use std::collections::BTreeSet;

use lightloom_request::InputError;
use lightloom_topology::electrical::NodeId;
use lightloom_units::{DataSize, Instant, Span};
use rand_chacha::ChaCha8Rng;

use crate::build::context::Context;
use crate::build::patterns::each_once;
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
    /// The hosts that send and receive.
    hosts: &'a [NodeId],
    hot: Option<Hot>,
    /// Time during which messages arrive, in picoseconds.
    duration: f64,
}

/// Hosts that receive more than others.
struct Hot {
    hosts: Vec<NodeId>,
    /// Share of the messages that go to one of them.
    share: f64,
}

impl Hot {
    /// The hot hosts of a row. `None`: it has none.
    fn new(
        row: &TrafficRow,
        place: Place,
        among: &[NodeId],
        context: &Context,
    ) -> Result<Option<Self>, InputError> {
        let Some(listed) = &row.hot else {
            return match row.hot_share {
                None => Ok(None),
                Some(_) => Err(place.missing("hot", "[0, 1], beside hot_share")),
            };
        };
        let hosts = each_once(listed, (place, "hot"), context)?;
        if hosts.is_empty() {
            return Err(place.refuse("hot", "found an empty list; name at least one host"));
        }
        let among: BTreeSet<NodeId> = among.iter().copied().collect();
        if let Some(&other) = hosts.iter().find(|host| !among.contains(host)) {
            let name = context.nodes.network.name(other);
            let message = format!("found {name:?}, which is none of the hosts of the pattern");
            return Err(place.refuse("hot", message));
        }
        let share = row.hot_share.ok_or_else(|| place.missing("hot_share", "0.5"))?;
        Ok(Some(Self { hosts, share }))
    }

    /// The hot host that a message goes to, but not the one at a place, which sends it. `None`: it goes to any host.
    fn receiver(&self, sender: Option<usize>, random: &mut ChaCha8Rng) -> Option<NodeId> {
        let is_hot = unit(random) < self.share;
        let has_other = self.hosts.len() > usize::from(sender.is_some());
        (is_hot && has_other).then(|| other(&self.hosts, sender, random))
    }
}

/// Draws one of these hosts, but not the one at a place.
fn other(hosts: &[NodeId], than: Option<usize>, random: &mut ChaCha8Rng) -> NodeId {
    let drawn = below(random, hosts.len() - usize::from(than.is_some()));
    hosts[drawn + usize::from(than.is_some_and(|place| drawn >= place))]
}

impl<'a> Poisson<'a> {
    pub(super) fn new(
        row: &TrafficRow,
        (place, number): (Place, u64),
        (start, hosts): (Instant, &'a [NodeId]),
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
        let hot = Hot::new(row, place, hosts, context)?;
        let duration = duration.as_ps() as f64;
        Ok(Self { context, place, number, load, start, hosts, hot, duration })
    }

    /// Draws all messages, host by host, and answers each with its sender, receiver, size and start. There are `before`
    /// flows already.
    pub(super) fn draw(
        &self,
        sizes: &Sizes,
        before: usize,
        push: &mut dyn FnMut(NodeId, NodeId, DataSize, Instant),
    ) -> Result<(), InputError> {
        let Self { context, place, number, load, duration, hosts, .. } = *self;
        let network = &context.nodes.network;
        let mean_gap = |host: NodeId| {
            let bytes_per_ps = network.ports(host)[0].rate.as_bps() as f64 / 8e12;
            sizes.mean() / (load * bytes_per_ps)
        };
        let expected: f64 = hosts.iter().map(|&host| duration / mean_gap(host)).sum();
        context.check_flows(place, "load", before, expected)?;
        let mut drawn = 0;
        for (place_of_sender, &from) in hosts.iter().enumerate() {
            let hot = self.hot.iter().flat_map(|hot| &hot.hosts);
            let among_hot = hot.into_iter().position(|&host| host == from);
            let host = from.index() as u64;
            let mut arrivals = stream(context.run.seed, Purpose::Arrivals, number, host);
            let mut random = stream(context.run.seed, Purpose::Sizes, number, host);
            // Hot hosts change who receives, not when.
            let mut heat = stream(context.run.seed, Purpose::Hot, number, host);
            let gap = mean_gap(from);
            let mut at = 0.0;
            loop {
                at -= gap * libm::log(1.0 - unit(&mut arrivals));
                if at >= duration {
                    break;
                }
                context.check_flows(place, "load", before + drawn, 1.0)?;
                drawn += 1;
                let any = other(hosts, Some(place_of_sender), &mut arrivals);
                let hot = self.hot.as_ref();
                let hot = hot.and_then(|hot| hot.receiver(among_hot, &mut heat));
                let to = hot.unwrap_or(any);
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
