//! Packets of a recording that wait in switches: in the queue of a port, or in the memory of a switch that answers for
//! the receivers of a group.

use crate::recording::network::{DrawnWay, NodeKind};
use crate::recording::{DropPlace, RecordedHop, RecordingReport};

/// A packet that waited in a switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wait {
    /// Time when it came, in picoseconds.
    pub from_ps: u64,
    /// Time when its first bit left, in picoseconds.
    pub until_ps: u64,
    /// Number of the switch.
    pub node: u32,
    /// The port that it left by.
    pub port: u16,
    /// Index of the way that it left by. Of copies into a splitter, the way of one.
    pub way: u32,
    /// Index of the packet.
    pub packet: u32,
    /// Number of bytes on the wire.
    pub bytes: u16,
}

/// All waits of a recording, by their ends. A packet that had not left when the recording ended is not among them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Waits {
    all: Vec<Wait>,
    longest_ps: u64,
}

/// A packet at a port of a node.
type At = (u32, u32, u16);
/// Packets at ports, with times, sorted.
type Times = Vec<(At, u64)>;

/// A packet that came to a node: packet, node, time and bytes.
type Came = (u32, u32, u64, u16);
/// A packet that left by a port: packet, node and port, time, and the way that it took.
type Left = (At, u64, u32);

impl Waits {
    /// The waits of a recording. A packet that left had come before, unless the switch made or repeated it. Where more
    /// copies of it had come than left, the latest ones left: the others went no further.
    pub fn of(recording: &RecordingReport) -> Self {
        let (node_drops, port_drops) = drops(recording);
        let came = came(recording, &node_drops);
        let left = left(recording);
        let mut all = Vec::new();
        for of_port in left.chunk_by(|a, b| a.0 == b.0) {
            let (packet, node, port) = of_port[0].0;
            if !is_switch(recording, node) {
                continue;
            }
            let first = came.partition_point(|&(p, n, ..)| (p, n) < (packet, node));
            let end = came.partition_point(|&(p, n, ..)| (p, n) <= (packet, node));
            let is_queued = |&&(_, _, at, _): &&Came| {
                port_drops.binary_search(&((packet, node, port), at)).is_err()
            };
            let queued: Vec<Came> = came[first..end].iter().filter(is_queued).copied().collect();
            for ((_, _, from_ps, bytes), (_, until_ps, way)) in pairs(&queued, of_port) {
                if from_ps < until_ps {
                    all.push(Wait { from_ps, until_ps, node, port, way, packet, bytes });
                }
            }
        }
        all.sort_unstable_by_key(|wait| (wait.until_ps, wait.way, wait.packet, wait.from_ps));
        let longest_ps = all.iter().map(|wait| wait.until_ps - wait.from_ps).max().unwrap_or(0);
        Self { all, longest_ps }
    }

    /// The packets that wait at a time, in the order in which they leave.
    pub fn at(&self, at_ps: u64) -> impl Iterator<Item = &Wait> {
        let first = self.all.partition_point(|wait| wait.until_ps <= at_ps);
        let latest = at_ps.saturating_add(self.longest_ps);
        let later = self.all[first..].iter().take_while(move |wait| wait.until_ps <= latest);
        later.filter(move |wait| wait.from_ps <= at_ps)
    }

    /// The wait of a packet before it left on a hop over this way.
    pub fn before(&self, hop: &RecordedHop, way: &DrawnWay) -> Option<&Wait> {
        let first = self.all.partition_point(|wait| wait.until_ps < hop.left_ps);
        let mut here = self.all[first..].iter().take_while(|wait| wait.until_ps == hop.left_ps);
        let wanted = (hop.packet, way.from, way.from_port);
        here.find(|wait| (wait.packet, wait.node, wait.port) == wanted)
    }
}

