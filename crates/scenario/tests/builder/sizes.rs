//! Distributions of sizes.

use lightloom_scenario::build::{Cdf, CdfPoints};
use proptest::prelude::*;

fn of(points: &[(f64, f64)]) -> Cdf {
    let mut all = CdfPoints::default();
    points.iter().for_each(|&(bytes, share)| all.add(bytes, share).unwrap());
    all.distribution().unwrap().0
}

#[test]
fn sizes_are_linear_between_points() {
    let cdf = of(&[(0.0, 0.0), (1000.0, 0.5), (2000.0, 1.0)]);
    assert_eq!(cdf.at(0.25).as_bytes(), 500);
    assert_eq!(cdf.at(0.75).as_bytes(), 1500);
    assert_eq!(cdf.at(0.0).as_bytes(), 1, "a message has at least a byte");
    assert!((cdf.mean() - 1000.0).abs() < 1e-9);
    assert_eq!(of(&[(0.0, 0.0), (10.0, 0.9995)]).at(0.999_999).as_bytes(), 10);
}

/// Rising points that end at 1, with jumps and flat pieces.
fn distributions() -> impl Strategy<Value = Vec<(f64, f64)>> {
    let steps = prop::collection::vec((0_u32..5000, 0_u32..50), 1..12);
    steps.prop_map(|steps| {
        let (mut bytes, mut share) = (0_u32, 0_u32);
        let mut points = Vec::new();
        for (more, rise) in steps {
            points.push((bytes, share));
            bytes += more;
            share += rise;
        }
        points.push((bytes + 1, share + 1));
        points.iter().map(|&(b, s)| (f64::from(b), f64::from(s) / f64::from(share + 1))).collect()
    })
}

proptest! {
    /// The sizes of equally spaced shares follow the distribution: up to every point there are as many as its share,
    /// and their mean is that of the straight lines.
    #[test]
    fn sizes_follow_the_points(points in distributions()) {
        const DRAWN: usize = 20_000;
        let cdf = of(&points);
        let share = |i: usize| (i as f64 + 0.5) / DRAWN as f64;
        let drawn: Vec<f64> = (0..DRAWN).map(|i| cdf.at(share(i)).as_bytes() as f64).collect();
        let off = 1.0 / DRAWN as f64;
        for &(bytes, share) in points.iter().filter(|point| point.0 >= 1.0) {
            // Sizes are rounded to bytes.
            let below = drawn.iter().filter(|&&d| d <= bytes - 0.5).count() as f64 / DRAWN as f64;
            let up_to = drawn.iter().filter(|&&d| d <= bytes + 0.5).count() as f64 / DRAWN as f64;
            prop_assert!(below <= share + off && share <= up_to + off, "{bytes}: {below} {share} {up_to}");
        }
        let mean = drawn.iter().sum::<f64>() / DRAWN as f64;
        let largest = points.last().unwrap().0;
        prop_assert!((mean - cdf.mean()).abs() <= 1.5 + largest * off, "{mean} {}", cdf.mean());
    }

    /// A larger draw never gives a smaller size, and sizes stay within the file's.
    #[test]
    fn sizes_rise_with_the_draw(points in distributions(), a in 0.0_f64..1.0, b in 0.0_f64..1.0) {
        let cdf = of(&points);
        let (low, high) = (cdf.at(a.min(b)), cdf.at(a.max(b)));
        prop_assert!(low <= high);
        prop_assert!(high.as_bytes() as f64 <= points.last().unwrap().0);
    }
}
