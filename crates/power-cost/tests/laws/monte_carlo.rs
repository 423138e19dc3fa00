//! Monte Carlo budgets: comparisons, and the values that they depend on.

use std::num::NonZeroUsize;

use lightloom_power_cost::parts::Modulation;
use lightloom_power_cost::{Case, Fan, Judge, Optics, Sampled, Sampling, Verdict, sample};
use lightloom_units::Db;
use rand::RngExt;

use crate::given::{
    any_length, any_optics, bare, best_case, db, dbm, inline, levels, m, near, nothing_known,
    seeded, splitter, tenths,
};

pub fn draw(optics: &Optics, fans: &[Fan], samples: usize, percentile: f64) -> Sampled {
    with_threads(optics, fans, samples, percentile, 1, 1)
}

pub fn with_threads(
    optics: &Optics,
    fans: &[Fan],
    samples: usize,
    percentile: f64,
    seed: u64,
    threads: usize,
) -> Sampled {
    let [samples, threads] = [samples, threads].map(|n| NonZeroUsize::new(n).unwrap());
    let sampling = Sampling { samples, seed, percentile, threads };
    sample(&Judge::new(optics), fans, sampling, &mut |_| true).expect("the callback never stops it")
}

/// Fans of up to four branches.
fn any_fans(seed: u64, fans: usize) -> Vec<Fan> {
    let draws = &mut seeded(seed);
    let mut fan = || {
        let branches = (0..draws.random_range(0..5)).map(|_| any_length(draws)).collect();
        Fan { feed: any_length(draws), branches }
    };
    (0..fans).map(|_| fan()).collect()
}

pub fn fans(fans: usize, branches: usize) -> Vec<Fan> {
    vec![Fan { feed: m(5), branches: vec![m(5); branches] }; fans]
}

#[test]
fn threads_do_not_change_the_answer() {
    // More than two batches of 64 transmitters per thread, and less than one.
    for (seed, count) in [(1, 300), (2, 65), (3, 5), (4, 0)] {
        let (optics, fans) = (any_optics(&mut seeded(seed)), any_fans(seed, count));
        let one = with_threads(&optics, &fans, 20, 5.0, seed, 1);
        for threads in [2, 3, 7, 16] {
            let more = with_threads(&optics, &fans, 20, 5.0, seed, threads);
            assert_eq!(one, more, "{threads} threads, {count} transmitters");
        }
        let branches: usize = fans.iter().map(|fan| fan.branches.len()).sum();
        assert_eq!((one.branches.len(), one.failing.len()), (branches, branches));
    }
}

#[test]
fn a_seed_is_an_answer_and_another_seed_another() {
    let (optics, fans) = (any_optics(&mut seeded(1)), any_fans(1, 20));
    let with = |seed| with_threads(&optics, &fans, 100, 5.0, seed, 2);
    assert_eq!(with(7), with(7));
    assert_ne!(with(7).branches, with(8).branches);
}

#[test]
fn other_transmitters_do_not_matter() {
    let (optics, fans) = (any_optics(&mut seeded(1)), any_fans(1, 150));
    let all = draw(&optics, &fans, 50, 5.0);
    for count in [1, 63, 64, 65, 100] {
        let first = draw(&optics, &fans[..count], 50, 5.0);
        assert_eq!(first.branches, all.branches[..first.branches.len()], "{count}");
        assert!(first.fabric.closing.unwrap().all_close >= all.fabric.closing.unwrap().all_close);
    }
    let mut changed = fans;
    changed[0].feed = m(9_999);
    let others = draw(&optics, &changed, 50, 5.0);
    let own = changed[0].branches.len();
    assert_eq!(others.branches[own..], all.branches[own..]);
}

#[test]
fn progress_tells_of_all_transmitters_in_order() {
    let (optics, fans) = (any_optics(&mut seeded(1)), any_fans(1, 300));
    for threads in [1, 2, 7] {
        let threads = NonZeroUsize::new(threads).unwrap();
        let sampling = Sampling { samples: NonZeroUsize::MIN, seed: 1, percentile: 5.0, threads };
        let mut told = Vec::new();
        sample(&Judge::new(&optics), &fans, sampling, &mut |done| {
            told.push(done);
            true
        })
        .expect("the callback never stops it");
        assert!(told.is_sorted() && told.last() == Some(&300), "{told:?}");
    }
}

