//! The buffer: a slab of packets, queues threaded through it, and who may still come in.
//!
//! A packet that waits in one queue stands for itself. Copies that wait in several queues share one body, which
//! takes the buffer once and counts them.

use lightloom_prefetch::prefetch_read;
use lightloom_setup::params::{Reserves, SwitchParams, Wire};
use lightloom_units::{DataSize, Instant};

use crate::packet::{Class, Packet};

/// No place in the slab, and no body.
const NOWHERE: u32 = u32::MAX;

/// The bit that tells the number of a body from a place in the slab.
const SHARED: u32 = 1 << 31;

/// A queue of packets in the slab.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Queue {
    head: u32,
    tail: u32,
    pub(crate) bytes: u32,
}

impl Queue {
    pub(crate) const EMPTY: Self = Self { head: NOWHERE, tail: NOWHERE, bytes: 0 };

    pub(crate) fn is_empty(&self) -> bool {
        self.head == NOWHERE
    }
}

/// A packet that waits.
#[derive(Debug, Clone, Copy)]
struct Place {
    /// Its port is still the one that it came in on.
    packet: Packet,
    next: u32,
    /// What it shares with other copies; [`NOWHERE`] where it has the buffer for itself.
    body: u32,
    /// The earliest start.
    ready: Instant,
}

/// A body that copies are to share.
#[derive(Debug, Clone, Copy)]
pub(super) struct Body(u32);

/// What a packet takes of the buffer: control packets have a small one of their own, so that data never crowds
/// them out.
fn counted(packet: &Packet) -> u64 {
    if packet.class == Class::CONTROL { 0 } else { packet.bytes.into() }
}

/// The buffer of a switch: what all ports share, and beside it headroom that each port has for itself and for
/// the lossless class.
#[derive(Debug)]
pub(crate) struct Buffer {
    // One slab for all queues, with a free list through its places: a queue is head, tail and a length, and joining or
    // leaving one allocates nothing.
    slab: Vec<Place>,
    free: u32,
    /// By body: the copies that wait. A free one has the number of the next that is free.
    bodies: Vec<u32>,
    free_body: u32,
    /// Bytes in it, headroom and all.
    used: u64,
    /// Of those, bytes in the headroom of ports.
    in_headroom: u64,
    /// Of those, bytes in the minimum of ports.
    in_minimum: u64,
    /// Bytes of the shared part.
    size: u64,
    /// Bytes beside it of each receiving port, for lossless packets that are under way when a pause goes out.
    pub(super) headroom: Vec<u32>,
    /// Bytes beside it of each receiving port that lossless packets take before they take any of the shared part.
    pub(super) minimum: u32,
    /// Whether headroom is of the buffer itself, so that what is in it takes nothing of what is free.
    pub(super) within: bool,
    pause_share: f64,
    drop_share: f64,
    resume_offset: u32,
    pub(crate) pfc: bool,
    /// Bytes of a full frame.
    frame: u32,
}

impl Buffer {
    /// A buffer with so much to share and these headrooms by receiving port.
    pub(crate) fn new(
        params: &SwitchParams,
        shared: DataSize,
        headroom: Vec<DataSize>,
        wire: Wire,
    ) -> Self {
        let bytes = |size: DataSize| u32::try_from(size.as_bytes()).unwrap_or(u32::MAX);
        Self {
            slab: Vec::new(),
            free: NOWHERE,
            bodies: Vec::new(),
            free_body: NOWHERE,
            used: 0,
            in_headroom: 0,
            in_minimum: 0,
            size: shared.as_bytes(),
            headroom: headroom.into_iter().map(bytes).collect(),
            minimum: bytes(params.minimum_per_port),
            within: params.reserves == Reserves::Within,
            pause_share: params.pause_share,
            drop_share: params.drop_share,
            resume_offset: bytes(params.resume_offset),
            pfc: params.pfc,
            frame: u32::from(wire.mtu) + u32::from(wire.header),
        }
    }

    /// A share of what is free while so many bytes wait, wherever they do.
    fn share(&self, share: f64, used: u64) -> u32 {
        // Dynamic thresholds (Choudhury and Hahne, IEEE/ACM ToN 1998): a queue may have a share of what is free, so a
        // few long queues leave room for the others.
        let free = self.size.saturating_sub(used) as f64;
        // A share of the buffer is positive; beyond 4 GiB the queues could not count it.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let bytes = (share * free) as u32;
        bytes
    }

