//! Random traces that can run: each operation needs earlier ones only.

use lightloom_traces::{Need, Op, OpId, Program, Rank, Stage, Trace, What};
use lightloom_units::{DataSize, Span};
use proptest::prelude::*;

/// A random operation: its kind, two ranks, size or time, tag and stream, and which earlier ones it needs.
pub type Said = (u8, u32, u32, u64, (u32, u32), Vec<(prop::sample::Index, bool)>);

pub fn operations() -> impl Strategy<Value = Vec<Said>> {
    let needs = prop::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 0..3);
    let one = (0_u8..2, 0_u32..4, 0_u32..9, 0_u64..5_000, (0_u32..3, 0_u32..3), needs);
    prop::collection::vec(one, 0..50)
}

/// The operations of a rank in the making, with what each needs.
#[derive(Default)]
struct Making {
    ops: Vec<Op>,
    needs: Vec<(OpId, Need)>,
}

impl Making {
    fn push(&mut self, what: What, stream: u32, needs: &[(prop::sample::Index, bool)]) {
        let id = OpId(self.ops.len() as u32);
        for (index, begun) in needs.iter().filter(|_| id.0 > 0) {
            let how = if *begun { Stage::Begun } else { Stage::Ended };
            self.needs.push((id, Need { on: OpId(index.index(id.index()) as u32), how }));
        }
        self.ops.push(Op { what, stream, nic: 0, at: 0 });
    }
}

/// A trace of four ranks. Each message is received right where it is sent, so there is an order.
pub fn trace(said: &[Said]) -> Trace {
    let mut ranks: Vec<Making> = (0..4).map(|_| Making::default()).collect();
    for (kind, a, b, number, (tag, stream), needs) in said {
        let (from, to) = (Rank(*a), Rank((a + 1 + b % 3) % 4));
        if *kind == 0 {
            let takes = Span::from_ns(*number);
            ranks[from.index()].push(What::Compute { takes }, *stream, needs);
            continue;
        }
        let size = DataSize::from_bytes(*number);
        ranks[from.index()].push(What::Send { to, size, tag: *tag }, *stream, needs);
        let receive = What::Receive { from: Some(from), size, tag: Some(*tag) };
        ranks[to.index()].push(receive, *stream, needs);
    }
    let ranks = ranks.into_iter().map(|one| Program::new(one.ops, one.needs)).collect();
    Trace { ranks, ..Trace::default() }
}
