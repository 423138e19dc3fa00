//! The ports of one group at one switch, and the answers that it sends up for all receivers behind them.
//!
//! Cepheus keeps the acknowledged sequence number of each port (cepheus:III-D.ack) and one missing sequence number of
//! the group, the smallest (cepheus:III-D.nack). That number is not enough: where it becomes void, the losses that it
//! hid are forgotten, and their receivers never report again. So here each port has a flag in its place: the packet
//! that the port acknowledges up to was reported missing.
//!
//! The paper's trigger (cepheus:III-D.trigger, gleam:alg2:4, gleam:alg2:10) is an acknowledgement beyond the aggregate
//! from the port that had the minimum last. The minimum rises at no other time, so here an acknowledgement goes up when
//! the minimum rises. Where several ports have the minimum, the paper repeats the old one when the first of them goes
//! on, and this does not.
//!
//! Gleam does the same, with gleam:alg3:7 (a reversed comparison) and gleam:alg3:9 (a wrong index) put right. Its
//! answers differ in nothing but where its missing number (gleam:alg2:15-17, gleam:alg3:14) is not cleared, which is
//! the error above.

use lightloom_units::{Instant, Span};

use super::path::Path;
use crate::params::Recovery;
use crate::psn::Psn;

/// What goes out on the way up: nothing, an acknowledgement, or a negative one, which acknowledges too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[must_use]
pub struct Feedback {
    /// All receivers have everything before it.
    pub ack: Option<Psn>,
    /// All receivers have everything before the first, and some lack it. With selective repeat all have the second.
    pub nack: Option<(Psn, Psn)>,
    /// Whether more is to be sent at once: ask [`Paths::more`].
    pub more: bool,
}

impl Feedback {
    /// Nothing goes out.
    pub const NOTHING: Self = Self { ack: None, nack: None, more: false };

    fn ack(psn: Psn) -> Self {
        Self { ack: Some(psn), ..Self::NOTHING }
    }

    fn nack(missing: Psn, seen: Psn) -> Self {
        Self { nack: Some((missing, seen)), ..Self::NOTHING }
    }
}

/// The ports of one group at one switch. Memory grows with the ports that the group uses.
#[derive(Debug, Clone)]
pub struct Paths {
    /// By port.
    paths: Vec<Path>,
    /// The port toward the source. It has no receivers, so it counts for nothing.
    up: Option<u16>,
    /// The smallest acknowledged number of all ports that count; with it answers went up (gleam:alg2:5).
    floor: Psn,
    /// The ports that count and have it (gleam:alg2:4).
    holders: u16,
    /// The newest epoch.
    epoch: u16,
    /// With go-back-N: whether it was said that the floor is missing. The sender goes back once for all ports.
    is_told: bool,
    /// With selective repeat: the last packet that was said to have arrived everywhere; the floor where there is none
    /// beyond it.
    seen: Psn,
    /// Bits of a port with selective repeat; 0 with go-back-N.
    window: u32,
    /// When something went up last.
    said: Option<Instant>,
    /// The least time between something that went up and the same again.
    interval: Span,
}

impl Paths {
    /// A group without ports. `first` is the first packet that a receiver may lack; the registration carries it.
    /// `interval` is the least time before an acknowledgement is passed on again, less than a sender's timeout.
    pub fn new(first: Psn, recovery: Recovery, interval: Span) -> Self {
        let window = match recovery {
            Recovery::GoBackN => 0,
            Recovery::SelectiveRepeat { window, .. } => window,
        };
        Self {
            paths: Vec::new(),
            up: None,
            floor: first,
            holders: 0,
            epoch: 0,
            is_told: false,
            seen: first,
            window,
            said: None,
            interval,
        }
    }

    /// A port gets receivers, who may lack `first` and all after it. It falls back to that, and never stands above
    /// the others. Feedback from it of an older epoch is void from now on. What went up may have been void too, so a
    /// loss is told again.
    ///
    /// A receiver that moves is added at its new place before it is removed from the old one.
    pub fn add(&mut self, port: u16, epoch: u16, first: Psn, now: Instant) -> Feedback {
        if self.counted().next().is_none() {
            self.floor = first;
        }
        // Never above the others: the minimum of all may not rise because somebody joins.
        let psn = if first.after(self.floor) < 0 { first } else { self.floor };
        let at = self.paths.binary_search_by_key(&port, |path| path.port);
        let at = at.unwrap_or_else(|at| {
            self.paths.insert(at, Path::new(port, epoch, psn));
            at
        });
        self.paths[at].epoch = epoch;
        self.paths[at].fall_to(psn);
        // Epochs wrap too. A switch whose group was empty takes any.
        if self.holders == 0 || !is_older(epoch, self.epoch) {
            self.epoch = epoch;
        }
        self.measure();
        (self.is_told, self.seen) = (false, self.floor);
        self.tell(false, now)
    }

