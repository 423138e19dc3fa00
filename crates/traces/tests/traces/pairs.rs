//! Which receive takes which message.

use lightloom_traces::goal::read;
use lightloom_traces::{At, Message, OpId, Rank, What, pair};
use proptest::prelude::*;

use crate::random::{operations, trace};

fn text(ranks: &[&str]) -> String {
    let blocks =
        ranks.iter().enumerate().map(|(rank, text)| format!("rank {rank} {{\n{text}\n}}\n"));
    format!("num_ranks {}\n{}", ranks.len(), blocks.collect::<String>())
}

fn refused(ranks: &[&str], rank: u32, line: u32, message: &str) {
    let error = pair(&read(&text(ranks)).unwrap()).unwrap_err();
    assert_eq!(
        (error.rank, error.at),
        (Some(Rank(rank)), Some(At::Line(line))),
        "{ranks:?}: {error}"
    );
    assert!(error.message.contains(message), "{ranks:?}: {error}");
}

#[test]
fn what_has_no_partner_is_named() {
    refused(&["send 8b to 1 tag 3", ""], 0, 3, "never received: that rank receives 0 such");
    refused(&["", "recv 8b from 0 tag 3"], 1, 6, "never sent: that rank sends 0 such messages");
    let twice = "recv 8b from 0\nrecv 8b from 0";
    refused(
        &["send 8b to 1", twice],
        1,
        7,
        "that rank sends 1 such messages to rank 1, which waits for 2",
    );
    refused(&["send 8b to 1 tag 1", "recv 8b from 0 tag 2"], 1, 6, "never sent");
    refused(&["send 8b to 1 tag 2", "recv 8b from 0 tag 1"], 1, 6, "never sent");
    refused(&["send 9b to 1", "recv 8b from 0"], 1, 6, "receives 8 B and gets a message of 9 B");
    refused(&["", "recv 8b from -1"], 1, 6, "no message is left");
}

#[test]
fn receives_of_anything_take_what_nobody_else_can() {
    let ranks = ["send 8b to 2 tag 1", "send 8b to 2 tag 1\nsend 8b to 2 tag 1", ""];
    let with = |receives: &'static str| [ranks[0], ranks[1], receives];
    let paired = |receives| pair(&read(&text(&with(receives))).unwrap()).unwrap();
    let ids = |messages: Vec<Message>| -> Vec<(u32, u32, u32)> {
        messages.iter().map(|it| (it.send.0.0, it.send.1.0, it.receive.1.0)).collect()
    };
    let any = "recv 8b from -1 tag 1\nrecv 8b from 0 tag 1\nrecv 8b from 1 tag -1";
    assert_eq!(ids(paired(any)), [(0, 0, 1), (1, 0, 0), (1, 1, 2)]);
    refused(
        &with("recv 8b from -1 tag 1\nrecv 8b from -1 tag 1\nrecv 8b from -1 tag 1"),
        2,
        10,
        "depends on the run",
    );
    refused(
        &with("recv 8b from 0 tag 1\nrecv 8b from 1 tag 1\nrecv 8b from -1 tag 1"),
        2,
        12,
        "depends on the run",
    );
    refused(&with("recv 8b from 0 tag 1\nrecv 8b from 1 tag -1"), 1, 7, "never received");
}

proptest! {
    /// Against a search: of one sender, receiver and tag the first send has the first receive.
    #[test]
    fn messages_are_paired_in_order(said in operations()) {
        let trace = trace(&said);
        let messages = pair(&trace).unwrap();
        let mut taken = vec![];
        let mut expected = vec![];
        for (from, program) in trace.programs() {
            for (id, op, _) in program.iter() {
                let What::Send { to, tag, .. } = op.what else { continue };
                let receiver = &trace.ranks[to.index()];
                let receive = receiver.iter().find(|(id, op, _)| {
                    matches!(op.what, What::Receive { from: Some(f), tag: Some(t), .. } if f == from && t == tag)
                        && !taken.contains(&(to, *id))
                });
                let receive: (Rank, OpId) = (to, receive.unwrap().0);
                taken.push(receive);
                expected.push(Message { send: (from, id), receive });
            }
        }
        prop_assert_eq!(messages, expected);
    }
}

/// A hundred thousand receives of any sender, each with a tag of its own, take no longer than they should.
#[test]
fn many_receives_of_anything_are_paired() {
    const COUNT: usize = 100_000;
    let lines =
        |what: &str| (0..COUNT).map(|tag| format!("{what} tag {tag}\n")).collect::<String>();
    let trace = read(&text(&[&lines("send 8b to 1"), &lines("recv 8b from -1")])).unwrap();
    let messages = pair(&trace).unwrap();
    assert!(messages.iter().all(|it| it.send.1 == it.receive.1) && messages.len() == COUNT);
    let one = "send 8b to 1\n".repeat(COUNT);
    let trace = read(&text(&[&one, &"recv 8b from -1\n".repeat(COUNT)])).unwrap();
    assert!(pair(&trace).unwrap().iter().all(|it| it.send.1 == it.receive.1));
}
