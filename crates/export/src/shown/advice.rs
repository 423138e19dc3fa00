//! Which schedule of a collective operation is fastest, as people read it.

use lightloom_advice::report::{
    AdviceReport, Axis, BreakEvenReport, CaseReport, CrossoverReport, FastestReport, LeftOutReport,
};
use lightloom_tables::shown::{Face, Head, List, Shown};

use crate::shown::amounts::{bytes, decimals, known, rounded};

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
        Head::new("from", |one| format!("{}: {}", bytes(one.to_bytes), one.after)),
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
            Some(from) => value(one.axis, from),
            None => "never to stay".to_owned(),
        }),
        Head::new("faster at", |one| {
            format!("{} of {}", one.faster.len(), one.faster.len() + one.not_faster.len())
        }),
    ],
};

/// Rates of cases.
pub const RATES: List<CaseReport> = List {
    title: "Rates",
    heads: &[
        Head::new("schedule", |one| one.name.clone()),
        Head::new("with", |one| crowd(one.members, one.groups)),
        Head::new("size", |one| bytes(one.bytes)),
        Head::new("first", |one| known(one.first_ps.map(rounded))),
        Head::new("median", |one| known(one.median_ps.map(rounded))),
        Head::new("last", |one| known(one.last_ps.map(|ps| timed(ps, one.is_extended)))),
        Head::only(Face::Window, "algorithm, Gb/s", |one| gbps(one.algorithm_bps)),
        Head::new("bus, Gb/s", |one| gbps(one.bus_bps)),
        Head::new("link", |one| gbps(one.link_bps)),
        Head::new("host", |one| gbps(one.host_bps)),
        Head::new("J/TB", |one| decimals(one.joules_per_tb, 0)),
        Head::new("per TB", |one| {
            one.cost_per_tb
                .map_or_else(|| "unknown".to_owned(), |cost| cost.to_hundredths().to_string())
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
const BESIDE: usize = 6;

/// The times until the last member had all: tables for each number of members and groups, with a row for each schedule
/// and a column for each size.
pub fn times(report: &AdviceReport) -> Vec<Shown> {
    report.cases.chunk_by(alike).flat_map(of_crowd).collect()
}

/// The cases of the largest size that was simulated, for each number of members and groups.
pub fn largest(report: &AdviceReport) -> Vec<&CaseReport> {
    let of_crowd = |cases: &'_ [CaseReport]| {
        let simulated = cases.iter().filter(|case| !case.is_extended);
        simulated.map(|case| case.bytes).max()
    };
    let crowds = report.cases.chunk_by(alike);
    crowds
        .flat_map(|cases| {
            let most = of_crowd(cases);
            cases.iter().filter(move |case| Some(case.bytes) == most)
        })
        .collect()
}

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
    sizes.chunks(BESIDE).map(of_sizes).collect()
}

/// A time, marked if it is extended.
fn timed(ps: u64, is_extended: bool) -> String {
    if is_extended { format!("~{}", rounded(ps)) } else { rounded(ps) }
}

/// How much longer something takes that takes `times` as long.
fn longer(times: f64) -> String {
    if times < 2.0 {
        format!("{:.2} %", 100.0 * (times - 1.0))
    } else {
        format!("{times:.1} times")
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
    known(bps.map(|bps| format!("{:.2}", bps / 1e9)))
}