    /// All receivers of a port have left or died. News of an older epoch is void: others have come since.
    pub fn remove(&mut self, port: u16, epoch: u16, now: Instant) -> Feedback {
        if self.find(port).is_none_or(|path| is_older(epoch, path.epoch)) {
            return Feedback::NOTHING;
        }
        self.paths.retain(|path| path.port != port);
        if self.up == Some(port) {
            self.up = None;
        }
        let rose = self.measure();
        self.tell(rose, now)
    }

    /// The port toward the source. The former one counts again, and has what all others have: sources change when
    /// everything is acknowledged. Another source is recognised by its address, and only by a packet that is not
    /// before the floor: any other is a late copy. Where nothing is left in [`Paths::ports`], after this or after
    /// [`Paths::remove`], the switch on the way up removes its port.
    pub fn set_up(&mut self, port: Option<u16>, now: Instant) -> Feedback {
        if self.up == port {
            return Feedback::NOTHING;
        }
        // Data never go out toward the source, so the port that was it has heard nothing since.
        let former = std::mem::replace(&mut self.up, port);
        if let Some(path) = self.paths.iter_mut().find(|path| Some(path.port) == former) {
            path.fall_to(self.floor);
        }
        let rose = self.measure();
        self.tell(rose, now)
    }

    /// A port has everything before a packet (gleam:alg2:7).
    pub fn acked(&mut self, port: u16, psn: Psn, epoch: u16, now: Instant) -> Feedback {
        let floor = self.floor;
        let Some(path) = self.valid(port, epoch) else { return Feedback::NOTHING };
        // Only a port that had the minimum can raise it, and only the last of those: all others cost one comparison.
        let (before, ahead) = (path.acked(), psn.after(path.acked()));
        match ahead {
            1.. => {
                // gleam:alg2:8-9
                path.advance(psn);
                // gleam:alg2:10-11
                let rose = before == floor && self.one_less();
                // With go-back-N nothing else can have changed.
                if rose || self.window > 0 { self.tell(rose, now) } else { Feedback::NOTHING }
            }
            // The one that went up may be lost.
            0 if psn == floor => self.again(None, now),
            _ => Feedback::NOTHING,
        }
    }

    /// A port has everything before a packet and lacks it (gleam:alg2:13); with selective repeat it has `seen`.
    pub fn missed(
        &mut self,
        port: u16,
        (psn, seen): (Psn, Psn),
        epoch: u16,
        now: Instant,
    ) -> Feedback {
        let (floor, window) = (self.floor, self.window);
        let Some(path) = self.valid(port, epoch) else { return Feedback::NOTHING };
        let before = path.acked();
        if psn.after(before) < 0 {
            return Feedback::NOTHING;
        }
        // gleam:alg2:14
        path.advance(psn);
        let was_known = if window == 0 {
            // gleam:alg2:15-17: not one for the group.
            std::mem::replace(&mut path.reported, true)
        } else {
            let had = path.has(seen);
            path.arrived(seen, window);
            had
        };
        let rose = before == floor && psn != before && self.one_less();
        // gleam:alg2:18
        let feedback = self.tell(rose, now);
        // The same report once more: either its answer upward was lost, or the repetition was.
        let is_again = was_known && psn == floor && feedback == Feedback::NOTHING;
        match (is_again, window) {
            (false, _) => feedback,
            // The repetition was lost too.
            (true, 0) => self.say(Feedback::nack(floor, Psn::of(floor, 1)), now),
            (true, _) => self.again(Some(seen), now),
        }
    }

    /// Whether a port has receivers, or is the one toward the source.
    pub fn uses(&self, port: u16) -> bool {
        self.find(port).is_some()
    }

    /// Whether a port needs a packet: whether it goes out there (cepheus:III-D.filter).
    pub fn passes(&self, port: u16, psn: Psn) -> bool {
        self.up != Some(port) && self.find(port).is_some_and(|path| !path.has(psn))
    }

    /// No port needed a packet, so what went up was lost: it is said again. With go-back-N once for a run of such
    /// packets, at the last.
    pub fn filtered(&mut self, psn: Psn, now: Instant) -> Feedback {
        let before = psn.after(self.floor);
        match (self.window, before) {
            _ if self.holders == 0 => Feedback::NOTHING,
            (0, -1) => self.say(Feedback::ack(self.floor), now),
            (0, _) => Feedback::NOTHING,
            (_, ..0) => self.tell(true, now),
            _ if self.counted().all(|path| path.has(psn)) => {
                self.say(Feedback::nack(self.floor, psn), now)
            }
            // It came over light and goes no further here; ports whose packets come another way may lack it.
            _ => Feedback::NOTHING,
        }
    }

    /// What was to go up before did not: it is said again.
    pub fn retell(&mut self, now: Instant) -> Feedback {
        (self.is_told, self.seen) = (false, self.floor);
        self.tell(true, now)
    }

    /// What is still to be said after [`Feedback::more`].
    pub fn more(&mut self, now: Instant) -> Feedback {
        self.tell(false, now)
    }

    /// All receivers have everything before it.
    pub fn floor(&self) -> Psn {
        self.floor
    }

    /// The epoch of what goes up.
    pub fn epoch(&self) -> u16 {
        self.epoch
    }

