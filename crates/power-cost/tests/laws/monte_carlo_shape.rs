//! Distribution of the draws, compared with the triangular distribution in closed form.

use lightloom_power_cost::Optics;

use crate::given::{bare, dbm, inline, levels, splitter};
use crate::monte_carlo::{draw, fans, with_threads};

/// Smallest, typical, largest.
type Triangle = [f64; 3];

const TRIANGLES: [Triangle; 5] =
    [[0.0, 1.0, 4.0], [-6.0, -2.0, -1.0], [2.0, 2.0, 5.0], [0.0, 3.0, 3.0], [1.0, 1.5, 2.0]];

/// Share of draws below a value.
fn share_below([a, c, b]: Triangle, x: f64) -> f64 {
    if x < c {
        (x - a).powi(2) / ((b - a) * (c - a))
    } else {
        1.0 - (b - x).powi(2) / ((b - a) * (b - c)).max(1e-300)
    }
}

/// The value below which a share of draws lies.
fn value_at([a, c, b]: Triangle, share: f64) -> f64 {
    let turn = (c - a) / (b - a);
    if share < turn {
        a + (share * (b - a) * (c - a)).sqrt()
    } else {
        b - ((1.0 - share) * (b - a) * (b - c)).sqrt()
    }
}

fn mean([a, c, b]: Triangle) -> f64 {
    (a + b + c) / 3.0
}

fn variance([a, c, b]: Triangle) -> f64 {
    (a * a + b * b + c * c - a * b - a * c - b * c) / 18.0
}

/// 0 dBm through 3 dB and inline parts.
fn through(parts: &[Triangle]) -> Optics {
    let mut optics = bare(levels("x", [0.0, 0.0, -50.0, 50.0]), splitter(2, 3.0));
    let part = |&[a, c, b]: &Triangle| inline(a, Some(c), b).try_into().unwrap();
    optics.branch.inline.extend(parts.iter().map(part));
    optics
}

/// A launch power with a spread, through 3 dB.
fn launched([a, c, b]: Triangle) -> Optics {
    let mut row = levels("x", [a, b, -50.0, 50.0]);
    row.launch_typ = Some(dbm(c));
    bare(row, splitter(2, 3.0))
}

/// Received levels of single draws, each of its own transmitter and its own lot, sorted.
fn arrivals(optics: &Optics) -> Vec<f64> {
    let fans = fans(1, 1);
    let level = |seed| {
        let found = with_threads(optics, &fans, 1, 50.0, seed, 1);
        found.branches[0].received.unwrap().get()
    };
    let mut levels: Vec<f64> = (0..20_000).map(level).collect();
    levels.sort_by(f64::total_cmp);
    levels
}

/// Mean and variance, each with its largest deviation for this number of draws.
fn check_moments(values: &[f64], expected_mean: f64, expected_variance: f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / n;
    let deviation = (expected_variance / n).sqrt();
    assert!((mean - expected_mean).abs() < 4.0 * deviation, "{mean}, not {expected_mean}");
    let ratio = variance / expected_variance;
    assert!((ratio - 1.0).abs() < 0.05, "{variance}, not {expected_variance}");
}

/// Kolmogorov-Smirnov: the largest distance of the shares. It exceeds 1.95/√n once in a thousand.
fn check_shape(sorted: &[f64], share_below: impl Fn(f64) -> f64) {
    let n = sorted.len() as f64;
    for (i, &value) in sorted.iter().enumerate() {
        let distance = (share_below(value) - (i as f64 + 0.5) / n).abs();
        assert!(distance < 1.95 / n.sqrt(), "{distance} at {value}");
    }
}

#[test]
fn a_loss_is_drawn_from_its_triangle() {
    for triangle in TRIANGLES {
        let levels = arrivals(&through(&[triangle]));
        check_moments(&levels, -3.0 - mean(triangle), variance(triangle));
        check_shape(&levels, |level| 1.0 - share_below(triangle, -3.0 - level));
        assert!(levels[0] >= -3.0 - triangle[2] && levels[19_999] <= -3.0 - triangle[0]);
    }
}

#[test]
fn so_is_a_launch_power() {
    for triangle in TRIANGLES {
        let levels = arrivals(&launched(triangle));
        check_moments(&levels, mean(triangle) - 3.0, variance(triangle));
        check_shape(&levels, |level| share_below(triangle, level + 3.0));
    }
}

#[test]
fn percentiles_are_those_of_the_triangle() {
    const DRAWS: usize = 40_000;
    for triangle in TRIANGLES {
        for percent in [1.0, 5.0, 10.0, 25.0, 50.0] {
            let share = percent / 100.0;
            // Four deviations of the share, to either side.
            let doubt = 4.0 * (share * (1.0 - share) / DRAWS as f64).sqrt();
            let around =
                |share: f64| value_at(triangle, share - doubt)..=value_at(triangle, share + doubt);
            let found = draw(&through(&[triangle]), &fans(1, 1), DRAWS, percent).branches[0];
            let loss = found.loss.get() - 3.0;
            assert!(around(1.0 - share).contains(&loss), "{triangle:?}: {loss} at {percent} %");
            let weakest = -3.0 - found.received.unwrap().get();
            assert!(around(1.0 - share).contains(&weakest), "{triangle:?}: {weakest}");
            let strongest = -3.0 - found.strongest.unwrap().get();
            assert!(around(share).contains(&strongest), "{triangle:?}: {strongest}");
            let found = draw(&launched(triangle), &fans(1, 1), DRAWS, percent).branches[0];
            let weakest = found.received.unwrap().get() + 3.0;
            assert!(around(share).contains(&weakest), "{triangle:?}: {weakest} at {percent} %");
        }
    }
}

#[test]
fn losses_and_launch_spread_independently_of_each_other() {
    let [one, other] = [[0.0, 1.0, 4.0], [0.0, 3.0, 4.0]];
    let sum = mean(one) + mean(other);
    let levels = arrivals(&through(&[one, other]));
    check_moments(&levels, -3.0 - sum, variance(one) + variance(other));
    let levels = arrivals(&through(&[one, one, one]));
    check_moments(&levels, -3.0 - 3.0 * mean(one), 3.0 * variance(one));
    let mut both = launched(other);
    both.feed.inline = through(&[one]).branch.inline;
    check_moments(&arrivals(&both), mean(other) - 3.0 - mean(one), variance(one) + variance(other));
}

#[test]
fn without_a_greatest_launch_power_the_usual_one_is_the_greatest() {
    let mut row = levels("x", [-4.0, 0.0, -50.0, 50.0]);
    (row.launch_typ, row.launch_max) = (Some(dbm(-2.0)), None);
    let levels = arrivals(&bare(row, splitter(2, 3.0)));
    check_shape(&levels, |level| share_below([-4.0, -2.0, -2.0], level + 3.0));
}
