//! The bytes that schedules send, as textbooks count them, and which links of the overlay carry them.

use lightloom_schedules::{Given, Graph, Operation, Schedule, To};

/// Bytes that all members send; a message to a group counts once.
fn sent(graph: &Graph) -> u64 {
    graph.messages().iter().map(|message| graph.bytes(message.blocks)).sum()
}

/// The most that a member sends, and the most that one receives.
fn most(graph: &Graph) -> (u64, u64) {
    let mut out = vec![0; graph.members() as usize];
    let mut into = out.clone();
    for message in graph.messages() {
        let bytes = graph.bytes(message.blocks);
        out[message.from as usize] += bytes;
        match message.to {
            To::Member(to) => into[to as usize] += bytes,
            To::Others => {
                let others = (0..).zip(&mut into).filter(|(to, _)| *to != message.from);
                others.for_each(|(_, into)| *into += bytes);
            }
        }
    }
    (out.into_iter().max().unwrap(), into.into_iter().max().unwrap())
}

#[test]
fn schedules_send_what_textbooks_count() {
    use Operation::*;
    use Schedule::*;
    for n in [2_u64, 4, 8, 16, 3, 5, 6, 7, 12] {
        // Blocks are equal.
        let m = 5040 * n * 16;
        let log = u64::from(n.ilog2());
        let is_power = n.is_power_of_two();
        let given = Given { slice: m / 8, ..Given::new(n.try_into().unwrap(), m) };
        let cornet = Cornet.graph(Broadcast, &given).unwrap();
        assert!(most(&cornet).0 < 2 * m + m / 2, "the members share the work, {n} members");
        // Schedule, operation, bytes of all, the most that a member sends, the most that one receives.
        let mut rows = vec![
            (Sequential, Broadcast, (n - 1) * m, (n - 1) * m, m),
            (Concurrent, Broadcast, (n - 1) * m, (n - 1) * m, m),
            (Binomial, Broadcast, (n - 1) * m, m * u64::from((n - 1).ilog2() + 1), m),
            (Chain, Broadcast, (n - 1) * m, m, m),
            (DoubleTree, Broadcast, (n - 1) * m, m, m),
            (IncreasingRing, Broadcast, (n - 1) * m, m, m),
            (ModifiedRing, Broadcast, (n - 1) * m, if n == 2 { m } else { 2 * m }, m),
            (Cornet, Broadcast, (n - 1) * m, most(&cornet).0, m),
            (Multicast, Broadcast, m, m, m),
            (Long, Allgather, (n - 1) * m, (n - 1) * m / n, (n - 1) * m / n),
            (Concurrent, Scatter, (n - 1) * m / n, (n - 1) * m / n, m / n),
            (Concurrent, Gather, (n - 1) * m / n, m / n, (n - 1) * m / n),
            (Concurrent, Reduce, (n - 1) * m, m, (n - 1) * m),
            (Binomial, Reduce, (n - 1) * m, m, m * u64::from((n - 1).ilog2() + 1)),
            (Ring, Allgather, (n - 1) * m, (n - 1) * m / n, (n - 1) * m / n),
            (Bruck, Allgather, (n - 1) * m, (n - 1) * m / n, (n - 1) * m / n),
            (Multicast, Allgather, m, m / n, (n - 1) * m / n),
            (Ring, ReduceScatter, (n - 1) * m, (n - 1) * m / n, (n - 1) * m / n),
            (Ring, Allreduce, 2 * (n - 1) * m, 2 * (n - 1) * m / n, 2 * (n - 1) * m / n),
            (RingMulticast, Allreduce, (n - 1) * m + m, m, 2 * (n - 1) * m / n),
            (Pairwise, AllToAll, (n - 1) * m, (n - 1) * m / n, (n - 1) * m / n),
            (Concurrent, AllToAll, (n - 1) * m, (n - 1) * m / n, (n - 1) * m / n),
            (Dissemination, Barrier, 0, 0, 0),
        ];
        if is_power {
            rows.extend([
                (RecursiveDoubling, Allgather, (n - 1) * m, (n - 1) * m / n, (n - 1) * m / n),
                (RecursiveDoubling, Allreduce, n * log * m, log * m, log * m),
                (RecursiveHalving, ReduceScatter, (n - 1) * m, (n - 1) * m / n, (n - 1) * m / n),
                (
                    HalvingDoubling,
                    Allreduce,
                    2 * (n - 1) * m,
                    2 * (n - 1) * m / n,
                    2 * (n - 1) * m / n,
                ),
            ]);
        }
        for (schedule, operation, all, out, into) in rows {
            let graph = schedule.graph(operation, &given).unwrap();
            let found = (sent(&graph), most(&graph));
            assert_eq!(found, (all, (out, into)), "{schedule} of {operation}, {n} members");
        }
        if is_power {
            let graph = BinomialPipeline.graph(Broadcast, &given).unwrap();
            assert_eq!((sent(&graph), most(&graph).1), ((n - 1) * m, m));
            // Halves of what is left go down the tree, and then all but its own block round the ring.
            for operation in [Scatter, Gather] {
                let graph = Binomial.graph(operation, &given).unwrap();
                assert_eq!(sent(&graph), log * m / 2, "{operation}");
            }
            for schedule in [ScatterRing, ScatterDoubling, Long] {
                let graph = schedule.graph(Broadcast, &given).unwrap();
                assert_eq!(sent(&graph), log * m / 2 + (n - 1) * m, "{schedule}");
                assert_eq!(most(&graph).0, 2 * (n - 1) * m / n, "{schedule}");
            }
        }
    }
}

/// No member of the two trees hands on in both.
#[test]
fn who_hands_on_in_a_tree_is_a_leaf_of_the_other() {
    for members in 2..100 {
        let given = Given { slice: 500, ..Given::new(members, 1000) };
        let graph = Schedule::DoubleTree.graph(Operation::Broadcast, &given).unwrap();
        let mut hands_on = vec![[false; 2]; members as usize];
        for message in graph.messages().iter().filter(|message| message.from > 0) {
            hands_on[message.from as usize][message.blocks.first as usize] = true;
        }
        assert!(hands_on.iter().all(|both| *both != [true; 2]), "{members}");
    }
}

/// MPICH takes a tree for short messages and few members, and a ring for long ones.
#[test]
fn mpi_chooses_by_size() {
    use Schedule::*;
    for (members, bytes, as_) in [
        (8, 12_287, Binomial),
        (8, 12_288, ScatterDoubling),
        (8, 524_287, ScatterDoubling),
        (8, 524_288, ScatterRing),
        (9, 12_288, ScatterRing),
        (7, 1 << 30, Binomial),
    ] {
        let given = Given::new(members, bytes);
        let graph = |schedule: Schedule| schedule.graph(Operation::Broadcast, &given).unwrap();
        assert!(graph(Mpi) == graph(as_), "{members} members, {bytes} B");
    }
}