#[test]
fn a_percentile_lies_between_the_bounds_of_the_worst_case() {
    for seed in 0..300 {
        let (optics, fans) = (any_optics(&mut seeded(seed)), any_fans(seed, 3));
        let judge = Judge::new(&optics);
        let worst = judge.fans(&fans, Case::Worst);
        for percentile in [0.1, 5.0, 20.0, 50.0] {
            let found = draw(&optics, &fans, 50, percentile).branches;
            for (found, worst) in found.iter().zip(&worst) {
                let below = |a: f64, b: f64| a <= b + 1e-9;
                assert!(below(found.loss.get(), worst.loss.get()));
                let (received, least) = (found.received.unwrap(), worst.received.unwrap());
                assert!(below(least.get(), received.get()));
                assert!(below(worst.margin.unwrap().get(), found.margin.unwrap().get()));
                assert_eq!(found.headroom.is_some(), worst.headroom.is_some());
                if let (Some(worst), Some(found)) = (worst.strongest, found.strongest) {
                    assert!(below(found.get(), worst.get()) && below(received.get(), worst.get()));
                }
            }
        }
    }
}

#[test]
fn a_higher_percentile_is_a_milder_view() {
    let (optics, fans) = (any_optics(&mut seeded(4)), any_fans(4, 10));
    let at = |percentile| draw(&optics, &fans, 100, percentile).branches;
    let ladder = [0.5, 1.0, 3.0, 5.0, 10.0, 20.0, 50.0].map(at);
    for pair in ladder.windows(2) {
        for (low, high) in pair[0].iter().zip(&pair[1]) {
            assert!(low.margin <= high.margin && low.loss >= high.loss);
            assert!(low.headroom <= high.headroom && low.received <= high.received);
        }
    }
    assert_ne!(ladder[0], ladder[6]);
}

/// Splitters of exactly 3 dB per halving, joints and fibre without loss, and inline parts with exact losses:
/// there is nothing to draw.
fn without_spread(seed: u64, unit: f64) -> Optics {
    let draws = &mut seeded(seed);
    let mut whole = |from, to| tenths(draws, from, to) * 10.0 * unit;
    let launch = whole(-40, 40);
    let sensitivity = whole(-240, -80);
    let overload = sensitivity + whole(0, 200);
    let halvings = seeded(seed).random_range(1..=5_i32);
    let row = splitter(1 << halvings, 3.0 * f64::from(halvings));
    let mut optics = bare(levels("exact", [launch, launch, sensitivity, overload]), row);
    let mut exact = || {
        let loss = whole(-30, 60);
        inline(loss, None, loss).try_into().unwrap()
    };
    optics.feed.inline.extend([exact(), exact()]);
    optics.branch.inline.extend([exact(), exact()]);
    (optics.penalty, optics.ageing) = (db(whole(0, 8)), db(whole(0, 16)));
    optics
}

#[test]
fn what_does_not_spread_is_exactly_the_usual_and_the_worst() {
    let fans = any_fans(1, 5);
    // In eighths of a decibel, so that every sum is exact.
    for optics in (0..300).map(|seed| without_spread(seed, 0.125)) {
        let judge = Judge::new(&optics);
        let usual = judge.fans(&fans, Case::Typical);
        assert_eq!(usual, judge.fans(&fans, Case::Worst));
        let found = draw(&optics, &fans, 7, 5.0);
        assert_eq!(found.branches, usual);
        let fails = |branch: &lightloom_power_cost::Assessment| branch.verdict == Verdict::Fail;
        let failing = usual.iter().map(|branch| if fails(branch) { 1.0 } else { 0.0 });
        assert!(found.failing.iter().copied().eq(failing));
        assert!(near(
            found.fabric.closing.unwrap().all_close,
            if usual.iter().any(fails) { 0.0 } else { 1.0 }
        ));
    }
}

/// Average power leaves 20 dB for the 3 dB of the splitter and 0.5 dB in reserve, amplitude 2.875 dB.
#[test]
fn draws_fail_by_amplitude_too() {
    let mut row = levels("pam4", [0.0, 0.0, -20.0, 20.0]);
    row.modulation = Modulation::Pam4;
    (row.oma_minus_tdecq_min, row.sensitivity_oma_minus_secq) =
        (Some(dbm(-1.0)), Some(dbm(-3.875)));
    // The transmitter's penalty is within its TDECQ and does not count again.
    row.penalty = Some(db(0.25));
    let with_ageing = |row| Optics { ageing: db(0.5), ..bare(row, splitter(2, 3.0)) };
    let dim = with_ageing(row.clone());
    let found = draw(&dim, &fans(1, 1), 10, 50.0);
    assert_eq!(found.branches, Judge::new(&dim).fans(&fans(1, 1), Case::Worst));
    assert!(near(found.branches[0].margin.unwrap().get(), -0.625));
    assert_eq!((found.failing[0], found.fabric.closing.unwrap().all_close), (1.0, 0.0));
    // Half a decibel too little, only because of the reserve.
    row.oma_minus_tdecq_min = Some(dbm(-0.875));
    let dim = with_ageing(row.clone());
    assert_eq!(draw(&dim, &fans(1, 1), 10, 50.0).failing, [1.0]);
    (row.oma_minus_tdecq_min, row.sensitivity_oma_minus_secq) = (None, None);
    let found = draw(&with_ageing(row), &fans(1, 1), 10, 50.0);
    assert!(near(found.branches[0].margin.unwrap().get(), 16.25));
}

