//! Computations of Chakra that have operations and no duration.

use lightloom_traces::What;
use lightloom_traces::chakra::{NamedGroups, read};
use lightloom_units::{Span, Speed};

use crate::wire::{Node, file};

/// Operations without a duration take their time at the speed that is said, rounded up; a duration goes before.
#[test]
fn operations_take_the_time_of_a_speed() {
    let work = |micros, ops: u64| Node::compute(1, micros, &[]).with("num_ops", ops);
    let at =
        |node: Node, ops| read(&[file(&[node])], &NamedGroups::new(), Some(Speed::from_ops(ops)));
    let takes = |node: Node, ops| match at(node, ops).unwrap().ranks[0].ops()[0].what {
        What::Compute { takes } => takes,
        other => panic!("{other:?}"),
    };
    assert_eq!(takes(work(0, 312_000_001), 312_000_000_000_000), Span::from_ps(1_000_001));
    assert_eq!(takes(work(7, 312_000_001), 312_000_000_000_000), Span::from_us(7));
    let error = at(work(0, u64::MAX), 1).unwrap_err().to_string();
    assert!(
        error.contains("take longer than 1000000000000 us at 1 op/s; give a higher speed"),
        "{error}"
    );
}
