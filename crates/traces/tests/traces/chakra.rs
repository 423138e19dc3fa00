//! The files of Chakra.

use std::collections::BTreeMap;

use lightloom_schedules::Operation;
use lightloom_traces::chakra::{NamedGroups, named_groups, read};
use lightloom_traces::{
    CallId, Ideal, Order, Path, ProcessGroup, Rank, Stage, Trace, TraceError, What, pair,
};
use lightloom_units::{BitRate, DataSize, Span};
use proptest::prelude::*;

use crate::wire::{self, Node, Value, file};

const ALLREDUCE: u64 = 0;
const ALLGATHER: u64 = 2;
const BROADCAST: u64 = 5;
const BARRIER: u64 = 9;

fn said(ranks: &[Vec<Node>]) -> Result<Trace, TraceError> {
    let files: Vec<Vec<u8>> = ranks.iter().map(|nodes| file(nodes)).collect();
    read(&files, &NamedGroups::new(), None)
}

/// The same nodes on a number of ranks.
fn all(ranks: usize, nodes: &[Node]) -> Vec<Vec<Node>> {
    vec![nodes.to_vec(); ranks]
}

fn order(trace: &Trace) -> Result<Order, TraceError> {
    Order::new(trace, &pair(trace)?)
}

#[test]
fn all_kinds_of_nodes_are_read() {
    let group = Node {
        name: "## process_group:init ##",
        values: r#"['[{"pg_name": "7", "pg_desc": "x", "ranks": [1, 0]}, {"pg_name": "0", "ranks": []}]']"#
            .into(),
        ..Node::new(1, 1, &[])
    };
    let cpu = Node::compute(2, 30, &[1]).said("is_cpu_op", Value::Bool(true)).with("tid", 9);
    let device =
        Node { ctrl: vec![2], ..Node::compute(3, 40, &[]).with("stream", 9).with("rf_id", 1) };
    let sum = Node::collective(4, ALLREDUCE, 80, &[3]).of("7");
    let rank_0 =
        [group.clone(), cpu, device, sum.clone(), Node::send(5, 1, 64, &[4]).with("comm_tag", 3)];
    let sum = Node { data: vec![], ..sum };
    let rank_1 =
        [sum, Node::receive(900, 0, 64, &[4]).with("comm_tag", 3), group, Node::compute(9, 0, &[])];
    // A process group comes before what names it.
    let error = said(&[rank_0.to_vec(), rank_1.to_vec()]).unwrap_err();
    assert!(error.to_string().starts_with("rank 1: record 2: node 4 (\"n\") names process group"));
    let [sum, receive, group, compute] = rank_1;
    let trace = said(&[rank_0.to_vec(), vec![group, sum, receive, compute]]).unwrap();
    let [first, second] = [&trace.ranks[0], &trace.ranks[1]];
    let us = |us| What::Compute { takes: Span::from_us(us) };
    assert_eq!(
        (first.ops()[0].what, first.ops()[1].what, first.ops()[2].what),
        (us(0), us(30), us(40))
    );
    // A thread and a stream of one number are two streams.
    assert_ne!(first.ops()[1].stream, first.ops()[2].stream);
    let size = DataSize::from_bytes(64);
    assert_eq!(first.ops()[4].what, What::Send { to: Rank(1), size, tag: 3 });
    assert_eq!(second.ops()[2].what, What::Receive { from: Some(Rank(0)), size, tag: Some(3) });
    // Control and data both wait for the end.
    for needs in [first.needs(lightloom_traces::OpId(1)), first.needs(lightloom_traces::OpId(2))] {
        assert_eq!((needs.len(), needs[0].how), (1, Stage::Ended));
    }
    assert_eq!(trace.groups, [ProcessGroup { name: "7".into(), ranks: vec![Rank(1), Rank(0)] }]);
    let call = &trace.calls[0];
    assert_eq!((call.operation, call.size), (Operation::Allreduce, DataSize::from_bytes(80)));
    assert_eq!(call.members.iter().map(|(rank, _)| rank.0).collect::<Vec<_>>(), [1, 0]);
    assert_eq!(trace.notes, ["attributes that are not used: \"rf_id\""]);
    assert!(order(&trace).is_ok());
}