    /// Whether bytes are told apart by where they count: in a minimum, in headroom, or in the shared part.
    #[inline]
    pub(super) fn has_reserves(&self) -> bool {
        self.minimum > 0 || self.within
    }

    /// Bytes that lower what is free.
    fn counted(&self) -> u64 {
        let in_headroom = if self.within { self.in_headroom } else { 0 };
        // A packet on its way into the headroom counts there before it is in the buffer.
        self.used.saturating_sub(self.in_minimum + in_headroom)
    }

    /// Of so many bytes of these ports those that surely lower what is free, wherever they wait.
    pub(super) fn counted_at_least(&self, bytes: u64, ports: impl Iterator<Item = u16>) -> u64 {
        let reserve = |port: u16| {
            let headroom = self.headroom.get(usize::from(port)).copied().unwrap_or(0);
            u64::from(self.minimum) + if self.within { u64::from(headroom) } else { 0 }
        };
        bytes.saturating_sub(ports.map(reserve).sum())
    }

    /// An ingress queue longer than this stops its sender, where there are no reserves to tell apart.
    pub(crate) fn pause_above(&self) -> u32 {
        self.share(self.pause_share, self.used).max(self.frame)
    }

    /// The same where there may be.
    pub(super) fn pause_beyond_reserves(&self) -> u32 {
        self.pause_with(0)
    }

    /// The same once so many bytes more are in the shared part.
    pub(super) fn pause_with(&self, bytes: u32) -> u32 {
        let counted = self.counted() + u64::from(bytes);
        let share = self.share(self.pause_share, counted).max(self.frame);
        share.saturating_add(self.minimum)
    }

    /// An ingress queue no longer than this lets its sender go on.
    pub(crate) fn resume_below(&self) -> u32 {
        self.resume_below_at(self.counted())
    }

    /// The same while so many bytes lower what is free.
    pub(crate) fn resume_below_at(&self, used: u64) -> u32 {
        // Never below a frame, or a sender could wait for ever in an empty port.
        let pause_above = self.share(self.pause_share, used).max(self.frame);
        let share = pause_above.saturating_sub(self.resume_offset).max(self.frame);
        share.saturating_add(self.minimum)
    }

    /// Whether so many bytes fit into the shared part, where there are no reserves to tell apart.
    pub(crate) fn fits(&self, bytes: u32) -> bool {
        self.used - self.in_headroom + u64::from(bytes) <= self.size
    }

    /// The same where there may be.
    pub(super) fn fits_beyond_reserves(&self, bytes: u32) -> bool {
        // A packet on its way into the headroom counts there before it is in the buffer.
        let shared = self.used.saturating_sub(self.in_headroom + self.in_minimum);
        shared + u64::from(bytes) <= self.size
    }

    /// Whether a lossy packet may join a queue of this length.
    pub(crate) fn admit_lossy(&self, bytes: u16, queued: u32) -> bool {
        self.takes(bytes) && self.is_short(queued)
    }

    /// Whether a lossy packet of so many bytes fits into the buffer.
    pub(super) fn takes(&self, bytes: u16) -> bool {
        // Lossy packets have no minimum and no headroom: they share what is left of the shared part.
        self.used - self.in_minimum + u64::from(bytes) <= self.size
    }

    /// Whether a lossy packet may join a queue of this length, by what is free.
    pub(super) fn is_short(&self, queued: u32) -> bool {
        queued <= self.share(self.drop_share, self.used)
    }

    /// Lossless bytes of a port that are not in its headroom were so many, and now are so many.
    #[inline(always)]
    pub(super) fn changes(&mut self, from: u32, to: u32) {
        if self.minimum > 0 {
            self.in_minimum += u64::from(to.min(self.minimum));
            self.in_minimum -= u64::from(from.min(self.minimum));
        }
    }

    /// Bytes go into the headroom of a port.
    pub(crate) fn enter_headroom(&mut self, bytes: u32) {
        self.in_headroom += u64::from(bytes);
    }

    /// Bytes leave the headroom of a port.
    pub(crate) fn leave_headroom(&mut self, bytes: u32) {
        self.in_headroom -= u64::from(bytes);
    }

