//! What no recovery can restore: a count, without the trees of a recovery.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use fixedbitset::FixedBitSet;
use lightloom_topology::TorId;
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::failure::Damage;
use crate::recovery::reach::Reach;

/// Number of pairs of a source and another ToR, both with power, that no rules can connect over this damage.
/// Equals the ToRs with power in [`Repair::unreachable`](crate::recovery::Repair::unreachable), summed over the
/// sources with power.
///
/// A source without a working transmitter has a stand-in: the ToR whose light reaches most others.
pub fn cut_off(damage: &Damage<'_>) -> usize {
    let fabric = damage.fabric();
    let reach = Reach::exact(damage);
    let components = Components::new(&reach);
    let powered = fabric.tor_ids().filter(|&tor| damage.has_power(tor)).count();
    // ToRs that light the same components reach the same receivers. Mostly there is one component.
    let mut lit_from: BTreeMap<Vec<usize>, Lit> = BTreeMap::new();
    let mut stand_ins = BTreeSet::new();
    let mut total = 0;
    for tor in fabric.tor_ids().filter(|&tor| damage.sends(tor)) {
        let lights = components.of_groups(reach.lights(tor));
        let lit = lit_from.entry(lights.clone()).or_insert_with(|| components.lit(&lights));
        let itself = lit.has(&components, &reach, tor);
        total += powered - 1 - (lit.receivers - usize::from(itself));
        // A stand-in has the packet, whether light returns to it or not.
        stand_ins.insert((Reverse(lit.receivers + usize::from(!itself)), lights));
    }
    for tor in fabric.tor_ids().filter(|&tor| !damage.sends(tor) && damage.has_power(tor)) {
        let mut most = 0;
        for (Reverse(holders), lights) in &stand_ins {
            if *holders <= most {
                break;
            }
            let itself = lit_from[lights].has(&components, &reach, tor);
            most = most.max(holders - usize::from(itself));
        }
        total += powered - 1 - most;
    }
    total
}

/// The strongly connected components of the graph of groups.
struct Components {
    /// Component of each group.
    of: Vec<usize>,
    /// The components that light from each component can reach, including itself.
    reached: Vec<FixedBitSet>,
    /// Number of receivers with power in each component.
    receivers: Vec<usize>,
}

impl Components {
    fn new(reach: &Reach) -> Self {
        let next = |group| {
            let relays = reach.receivers(group).iter();
            relays.flat_map(|&relay| reach.lights(relay)).copied()
        };
        let mut graph: DiGraph<(), (), usize> = DiGraph::with_capacity(reach.len(), reach.len());
        for _ in 0..reach.len() {
            graph.add_node(());
        }
        for group in 0..reach.len() {
            for to in next(group) {
                graph.add_edge(group.into(), to.into(), ());
            }
        }
        // A component comes after all that it leads to.
        let sorted = tarjan_scc(&graph);
        let mut of = vec![0; reach.len()];
        for (component, groups) in sorted.iter().enumerate() {
            for group in groups {
                of[group.index()] = component;
            }
        }
        let mut reached: Vec<FixedBitSet> = Vec::with_capacity(sorted.len());
        for (component, groups) in sorted.iter().enumerate() {
            let mut all = FixedBitSet::with_capacity(sorted.len());
            all.insert(component);
            for to in groups.iter().flat_map(|group| next(group.index())).map(|to| of[to]) {
                if !all.contains(to) {
                    all.union_with(&reached[to]);
                }
            }
            reached.push(all);
        }
        let count = |groups: &Vec<NodeIndex<usize>>| -> usize {
            groups.iter().map(|group| reach.receivers(group.index()).len()).sum()
        };
        Self { of, reached, receivers: sorted.iter().map(count).collect() }
    }

    /// The components of some groups, ascending.
    fn of_groups(&self, groups: &[usize]) -> Vec<usize> {
        let mut components: Vec<usize> = groups.iter().map(|&group| self.of[group]).collect();
        components.sort_unstable();
        components.dedup();
        components
    }

    /// The light of a ToR that lights these components.
    fn lit(&self, lights: &[usize]) -> Lit {
        let mut components = FixedBitSet::with_capacity(self.reached.len());
        for &component in lights {
            components.union_with(&self.reached[component]);
        }
        let receivers = components.ones().map(|component| self.receivers[component]).sum();
        Lit { components, receivers }
    }
}

/// How far light reaches if every ToR relays it.
struct Lit {
    components: FixedBitSet,
    /// Number of receivers with power in them.
    receivers: usize,
}

impl Lit {
    /// Whether the light reaches a ToR.
    fn has(&self, components: &Components, reach: &Reach, tor: TorId) -> bool {
        let group = reach.group_of(tor);
        group.is_some_and(|group| self.components.contains(components.of[group]))
    }
}