/// The packets that came to nodes and may have gone further, sorted: not those that were dropped there, and not the
/// copies that splitters return to the ToR of the sender.
fn came(recording: &RecordingReport, node_drops: &Times) -> Vec<Came> {
    let hops = || recording.hops.iter().filter_map(|hop| Some((hop, way(recording, hop.way)?)));
    let from_hosts = hops().filter(|(_, way)| !is_switch(recording, way.from));
    let mut from_hosts: Vec<(u32, u32)> =
        from_hosts.map(|(hop, way)| (hop.packet, way.to)).collect();
    from_hosts.sort_unstable();
    let may_go_on = |hop: &RecordedHop, way: &DrawnWay| {
        let is_returned =
            way.splitter.is_some() && from_hosts.binary_search(&(hop.packet, way.to)).is_ok();
        let dropped = ((hop.packet, way.to, way.to_port), hop.at_ps);
        !is_returned && node_drops.binary_search(&dropped).is_err()
    };
    let came = hops().filter(|(hop, way)| may_go_on(hop, way));
    let mut came: Vec<Came> =
        came.map(|(hop, way)| (hop.packet, way.to, hop.at_ps, hop.bytes)).collect();
    came.sort_unstable();
    came
}

/// The packets that left by ports, also those that were lost on their way, sorted. Copies into a splitter leave
/// together.
fn left(recording: &RecordingReport) -> Vec<Left> {
    let arrived = recording.hops.iter().filter_map(|hop| {
        let way = way(recording, hop.way)?;
        Some(((hop.packet, way.from, way.from_port), hop.left_ps, hop.way))
    });
    let lost = recording.drops.iter().filter(|drop| drop.place == DropPlace::Way);
    let lost = lost.filter_map(|drop| {
        let way = drop.way.or_else(|| way_from(recording, drop.node, drop.port))?;
        Some(((drop.packet, drop.node, drop.port), drop.at_ps, way))
    });
    let mut left: Vec<Left> = arrived.chain(lost).collect();
    left.sort_unstable();
    left.dedup_by_key(|(at, left_ps, _)| (*at, *left_ps));
    left
}

/// Drops at nodes by receiving port, and those at ports.
fn drops(recording: &RecordingReport) -> (Times, Times) {
    let of = |place: DropPlace| {
        let drops = recording.drops.iter().filter(|drop| drop.place == place);
        let mut found: Times =
            drops.map(|drop| ((drop.packet, drop.node, drop.port), drop.at_ps)).collect();
        found.sort_unstable();
        found
    };
    (of(DropPlace::Node), of(DropPlace::Port))
}

fn way(recording: &RecordingReport, way: u32) -> Option<&DrawnWay> {
    recording.network.ways.get(usize::try_from(way).ok()?)
}

/// Which copy that came is which one that left. Both are of one packet and in order, and stay in order.
fn pairs(came: &[Came], left: &[Left]) -> Vec<(Came, Left)> {
    let (mut waiting, mut went, mut gone) = (Vec::new(), Vec::new(), Vec::new());
    let mut later = came.iter().copied().peekable();
    for &leaves in left {
        while let Some(comes) = later.next_if(|comes| comes.2 <= leaves.1) {
            waiting.push(comes);
        }
        if let Some(comes) = waiting.pop() {
            went.push(comes);
            gone.push(leaves);
        }
    }
    went.sort_unstable_by_key(|comes| comes.2);
    went.into_iter().zip(gone).collect()
}

/// A way that begins at a port.
fn way_from(recording: &RecordingReport, node: u32, port: u16) -> Option<u32> {
    let ways = (0..).zip(&recording.network.ways);
    let mut out = ways.filter(|(_, way)| (way.from, way.from_port) == (node, port));
    out.next().map(|(way, _)| way)
}

fn is_switch(recording: &RecordingReport, node: u32) -> bool {
    let found = usize::try_from(node).ok().and_then(|node| recording.network.nodes.get(node));
    found.is_some_and(|node| node.kind == NodeKind::Switch)
}
