//! The nodes of a rank.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_schedules::Operation;
use lightloom_units::{DataSize, Span, Speed};

use crate::at::At;
use crate::chakra::attributes::Attributes;
use crate::chakra::groups::{Groups, OfRank};
use crate::chakra::wire::{self, Node};
use crate::error::TraceError;
use crate::program::{CallId, Need, Op, OpId, Rank, Stage, What};

/// The longest duration, in microseconds: 11 days, as in GOAL.
const LONGEST: u64 = 1_000_000_000_000;

/// What a rank does.
#[derive(Debug, Default)]
pub(super) struct Read {
    pub(super) ops: Vec<Op>,
    pub(super) needs: Vec<(OpId, Need)>,
    /// The collective operations that it takes part in, by the places of their process groups.
    pub(super) asked: BTreeMap<usize, Vec<Asked>>,
}

/// A collective operation as a rank names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Asked {
    pub(super) op: OpId,
    pub(super) operation: Operation,
    /// Attribute `comm_size`: bytes that the rank puts in.
    pub(super) bytes: u64,
    /// The rank that sends in a broadcast. None: it is not said.
    pub(super) root: Option<Rank>,
}

/// What has a stream of its own on a rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Own {
    /// A thread of a processor.
    Thread(i128),
    /// A stream of an accelerator.
    Stream(i128),
    /// Sends and receives.
    Messages,
}

/// Reads the file of a rank.
///
/// # Errors
/// [`TraceError`] at the record.
pub(super) fn read(
    (rank, ranks): (Rank, u32),
    bytes: &[u8],
    (groups, speed): (&mut Groups, Option<Speed>),
    unused: &mut BTreeSet<String>,
) -> Result<Read, TraceError> {
    let mut reading = Reading {
        rank,
        ranks,
        groups,
        speed,
        known: OfRank::default(),
        streams: BTreeMap::new(),
        ids: BTreeMap::new(),
        waits: Vec::new(),
        read: Read::default(),
    };
    for node in wire::nodes(bytes) {
        let (record, node) = node?;
        reading.node(record, &node, unused).map_err(|error| {
            let message = format!("node {} ({:?}) {}", node.id, node.name, error.message);
            TraceError { message, ..error }.at(At::Record(record))
        })?;
    }
    reading.needs()?;
    Ok(reading.read)
}

struct Reading<'a> {
    rank: Rank,
    ranks: u32,
    groups: &'a mut Groups,
    speed: Option<Speed>,
    known: OfRank,
    streams: BTreeMap<Own, u32>,
    ids: BTreeMap<u64, OpId>,
    /// The operations with the nodes that they wait for.
    waits: Vec<(OpId, u64)>,
    read: Read,
}

