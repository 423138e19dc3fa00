//! Ideal completion time: that of a message without competing traffic. Slowdowns are relative to it.

use lightloom_topology::electrical::{Network, NodeId};
use lightloom_twin::params::{Forwarding, HEADER, Params, RETH};
use lightloom_twin::{Flow, Verb, series};
use lightloom_units::{BitRate, DataSize, Span};

/// One link of the way. Times are in picoseconds.
#[derive(Debug, Clone, Copy)]
struct Link {
    rate: BitRate,
    delay: u64,
    /// Rate of the next link if the node between is a cut-through switch.
    cuts_to: Option<BitRate>,
}

/// Times of a packet of one size on a link, in picoseconds.
#[derive(Debug, Clone, Copy)]
struct Cost {
    /// Time until the next node can start to send it on.
    on: u64,
    /// Time until the next packet can follow.
    busy: u64,
}

/// Time from the application's request to the last byte at the other application, without competing traffic,
/// over the first of the shortest ways.
///
/// Packets pass a row of links as jobs pass a row of machines. The last one arrives when the longest chain of
/// (next packet on this link, next link of this packet) has ended. The first packet may carry a RETH, and the
/// last may be short; all others are equal. So such a chain follows the first packet up to some link, middle
/// packets up to another link, and then the last packet.
pub fn ideal(network: &Network, params: &Params, flow: &Flow) -> Span {
    let (bytes, mtu, stack) = (flow.size.as_bytes(), params.wire.mtu, &params.stack);
    let first = match flow.after.is_empty() {
        true => stack.to_send(bytes, mtu),
        false => stack.to_forward(bytes, mtu),
    };
    let stack = first.as_ps().saturating_add(stack.to_receive(bytes, mtu).as_ps());
    Span::from_ps(stack.saturating_add(crosses(network, params, flow)))
}

/// Time from the first packet of a message until its sender has the first acknowledgement, without competing
/// traffic, over the first of the shortest ways.
pub fn first_answer(network: &Network, params: &Params, flow: &Flow) -> Span {
    let together = u64::from(params.transport.ack_every) * u64::from(params.wire.mtu);
    let size = flow.size.min(DataSize::from_bytes(together));
    let there = crosses(network, params, &Flow { size, ..flow.clone() });
    let back = way(network, params, &Flow { from: flow.to, to: flow.from, ..flow.clone() });
    let control = u64::from(params.wire.control);
    let back: u64 = back.iter().map(|link| link.cost(params, control).on).sum();
    Span::from_ps(there.saturating_add(back))
}

/// Time from the start of the first packet of a message until all packets have arrived, in picoseconds.
fn crosses(network: &Network, params: &Params, flow: &Flow) -> u64 {
    let links = way(network, params, flow);
    let (bytes, mtu) = (flow.size.as_bytes(), u64::from(params.wire.mtu));
    let packets = bytes.div_ceil(mtu).max(1);
    let extra = if flow.verb == Verb::Write { u64::from(RETH) } else { 0 };
    let frame = |payload: u64, extra: u64| payload + u64::from(params.wire.header) + extra;
    let last = bytes - (packets - 1) * mtu;
    let costs =
        |bytes: u64| -> Vec<Cost> { links.iter().map(|link| link.cost(params, bytes)).collect() };
    if packets == 1 {
        costs(frame(last, extra)).iter().map(|cost| cost.on).sum()
    } else {
        let first = costs(frame(mtu, extra));
        let middle = costs(frame(mtu, 0));
        // Later messages of a series have headers too; the last packet can be the only one of its message.
        let messages = series::messages(bytes, params.wire.mtu);
        let is_alone = messages > series::messages(bytes - last, params.wire.mtu);
        let end = costs(frame(last, if is_alone { extra } else { 0 }));
        let begun = messages - 1 - u64::from(is_alone);
        longest(&first, &middle, &end, (packets, begun))
    }
}

