//! One after the other (shufflecast:IV-C.turns): each resource has a queue, which a message joins when it asks. It goes
//! when it is first in all of its queues. All queues have the same order, so every message goes one day. A message that
//! waits holds back later ones that share a resource with it.

use std::collections::{BTreeMap, VecDeque};

use super::Changed;

#[derive(Debug)]
pub(super) struct Turns {
    /// The messages that use each resource, in the order in which they asked.
    queues: Vec<VecDeque<u32>>,
    /// Of each message, the number of queues in which it is not the first.
    behind: BTreeMap<u32, usize>,
}

impl Turns {
    pub(super) fn new(resources: usize) -> Self {
        Self { queues: vec![VecDeque::new(); resources], behind: BTreeMap::new() }
    }

    pub(super) fn enter(&mut self, message: u32, uses: &[u32]) -> Changed {
        let mut behind = 0;
        for &resource in uses {
            let queue = &mut self.queues[resource as usize];
            behind += usize::from(!queue.is_empty());
            queue.push_back(message);
        }
        self.behind.insert(message, behind);
        if behind == 0 { vec![message] } else { Changed::new() }
    }

    pub(super) fn leave(&mut self, message: u32, uses: &[u32]) -> Changed {
        let mut go = Changed::new();
        if self.behind.remove(&message).is_none() {
            return go;
        }
        for &resource in uses {
            let queue = &mut self.queues[resource as usize];
            if queue.front() != Some(&message) {
                // It gave up while it waited. Those behind it are behind somebody else still.
                queue.retain(|&other| other != message);
                continue;
            }
            queue.pop_front();
            let Some(next) = queue.front() else { continue };
            if let Some(behind) = self.behind.get_mut(next) {
                *behind -= 1;
                if *behind == 0 {
                    go.push(*next);
                }
            }
        }
        go.sort_unstable();
        go
    }

    pub(super) fn goes(&self, message: u32) -> bool {
        self.behind.get(&message) == Some(&0)
    }

    /// The first of those before a message that goes, or else the first of all before it.
    pub(super) fn before(&self, message: u32, uses: &[u32]) -> Option<u32> {
        if self.behind.get(&message).is_none_or(|&behind| behind == 0) {
            return None;
        }
        let first = |&resource: &u32| self.queues[resource as usize].front().copied();
        let firsts = || uses.iter().filter_map(first).filter(|&first| first != message);
        firsts().filter(|&first| self.goes(first)).min().or_else(|| firsts().min())
    }
}
