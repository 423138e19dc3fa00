//! Which schedule of a collective operation is fastest, as people read it.

use lightloom_advice::report::{
    AdviceReport, Axis, BreakEvenReport, CaseReport, CrossoverReport, FastestReport, LeftOutReport,
};
use lightloom_tables::shown::{Head, List, Shown};

use crate::shown::amounts::{UNKNOWN, bytes, decimals, known, rounded};

/// The fastest schedule of each size.
pub const FASTEST: List<FastestReport> = List {
    title: "Fastest schedules",
    heads: &[
        Head::new("with", |one| crowd(one.members, one.groups)),
        Head::new("size", |one| bytes(one.bytes)),
        Head::new("fastest", |one| one.name.clone()),
        Head::new("last member", |one| timed(one.last_ps, one.is_extended)),
        Head::new("next", |one| known(one.next.clone())),
        Head::new("longer", |one| known(one.times_as_long.map(longer))),
    ],
};

/// Where another schedule becomes the fastest.
pub const CROSSOVERS: List<CrossoverReport> = List {
    title: "Crossovers",
    heads: &[
        Head::new("with", |one| crowd(one.members, one.groups)),
        Head::new("fastest up to", |one| format!("{}: {}", bytes(one.from_bytes), one.before)),
        Head::new("from", |one| {
            format!("{}{}: {}", mark(one.is_extended), bytes(one.to_bytes), one.after)
        }),
        Head::new("lines meet at about", |one| bytes(one.about_bytes)),
    ],
};

/// From when on light is faster.
pub const BREAK_EVEN: List<BreakEvenReport> = List {
    title: "From when on light is faster",
    heads: &[
        Head::new("over light", |one| one.light.clone()),
        Head::new("than", |one| one.other.clone()),
        Head::new("with", place),
        Head::new("from", |one| match one.from {
            Some(from) => format!("{}{}", mark(one.from_is_extended), value(one.axis, from)),
            None if one.faster.is_empty() => "never".to_owned(),
            None => "not for good".to_owned(),
        }),
        Head::new("faster at", |one| {
            format!("{} of {}", one.faster.len(), one.faster.len() + one.not_faster.len())
        }),
    ],
};

/// Times alone and beside the messages of others.
pub const BESIDE: List<CaseReport> = List {
    title: "Beside others",
    heads: &[
        Head::new("schedule", |one| one.name.clone()),
        Head::new("with", |one| crowd(one.members, one.groups)),
        Head::new("size", |one| bytes(one.bytes)),
        Head::new("alone", |one| known(one.last_ps.map(rounded))),
        Head::new("beside others", |one| known(one.beside_ps.map(rounded))),
        Head::new("longer", |one| {
            let times = one.beside_ps.zip(one.last_ps).map(|(a, b)| a as f64 / b as f64);
            known(times.map(longer))
        }),
    ],
};

/// What did not run.
pub const LEFT_OUT: List<LeftOutReport> = List {
    title: "Left out",
    heads: &[
        Head::new("left out", |one| one.schedule.clone()),
        Head::new("with", |one| crowd(one.members, one.groups)),
        Head::new("size", |one| one.bytes.map_or_else(|| "all".to_owned(), bytes)),
        Head::new("why", |one| one.reason.clone()),
    ],
};

/// Sizes that stand beside each other in a table. A terminal has room for no more.
const ABREAST: usize = 6;

/// The times until the last member had all: tables for each number of members and groups, with a row for each schedule
/// and a column for each size.
pub fn times(report: &AdviceReport) -> Vec<Shown> {
    report.cases.chunk_by(alike).flat_map(of_crowd).collect()
}

/// Times and rates of the largest size that was simulated: a table for each number of members and groups.
pub fn rates(report: &AdviceReport) -> Vec<Shown> {
    let of_crowd = |cases: &[CaseReport]| {
        let simulated = || cases.iter().filter(|case| !case.is_extended);
        let most = simulated().map(|case| case.bytes).max()?;
        let first = cases.first()?;
        let title = format!("{}, {}", bytes(most), crowd(first.members, first.groups));
        let heads = RATES.map(|(head, _)| head.to_owned());
        let mut shown = Shown::new([title].into_iter().chain(heads));
        for case in simulated().filter(|case| case.bytes == most) {
            shown.add([case.name.clone()].into_iter().chain(RATES.map(|(_, text)| text(case))));
        }
        Some(shown)
    };
    report.cases.chunk_by(alike).filter_map(of_crowd).collect()
}

