//! Which receive takes which message.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::error::TraceError;
use crate::program::{OpId, Rank, Trace, What};

/// An operation of a rank.
pub type Place = (Rank, OpId);

/// A message: who sends and who receives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Message {
    /// The operation that sends.
    pub send: Place,
    /// The operation that receives.
    pub receive: Place,
}

/// A send as its receiver sees it: sender, tag and order.
type Sent = (Rank, u32, OpId);
/// A receive: sender and tag where they are said, and order.
type Wanted = (Option<Rank>, Option<u32>, OpId);

/// Pairs sends with receives: of one sender, one receiver and one tag, in the order of the trace. The messages are in
/// the order of their sends.
///
/// A receive from any sender or with any tag takes messages that no other receive names. It is refused if several
/// senders or tags match, because the run would decide which message comes first.
///
/// # Errors
/// [`TraceError`] at a message without a receive, at a receive without a message, and at one with too little room.
pub fn pair(trace: &Trace) -> Result<Vec<Message>, TraceError> {
    let mut sent: Vec<Vec<Sent>> = vec![Vec::new(); trace.ranks.len()];
    let mut messages = Vec::new();
    for (from, program) in trace.programs() {
        for (id, op, _) in program.iter() {
            if let What::Send { to, tag, .. } = op.what {
                sent[to.index()].push((from, tag, id));
            }
        }
    }
    for ((at, program), mut sent) in trace.programs().zip(sent) {
        let mut exact: Vec<(Rank, u32, OpId)> = Vec::new();
        let mut any: Vec<Wanted> = Vec::new();
        for (id, op, _) in program.iter() {
            match op.what {
                What::Receive { from: Some(from), tag: Some(tag), .. } => {
                    exact.push((from, tag, id));
                }
                What::Receive { from, tag, .. } => any.push((from, tag, id)),
                What::Send { .. } | What::Compute { .. } | What::Collective { .. } => {}
            }
        }
        sent.sort_unstable();
        exact.sort_unstable();
        let of_rank = OfRank { trace, at };
        let open = of_rank.exact(&sent, &exact, &any, &mut messages)?;
        of_rank.any(open, &any, &mut messages)?;
    }
    messages.sort_unstable();
    messages.iter().try_for_each(|message| room(trace, message))?;
    Ok(messages)
}

/// The messages to one rank.
struct OfRank<'a> {
    trace: &'a Trace,
    at: Rank,
}

impl OfRank<'_> {
    /// Pairs what names sender and tag; the messages that are left. All lists are sorted, but for `any`.
    fn exact(
        &self,
        sent: &[Sent],
        exact: &[Sent],
        any: &[Wanted],
        messages: &mut Vec<Message>,
    ) -> Result<Vec<Sent>, TraceError> {
        let class = |one: &Sent| (one.0, one.1);
        let same = |a: &Sent, b: &Sent| class(a) == class(b);
        let mut wanted = exact.chunk_by(same).peekable();
        let mut open = Vec::new();
        for sent in sent.chunk_by(same) {
            if let Some(early) = wanted.next_if(|wanted| class(&wanted[0]) < class(&sent[0])) {
                return Err(self.never_sent(early, 0));
            }
            let Some(wanted) = wanted.next_if(|wanted| same(&wanted[0], &sent[0])) else {
                open.extend_from_slice(sent);
                continue;
            };
            if wanted.len() > sent.len() {
                return Err(self.never_sent(&wanted[sent.len()..], sent.len()));
            }
            if wanted.len() < sent.len() {
                let rival = any.iter().find(|one| takes(one, &sent[0]));
                return Err(match rival {
                    Some(&(_, _, id)) => self.depends(id),
                    None => self.never_received(&sent[wanted.len()], wanted.len()),
                });
            }
            messages.extend(sent.iter().zip(wanted).map(|(sent, wanted)| Message {
                send: (sent.0, sent.2),
                receive: (self.at, wanted.2),
            }));
        }
        match wanted.next() {
            Some(late) => Err(self.never_sent(late, 0)),
            None => Ok(open),
        }
    }

    /// Pairs receives of any sender or tag with the messages that are left.
    fn any(
        &self,
        open: Vec<Sent>,
        any: &[Wanted],
        messages: &mut Vec<Message>,
    ) -> Result<(), TraceError> {
        let mut open = Open::new(open);
        for &(from, tag, id) in any {
            let mut fits = open.fits((from, tag));
            let Some(first) = fits.next() else {
                let message = "waits for a message from any rank or with any tag, and no message is left; leave it \
                               out, or add the send";
                return Err(self.error(id, message.to_owned()));
            };
            if fits.next().is_some() {
                return Err(self.depends(id));
            }
            drop(fits);
            if let Some(sent) = open.take(first) {
                messages.push(Message { send: (first.0, sent), receive: (self.at, id) });
            }
        }
        match open.next() {
            Some(sent) => Err(self.never_received(&sent, 0)),
            None => Ok(()),
        }
    }

    fn never_sent(&self, wanted: &[Sent], before: usize) -> TraceError {
        let (from, tag, id) = wanted[0];
        let message = format!(
            "waits for a message from rank {} with tag {tag} that is never sent: that rank sends {before} such \
             messages to rank {}, which waits for {}",
            from.0,
            self.at.0,
            before + wanted.len()
        );
        self.error(id, message)
    }

    fn never_received(&self, &(from, tag, id): &Sent, received: usize) -> TraceError {
        let message = format!(
            "sends a message to rank {} with tag {tag} that is never received: that rank receives {received} such \
             messages",
            self.at.0
        );
        TraceError::new(message).of_rank(from).at(self.trace.at((from, id)))
    }

    fn depends(&self, id: OpId) -> TraceError {
        let message = "waits for a message from any rank or with any tag, and several senders or tags match: which \
                       message comes first depends on the run; name sender and tag";
        self.error(id, message.to_owned())
    }

    fn error(&self, id: OpId, message: String) -> TraceError {
        TraceError::new(message).of_rank(self.at).at(self.trace.at((self.at, id)))
    }
}

