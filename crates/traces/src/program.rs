//! What each rank of a trace does.

use lightloom_schedules::Operation;
use lightloom_units::{DataSize, Span};

use crate::at::At;

/// A rank: a process of the application, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(pub u32);

impl Rank {
    /// Its place among all ranks.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An operation of a rank: its place among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OpId(pub u32);

impl OpId {
    /// Its place among the operations of its rank.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A collective operation: its place among those of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallId(pub u32);

impl CallId {
    /// Its place among the collective operations of a trace.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What an operation does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// A message goes to a rank.
    Send {
        /// The receiver.
        to: Rank,
        /// Its payload.
        size: DataSize,
        /// What tells it from other messages to that rank.
        tag: u32,
    },
    /// A message is waited for.
    Receive {
        /// The sender. None: any.
        from: Option<Rank>,
        /// Room for its payload.
        size: DataSize,
        /// Its tag. None: any.
        tag: Option<u32>,
    },
    /// The rank computes.
    Compute {
        /// Time that it takes.
        takes: Span,
    },
    /// The rank takes part in a collective operation.
    Collective {
        /// Which one.
        call: CallId,
    },
}

/// An operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Op {
    /// What it does.
    pub what: What,
    /// The stream that it takes: of those of one stream of a rank one runs at a time.
    pub stream: u32,
    /// The network interface that a message takes.
    pub nic: u32,
    /// Its place in the file, from 1: a line or a record, as the trace says.
    pub at: u32,
}

/// How far another operation must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// The operation has ended.
    Ended,
    /// It has begun. A receive begins when it may take its message, whether or not that has arrived.
    Begun,
}

/// An operation of the same rank that another one needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Need {
    /// The operation.
    pub on: OpId,
    /// How far it must be.
    pub how: Stage,
}

/// The operations of a rank, in the order of the trace.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Program {
    ops: Vec<Op>,
    /// The needs of all operations, one operation after the other.
    needs: Vec<Need>,
    /// For each operation, the place after its last need.
    ends: Vec<u32>,
}

impl Program {
    /// A program of these operations. `needs` name the operation that waits, and what it needs; one is kept of equal
    /// ones.
    pub fn new(ops: Vec<Op>, mut needs: Vec<(OpId, Need)>) -> Self {
        needs.sort_unstable();
        needs.dedup();
        let mut ends = vec![0; ops.len()];
        for (waits, _) in &needs {
            ends[waits.index()] += 1;
        }
        let mut sum = 0;
        for end in &mut ends {
            sum += *end;
            *end = sum;
        }
        Self { ops, needs: needs.into_iter().map(|(_, need)| need).collect(), ends }
    }

    /// Its operations.
    pub fn ops(&self) -> &[Op] {
        &self.ops
    }

    /// What an operation needs.
    ///
    /// # Panics
    /// If there is no such operation.
    pub fn needs(&self, of: OpId) -> &[Need] {
        let end = self.ends[of.index()] as usize;
        let begin = of.index().checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.needs[begin..end]
    }

    /// Its operations with what they need.
    pub fn iter(&self) -> impl Iterator<Item = (OpId, &Op, &[Need])> {
        (0..).map(OpId).zip(&self.ops).map(|(id, op)| (id, op, self.needs(id)))
    }
}

/// A collective operation of some ranks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The place of its process group among those of the trace.
    pub group: usize,
    /// What the ranks do.
    pub operation: Operation,
    /// Size of the data: what a root sends, what all parts are together, what is summed, or what each rank has for all.
    pub size: DataSize,
    /// The place of the rank that sends among the ranks of the group, in a broadcast.
    pub root: usize,
    /// The operation of each rank, in the order of the group.
    pub members: Vec<(Rank, OpId)>,
}

impl Call {
    /// Bytes that a rank other than the root receives at least, whatever the schedule.
    pub fn least_bytes(&self) -> DataSize {
        let (size, ranks) = (self.size.as_bytes(), self.members.len() as u64);
        let Some(others) = ranks.checked_sub(1).filter(|others| *others > 0) else {
            return DataSize::ZERO;
        };
        DataSize::from_bytes(match self.operation {
            Operation::Broadcast | Operation::Allreduce => size,
            Operation::ReduceScatter | Operation::Scatter => size / ranks,
            // What it has itself, it need not receive.
            Operation::Allgather | Operation::AllToAll => size / ranks * others,
            // Only the root receives, or no trace has it.
            Operation::Gather
            | Operation::Reduce
            | Operation::Barrier
            | Operation::Refresh
            | Operation::Dispatch
            | Operation::Combine => 0,
        })
    }
}

/// Ranks that make collective operations together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProcessGroup {
    /// Its name. Empty: the group of all ranks.
    pub name: String,
    /// Its ranks in their order.
    pub ranks: Vec<Rank>,
}

/// What the places of operations count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Unit {
    /// Lines of a text.
    #[default]
    Line,
    /// Records of the file of a rank.
    Record,
}

/// What all ranks do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trace {
    /// The program of each rank.
    pub ranks: Vec<Program>,
    /// The process groups of collective operations.
    pub groups: Vec<ProcessGroup>,
    /// The collective operations.
    pub calls: Vec<Call>,
    /// What the places of operations count.
    pub unit: Unit,
    /// What its reader tells: what is not used, or taken for granted.
    pub notes: Vec<String>,
}

impl Trace {
    /// The program of each rank.
    pub fn programs(&self) -> impl Iterator<Item = (Rank, &Program)> {
        (0..).map(Rank).zip(&self.ranks)
    }

    /// Number of operations of all ranks.
    pub fn operations(&self) -> usize {
        self.ranks.iter().map(|program| program.ops.len()).sum()
    }

    /// Where an operation stands in the file.
    ///
    /// # Panics
    /// If there is no such operation.
    pub fn at(&self, place: (Rank, OpId)) -> At {
        let at = self.op(place).at;
        match self.unit {
            Unit::Line => At::Line(at),
            Unit::Record => At::Record(at),
        }
    }

    /// An operation of a rank.
    pub(crate) fn op(&self, (rank, id): (Rank, OpId)) -> &Op {
        &self.ranks[rank.index()].ops[id.index()]
    }
}
