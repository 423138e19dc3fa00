//! All schedules by their names, and what each is for.

use lightloom_units::named_enum;
use schemars::JsonSchema;

use crate::given::Given;
use crate::graph::Graph;
use crate::{
    binomial, binomial_pipeline, bruck, chain, cornet, dissemination, double_tree, experts, hpl,
    mpi, multicast, pairwise, recursive, refresh, ring, rooted, scatter, unicasts,
};

named_enum! {
    /// What the members of a collective operation do.
    #[derive(JsonSchema)]
    pub enum Operation {
        /// One sends the same to all others.
        Broadcast = "broadcast",
        /// Each has a part, and all end with all parts.
        Allgather = "allgather",
        /// Each ends with its part of the sum.
        ReduceScatter = "reduce-scatter",
        /// All end with the whole sum.
        Allreduce = "allreduce",
        /// Each sends another part to each other.
        AllToAll = "all-to-all",
        /// Each waits until all others have reached the barrier.
        Barrier = "barrier",
        /// One sends another part to each other.
        Scatter = "scatter",
        /// Each has a part, and one ends with all parts.
        Gather = "gather",
        /// One ends with the whole sum.
        Reduce = "reduce",
        /// Sources send all servers of a fleet their shards of new weights.
        Refresh = "refresh",
        /// Each sends its tokens to the members with their experts.
        Dispatch = "dispatch",
        /// What experts make of tokens comes back.
        Combine = "combine",
    }
}

named_enum! {
    /// Schedules of collective operations.
    #[derive(JsonSchema)]
    pub enum Schedule {
        /// One message after the other.
        Sequential = "sequential",
        /// All messages at once.
        Concurrent = "concurrent",
        /// A binomial tree.
        Binomial = "binomial",
        /// Each hands slices on to the next.
        Chain = "chain",
        /// Slices over the edges of a hypercube.
        BinomialPipeline = "binomial-pipeline",
        /// Slices over two binary trees, half of them over each.
        DoubleTree = "double-tree",
        /// Parts over a binomial tree, then round a ring.
        ScatterRing = "scatter-ring",
        /// Parts over a binomial tree, then exchanged with partners at doubled distances.
        ScatterDoubling = "scatter-doubling",
        /// Of binomial, scatter-doubling and scatter-ring the one that MPICH takes for the size.
        Mpi = "mpi",
        /// The whole message round a ring.
        IncreasingRing = "increasing-ring",
        /// The same; the next one is served first and hands nothing on.
        ModifiedRing = "modified-ring",
        /// The whole message along two halves of a ring.
        TwoRings = "two-rings",
        /// Pieces spread over a tree, then exchanged with both neighbours of a ring in turns.
        Long = "long",
        /// Each asks one that has the data.
        Pull = "pull",
        /// Blocks fetched from members that have them, as the root tells.
        Cornet = "cornet",
        /// Messages to a group.
        Multicast = "multicast",
        /// Parts round a ring.
        Ring = "ring",
        /// Exchanges with partners at doubled distances.
        RecursiveDoubling = "recursive-doubling",
        /// Exchanges of halves with partners at halved distances.
        RecursiveHalving = "recursive-halving",
        /// Recursive halving, then recursive doubling.
        HalvingDoubling = "halving-doubling",
        /// To partners at doubled distances round a ring.
        Bruck = "bruck",
        /// Parts round a ring to add them, then messages to a group.
        RingMulticast = "ring-multicast",
        /// In each round everybody sends to another partner.
        Pairwise = "pairwise",
        /// In each round everybody tells a partner at twice the distance.
        Dissemination = "dissemination",
    }
}

/// Why there is no graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// There are fewer than two members.
    #[error("found {0}; a collective operation has at least two members")]
    Alone(u32),
    /// The schedule needs a power of two.
    #[error("found {members} members; {schedule} needs a power of two, such as {below} or {above}")]
    NoPowerOfTwo {
        /// The schedule.
        schedule: Schedule,
        /// Number of members.
        members: u32,
        /// The power of two below.
        below: u32,
        /// The power of two above.
        above: u64,
    },
    /// The schedule is for other operations.
    #[error("found {schedule}, which is no schedule of {operation}; those are {}", names(*operation))]
    Foreign {
        /// The schedule.
        schedule: Schedule,
        /// The operation.
        operation: Operation,
    },
    /// There are not as many servers as shards.
    #[error(
        "found {members} members, of which {sources} are sources, and {shards} shards; at least one member for each \
         shard is no source"
    )]
    Fleet {
        /// Number of members.
        members: u32,
        /// Number of sources.
        sources: u32,
        /// Number of shards.
        shards: u32,
    },
    /// No token goes anywhere.
    #[error("has no token that goes to another member")]
    AtHome,
    /// More messages than can be numbered.
    #[error("{schedule} has more than {MOST} messages here; take fewer members or larger slices")]
    TooMany {
        /// The schedule.
        schedule: Schedule,
    },
}

