//! Exact recovery from random failures of every kind in all families, and the rollout of its changes: no
//! order of rules causes a second copy.

use lightloom_routing::failure::{Damage, Failure};
use lightloom_routing::recovery::{Changes, Objective, Repair, replan};
use lightloom_routing::verify::{Hardware, Replay};
use lightloom_routing::{Algorithm1, Balanced, RelayTables, Rotated};
use lightloom_topology::family::Shufflecast;
use lightloom_topology::{Fabric, TorId};
use proptest::prelude::*;
use rand::RngExt;

use crate::check::wiring;
use crate::damaged::{Damaged, draws, failures};
use crate::fabrics::{any_custom, any_fabric, one_more_hop, seeded};
use crate::recovery::BOTH;

fn any_damaged() -> impl Strategy<Value = Fabric> {
    prop_oneof![any_custom(5, 2..=3), any_custom(12, 2..=4), any_fabric()]
}

fn tables_of(fabric: &Fabric, router: u8) -> RelayTables {
    match router {
        0 => Balanced::new(fabric).into_tables(),
        1 => RelayTables::new(fabric, &mut Rotated::new(fabric)),
        _ => one_more_hop(fabric),
    }
}

/// The expected hops of a repair: with one relay per cassette if that reaches as much, otherwise with any
/// number of relays.
fn fewest(left: &Damaged<'_>, repair: &Repair) -> u32 {
    let Some(root) = repair.root else { return 0 };
    let others = || left.fabric.tor_ids().filter(|&t| t != repair.source);
    let all = left.fewest_hops(root, |_| true);
    let full = left.fewest_hops(root, |t| left.lights_all(t));
    let due = |t: TorId| all[t.index()].is_some();
    let enough =
        left.lights_all(root) && left.fabric.tor_ids().all(|t| full[t.index()].is_some() == due(t));
    let hops = if enough { &full } else { &all };
    others().filter_map(|t| hops[t.index()]).max().unwrap_or(0)
}

/// A repair over damaged parts, as the verifier sees it.
struct New<'a> {
    damage: &'a Damage<'a>,
    repair: &'a Repair,
}

impl Hardware for New<'_> {
    fn has_rule(&self, tor: TorId) -> bool {
        self.repair.relays.contains(&tor)
    }

    fn arrives(&self, from: TorId, to: TorId) -> bool {
        self.damage.arrives(from, to)
    }

    fn accepts(&self, tor: TorId, from: TorId) -> bool {
        !self.repair.accept.iter().any(|a| a.0 == tor && a.1 != from)
    }
}

