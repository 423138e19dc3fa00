//! Weights for a fleet, and tokens of a mixture of experts: every member ends with what it needs, from who has it.

use std::collections::BTreeMap;

use lightloom_schedules::{Given, Graph, Operation, Refusal, Route, Schedule, To};
use proptest::prelude::*;

use crate::follow::{Buffer, follow};

fn graph(schedule: Schedule, operation: Operation, given: &Given<'_>) -> Graph {
    schedule.graph(operation, given).unwrap()
}

/// Buffers in which sources have all blocks.
fn sources(given: &Given<'_>, blocks: u64) -> Vec<Buffer> {
    let has = |member: u32| (member < given.sources).then(|| vec![1; given.members as usize]);
    (0..given.members).map(|member| vec![has(member); blocks as usize]).collect()
}

proptest! {
    #[test]
    fn servers_end_with_their_shards(
        servers in 1..20_u32,
        sources in 1..5_u32,
        shards in 1..6_u32,
        layers in 1..4_u32,
        bytes in 1..100_000_u64,
        at_once in 1..4_u32,
    ) {
        let members = servers + sources;
        let given = Given { sources, shards, layers, at_once, ..Given::new(members, bytes) };
        for schedule in [Schedule::Pull, Schedule::Chain, Schedule::Multicast] {
            if servers < shards {
                let refused = schedule.graph(Operation::Refresh, &given).unwrap_err();
                prop_assert_eq!(refused, Refusal::Fleet { members, sources, shards });
                continue;
            }
            let graph = graph(schedule, Operation::Refresh, &given);
            let blocks = graph.blocks();
            prop_assert_eq!(blocks, u64::from(shards * layers));
            prop_assert!(graph.messages().len() as u64 <= schedule.most_messages(Operation::Refresh, &given));
            let ends = follow(self::sources(&given, blocks), &graph);
            let block = |shard: u32, layer: u32| (shard * layers + layer) as usize;
            let sizes = |shard: u32| -> u64 {
                let all = (0..layers).map(|layer| lightloom_schedules::Blocks::one(block(shard, layer) as u64));
                all.map(|one| graph.bytes(one)).sum()
            };
            let mut needed = 0;
            for server in 0..servers {
                let shard = server % shards;
                needed += sizes(shard);
                for layer in 0..layers {
                    prop_assert!(ends[(sources + server) as usize][block(shard, layer)].is_some(), "{}", schedule);
                }
            }
            // What is sent, as its definition says, and what is for nothing.
            let sent: u64 = graph.messages().iter().map(|one| graph.bytes(one.blocks)).sum();
            let (expected, filtered) = match schedule {
                Schedule::Multicast => (bytes, bytes * u64::from(members - 1) - needed),
                _ => (needed, 0),
            };
            prop_assert_eq!((sent, graph.filtered()), (expected, filtered), "{}", schedule);
            // Each server has one first layer, and it is of its shard.
            let firsts: BTreeMap<u32, _> = graph.firsts().iter().copied().collect();
            prop_assert_eq!(firsts.len(), servers as usize);
            prop_assert_eq!(graph.firsts().len(), servers as usize);
            for (server, message) in firsts {
                let blocks = graph.messages()[message.index()].blocks;
                prop_assert_eq!(blocks.first as usize, block((server - sources) % shards, 0));
            }
        }
    }

    #[test]
    fn tokens_reach_their_experts_and_come_back(
        members in 2..12_u32,
        tokens in prop::collection::vec((0..12_u32, prop::collection::btree_set(0..12_u32, 1..4)), 1..40),
        token in 1..5000_u64,
        at_once in 1..4_u32,
    ) {
        let route = |(from, to): &(u32, std::collections::BTreeSet<u32>)| {
            let to: std::collections::BTreeSet<u32> = to.iter().map(|expert| expert % members).collect();
            Route { from: from % members, to: to.into_iter().collect() }
        };
        let routes: Vec<Route> = tokens.iter().map(route).collect();
        let bytes = token * routes.len() as u64;
        let given = Given { routes: &routes, at_once, ..Given::new(members, bytes) };
        // Tokens from each member to each other.
        let mut pairs: BTreeMap<(u32, u32), u64> = BTreeMap::new();
        for Route { from, to } in &routes {
            to.iter().filter(|to| *to != from).for_each(|&to| *pairs.entry((*from, to)).or_default() += 1);
        }
        if pairs.is_empty() {
            prop_assert_eq!(
                Schedule::Concurrent.graph(Operation::Dispatch, &given).unwrap_err(),
                Refusal::AtHome
            );
            return Ok(());
        }
        let sent: u64 = pairs.values().sum();
        for schedule in [Schedule::Concurrent, Schedule::Pairwise] {
            for operation in [Operation::Dispatch, Operation::Combine] {
                let graph = graph(schedule, operation, &given);
                let found: BTreeMap<(u32, u32), u64> = graph
                    .messages()
                    .iter()
                    .map(|one| {
                        let To::Member(to) = one.to else { panic!("this is for unicasts") };
                        let ends = if operation == Operation::Dispatch { (one.from, to) } else { (to, one.from) };
                        (ends, graph.bytes(one.blocks) / token)
                    })
                    .collect();
                prop_assert_eq!(&found, &pairs);
                prop_assert_eq!(graph.messages().len(), pairs.len());
                let bytes: u64 = graph.messages().iter().map(|one| graph.bytes(one.blocks)).sum();
                prop_assert_eq!((bytes, graph.filtered()), (sent * token, 0));
                prop_assert!(graph.messages().len() as u64 <= schedule.most_messages(operation, &given));
            }
        }
        // Over a group each token goes once, and all others but those with its experts filter it.
        let graph = graph(Schedule::Multicast, Operation::Dispatch, &given);
        let remote = routes.iter().filter(|one| one.to.iter().any(|to| *to != one.from)).count() as u64;
        let bytes: u64 = graph.messages().iter().map(|one| graph.bytes(one.blocks)).sum();
        prop_assert_eq!(bytes, remote * token);
        prop_assert_eq!(graph.filtered(), (remote * u64::from(members - 1) - sent) * token);
        let senders: Vec<u32> = graph.messages().iter().map(|one| one.from).collect();
        prop_assert!(senders.is_sorted_by(|a, b| a < b), "a message a member: {:?}", senders);
        for (place, message) in graph.messages().iter().enumerate() {
            let turn = place.checked_sub(at_once as usize).map(|before| before as u32);
            prop_assert_eq!(message.after.first().map(|id| id.0), turn);
        }
    }
}