/// An allgather has a part of each rank; the root of a broadcast is a place in its group.
#[test]
fn sizes_and_roots_are_those_of_the_group() {
    let groups = named_groups(r#"{"a": [2, 0, 1]}"#).unwrap();
    let nodes = [
        Node::collective(1, ALLGATHER, 1_000, &[]).of("a"),
        Node::collective(2, BROADCAST, 500, &[]).of("a").with("root", 0),
        Node::collective(3, BROADCAST, 500, &[]).of("a"),
        Node::new(4, wire::COLLECTIVE, &[]).with("comm_type", BARRIER),
        Node::collective(5, 3, 700, &[]).of("a").with("comm_dst", 1),
        Node::collective(6, 4, 900, &[]).of("a").with("comm_src", 2),
        Node::collective(7, 1, 40, &[]).of("a").with("root", 1),
    ];
    let files = vec![file(&nodes); 3];
    let trace = read(&files, &groups, None).unwrap();
    let told: Vec<_> = trace
        .calls
        .iter()
        .map(|call| (call.operation.name(), call.size.as_bytes(), call.root))
        .collect();
    assert_eq!(
        told,
        [
            ("allgather", 3_000, 0),
            ("broadcast", 500, 1),
            ("broadcast", 500, 0),
            // All parts of a gather, and what the root of a scatter has.
            ("gather", 2_100, 2),
            ("scatter", 900, 0),
            ("reduce", 40, 2),
            ("barrier", 0, 0),
        ]
    );
    assert_eq!(
        trace.notes,
        [
            "1 broadcasts, scatters, gathers or reduces name no root; the first rank of their process group is it"
        ]
    );
    // Those of one group go one after the other; the barrier is of all ranks.
    let needs: Vec<usize> = trace.ranks[1].iter().map(|(_, _, needs)| needs.len()).collect();
    assert_eq!(needs, [0, 1, 1, 0, 1, 1, 1]);
}

/// What is refused: rank, record and the reason.
#[test]
fn what_cannot_run_is_refused_at_its_record() {
    let sum = |id| Node::collective(id, ALLREDUCE, 8, &[]);
    let bad = |node: Node| vec![vec![Node::compute(0, 1, &[]), node], vec![]];
    let with = |name, value| bad(sum(1).said(name, value));
    let text = |text: &str| Value::Text(text.to_owned());
    let cases: Vec<(Vec<Vec<Node>>, &str)> = vec![
        (bad(Node::new(1, 0, &[])), "rank 0: record 3: node 1 (\"n\") is of no type"),
        (bad(Node::new(1, 2, &[])), "rank 0: record 3: node 1 (\"n\") is a load from memory"),
        (bad(Node::new(1, 3, &[])), "is a store to memory, which is not run"),
        (bad(Node::new(1, 8, &[])), "is of type 8, which is not run"),
        (bad(Node::compute(0, 1, &[])), "record 3: node 0 (\"n\") is there twice"),
        (bad(Node::compute(1, 1, &[1])), "rank 0: record 3: waits for itself"),
        (
            bad(Node::compute(1, 1, &[7])),
            "record 3: waits for node 7, which the file does not have",
        ),
        (bad(Node::compute(1, 2_000_000_000_000, &[])), "at most 1000000000000 us"),
        (
            bad(Node::compute(1, 0, &[]).with("num_ops", 5)),
            "has 5 num_ops and no duration_micros; give the speed",
        ),
        (bad(Node::new(1, wire::SEND, &[]).with("comm_size", 8)), "has no attribute comm_dst"),
        (bad(Node::new(1, wire::SEND, &[]).with("comm_dst", 1)), "has no attribute comm_size"),
        (bad(Node::send(1, 2, 8, &[])), "has comm_dst 2, and there are 2 files, of ranks from 0"),
        (bad(Node::send(1, 1, 8, &[]).with("comm_src", 1)), "has comm_src 1 in the file of rank 0"),
        (
            bad(Node::send(1, 1, 8, &[]).with("comm_tag", 1 << 40)),
            "comm_tag is out of range: 1099511627776",
        ),
        (bad(Node::send(1, 1, 8, &[]).with("comm_dst", 1)), "has attribute comm_dst twice"),
        (
            bad(Node::send(1, 1, 8, &[])),
            "rank 0: record 3: sends a message to rank 1 with tag 0 that is never",
        ),
        (bad(Node::receive(1, 1, 8, &[])), "rank 0: record 3: waits for a message from rank 1"),
        (bad(Node::new(1, 7, &[])), "has no attribute comm_type"),
        (
            bad(Node::collective(1, 10, 8, &[])),
            "has comm_type 10, which is no collective operation of Chakra; those are 0 to 9",
        ),
        (bad(Node::collective(1, ALLREDUCE, 0, &[])), "has a comm_size of 0"),
        (
            bad(Node::collective(1, BROADCAST, 8, &[]).with("root", 2)),
            "has root 2, and there are 2 files",
        ),
        (with("pg_name", Value::Int64(3)), "attribute pg_name is no text"),
        (with("pg_name", text("tp")), "names process group \"tp\", whose ranks nothing lists"),
        (with("is_cpu_op", text("no")), "attribute is_cpu_op is no whole number"),
        (
            with("involved_dim", Value::Bools(vec![true, false])),
            "leaves out dimensions of a topology",
        ),
        (bad(sum(1)), "rank 1: makes 0 collective operations of all ranks, and rank 0 makes 1"),
        (
            vec![vec![sum(1)], vec![Node::collective(1, ALLREDUCE, 9, &[])]],
            "rank 1: record 2: operation 0 of all ranks is allreduce of 9 B, and allreduce of 8 B on rank 0",
        ),
        (
            vec![vec![sum(1), sum(2)], vec![sum(1)]],
            "rank 1: record 2: makes 1 collective operations of all ranks, and rank 0 makes 2",
        ),
    ];
    for (ranks, message) in cases {
        let error = said(&ranks).and_then(|trace| order(&trace).map(drop)).unwrap_err();
        assert!(error.to_string().contains(message), "{message:?}: {error}");
    }
}

#[test]
fn process_groups_are_refused_where_they_cannot_be() {
    for (text, message) in [
        ("[1]", "is no list of process groups"),
        ("{\"a\": [0, -1]}", "is no list of process groups"),
        ("{\"a\": [0], ", "is no list of process groups"),
        ("{\"a\": [0], \"a\": [1]}", "\"a\" is there twice"),
        ("{\"a\": [0]} {}", "trailing characters"),
    ] {
        let error = named_groups(text).unwrap_err();
        assert!(error.to_string().contains(message) && error.line() == Some(1), "{error}");
    }
    let files = vec![file(&[Node::collective(1, ALLREDUCE, 8, &[]).of("a")]); 2];
    for (text, message) in [
        ("{\"a\": [0, 2]}", "process group \"a\" has rank 2, and there are 2 files"),
        ("{\"a\": [0, 0]}", "process group \"a\" has rank 0 twice"),
        (
            "{\"a\": [0]}",
            "rank 1: record 2: node 1 (\"n\") process group \"a\" does not have this rank",
        ),
    ] {
        let error = read(&files, &named_groups(text).unwrap(), None).unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
    }
    let own = |values: &str| Node {
        name: "process_group:init",
        values: values.to_owned(),
        ..Node::new(0, 1, &[])
    };
    for (values, message) in [
        ("['nothing']", "its values are no list of process groups"),
        (
            r#"[{"pg_name": "a", "ranks": [0]}]"#,
            "process group \"a\" has other ranks here than before",
        ),
    ] {
        let files = vec![file(&[own(values)]); 2];
        let groups = named_groups("{\"a\": [0, 1]}").unwrap();
        let error = read(&files, &groups, None).unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
    }
}

/// Whatever is cut off or changed is read or refused, and each cut within a record is refused.
#[test]
fn what_is_no_chakra_is_refused() {
    let nodes = [Node::compute(0, 5, &[]), Node::collective(1, ALLREDUCE, 8, &[0])];
    let whole = file(&nodes);
    let ends = [file(&[]).len(), file(&nodes[..1]).len(), whole.len()];
    for cut in 0..whole.len() {
        let came = read(&[&whole[..cut]], &NamedGroups::new(), None);
        assert_eq!(came.is_ok(), ends.contains(&cut), "{cut}: {came:?}");
    }
    let refused = |bytes: &[u8], message: &str| {
        let error = read(&[bytes], &NamedGroups::new(), None).unwrap_err();
        assert!(error.to_string().contains(message), "{message:?}: {error}");
    };
    refused(b"", "the file is empty");
    refused(&[0x1f, 0x8b, 8, 0], "is packed with gzip");
    refused(&[0x80; 20], "rank 0: record 1: its length is no number");
    refused(
        b"num_ranks 1\nrank 0 {\n}\n",
        "rank 0: record 1: has 110 bytes, and the file ends after 22",
    );
    let metadata = wire::prefixed(&wire::number(3, 1));
    refused(&metadata, "rank 0: record 1: has a field 3, which a metadata of Chakra does not have");
    let odd = [file(&[]), wire::prefixed(&wire::number(11, 1))].concat();
    refused(&odd, "rank 0: record 2: has a field 11, which a node of Chakra does not have");
    let text = [file(&[]), wire::prefixed(&wire::bytes(1, b"x"))].concat();
    refused(&text, "rank 0: record 2: is no record of Chakra");
}

/// Two ranks that make two collective operations in another order wait for each other.
#[test]
fn a_ring_through_collective_operations_is_named() {
    let groups = named_groups("{\"a\": [0, 1], \"b\": [0, 1]}").unwrap();
    let rank = |first: &str, second: &str| {
        file(&[
            Node::collective(0, ALLREDUCE, 8, &[]).of(first),
            Node::collective(1, ALLREDUCE, 8, &[0]).of(second),
        ])
    };
    let trace = read(&[rank("a", "b"), rank("b", "a")], &groups, None).unwrap();
    let error = order(&trace).unwrap_err();
    assert_eq!(
        error.to_string(),
        "rank 0: record 2: waits for itself, in a ring: rank 0 record 2, rank 1 record 3, rank 1 record 2, \
         rank 0 record 3; each waits for the next"
    );
    let trace = read(&[rank("a", "b"), rank("a", "b")], &groups, None).unwrap();
    assert!(order(&trace).is_ok());
}

/// All ranks go on when the last has come; a root of a broadcast goes on at once.
#[test]
fn longest_paths_go_through_collective_operations() {
    let network = Ideal { latency: Span::from_us(1), rate: Some(BitRate::from_bps(8_000_000_000)) };
    let path = |ranks: Vec<Vec<Node>>| {
        let trace = said(&ranks).unwrap();
        order(&trace).unwrap().critical_path(&trace, network).unwrap()
    };
    let rank = |before: u64, call: Node, after: u64| {
        vec![Node::compute(0, before, &[]), call, Node::compute(2, after, &[1])]
    };
    // 2,000 B at 1 B a nanosecond.
    let sum = Node::collective(1, ALLREDUCE, 2_000, &[0]);
    let of = |us, computing, bytes| Path {
        length: Span::from_us(us),
        computing: Span::from_us(computing),
        messages: 0,
        collectives: 1,
        bytes: DataSize::from_bytes(bytes),
    };
    let summed = path(vec![rank(10, sum.clone(), 5), rank(40, sum.clone(), 2)]);
    assert_eq!(summed, of(40 + 1 + 2 + 5, 45, 2_000));
    let cast = Node::collective(1, BROADCAST, 2_000, &[0]);
    let late = path(vec![rank(10, cast.clone(), 5), rank(40, cast.clone(), 2)]);
    assert_eq!(
        late,
        Path { length: Span::from_us(42), computing: Span::from_us(42), ..Path::default() }
    );
    let early = path(vec![rank(40, cast.clone(), 2), rank(10, cast, 5)]);
    assert_eq!(early, of(40 + 1 + 2 + 5, 45, 2_000));
    // Each has half of what is gathered.
    let gather = Node::collective(1, ALLGATHER, 2_000, &[0]);
    assert_eq!(path(vec![rank(0, gather.clone(), 0), rank(0, gather, 0)]), of(3, 0, 2_000));
    // A single rank receives nothing.
    assert_eq!(path(vec![rank(3, sum, 4)]).length, Span::from_us(7));
}

/// A random program of collective operations and computations that all ranks follow: no ring, and each rank has all.
fn program() -> impl Strategy<Value = (usize, Vec<(u64, u64, Vec<prop::sample::Index>)>)> {
    let after = prop::collection::vec(any::<prop::sample::Index>(), 0..3);
    (1_usize..5, prop::collection::vec((0_u64..4, 1_u64..100, after), 1..20))
}

proptest! {
    #[test]
    fn ranks_that_do_the_same_can_run((ranks, said_nodes) in program()) {
        let node = |(id, (kind, size, after)): (usize, &(u64, u64, Vec<prop::sample::Index>))| {
            let data: Vec<u64> = after
                .iter()
                .filter(|_| id > 0)
                .map(|index| index.index(id) as u64)
                .collect();
            let id = id as u64;
            match kind {
                0 => Node::compute(id, *size, &data),
                1 => Node::collective(id, BROADCAST, *size, &data),
                2 => Node::collective(id, ALLREDUCE, *size, &data).of("0"),
                _ => Node::collective(id, ALLGATHER, *size, &data),
            }
        };
        let nodes: Vec<Node> = said_nodes.iter().enumerate().map(node).collect();
        let trace = said(&all(ranks, &nodes)).unwrap();
        let order = order(&trace).unwrap();
        let nothing = Ideal { latency: Span::ZERO, rate: None };
        let path = order.critical_path(&trace, nothing).unwrap();
        let sum: u64 = nodes.iter().map(|node| node.micros).sum();
        prop_assert!(path.length <= Span::from_us(sum));
        prop_assert_eq!(trace.operations(), ranks * nodes.len());
        let calls: usize = trace.calls.iter().map(|call| call.members.len()).sum();
        let said = nodes.iter().filter(|node| node.kind == wire::COLLECTIVE).count();
        prop_assert_eq!(calls, ranks * said);
        // Each goes once, and after all that it waits for.
        let turns = order.calls_in_turn(&trace);
        let op = |id: &CallId| trace.calls[id.index()].members[0].1.index();
        let places: BTreeMap<usize, usize> = turns.iter().map(op).zip(0..).collect();
        prop_assert_eq!((places.len(), turns.len()), (said, said));
        let mut latest: Vec<Option<usize>> = Vec::new();
        for (number, node) in nodes.iter().enumerate() {
            let before = node.data.iter().filter_map(|on| latest[*on as usize]).max();
            let own = places.get(&number).copied();
            prop_assert!(own.is_none_or(|own| before.is_none_or(|before| before < own)));
            latest.push(own.or(before));
        }
    }

    /// No byte that is changed makes the reader panic.
    #[test]
    fn changed_bytes_are_read_or_refused(at in any::<prop::sample::Index>(), to in any::<u8>()) {
        let mut bytes = file(&[
            Node::compute(0, 5, &[]).with("stream", 2),
            Node::collective(1, ALLREDUCE, 8, &[0]).of("0"),
            Node::send(2, 0, 8, &[1]),
            Node::receive(3, 0, 8, &[]),
        ]);
        let at = at.index(bytes.len());
        bytes[at] = to;
        if let Ok(trace) = read(&[bytes], &NamedGroups::new(), None) {
            let _ = order(&trace);
        }
    }
}
