//! A space-time diagram: hosts from top to bottom, time from left to right, and a line for each message from where and
//! when it was asked for to where and when it was there. Computations are boxes on the rows of their hosts.

use std::collections::BTreeMap;
use std::io::{self, Write};

use lightloom_scenario::scenario::Scenario;
use lightloom_topology::electrical::NodeId;
use lightloom_twin::Outcome;
use lightloom_units::{Instant, Span};
use maud::{Markup, html};

use super::events::job_names;
use super::messages::{Computed, Message, all, computed};
use crate::strokes::{COLOURS, pixels};

/// Width of the field of the lines, in pixels.
const WIDTH: f64 = 1000.0;
/// Room for names at the left, and for the axis.
const LEFT: f64 = 130.0;
const TOP: f64 = 40.0;
/// Least and greatest height of all rows together.
const HEIGHT: (f64, f64) = (120.0, 900.0);
/// Height of a row where there is room.
const ROW: f64 = 24.0;
/// No more rows have their names.
const NAMED: usize = 75;
/// No more lines are drawn.
const MOST: usize = 100_000;

pub(super) fn write(mut out: impl Write, scenario: &Scenario, outcome: &Outcome) -> io::Result<()> {
    let mut messages: Vec<Message> = all(scenario, outcome).collect();
    let lines = |message: &Message| message.receivers.len();
    let all_lines: usize = messages.iter().map(lines).sum();
    let mut drawn = 0;
    messages.retain(|message| {
        drawn += lines(message);
        drawn <= MOST
    });
    let mut boxes: Vec<Computed> = computed(scenario, outcome).collect();
    let left_out =
        all_lines - messages.iter().map(lines).sum::<usize>() + boxes.len().saturating_sub(MOST);
    boxes.truncate(MOST);
    let picture = picture(scenario, outcome, (&messages, &boxes), left_out);
    out.write_all(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")?;
    out.write_all(picture.into_string().as_bytes())
}

/// Where hosts and times are.
struct Scale {
    rows: BTreeMap<NodeId, f64>,
    begin: u64,
    end: u64,
}

impl Scale {
    fn x(&self, at: Instant) -> f64 {
        let length = (self.end - self.begin).max(1) as f64;
        LEFT + WIDTH * (at.as_ps().saturating_sub(self.begin)) as f64 / length
    }

    fn y(&self, host: NodeId) -> f64 {
        self.rows.get(&host).copied().unwrap_or(TOP)
    }
}

fn picture(
    scenario: &Scenario,
    outcome: &Outcome,
    (messages, boxes): (&[Message], &[Computed]),
    left_out: usize,
) -> Markup {
    let mut hosts: Vec<NodeId> = messages
        .iter()
        .flat_map(|message| message.receivers.iter().map(|(host, _)| *host).chain([message.from]))
        .chain(boxes.iter().map(|one| one.host))
        .collect();
    hosts.sort_unstable();
    hosts.dedup();
    let height = (ROW * hosts.len() as f64).clamp(HEIGHT.0, HEIGHT.1);
    let step = height / hosts.len().max(1) as f64;
    let row = |(place, host): (usize, &NodeId)| (*host, TOP + step * (place as f64 + 0.5));
    let asked = messages.iter().map(|message| message.asked);
    let begin = asked.chain(boxes.iter().map(|one| one.began)).map(Instant::as_ps);
    let begin = begin.min().unwrap_or(0);
    let times =
        messages.iter().flat_map(|message| message.receivers.iter().filter_map(|(_, at)| *at));
    let times = times.chain(boxes.iter().filter_map(|one| one.ended));
    let is_open = |message: &Message| message.receivers.iter().any(|(_, at)| at.is_none());
    let last = times.map(Instant::as_ps).max().unwrap_or(begin);
    // What never arrived or ended hangs until the end of the run.
    let hangs = messages.iter().any(is_open) || boxes.iter().any(|one| one.ended.is_none());
    let last = if hangs { outcome.reached.as_ps() } else { last };
    let end = last.max(begin + 1);
    let scale = Scale { rows: hosts.iter().enumerate().map(row).collect(), begin, end };
    let (wide, high) = (LEFT + WIDTH + 30.0, TOP + height + 60.0);
    html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(format!("0 0 {wide:.0} {high:.0}"))
            width=(format!("{wide:.0}")) height=(format!("{high:.0}"))
            font-family="sans-serif" font-size="11" {
            title { "Messages between hosts over time" }
            rect width="100%" height="100%" fill="white" {}
            (legend(scenario, left_out))
            (axis(&scale, height))
            @if hosts.len() <= NAMED {
                @for host in &hosts {
                    @let y = scale.y(*host);
                    line x1=(pixels(LEFT)) x2=(pixels(LEFT + WIDTH)) y1=(pixels(y)) y2=(pixels(y))
                        stroke="#e4e4e4" {}
                    text x=(pixels(LEFT - 6.0)) y=(pixels(y + 4.0)) text-anchor="end" {
                        (scenario.network.name(*host))
                    }
                }
            } @else {
                text x=(pixels(LEFT - 6.0)) y=(pixels(TOP + 10.0)) text-anchor="end" {
                    (hosts.len()) " hosts"
                }
            }
            g fill-opacity="0.35" {
                @for one in boxes { (box_of(one, &scale, step)) }
            }
            g stroke-width="1" stroke-opacity="0.7" {
                @for message in messages { (lines_of(message, &scale)) }
            }
        }
    }
}

