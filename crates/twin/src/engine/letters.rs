//! What parts send each other.

use std::sync::Mutex;

use lightloom_units::Instant;

use super::lock::lock;
use super::mailbox::{Arrival, Window};
use super::part::{Node, Part};

/// What one part sends another in a window: receivers and packets.
type Letter = Mutex<Vec<(u32, Arrival)>>;

/// Letters by parity of the round, sender and receiver: those of a round are posted while those of the round
/// before are delivered.
pub(super) struct Letters {
    parts: usize,
    // Two of each. A thread may be done with its round and post while another still delivers the letters of the round
    // before.
    posted: [Vec<Letter>; 2],
}

impl Letters {
    pub(super) fn new(parts: usize) -> Self {
        let none = || (0..parts * parts).map(|_| Mutex::default()).collect();
        Self { parts, posted: [none(), none()] }
    }

    fn letter(&self, round: u64, from: usize, to: usize) -> &Letter {
        &self.posted[usize::from(round % 2 == 1)][from * self.parts + to]
    }

    /// Posts what a part has sent to others in a round; when the first of it arrives.
    pub(super) fn post<N: Node>(&self, round: u64, from: usize, part: &mut Part<N>) -> Instant {
        let sent = part.others.sent.iter_mut().enumerate();
        for (to, sent) in sent.filter(|(_, sent)| !sent.is_empty()) {
            // Swapped and not copied: the emptied vector of two rounds ago comes back, with its memory. The lock is
            // free, since a sender and a receiver never hold the same round.
            std::mem::swap(&mut *lock(self.letter(round, from, to)), sent);
        }
        std::mem::replace(&mut part.others.first, Instant::NEVER)
    }

    /// Delivers to a part what the others sent in a round, which was that of this window.
    pub(super) fn deliver<N: Node>(
        &self,
        round: u64,
        to: usize,
        window: &Window,
        part: &mut Part<N>,
    ) {
        for from in (0..self.parts).filter(|&from| from != to) {
            part.receive(window, &mut lock(self.letter(round, from, to)));
        }
    }
}
