//! Cornet (Chowdhury, Zaharia, Ma, Jordan, Stoica: Managing Data Transfers in Computer Clusters with Orchestra,
//! SIGCOMM 2011), the broadcast of Spark: each receiver fetches one block after the other, each from a member that has
//! it. It asks the root who that is, which also tells the root of the block that it fetched before.
//!
//! Cornet chooses blocks and members at random. This schedule is the best case of that: in each round a receiver takes
//! the block that the fewest members have, from a member that serves nobody else in the round. The number of rounds is
//! that of the blocks, and the number of doublings from one holder to all members.

use crate::given::Given;
use crate::graph::{Blocks, Graph, MessageId};

pub(crate) fn broadcast(given: &Given) -> Graph {
    let blocks = given.slices(given.bytes);
    let mut swarm = Swarm::new(given.graph(blocks), usize::try_from(blocks).unwrap_or(usize::MAX));
    while swarm.lacking > 0 {
        swarm.ask();
        swarm.serve();
    }
    // The last block of each is reported too.
    swarm.ask();
    swarm.graph
}

struct Swarm {
    graph: Graph,
    /// For each block, the members that have it and the message that brought it.
    holders: Vec<Vec<(u32, Option<MessageId>)>>,
    /// For each member, the blocks that it lacks.
    lacks: Vec<Vec<usize>>,
    /// For each member, the message to the root that is not answered yet.
    asked: Vec<Option<MessageId>>,
    /// For each member, its last message to the root. By then the root knows of all that it has.
    told: Vec<Option<MessageId>>,
    /// For each member, the block that came last and is not reported yet, with the message that brought it.
    came: Vec<Option<(usize, MessageId)>>,
    /// Whether a member serves another in this round.
    serves: Vec<bool>,
    /// Number of blocks that some member lacks, over all members.
    lacking: u64,
}

impl Swarm {
    fn new(graph: Graph, blocks: usize) -> Self {
        let members = graph.members() as usize;
        let all: Vec<usize> = (0..blocks).collect();
        let mut lacks = vec![all; members];
        lacks[0].clear();
        Self {
            holders: vec![vec![(0, None)]; blocks],
            lacking: blocks as u64 * (members as u64 - 1),
            lacks,
            asked: vec![None; members],
            told: vec![None; members],
            came: vec![None; members],
            serves: vec![false; members],
            graph,
        }
    }

    /// All that have fetched, and all in the first round, tell the root and ask for the next block.
    fn ask(&mut self) {
        self.serves.fill(false);
        for member in 1..self.graph.members() {
            let place = member as usize;
            let came = self.came[place].take();
            if came.is_some() || self.told[place].is_none() {
                let asked = self.graph.send(member, 0, Blocks::NONE, came.map(|(_, came)| came));
                self.told[place] = Some(asked);
                self.asked[place] = Some(asked);
            }
        }
    }

    /// The root tells each that asks of a member, which sends the block.
    fn serve(&mut self) {
        let members = self.graph.members();
        for member in 1..members {
            let place = member as usize;
            let (Some(asked), Some((at, block, from))) = (self.asked[place], self.found(member))
            else {
                continue;
            };
            let knows = self.told[from.0 as usize].filter(|_| from.0 > 0);
            let answer = self.graph.send(
                0,
                member,
                Blocks::NONE,
                [Some(asked), knows].into_iter().flatten(),
            );
            let request = self.graph.send(member, from.0, Blocks::NONE, [answer]);
            let waits = [Some(request), from.1].into_iter().flatten();
            let sent = self.graph.send(from.0, member, Blocks::one(block as u64), waits);
            self.asked[place] = None;
            self.came[place] = Some((block, sent));
            self.serves[from.0 as usize] = true;
            self.lacks[place].swap_remove(at);
            self.lacking -= 1;
        }
        // What comes in this round can be fetched from the next one on.
        for member in 1..members {
            let Some((block, came)) = self.came[member as usize] else { continue };
            self.holders[block].push((member, Some(came)));
        }
    }

    /// A block that fewest have, of those that a member lacks and another one can send, by its place among those; and
    /// the other one.
    fn found(&self, member: u32) -> Option<(usize, usize, (u32, Option<MessageId>))> {
        let blocks = self.holders.len();
        let lacks = self.lacks[member as usize].iter().enumerate();
        let able = lacks.filter_map(|(at, &block)| {
            let from = self.holders[block].iter().find(|(from, _)| !self.serves[*from as usize])?;
            // Those that want the same begin at different blocks.
            let turn = (block + blocks - member as usize % blocks) % blocks;
            Some(((self.holders[block].len(), turn), (at, block, *from)))
        });
        able.min_by_key(|(key, _)| *key).map(|(_, found)| found)
    }
}
