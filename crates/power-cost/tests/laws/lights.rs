//! Optical budgets of a whole plan: rated reach, order, counts, and the final verdict.

use std::num::NonZeroUsize;

use lightloom_power_cost::parts::TransceiverRow;
use lightloom_power_cost::{
    Case, Decided, Fan, Judge, Lights, Optics, Sampling, Verdict, VerdictCounts,
};
use lightloom_units::Length;

use crate::given::{any_length, any_optics, levels, m, optics, plc, seeded};

const ONE: NonZeroUsize = NonZeroUsize::MIN;
const SAMPLING: Sampling = Sampling {
    samples: NonZeroUsize::new(50).expect("not zero"),
    seed: 1,
    percentile: 10.0,
    threads: ONE,
};

/// A transceiver with a large margin, rated for a kilometre.
fn one_kilometre() -> Optics {
    let roomy = levels("roomy", [-1.0, 0.0, -40.0, 20.0]);
    optics(TransceiverRow { reach: Some(m(1_000)), ..roomy }, plc(2))
}

fn lights(optics: &Optics, fans: &[Fan], case: Case) -> Lights<usize> {
    let ends: Vec<usize> = (0..fans.iter().map(|fan| fan.branches.len()).sum()).collect();
    Lights::new(optics, fans, &ends, case, SAMPLING, &mut |_| true)
        .expect("the callback never stops it")
}

fn any_fans(seed: u64) -> Vec<Fan> {
    let mut draws = seeded(seed);
    let mut lengths = || -> Vec<Length> { (0..3).map(|_| any_length(&mut draws)).collect() };
    (0..4).map(|_| Fan { feed: lengths()[0], branches: lengths() }).collect()
}

#[test]
fn a_branch_beyond_the_rated_reach_never_passes() {
    let optics = one_kilometre();
    let judge = Judge::new(&optics);
    let fan = |branch| [Fan { feed: m(400), branches: vec![branch] }];
    for case in Case::ALL {
        for (branch, verdict, beyond) in [
            (m(600), Verdict::Pass, 0),
            (Length::from_um(600_000_001), Verdict::Warn, 1),
            (m(19_600), Verdict::Warn, 1),
        ] {
            let found = lights(&optics, &fan(branch), case);
            assert_eq!(
                (found.verdict(), found.beyond_reach),
                (verdict, beyond),
                "{case:?} {branch}"
            );
            assert_eq!(found.gaps(&optics).len(), beyond);
            if case != Case::MonteCarlo {
                assert_eq!(judge.branch(m(400), branch, case).verdict, verdict);
                assert_eq!(judge.fans(&fan(branch), case)[0].verdict, verdict);
            }
        }
    }
}

/// The reach turns a pass into a warning and changes nothing else.
#[test]
fn the_rated_reach_changes_nothing_but_passes() {
    for seed in 0..200 {
        let free = any_optics(&mut seeded(seed));
        let mut row = TransceiverRow::from(free.transceiver.clone());
        row.reach = Some(m(15_000));
        let rated = Optics { transceiver: row.try_into().unwrap(), ..free.clone() };
        let fans = any_fans(seed);
        for case in Case::ALL {
            let (free, rated) = (lights(&free, &fans, case), lights(&rated, &fans, case));
            for (free, rated) in free.branches.iter().zip(&rated.branches) {
                let mut expected = *free;
                if free.feed + free.branch > m(15_000) {
                    expected.light.verdict = free.light.verdict.max(Verdict::Warn);
                }
                assert_eq!(*rated, expected, "seed {seed}");
            }
        }
    }
}

#[test]
fn the_worst_comes_first_and_every_branch_counts_once() {
    for seed in 0..200 {
        let optics = any_optics(&mut seeded(seed));
        let mut found = lights(&optics, &any_fans(seed), Case::Worst);
        let (verdict, least) = (found.verdict(), found.least(|light| light.margin));
        found.sort();
        assert_eq!(found.branches[0].light.verdict, verdict);
        assert!(found.branches.is_sorted_by(|a, b| a.light.verdict >= b.light.verdict));
        let of_worst = found.branches.iter().filter_map(|lit| lit.light.margin).min();
        assert_eq!(least, of_worst);
        let mut ends: Vec<usize> = found.branches.iter().map(|lit| lit.ends).collect();
        ends.sort_unstable();
        assert!(ends.into_iter().eq(0..12));
        let VerdictCounts { pass, warn, marginal, unknown, fail } = found.count();
        assert_eq!(pass + warn + marginal + unknown + fail, 12);
    }
}

#[test]
fn the_accepted_case_decides_only_where_the_worst_does_not_close() {
    use Verdict::{Fail, Marginal, Pass, Unknown, Warn};
    for worst in [Pass, Warn, Marginal, Unknown, Fail] {
        for accept in [None, Some(Case::Worst), Some(Case::Typical), Some(Case::MonteCarlo)] {
            let assess = |case| -> Result<_, ()> {
                Ok((if case == Case::Worst { worst } else { Pass }, case))
            };
            let found = Decided::new(accept, assess).unwrap();
            let other = accept.filter(|&case| case != Case::Worst && worst >= Unknown);
            assert_eq!((found.worst, found.accepted), (Case::Worst, other));
            assert_eq!(found.by, other.unwrap_or(Case::Worst));
            assert_eq!(found.verdict, if other.is_some() { Pass } else { worst });
        }
    }
}
