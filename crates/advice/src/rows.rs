//! Makes the answer of what ran.

use std::cmp::Ordering;

use lightloom_schedules::Operation;
use lightloom_sim::collectives::bus_share;
use lightloom_units::{DataSize, Span};

use crate::case::{Case, Ran, Times, Wire};
use crate::contender::{Carrier, Contender};
use crate::ground::Ground;
use crate::meeting::{break_even, crossovers, extended};
use crate::question::{Crowd, Plan, Question, out};
use crate::report::{AdviceReport, CaseReport, FastestReport, LeftOutReport};
use crate::sentences;

pub(crate) fn report(
    (question, ground): (&Question, &Ground),
    plan: Plan,
    ran: &[Ran],
    (missing, runs): (usize, usize),
) -> AdviceReport {
    let mut left_out = plan.left_out.clone();
    let mut cases: Vec<CaseReport> = ran.iter().map(|ran| simulated(question, ran)).collect();
    for &crowd in &plan.crowds {
        for &contender in &plan.contenders {
            let of_it =
                ran.iter().filter(|ran| (ran.case.contender, ran.case.crowd) == (contender, crowd));
            let times: Vec<(DataSize, Span)> = of_it
                .filter_map(|ran| Some((ran.case.size, ran.came.times.as_ref().ok()?.last)))
                .collect();
            for &size in &plan.extended {
                // A time for each simulated size is there, or the slope is not that of the largest two.
                let whole = times.len() == plan.simulated.len();
                let few = question.few_slices(contender, &plan.simulated);
                let last = extended(&times, size).filter(|_| whole && few.is_none());
                let case = last.map(|last| timed(question, Case { contender, crowd, size }, last));
                // A port that would be passed faster than it can be has no such time.
                let rate = ground.rate.as_bps() as f64;
                match case.filter(|case| case.bus_bps.is_none_or(|bps| bps <= rate)) {
                    Some(case) => cases.push(CaseReport { is_extended: true, ..case }),
                    None if plan.has(contender, crowd) && missing == 0 => {
                        let none = || "smaller sizes have no times that can be extended".to_owned();
                        left_out.push(out(contender, crowd, Some(size), few.unwrap_or_else(none)));
                    }
                    None => {}
                }
            }
        }
    }
    let place = |case: &CaseReport| {
        let order = |one: &Contender| (one.schedule, one.over) == (case.schedule, case.over);
        let contender = plan.contenders.iter().position(order);
        (case.members, case.groups, case.bytes, contender)
    };
    cases.sort_by_key(place);
    // Where the work was stopped, sizes that lack a schedule have no fastest one.
    let complete: Vec<CaseReport> = cases
        .chunk_by(alike)
        .filter(|of_size| is_complete((&plan, &left_out), of_size))
        .flatten()
        .cloned()
        .collect();
    let fastest = fastest(&complete);
    let beside = |case: &CaseReport| CaseReport { last_ps: case.beside_ps, ..case.clone() };
    let fastest_beside = self::fastest(&complete.iter().map(beside).collect::<Vec<_>>());
    let crossovers = crossovers(&fastest, &cases);
    let break_even = break_even(&cases);
    let mut report = AdviceReport {
        operation: question.operation,
        hosts: ground.hosts(),
        rate_bps: ground.rate.as_bps(),
        answer: Vec::new(),
        fastest,
        fastest_beside,
        crossovers,
        break_even,
        has_others: ground.beside.is_some(),
        cases,
        left_out,
        assumed: assumed(question, ran),
        missing,
        runs,
    };
    report.answer = sentences::answer(&report);
    report
}

/// A case that ran.
fn simulated(question: &Question, ran: &Ran) -> CaseReport {
    let Ran { case, came } = ran;
    let beside_ps =
        came.beside.as_ref().and_then(|beside| Some(beside.as_ref().ok()?.last.as_ps()));
    let refused = came.beside.as_ref().and_then(|beside| beside.as_ref().err());
    let of_run = CaseReport {
        messages: Some(came.messages),
        beside_ps,
        why: refused.map(|why| format!("beside others: {why}")),
        ..untimed(*case)
    };
    let Times { first, median, last } = match &came.times {
        Ok(times) => *times,
        Err(why) => return CaseReport { why: Some(why.clone()), ..of_run },
    };
    let bps = |bytes: fn(Wire) -> u64| {
        let wire = came.wire.filter(|wire| wire.time > Span::ZERO)?;
        Some(bytes(wire) as f64 * 8e12 / wire.time.as_ps() as f64)
    };
    CaseReport {
        messages: of_run.messages,
        beside_ps: of_run.beside_ps,
        why: of_run.why,
        first_ps: Some(first.as_ps()),
        median_ps: Some(median.as_ps()),
        link_bps: bps(|wire| wire.link_bytes),
        host_bps: bps(|wire| wire.host_bytes),
        ..timed(question, *case, last)
    }
}

/// A case whose last receiver had all after this time.
fn timed(question: &Question, case: Case, last: Span) -> CaseReport {
    let Case { contender: Contender { over, .. }, crowd, size } = case;
    let algorithm = size.as_bytes() as f64 * 8e12 / (last.as_ps() as f64).max(1.0);
    let arrives = u128::from(crowd.groups)
        * arrives(question.operation, (crowd.members, question.shards), size);
    let share = match question.operation {
        Operation::Refresh => Some(1.0 / f64::from(question.shards)),
        operation => bus_share(operation, crowd.members as usize),
    };
    CaseReport {
        last_ps: Some(last.as_ps()),
        // Servers need shards of the size.
        algorithm_bps: Some(algorithm).filter(|_| question.operation != Operation::Refresh),
        bus_bps: share.map(|share| algorithm * share),
        joules_per_tb: question.costs.joules_per_tb(over, last, arrives),
        cost_per_tb: question.costs.cost_per_tb(over, last, arrives),
        ..untimed(case)
    }
}

