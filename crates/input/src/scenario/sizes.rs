//! Flow sizes: one size for all, or a distribution in the two-column format of the RDMA forks of ns-3.

use std::path::Path;

use lightloom_request::InputError;
use lightloom_units::DataSize;
use rand::Rng as _;
use rand_chacha::ChaCha8Rng;

use crate::scenario::limits::LARGEST_FLOW;

/// The last share may differ from 1 or 100 by this much (0.1 %).
const TOLERANCE: f64 = 1e-3;

/// 2⁵³: a uniform draw is a whole number below it, divided by it.
const DRAWS: f64 = 9_007_199_254_740_992.0;

/// Source of flow sizes.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Sizes {
    /// One size for all flows.
    Fixed(DataSize),
    /// Drawn from a distribution.
    Drawn(Cdf),
}

/// A piecewise linear distribution function: (bytes, share of flows that are not larger). Both columns rise;
/// the last share is 1.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Cdf {
    points: Vec<(f64, f64)>,
}

impl Sizes {
    /// The size of the next flow.
    pub(super) fn next(&self, random: &mut ChaCha8Rng) -> DataSize {
        match self {
            Self::Fixed(size) => *size,
            Self::Drawn(cdf) => {
                let u = unit(random);
                cdf.at(u)
            }
        }
    }

    /// Mean size in bytes.
    pub(super) fn mean(&self) -> f64 {
        match self {
            Self::Fixed(size) => size.as_bytes() as f64,
            Self::Drawn(cdf) => cdf.mean(),
        }
    }
}

/// A uniform number in [0, 1).
pub(super) fn unit(random: &mut ChaCha8Rng) -> f64 {
    (random.next_u64() >> 11) as f64 / DRAWS
}

impl Cdf {
    /// Parses lines of bytes and cumulative share. The last share decides whether shares end at 1 or at 100.
    /// A last share within 0.1 % of either is scaled to it, with a warning.
    pub(super) fn parse(path: &Path, text: &str) -> Result<(Self, Option<String>), InputError> {
        let mut points: Vec<(f64, f64)> = Vec::new();
        let mut last_line = 1;
        for (line, content) in (1..).zip(text.lines()) {
            let content = content.split('#').next().unwrap_or_default().trim();
            if content.is_empty() {
                continue;
            }
            last_line = line;
            let refuse = |field: &str, message: String| {
                InputError::new(message).in_file(path).at_line(line).in_field(field)
            };
            let cells: Vec<&str> = content.split_whitespace().collect();
            let [bytes, share] = cells.as_slice() else {
                let message = format!(
                    "found {} columns; expected two, a size in bytes and the share of flows that are \
                     not larger",
                    cells.len()
                );
                return Err(refuse("line", message));
            };
            let bytes = number(bytes).ok_or_else(|| {
                refuse("bytes", format!("found {bytes:?}; expected a number of bytes from 0"))
            })?;
            let share = number(share).ok_or_else(|| {
                refuse("share", format!("found {share:?}; expected a number from 0 to 1 or to 100"))
            })?;
            if bytes > LARGEST_FLOW.as_bytes() as f64 {
                let message = format!("found {bytes}; a flow has at most {LARGEST_FLOW}");
                return Err(refuse("bytes", message));
            }
            if let Some(&(bytes_before, share_before)) = points.last() {
                if bytes < bytes_before {
                    let message =
                        format!("found {bytes} after {bytes_before}; sizes must not fall");
                    return Err(refuse("bytes", message));
                }
                if share < share_before {
                    let message =
                        format!("found {share} after {share_before}; shares must not fall");
                    return Err(refuse("share", message));
                }
            }
            points.push((bytes, share));
        }
        let refuse = |field: &str, message: String| {
            InputError::new(message).in_file(path).at_line(last_line).in_field(field)
        };
        let Some(&(largest, end)) = points.last() else {
            return Err(refuse("line", "found no line; expected lines such as: 4096 0.3".into()));
        };
        if largest < 1.0 {
            let message = format!("found {largest} as the largest size; expected at least 1 byte");
            return Err(refuse("bytes", message));
        }
        let whole = [1.0, 100.0].into_iter().find(|whole| (end / whole - 1.0).abs() <= TOLERANCE);
        let Some(whole) = whole else {
            let message = format!(
                "found {end} as the last value; expected 1 or 100, which says whether shares are \
                 fractions or percent"
            );
            return Err(refuse("share", message));
        };
        #[allow(clippy::float_cmp, reason = "whether the text says exactly 1 or 100")]
        let warning = (end != whole).then(|| {
            // Only the file name, so that a report does not depend on the folder.
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            format!("{name}: the last value is {end}; all were divided by it")
        });
        for point in &mut points {
            point.1 /= end;
        }
        Ok((Self { points }, warning))
    }

    /// The size that a share `u` of flows does not exceed, at least one byte. Linear between points.
    fn at(&self, u: f64) -> DataSize {
        let after = self.points.partition_point(|&(_, share)| share < u);
        let bytes = match (after.checked_sub(1), self.points.get(after)) {
            (Some(before), Some(&(bytes, share))) => {
                let (bytes_before, share_before) = self.points[before];
                bytes_before + (bytes - bytes_before) * (u - share_before) / (share - share_before)
            }
            (None, Some(&(bytes, _))) => bytes,
            // Because of rounding, the last share may be below 1.
            (_, None) => self.points.last().map_or(1.0, |&(bytes, _)| bytes),
        };
        // The value is between 0 and the size of the largest flow.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let whole = bytes.round() as u64;
        DataSize::from_bytes(whole.max(1))
    }