/// A title, and the text of a case.
type Column = (&'static str, fn(&CaseReport) -> String);

/// Columns of [`rates`].
const RATES: [Column; 8] = [
    ("first", |case| known(case.first_ps.map(rounded))),
    ("median", |case| known(case.median_ps.map(rounded))),
    ("last", |case| known(case.last_ps.map(rounded))),
    ("bus, Gb/s", |case| gbps(case.bus_bps)),
    ("link, Gb/s", |case| gbps(case.link_bps)),
    ("host, Gb/s", |case| gbps(case.host_bps)),
    ("J/TB", |case| decimals(case.joules_per_tb, 0)),
    ("cost/TB", |case| {
        let cost = case
            .cost_per_tb
            .map(|cost| format!("{:.4} {}", cost.as_micros() as f64 / 1e6, cost.currency()));
        cost.unwrap_or_else(|| UNKNOWN.to_owned())
    }),
];

fn alike(a: &CaseReport, b: &CaseReport) -> bool {
    (a.members, a.groups) == (b.members, b.groups)
}

fn of_crowd(cases: &[CaseReport]) -> Vec<Shown> {
    let mut sizes: Vec<u64> = cases.iter().map(|case| case.bytes).collect();
    sizes.dedup();
    let mut names: Vec<&str> = Vec::new();
    for case in cases {
        if !names.contains(&case.name.as_str()) {
            names.push(&case.name);
        }
    }
    let title = cases.first().map_or_else(String::new, |one| crowd(one.members, one.groups));
    let of_sizes = |sizes: &[u64]| {
        let titles = [title.clone()].into_iter().chain(sizes.iter().map(|size| bytes(*size)));
        let mut shown = Shown::new(titles);
        for name in &names {
            let cell = |size: &u64| {
                let case = cases.iter().find(|case| case.bytes == *size && case.name == *name);
                match case.map(|case| (case.last_ps, case.is_extended)) {
                    Some((Some(last), is_extended)) => timed(last, is_extended),
                    // It ran, and somebody lacks a part.
                    Some((None, _)) => "failed".to_owned(),
                    None => "-".to_owned(),
                }
            };
            shown.add([(*name).to_owned()].into_iter().chain(sizes.iter().map(cell)));
        }
        shown
    };
    sizes.chunks(ABREAST).map(of_sizes).collect()
}

/// Stands before what is extended from smaller sizes.
fn mark(is_extended: bool) -> &'static str {
    if is_extended { "~" } else { "" }
}

/// A time, marked if it is extended.
fn timed(ps: u64, is_extended: bool) -> String {
    format!("{}{}", mark(is_extended), rounded(ps))
}

/// How much longer something takes that takes `times` as long.
fn longer(times: f64) -> String {
    match 100.0 * (times - 1.0) {
        percent if percent.abs() < 1e-9 => "as long".to_owned(),
        percent if percent < 0.0 => format!("{percent:.2} %"),
        percent if percent < 0.01 => "< 0.01 %".to_owned(),
        percent if percent < 100.0 => format!("{percent:.2} %"),
        _ => format!("{times:.1} times"),
    }
}

fn crowd(members: u32, groups: u32) -> String {
    match groups {
        1 => format!("{members} members"),
        groups => format!("{groups} groups of {members}"),
    }
}

fn place(one: &BreakEvenReport) -> String {
    let mut parts = Vec::new();
    parts.extend(one.members.map(|members| format!("{members} members")));
    parts.extend(one.groups.filter(|&groups| groups > 1).map(|groups| format!("{groups} groups")));
    parts.extend(one.bytes.map(bytes));
    parts.join(", ")
}

fn value(axis: Axis, value: u64) -> String {
    match axis {
        Axis::Size => bytes(value),
        Axis::Members => format!("{value} members"),
        Axis::Groups => format!("{value} groups"),
    }
}

fn gbps(bps: Option<f64>) -> String {
    known(bps.map(|bps| format!("{:.1}", bps / 1e9)))
}
