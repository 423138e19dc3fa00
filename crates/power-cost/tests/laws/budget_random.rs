//! Laws of budgets over any optics.

use lightloom_power_cost::{Assessment, Case, Fan, Judge, Optics, Spread, Verdict, total};
use lightloom_units::{Db, Length};

use crate::given::{any_length, any_optics, db, inline, m, near, seeded};

const BOTH: [Case; 2] = [Case::Worst, Case::Typical];

/// Any optics with any lengths of feed and branch.
fn ways() -> impl Iterator<Item = (Optics, Length, Length)> {
    (0..2_000).map(|seed| {
        let draws = &mut seeded(seed);
        (any_optics(draws), any_length(draws), any_length(draws))
    })
}

fn at(optics: &Optics, feed: Length, branch: Length, case: Case) -> Assessment {
    Judge::new(optics).branch(feed, branch, case)
}

fn margin(optics: &Optics, feed: Length, branch: Length, case: Case) -> f64 {
    at(optics, feed, branch, case).margin.unwrap().get()
}

#[test]
fn the_worst_is_never_better_than_the_usual() {
    for (optics, feed, branch) in ways() {
        let [worst, usual] = BOTH.map(|case| at(&optics, feed, branch, case));
        let below = |worst: Option<Db>, usual: Option<Db>| {
            worst.is_some() == usual.is_some()
                && worst.zip(usual).is_none_or(|(worst, usual)| worst.get() <= usual.get() + 1e-9)
        };
        assert!(worst.loss.get() >= usual.loss.get() - 1e-9);
        assert!(below(worst.margin, usual.margin), "{worst:?} {usual:?}");
        assert!(below(worst.headroom, usual.headroom), "{worst:?} {usual:?}");
        assert!(worst.verdict >= usual.verdict || worst.margin.is_some_and(|m| m.get() > -1e-9));
        assert!(worst.strongest >= worst.received || worst.strongest.is_none());
    }
}

#[test]
fn a_kilometre_costs_its_attenuation_on_either_side() {
    for (optics, feed, branch) in ways() {
        let fibre = optics.fibre.as_ref();
        let most = fibre.map_or(0.0, |fibre| fibre.attenuation_max.of_one_km().get());
        let usual = fibre.and_then(|fibre| fibre.attenuation_typ);
        let usual = usual.map_or(most, |usual| usual.of_one_km().get());
        for (case, loss) in BOTH.into_iter().zip([most, usual]) {
            let before = margin(&optics, feed, branch, case);
            assert!(near(before - margin(&optics, feed + m(1000), branch, case), loss));
            assert!(near(before - margin(&optics, feed, branch + m(1000), case), loss));
            assert!(before >= margin(&optics, feed, branch + Length::from_um(1), case));
        }
        // The strongest light is computed without fibre, so a length does not change it.
        let strongest = |branch| at(&optics, feed, branch, Case::Worst).strongest;
        assert_eq!(strongest(branch), strongest(Length::ZERO));
    }
}

#[test]
fn a_joint_more_costs_its_loss_on_either_side() {
    type Change = fn(&mut Optics);
    let splices: [Change; 2] = [|o| o.feed.splices += 1, |o| o.branch.splices += 1];
    let panels: [Change; 2] = [|o| o.feed.panels += 1, |o| o.branch.panels += 1];
    for (optics, feed, branch) in ways() {
        for (changes, joint) in [(splices, &optics.splice), (panels, &optics.panel)] {
            let most = joint.as_ref().map_or(0.0, |joint| joint.loss_max.get());
            let usual = joint.as_ref().and_then(|joint| joint.loss_typ).map_or(most, Db::get);
            for change in changes {
                let mut more = optics.clone();
                change(&mut more);
                for (case, loss) in BOTH.into_iter().zip([most, usual]) {
                    let before = margin(&optics, feed, branch, case);
                    assert!(near(before - margin(&more, feed, branch, case), loss));
                }
            }
        }
    }
}

#[test]
fn an_amplifier_adds_to_the_margin_and_takes_from_the_headroom() {
    for (optics, feed, branch) in ways() {
        let amplifier = || inline(-5.0, Some(-4.0), -2.0).try_into().unwrap();
        let (mut before_splitter, mut behind_it) = (optics.clone(), optics.clone());
        before_splitter.feed.inline.push(amplifier());
        behind_it.branch.inline.push(amplifier());
        for with in [before_splitter, behind_it] {
            for (case, gains) in BOTH.into_iter().zip([(2.0, 5.0), (4.0, 4.0)]) {
                let [old, new] = [&optics, &with].map(|optics| at(optics, feed, branch, case));
                assert!(near((new.margin.unwrap() - old.margin.unwrap()).get(), gains.0));
                let headroom = old.headroom.zip(new.headroom);
                assert!(headroom.is_none_or(|(old, new)| near((old - new).get(), gains.1)));
            }
        }
    }
}

#[test]
fn the_parts_of_the_way_add_up_and_stand_in_its_order() {
    for (optics, feed, branch) in ways() {
        let way = [optics.feed(feed), optics.branch(branch)].concat();
        for (case, value) in BOTH
            .into_iter()
            .zip([(|loss: Spread| loss.most) as fn(Spread) -> Db, |loss| loss.typical])
        {
            let sum: f64 = way.iter().map(|element| value(element.loss).get()).sum();
            assert!(near(at(&optics, feed, branch, case).loss.get(), sum));
        }
        assert!(
            way.iter().all(|e| e.loss.least <= e.loss.typical && e.loss.typical <= e.loss.most)
        );
        let whole = total(&optics.feed(feed)) + total(&optics.branch(branch));
        assert!(whole.least <= whole.typical && whole.typical <= whole.most);
    }
}

#[test]
fn verdicts_say_what_the_numbers_say() {
    let mut seen = [0; 5];
    for (mut optics, feed, branch) in ways() {
        optics.least_margin = db(3.0);
        for case in BOTH {
            let found = at(&optics, feed, branch, case);
            let negative = |ratio: Option<Db>| ratio.is_some_and(|ratio| ratio < Db::ZERO);
            let fails = negative(found.margin) || negative(found.headroom);
            assert_eq!(found.verdict == Verdict::Fail, fails, "{found:?}");
            if found.verdict == Verdict::Pass {
                assert!(found.margin >= Some(db(3.0)) && optics.gaps().is_empty(), "{found:?}");
                assert!(found.headroom >= Some(optics.least_headroom));
            }
            seen[found.verdict as usize] += 1;
        }
    }
    let [pass, warn, marginal, unknown, fail] = seen;
    assert!(pass > 10 && warn > 20 && marginal > 20 && fail > 50 && unknown == 0, "{seen:?}");
}

#[test]
fn fans_are_their_branches_in_order() {
    for (optics, feed, branch) in ways().take(200) {
        let judge = Judge::new(&optics);
        let fan = |feed| Fan { feed, branches: vec![branch, feed, Length::ZERO] };
        let fans = [fan(feed), Fan { feed: branch, branches: Vec::new() }, fan(m(7))];
        let ways = fans.iter().flat_map(|fan| fan.branches.iter().map(|&to| (fan.feed, to)));
        for case in BOTH {
            let one_by_one = ways.clone().map(|(feed, to)| judge.branch(feed, to, case));
            assert!(judge.fans(&fans, case).into_iter().eq(one_by_one));
        }
    }
}
