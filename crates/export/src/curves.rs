//! Curves over sizes, as an SVG: time, bandwidths and use of links of collective operations.

use std::io::{self, Write};

use lightloom_advice::report::{AdviceReport, CaseReport};
use lightloom_units::DataSize;
use maud::{Markup, html};

use crate::shown::amounts::time;
use crate::strokes::{COLOURS, pixels};

/// Size of a panel without its margins, in pixels.
const WIDTH: f64 = 320.0;
const HEIGHT: f64 = 220.0;
/// Room at the left of a panel, and above and below it.
const LEFT: f64 = 70.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 50.0;
/// Height of a line of the legend, and width of an entry.
const LINE: f64 = 18.0;
const ENTRY: f64 = 240.0;
/// Entries of a line of the legend.
const ENTRIES: usize = 6;
/// No more numbers of members and groups are drawn.
const MOST_ROWS: usize = 12;
/// Dashes of curves: each when all colours have been taken once more.
const DASHES: [Option<&str>; 3] = [None, Some("7 3"), Some("2 3")];

/// What a panel draws.
struct Panel {
    title: &'static str,
    value: fn(&CaseReport) -> Option<f64>,
    axis: Axis,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Axis {
    /// Powers of ten of picoseconds.
    Times,
    /// Even steps of Gb/s, from 0.
    Rates,
}

const PANELS: [Panel; 4] = [
    Panel {
        title: "time until the last member has all",
        value: |case| case.last_ps.map(|ps| ps as f64),
        axis: Axis::Times,
    },
    Panel {
        title: "algorithm bandwidth, Gb/s",
        value: |case| Some(case.algorithm_bps? / 1e9),
        axis: Axis::Rates,
    },
    Panel {
        title: "bus bandwidth, Gb/s",
        value: |case| Some(case.bus_bps? / 1e9),
        axis: Axis::Rates,
    },
    Panel {
        title: "on the busiest link, Gb/s",
        value: |case| Some(case.link_bps? / 1e9),
        axis: Axis::Rates,
    },
];

/// Draws the cases of an answer: a row of panels for each number of members and of groups.
///
/// # Errors
/// As `out`.
pub fn write(mut out: impl Write, report: &AdviceReport) -> io::Result<()> {
    out.write_all(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")?;
    out.write_all(picture(report).into_string().as_bytes())
}

fn picture(report: &AdviceReport) -> Markup {
    let alike = |a: &CaseReport, b: &CaseReport| (a.members, a.groups) == (b.members, b.groups);
    let rows: Vec<&[CaseReport]> = report.cases.chunk_by(alike).collect();
    let left_out = rows.len().saturating_sub(MOST_ROWS);
    let mut names: Vec<&str> = Vec::new();
    for case in &report.cases {
        if !names.contains(&case.name.as_str()) {
            names.push(&case.name);
        }
    }
    let wide = PANELS.len() as f64 * (LEFT + WIDTH) + 30.0;
    let legend = LINE * (names.len().div_ceil(ENTRIES) as f64 + 1.0) + 10.0;
    let row = TOP + HEIGHT + BOTTOM;
    let high = legend + row * rows.len().min(MOST_ROWS) as f64 + LINE;
    html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(format!("0 0 {wide:.0} {high:.0}"))
            width=(format!("{wide:.0}")) height=(format!("{high:.0}"))
            font-family="sans-serif" font-size="11" {
            title { (report.operation) " by schedule and size" }
            rect width="100%" height="100%" fill="white" {}
            @for (place, name) in names.iter().enumerate() {
                @let x = LEFT + ENTRY * (place % ENTRIES) as f64;
                @let y = LINE * (1.0 + (place / ENTRIES) as f64);
                line x1=(pixels(x)) x2=(pixels(x + 24.0)) y1=(pixels(y - 4.0)) y2=(pixels(y - 4.0))
                    stroke=(colour(place)) stroke-width="2" stroke-dasharray=[dash(place)] {}
                text x=(pixels(x + 30.0)) y=(pixels(y)) { (name) }
            }
            text x=(pixels(LEFT)) y=(pixels(legend - 8.0)) fill="#555555" {
                "Dots are simulated, rings are extended from smaller sizes."
                @if left_out > 0 { " " (left_out) " further numbers of members and groups are left out." }
            }
            @for (place, cases) in rows.iter().take(MOST_ROWS).enumerate() {
                @let y = legend + row * place as f64 + TOP;
                @if let Some(first) = cases.first() {
                    text x=(pixels(LEFT)) y=(pixels(y - 24.0)) font-weight="bold" {
                        (report.operation) " of " (first.members) " members"
                        @if first.groups > 1 { " in each of " (first.groups) " groups at once" }
                    }
                }
                @for (column, panel) in PANELS.iter().enumerate() {
                    @let x = column as f64 * (LEFT + WIDTH) + LEFT;
                    (Frame::new((x, y), panel, cases).drawn(panel, cases, &names))
                }
            }
        }
    }
}

fn colour(place: usize) -> &'static str {
    COLOURS[place % COLOURS.len()]
}

fn dash(place: usize) -> Option<&'static str> {
    DASHES[place / COLOURS.len() % DASHES.len()]
}

/// Where the values of a panel are.
struct Frame {
    x: f64,
    y: f64,
    /// Decimal logarithms of the least and the greatest size.
    sizes: (f64, f64),
    /// The least and the greatest value: of times, their logarithms.
    values: (f64, f64),
    axis: Axis,
}

