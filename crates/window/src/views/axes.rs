//! Axes of plots, with numbers also where values lie close together.

use egui::Rangef;
use egui_plot::{AxisHints, GridInput, GridMark, Plot};

/// Number of steps between the ends of an axis, about.
const STEPS: f64 = 5.0;
/// Space that a number needs along the axis, in points: below the first it is left out, from the second on it is clear.
const ROOM: Rangef = Rangef { min: 16.0, max: 28.0 };

/// A plot whose x axis has this title, and round numbers at a few places. Steps are not smaller than `least`.
pub fn with_x<'a>(plot: Plot<'a>, title: &'static str, least: f64) -> Plot<'a> {
    let axis = AxisHints::new_x().label(title).label_spacing(ROOM);
    plot.custom_x_axes(vec![axis]).x_grid_spacer(move |input| marks(&input, least))
}

/// A plot whose y axis has round numbers at a few places.
pub fn with_round_y(plot: Plot<'_>) -> Plot<'_> {
    plot.y_grid_spacer(|input| marks(&input, 0.0))
}

/// Marks at multiples of a round step.
fn marks(input: &GridInput, least: f64) -> Vec<GridMark> {
    let (from, to) = input.bounds;
    let step = round_up((to - from) / STEPS).max(least);
    if !step.is_finite() || step <= 0.0 {
        return Vec::new();
    }
    #[allow(clippy::cast_possible_truncation, reason = "a few marks of a plot")]
    let (first, last) = ((from / step).ceil() as i64, (to / step).floor() as i64);
    #[allow(clippy::cast_precision_loss, reason = "a few marks of a plot")]
    let mark = |number: i64| GridMark { value: number as f64 * step, step_size: step };
    (first..=last).take(100).map(mark).collect()
}

/// The next larger of 1, 2 and 5 times a power of ten.
fn round_up(step: f64) -> f64 {
    let power = 10_f64.powf(step.log10().floor());
    let factors = [1.0, 2.0, 5.0, 10.0].into_iter();
    let mut steps = factors.map(|factor| factor * power);
    steps.find(|round| *round >= step * (1.0 - 1e-9)).unwrap_or(step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_axis_has_a_few_round_marks() {
        for (from, to) in [(0.389, 0.391), (2.0, 5.0), (-0.3, 7.1), (0.0, 1e6), (1e-9, 3e-9)] {
            let input = GridInput { bounds: (from, to), base_step_size: 0.0 };
            let marks = marks(&input, 0.0);
            assert!((2..=7).contains(&marks.len()), "{from} to {to}: {}", marks.len());
            let least = from.abs().max(to.abs()) * 1e-9;
            let is_in = |mark: &GridMark| (from - least..=to + least).contains(&mark.value);
            assert!(marks.iter().all(is_in));
        }
        let hops = marks(&GridInput { bounds: (2.5, 4.5), base_step_size: 0.0 }, 1.0);
        assert_eq!(hops.iter().map(|mark| mark.value).collect::<Vec<_>>(), [3.0, 4.0]);
        let nothing = GridInput { bounds: (1.0, 1.0), base_step_size: 0.0 };
        assert!(marks(&nothing, 0.0).is_empty());
    }
}
