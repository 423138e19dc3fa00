//! New weights for a fleet of servers. The first members are sources, which have all shards of the weights, and the
//! others hold a shard each: server i of them holds shard i modulo the number of shards, so servers that follow each
//! other are a replica of the model. A shard has layers, which go in order, so that a server can begin with the first.
//!
//! Today each server pulls its shard from one of several senders (as NIXL and Mooncake do it); a chain hands slices on
//! from replica to replica (RDMC: Behrens, Jha, Birman, Tremel, DSN 2018); and over a group every shard reaches all,
//! and servers filter what they do not hold.

use crate::given::Given;
use crate::graph::{Blocks, Graph, MessageId};

/// Whether there is a server for each shard.
pub(crate) fn has_servers(given: &Given) -> bool {
    let Given { members, sources, shards, layers, .. } = *given;
    let servers = members.checked_sub(sources);
    servers.is_some_and(|servers| servers >= shards) && sources > 0 && shards > 0 && layers > 0
}

/// Number of messages at most, of all schedules.
pub(crate) fn most_messages(given: &Given) -> u64 {
    // A request and the layers to each server, or all shards to all.
    let servers = u64::from(given.members).max(given.shards.into());
    servers.saturating_mul(u64::from(given.layers).saturating_add(1))
}

/// Each server asks a source for its shard. Replicas and shards take sources in turn.
pub(crate) fn pull(given: &Given) -> Graph {
    let mut graph = fleet(given);
    for server in given.sources..given.members {
        let (replica, shard) = place(given, server);
        let source = (replica + shard) % given.sources;
        let request = graph.send(server, source, Blocks::NONE, None);
        for layer in 0..given.layers {
            let sent = graph.send(source, server, block(given, shard, layer), [request]);
            graph.begins_with(layer, server, sent);
        }
    }
    graph
}

/// The layers of each shard go from a source to the first replica, and from each to the next.
pub(crate) fn chain(given: &Given) -> Graph {
    let mut graph = fleet(given);
    for shard in 0..given.shards {
        for layer in 0..given.layers {
            let (mut from, mut came) = (shard % given.sources, None);
            for server in holders(given, shard) {
                let sent = graph.send(from, server, block(given, shard, layer), came);
                graph.begins_with(layer, server, sent);
                (from, came) = (server, Some(sent));
            }
        }
    }
    graph
}

/// Each source sends its share of the shards to all, the first layers of them first. With k sources at a time, source i
/// waits for the last message of source i - k.
pub(crate) fn multicast(given: &Given) -> Graph {
    let mut graph = fleet(given);
    graph.needed_by((0..given.shards).flat_map(|shard| {
        let holders: Vec<u32> = holders(given, shard).collect();
        (0..given.layers).map(move |_| holders.clone())
    }));
    let mut last: Vec<Option<MessageId>> = Vec::new();
    for source in 0..given.sources {
        let turn =
            source.checked_sub(given.at_once.max(1)).and_then(|before| last[before as usize]);
        let mut sent = None;
        for layer in 0..given.layers {
            for shard in (source..given.shards).step_by(given.sources as usize) {
                let message = graph.multicast(source, block(given, shard, layer), turn);
                for server in holders(given, shard) {
                    graph.begins_with(layer, server, message);
                }
                sent = Some(message);
            }
        }
        last.push(sent.or(turn));
    }
    graph
}

fn fleet(given: &Given) -> Graph {
    given.graph(u64::from(given.shards) * u64::from(given.layers))
}

/// The replica that a server is a part of, and its shard.
fn place(given: &Given, server: u32) -> (u32, u32) {
    let number = server - given.sources;
    (number / given.shards, number % given.shards)
}

/// The servers that hold a shard.
fn holders(given: &Given, shard: u32) -> impl Iterator<Item = u32> + use<> {
    (given.sources + shard..given.members).step_by(given.shards as usize)
}

fn block(given: &Given, shard: u32, layer: u32) -> Blocks {
    Blocks::one(u64::from(shard) * u64::from(given.layers) + u64::from(layer))
}