/// The colour of a collective operation or a trace; grey without one.
fn colour(job: Option<usize>) -> &'static str {
    job.map_or("#777777", |place| COLOURS[place % COLOURS.len()])
}

/// The box of a computation. One that was not over ends where the picture ends.
fn box_of(one: &Computed, scale: &Scale, step: f64) -> Markup {
    let x = scale.x(one.began);
    let wide = one.ended.map_or(LEFT + WIDTH, |at| scale.x(at)) - x;
    let high = (0.5 * step).clamp(1.0, 12.0);
    html! {
        rect x=(pixels(x)) y=(pixels(scale.y(one.host) - high / 2.0)) width=(pixels(wide.max(0.5)))
            height=(pixels(high)) fill=(colour(one.job)) {}
    }
}

/// The lines of a message: in the colour of its collective operation, or grey. One that never arrived ends where the
/// picture ends, and is dashed.
fn lines_of(message: &Message, scale: &Scale) -> Markup {
    let colour = colour(message.job);
    let (x, y) = (scale.x(message.asked), scale.y(message.from));
    html! {
        @for (host, at) in &message.receivers {
            @let (to_x, to_y) = (at.map_or(LEFT + WIDTH, |at| scale.x(at)), scale.y(*host));
            line x1=(pixels(x)) y1=(pixels(y)) x2=(pixels(to_x)) y2=(pixels(to_y)) stroke=(colour)
                stroke-dasharray=[at.is_none().then_some("3 3")] {}
        }
    }
}

/// The names of collective operations and traces in their colours.
fn legend(scenario: &Scenario, left_out: usize) -> Markup {
    let names = job_names(scenario).zip(COLOURS.iter().cycle());
    // More do not fit.
    let names: Vec<_> = names.take(COLOURS.len()).enumerate().collect();
    html! {
        @for (place, (name, colour)) in names {
            @let x = LEFT + 145.0 * place as f64;
            line x1=(pixels(x)) x2=(pixels(x + 16.0)) y1="14" y2="14" stroke=(colour) stroke-width="2" {}
            text x=(pixels(x + 20.0)) y="18" { (short(name)) }
        }
        @if left_out > 0 {
            text x=(pixels(LEFT)) y="34" fill="#b00000" {
                (left_out) " later messages and computations are left out"
            }
        }
    }
}

/// A name that fits the legend.
fn short(name: &str) -> String {
    const FITS: usize = 20;
    match name.chars().count() {
        0..=FITS => name.to_owned(),
        _ => name.chars().take(FITS - 1).chain(['…']).collect(),
    }
}

/// The axis of time, with marks at round times.
fn axis(scale: &Scale, height: f64) -> Markup {
    let step = round_step((scale.end - scale.begin) / 8);
    let first = scale.begin.div_ceil(step);
    let marks: Vec<u64> = (first..=scale.end / step).map(|mark| mark * step).collect();
    let bottom = TOP + height;
    html! {
        @for mark in marks {
            @let at = Instant::from_ps(mark);
            @let x = scale.x(at);
            line x1=(pixels(x)) x2=(pixels(x)) y1=(pixels(TOP)) y2=(pixels(bottom + 5.0))
                stroke="#cccccc" {}
            text x=(pixels(x)) y=(pixels(bottom + 20.0)) text-anchor="middle" {
                (Span::from_ps(mark).to_string())
            }
        }
        text x=(pixels(LEFT + WIDTH / 2.0)) y=(pixels(bottom + 42.0)) text-anchor="middle" {
            "simulated time"
        }
    }
}

/// The smallest of 1, 2 and 5 times a power of ten that is no smaller.
fn round_step(least: u64) -> u64 {
    let mut power: u64 = 1;
    loop {
        for factor in [1, 2, 5] {
            let step = power.saturating_mul(factor);
            if step >= least || step > u64::MAX / 10 {
                return step.max(1);
            }
        }
        power = power.saturating_mul(10);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        let steps = [0, 1, 3, 7, 11, 21, 60, 100, 101].map(round_step);
        assert_eq!(steps, [1, 1, 5, 10, 20, 50, 100, 100, 200]);
    }
}
