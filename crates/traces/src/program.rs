//! What each rank of a trace does.

use lightloom_units::{DataSize, Span};

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
    /// The line of a text, from 1.
    pub line: u32,
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

/// What all ranks do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trace {
    /// The program of each rank.
    pub ranks: Vec<Program>,
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

    /// An operation of a rank.
    pub(crate) fn op(&self, (rank, id): (Rank, OpId)) -> &Op {
        &self.ranks[rank.index()].ops[id.index()]
    }
}
