//! Where times of two schedules meet, and times beyond the largest simulated size.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_units::{DataSize, Span};

use crate::contender::Carrier;
use crate::report::{Axis, BreakEvenReport, CaseReport, CrossoverReport, FastestReport};

/// The time of a size on the line through the two largest sizes. `None`: there are no two, or the time does not grow.
pub(crate) fn extended(times: &[(DataSize, Span)], size: DataSize) -> Option<Span> {
    let [.., (before, early), (last, late)] = times else { return None };
    let bytes = last.as_bytes().checked_sub(before.as_bytes()).filter(|&bytes| bytes > 0)?;
    let more = size.as_bytes().checked_sub(last.as_bytes())?;
    let grows = late.checked_sub(*early).filter(|&grows| grows > Span::ZERO)?;
    let rest = u128::from(more) * u128::from(grows.as_ps()) / u128::from(bytes);
    late.checked_add(Span::from_ps(u64::try_from(rest).ok()?))
}

/// Where another schedule becomes the fastest. `fastest` is in order of members, groups and sizes.
pub(crate) fn crossovers(fastest: &[FastestReport], cases: &[CaseReport]) -> Vec<CrossoverReport> {
    let time = |of: &FastestReport, name: &str| {
        let is_it = |case: &&CaseReport| {
            (case.members, case.groups, case.bytes) == (of.members, of.groups, of.bytes)
                && case.name == name
        };
        cases.iter().find(is_it).and_then(|case| case.last_ps)
    };
    let of_pair = |pair: &[FastestReport]| {
        let [a, b] = pair else { return None };
        let alike = (a.members, a.groups) == (b.members, b.groups);
        if !alike || a.name == b.name {
            return None;
        }
        let lead = time(a, &b.name)?.checked_sub(a.last_ps)?;
        let lag = time(b, &a.name)?.checked_sub(b.last_ps)?;
        let (gap, parts) = (b.bytes - a.bytes, u128::from(lead) + u128::from(lag));
        let share = (u128::from(gap) * u128::from(lead)).checked_div(parts).unwrap_or(0);
        Some(CrossoverReport {
            members: a.members,
            groups: a.groups,
            before: a.name.clone(),
            after: b.name.clone(),
            from_bytes: a.bytes,
            to_bytes: b.bytes,
            about_bytes: a.bytes + u64::try_from(share).unwrap_or(gap),
            is_extended: b.is_extended,
        })
    };
    fastest.windows(2).filter_map(of_pair).collect()
}

/// A case without what grows along an axis, and what grows.
type Fixed = (Option<u64>, Option<u32>, Option<u32>);

fn along(axis: Axis, case: &CaseReport) -> (Fixed, u64) {
    let (bytes, members, groups) = (Some(case.bytes), Some(case.members), Some(case.groups));
    match axis {
        Axis::Size => ((None, members, groups), case.bytes),
        Axis::Members => ((bytes, None, groups), case.members.into()),
        Axis::Groups => ((bytes, members, None), case.groups.into()),
    }
}

/// From when on schedules over light are faster than each other one: along sizes, and along members and groups if there
/// are several numbers of them.
pub(crate) fn break_even(cases: &[CaseReport]) -> Vec<BreakEvenReport> {
    let count = |of: fn(&CaseReport) -> u64| cases.iter().map(of).collect::<BTreeSet<_>>().len();
    let mut found = Vec::new();
    for axis in Axis::ALL {
        let values = match axis {
            // One size is a comparison too.
            Axis::Size => 2,
            Axis::Members => count(|case| case.members.into()),
            Axis::Groups => count(|case| case.groups.into()),
        };
        if values < 2 {
            continue;
        }
        let mut lines: BTreeMap<Fixed, Vec<(u64, &CaseReport)>> = BTreeMap::new();
        for case in cases {
            let (fixed, value) = along(axis, case);
            lines.entry(fixed).or_default().push((value, case));
        }
        for (fixed, mut line) in lines {
            line.sort_by_key(|(value, _)| *value);
            let names = |is_light: bool| {
                let of_it =
                    line.iter().filter(|(_, case)| (case.over == Carrier::Light) == is_light);
                let mut names: Vec<&str> = Vec::new();
                for (_, case) in of_it {
                    if !names.contains(&case.name.as_str()) {
                        names.push(&case.name);
                    }
                }
                names
            };
            for light in names(true) {
                for other in names(false) {
                    found.extend(one((axis, fixed), &line, (light, other)));
                }
            }
        }
    }
    found
}