impl Reading<'_> {
    fn node(
        &mut self,
        record: u32,
        node: &Node,
        unused: &mut BTreeSet<String>,
    ) -> Result<(), TraceError> {
        let attributes = Attributes::of(node)?;
        for name in attributes.unused().filter(|name| !unused.contains(*name)).collect::<Vec<_>>() {
            unused.insert(name.to_owned());
        }
        let id = OpId(u32::try_from(self.read.ops.len()).unwrap_or(u32::MAX));
        if self.ids.insert(node.id, id).is_some() {
            return Err(TraceError::new("is there twice; give each node a number of its own"));
        }
        let awaited = node.ctrl_deps.iter().chain(&node.data_deps);
        self.waits.extend(awaited.map(|awaited| (id, *awaited)));
        let what = self.what(id, node, attributes)?;
        let own = match what {
            What::Compute { .. } | What::Collective { .. } => {
                match attributes.number("is_cpu_op")? {
                    Some(1) => Own::Thread(attributes.number("tid")?.unwrap_or(0)),
                    _ => Own::Stream(attributes.number("stream")?.unwrap_or(0)),
                }
            }
            What::Send { .. } | What::Receive { .. } => Own::Messages,
        };
        let next = u32::try_from(self.streams.len()).unwrap_or(u32::MAX);
        let stream = *self.streams.entry(own).or_insert(next);
        self.read.ops.push(Op { what, stream, nic: 0, at: record });
        Ok(())
    }

    fn what(
        &mut self,
        id: OpId,
        node: &Node,
        attributes: Attributes<'_>,
    ) -> Result<What, TraceError> {
        let not_run = |what: &str| {
            let message = format!(
                "is {what}, which is not run; only computations, sends, receives and collective operations are"
            );
            Err(TraceError::new(message))
        };
        match node.kind {
            1 => {
                if node.name.contains("process_group:init") {
                    let values = node.inputs.as_ref().map_or("", |inputs| &inputs.values);
                    self.groups.written(values, &mut self.known)?;
                }
                Ok(What::Compute { takes: Span::ZERO })
            }
            2 => not_run("a load from memory"),
            3 => not_run("a store to memory"),
            4 => self.computation(node, attributes),
            5 => {
                self.own("comm_src", attributes)?;
                let to = self.peer("comm_dst", attributes)?;
                let tag = attributes.whole("comm_tag")?.unwrap_or(0);
                let size = DataSize::from_bytes(attributes.needed("comm_size")?);
                Ok(What::Send { to, size, tag })
            }
            6 => {
                self.own("comm_dst", attributes)?;
                let from = Some(self.peer("comm_src", attributes)?);
                let tag = Some(attributes.whole("comm_tag")?.unwrap_or(0));
                let size = DataSize::from_bytes(attributes.needed("comm_size")?);
                Ok(What::Receive { from, size, tag })
            }
            7 => self.collective(id, attributes),
            0 => not_run("of no type"),
            other => not_run(&format!("of type {other}")),
        }
    }

    /// A computation.
    fn computation(&self, node: &Node, attributes: Attributes<'_>) -> Result<What, TraceError> {
        let takes = node.duration_micros;
        if takes > LONGEST {
            let message = format!("takes {takes} us; a computation takes at most {LONGEST} us");
            return Err(TraceError::new(message));
        }
        let work = attributes.number("num_ops")?.unwrap_or(0);
        if takes > 0 || work == 0 {
            return Ok(What::Compute { takes: Span::from_us(takes) });
        }
        let Some(speed) = self.speed else {
            let message = format!(
                "has {work} num_ops and no duration_micros; give the speed of a rank, such as speed = \"312 Top/s\" in \
                 [[trace]], or durations"
            );
            return Err(TraceError::new(message));
        };
        let takes = u64::try_from(work).ok().and_then(|work| speed.time(work));
        let takes = takes.filter(|takes| *takes <= Span::from_us(LONGEST)).ok_or_else(|| {
            TraceError::new(format!(
                "has {work} num_ops, which take longer than {LONGEST} us at {speed}; give a higher speed"
            ))
        })?;
        Ok(What::Compute { takes })
    }

    /// The rank that a message goes to or comes from.
    fn peer(&self, name: &str, attributes: Attributes<'_>) -> Result<Rank, TraceError> {
        self.rank(name, attributes.needed(name)?)
    }

    fn rank(&self, name: &str, rank: u32) -> Result<Rank, TraceError> {
        if rank < self.ranks {
            return Ok(Rank(rank));
        }
        let message =
            format!("has {name} {rank}, and there are {} files, of ranks from 0", self.ranks);
        Err(TraceError::new(message))
    }

    /// Refuses an attribute with another rank than this one.
    fn own(&self, name: &str, attributes: Attributes<'_>) -> Result<(), TraceError> {
        match attributes.whole::<u32>(name)? {
            Some(found) if found != self.rank.0 => Err(TraceError::new(format!(
                "has {name} {found} in the file of rank {}",
                self.rank.0
            ))),
            _ => Ok(()),
        }
    }

    /// A collective operation, after the one before it of the same process group.
    fn collective(&mut self, id: OpId, attributes: Attributes<'_>) -> Result<What, TraceError> {
        let kind: i64 = attributes.needed("comm_type")?;
        let operation = match kind {
            0 => Operation::Allreduce,
            1 => Operation::Reduce,
            2 => Operation::Allgather,
            3 => Operation::Gather,
            4 => Operation::Scatter,
            5 => Operation::Broadcast,
            6 => Operation::AllToAll,
            7 | 8 => Operation::ReduceScatter,
            9 => Operation::Barrier,
            other => {
                let message = format!(
                    "has comm_type {other}, which is no collective operation of Chakra; those are 0 to 9"
                );
                return Err(TraceError::new(message));
            }
        };
        if attributes.has_false("involved_dim") {
            let message = "leaves out dimensions of a topology (involved_dim), and a fabric has none; name a process \
                           group (pg_name)";
            return Err(TraceError::new(message));
        }
        let bytes = match operation {
            Operation::Barrier => 0,
            _ => attributes.needed("comm_size")?,
        };
        if bytes == 0 && operation != Operation::Barrier {
            return Err(TraceError::new("has a comm_size of 0; leave it out"));
        }
        let root = match operation {
            operation if operation.has_root() => {
                let other = if operation.is_from_root() { "comm_src" } else { "comm_dst" };
                let said = attributes.whole("root")?.or(attributes.whole(other)?);
                said.map(|root| self.rank("root", root)).transpose()?
            }
            _ => None,
        };
        let name = attributes.text("pg_name")?;
        let group = self.groups.place((self.rank, name), &mut self.known)?;
        let before = self.read.asked.entry(group).or_default();
        if let Some(last) = before.last() {
            self.read.needs.push((id, Need { on: last.op, how: Stage::Ended }));
        }
        before.push(Asked { op: id, operation, bytes, root });
        // Its number is known when all files are read.
        Ok(What::Collective { call: CallId(0) })
    }

    /// Enters what operations wait for.
    fn needs(&mut self) -> Result<(), TraceError> {
        for &(waits, awaited) in &self.waits {
            let wrong = match self.ids.get(&awaited) {
                Some(&on) if on != waits => {
                    self.read.needs.push((waits, Need { on, how: Stage::Ended }));
                    continue;
                }
                Some(_) => "itself".to_owned(),
                None => format!("node {awaited}, which the file does not have"),
            };
            let at = At::Record(self.read.ops[waits.index()].at);
            return Err(TraceError::new(format!("waits for {wrong}")).at(at));
        }
        Ok(())
    }
}
