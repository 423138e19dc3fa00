//! Exact recovery from any set of failures.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use fixedbitset::FixedBitSet;
use lightloom_topology::TorId;
use lightloom_units::named_enum;

use crate::arborescence::level::{Class, level_from};
use crate::failure::Damage;
use crate::recovery::reach::{Group, Reach};
use crate::recovery::solve::{Parents, Question};
use crate::tables::RelayTables;

named_enum! {
    /// What a recovery minimises.
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum Objective {
        /// Number of changed rules.
        FewestChanges = "fewest-changes",
        /// Number of hops.
        FewestHops = "fewest-hops",
    }
}

/// Repair of one source: how it reaches all ToRs again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repair {
    /// The source.
    pub source: TorId,
    /// The ToR that transmits first: the source, or a stand-in if its own transmitter is dead. `None` if the
    /// source has no power or no ToR transmits any more.
    pub root: Option<TorId>,
    /// The ToRs with a rule for the source, including the root, ascending.
    pub relays: Vec<TorId>,
    /// ToRs that copies of several relays reach, each with the relay whose copy it accepts.
    pub accept: Vec<(TorId, TorId)>,
    /// Other ToRs that no rules can reach, ascending.
    pub unreachable: Vec<TorId>,
    /// Number of hops to the farthest reached ToR.
    pub max_hops: u32,
    /// For fewest changes: whether some live relay into the cassette could not serve this source. Such a
    /// source may load a relay beyond an even share.
    pub restricted: bool,
}

/// Repairs every source whose installed tree is damaged, in source order. Other sources keep their rules.
/// `tables` are the installed tables.
pub fn replan(damage: &Damage<'_>, tables: &RelayTables, objective: Objective) -> Vec<Repair> {
    Replan::new(damage, tables).run(objective)
}

struct Replan<'a> {
    damage: &'a Damage<'a>,
    tables: &'a RelayTables,
    exact: Reach,
    /// Trees with one relay per cassette. Equal to `exact` unless branches failed.
    alone: Option<Reach>,
    /// Reach of each ToR's light, in groups of `exact`. Computed on first use.
    reached: Vec<OnceCell<Vec<bool>>>,
    /// Number of sources that each ToR relays: unchanged sources and those repaired so far.
    load: Vec<u32>,
}

/// A source, and the partial result of its repair.
struct Plan {
    source: TorId,
    root: Option<TorId>,
    parents: Parents,
    alone: bool,
    restricted: bool,
}

impl<'a> Replan<'a> {
    fn new(damage: &'a Damage<'a>, tables: &'a RelayTables) -> Self {
        let exact = Reach::exact(damage);
        let alone = damage.has_cuts().then(|| Reach::one_relay_a_cassette(damage));
        let tors = damage.fabric().tors();
        let reached = vec![OnceCell::new(); tors];
        Self { damage, tables, exact, alone, reached, load: vec![0; tors] }
    }

    fn run(mut self, objective: Objective) -> Vec<Repair> {
        let fabric = self.damage.fabric();
        let mut touched = Vec::new();
        for source in fabric.tor_ids() {
            if self.is_touched(source) {
                touched.push(source);
            } else {
                self.count(self.tables.row(source));
            }
        }
        let mut plans = Vec::with_capacity(touched.len());
        let mut free: BTreeMap<Group, Vec<(usize, Vec<TorId>)>> = BTreeMap::new();
        for source in touched {
            let plan = match objective {
                Objective::FewestHops => self.solve(source, objective),
                Objective::FewestChanges => match self.one_orphan(source) {
                    Some((plan, orphan, candidates)) => {
                        free.entry(orphan).or_default().push((plans.len(), candidates));
                        plan
                    }
                    None => self.solve(source, objective),
                },
            };
            plans.push(plan);
        }
        for (orphan, sources) in free {
            self.deal(orphan, &sources, &mut plans);
        }
        plans.into_iter().map(|plan| self.repair(plan)).collect()
    }

    /// Whether some transmission of the source's installed tree no longer arrives everywhere.
    fn is_touched(&self, source: TorId) -> bool {
        let row = self.tables.row(source);
        row.iter().any(|&relay| !self.damage.serves_alone(relay))
    }

    fn count(&mut self, relays: &[TorId]) {
        for relay in relays {
            self.load[relay.index()] += 1;
        }
    }