    /// A packet joins one queue.
    #[inline(always)]
    pub(crate) fn push(&mut self, queue: &mut Queue, packet: Packet, ready: Instant) {
        self.used += counted(&packet);
        self.append(queue, Place { packet, next: NOWHERE, body: NOWHERE, ready });
    }

    /// The first packet of a queue leaves it; whether no copy of it is left in the buffer.
    #[inline(always)]
    pub(crate) fn pop(&mut self, queue: &mut Queue) -> Option<(Packet, bool)> {
        let at = queue.head;
        // Nowhere is no place of the slab.
        let place = self.slab.get_mut(at as usize)?;
        let Place { packet, next, body, .. } = *place;
        // The place is free at once, and the next packet takes it while it is in the cache.
        place.next = self.free;
        self.free = at;
        queue.head = next;
        queue.bytes -= u32::from(packet.bytes);
        // The port is served again soon.
        prefetch_read(self.slab.as_ptr().wrapping_add(next as usize));
        let is_last = body == NOWHERE || self.leave(body);
        if is_last {
            self.used -= counted(&packet);
        }
        Some((packet, is_last))
    }

    /// A packet waits of which copies join several queues; [`Buffer::append_copy`] adds them.
    pub(super) fn hold(&mut self, packet: &Packet) -> Body {
        self.used += counted(packet);
        let body = self.free_body;
        match self.bodies.get_mut(body as usize) {
            Some(free) => {
                // Free bodies form a list through their counts, as places do through their links.
                self.free_body = std::mem::take(free);
                Body(body)
            }
            None => {
                self.bodies.push(0);
                Body(u32::try_from(self.bodies.len() - 1).unwrap_or(NOWHERE))
            }
        }
    }

    /// A copy that shares a body joins a queue.
    pub(super) fn append_copy(
        &mut self,
        Body(body): Body,
        queue: &mut Queue,
        packet: Packet,
        ready: Instant,
    ) {
        self.bodies[body as usize] += 1;
        self.append(queue, Place { packet, next: NOWHERE, body, ready });
    }

    /// All copies of a packet have joined their queues: where none did its body is gone.
    pub(super) fn settle(&mut self, Body(body): Body, packet: &Packet) {
        if self.bodies[body as usize] == 0 {
            self.used -= counted(packet);
            self.release(body);
        }
    }

    /// A copy leaves its body; whether it was the last.
    fn leave(&mut self, body: u32) -> bool {
        let copies = &mut self.bodies[body as usize];
        *copies -= 1;
        let is_last = *copies == 0;
        if is_last {
            self.release(body);
        }
        is_last
    }

    fn release(&mut self, body: u32) {
        self.bodies[body as usize] = self.free_body;
        self.free_body = body;
    }

    /// Puts a packet at the end of a queue.
    #[inline(always)]
    fn append(&mut self, queue: &mut Queue, place: Place) {
        let (at, bytes) = (self.free, place.packet.bytes);
        let at = if at == NOWHERE {
            self.slab.push(place);
            // A buffer holds fewer packets than bytes, and its bytes fit.
            u32::try_from(self.slab.len() - 1).unwrap_or(NOWHERE)
        } else {
            self.free = self.slab[at as usize].next;
            self.slab[at as usize] = place;
            at
        };
        if queue.is_empty() {
            queue.head = at;
        } else {
            self.slab[queue.tail as usize].next = at;
        }
        queue.tail = at;
        queue.bytes += u32::from(bytes);
    }

    /// From when the first packet of a queue may start.
    #[inline]
    pub(crate) fn ready(&self, queue: &Queue) -> Instant {
        self.slab.get(queue.head as usize).map_or(Instant::from_ps(0), |place| place.ready)
    }

    /// The packets of a queue with the numbers of their bodies.
    pub(crate) fn iter(&self, queue: &Queue) -> impl Iterator<Item = (u32, Packet)> {
        let mut at = queue.head;
        std::iter::from_fn(move || {
            let &Place { packet, next, body, .. } = self.slab.get(at as usize)?;
            let alone = std::mem::replace(&mut at, next);
            Some((if body == NOWHERE { alone } else { body | SHARED }, packet))
        })
    }
}