/// `None`: no value has times of both.
fn one(
    (axis, (bytes, members, groups)): (Axis, Fixed),
    line: &[(u64, &CaseReport)],
    (light, other): (&str, &str),
) -> Option<BreakEvenReport> {
    let times = |name: &str| -> BTreeMap<u64, u64> {
        let of_it = line.iter().filter(|(_, case)| case.name == name);
        of_it.filter_map(|(value, case)| Some((*value, case.last_ps?))).collect()
    };
    let others = times(other);
    let both =
        times(light).into_iter().filter_map(|(at, time)| Some((at, time < *others.get(&at)?)));
    let both: Vec<(u64, bool)> = both.collect();
    let (last, _) = both.last()?;
    let that = |is: bool| both.iter().filter(move |(_, faster)| *faster == is).map(|(at, _)| *at);
    let (faster, not_faster): (Vec<u64>, Vec<u64>) = (that(true).collect(), that(false).collect());
    let from = match not_faster.last() {
        Some(worst) if worst == last => None,
        Some(worst) => faster.iter().find(|at| *at > worst).copied(),
        None => faster.first().copied(),
    };
    let is_there = |(value, case): &(u64, &CaseReport)| Some(*value) == from && case.is_extended;
    Some(BreakEvenReport {
        axis,
        light: light.to_owned(),
        other: other.to_owned(),
        bytes,
        members,
        groups,
        from,
        from_is_extended: line.iter().any(is_there),
        faster,
        not_faster,
    })
}

#[cfg(test)]
mod tests {
    use lightloom_schedules::Schedule;

    use super::*;

    #[test]
    fn times_are_extended_along_a_line() {
        let times = |all: &[(u64, u64)]| -> Vec<(DataSize, Span)> {
            all.iter().map(|&(b, t)| (DataSize::from_bytes(b), Span::from_ps(t))).collect()
        };
        let at = |all: &[(u64, u64)], size| {
            extended(&times(all), DataSize::from_bytes(size)).map(Span::as_ps)
        };
        assert_eq!(at(&[(1, 900), (10, 100), (20, 160)], 40), Some(280));
        assert_eq!(at(&[(10, 100), (20, 160)], 20), Some(160));
        assert_eq!(at(&[(10, 100)], 40), None);
        assert_eq!(at(&[(10, 100), (20, 100)], 40), None);
        assert_eq!(at(&[(10, 100), (20, 160)], 15), None);
    }

    fn case(bytes: u64, over: Carrier, last_ps: Option<u64>) -> CaseReport {
        let (schedule, name) = match over {
            Carrier::Light => (Schedule::Multicast, "light"),
            _ => (Schedule::Chain, "chain"),
        };
        CaseReport {
            members: 8,
            groups: 1,
            name: name.into(),
            schedule,
            over,
            bytes,
            is_extended: false,
            messages: None,
            first_ps: None,
            median_ps: None,
            last_ps,
            algorithm_bps: None,
            bus_bps: None,
            link_bps: None,
            host_bps: None,
            joules_per_tb: None,
            cost_per_tb: None,
            beside_ps: None,
            why: None,
        }
    }

    /// Light and chain at sizes 10, 20, 40.
    fn from(light: [Option<u64>; 3], chain: [Option<u64>; 3]) -> Option<BreakEvenReport> {
        let of = |at: usize| {
            let bytes = [10, 20, 40][at];
            [case(bytes, Carrier::Light, light[at]), case(bytes, Carrier::Links, chain[at])]
        };
        let cases: Vec<CaseReport> = (0..3).flat_map(of).collect();
        let mut found = break_even(&cases);
        assert!(found.len() <= 1, "members and groups are one number each");
        found.pop()
    }

    #[test]
    fn the_break_even_is_the_least_value_from_which_light_stays_faster() {
        let all = |times: [u64; 3]| times.map(Some);
        let found = |light, chain| from(light, chain).unwrap();
        assert_eq!(found(all([1, 1, 1]), all([2, 2, 2])).from, Some(10));
        assert_eq!(found(all([3, 1, 1]), all([2, 2, 2])).from, Some(20));
        // It is faster, and then no longer.
        let lost = found(all([3, 1, 2]), all([2, 2, 2]));
        assert_eq!((lost.from, lost.faster, lost.not_faster), (None, vec![20], vec![10, 40]));
        // What has no time counts for nothing.
        let some = found([Some(3), Some(1), None], all([2, 2, 2]));
        assert_eq!((some.from, some.not_faster), (Some(20), vec![10]));
        assert_eq!(from([None; 3], all([2, 2, 2])), None);
    }

    #[test]
    fn lines_through_both_times_meet_at_the_crossover() {
        let fastest = |bytes, name: &str, last_ps| FastestReport {
            members: 8,
            groups: 1,
            bytes,
            name: name.into(),
            last_ps,
            is_extended: false,
            next: None,
            times_as_long: None,
        };
        // Light is 30 behind at 10, and 10 ahead at 50.
        let cases = [
            case(10, Carrier::Light, Some(130)),
            case(10, Carrier::Links, Some(100)),
            case(50, Carrier::Light, Some(200)),
            case(50, Carrier::Links, Some(210)),
        ];
        let found = crossovers(&[fastest(10, "chain", 100), fastest(50, "light", 200)], &cases);
        let [one] = &found[..] else { panic!("{found:?}") };
        assert_eq!((one.from_bytes, one.about_bytes, one.to_bytes), (10, 40, 50));
        assert_eq!((one.before.as_str(), one.after.as_str()), ("chain", "light"));
    }
}