/// Length of the longest chain through two or more packets. Of those in the middle, `begun` are the first of a message.
fn longest(first: &[Cost], middle: &[Cost], last: &[Cost], (packets, begun): (u64, u64)) -> u64 {
    let tail = |from: usize| -> u64 { last[from..].iter().map(|cost| cost.on).sum() };
    let mut most = 0;
    let mut before = 0_u64;
    for (a, cost) in first.iter().enumerate() {
        // The first packet up to link a, then the next packet on it.
        let head = before + cost.busy;
        before += cost.on;
        if packets == 2 {
            most = most.max(head + tail(a));
            continue;
        }
        let (mut along, mut widest) = (0, (0, 0));
        for (b, cost) in middle.iter().enumerate().skip(a) {
            // The middle packets from link a to b. All of them wait for the slowest link between.
            widest = widest.max((cost.busy, first[b].busy.saturating_sub(cost.busy)));
            let (full, header) = widest;
            let waits = full.saturating_mul(packets - 3).saturating_add(header * begun);
            let chain = head + along + cost.busy + tail(b);
            most = most.max(waits.saturating_add(chain));
            along += cost.on;
        }
    }
    most
}

/// The links of the way.
fn way(network: &Network, params: &Params, flow: &Flow) -> Vec<Link> {
    let mut links = Vec::new();
    let mut at = flow.from;
    while at != flow.to {
        let routes = network.routes(at, flow.to);
        if routes.is_empty() {
            break;
        }
        let port = &network.ports(at)[routes.get(0).index()];
        let next = port.peer;
        let through = if network.is_host(next) { 0 } else { params.switch.latency.as_ps() };
        let delay = port.delay.as_ps() + through;
        links.push(Link {
            rate: port.rate,
            delay,
            cuts_to: cut_to(network, params, next, flow.to),
        });
        at = next;
    }
    links
}

fn cut_to(network: &Network, params: &Params, at: NodeId, to: NodeId) -> Option<BitRate> {
    let cuts = params.switch.forwarding == Forwarding::CutThrough && !network.is_host(at);
    let routes = network.routes(at, to);
    (cuts && !routes.is_empty()).then(|| network.ports(at)[routes.get(0).index()].rate)
}

impl Link {
    fn cost(&self, params: &Params, bytes: u64) -> Cost {
        let (preamble, gap) = (u64::from(params.wire.preamble), u64::from(params.wire.gap));
        let read = match self.cuts_to {
            None => time(self.rate, preamble + bytes),
            Some(next) => {
                // A faster next link starts late enough that its last bit does not overtake the previous
                // link.
                let header = time(self.rate, preamble + u64::from(HEADER).min(bytes));
                let whole = time(self.rate, preamble + bytes);
                header.max(whole.saturating_sub(time(next, preamble + bytes)))
            }
        };
        Cost { on: read + self.delay, busy: time(self.rate, preamble + bytes + gap) }
    }
}

/// Time of some bytes at a rate, rounded up to a picosecond.
fn time(rate: BitRate, bytes: u64) -> u64 {
    // For the bytes of one frame the product fits 128 bits. At 1 Mb/s and more the quotient fits 64 bits.
    let ps = (u128::from(bytes) * 8_000_000_000_000).div_ceil(u128::from(rate.as_bps().max(1)));
    u64::try_from(ps).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The recurrence itself: packet i starts on link j when it has arrived and packet i-1 is gone.
    fn step_by_step(packets: &[Vec<Cost>]) -> u64 {
        let links = packets[0].len();
        let mut free = vec![0_u64; links];
        let mut last = 0;
        for packet in packets {
            let mut come = 0;
            for (link, cost) in packet.iter().enumerate() {
                let start = come.max(free[link]);
                free[link] = start + cost.busy;
                come = start + cost.on;
            }
            last = come;
        }
        last
    }

    fn links(n: usize) -> impl Strategy<Value = Vec<Cost>> {
        let cost = (1_u64..1000, 1_u64..1000).prop_map(|(on, busy)| Cost { on, busy });
        prop::collection::vec(cost, n..=n)
    }

    proptest! {
        #[test]
        fn the_closed_form_is_the_recurrence(
            (first, middle, last) in (1_usize..7).prop_flat_map(|n| (links(n), links(n), links(n))),
            packets in 2_usize..40,
        ) {
            let mut all = vec![first.clone()];
            all.extend(std::iter::repeat_n(middle.clone(), packets - 2));
            all.push(last.clone());
            prop_assert_eq!(longest(&first, &middle, &last, (packets as u64, 0)), step_by_step(&all));
        }
    }
}