/// In tenths of a decibel, as in data sheets, many margins are exactly zero.
#[test]
fn draws_that_are_all_alike_fail_with_their_verdict() {
    let fans = fans(1, 1);
    let mut on_the_edge = 0;
    for optics in (0..4_000).map(|seed| without_spread(seed, 0.1)) {
        let found = draw(&optics, &fans, 1, 50.0);
        let branch = found.branches[0];
        let fails = if branch.verdict == Verdict::Fail { 1.0 } else { 0.0 };
        assert_eq!(found.failing[0], fails, "{branch:?}");
        on_the_edge += u32::from(near(branch.margin.unwrap().get(), 0.0));
    }
    assert!(on_the_edge > 10, "{on_the_edge}");
}

#[test]
fn the_share_of_all_agrees_with_the_shares_of_each() {
    let mut between = 0;
    for seed in 0..300 {
        let mut optics = any_optics(&mut seeded(seed));
        // In the middle of the spread, so that some draws fail and some do not.
        let branch = Judge::new(&optics).branch(m(5_000), m(5_000), Case::Typical);
        optics.ageing = optics.ageing + branch.margin.unwrap() - db(0.5);
        let found = draw(&optics, &any_fans(seed, 3), 64, 5.0);
        let most = found.failing.iter().copied().fold(0.0, f64::max);
        let sum: f64 = found.failing.iter().sum();
        let open = 1.0 - found.fabric.closing.unwrap().all_close;
        assert!(most <= open + 1e-9 && open <= sum + 1e-9, "{most} {open} {sum}");
        between += u32::from(most < open && open < sum && open < 1.0);
    }
    assert!(between > 30, "{between}");
}

/// A branch that is never overloaded fails at the percentile iff at least that many draws fail.
#[test]
fn the_percentile_fails_with_its_share_of_the_draws() {
    let mut both = [0; 2];
    for seed in 0..300 {
        let mut row = levels("x", [-3.0, 1.0, -20.0, 50.0]);
        row.sensitivity =
            Some(lightloom_units::Dbm::new(tenths(&mut seeded(seed), -140, -80)).unwrap());
        let mut optics = bare(row, splitter(4, 6.5));
        optics.branch.inline.push(inline(0.0, Some(1.0), 4.0).try_into().unwrap());
        for (percentile, needed) in
            [(1.0, 2.0), (1.3, 3.0), (5.0, 10.0), (7.7, 16.0), (20.0, 40.0), (50.0, 100.0)]
        {
            let found = draw(&optics, &fans(1, 1), 200, percentile);
            let fails = found.branches[0].margin.unwrap() < Db::ZERO;
            let failed = (found.failing[0] * 200.0).round();
            assert_eq!(fails, failed >= needed, "{failed} of 200 at {percentile} %");
            both[usize::from(fails)] += 1;
        }
    }
    assert!(both.iter().all(|&seen| seen > 100), "{both:?}");
}

/// Receivers whose sensitivity and overload are only a few decibels apart.
#[test]
fn what_fails_on_either_side_fails_together() {
    let mut seen = [0; 3];
    for seed in 0..400 {
        let draws = &mut seeded(seed);
        let least = tenths(draws, -110, -80);
        let row = levels("narrow", [-4.0, 4.0, least, least + tenths(draws, 40, 100)]);
        let optics = bare(row, splitter(4, 6.5));
        for percentile in [5.0, 20.0, 40.0] {
            let found = draw(&optics, &fans(1, 1), 200, percentile);
            let (share, branch) = (found.failing[0], found.branches[0]);
            let negative = |ratio: Option<Db>| ratio.is_some_and(|ratio| ratio < Db::ZERO);
            let one_side = negative(branch.margin) || negative(branch.headroom);
            let fails = branch.verdict == Verdict::Fail;
            if share > percentile / 100.0 + 1e-9 {
                assert!(fails, "{share} at {percentile} %: {branch:?}");
                seen[usize::from(one_side)] += 1;
            } else if share < percentile / 100.0 - 1e-9 {
                assert!(!fails, "{share} at {percentile} %: {branch:?}");
                seen[2] += 1;
            }
        }
    }
    assert!(seen.iter().all(|&seen| seen > 10), "{seen:?}");
}

