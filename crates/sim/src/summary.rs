//! Summaries of many numbers: percentiles, means, confidence intervals.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Summary of times in picoseconds. Percentiles are by nearest rank, so they are values of the sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TimesReport {
    /// Number of values.
    pub count: usize,
    /// Mean, rounded to a picosecond.
    pub mean_ps: u64,
    /// Median: 50 % of the values are not above it.
    pub p50_ps: u64,
    /// 90th percentile: 90 % of the values are not above it.
    pub p90_ps: u64,
    /// 99th percentile: 99 % of the values are not above it.
    pub p99_ps: u64,
    /// 99.9th percentile: 99.9 % of the values are not above it.
    pub p999_ps: u64,
    /// Largest value.
    pub max_ps: u64,
}

/// Summary of ratios. Percentiles are by nearest rank.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RatiosReport {
    /// Number of values.
    pub count: usize,
    /// The mean.
    pub mean: f64,
    /// Median: 50 % of the values are not above it.
    pub p50: f64,
    /// 90th percentile: 90 % of the values are not above it.
    pub p90: f64,
    /// 99th percentile: 99 % of the values are not above it.
    pub p99: f64,
    /// 99.9th percentile: 99.9 % of the values are not above it.
    pub p999: f64,
    /// Largest value.
    pub max: f64,
}

/// Mean over runs with its 95 % confidence interval (Student's t).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct IntervalReport {
    /// Number of runs with a value.
    pub runs: usize,
    /// Mean over these runs.
    pub mean: f64,
    /// Half the width of the interval. `None` for fewer than two runs.
    pub half_width_95: Option<f64>,
}

/// Index of a percentile in `count` sorted values, by nearest rank. `per_mille` is in thousandths.
fn rank(count: usize, per_mille: usize) -> usize {
    (count * per_mille).div_ceil(1000).clamp(1, count.max(1)) - 1
}

impl TimesReport {
    /// Summarises times. `None`: there are no values.
    pub fn of(mut times: Vec<u64>) -> Option<Self> {
        times.sort_unstable();
        let &max_ps = times.last()?;
        let count = times.len();
        let sum: u128 = times.iter().map(|&time| u128::from(time)).sum();
        let mean = (sum + count as u128 / 2) / count as u128;
        let at = |per_mille| times[rank(count, per_mille)];
        Some(Self {
            count,
            mean_ps: u64::try_from(mean).unwrap_or(u64::MAX),
            p50_ps: at(500),
            p90_ps: at(900),
            p99_ps: at(990),
            p999_ps: at(999),
            max_ps,
        })
    }
}

impl RatiosReport {
    /// Summarises ratios. `None`: there are no values.
    pub fn of(mut ratios: Vec<f64>) -> Option<Self> {
        ratios.sort_unstable_by(f64::total_cmp);
        let &max = ratios.last()?;
        let count = ratios.len();
        let mean = ratios.iter().sum::<f64>() / count as f64;
        let at = |per_mille| ratios[rank(count, per_mille)];
        Some(Self { count, mean, p50: at(500), p90: at(900), p99: at(990), p999: at(999), max })
    }
}

impl IntervalReport {
    /// Summarises the runs with a value. `None`: no run has one.
    pub fn of(values: &[f64]) -> Option<Self> {
        let runs = values.len();
        if runs == 0 {
            return None;
        }
        let mean = values.iter().sum::<f64>() / runs as f64;
        let half_width_95 = (runs > 1).then(|| {
            let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
            let deviation = (squares / (runs - 1) as f64).sqrt();
            t_95(runs - 1) * deviation / (runs as f64).sqrt()
        });
        Some(Self { runs, mean, half_width_95 })
    }
}

/// The 97.5 % quantile of Student's t. From a table up to 10 degrees of freedom; beyond, from the expansion
/// of Cornish and Fisher, which is then within 0.0002.
fn t_95(freedom: usize) -> f64 {
    const TABLE: [f64; 10] = [
        12.706_205, 4.302_653, 3.182_446, 2.776_445, 2.570_582, 2.446_912, 2.364_624, 2.306_004,
        2.262_157, 2.228_139,
    ];
    if let Some(&t) = TABLE.get(freedom.saturating_sub(1)) {
        return t;
    }
    const Z: f64 = 1.959_963_985;
    let n = freedom as f64;
    let first = (Z.powi(3) + Z) / (4.0 * n);
    let second = (5.0 * Z.powi(5) + 16.0 * Z.powi(3) + 3.0 * Z) / (96.0 * n * n);
    let third =
        (3.0 * Z.powi(7) + 19.0 * Z.powi(5) + 17.0 * Z.powi(3) - 15.0 * Z) / (384.0 * n.powi(3));
    Z + first + second + third
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_that_occur() {
        let times = TimesReport::of((1..=1000).rev().collect()).unwrap();
        let found = (times.p50_ps, times.p90_ps, times.p99_ps, times.p999_ps, times.max_ps);
        assert_eq!(found, (500, 900, 990, 999, 1000));
        assert_eq!(times.mean_ps, 501, "500.5, to the nearest");
        let one = TimesReport::of(vec![7]).unwrap();
        assert_eq!((one.p50_ps, one.p999_ps, one.max_ps), (7, 7, 7));
        assert_eq!(TimesReport::of(Vec::new()), None);
    }

    /// Published quantiles of Student's t.
    #[test]
    fn t_is_that_of_the_tables() {
        for (freedom, t) in
            [(1, 12.706), (9, 2.262), (11, 2.201), (15, 2.131), (29, 2.045), (99, 1.984)]
        {
            assert!((t_95(freedom) - t).abs() < 6e-4, "{freedom}: {}", t_95(freedom));
        }
    }

    #[test]
    fn the_interval_of_ten_runs() {
        let values: Vec<f64> = (1..=10).map(f64::from).collect();
        let interval = IntervalReport::of(&values).unwrap();
        // s = 3.02765, t(9) = 2.26216: 2.26216 × 3.02765 / √10.
        assert!((interval.half_width_95.unwrap() - 2.165_85).abs() < 1e-4);
        assert_eq!(IntervalReport::of(&[5.0]).unwrap().half_width_95, None);
    }
}