    /// The source, or the stand-in for a dead transmitter. The stand-in is the live ToR that reaches most
    /// ToRs; ties go to a mirror of the source, then to the least loaded ToR.
    fn root(&self, source: TorId) -> Option<TorId> {
        if self.damage.sends(source) {
            return Some(source);
        }
        if !self.damage.has_power(source) {
            return None;
        }
        let fabric = self.damage.fabric();
        let live = |tor: &TorId| self.damage.sends(*tor);
        let mirrors = fabric.transmitters(fabric.transmits_into(source));
        let alike = |tor: TorId| mirrors.contains(&tor) && self.damage.serves_alone(tor);
        let reaches_all = |tor: TorId| self.reached_from(tor).iter().all(|&reached| reached);
        let mirror = mirrors
            .iter()
            .copied()
            .filter(live)
            .filter(|&tor| alike(tor) && reaches_all(tor))
            .min_by_key(|&tor| (self.load[tor.index()], tor));
        mirror.or_else(|| {
            let others = fabric.tor_ids().filter(live);
            others.max_by_key(|&tor| {
                let unloaded = std::cmp::Reverse(self.load[tor.index()]);
                (self.holders(source, tor), alike(tor), unloaded, std::cmp::Reverse(tor))
            })
        })
    }

    /// The groups that light from a ToR can reach.
    fn reached_from(&self, root: TorId) -> &[bool] {
        self.reached[root.index()].get_or_init(|| self.exact.reached_from(root))
    }

    /// The number of ToRs, except the source, that get its packet if a stand-in transmits it.
    fn holders(&self, source: TorId, root: TorId) -> usize {
        let reached = self.reached_from(root);
        let lit = |tor: TorId| self.exact.group_of(tor).is_some_and(|group| reached[group]);
        let groups = (0..reached.len()).filter(|&group| reached[group]);
        let receivers: usize = groups.map(|group| self.exact.receivers(group).len()).sum();
        receivers + usize::from(!lit(root)) - usize::from(lit(source))
    }

    /// The most frequent case: one group has lost its relay, and any of several relays restores it. The
    /// choice is left open, so that sources can be spread evenly.
    fn one_orphan(&mut self, source: TorId) -> Option<(Plan, Group, Vec<TorId>)> {
        if self.damage.has_cuts() || !self.damage.sends(source) {
            return None;
        }
        let reachable = self.reached_from(source);
        let row = self.tables.row(source);
        let question = Question { reach: &self.exact, root: source, row, reachable };
        let installed = question.installed();
        let [orphan] = installed.orphans[..] else { return None };
        let candidates = question.candidates(&installed.parents, orphan);
        if candidates.is_empty() {
            return None;
        }
        let mut parents = installed.parents;
        parents[orphan] = candidates.first().copied();
        question.follow(&mut parents, vec![orphan]);
        let complete = (0..parents.len()).all(|g| !reachable[g] || parents[g].is_some());
        if !complete {
            return None;
        }
        // The relay of the orphan is counted when it is assigned.
        let kept: Vec<TorId> =
            (0..parents.len()).filter(|&g| g != orphan).filter_map(|g| parents[g]).collect();
        self.count(&kept);
        let restricted = candidates.len() < self.exact.senders(orphan).len();
        let plan = Plan { source, root: Some(source), parents, alone: false, restricted };
        Some((plan, orphan, candidates))
    }

    /// Assigns sources to the relays that may serve an orphan, on top of the load of those relays.
    fn deal(&mut self, orphan: Group, sources: &[(usize, Vec<TorId>)], plans: &mut [Plan]) {
        let relays = self.exact.senders(orphan).to_vec();
        let slot = |relay: &TorId| relays.iter().position(|r| r == relay);
        let mut by_choice: BTreeMap<Vec<usize>, Vec<usize>> = BTreeMap::new();
        for (plan, candidates) in sources {
            by_choice.entry(candidates.iter().filter_map(slot).collect()).or_default().push(*plan);
        }
        let mut classes: Vec<Class> =
            by_choice.iter().map(|(slots, plans)| Class::new(slots.clone(), plans.len())).collect();
        let base: Vec<usize> = relays.iter().map(|r| self.load[r.index()] as usize).collect();
        level_from(base, &mut classes);
        for (dealt_to, class) in by_choice.values().zip(&classes) {
            let dealt =
                class.dealt().flat_map(|(slot, count)| std::iter::repeat_n(relays[slot], count));
            for (&plan, relay) in dealt_to.iter().zip(dealt) {
                plans[plan].parents[orphan] = Some(relay);
                self.load[relay.index()] += 1;
            }
        }
    }

