//! The proof of installed rules over damage, and its results: impact and recoveries. All are
//! compared with the independent checker of damaged fabrics.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use lightloom_routing::failure::{Damage, Failure, PartKind, broken_parts};
use lightloom_routing::impact::{Impact, light_map, lost};
use lightloom_routing::recovery::{
    Method, NotForAlgorithm2, NotRecovered, Phase, RecoveryBase, longest_hop,
};
use lightloom_routing::verify::{
    Demand, InstalledRules, Unproved, Violation, verify_all, verify_sample,
};
use lightloom_routing::{Balanced, RelayTables, RouterKind};
use lightloom_topology::{Fabric, TorId};
use lightloom_units::{Length, Span};
use lightloom_watch::{Stopped, Watch};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::damaged::{Damaged, draws, failures};
use crate::fabrics::{any_custom, any_fabric, shufflecast};
use crate::recovery::BOTH;

const HOP: Span = Span::from_us(3);

fn tables(fabric: &Fabric) -> RelayTables {
    Balanced::new(fabric).into_tables()
}

fn base(fabric: &Fabric) -> RecoveryBase<'_> {
    RecoveryBase::new(fabric, RouterKind::Arborescence, Arc::new(tables(fabric)), HOP)
}

fn verified(
    fabric: &Fabric,
    rules: &InstalledRules,
    damage: &Damage<'_>,
    bound: Option<u32>,
) -> Result<u64, Unproved> {
    let demand = Demand { damage, bound, gives_up: false };
    let light = light_map(fabric);
    let proved = verify_all(&light, fabric.fan_out(), rules, &demand, Watch::quiet())?;
    Ok(proved.delivered.copies)
}

/// The ToRs that a source loses with the installed tables, by the independent checker.
fn naive_lost(left: &Damaged<'_>, tables: &RelayTables, source: TorId) -> Vec<TorId> {
    let mut others: Vec<TorId> = left.fabric.tor_ids().filter(|&tor| tor != source).collect();
    let has_rule = |tor: TorId| !left.mute[tor.index()] && tables.row(source).contains(&tor);
    let played = left.play(source, source, has_rule, &[]).unwrap();
    others.retain(|tor| played.hops[tor.index()].is_none());
    others
}

proptest! {
    #[test]
    fn installed_tables_are_proved_and_no_rule_may_be_missing(
        fabric in any_fabric(),
        (relay, rule) in any::<(Index, Index)>(),
    ) {
        let sound = Damage::new(&fabric, &[]).unwrap();
        let mut lists = tables(&fabric).sources_by_relay(&fabric);
        let bound = RouterKind::Arborescence.promised_hops(&fabric, fabric.tor_ids());
        let rules = InstalledRules::of_lists(&lists);
        prop_assert!(verified(&fabric, &rules, &sound, Some(bound)).is_ok());
        let relay = relay.index(fabric.tors());
        let list = &mut lists[relay];
        let source = list.remove(rule.index(list.len()));
        let rules = InstalledRules::of_lists(&lists);
        let found = verified(&fabric, &rules, &sound, Some(bound));
        // The rule of a relay whose only receiver is the source delivers to no other ToR.
        let receivers = fabric.receivers(fabric.transmits_into(TorId::at(relay)));
        if receivers != [source] {
            let is_refused = matches!(found, Err(Unproved::Violation(_)));
            prop_assert!(is_refused, "source {}: {:?}", source, found);
        }
    }

    #[test]
    fn what_a_recovery_answers_is_proved(
        fabric in prop_oneof![any_custom(6, 2..=3), any_fabric()],
        draws in draws(4),
    ) {
        let broken = failures(&fabric, &draws);
        let damage = Damage::new(&fabric, &broken).unwrap();
        for objective in BOTH {
            let recovery = base(&fabric).recover(&broken, Method::Replan(objective)).unwrap();
            prop_assert_eq!(&recovery.violation, &None);
            let (accept, via) = (recovery.answer.accept.clone(), recovery.answer.via.clone());
            let rules = InstalledRules::of_lists(&recovery.lists).with(accept, via);
            let proved = verified(&fabric, &rules, &damage, None);
            prop_assert!(proved.is_ok(), "{:?}", proved);
            // New rules and filters wait once for the packets of the old rules. Deletions wait for nothing.
            let rollout = recovery.rollout.as_ref().unwrap();
            let places = |which: fn(&Phase) -> bool| -> Vec<usize> {
                (0..rollout.phases.len()).filter(|&at| which(&rollout.phases[at])).collect()
            };
            let drains = places(|phase| matches!(phase, Phase::Drain(_)));
            let takes_place = places(|phase| matches!(phase, Phase::Accept(_) | Phase::Add(_)));
            prop_assert_eq!(drains.len(), usize::from(!takes_place.is_empty()));
            prop_assert!(drains.iter().all(|&drain| takes_place.iter().all(|&at| drain < at)));
            let changed: Vec<TorId> = recovery.answer.changes.sources().into_iter().collect();
            prop_assert!(rollout.outage.keys().copied().eq(changed));
        }
    }

    #[test]
    fn impact_is_that_of_the_independent_checker(
        fabric in prop_oneof![any_custom(6, 2..=3), any_fabric()],
        draws in draws(4),
    ) {
        let broken = failures(&fabric, &draws);
        let damage = Damage::new(&fabric, &broken).unwrap();
        let (left, tables) = (Damaged::new(&fabric, &broken), tables(&fabric));
        let rules = InstalledRules::of_lists(&tables.sources_by_relay(&fabric));
        let impact = Impact::new(&damage, &rules).unwrap();
        let mut unaffected = 0;
        for source in fabric.tor_ids() {
            let expected = naive_lost(&left, &tables, source);
            prop_assert_eq!(&lost(&damage, &rules, source).unwrap(), &expected);
            let mute = left.mute[source.index()];
            prop_assert_eq!(impact.failed_sources.contains(&source), mute);
            let counted = impact.lost.get(&source).copied();
            prop_assert_eq!(counted, (!mute).then_some(expected.len()));
            unaffected += usize::from(expected.is_empty());
        }
        prop_assert_eq!(impact.distribution.values().sum::<usize>(), fabric.tors());
        prop_assert_eq!(impact.distribution.get(&0).copied().unwrap_or(0), unaffected);
        let worst = impact.worst(3);
        prop_assert!(worst.is_sorted_by(|a, b| (b.1, a.0) < (a.1, b.0)));
        prop_assert_eq!(worst.first().map_or(0, |w| w.1), impact.lost.values().copied().max().unwrap_or(0));
    }
}

