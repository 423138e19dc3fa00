//! Rounds of schedules: with messages that all take one unit of time, and members that send and receive one message at
//! a time, they end when their sources say.

use lightloom_schedules::{Given, Graph, Operation, Schedule, To};

/// The number of rounds until the last message is there. In a round each member sends one message and receives one.
fn rounds(graph: &Graph) -> u64 {
    let mut ended: Vec<Option<u64>> = vec![None; graph.messages().len()];
    for round in 1.. {
        if ended.iter().all(Option::is_some) {
            return round - 1;
        }
        let members = graph.members() as usize;
        let (mut sends, mut receives) = (vec![false; members], vec![false; members]);
        for (number, message) in graph.messages().iter().enumerate() {
            let To::Member(to) = message.to else { panic!("this is for unicasts") };
            let is_over = |id: &lightloom_schedules::MessageId| {
                ended[id.index()].is_some_and(|end| end < round)
            };
            let (from, to) = (message.from as usize, to as usize);
            if ended[number].is_none()
                && message.after.iter().all(is_over)
                && !sends[from]
                && !receives[to]
            {
                (ended[number], sends[from], receives[to]) = (Some(round), true, true);
            }
        }
    }
    unreachable!("the loop ends when all messages have")
}

#[test]
fn schedules_take_the_rounds_of_their_sources() {
    use Operation::*;
    use Schedule::*;
    for n in [2_u32, 3, 4, 5, 8, 13, 16, 32] {
        let k = 6;
        let given = Given { slice: 1000, ..Given::new(n, 1000 * k) };
        let up = u64::from((n - 1).ilog2() + 1);
        let others = u64::from(n) - 1;
        let mut rows = vec![
            (Sequential, Broadcast, others),
            (Concurrent, Broadcast, others),
            (Binomial, Broadcast, up),
            (Chain, Broadcast, others + k - 1),
            (IncreasingRing, Broadcast, others),
            (ModifiedRing, Broadcast, others),
            (ScatterRing, Broadcast, up + others),
            (Ring, Allgather, others),
            (Ring, Allreduce, 2 * others),
            (Bruck, Allgather, up),
            (Pairwise, AllToAll, others),
            (Dissemination, Barrier, up),
            (Binomial, Scatter, up),
            (Binomial, Gather, up),
            (Binomial, Reduce, up),
            (Concurrent, Gather, others),
        ];
        if n.is_power_of_two() {
            rows.extend([
                (BinomialPipeline, Broadcast, up + k - 1),
                (ScatterDoubling, Broadcast, 2 * up),
                (RecursiveDoubling, Allgather, up),
                (RecursiveDoubling, Allreduce, up),
                (RecursiveHalving, ReduceScatter, up),
                (HalvingDoubling, Allreduce, 2 * up),
                (Long, Broadcast, up + others),
                (Long, Allgather, others),
            ]);
        }
        for (schedule, operation, expected) in rows {
            let graph = schedule.graph(operation, &given).unwrap();
            assert_eq!(rounds(&graph), expected, "{schedule} of {operation}, {n} members");
        }
    }
    // HPL: the longer half of the ring, and one round to begin with.
    let two = |n| rounds(&TwoRings.graph(Broadcast, &Given::new(n, 9)).unwrap());
    assert_eq!([2, 3, 4, 5, 8, 9].map(two), [1, 2, 3, 4, 5, 6]);
}