    /// Where data go out: all ports but the one toward the source.
    pub fn ports(&self) -> impl Iterator<Item = u16> {
        self.counted().map(|path| path.port)
    }

    /// The port toward the source (gleam:alg3:3).
    pub fn up(&self) -> Option<u16> {
        self.up
    }

    /// All ports of the group, the one toward the source among them.
    pub fn all(&self) -> impl Iterator<Item = u16> {
        self.paths.iter().map(|path| path.port)
    }

    /// The ports where a packet goes out: those that count and lack it (cepheus:III-D.filter).
    pub fn open(&self, psn: Psn) -> impl Iterator<Item = u16> {
        self.counted().filter(move |path| !path.has(psn)).map(|path| path.port)
    }

    fn counted(&self) -> impl Iterator<Item = &Path> {
        self.paths.iter().filter(|path| Some(path.port) != self.up)
    }

    fn find(&self, port: u16) -> Option<&Path> {
        let at = self.paths.binary_search_by_key(&port, |path| path.port).ok()?;
        self.paths.get(at)
    }

    /// The port that feedback comes in from, unless that is void.
    fn valid(&mut self, port: u16, epoch: u16) -> Option<&mut Path> {
        if self.up == Some(port) {
            return None;
        }
        let at = self.paths.binary_search_by_key(&port, |path| path.port).ok()?;
        self.paths.get_mut(at).filter(|path| !is_older(epoch, path.epoch))
    }

    /// One of the ports with the minimum has gone on: whether the minimum rises.
    fn one_less(&mut self) -> bool {
        self.holders -= 1;
        self.holders == 0 && self.measure()
    }

    /// Looks for the minimum and the ports that have it (gleam:alg3:4-9): whether it has risen.
    fn measure(&mut self) -> bool {
        let earlier = |a: Psn, b: Psn| if b.after(a) < 0 { b } else { a };
        let Some(floor) = self.counted().map(Path::acked).reduce(earlier) else {
            self.holders = 0;
            return false;
        };
        let holders = self.counted().filter(|path| path.acked() == floor).count();
        self.holders = u16::try_from(holders).unwrap_or(u16::MAX);
        let by = floor.after(self.floor);
        if by != 0 {
            // gleam:alg3:18
            (self.floor, self.is_told) = (floor, false);
        }
        // A number that is never moved on would be ahead one day.
        if by < 0 || self.seen.after(floor) < 0 {
            self.seen = floor;
        }
        by > 0
    }

    /// What goes up now (gleam:alg3:1). A loss goes up with what is before it, and covers no earlier one
    /// (gleam:3.4.rules).
    fn tell(&mut self, rose: bool, now: Instant) -> Feedback {
        let floor = self.floor;
        let feedback = if self.holders == 0 {
            Feedback::NOTHING
        } else if self.window == 0 {
            // gleam:alg3:13-17, by the flags of the ports.
            let lacks = |path: &Path| path.acked() == floor && path.reported;
            if !self.is_told && self.counted().any(lacks) {
                self.is_told = true;
                Feedback::nack(floor, Psn::of(floor, 1))
            } else if rose {
                // gleam:alg3:10-12
                Feedback::ack(floor)
            } else {
                Feedback::NOTHING
            }
        } else {
            // After a rise the first is told again: had it been lost, it would be missed now.
            match self.everywhere_after(if rose { floor } else { self.seen }) {
                Some(seen) => {
                    if seen.after(self.seen) > 0 {
                        self.seen = seen;
                    }
                    let more = self.everywhere_after(self.seen).is_some();
                    Feedback { more, ..Feedback::nack(floor, seen) }
                }
                None if rose => Feedback::ack(floor),
                None => Feedback::NOTHING,
            }
        };
        self.say(feedback, now)
    }

    /// The same again, but not too often.
    fn again(&mut self, seen: Option<Psn>, now: Instant) -> Feedback {
        // Every receiver behind the loss reports it, and the sender needs to hear it once.
        if self.said.is_some_and(|said| now < said + self.interval) {
            return Feedback::NOTHING;
        }
        let everywhere = seen.filter(|&seen| self.counted().all(|path| path.has(seen)));
        let ack = Feedback::ack(self.floor);
        self.say(everywhere.map_or(ack, |seen| Feedback::nack(self.floor, seen)), now)
    }

    fn say(&mut self, feedback: Feedback, now: Instant) -> Feedback {
        if feedback != Feedback::NOTHING {
            self.said = Some(now);
        }
        feedback
    }

    /// The first packet after another that every port has, out of order.
    fn everywhere_after(&self, psn: Psn) -> Option<Psn> {
        let mut fewest = i64::MAX;
        for path in self.counted() {
            fewest = fewest.min(path.end().after(psn));
            if fewest <= 1 {
                return None;
            }
        }
        let ahead = (1..fewest.unsigned_abs()).map(|ahead| Psn::of(psn, ahead));
        ahead.into_iter().find(|&seen| self.counted().all(|path| path.has(seen)))
    }
}

/// Whether an epoch is older than another; they wrap.
fn is_older(epoch: u16, than: u16) -> bool {
    epoch.wrapping_sub(than).cast_signed() < 0
}