/// Sensitivity in the middle of the received levels, so that about half of the draws fail.
pub fn at_the_edge(launch: [f64; 2], feed: f64, branch: f64) -> Optics {
    let middle = launch[0].midpoint(launch[1]) - 3.0 - 0.5 * (feed + branch);
    let row = levels("edge", [launch[0], launch[1], middle, 50.0]);
    let mut optics = bare(row, splitter(2, 3.0));
    let spread = |most: f64| inline(0.0, Some(0.5 * most), most).try_into().unwrap();
    optics.feed.inline.push(spread(feed));
    optics.branch.inline.push(spread(branch));
    optics
}

#[test]
fn branches_of_one_transmitter_share_its_launch_and_feed() {
    for optics in [at_the_edge([-4.0, 0.0], 0.0, 0.0), at_the_edge([0.0, 0.0], 4.0, 0.0)] {
        let shared = draw(&optics, &fans(1, 3), 4000, 5.0);
        assert!((0.45..0.55).contains(&shared.failing[0]), "{:?}", shared.failing);
        assert!(shared.failing.iter().all(|&share| share == shared.failing[0]));
        assert!(near(shared.fabric.closing.unwrap().all_close, 1.0 - shared.failing[0]));
        assert_eq!(shared.branches[0], shared.branches[2]);
    }
}

#[test]
fn transmitters_and_branches_draw_for_themselves() {
    let feed = draw(&at_the_edge([0.0, 0.0], 4.0, 0.0), &fans(3, 1), 4000, 5.0);
    let branch = draw(&at_the_edge([0.0, 0.0], 0.0, 4.0), &fans(1, 3), 4000, 5.0);
    for found in [feed, branch] {
        let expected: f64 = found.failing.iter().map(|share| 1.0 - share).product();
        // An eighth of 4000 draws: 0.0052 is one deviation.
        assert!(
            (found.fabric.closing.unwrap().all_close - expected).abs() < 0.021,
            "{} {expected}",
            found.fabric.closing.unwrap().all_close
        );
        assert_ne!(found.branches[0], found.branches[1]);
    }
}

#[test]
fn overloaded_draws_fail_too() {
    // 0 to 4 dBm minus 3 dB; 0 dBm are allowed. The draws above 3 dBm fail: (4-3)²/(4 × 2) of all.
    let optics = bare(levels("strong", [0.0, 4.0, -20.0, 0.0]), splitter(2, 3.0));
    let found = draw(&optics, &fans(1, 1), 20_000, 20.0);
    assert!((found.failing[0] - 0.125).abs() < 0.01, "{:?}", found.failing);
    assert_ne!(found.branches[0].verdict, Verdict::Fail);
    assert_eq!(draw(&optics, &fans(1, 1), 20_000, 5.0).branches[0].verdict, Verdict::Fail);
}

#[test]
fn without_a_greatest_launch_power_no_draw_is_overloaded() {
    let mut row = levels("strong", [0.0, 4.0, -20.0, -4.0]);
    row.launch_max = None;
    let found = draw(&bare(row, splitter(2, 3.0)), &fans(1, 1), 100, 5.0);
    assert_eq!((found.failing[0], found.branches[0].headroom), (0.0, None));
    assert_eq!(found.branches[0].verdict, Verdict::Warn);
}

#[test]
fn a_best_case_budget_has_losses_to_draw_and_nothing_known_has_no_failures() {
    let mut optics = bare(best_case(6.5), splitter(2, 3.0));
    optics.ageing = db(1.5);
    optics.branch.inline.push(inline(0.0, Some(2.0), 4.0).try_into().unwrap());
    let found = draw(&optics, &fans(1, 1), 4000, 5.0);
    assert!((found.failing[0] - 0.5).abs() < 0.04, "{:?}", found.failing);
    let branch = found.branches[0];
    assert!((branch.loss.get() + branch.margin.unwrap().get() - 5.0).abs() < 0.05, "{branch:?}");
    assert_eq!((branch.received, branch.headroom), (None, None));
    let optics = Optics { transceiver: nothing_known("x").try_into().unwrap(), ..optics };
    let found = draw(&optics, &fans(1, 1), 4000, 5.0);
    assert_eq!((found.failing[0], found.branches[0].verdict), (0.0, Verdict::Unknown));
}

#[test]
fn sampling_that_is_stopped_gives_no_answer() {
    let (optics, fans) = (any_optics(&mut seeded(1)), any_fans(1, 300));
    let sampling = Sampling {
        samples: NonZeroUsize::MIN,
        seed: 1,
        percentile: 5.0,
        threads: NonZeroUsize::MIN,
    };
    let mut told = 0;
    let stopped = sample(&Judge::new(&optics), &fans, sampling, &mut |_| {
        told += 1;
        told < 3
    });
    assert_eq!((stopped, told), (None, 3));
}