#[test]
fn stopped_work_is_no_proof() {
    let fabric = shufflecast(2, 2);
    let sound = Damage::new(&fabric, &[]).unwrap();
    let rules = InstalledRules::of_lists(&tables(&fabric).sources_by_relay(&fabric));
    let demand = Demand { damage: &sound, bound: None, gives_up: false };
    let (light, stop) = (light_map(&fabric), AtomicBool::new(true));
    let stopped = verify_all(&light, 2, &rules, &demand, Watch::quiet().stopped_by(&stop));
    assert_eq!(stopped, Err(Unproved::Stopped(Stopped)));
    let row = |source| tables(&fabric).row(source).to_vec();
    let stopped = verify_sample(&light, 2, &[TorId(3)], 3, row, Watch::quiet().stopped_by(&stop));
    assert_eq!(stopped, Err(Unproved::Stopped(Stopped)));
}

#[test]
fn a_stand_in_is_demanded_unless_the_source_is_given_up() {
    let fabric = shufflecast(2, 2);
    let damage = Damage::new(&fabric, &[Failure::Relay(TorId(3))]).unwrap();
    let base = base(&fabric);
    let recovery = base.recover(&[Failure::Relay(TorId(3))], Method::Replan(BOTH[0])).unwrap();
    let rules =
        InstalledRules::of_lists(&recovery.lists).with(recovery.answer.accept, BTreeMap::new());
    let light = light_map(&fabric);
    let mut demand = Demand { damage: &damage, bound: None, gives_up: false };
    let found = verify_all(&light, 2, &rules, &demand, Watch::quiet());
    assert_eq!(found, Err(Unproved::Violation(Violation::NoStandIn(TorId(3)))));
    demand.gives_up = true;
    assert_eq!(verify_all(&light, 2, &rules, &demand, Watch::quiet()).unwrap().sources, 7);
}

#[test]
fn algorithm2_takes_failed_relays_of_its_own_tables_only() {
    let fabric = shufflecast(2, 2);
    let refused = |error| Err(NotRecovered::Method(error));
    let found = base(&fabric).recover(&[Failure::Relay(TorId(0))], Method::Algorithm2);
    assert_eq!(found, refused(NotForAlgorithm2::OtherTables));
}

#[test]
fn the_longest_hop_is_two_fibres_and_a_relay() {
    let hop = |length| longest_hop(length, Span::from_ps(4_900), Span::from_us(2));
    assert_eq!(hop(Length::from_m(50)), Span::from_ps(490_000 + 2_000_000));
    // A fraction of a metre counts as a whole metre.
    assert_eq!(hop(Length::from_um(500_001)), Span::from_ps(2 * 4_900 + 2_000_000));
}

#[test]
fn parts_are_broken_at_the_tors_that_hold_them() {
    let fabric = shufflecast(2, 2);
    let cassette = fabric.transmits_into(TorId(5));
    let branch = Failure::Branch {
        from: TorId(0),
        to: fabric.receivers(fabric.transmits_into(TorId(0)))[0],
    };
    let rx = Failure::Receiver { tor: TorId(1), port: 0 };
    let found =
        broken_parts(&fabric, &[rx, Failure::Tor(TorId(1)), branch, Failure::Cassette(cassette)]);
    let mut expected = BTreeMap::from([(TorId(1), vec![PartKind::Receiver, PartKind::Tor])]);
    for &tor in fabric.transmitters(cassette) {
        expected.entry(tor).or_default().push(PartKind::Splitter);
    }
    assert_eq!(found, expected);
}
