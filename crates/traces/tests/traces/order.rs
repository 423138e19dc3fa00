//! Rings, and longest paths.

use std::collections::BTreeMap;

use lightloom_traces::goal::read;
use lightloom_traces::{Ideal, Message, OpId, Order, Place, Stage, Trace, What, pair};
use lightloom_units::{BitRate, DataSize, Span};
use proptest::prelude::*;

use crate::random::{operations, trace};

fn ring(text: &str) -> String {
    let trace = read(text).unwrap();
    let messages = pair(&trace).unwrap();
    let error = Order::new(&trace, &messages).unwrap_err();
    format!("{}:{} {}", error.rank.unwrap().0, error.at.unwrap(), error.message)
}

#[test]
fn rings_are_named() {
    let own = "num_ranks 1\nrank 0 {\na: calc 1\nb: calc 1\nc: calc 1\na requires b\nb requires c\nc irequires a\n}";
    assert_eq!(
        ring(own),
        "0:line 3 waits for itself, in a ring: rank 0 line 3, rank 0 line 4, rank 0 line 5; each waits for the next"
    );
    // Each sends only after it has received.
    let both = "num_ranks 2\nrank 0 {\na: recv 1b from 1\nb: send 1b to 1\nb requires a\n}\nrank 1 {\n\
                a: recv 1b from 0\nb: send 1b to 0\nb requires a\n}";
    let found = ring(both);
    assert!(found.contains("waits for itself, in a ring: "), "{found}");
    for place in ["rank 0 line 3", "rank 0 line 4", "rank 1 line 8", "rank 1 line 9"] {
        assert_eq!(found.matches(place).count(), 1, "{found}");
    }
}

/// Each sends when its receive has begun: that is no ring.
#[test]
fn a_receive_begins_before_its_message() {
    let text = "num_ranks 2\nrank 0 {\na: recv 1b from 1\nb: send 1b to 1\nb irequires a\n}\nrank 1 {\n\
                a: recv 1b from 0\nb: send 1b to 0\nb irequires a\n}";
    let trace = read(text).unwrap();
    Order::new(&trace, &pair(&trace).unwrap()).unwrap();
}

/// When an operation begins and ends, by looking at everything before it.
struct Times<'a> {
    trace: &'a Trace,
    messages: BTreeMap<Place, Place>,
    network: Ideal,
    known: BTreeMap<(Place, bool), u64>,
}

impl Times<'_> {
    fn at(&mut self, place: Place, ends: bool) -> u64 {
        if let Some(&known) = self.known.get(&(place, ends)) {
            return known;
        }
        let program = &self.trace.ranks[place.0.index()];
        let op = program.ops()[place.1.index()];
        let at = if ends {
            let begin = self.at(place, false);
            match op.what {
                // GOAL has no collective operations.
                What::Send { .. } | What::Collective { .. } => begin,
                What::Compute { takes } => begin + takes.as_ps(),
                What::Receive { .. } => {
                    let send = self.messages[&place];
                    let What::Send { size, .. } =
                        self.trace.ranks[send.0.index()].ops()[send.1.index()].what
                    else {
                        panic!("a message is sent")
                    };
                    let rate = self
                        .network
                        .rate
                        .map_or(0, |rate| size.as_bytes() * 8_000_000_000_000 / rate.as_bps());
                    begin.max(self.at(send, false) + self.network.latency.as_ps() + rate)
                }
            }
        } else {
            let needs = program.needs(place.1).to_vec();
            let of = |need: &lightloom_traces::Need| ((place.0, need.on), need.how == Stage::Ended);
            needs.iter().map(of).map(|(place, ends)| self.at(place, ends)).max().unwrap_or(0)
        };
        self.known.insert((place, ends), at);
        at
    }
}

proptest! {
    #[test]
    fn the_longest_path_is_the_last_end(said in operations()) {
        let trace = trace(&said);
        let messages = pair(&trace).unwrap();
        let order = Order::new(&trace, &messages).unwrap();
        let network = Ideal { latency: Span::from_ns(700), rate: Some(BitRate::from_gbps(8)) };
        let path = order.critical_path(&trace, network).unwrap();
        let by_receive = messages.iter().map(|Message { send, receive }| (*receive, *send)).collect();
        let mut times = Times { trace: &trace, messages: by_receive, network, known: BTreeMap::new() };
        let all: Vec<Place> = trace.programs()
            .flat_map(|(rank, program)| (0..program.ops().len()).map(move |id| (rank, OpId(id as u32))))
            .collect();
        let last = all.into_iter().map(|place| times.at(place, true)).max().unwrap_or(0);
        prop_assert_eq!(path.length.as_ps(), last);
        let on_wire = path.bytes.as_bytes() * 1_000;
        let parts = path.computing.as_ps() + 700_000 * path.messages as u64 + on_wire;
        prop_assert_eq!(parts, last);
        prop_assert!(path.bytes <= DataSize::from_bytes(5_000 * path.messages as u64));
    }
}
