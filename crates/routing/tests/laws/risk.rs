//! Losses of groups of parts, and pairs of relays that cut, against the independent checker.

use lightloom_routing::failure::{Damage, Failure};
use lightloom_routing::risk::{GroupLoss, GroupRisk, cutting_pairs};
use lightloom_routing::{Algorithm1, Balanced, RelayTables};
use lightloom_topology::family::Shufflecast;
use lightloom_topology::{Fabric, TorId};
use proptest::prelude::*;

use crate::damaged::{Damaged, Draw, draws, failures};
use crate::fabrics::{any_custom, any_fabric, one_more_hop};

/// The losses of a group, copy by copy and light by light.
fn naive_loss(left: &Damaged<'_>, tables: &RelayTables) -> GroupLoss {
    let tors: Vec<TorId> = left.fabric.tor_ids().collect();
    let mute = |tor: TorId| left.mute[tor.index()];
    let powered = |tor: TorId| !left.dark[tor.index()];
    let others = tors.iter().filter(|&&tor| powered(tor)).count();
    let mut loss = GroupLoss::default();
    for &source in tors.iter().filter(|&&tor| powered(tor)) {
        let live = tors.iter().copied().filter(|&tor| !mute(tor));
        let roots = live.filter(|&root| mute(source) || root == source);
        let held = roots.map(|root| left.held(source, root)).max().unwrap_or(0);
        loss.cut_off += others - 1 - held;
    }
    for &source in &tors {
        if mute(source) {
            loss.failed_sources += 1;
            continue;
        }
        let has_rule = |tor: TorId| !mute(tor) && tables.row(source).contains(&tor);
        let played = left.play(source, source, has_rule, &[]).unwrap();
        let missed =
            |&&tor: &&TorId| tor != source && powered(tor) && played.hops[tor.index()].is_none();
        loss.sources_hit += usize::from(tors.iter().any(|tor| missed(&tor)));
    }
    loss
}

fn check(fabric: &Fabric, tables: &RelayTables, broken: &[Failure]) -> Result<(), TestCaseError> {
    let damage = Damage::new(fabric, broken).unwrap();
    let told = GroupRisk::new(fabric, tables).of(&damage);
    prop_assert_eq!(told, naive_loss(&Damaged::new(fabric, broken), tables), "{:?}", broken);
    Ok(())
}

/// Failures of all branches except those of some ToRs. The fabric then falls into many parts.
fn all_cut_but(fabric: &Fabric, kept: &[Draw]) -> Vec<Failure> {
    let kept: Vec<TorId> = kept.iter().map(|draw| TorId::at(draw.1.index(fabric.tors()))).collect();
    let branches = |from: TorId| {
        let receivers = fabric.receivers(fabric.transmits_into(from)).iter();
        receivers.map(move |&to| Failure::Branch { from, to })
    };
    let cut = fabric.tor_ids().filter(|tor| !kept.contains(tor));
    cut.flat_map(branches).collect()
}

proptest! {
    #[test]
    fn the_loss_of_a_group_is_that_of_every_copy_followed(
        fabric in any_fabric(),
        few in draws(4),
        many in draws(60),
    ) {
        let tables = Balanced::new(&fabric).into_tables();
        check(&fabric, &tables, &failures(&fabric, &few))?;
        check(&fabric, &one_more_hop(&fabric), &failures(&fabric, &many))?;
        let scattered = [all_cut_but(&fabric, &many), failures(&fabric, &few)].concat();
        check(&fabric, &tables, &scattered)?;
    }

    #[test]
    fn so_is_that_of_the_papers_trees((p, k) in (2_u32..=3, 1_u32..=3), broken in draws(20)) {
        let shape = Shufflecast::new(p, k).unwrap();
        let fabric = shape.fabric().unwrap();
        let tables = RelayTables::new(&fabric, &mut Algorithm1::new(shape));
        check(&fabric, &tables, &failures(&fabric, &broken))?;
    }

    #[test]
    fn a_pair_cuts_where_light_cannot_reach_all(fabric in any_custom(5, 2..=3)) {
        // Only one of three ToRs is left, so no other ToR may be dark.
        prop_assume!(fabric.tors() > 3);
        let found = cutting_pairs(&fabric, |_, _| Vec::new());
        prop_assert!(found.exhaustive);
        prop_assert_eq!(found.tried, fabric.tors() * (fabric.tors() - 1) / 2);
        let all: Vec<TorId> = fabric.tor_ids().collect();
        let mut expected = Vec::new();
        for (i, &a) in all.iter().enumerate() {
            for &b in &all[i + 1..] {
                let left = Damaged::new(&fabric, &[Failure::Relay(a), Failure::Relay(b)]);
                let live: Vec<TorId> = all.iter().copied().filter(|&t| t != a && t != b).collect();
                let cut = live.iter().any(|&from| left.held(from, from) + 1 < all.len());
                if cut {
                    expected.push((a, b));
                }
            }
        }
        prop_assert_eq!(found.pairs, expected);
    }
}