/// No graph has more messages.
const MOST: u64 = 1 << 24;

/// The names of the schedules of an operation.
fn names(operation: Operation) -> String {
    let of_it = Schedule::ALL.into_iter().filter(|one| one.operations().contains(&operation));
    of_it.map(Schedule::name).collect::<Vec<_>>().join(", ")
}

impl Operation {
    /// Whether all data come from one member, the root.
    pub fn is_from_root(self) -> bool {
        matches!(self, Self::Broadcast | Self::Scatter)
    }

    /// Whether all data go to one member, the root.
    pub fn is_to_root(self) -> bool {
        matches!(self, Self::Gather | Self::Reduce)
    }

    /// Whether one of the members is the root.
    pub fn has_root(self) -> bool {
        self.is_from_root() || self.is_to_root()
    }
}

impl Schedule {
    /// The operations that it is a schedule of.
    pub fn operations(self) -> &'static [Operation] {
        match self {
            Self::Concurrent => &[
                Operation::Broadcast,
                Operation::AllToAll,
                Operation::Scatter,
                Operation::Gather,
                Operation::Reduce,
                Operation::Dispatch,
                Operation::Combine,
            ],
            Self::Chain => &[Operation::Broadcast, Operation::Refresh],
            Self::Pull => &[Operation::Refresh],
            Self::Binomial => {
                &[Operation::Broadcast, Operation::Scatter, Operation::Gather, Operation::Reduce]
            }
            Self::Long => &[Operation::Broadcast, Operation::Allgather],
            Self::Multicast => &[
                Operation::Broadcast,
                Operation::Allgather,
                Operation::Refresh,
                Operation::Dispatch,
            ],
            Self::Ring => &[Operation::Allgather, Operation::ReduceScatter, Operation::Allreduce],
            Self::RecursiveDoubling => &[Operation::Allgather, Operation::Allreduce],
            Self::RecursiveHalving => &[Operation::ReduceScatter],
            Self::HalvingDoubling | Self::RingMulticast => &[Operation::Allreduce],
            Self::Bruck => &[Operation::Allgather],
            Self::Pairwise => &[Operation::AllToAll, Operation::Dispatch, Operation::Combine],
            Self::Dissemination => &[Operation::Barrier],
            Self::Sequential
            | Self::BinomialPipeline
            | Self::DoubleTree
            | Self::Cornet
            | Self::ScatterRing
            | Self::ScatterDoubling
            | Self::Mpi
            | Self::IncreasingRing
            | Self::ModifiedRing
            | Self::TwoRings => &[Operation::Broadcast],
        }
    }

    /// Whether it sends messages to a group.
    pub fn has_multicasts(self) -> bool {
        matches!(self, Self::Multicast | Self::RingMulticast)
    }

    /// Whether it cuts messages into slices.
    pub fn has_slices(self) -> bool {
        matches!(self, Self::Chain | Self::BinomialPipeline | Self::DoubleTree | Self::Cornet)
    }

    /// Size of slices at most, in bytes: what is said, 4 MB for cornet (Orchestra, SIGCOMM 2011; Spark), or 64 kB.
    pub fn slice(self, said: Option<u64>) -> u64 {
        said.unwrap_or(if self == Self::Cornet { 4_000_000 } else { 64_000 })
    }

    /// Whether it needs a power of two.
    fn needs_power_of_two(self) -> bool {
        matches!(
            self,
            Self::BinomialPipeline
                | Self::ScatterDoubling
                | Self::RecursiveDoubling
                | Self::RecursiveHalving
                | Self::HalvingDoubling
        )
    }

    /// Number of messages of its graph at most.
    pub fn most_messages(self, operation: Operation, given: &Given<'_>) -> u64 {
        match operation {
            Operation::Refresh => return refresh::most_messages(given),
            Operation::Dispatch | Operation::Combine => return experts::most_messages(given),
            _ => {}
        }
        let (members, slices) = (u64::from(given.members), given.slices(given.bytes));
        let rounds = u64::from(given.members.max(1).ilog2()) + 1;
        let of_each = match self {
            // A half for each tree can have one slice more.
            Self::Chain | Self::BinomialPipeline | Self::DoubleTree => slices.saturating_add(2),
            // A question, its answer, a request and a block each time, and a last report.
            Self::Cornet => slices.saturating_mul(4).saturating_add(1),
            Self::Sequential
            | Self::Binomial
            | Self::IncreasingRing
            | Self::ModifiedRing
            | Self::TwoRings
            | Self::Multicast => 1,
            Self::Mpi if given.bytes < mpi::SHORT => 1,
            Self::ScatterDoubling
            | Self::RecursiveDoubling
            | Self::RecursiveHalving
            | Self::HalvingDoubling
            | Self::Bruck
            | Self::Dissemination => 2 * rounds,
            // Round a ring to add, and once more to gather.
            Self::Ring => 2 * members,
            // Once round a ring, or to each other, and one message more.
            Self::Concurrent
            | Self::ScatterRing
            | Self::Long
            | Self::Pull
            | Self::Mpi
            | Self::RingMulticast
            | Self::Pairwise => members + 1,
        };
        members.saturating_mul(of_each)
    }

    /// Checks that there is a graph, without making it.
    ///
    /// # Errors
    /// [`Refusal`] if the schedule is not for the operation, or not for this number of members.
    pub fn check(self, operation: Operation, given: &Given<'_>) -> Result<(), Refusal> {
        let Given { members, .. } = *given;
        if !self.operations().contains(&operation) {
            return Err(Refusal::Foreign { schedule: self, operation });
        }
        if members < 2 {
            return Err(Refusal::Alone(members));
        }
        if self.needs_power_of_two() && !members.is_power_of_two() {
            let below = 1 << members.ilog2();
            let above = 2 * u64::from(below);
            return Err(Refusal::NoPowerOfTwo { schedule: self, members, below, above });
        }
        if operation == Operation::Refresh {
            let Given { sources, shards, .. } = *given;
            if !refresh::has_servers(given) {
                return Err(Refusal::Fleet { members, sources, shards });
            }
        }
        if matches!(operation, Operation::Dispatch | Operation::Combine)
            && !given.routes.iter().any(experts::is_sent)
        {
            return Err(Refusal::AtHome);
        }
        if self.most_messages(operation, given) > MOST {
            return Err(Refusal::TooMany { schedule: self });
        }
        Ok(())
    }

    /// The messages of an operation.
    ///
    /// # Errors
    /// [`Refusal`] if the schedule is not for the operation, or not for this number of members.
    pub fn graph(self, operation: Operation, given: &Given<'_>) -> Result<Graph, Refusal> {
        self.check(operation, given)?;
        Ok(match (self, operation) {
            (Self::Sequential, _) => unicasts::sequential(given),
            (Self::Concurrent, Operation::AllToAll) => pairwise::concurrent(given),
            (Self::Concurrent, Operation::Dispatch) => experts::dispatch(given, false),
            (Self::Concurrent, Operation::Combine) => experts::combine(given, false),
            (Self::Pairwise, Operation::Dispatch) => experts::dispatch(given, true),
            (Self::Pairwise, Operation::Combine) => experts::combine(given, true),
            (Self::Multicast, Operation::Dispatch) => experts::multicast(given),
            (Self::Multicast, Operation::Refresh) => refresh::multicast(given),
            (Self::Chain, Operation::Refresh) => refresh::chain(given),
            (Self::Pull, _) => refresh::pull(given),
            (Self::Concurrent, Operation::Scatter) => rooted::scatter_at_once(given),
            (Self::Concurrent, Operation::Gather) => rooted::gather_at_once(given),
            (Self::Concurrent, Operation::Reduce) => rooted::reduce_at_once(given),
            (Self::Concurrent, _) => unicasts::concurrent(given),
            (Self::Binomial, Operation::Scatter) => rooted::scatter(given),
            (Self::Binomial, Operation::Gather) => rooted::gather(given),
            (Self::Binomial, Operation::Reduce) => rooted::reduce(given),
            (Self::Binomial, _) => binomial::broadcast(given),
            (Self::Chain, _) => chain::broadcast(given),
            (Self::BinomialPipeline, _) => binomial_pipeline::broadcast(given),
            (Self::DoubleTree, _) => double_tree::broadcast(given),
            (Self::ScatterRing, _) => scatter::ring(given),
            (Self::ScatterDoubling, _) => scatter::doubling(given),
            (Self::Mpi, _) => mpi::broadcast(given),
            (Self::IncreasingRing, _) => hpl::increasing_ring(given),
            (Self::ModifiedRing, _) => hpl::modified_ring(given),
            (Self::TwoRings, _) => hpl::two_rings(given),
            (Self::Long, Operation::Allgather) => hpl::rolled(given),
            (Self::Long, _) => hpl::long(given),
            (Self::Cornet, _) => cornet::broadcast(given),
            (Self::Multicast, Operation::Allgather) => multicast::allgather(given),
            (Self::Multicast, _) => multicast::broadcast(given),
            (Self::Ring, Operation::ReduceScatter) => ring::reduce_scatter(given),
            (Self::Ring, Operation::Allreduce) => ring::allreduce(given),
            (Self::Ring, _) => ring::allgather(given),
            (Self::RecursiveDoubling, Operation::Allreduce) => recursive::allreduce(given),
            (Self::RecursiveDoubling, _) => recursive::allgather(given),
            (Self::RecursiveHalving, _) => recursive::reduce_scatter(given),
            (Self::HalvingDoubling, _) => recursive::halving_doubling(given),
            (Self::Bruck, _) => bruck::allgather(given),
            (Self::RingMulticast, _) => multicast::allreduce(given),
            (Self::Pairwise, _) => pairwise::all_to_all(given),
            (Self::Dissemination, _) => dissemination::barrier(given),
        })
    }
}
