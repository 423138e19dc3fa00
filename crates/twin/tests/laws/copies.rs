//! Copies of messages to groups, counted by link and branch.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use lightloom_topology::electrical::NodeId;
use lightloom_twin::{
    BranchLoss, CastCopies, DeadLink, Kind, LinkLoss, Multicast, Outcome, Repair, Setup, simulate,
};
use lightloom_units::{Instant, Span};
use proptest::prelude::*;

use crate::given::*;
use crate::reliable::{cast, setup};
use crate::reliable_light::{HOSTS, lit_group, network, splitters};

/// Runs it and counts copies.
fn counted(setup: &Setup<'_>) -> Outcome {
    let mut simulation = checked(setup);
    simulation.count_copies();
    simulate(&simulation, &AtomicBool::new(false), &|_| {})
}

/// Copies by message, receiving node and port.
fn by_place(copies: &[CastCopies]) -> BTreeMap<(usize, NodeId, u16), u64> {
    copies.iter().map(|one| ((one.cast, one.way.to, one.way.port), one.copies)).collect()
}

/// The same from a full trace.
fn of_trace(outcome: &Outcome) -> BTreeMap<(usize, NodeId, u16), u64> {
    let mut copies = BTreeMap::new();
    let arrived = outcome.trace.iter().filter(|hop| !hop.is_lost);
    for hop in arrived.filter(|hop| hop.packet.kind == Kind::Data) {
        if let Some(cast) = hop.flow.and_then(|flow| flow.index().checked_sub(outcome.flows.len()))
        {
            *copies.entry((cast, hop.node, hop.port)).or_insert(0) += 1;
        }
    }
    copies
}

proptest! {
    #![proptest_config(cases(40))]
    /// Over links and over light, with flows beside the groups, losses, repairs and members without a working tree:
    /// the counts are those of a full trace. Every copy over a branch belongs to a message. Counting changes nothing
    /// else, and threads change nothing.
    #[test]
    fn counts_are_those_of_a_full_trace(
        members in proptest::sample::subsequence((0..HOSTS).collect::<Vec<_>>(), 2..HOSTS),
        senders in proptest::collection::vec(any::<usize>(), 1..4),
        rate in prop_oneof![Just(0.0), Just(0.02)],
        is_cut in any::<bool>(),
        threads in 1_usize..4,
    ) {
        let network = network();
        let mut params = params();
        params.transport.timeout = Span::from_us(100);
        params.groups.register_timeout = Span::from_us(100);
        let senders: Vec<usize> = senders.iter().map(|i| members[i % members.len()]).collect();
        let mut sources = senders.clone();
        sources.sort_unstable();
        sources.dedup();
        let loss = (rate > 0.0).then_some(BranchLoss { rate, burst: 1, corrupt: false });
        let multicast = Multicast {
            splitters: splitters(loss),
            groups: vec![lit_group(&members, &sources, Repair::Electrons)],
            casts: senders.iter().map(|&from| cast(from, 0, 60)).collect(),
            ..Multicast::default()
        };
        let mut one = setup(&network, params, multicast);
        one.until = Instant::from_ms(3);
        one.flows = vec![flow(0, 9, 300_000), flow(3, 4, 100_000)];
        let port = 2;
        let lossy = NodeId::at(HOSTS + 3);
        one.losses = vec![LinkLoss { from: lossy, port, rate, burst: 1, corrupt: false }];
        if is_cut {
            let from = Instant::from_us(40);
            let to = from + Span::from_us(60);
            one.dead = vec![DeadLink { node: NodeId::at(HOSTS + 1), port: 3, from, to }];
        }
        let whole = run(&one);
        let outcome = counted(&Setup { traced: false, threads, ..one.clone() });
        prop_assert!(outcome.trace.is_empty() && whole.copies.is_empty());
        prop_assert_eq!(&outcome.casts, &whole.casts);
        prop_assert_eq!(&outcome.links, &whole.links);
        prop_assert_eq!(by_place(&outcome.copies), of_trace(&whole));
        let over_light = outcome.copies.iter().filter(|one| one.way.splitter.is_some());
        let received = outcome.splitters.iter().flat_map(|splitter| &splitter.branches);
        prop_assert_eq!(
            over_light.map(|one| one.copies).sum::<u64>(),
            received.map(|branch| branch.received).sum::<u64>()
        );
    }
}