    /// Mean size in bytes. All flows of the first point's share have the first point's size.
    fn mean(&self) -> f64 {
        let first = self.points.first().map_or(0.0, |&(bytes, share)| bytes * share);
        let rest: f64 = self
            .points
            .windows(2)
            .map(|pair| (pair[1].1 - pair[0].1) * f64::midpoint(pair[0].0, pair[1].0))
            .sum();
        (first + rest).max(1.0)
    }
}

/// A decimal number, 0 or more.
fn number(text: &str) -> Option<f64> {
    let plain =
        text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'-' | b'+'));
    let number: f64 = text.parse().ok().filter(|_| plain)?;
    (number.is_finite() && number >= 0.0).then_some(number)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::SeedableRng as _;

    use super::*;

    fn parse(text: &str) -> Result<(Cdf, Option<String>), InputError> {
        Cdf::parse(Path::new("sizes.txt"), text)
    }

    #[test]
    fn fractions_and_percent_are_the_same_distribution() {
        let (fractions, none) = parse("0 0\n1000 0.5\n2000 1").unwrap();
        let (percent, also_none) = parse("0\t0 # bytes, percent\n\n1000  50\n2000 100\n").unwrap();
        assert_eq!((&none, &also_none), (&None, &None));
        assert_eq!(fractions, percent);
        assert_eq!(fractions.at(0.25).as_bytes(), 500);
        assert_eq!(fractions.at(0.75).as_bytes(), 1500);
        assert_eq!(fractions.at(0.0).as_bytes(), 1, "a message has at least a byte");
        assert!((fractions.mean() - 1000.0).abs() < 1e-9);
    }

    #[test]
    fn an_end_that_is_almost_1_or_100_is_stretched_with_a_warning() {
        for text in ["0 0\n10 0.9995", "0 0\n10 100.05", "0 0\n10 99.95"] {
            let (cdf, warning) = parse(text).unwrap();
            assert!(warning.unwrap().contains("the last value is"), "{text}");
            assert_eq!(cdf.at(0.999_999).as_bytes(), 10, "{text}");
        }
    }

    #[test]
    fn what_is_no_distribution_is_refused_with_its_line() {
        for (text, line, message) in [
            ("", 1, "found no line"),
            ("0 0\n10 0.5", 2, "found 0.5 as the last value"),
            ("0 0\n10 99.8", 2, "found 99.8 as the last value"),
            ("0 0\n10 50\n5 100", 3, "sizes must not fall"),
            ("0 0\n10 60\n20 50\n30 100", 3, "shares must not fall"),
            ("0 0\n10", 2, "found 1 columns"),
            ("0 0\nten 100", 2, "found \"ten\""),
            ("0 0\n10 NaN", 2, "found \"NaN\""),
            ("0 0\n10 inf", 2, "found \"inf\""),
            ("-1 0\n10 100", 1, "found \"-1\""),
            ("0 0\n1e13 100", 2, "a flow has at most 1 TB"),
            ("0 0\n0 100", 2, "at least 1 byte"),
        ] {
            let error = parse(text).unwrap_err();
            assert_eq!(error.line, Some(line), "{text:?}: {error}");
            assert!(error.to_string().contains(message), "{text:?}: {error}");
        }
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
            points
                .iter()
                .map(|&(b, s)| (f64::from(b), f64::from(s) / f64::from(share + 1)))
                .collect()
        })
    }

    proptest! {
        /// Drawn sizes follow the distribution: the share of draws at every point is that of the file, and
        /// the mean is that of its straight lines.
        #[test]
        fn draws_follow_the_file(points in distributions(), seed in 0_u64..1000) {
            const DRAWN: usize = 20_000;
            let text: String = points.iter().map(|(b, s)| format!("{b} {s}\n")).collect();
            let (cdf, _) = parse(&text).unwrap();
            let sizes = Sizes::Drawn(cdf);
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            let drawn: Vec<f64> =
                (0..DRAWN).map(|_| sizes.next(&mut random).as_bytes() as f64).collect();
            // Five standard deviations of a share of 20,000 draws, plus half a byte of rounding.
            let off = 5.0 * 0.5 / (DRAWN as f64).sqrt();
            for &(bytes, share) in points.iter().filter(|point| point.0 >= 1.0) {
                let below = drawn.iter().filter(|&&d| d <= bytes - 0.5).count() as f64 / DRAWN as f64;
                let up_to = drawn.iter().filter(|&&d| d <= bytes + 0.5).count() as f64 / DRAWN as f64;
                prop_assert!(below <= share + off && share <= up_to + off, "{bytes}: {below} {share} {up_to}");
            }
            let mean = drawn.iter().sum::<f64>() / DRAWN as f64;
            let largest = points.last().unwrap().0;
            prop_assert!((mean - sizes.mean()).abs() <= off * largest + 1.5, "{mean} {}", sizes.mean());
        }

        /// A larger draw never gives a smaller size, and sizes stay within the file's.
        #[test]
        fn sizes_rise_with_the_draw(points in distributions(), a in 0.0_f64..1.0, b in 0.0_f64..1.0) {
            let text: String = points.iter().map(|(b, s)| format!("{b} {s}\n")).collect();
            let (cdf, _) = parse(&text).unwrap();
            let (low, high) = (cdf.at(a.min(b)), cdf.at(a.max(b)));
            prop_assert!(low <= high);
            prop_assert!(high.as_bytes() as f64 <= points.last().unwrap().0);
        }
    }
}