/// Lists of sources by relay, read back as a row of rules for one source.
fn rules(lists: &[Vec<TorId>], source: TorId) -> Vec<bool> {
    lists.iter().map(|sources| sources.binary_search(&source).is_ok()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]
    #[test]
    fn whatever_light_can_reach_is_restored(
        fabric in any_damaged(),
        router in 0_u8..3,
        draws in draws(6),
    ) {
        let broken = failures(&fabric, &draws);
        let tables = tables_of(&fabric, router);
        let damage = Damage::new(&fabric, &broken).unwrap();
        let left = Damaged::new(&fabric, &broken);
        let wiring = wiring(&fabric);
        let mut replay = Replay::new(&wiring);
        for objective in BOTH {
            let repairs = replan(&damage, &tables, objective);
            prop_assert!(repairs.is_sorted_by(|a, b| a.source < b.source));
            let mut next = repairs.iter().peekable();
            for source in fabric.tor_ids() {
                let row = tables.row(source);
                if let Some(repair) = next.next_if(|r| r.source == source) {
                    let harmed = row.iter().any(|&t| !left.lights_all(t) || left.mute[t.index()]);
                    prop_assert!(harmed, "{:?}", repair);
                    left.check(repair).map_err(TestCaseError::fail)?;
                    if let Some(root) = repair.root {
                        replay.follow(source, root, &New { damage: &damage, repair }).unwrap();
                        let late = |t: &TorId| *t != source && replay.hops(*t) > Some(repair.max_hops);
                        let lost = |t: &TorId| *t != root && replay.hops(*t).is_none();
                        let others = fabric.tor_ids().filter(|&t| t != source);
                        prop_assert!(others.filter(lost).eq(repair.unreachable.iter().copied()));
                        prop_assert_eq!(fabric.tor_ids().find(late), None);
                    }
                    if objective == Objective::FewestHops {
                        prop_assert_eq!(repair.max_hops, fewest(&left, repair), "{:?}", repair);
                    }
                } else {
                    // Nothing was repaired, and nothing needs a repair.
                    let played = left.play(source, source, |t| row.contains(&t), &[]).unwrap();
                    for tor in fabric.tor_ids().filter(|&t| t != source) {
                        let lost = played.hops[tor.index()].is_none();
                        prop_assert_eq!(lost, left.dark[tor.index()], "{}: {}", source, tor);
                    }
                }
            }
            prop_assert_eq!(next.next(), None);
        }
    }

    #[test]
    fn no_order_of_the_rollout_makes_a_second_copy(
        fabric in any_damaged(),
        router in 0_u8..3,
        draws in draws(6),
        hops_first in any::<bool>(),
        seed in any::<u32>(),
    ) {
        let broken = failures(&fabric, &draws);
        let tables = tables_of(&fabric, router);
        let damage = Damage::new(&fabric, &broken).unwrap();
        let left = Damaged::new(&fabric, &broken);
        let repairs = replan(&damage, &tables, BOTH[usize::from(hops_first)]);
        let changes = Changes::of_repairs(&tables, &repairs);
        let before = tables.sources_by_relay(&fabric);
        let mut between = before.clone();
        changes.apply_deletes(&mut between);
        let mut after = before.clone();
        changes.apply(&mut after);
        let mut back = after.clone();
        changes.undone().apply(&mut back);
        prop_assert_eq!(&back, &before);
        let mut coin = seeded(seed);
        let mut repaired = repairs.iter().peekable();
        for source in fabric.tor_ids() {
            let [old, kept, new] = [&before, &between, &after].map(|lists| rules(lists, source));
            let Some(repair) = repaired.next_if(|r| r.source == source) else {
                prop_assert!(old == kept && old == new && !changes.sources().contains(&source));
                continue;
            };
            let listed = |t: TorId| repair.relays.binary_search(&t).is_ok();
            prop_assert!(fabric.tor_ids().all(|t| new[t.index()] == listed(t)));
            let roots: Vec<TorId> = repair.root.into_iter().chain([source]).collect();
            for _ in 0..4 {
                let draw: Vec<bool> = old.iter().map(|_| coin.random_bool(0.5)).collect();
                let deleting = |t: TorId| old[t.index()] && (kept[t.index()] || draw[t.index()]);
                let adding = |t: TorId| kept[t.index()] || (new[t.index()] && draw[t.index()]);
                for &root in &roots {
                    for played in [
                        left.play(source, root, deleting, &[]),
                        left.play(source, root, |t| kept[t.index()], &[]),
                        left.play(source, root, |t| kept[t.index()], &repair.accept),
                        left.play(source, root, adding, &repair.accept),
                    ] {
                        prop_assert!(played.is_ok(), "{:?}, {:?}", played.err(), repair);
                    }
                }
            }
        }
    }
}

#[test]
fn every_three_parts_of_2_2_is_recovered() {
    let shape = Shufflecast::new(2, 2).unwrap();
    let fabric = shape.fabric().unwrap();
    let tables = RelayTables::new(&fabric, &mut Algorithm1::new(shape));
    let mut parts: Vec<Failure> = fabric.cassette_ids().map(Failure::Cassette).collect();
    for tor in fabric.tor_ids() {
        parts.extend([Failure::Relay(tor), Failure::Tor(tor)]);
        parts.extend((0..2).map(|port| Failure::Receiver { tor, port }));
        parts.extend(shape.successors(tor).map(|to| Failure::Branch { from: tor, to }));
    }
    for &a in &parts {
        for &b in &parts {
            for &c in &parts {
                let broken = [a, b, c];
                let damage = Damage::new(&fabric, &broken).unwrap();
                let left = Damaged::new(&fabric, &broken);
                for objective in BOTH {
                    for repair in replan(&damage, &tables, objective) {
                        left.check(&repair).unwrap();
                    }
                }
            }
        }
    }
}
