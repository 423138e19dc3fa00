//! A splitter: what one transmitter sends reaches several receivers (shufflecast:III-A.direct). Nothing comes back.

use lightloom_units::{Instant, Span};

use super::pace::Pace;
use super::sent::Sent;
use super::trouble::Trouble;
use crate::drops::{DropSpot, Drops, Tally};
use crate::engine::{Address, Arrival, Out};
use crate::packet::{Kind, Packet};

/// The branches of a splitter.
#[derive(Debug)]
pub(crate) struct Split {
    /// The port that transmits.
    pub(crate) port: u16,
    /// What is lost at the transmitter, for all branches together.
    pub(crate) trouble: Trouble,
    pub(crate) branches: Vec<BranchEnd>,
    /// Copies beyond the first of each data packet.
    pub(crate) copied: Tally,
    pub(crate) drops: Drops,
}

/// The way to one receiver.
#[derive(Debug)]
pub(crate) struct BranchEnd {
    pub(crate) peer: Address,
    pub(crate) peer_port: u16,
    /// Along the fibre, and through the switch at its end until it acts on a packet.
    pub(crate) delay: Span,
    /// What is lost on this branch.
    pub(crate) trouble: Trouble,
}

impl Split {
    pub(crate) fn new(port: u16, trouble: Trouble, branches: Vec<BranchEnd>) -> Self {
        Self { port, trouble, branches, copied: Tally::default(), drops: Drops::default() }
    }

    /// Puts a copy of a packet on every branch. Who sends into a splitter cannot know what arrives.
    #[cold]
    pub(super) fn send(
        &mut self,
        start: Instant,
        packet: Packet,
        (preamble, pace, header): (u16, Pace, u8),
        out: &mut Out<'_>,
    ) -> Sent {
        let copies = self.branches.len() as u64;
        out.count(packet.kind, copies);
        if packet.kind == Kind::Data && copies > 1 {
            self.copied.add(&packet, copies - 1);
        }
        let needed = match header {
            0 => packet.bytes,
            header => packet.bytes.min(header.into()),
        };
        let there = start + pace.time(u32::from(preamble) + u32::from(needed));
        let shared = self.trouble.passes(start);
        for (branch, number) in self.branches.iter_mut().zip(0..) {
            match shared.and_then(|shared| Ok(shared | branch.trouble.passes(start)?)) {
                Ok(corrupt) => {
                    let life = packet.life.damaged(corrupt);
                    let packet = Packet { port: branch.peer_port, life, ..packet };
                    out.send(branch.peer, Arrival { at: there + branch.delay, packet });
                }
                Err(reason) => {
                    let spot = (self.port, DropSpot::Branch(number));
                    self.drops.add(start, &packet, spot, reason);
                }
            }
        }
        Sent { at: start, corrupt: packet.is_corrupt() }
    }
}
