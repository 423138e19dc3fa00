//! Flow sizes: one size for all, or a distribution.

use lightloom_request::InputError;
use lightloom_units::DataSize;
use rand_chacha::ChaCha8Rng;

use crate::build::random::unit;
use crate::said::limits::LARGEST_FLOW;

/// The last share may differ from 1 or 100 by this much (0.1 %).
const TOLERANCE: f64 = 1e-3;

/// Source of flow sizes.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Sizes {
    /// One size for all flows.
    Fixed(DataSize),
    /// Drawn from a distribution.
    Drawn(Cdf),
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

/// A piecewise linear distribution function: (bytes, share of flows that are not larger). Both columns rise;
/// the last share is 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Cdf {
    points: Vec<(f64, f64)>,
}

/// The points of a distribution, one after the other.
#[derive(Debug, Clone, Default)]
pub struct CdfPoints {
    points: Vec<(f64, f64)>,
}

impl CdfPoints {
    /// Adds a point: a size in bytes, and the share of flows that are not larger. Shares are fractions or percent.
    ///
    /// # Errors
    /// [`InputError`] at `bytes` or `share` if the point cannot follow those before it.
    pub fn add(&mut self, bytes: f64, share: f64) -> Result<(), InputError> {
        let refuse = |field: &str, message: String| InputError::new(message).in_field(field);
        if bytes > LARGEST_FLOW.as_bytes() as f64 {
            let message = format!("found {bytes}; a flow has at most {LARGEST_FLOW}");
            return Err(refuse("bytes", message));
        }
        if let Some(&(bytes_before, share_before)) = self.points.last() {
            if bytes < bytes_before {
                let message = format!("found {bytes} after {bytes_before}; sizes must not fall");
                return Err(refuse("bytes", message));
            }
            if share < share_before {
                let message = format!("found {share} after {share_before}; shares must not fall");
                return Err(refuse("share", message));
            }
        }
        self.points.push((bytes, share));
        Ok(())
    }

    /// The distribution of the points. The last share decides whether shares end at 1 or at 100. A last share within
    /// 0.1 % of either is scaled to it; then it is answered too.
    ///
    /// # Errors
    /// [`InputError`] at `line`, `bytes` or `share` if there is no point, no byte, or no such end.
    pub fn distribution(mut self) -> Result<(Cdf, Option<f64>), InputError> {
        let refuse = |field: &str, message: String| InputError::new(message).in_field(field);
        let Some(&(largest, end)) = self.points.last() else {
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
        for point in &mut self.points {
            point.1 /= end;
        }
        #[allow(clippy::float_cmp, reason = "whether the end is exactly 1 or 100")]
        let scaled = (end != whole).then_some(end);
        Ok((Cdf { points: self.points }, scaled))
    }
}

impl Cdf {
    /// The size that a share `u` of flows does not exceed, at least one byte. Linear between points.
    pub fn at(&self, u: f64) -> DataSize {
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
    pub fn mean(&self) -> f64 {
        let first = self.points.first().map_or(0.0, |&(bytes, share)| bytes * share);
        let rest: f64 = self
            .points
            .windows(2)
            .map(|pair| (pair[1].1 - pair[0].1) * f64::midpoint(pair[0].0, pair[1].0))
            .sum();
        (first + rest).max(1.0)
    }
}