impl Frame {
    fn new((x, y): (f64, f64), panel: &Panel, cases: &[CaseReport]) -> Self {
        let bounds = |values: &mut dyn Iterator<Item = f64>| {
            values.fold((f64::MAX, f64::MIN), |(a, b), value| (a.min(value), b.max(value)))
        };
        let (a, b) = bounds(&mut cases.iter().map(|case| (case.bytes as f64).log10()));
        let sizes = if b > a { (a, b) } else { (a - 0.5, a + 0.5) };
        let (least, most) = bounds(&mut cases.iter().filter_map(panel.value));
        let values = match panel.axis {
            _ if most < least => (0.0, 1.0),
            Axis::Times => {
                let (least, most) = (least.max(1.0).log10().floor(), most.max(1.0).log10().ceil());
                (least, most.max(least + 1.0))
            }
            Axis::Rates => (0.0, if most > 0.0 { most * 1.05 } else { 1.0 }),
        };
        Self { x, y, sizes, values, axis: panel.axis }
    }

    fn across(&self, bytes: u64) -> f64 {
        let (least, most) = self.sizes;
        self.x + WIDTH * ((bytes as f64).log10() - least) / (most - least)
    }

    fn down(&self, value: f64) -> f64 {
        let (least, most) = self.values;
        let value = if self.axis == Axis::Times { value.max(1.0).log10() } else { value };
        self.y + HEIGHT * (1.0 - (value - least) / (most - least))
    }

    fn drawn(&self, panel: &Panel, cases: &[CaseReport], names: &[&str]) -> Markup {
        html! {
            text x=(pixels(self.x)) y=(pixels(self.y - 8.0)) { (panel.title) }
            (self.marks(cases))
            rect x=(pixels(self.x)) y=(pixels(self.y)) width=(pixels(WIDTH)) height=(pixels(HEIGHT))
                fill="none" stroke="#888888" {}
            @for (place, name) in names.iter().enumerate() {
                (self.curve(panel, cases.iter().filter(|case| case.name == *name), place))
            }
        }
    }

    /// The marks of both axes.
    fn marks(&self, cases: &[CaseReport]) -> Markup {
        let mut sizes: Vec<u64> = cases.iter().map(|case| case.bytes).collect();
        sizes.dedup();
        // A mark takes 60 pixels.
        let every = sizes.len().div_ceil(5).max(1);
        let values: Vec<(f64, String)> = match self.axis {
            Axis::Times => {
                let powers =
                    (0..=18).map(|power| 10_u64.pow(power)).map(|ps| (ps as f64, time(ps)));
                let (least, most) = self.values;
                powers.filter(|(at, _)| (least..=most).contains(&at.log10().round())).collect()
            }
            Axis::Rates => {
                let step = step(self.values.1 / 5.0);
                let marks = (0..=5).map(|mark| f64::from(mark) * step);
                let marks = marks.take_while(|at| *at <= self.values.1);
                marks.map(|at| (at, format!("{at}"))).collect()
            }
        };
        html! {
            @for (at, text) in values {
                @let y = self.down(at);
                line x1=(pixels(self.x)) x2=(pixels(self.x + WIDTH)) y1=(pixels(y)) y2=(pixels(y))
                    stroke="#e4e4e4" {}
                text x=(pixels(self.x - 6.0)) y=(pixels(y + 4.0)) text-anchor="end" { (text) }
            }
            @for bytes in sizes.iter().step_by(every) {
                @let x = self.across(*bytes);
                line x1=(pixels(x)) x2=(pixels(x)) y1=(pixels(self.y)) y2=(pixels(self.y + HEIGHT + 4.0))
                    stroke="#e4e4e4" {}
                text x=(pixels(x)) y=(pixels(self.y + HEIGHT + 18.0)) text-anchor="middle" {
                    (DataSize::from_bytes(*bytes).to_string())
                }
            }
        }
    }

    fn curve<'a>(
        &self,
        panel: &Panel,
        cases: impl Iterator<Item = &'a CaseReport>,
        place: usize,
    ) -> Markup {
        let of = |case: &CaseReport| {
            let value = (panel.value)(case)?;
            Some((self.across(case.bytes), self.down(value), case.is_extended))
        };
        let points: Vec<(f64, f64, bool)> = cases.filter_map(of).collect();
        let line = points.iter().map(|(x, y, _)| format!("{},{}", pixels(*x), pixels(*y)));
        html! {
            polyline points=(line.collect::<Vec<_>>().join(" ")) fill="none" stroke=(colour(place))
                stroke-width="1.5" stroke-dasharray=[dash(place)] {}
            @for (x, y, is_extended) in &points {
                circle cx=(pixels(*x)) cy=(pixels(*y)) r="2.5" stroke=(colour(place))
                    fill=(if *is_extended { "white" } else { colour(place) }) {}
            }
        }
    }
}

/// The smallest of 1, 2 and 5 times a power of ten that is no smaller.
fn step(least: f64) -> f64 {
    let power = 10_f64.powf(least.max(1e-9).log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|f| f * power)
        .find(|step| *step >= least)
        .unwrap_or(power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        for (least, expected) in [(20.0, 20.0), (21.0, 50.0), (0.3, 0.5), (1.0, 1.0), (70.0, 100.0)]
        {
            assert!((step(least) - expected).abs() < 1e-9, "{least}: {}", step(least));
        }
    }
}
