//! What no schedule is made for.

use lightloom_schedules::{Given, Operation, Refusal, Schedule};

#[test]
fn refusals_say_what_to_take_instead() {
    let refused = |schedule: Schedule, operation, members, bytes| {
        schedule.graph(operation, &Given { slice: 1, ..Given::new(members, bytes) }).unwrap_err()
    };
    let alone = refused(Schedule::Ring, Operation::Allgather, 1, 8);
    assert_eq!(alone, Refusal::Alone(1));
    let odd = refused(Schedule::BinomialPipeline, Operation::Broadcast, 12, 8).to_string();
    assert_eq!(odd, "found 12 members; binomial-pipeline needs a power of two, such as 8 or 16");
    let foreign = refused(Schedule::Bruck, Operation::Broadcast, 8, 8).to_string();
    assert!(foreign.contains("no schedule of broadcast; those are sequential, concurrent"));
    let many = refused(Schedule::Chain, Operation::Broadcast, 1 << 20, 1 << 20);
    assert_eq!(many, Refusal::TooMany { schedule: Schedule::Chain });
}

/// Every schedule is of some operation, and every operation has one.
#[test]
fn every_schedule_has_an_operation() {
    assert!(Schedule::ALL.iter().all(|schedule| !schedule.operations().is_empty()));
    let has = |operation: &Operation| {
        Schedule::ALL.iter().any(|one| one.operations().contains(operation))
    };
    assert!(Operation::ALL.iter().all(has));
}
