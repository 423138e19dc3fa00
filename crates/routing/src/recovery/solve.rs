//! The tree of one source over the damaged fabric.

use std::collections::VecDeque;

use lightloom_topology::TorId;

use crate::recovery::branching::{Edge, cheapest};
use crate::recovery::reach::{Group, Reach};

/// For each group, the ToR that serves it. `None`: no light reaches it.
pub(super) type Parents = Vec<Option<TorId>>;

/// The remaining part of an installed tree.
pub(super) struct KeptTree {
    pub(super) parents: Parents,
    /// Reachable groups whose installed relay no longer serves them.
    pub(super) orphans: Vec<Group>,
}

/// The problem for one source: its root and its installed relays.
#[derive(Clone, Copy)]
pub(super) struct Question<'a> {
    pub(super) reach: &'a Reach,
    /// The ToR that transmits first.
    pub(super) root: TorId,
    /// The installed relay row.
    pub(super) row: &'a [TorId],
    /// Whether light from the root can reach each group.
    pub(super) reachable: &'a [bool],
}

impl Question<'_> {
    fn is_installed(&self, relay: TorId, group: Group) -> bool {
        self.row[self.reach.cassette(group).index()] == relay
    }

    /// Follows the installed relays from the root.
    pub(super) fn installed(&self) -> KeptTree {
        let mut parents: Parents = vec![None; self.reach.len()];
        let lit: Vec<Group> = self.reach.lights(self.root).to_vec();
        for &group in &lit {
            parents[group] = Some(self.root);
        }
        self.follow(&mut parents, lit);
        let serves = |&group: &Group| {
            let relay = self.row[self.reach.cassette(group).index()];
            relay != self.root && self.reach.senders(group).contains(&relay)
        };
        let orphans = (0..self.reach.len())
            .filter(|&g| self.reachable[g] && parents[g].is_none() && !serves(&g))
            .collect();
        KeptTree { parents, orphans }
    }

    /// Adds everything that installed relays reach from newly served groups.
    pub(super) fn follow(&self, parents: &mut Parents, mut fresh: Vec<Group>) {
        while let Some(group) = fresh.pop() {
            for &relay in self.reach.receivers(group).iter().filter(|&&tor| tor != self.root) {
                for &next in self.reach.lights(relay) {
                    if parents[next].is_none() && self.is_installed(relay, next) {
                        parents[next] = Some(relay);
                        fresh.push(next);
                    }
                }
            }
        }
    }

    /// The ToRs that could serve an orphan from the groups that are already served.
    pub(super) fn candidates(&self, parents: &Parents, orphan: Group) -> Vec<TorId> {
        let served = |relay: &TorId| {
            *relay != self.root
                && self.reach.group_of(*relay).is_some_and(|from| parents[from].is_some())
        };
        self.reach.senders(orphan).iter().copied().filter(served).collect()
    }

    /// The tree with the fewest new relays. Ties go to the least loaded new relays.
    ///
    /// Every orphan needs a new relay. Attaching it restores everything behind it, whichever relay it gets.
    /// Something else must move only if all relays of an orphan depend on the orphan itself. A minimum-cost
    /// arborescence then finds what must move.
    pub(super) fn fewest_changes(&self, load: &[u32]) -> Parents {
        let KeptTree { mut parents, mut orphans } = self.installed();
        while let Some((at, relay)) = orphans.iter().enumerate().find_map(|(at, &orphan)| {
            let candidates = self.candidates(&parents, orphan);
            candidates.into_iter().min_by_key(|t| (load[t.index()], *t)).map(|t| (at, t))
        }) {
            let orphan = orphans.remove(at);
            parents[orphan] = Some(relay);
            self.follow(&mut parents, vec![orphan]);
        }
        let complete = (0..parents.len()).all(|g| !self.reachable[g] || parents[g].is_some());
        if complete { parents } else { self.cheapest_tree(load).unwrap_or(parents) }
    }

    fn cheapest_tree(&self, load: &[u32]) -> Option<Parents> {
        const NEW_RELAY: u64 = 1 << 32;
        // Vertex 0 is the root. The groups that light can reach follow.
        let mut vertex = vec![usize::MAX; self.reach.len()];
        let reachable = (0..self.reach.len()).filter(|&g| self.reachable[g]);
        let groups: Vec<Group> = reachable.collect();
        for (i, &group) in groups.iter().enumerate() {
            vertex[group] = i + 1;
        }
        let mut edges = Vec::new();
        let mut by = Vec::new();
        for &group in &groups {
            // No other relay may serve a group that the root lights, not even an installed one.
            let root_lights = self.reach.lights(self.root).contains(&group);
            let senders = self.reach.senders(group).iter().copied();
            for relay in senders.filter(|&relay| !root_lights || relay == self.root) {
                let cost = if self.is_installed(relay, group) || relay == self.root {
                    0
                } else {
                    NEW_RELAY + u64::from(load[relay.index()])
                };
                let tail = if relay == self.root {
                    0
                } else {
                    match self.reach.group_of(relay).map(|from| vertex[from]) {
                        Some(tail) if tail != usize::MAX => tail,
                        _ => continue,
                    }
                };
                edges.push(Edge { tail, head: vertex[group], cost });
                by.push(relay);
            }
        }
        let chosen = cheapest(groups.len() + 1, 0, &edges)?;
        let mut parents: Parents = vec![None; self.reach.len()];
        for (&group, edge) in groups.iter().zip(&chosen[1..]) {
            parents[group] = edge.map(|e| by[e]);
        }
        Some(parents)
    }

    /// The tree with the fewest hops to every group. Ties go to an installed relay, then to the least loaded.
    pub(super) fn fewest_hops(&self, load: &[u32]) -> Parents {
        let mut depth = vec![u32::MAX; self.reach.len()];
        let mut order = VecDeque::new();
        for &group in self.reach.lights(self.root) {
            depth[group] = 0;
            order.push_back(group);
        }
        while let Some(group) = order.pop_front() {
            for &relay in self.reach.receivers(group).iter().filter(|&&tor| tor != self.root) {
                for &next in self.reach.lights(relay) {
                    if depth[next] == u32::MAX {
                        depth[next] = depth[group] + 1;
                        order.push_back(next);
                    }
                }
            }
        }
        let parent = |group: Group| match depth[group] {
            u32::MAX => None,
            0 => Some(self.root),
            hops => {
                let nearer = |relay: &TorId| {
                    *relay != self.root
                        && self.reach.group_of(*relay).is_some_and(|g| depth[g] == hops - 1)
                };
                let senders = self.reach.senders(group).iter().copied().filter(nearer);
                senders.min_by_key(|&t| (!self.is_installed(t, group), load[t.index()], t))
            }
        };
        (0..self.reach.len()).map(parent).collect()
    }
}
