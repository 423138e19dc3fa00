//! Exact recovery from any set of failures.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use lightloom_topology::TorId;
use lightloom_units::named_enum;

use crate::arborescence::level::{Class, level_from};
use crate::failure::Damage;
use crate::recovery::reach::{Group, Reach};
use crate::recovery::solve::{Parents, Question};
use crate::tables::RelayTables;

named_enum! {
    /// What a recovery is to keep small.
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum Objective {
        /// Rules that change.
        FewestChanges = "fewest-changes",
        /// Hops.
        FewestHops = "fewest-hops",
    }
}

/// How one source reaches everyone again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repair {
    /// The source.
    pub source: TorId,
    /// Who transmits first: the source, or a stand-in when its own transmitter is dead; none when
    /// the source has no power or nobody transmits any more.
    pub root: Option<TorId>,
    /// Who has a rule for the source, the root included, ascending.
    pub relays: Vec<TorId>,
    /// ToRs that light more than one relay's copy reaches, and the relay whose copy they take.
    pub accept: Vec<(TorId, TorId)>,
    /// Other ToRs that no wiring can reach, ascending.
    pub unreachable: Vec<TorId>,
    /// Hops to the farthest other ToR that is reached.
    pub max_hops: u32,
    /// With fewest changes: not every live relay into the cassette would have done, so this source
    /// may burden a relay beyond an even share.
    pub restricted: bool,
}

/// Repairs every source whose installed tree the damage touches, in source order; all others keep
/// their rules. `tables` are the installed ones.
pub fn replan(damage: &Damage<'_>, tables: &RelayTables, objective: Objective) -> Vec<Repair> {
    Replan::new(damage, tables).run(objective)
}

struct Replan<'a> {
    damage: &'a Damage<'a>,
    tables: &'a RelayTables,
    exact: Reach,
    /// Trees with one relay a cassette; the same as `exact` unless branches are out.
    alone: Option<Reach>,
    /// What each ToR's light reaches, in groups of `exact`, once asked.
    reached: Vec<OnceCell<Vec<bool>>>,
    /// Sources that each ToR relays: those that stay, and those repaired so far.
    load: Vec<u32>,
}

/// A source and what is known of its repair.
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

    /// The source, or the stand-in for a dead transmitter: the live ToR that reaches most, a mirror of
    /// the source before others, then the least loaded.
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

    /// How many ToRs but the source hold its packet when a stand-in transmits it.
    fn holders(&self, source: TorId, root: TorId) -> usize {
        let reached = self.reached_from(root);
        let lit = |tor: TorId| self.exact.group_of(tor).is_some_and(|group| reached[group]);
        let groups = (0..reached.len()).filter(|&group| reached[group]);
        let receivers: usize = groups.map(|group| self.exact.receivers(group).len()).sum();
        receivers + usize::from(!lit(root)) - usize::from(lit(source))
    }

    /// The commonest case, left open so that sources can be dealt out evenly: one group hangs in the
    /// air, and any of several relays brings it back.
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
        // The relay of the orphan is counted when it is dealt.
        let kept: Vec<TorId> =
            (0..parents.len()).filter(|&g| g != orphan).filter_map(|g| parents[g]).collect();
        self.count(&kept);
        let restricted = candidates.len() < self.exact.senders(orphan).len();
        let plan = Plan { source, root: Some(source), parents, alone: false, restricted };
        Some((plan, orphan, candidates))
    }

    /// Deals sources out to the relays that may serve an orphan, on top of what those carry.
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

    /// Where groups of one cassette have several relays, lets one of them serve all that it can
    /// without hanging a relay on what it serves, nor anything deeper than the objective allows.
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
        for tor in fabric.tor_ids() {
            let group = reach.group_of(tor);
            match group.and_then(|group| Some((group, parents[group]?))) {
                // The source and the stand-in have the packet.
                None if tor == source || Some(tor) == root => {}
                None => unreachable.push(tor),
                Some((group, from)) => {
                    let senders = fabric.transmitters(fabric.receives_from(tor)).iter();
                    let copies = senders.filter(|&&sender| {
                        relays.binary_search(&sender).is_ok() && self.damage.arrives(sender, tor)
                    });
                    // The source's own copies too: it drops one, and should see no second.
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

/// Whether trees with one relay a cassette reach all ToRs that any light can.
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

/// Hops from the root to a served group.
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