    fn solve(&mut self, source: TorId, objective: Objective) -> Plan {
        let Some(root) = self.root(source) else {
            let parents = vec![None; self.exact.len()];
            return Plan { source, root: None, parents, alone: false, restricted: false };
        };
        let row = self.tables.row(source);
        let tree = |reach: &Reach, reachable: &[bool]| {
            let question = Question { reach, root, row, reachable };
            match objective {
                Objective::FewestChanges => question.fewest_changes(&self.load),
                Objective::FewestHops => question.fewest_hops(&self.load),
            }
        };
        let reachable = self.reached_from(root);
        let (parents, alone) = match &self.alone {
            Some(reach) if reaches_as_much(reach, root, &self.exact, reachable) => {
                (tree(reach, &reach.reached_from(root)), true)
            }
            Some(_) => (self.share_relays(root, tree(&self.exact, reachable), objective), false),
            None => (tree(&self.exact, reachable), false),
        };
        let mut relays: Vec<TorId> = parents.iter().copied().flatten().chain([root]).collect();
        relays.sort_unstable();
        relays.dedup();
        self.count(&relays);
        let restricted = objective == Objective::FewestChanges;
        Plan { source, root: Some(root), parents, alone, restricted }
    }

    /// If groups of one cassette have several relays, lets one relay serve as many of them as possible. No
    /// relay may depend on a group that it serves, and no group may get deeper than the objective allows.
    fn share_relays(&self, root: TorId, mut parents: Parents, objective: Objective) -> Parents {
        let reach = &self.exact;
        for group in 0..reach.len() {
            let Some(relay) = parents[group] else { continue };
            for &sibling in reach.lights(relay) {
                let Some(other) = parents[sibling] else { continue };
                if other == relay || other == root {
                    continue;
                }
                let depth = |group| hops(reach, &parents, Some(root), group);
                let free = match objective {
                    Objective::FewestChanges => !hangs_on(reach, &parents, root, relay, sibling),
                    Objective::FewestHops => depth(group) <= depth(sibling),
                };
                if free {
                    parents[sibling] = Some(relay);
                }
            }
        }
        parents
    }

    fn repair(&self, plan: Plan) -> Repair {
        let Plan { source, root, parents, alone, restricted } = plan;
        let reach = if alone { self.alone.as_ref().unwrap_or(&self.exact) } else { &self.exact };
        let mut relays: Vec<TorId> = parents.iter().copied().flatten().chain(root).collect();
        relays.sort_unstable();
        relays.dedup();
        let mut accept = Vec::new();
        let mut unreachable = Vec::new();
        let mut max_hops = 0;
        let fabric = self.damage.fabric();
        let mut is_relay = FixedBitSet::with_capacity(fabric.tors());
        is_relay.extend(relays.iter().map(|relay| relay.index()));
        for tor in fabric.tor_ids() {
            let group = reach.group_of(tor);
            match group.and_then(|group| Some((group, parents[group]?))) {
                // The source and the stand-in already have the packet.
                None if tor == source || Some(tor) == root => {}
                None => unreachable.push(tor),
                Some((group, from)) => {
                    let senders = fabric.transmitters(fabric.receives_from(tor)).iter();
                    let copies = senders.filter(|&&sender| {
                        is_relay.contains(sender.index()) && self.damage.arrives(sender, tor)
                    });
                    // Applies to copies that return to the source too: it drops one, and must not get a
                    // second.
                    if copies.count() > 1 {
                        accept.push((tor, from));
                    }
                    if tor != source {
                        max_hops = max_hops.max(hops(reach, &parents, root, group));
                    }
                }
            }
        }
        Repair { source, root, relays, accept, unreachable, max_hops, restricted }
    }
}

/// Whether trees with one relay per cassette reach every ToR that any light can reach.
fn reaches_as_much(alone: &Reach, root: TorId, exact: &Reach, reachable: &[bool]) -> bool {
    let from_root = alone.reached_from(root);
    (0..exact.len()).filter(|&group| reachable[group]).all(|group| {
        let receivers = exact.receivers(group).iter();
        receivers.filter_map(|&tor| alone.group_of(tor)).all(|group| from_root[group])
    })
}

/// Whether a relay gets its packets through a group.
fn hangs_on(reach: &Reach, parents: &Parents, root: TorId, relay: TorId, group: Group) -> bool {
    let mut at = relay;
    for _ in 0..=reach.len() {
        if at == root {
            return false;
        }
        match reach.group_of(at) {
            Some(from) if from == group => return true,
            Some(from) => match parents[from] {
                Some(next) => at = next,
                None => return true,
            },
            None => return true,
        }
    }
    true
}

/// Number of hops from the root to a served group.
fn hops(reach: &Reach, parents: &Parents, root: Option<TorId>, group: Group) -> u32 {
    let mut hops = 1;
    let mut at = parents[group];
    while at != root {
        let Some(from) = at.and_then(|relay| reach.group_of(relay)) else { break };
        at = parents[from];
        hops += 1;
    }
    hops
}