/// Messages to a rank that are left, by sender and tag.
struct Open {
    /// Those of a sender with a tag, in order; never none.
    all: BTreeMap<Class, VecDeque<OpId>>,
    /// The same senders and tags, the tag first.
    by_tag: BTreeSet<(u32, Rank)>,
}

/// A sender and a tag.
type Class = (Rank, u32);

impl Open {
    fn new(sent: Vec<Sent>) -> Self {
        let mut open = Self { all: BTreeMap::new(), by_tag: BTreeSet::new() };
        for (from, tag, id) in sent {
            open.all.entry((from, tag)).or_default().push_back(id);
            open.by_tag.insert((tag, from));
        }
        open
    }

    /// The senders and tags that match.
    fn fits(&self, wanted: (Option<Rank>, Option<u32>)) -> Box<dyn Iterator<Item = Class> + '_> {
        let classes = self.all.keys().copied();
        match wanted {
            (None, None) => Box::new(classes),
            (Some(from), Some(tag)) => {
                Box::new(self.all.contains_key(&(from, tag)).then_some((from, tag)).into_iter())
            }
            (Some(from), None) => {
                let of = self.all.range((from, 0)..=(from, u32::MAX));
                Box::new(of.map(|(class, _)| *class))
            }
            (None, Some(tag)) => {
                let of = self.by_tag.range((tag, Rank(0))..=(tag, Rank(u32::MAX)));
                Box::new(of.map(|&(tag, from)| (from, tag)))
            }
        }
    }

    /// Takes the first message of a sender with a tag.
    fn take(&mut self, class: Class) -> Option<OpId> {
        let left = self.all.get_mut(&class)?;
        let first = left.pop_front();
        if left.is_empty() {
            self.all.remove(&class);
            self.by_tag.remove(&(class.1, class.0));
        }
        first
    }

    /// The first message of all.
    fn next(&self) -> Option<Sent> {
        let (&(from, tag), left) = self.all.first_key_value()?;
        Some((from, tag, *left.front()?))
    }
}

/// Whether a receive takes a message.
fn takes(&(from, tag, _): &Wanted, sent: &Sent) -> bool {
    from.is_none_or(|from| from == sent.0) && tag.is_none_or(|tag| tag == sent.1)
}

/// Refuses a receive with less room than its message takes.
fn room(trace: &Trace, message: &Message) -> Result<(), TraceError> {
    let (sent, received) = (trace.op(message.send), trace.op(message.receive));
    let (What::Send { size, .. }, What::Receive { size: room, .. }) = (sent.what, received.what)
    else {
        return Ok(());
    };
    if room >= size {
        return Ok(());
    }
    let (from, at) = (message.send.0, message.receive.0);
    let text = format!(
        "receives {} B and gets a message of {} B from rank {}, {}",
        room.as_bytes(),
        size.as_bytes(),
        from.0,
        trace.at(message.send)
    );
    Err(TraceError::new(text).of_rank(at).at(trace.at(message.receive)))
}
