//! Trays, coloured by their fill.

use lightloom_studies::floor::StretchArrays;
use maud::{Markup, html};

use crate::pictures::labels::{Anchor, Spot, label};
use crate::pictures::millimetres::mm;

/// A class of fill: up to this share in percent, how it is called, its colour, and its width on paper.
struct Class {
    most: f64,
    name: &'static str,
    colour: &'static str,
    width: f64,
}

/// 25 % is the share to plan for (TIA-569), above 100 % the cables do not fit. Fuller trays are thicker, for prints
/// in black and white.
const CLASSES: [Class; 5] = [
    Class { most: 10.0, name: "up to 10 %", colour: "#9ecae1", width: 0.5 },
    Class { most: 25.0, name: "up to 25 %", colour: "#3182bd", width: 0.8 },
    Class { most: 50.0, name: "up to 50 %: crowded", colour: "#fdae6b", width: 1.1 },
    Class { most: 100.0, name: "up to 100 %", colour: "#e6550d", width: 1.4 },
    Class { most: f64::INFINITY, name: "over 100 %: overfull", colour: "#a50f15", width: 1.8 },
];

fn class_of(fill: f64) -> usize {
    CLASSES.iter().position(|class| fill <= class.most).unwrap_or(CLASSES.len() - 1)
}

/// A line on the floor, in metres, with its class.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Line {
    from: (f64, f64),
    to: (f64, f64),
    class: usize,
}

/// The trays with cables. `place` gives the place on paper of a place on the floor.
pub(super) fn drawn(stretches: &StretchArrays, place: impl Fn(f64, f64) -> (f64, f64)) -> Markup {
    let lines = merged(stretches);
    html! {
        @for (number, class) in CLASSES.iter().enumerate() {
            g stroke=(class.colour) stroke-width=(mm(class.width)) {
                @for line in lines.iter().filter(|line| line.class == number) {
                    @let (from, to) = (place(line.from.0, line.from.1), place(line.to.0, line.to.1));
                    line x1=(mm(from.0)) y1=(mm(from.1)) x2=(mm(to.0)) y2=(mm(to.1)) {}
                }
            }
        }
    }
}

/// The stretches as lines. Those that follow each other in one tray with one class are one line.
fn merged(stretches: &StretchArrays) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for (at, &fill) in stretches.fill_percent.iter().enumerate() {
        let from = (stretches.from_x_m[at], stretches.from_y_m[at]);
        let to = (stretches.to_x_m[at], stretches.to_y_m[at]);
        let next = Line { from, to, class: class_of(fill) };
        match lines.last_mut() {
            Some(last) if last.class == next.class && follows(last, &next) => last.to = next.to,
            _ => lines.push(next),
        }
    }
    lines
}

/// Whether a line goes on where another ends, in the same direction along x or y.
fn follows(line: &Line, next: &Line) -> bool {
    let along = |line: &Line| (line.from.1 == line.to.1, line.from.0 == line.to.0);
    let (one, other) = (along(line), along(next));
    line.to == next.from && one == other && (one.0 || one.1)
}

/// The legend, from left to right in the room of this width.
pub(super) fn legend(x: f64, y: f64, most: f64) -> Markup {
    let step = most / CLASSES.len() as f64;
    html! {
        @for (number, class) in (0_u32..).zip(&CLASSES) {
            @let left = x + step * f64::from(number);
            line x1=(mm(left)) y1=(mm(y - 1.0)) x2=(mm(left + 8.0)) y2=(mm(y - 1.0)) stroke=(class.colour)
                stroke-width=(mm(class.width)) {}
            (label(class.name, Spot::at(left + 9.0, y, 2.8, step - 10.0, Anchor::Start)))
        }
    }
}
