//! The verifier detects and names every single error in correct rules or wires.

use lightloom_routing::verify::{LightMap, Replay, Violation};
use lightloom_routing::{Balanced, RelayTables, Rotated};
use lightloom_topology::{Fabric, TorId};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::check::{distances, fibres};
use crate::fabrics::{any_busy_fabric, one_more_hop};

/// A correct fabric: wires, rules, and the tightest bound.
#[derive(Debug, Clone)]
struct Plan {
    fabric: Fabric,
    fibres: Vec<(TorId, TorId)>,
    /// `rules[source][tor]`.
    rules: Vec<Vec<bool>>,
}

impl Plan {
    fn new(fabric: Fabric, router: u8) -> Self {
        let tables = match router {
            0 => Balanced::new(&fabric).into_tables(),
            1 => RelayTables::new(&fabric, &mut Rotated::new(&fabric)),
            _ => one_more_hop(&fabric),
        };
        let of = |s| fabric.tor_ids().map(|t| tables.row(s).contains(&t)).collect();
        let rules = fabric.tor_ids().map(of).collect();
        Self { fibres: fibres(&fabric), fabric, rules }
    }

    fn replay(&self, source: TorId, bound: u32) -> Result<(), Violation> {
        let wiring = LightMap::new(self.fabric.tors(), self.fibres.iter().copied());
        let has_rule = |tor: TorId| self.rules[source.index()][tor.index()];
        Replay::new(&wiring).source(source, bound, has_rule).map(|_| ())
    }

    fn without_bound(&self, source: TorId) -> Result<(), Violation> {
        self.replay(source, u32::MAX)
    }

    fn all_sources(&self) -> Result<(), Violation> {
        self.fabric.tor_ids().try_for_each(|source| self.without_bound(source))
    }

    /// A source, and a ToR with or without a rule for it.
    fn pick(&self, source: Index, tor: Index, has_rule: bool) -> (TorId, TorId) {
        let source = TorId::at(source.index(self.fabric.tors()));
        let rules = &self.rules[source.index()];
        let wanted = |t: &TorId| *t != source && rules[t.index()] == has_rule;
        let candidates: Vec<TorId> = self.fabric.tor_ids().filter(wanted).collect();
        (source, if candidates.is_empty() { source } else { *tor.get(&candidates) })
    }
}

fn any_plan() -> impl Strategy<Value = Plan> {
    (any_busy_fabric(), 0_u8..3).prop_map(|(fabric, router)| Plan::new(fabric, router))
}

proptest! {
    #[test]
    fn sound_plans_pass(plan in any_plan()) {
        prop_assert_eq!(plan.all_sources(), Ok(()));
    }

    #[test]
    fn a_missing_rule_leaves_somebody_without(plan in any_plan(), s in any::<Index>(), t in any::<Index>()) {
        let mut plan = plan;
        let (source, relay) = plan.pick(s, t, true);
        prop_assume!(relay != source);
        plan.rules[source.index()][relay.index()] = false;
        let fault = plan.without_bound(source).unwrap_err();
        prop_assert!(matches!(fault, Violation::NoCopy { source_tor, .. } if source_tor == source), "{fault}");
    }

    #[test]
    fn a_rule_too_many_makes_a_second_copy(plan in any_plan(), s in any::<Index>(), t in any::<Index>()) {
        let mut plan = plan;
        let (source, extra) = plan.pick(s, t, false);
        prop_assume!(extra != source);
        plan.rules[source.index()][extra.index()] = true;
        let fault = plan.without_bound(source).unwrap_err();
        let (tor, relay) = match fault {
            Violation::SecondCopy { source_tor, tor, relay } | Violation::Loop { source_tor, tor, relay } => {
                prop_assert_eq!(source_tor, source);
                (tor, relay)
            }
            other => panic!("{other}"),
        };
        // The two ToRs that now feed one cassette: the additional one, and the original one.
        let cassette = plan.fabric.transmits_into(extra);
        prop_assert_eq!(plan.fabric.transmits_into(relay), cassette);
        prop_assert_eq!(plan.fabric.receives_from(tor), cassette);
    }

    #[test]
    fn a_source_without_its_own_rule_is_not_admitted(plan in any_plan(), s in any::<Index>()) {
        let mut plan = plan;
        let source = TorId::at(s.index(plan.fabric.tors()));
        plan.rules[source.index()][source.index()] = false;
        prop_assert_eq!(plan.without_bound(source), Err(Violation::NotAdmitted(source)));
    }

    #[test]
    fn a_dropped_fibre_cuts_its_receiver_off(plan in any_plan(), f in any::<Index>()) {
        let mut plan = plan;
        let i = f.index(plan.fibres.len());
        let (from, to) = plan.fibres.remove(i);
        // The transmitter's own stream needs the fibre, except for the copy that returns to itself.
        if from == to {
            prop_assert_eq!(plan.without_bound(from), Ok(()));
        } else {
            let fault = plan.without_bound(from).unwrap_err();
            prop_assert!(matches!(fault, Violation::NoCopy { source_tor, .. } if source_tor == from), "{fault}");
        }
        let wires = LightMap::new(plan.fabric.tors(), plan.fibres.iter().copied());
        prop_assert!(wires.check(plan.fabric.fan_out()).is_err());
    }

    #[test]
    fn a_doubled_fibre_brings_a_second_copy(plan in any_plan(), f in any::<Index>()) {
        let mut plan = plan;
        let (from, to) = *f.get(&plan.fibres);
        plan.fibres.push((from, to));
        let fault = plan.without_bound(from).unwrap_err();
        let second = Violation::SecondCopy { source_tor: from, tor: to, relay: from };
        // The source's fibre back to itself carries a returning copy.
        prop_assert!(fault == second || from == to, "{fault}");
        let wires = LightMap::new(plan.fabric.tors(), plan.fibres.iter().copied());
        let fault = wires.check(plan.fabric.fan_out()).unwrap_err();
        prop_assert!(matches!(fault, Violation::Splitter { tor, .. } if tor == from), "{fault}");
    }

    #[test]
    fn two_swapped_receivers_are_noticed(plan in any_plan(), f in any::<Index>(), g in any::<Index>()) {
        let mut plan = plan;
        let (i, j) = (f.index(plan.fibres.len()), g.index(plan.fibres.len()));
        let (a, b) = (plan.fibres[i], plan.fibres[j]);
        prop_assume!(a.0 != b.0 && a.1 != b.1);
        (plan.fibres[i].1, plan.fibres[j].1) = (b.1, a.1);
        let wires = LightMap::new(plan.fabric.tors(), plan.fibres.iter().copied());
        prop_assert!(wires.check(plan.fabric.fan_out()).is_err());
    }

    #[test]
    fn a_bound_that_is_one_hop_short_is_too_deep(fabric in any_busy_fabric(), s in any::<Index>()) {
        let plan = Plan::new(fabric, 0);
        let source = TorId::at(s.index(plan.fabric.tors()));
        let from_root = &distances(&plan.fabric)[plan.fabric.transmits_into(source).index()];
        let others = plan.fabric.tor_ids().filter(|&t| t != source);
        let hops = |t: TorId| from_root[plan.fabric.receives_from(t).index()] + 1;
        let deepest = others.map(hops).max().unwrap();
        prop_assert_eq!(plan.replay(source, deepest), Ok(()));
        let fault = plan.replay(source, deepest - 1).unwrap_err();
        prop_assert!(matches!(
            fault,
            Violation::TooDeep { source_tor, tor, hops: found, bound }
                if source_tor == source && found == hops(tor) && found == deepest && bound + 1 == deepest
        ), "{fault}");
    }
}
