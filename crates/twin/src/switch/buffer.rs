//! The buffer: one slab of packets, queues threaded through it, and who may still come in.

use lightloom_units::Instant;

use crate::packet::{Class, Packet};
use crate::params::{SwitchParams, Wire};

/// No place in the slab.
const NOWHERE: u32 = u32::MAX;

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

#[derive(Debug, Clone, Copy)]
struct Place {
    /// Its port is still the one that it came in on.
    packet: Packet,
    next: u32,
    /// The earliest start.
    ready: Instant,
}

/// What a packet takes of the buffer: control packets have a small one of their own, so that data never crowds
/// them out.
fn counted(packet: &Packet) -> u64 {
    if packet.class == Class::CONTROL { 0 } else { packet.bytes.into() }
}

/// The buffer of a switch: what all ports share, and beside it headroom that each port has for itself and for
/// the lossless class.
#[derive(Debug)]
pub(crate) struct Buffer {
    slab: Vec<Place>,
    free: u32,
    /// Bytes in it, headroom and all.
    used: u64,
    /// Of those, bytes in the headroom of ports.
    in_headroom: u64,
    /// Bytes of the shared part.
    size: u64,
    /// Bytes beside it of each port, for lossless packets that are under way when a pause goes out.
    pub(crate) headroom: u32,
    pause_share: f64,
    drop_share: f64,
    resume_offset: u32,
    pub(crate) pfc: bool,
    /// Bytes of a full frame.
    frame: u32,
}

impl Buffer {
    pub(crate) fn new(params: &SwitchParams, ports: usize, wire: Wire) -> Self {
        let size = params.buffer_per_port.as_bytes().saturating_mul(ports as u64);
        Self {
            slab: Vec::new(),
            free: NOWHERE,
            used: 0,
            in_headroom: 0,
            size,
            headroom: u32::try_from(params.headroom_per_port.as_bytes()).unwrap_or(u32::MAX),
            pause_share: params.pause_share,
            drop_share: params.drop_share,
            resume_offset: u32::try_from(params.resume_offset.as_bytes()).unwrap_or(u32::MAX),
            pfc: params.pfc,
            frame: u32::from(wire.mtu) + u32::from(wire.header),
        }
    }

    /// A share of what is free while so many bytes wait, wherever they do.
    fn share(&self, share: f64, used: u64) -> u32 {
        let free = self.size.saturating_sub(used) as f64;
        // A share of the buffer is positive; beyond 4 GiB the queues could not count it.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let bytes = (share * free) as u32;
        bytes
    }

    /// An ingress queue longer than this stops its sender.
    pub(crate) fn pause_above(&self) -> u32 {
        self.share(self.pause_share, self.used).max(self.frame)
    }

    /// An ingress queue no longer than this lets its sender go on.
    pub(crate) fn resume_below(&self) -> u32 {
        self.resume_below_at(self.used)
    }

    /// The same while so many bytes wait.
    pub(crate) fn resume_below_at(&self, used: u64) -> u32 {
        let pause_above = self.share(self.pause_share, used).max(self.frame);
        pause_above.saturating_sub(self.resume_offset).max(self.frame)
    }

    /// Whether so many bytes fit into the shared part.
    pub(crate) fn fits(&self, bytes: u32) -> bool {
        self.used - self.in_headroom + u64::from(bytes) <= self.size
    }

    /// Whether a lossy packet may join a queue of this length.
    pub(crate) fn admit_lossy(&self, bytes: u16, queued: u32) -> bool {
        self.used + u64::from(bytes) <= self.size
            && queued <= self.share(self.drop_share, self.used)
    }

    /// Bytes go into the headroom of a port.
    pub(crate) fn enter_headroom(&mut self, bytes: u32) {
        self.in_headroom += u64::from(bytes);
    }

    /// Bytes leave the headroom of a port.
    pub(crate) fn leave_headroom(&mut self, bytes: u32) {
        self.in_headroom -= u64::from(bytes);
    }

    pub(crate) fn push(&mut self, queue: &mut Queue, packet: Packet, ready: Instant) {
        let place = Place { packet, next: NOWHERE, ready };
        let at = self.free;
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
        queue.bytes += u32::from(packet.bytes);
        self.used += counted(&packet);
    }

    pub(crate) fn pop(&mut self, queue: &mut Queue) -> Option<Packet> {
        let at = queue.head;
        if at == NOWHERE {
            return None;
        }
        let Place { packet, next, .. } = self.slab[at as usize];
        queue.head = next;
        queue.bytes -= u32::from(packet.bytes);
        self.used -= counted(&packet);
        self.slab[at as usize].next = self.free;
        self.free = at;
        Some(packet)
    }

    /// From when the first packet of a queue may start.
    #[inline]
    pub(crate) fn ready(&self, queue: &Queue) -> Instant {
        self.slab.get(queue.head as usize).map_or(Instant::from_ps(0), |place| place.ready)
    }

    pub(crate) fn iter<'a>(&'a self, queue: &Queue) -> impl Iterator<Item = &'a Packet> + use<'a> {
        let mut at = queue.head;
        std::iter::from_fn(move || {
            let place = self.slab.get(at as usize)?;
            at = place.next;
            Some(&place.packet)
        })
    }
}
