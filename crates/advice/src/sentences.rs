//! The answer in sentences.

use lightloom_units::DataSize;

use crate::report::{AdviceReport, Axis, BreakEvenReport, FastestReport};

/// First which schedule is fastest, then from when on light is faster.
pub(crate) fn answer(report: &AdviceReport) -> Vec<String> {
    let alike =
        |a: &FastestReport, b: &FastestReport| (a.members, a.groups) == (b.members, b.groups);
    let of_crowds = report.fastest.chunk_by(alike);
    let mut said: Vec<String> = of_crowds.map(|of_crowd| fastest(report, of_crowd)).collect();
    let beside = report.fastest_beside.chunk_by(alike);
    said.extend(beside.map(|of_crowd| format!("Beside others: {}", fastest(report, of_crowd))));
    let same = |a: &BreakEvenReport, b: &BreakEvenReport| {
        let fixed = |one: &BreakEvenReport| (one.axis, one.bytes, one.members, one.groups);
        fixed(a) == fixed(b) && a.light == b.light
    };
    let is_told = |against: &&[BreakEvenReport]| against.iter().any(BreakEvenReport::is_told);
    let of_light = report.break_even.chunk_by(same).filter(is_told);
    said.extend(of_light.map(light));
    if said.is_empty() {
        said.push("No case has a time.".to_owned());
    }
    said
}

/// What is fastest from which size to which, and how much longer the next one takes.
fn fastest(report: &AdviceReport, of_crowd: &[FastestReport]) -> String {
    let Some(FastestReport { members, groups, .. }) = of_crowd.first() else {
        return String::new();
    };
    let span = |span: &[FastestReport]| {
        let (first, last) = (span.first()?, span.last()?);
        let range = match (size(first.bytes), size(last.bytes)) {
            (from, to) if from == to => format!("at {from}"),
            (from, to) => format!("from {from} to {to}"),
        };
        let next = longer(span).map(|text| format!(" ({text})")).unwrap_or_default();
        Some(format!("{} is fastest {range}{next}", first.name))
    };
    let spans = of_crowd.chunk_by(|a, b| a.name == b.name).filter_map(span);
    let spans = spans.collect::<Vec<_>>().join("; ");
    let at_once = match groups {
        1 => String::new(),
        _ => format!(" in each of {groups} groups at once"),
    };
    format!("{} of {members} members{at_once}: {spans}.", capital(report.operation.name()))
}

/// How much longer the second one takes, at least and at most.
fn longer(span: &[FastestReport]) -> Option<String> {
    let times = span.iter().filter_map(|one| one.times_as_long);
    let bounds = times.fold(None, |found: Option<(f64, f64)>, times| {
        let (least, most) = found.unwrap_or((times, times));
        Some((least.min(times), most.max(times)))
    });
    let (least, most) = bounds?;
    if most <= 1.0 {
        return Some("the next one takes as long".to_owned());
    }
    let percent = |times: f64| 100.0 * (times - 1.0);
    Some(if most < 2.0 {
        format!("the next one takes {} longer", range(percent(least), percent(most), " %"))
    } else {
        format!("the next one takes {} as long", range(least, most, " times"))
    })
}

/// `1.2 % to 5.1 %`, or one value if both are told as the same.
fn range(least: f64, most: f64, unit: &str) -> String {
    match (digits(least), digits(most)) {
        (least, most) if least == most => format!("{least}{unit}"),
        (least, most) => format!("{least} to {most}{unit}"),
    }
}

/// Two digits or three, or all before the point.
fn digits(value: f64) -> String {
    match value {
        _ if value >= 10.0 => format!("{value:.0}"),
        _ if value >= 1.0 => format!("{value:.1}"),
        _ if value >= 0.01 || value <= 0.0 => format!("{value:.2}"),
        _ => "less than 0.01".to_owned(),
    }
}

/// From when on a schedule over light is faster than others.
fn light(against: &[BreakEvenReport]) -> String {
    let Some(first) = against.first() else { return String::new() };
    let mut places = Vec::new();
    places.extend(first.members.map(|members| format!("{members} members")));
    let groups = first.groups.filter(|&groups| groups > 1);
    places.extend(groups.map(|groups| format!("{groups} groups at once")));
    places.extend(first.bytes.map(size));
    let place =
        if places.is_empty() { String::new() } else { format!("With {}, ", places.join(", ")) };
    let values = match first.axis {
        Axis::Size => "size",
        Axis::Members => "number of members",
        Axis::Groups => "number of groups",
    };
    let others = |is: fn(&BreakEvenReport) -> bool| -> Vec<&str> {
        against.iter().filter(|one| is(one)).map(|one| one.other.as_str()).collect()
    };
    let always = others(|one| one.not_faster.is_empty());
    let never = others(|one| one.faster.is_empty());
    let mut parts = Vec::new();
    if always.len() == against.len() {
        parts.push(format!("than every other schedule at every {values}"));
    } else if never.len() == against.len() {
        parts.push(format!("than no other schedule at any {values}"));
    } else if !always.is_empty() {
        parts.push(format!("than {} at every {values}", always.join(", ")));
    }
    for one in against.iter().filter(|one| one.turns()) {
        parts.push(match one.from {
            Some(from) => {
                let how = if one.from_is_extended { ", by extended times" } else { "" };
                format!("than {} from {} on{how}", one.other, value(one.axis, from))
            }
            None => {
                let at = one.faster.iter().map(|at| value(one.axis, *at));
                format!("than {} only at {}", one.other, at.collect::<Vec<_>>().join(", "))
            }
        });
    }
    if !never.is_empty() && never.len() < against.len() {
        parts.push(format!("than {} at no {values}", never.join(", ")));
    }
    format!("{place}{} is faster {}.", first.light, parts.join("; "))
}

fn value(axis: Axis, value: u64) -> String {
    match axis {
        Axis::Size => size(value),
        Axis::Members => format!("{value} members"),
        Axis::Groups => format!("{value} groups"),
    }
}

fn size(bytes: u64) -> String {
    DataSize::from_bytes(bytes).to_string()
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}