fn untimed(case: Case) -> CaseReport {
    let Case { contender, crowd, size } = case;
    CaseReport {
        members: crowd.members,
        groups: crowd.groups,
        name: contender.to_string(),
        schedule: contender.schedule,
        over: contender.over,
        bytes: size.as_bytes(),
        is_extended: false,
        messages: None,
        first_ps: None,
        median_ps: None,
        last_ps: None,
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

/// Bytes that members of a group have in the end and did not have before: copies of a broadcast, parts of others, sums.
fn arrives(operation: Operation, (members, shards): (u32, u32), size: DataSize) -> u128 {
    let (members, bytes) = (u128::from(members), u128::from(size.as_bytes()));
    match operation {
        // A share of each server, rounded down.
        Operation::Refresh => (members - 1) * bytes / u128::from(shards.max(1)),
        // These are not asked about.
        Operation::Dispatch | Operation::Combine => 0,
        Operation::Broadcast | Operation::Allgather | Operation::AllToAll => (members - 1) * bytes,
        Operation::ReduceScatter | Operation::Reduce => bytes,
        // All but the root's own part, which is the smallest.
        Operation::Scatter | Operation::Gather => bytes - bytes / members,
        Operation::Allreduce => members * bytes,
        Operation::Barrier => 0,
    }
}

/// Whether two cases are of the same size and crowd.
fn alike(a: &CaseReport, b: &CaseReport) -> bool {
    (a.members, a.groups, a.bytes) == (b.members, b.groups, b.bytes)
}

/// Whether all contenders have cases that can have them. `cases` are those of one size and crowd.
fn is_complete((plan, left_out): (&Plan, &[LeftOutReport]), cases: &[CaseReport]) -> bool {
    let Some(first) = cases.first() else { return false };
    let crowd = Crowd { members: first.members, groups: first.groups };
    let can = plan.contenders.iter().filter(|contender| plan.has(**contender, crowd)).count();
    let refused = |out: &&LeftOutReport| {
        (out.members, out.groups, out.bytes) == (first.members, first.groups, Some(first.bytes))
    };
    cases.len() + left_out.iter().filter(refused).count() >= can
}

/// The two fastest of each size and crowd. Of equal ones the first.
fn fastest(cases: &[CaseReport]) -> Vec<FastestReport> {
    let of_size = |cases: &[CaseReport]| {
        let mut timed: Vec<_> =
            cases.iter().filter_map(|case| Some((case.last_ps?, case))).collect();
        timed.sort_by_key(|(last, _)| *last);
        let (last_ps, first) = *timed.first()?;
        let next = timed.get(1);
        Some(FastestReport {
            members: first.members,
            groups: first.groups,
            bytes: first.bytes,
            name: first.name.clone(),
            last_ps,
            is_extended: first.is_extended,
            next: next.map(|(_, case)| case.name.clone()),
            times_as_long: next.map(|(last, _)| *last as f64 / (last_ps as f64).max(1.0)),
        })
    };
    cases.chunk_by(alike).filter_map(of_size).collect()
}

fn assumed(question: &Question, ran: &[Ran]) -> Vec<String> {
    let mut notes = Vec::new();
    let registered = ran.iter().filter_map(|ran| ran.came.registration).max();
    if let Some(longest) = registered.filter(|time| time.cmp(&Span::ZERO) == Ordering::Greater) {
        notes.push(format!(
            "a group registers once, in at most {longest}, before the operation; times leave it out"
        ));
    }
    notes.extend(question.costs.notes.iter().cloned());
    if question.sizes.last().is_some_and(|size| *size > question.simulate_up_to) {
        notes.push(format!(
            "times of more than {} are extended: they grow as between the two largest sizes that are simulated",
            question.simulate_up_to
        ));
    }
    if question.groups.iter().any(|&groups| groups > 1) {
        notes.push(
            "the first group has the first hosts, and the next one those after them; all begin together".to_owned(),
        );
    }
    let switches = [Carrier::Cepheus, Carrier::Gleam];
    if ran.iter().any(|ran| switches.contains(&ran.case.contender.over)) {
        notes.push(
            "switches that replicate need accelerators or tables for it, which energy and cost leave out"
                .to_owned(),
        );
    }
    let over_light = |ran: &&Ran| ran.case.contender.over == Carrier::Light;
    if ran.iter().any(|ran| over_light(&ran)) {
        notes.push("a group over light has its answers and repairs over links".to_owned());
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_arrives_is_what_members_did_not_have() {
        let size = DataSize::from_bytes(400);
        let of = |operation| arrives(operation, (4, 2), size);
        assert_eq!(of(Operation::Broadcast), 1200);
        // Each has a quarter and receives three.
        assert_eq!(of(Operation::Allgather), 4 * 300);
        assert_eq!(of(Operation::AllToAll), 4 * 300);
        assert_eq!(of(Operation::ReduceScatter), 4 * 100);
        assert_eq!(of(Operation::Allreduce), 4 * 400);
        // The source has all, and the others hold a half each.
        assert_eq!(of(Operation::Refresh), 3 * 200);
        assert_eq!((of(Operation::Scatter), of(Operation::Gather)), (300, 300));
        assert_eq!(of(Operation::Reduce), 400);
    }
}
