//! Refusals of losses, failures, recovery and probes.

use lightloom_scenario::said::{FailureRow, LossRow, Node, ProbesRow, RecoveryRow};
use lightloom_units::{Instant, Span};

use crate::given::flow;
use crate::refusals::{building, check, on};

#[test]
fn of_losses_failures_recovery_and_probes() {
    let loss = |row: LossRow| on(|builder| builder.loss(&row));
    let failure = |row: FailureRow| on(|builder| builder.failure(&row));
    let link = || Some(vec![Node::from("leaf 0"), Node::from("spine 0")]);
    let layer = || LossRow { layer: Some(1), rate: Some(0.1), ..LossRow::default() };
    let dies = || FailureRow { link: link(), at: Some(Instant::ZERO), ..FailureRow::default() };
    let recovery = |row: RecoveryRow| {
        building(|builder| {
            builder.flow(&flow(0, 5))?;
            builder.recovery(row);
            Ok(())
        })
    };
    let of_plan = "names a part of a planned fabric; the network must be kind = \"design\", and the \
                   scenario must have a [[group]]";
    let named = |row: FailureRow, field: &str| {
        let found = failure(row).unwrap_err().to_string();
        assert_eq!(found, format!("failure[0].{field}: {of_plan}"));
    };
    named(FailureRow { relay: Some("0".to_owned()), link: None, ..dies() }, "relay");
    named(FailureRow { failed: Some("tor:0".to_owned()), link: None, ..dies() }, "failed");
    check([
        (
            loss(LossRow { rate: None, ..layer() }),
            "loss[0].rate: is missing; give one such as 1e-5",
        ),
        (loss(LossRow { rate: Some(2.0), ..layer() }), "loss[0].rate: found 2; expected 0 to 1"),
        (
            loss(LossRow { layer: Some(9), ..layer() }),
            "loss[0].layer: found 9; expected the layer of the transmitters, 0 (hosts) to 2",
        ),
        (
            loss(LossRow { link: link(), ..layer() }),
            "loss[0].layer: is given together with link; give one of the two",
        ),
        (
            loss(LossRow { layer: None, ..layer() }),
            "loss[0].link: is missing; give link = [\"leaf 0\", \"spine 1\"], layer = 1 or a splitter",
        ),
        (
            loss(LossRow { branch: Some("0".to_owned()), ..layer() }),
            "loss[0].branch: is for a splitter; give splitter too",
        ),
        (
            failure(FailureRow { at: None, ..dies() }),
            "failure[0].at: is missing; give one such as \"1 ms\"",
        ),
        (
            failure(FailureRow { until: Some(Instant::ZERO), ..dies() }),
            "failure[0].until: found 0 ps, which is not after 0 ps",
        ),
        (
            failure(FailureRow { node: Some(Node::Host(0)), ..dies() }),
            "failure[0].node: is given together with link; give one of them",
        ),
        (
            failure(FailureRow { link: Some(vec![Node::Host(0)]), ..dies() }),
            "failure[0].link: found 1 nodes; expected the two ends of a link",
        ),
        (
            failure(FailureRow { link: Some(vec![Node::Host(0), Node::Host(1)]), ..dies() }),
            "failure[0].link: found no link between \"host 0\" and \"host 1\"; name two neighbours",
        ),
        (
            failure(FailureRow { link: None, ..dies() }),
            "failure[0].link: is missing; give link = [\"leaf 0\", \"spine 1\"], node = \"spine 1\" or \
             storm = \"host 1\"",
        ),
        (
            recovery(RecoveryRow::default()),
            "recovery.detection: is missing; give one such as \"10 us\"",
        ),
        (
            recovery(RecoveryRow { drain: Some(Span::ZERO), ..RecoveryRow::default() }),
            "recovery.drain: is for failures of a planned fabric; the network must be kind = \
             \"design\", and the scenario must have a [[group]]",
        ),
        (
            building(|builder| {
                builder.flow(&flow(0, 5))?;
                builder
                    .probes(ProbesRow { interval: Some(Span::from_ns(0)), ..ProbesRow::default() });
                Ok(())
            }),
            "probes.interval: found 0 ps; expected 1 ns to 1000 s",
        ),
    ]);
}
