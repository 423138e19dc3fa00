//! Which nodes have something to do, and when.

use lightloom_units::Instant;

/// Nodes that are looked at together.
const GROUP: usize = 32;

/// For each node a time that nothing waits before.
#[derive(Debug, Default)]
pub(crate) struct Agenda {
    nodes: Vec<Instant>,
    /// The same for groups of nodes, so that most of those without anything to do are never looked at.
    groups: Vec<Instant>,
}

impl Agenda {
    pub(crate) fn new(nodes: Vec<Instant>) -> Self {
        let first = |group: &[Instant]| group.iter().copied().min().unwrap_or(Instant::NEVER);
        Self { groups: nodes.chunks(GROUP).map(first).collect(), nodes }
    }

    /// The first time of all.
    pub(crate) fn next(&self) -> Instant {
        self.groups.iter().copied().min().unwrap_or(Instant::NEVER)
    }

    /// Something waits at a node.
    #[inline]
    pub(crate) fn add(&mut self, node: usize, at: Instant) {
        // Never later than what waits, and never wrong for being too early: a node that is looked at for nothing does
        // nothing.
        self.nodes[node] = self.nodes[node].min(at);
        let group = &mut self.groups[node / GROUP];
        *group = (*group).min(at);
    }

    /// Moves the nodes with something to do before `end` over to `due`, in order. Until they are added
    /// again they have nothing to do.
    pub(crate) fn take(&mut self, end: Instant, due: &mut Vec<usize>) {
        due.clear();
        for (number, group) in self.groups.iter_mut().enumerate() {
            if *group >= end {
                continue;
            }
            // The time of the group is made anew from its nodes while they are looked at.
            *group = Instant::NEVER;
            let first = number * GROUP;
            let last = self.nodes.len().min(first + GROUP);
            for (node, at) in (first..).zip(&mut self.nodes[first..last]) {
                if *at < end {
                    due.push(node);
                    *at = Instant::NEVER;
                }
                *group = (*group).min(*at);
            }
        }
    }
}
