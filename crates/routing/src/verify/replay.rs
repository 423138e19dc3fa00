//! Follows the packets of one source, copy by copy.

use std::collections::VecDeque;

use lightloom_topology::TorId;

use crate::verify::light_map::LightMap;
use crate::verify::violation::Violation;

/// Behaviour of switches, fibres and transceivers for the packets of one source.
pub trait Hardware {
    /// Whether a ToR has a rule for the source.
    fn has_rule(&self, tor: TorId) -> bool;

    /// Whether a transmission of one ToR arrives at a receiver of its splitter.
    fn arrives(&self, from: TorId, to: TorId) -> bool {
        let _ = (from, to);
        true
    }

    /// Whether a ToR accepts the source's packets from a relay that reaches it.
    fn accepts(&self, tor: TorId, from: TorId) -> bool {
        let _ = (tor, from);
        true
    }
}

/// Undamaged hardware without filters.
struct Sound<F>(F);

impl<F: Fn(TorId) -> bool> Hardware for Sound<F> {
    fn has_rule(&self, tor: TorId) -> bool {
        self.0(tor)
    }
}

/// Replays sources over the same wires, and reuses its buffers.
#[derive(Debug)]
pub struct Replay<'a> {
    light: &'a LightMap,
    arrival: Vec<Option<Copy>>,
    queue: VecDeque<TorId>,
}

/// Deliveries of a replay.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Delivered {
    /// Number of copies that arrived, including those that return to the source or to its stand-in.
    pub copies: u64,
    /// Number of hops to the farthest other ToR. Those that have the packet without light are left out: the source
    /// and its stand-in.
    pub max_hops: u32,
    /// Number of ToRs that these hops lead to.
    pub reached: u64,
    /// Sum of the hops to these ToRs.
    pub sum_hops: u64,
}

/// The copy that a ToR received.
#[derive(Debug, Clone, Copy)]
struct Copy {
    hops: u32,
    sent_by: TorId,
}

impl<'a> Replay<'a> {
    /// Prepares a replay over these wires.
    pub fn new(light: &'a LightMap) -> Self {
        Self { light, arrival: vec![None; light.tors()], queue: VecDeque::new() }
    }

    /// Sends one packet from `source` over undamaged hardware and follows every copy. `has_rule` returns whether
    /// a ToR has a rule for this source. Proves that every other ToR gets exactly one copy within `bound`
    /// hops, that there is no loop, and that the source does not relay a returning copy.
    ///
    /// # Errors
    /// The first [`Violation`].
    pub fn source(
        &mut self,
        source: TorId,
        bound: u32,
        has_rule: impl Fn(TorId) -> bool,
    ) -> Result<Delivered, Violation> {
        self.deliver(source, source, &Sound(has_rule), |_| true, Some(bound))
    }

    /// Follows a packet like [`Self::follow`]. Proves that every other ToR in `lit` gets a copy, within
    /// `bound` hops if there is a bound. The source and the root already have the packet.
    ///
    /// # Errors
    /// The first [`Violation`].
    pub fn deliver(
        &mut self,
        source: TorId,
        root: TorId,
        hardware: &impl Hardware,
        lit: impl Fn(TorId) -> bool,
        bound: Option<u32>,
    ) -> Result<Delivered, Violation> {
        self.follow(source, root, hardware)?;
        let mut delivered = Delivered::default();
        for tor in self.light.tor_ids() {
            let has_packet = tor == source || tor == root;
            let Some(hops) = self.hops(tor) else {
                if has_packet || !lit(tor) {
                    continue;
                }
                return Err(Violation::NoCopy { source_tor: source, tor });
            };
            delivered.copies += 1;
            if has_packet {
                continue;
            }
            if let Some(bound) = bound.filter(|&bound| hops > bound) {
                return Err(Violation::TooDeep { source_tor: source, tor, hops, bound });
            }
            delivered.max_hops = delivered.max_hops.max(hops);
            delivered.reached += 1;
            delivered.sum_hops += u64::from(hops);
        }
        Ok(delivered)
    }

    /// Lets `root` transmit one packet of `source`, and follows every copy. The root is the source, or the
    /// stand-in that it unicasts to. Afterwards [`Self::hops`] returns the deliveries.
    ///
    /// # Errors
    /// A [`Violation`] if the root has no rule for the source, or if a ToR accepts a second copy.
    pub fn follow(
        &mut self,
        source: TorId,
        root: TorId,
        hardware: &impl Hardware,
    ) -> Result<(), Violation> {
        self.arrival.fill(None);
        self.queue.clear();
        if !hardware.has_rule(root) {
            return Err(Violation::NotAdmitted(source));
        }
        self.transmit(source, root, root, 1, hardware)?;
        while let Some(relay) = self.queue.pop_front() {
            // The returning copy ends here: a ToR never relays its own packets when they come back.
            if relay == source || relay == root || !hardware.has_rule(relay) {
                continue;
            }
            let hops = self.hops(relay).unwrap_or(0);
            self.transmit(source, root, relay, hops + 1, hardware)?;
        }
        Ok(())
    }

    /// Number of hops of the copy that a ToR received. `None`: no copy.
    pub fn hops(&self, tor: TorId) -> Option<u32> {
        self.arrival[tor.index()].map(|copy| copy.hops)
    }

    /// The ToR whose transmission brought the copy that a ToR received. `None`: no copy.
    pub fn sent_by(&self, tor: TorId) -> Option<TorId> {
        self.arrival[tor.index()].map(|copy| copy.sent_by)
    }

    /// The ToRs without a copy, ascending. The source and the root are omitted: they have the packet.
    pub fn missed(&self, source: TorId, root: TorId) -> Vec<TorId> {
        let others = self.light.tor_ids().filter(|&tor| tor != source && tor != root);
        others.filter(|&tor| self.hops(tor).is_none()).collect()
    }

    /// One transmission: each output of the relay's splitter carries a copy.
    fn transmit(
        &mut self,
        source_tor: TorId,
        root: TorId,
        relay: TorId,
        hops: u32,
        hardware: &impl Hardware,
    ) -> Result<(), Violation> {
        let light = self.light;
        for &tor in light.receivers(relay) {
            if !hardware.arrives(relay, tor) || !hardware.accepts(tor, relay) {
                continue;
            }
            if self.arrival[tor.index()].is_some() {
                return Err(if self.has_passed(root, relay, tor) {
                    Violation::Loop { source_tor, tor, relay }
                } else {
                    Violation::SecondCopy { source_tor, tor, relay }
                });
            }
            self.arrival[tor.index()] = Some(Copy { hops, sent_by: relay });
            self.queue.push_back(tor);
        }
        Ok(())
    }

    /// Whether the copy that `relay` sends has passed `tor` on its way from the source.
    fn has_passed(&self, root: TorId, relay: TorId, tor: TorId) -> bool {
        let mut at = relay;
        while at != root {
            if at == tor {
                return true;
            }
            match self.arrival[at.index()] {
                Some(copy) => at = copy.sent_by,
                None => return false,
            }
        }
        false
    }
}
