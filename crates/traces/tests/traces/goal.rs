//! The text of GOAL.

use lightloom_traces::goal::{read, refuse_binary, write};
use lightloom_traces::{At, Need, Op, OpId, Program, Rank, Stage, Trace, What};
use lightloom_units::{DataSize, Span};
use proptest::prelude::*;

use crate::random::{operations, trace};

#[test]
fn all_of_the_language_is_read() {
    let text = "// A comment.\nnum_ranks 3\n\n/* Another,\n   on two lines. */\nrank 1 {\r\n\
                recv 8b from -1 tag -1 cpu 2 nic 1\n}\nrank 0 { l1: calc 1500 cpu 3 // behind\n\
                \tl2: send 8b to 1 nic 2 cpu 1 tag 7\nl2 requires l1\nl3: calc 0\nl3 irequires l2 }\nrank 2 {\n}";
    let trace = read(text).unwrap();
    let op = |what, stream, nic, at| Op { what, stream, nic, at };
    let size = DataSize::from_bytes(8);
    let zero = vec![
        op(What::Compute { takes: Span::from_ns(1_500) }, 3, 0, 9),
        op(What::Send { to: Rank(1), size, tag: 7 }, 1, 2, 10),
        op(What::Compute { takes: Span::ZERO }, 0, 0, 12),
    ];
    let needs = vec![
        (OpId(1), Need { on: OpId(0), how: Stage::Ended }),
        (OpId(2), Need { on: OpId(1), how: Stage::Begun }),
    ];
    let one = vec![op(What::Receive { from: None, size, tag: None }, 2, 1, 7)];
    let ranks = vec![Program::new(zero, needs), Program::new(one, vec![]), Program::default()];
    assert_eq!(trace, Trace { ranks, ..Trace::default() });
}

/// What is refused, at which line, and what the message says.
#[test]
fn what_is_no_goal_is_refused_at_its_line() {
    let of = |rank: &str| format!("num_ranks 2\nrank 0 {{\n{rank}\n}}\nrank 1 {{\n}}\n");
    let cases = [
        ("", Some(1), "the end of the file; expected \"num_ranks\""),
        ("num_ranks 0\n", Some(1), "out of range"),
        ("num_ranks 99999999\n", Some(1), "out of range"),
        ("num_ranks 2\nrank 0 {\n}\n", Some(4), "rank 1 of 2 has no block; is the file truncated?"),
        ("num_ranks 1\nrank 0 {\nl1: calc 5\n", Some(4), "rank 0: the file ends within the block"),
        ("num_ranks 1\nrank 0 {\n}\nrank 0 {\n}\n", Some(4), "rank 0: has a second block"),
        ("num_ranks 1\nrank 3 {\n}\n", Some(2), "found rank 3; there are 1"),
        ("num_ranks 1\n/* no end\nrank 0 {\n}\n", Some(2), "a comment has no end"),
        (&of("send 8b to 2"), Some(3), "rank 0: found rank 2; there are 2"),
        (&of("send 8 b to 1"), Some(3), "found \"8\"; expected a size in bytes such as 4096b"),
        (&of("send 8b from 1"), Some(3), "found \"from\"; expected \"to\""),
        (&of("send 8b to 1 tag -1"), Some(3), "tag is out of range"),
        (&of("send 8b to 1 tag 1 tag 2"), Some(3), "tag is there twice"),
        (&of("send 8b to 1 dog 1"), Some(3), "found \"dog\"; expected tag, cpu or nic"),
        (&of("send 99999999999999999999b to 1"), Some(3), "more than 64 bits"),
        (&of("calc 5 nic 1"), Some(3), "found \"nic\"; expected cpu"),
        (&of("calc 9999999999999999"), Some(3), "calc is out of range"),
        (&of("calc -5"), Some(3), "calc is out of range"),
        (&of("calc 5 5"), Some(3), "found \"5\"; expected the end of the line"),
        (&of("l1: calc 5\nl1: calc 6"), Some(4), "label \"l1\" is there twice"),
        (&of("l1: calc 5\nl1 requires l2"), Some(4), "label \"l2\" is not known"),
        (&of("l1: calc 5\nl1 requires l1"), Some(4), "needs itself"),
        (&of("l1: l2: calc 5"), Some(3), "found \"l2\"; expected send, recv or calc"),
        (&of("\n/* a\n b */ put 8b to 1"), Some(5), "the other dialect of GOAL"),
        (&of("bcast 8b to 1"), Some(3), "found \"bcast\"; expected send, recv or calc"),
        (&of("calc 5; calc 6"), Some(3), "found \";"),
    ];
    for (text, line, message) in cases {
        let error = read(text).unwrap_err();
        assert_eq!(error.at, line.map(At::Line), "{text:?}: {error}");
        assert!(error.to_string().contains(message), "{text:?}: {error}");
    }
}

#[test]
fn binary_forms_are_told() {
    assert!(refuse_binary(b"num_ranks 1").is_none());
    let mut bytes = 4223_u64.to_le_bytes().to_vec();
    bytes.extend([0; 40]);
    assert!(refuse_binary(&bytes).unwrap().to_string().contains("4223"));
}

/// The same trace without its lines.
fn without_lines(trace: Trace) -> Trace {
    let program = |one: Program| {
        let ops = one.ops().iter().map(|op| Op { at: 0, ..*op }).collect();
        let needs = one.iter().flat_map(|(id, _, needs)| needs.iter().map(move |need| (id, *need)));
        Program::new(ops, needs.collect())
    };
    Trace { ranks: trace.ranks.into_iter().map(program).collect(), ..Trace::default() }
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(said in operations(), seed in any::<prop::sample::Index>()) {
        let mut trace = trace(&said);
        // A need of a later operation, which comes after all labels.
        let (ops, needs) = (trace.ranks[0].ops().to_vec(), trace.ranks[0].iter()
            .flat_map(|(id, _, needs)| needs.iter().map(move |need| (id, *need)).collect::<Vec<_>>())
            .chain((ops_of(&trace) > 1).then(|| {
                let last = OpId(ops_of(&trace) as u32 - 1);
                let how = Stage::Begun;
                (OpId(seed.index(last.index()) as u32), Need { on: last, how })
            })).collect::<Vec<_>>());
        trace.ranks[0] = Program::new(ops, needs);
        let mut text = Vec::new();
        write(&trace, &mut text).unwrap();
        let again = read(std::str::from_utf8(&text).unwrap()).unwrap();
        prop_assert_eq!(without_lines(again), trace);
    }

    #[test]
    fn no_text_panics(
        text in "([a-z]{1,4}|num_ranks|rank|send|recv|calc|to|from|tag|requires|[0-9]{1,3}b?|[:{}\n/*-]| ){0,60}",
    ) {
        let _ = read(&text);
        let _ = read(&format!("num_ranks 2\nrank 0 {{\n{text}\n}}\nrank 1 {{\n}}"));
    }
}

fn ops_of(trace: &Trace) -> usize {
    trace.ranks[0].ops().len()
}
