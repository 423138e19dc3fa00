//! The verifier: replays packets copy by copy over the wires as they are listed.
//!
//! It shares no code with the routers and knows neither cassettes nor trees, only which receivers
//! each splitter lights and which sources each ToR has a rule for. A switch does two things: a
//! packet from its own servers goes into its splitter if it has a rule for its own id; a packet
//! from the fabric goes to its servers and, if it has a rule for the source, into its splitter,
//! but a packet that carries its own id is neither relayed nor delivered.

use std::collections::VecDeque;

use fixedbitset::FixedBitSet;
use lightloom_topology::TorId;

/// Which receivers each ToR's splitter lights, as wired.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wiring {
    outputs: Vec<Vec<TorId>>,
}

/// What is wrong with rules or wires.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The source has no rule for its own id.
    #[error("source {0}: it has no entry of its own, so its servers' packets never leave it")]
    NotAdmitted(TorId),
    /// A copy reached a ToR that has one already.
    #[error("source {source_tor}: ToR {tor} gets a second copy, from relay {relay}")]
    SecondCopy {
        /// The source.
        source_tor: TorId,
        /// Who gets two.
        tor: TorId,
        /// Who sent the second.
        relay: TorId,
    },
    /// A copy came back to a relay that it has passed.
    #[error("source {source_tor}: packets loop; relay {relay} sends them back to ToR {tor}")]
    Loop {
        /// The source.
        source_tor: TorId,
        /// The ToR that the packet has passed before.
        tor: TorId,
        /// Who closes the loop.
        relay: TorId,
    },
    /// A ToR gets no copy.
    #[error("source {source_tor}: ToR {tor} gets no copy")]
    NoCopy {
        /// The source.
        source_tor: TorId,
        /// Who goes without.
        tor: TorId,
    },
    /// A copy arrives later than the plan promises.
    #[error(
        "source {source_tor}: ToR {tor} is {hops} hops away, more than the {bound} of the plan"
    )]
    TooDeep {
        /// The source.
        source_tor: TorId,
        /// The ToR.
        tor: TorId,
        /// Hops that its copy took.
        hops: u32,
        /// Hops that it may take.
        bound: u32,
    },
    /// Two splitters share some receivers but not all, so they are not one cassette.
    #[error("the splitters of ToRs {a} and {b} share receiver {shared}, but not all receivers")]
    MixedCassette {
        /// One transmitter.
        a: TorId,
        /// Another one.
        b: TorId,
        /// A receiver of both.
        shared: TorId,
    },
    /// A splitter lights more receivers than it has outputs, or one receiver twice.
    #[error(
        "the splitter of ToR {tor} has {outputs} fibres to distinct or repeated receivers, but {fan_out} outputs"
    )]
    Splitter {
        /// The transmitter.
        tor: TorId,
        /// Fibres listed.
        outputs: usize,
        /// Outputs that it has.
        fan_out: u32,
    },
    /// A source's own transmitter is out, and it is given no stand-in although some ToR transmits.
    #[error("source {0}: its transmitter is out, and `via` names no stand-in for it")]
    NoStandIn(TorId),
    /// A source is given a stand-in that cannot help it.
    #[error("source {source_tor}: `via` names ToR {root}, {why}")]
    StandIn {
        /// The source.
        source_tor: TorId,
        /// The stand-in.
        root: TorId,
        /// Why it cannot help.
        why: &'static str,
    },
    /// Light from one ToR cannot reach another, whatever the rules.
    #[error("no way leads from ToR {from} to ToR {to}")]
    Unreachable {
        /// Where it starts.
        from: TorId,
        /// Where it never arrives.
        to: TorId,
    },
}

impl Wiring {
    /// Wires of a fabric of `tors` ToRs: each fibre joins an output of a ToR's splitter to a
    /// receiver.
    ///
    /// # Panics
    /// When a fibre names a ToR beyond `tors`.
    pub fn new(tors: usize, fibres: impl IntoIterator<Item = (TorId, TorId)>) -> Self {
        let mut outputs = vec![Vec::new(); tors];
        for (from, to) in fibres {
            outputs[from.index()].push(to);
        }
        Self { outputs }
    }

    /// The number of ToRs.
    pub fn tors(&self) -> usize {
        self.outputs.len()
    }

    /// The number of fibres.
    pub fn fibres(&self) -> u64 {
        self.outputs.iter().map(|outputs| outputs.len() as u64).sum()
    }

    /// Proves what no rule can mend: every splitter has its outputs and no more, splitters that
    /// share a receiver share all (so one transmission serves a cassette), and every ToR can
    /// reach every other.
    ///
    /// # Errors
    /// The first [`Fault`].
    pub fn check(&self, fan_out: u32) -> Result<(), Fault> {
        let sorted = |outputs: &Vec<TorId>| {
            let mut sorted = outputs.clone();
            sorted.sort_unstable();
            sorted
        };
        let lit: Vec<Vec<TorId>> = self.outputs.iter().map(sorted).collect();
        let mut first_of: Vec<Option<TorId>> = vec![None; self.tors()];
        for (tor, outputs) in lit.iter().enumerate() {
            let tor = TorId::at(tor);
            let repeated = outputs.windows(2).any(|pair| pair[0] == pair[1]);
            if repeated || outputs.len() > fan_out as usize {
                return Err(Fault::Splitter { tor, outputs: outputs.len(), fan_out });
            }
            let mut compared = tor;
            for &shared in outputs {
                let first = *first_of[shared.index()].get_or_insert(tor);
                if first != compared && lit[first.index()] != *outputs {
                    return Err(Fault::MixedCassette { a: first, b: tor, shared });
                }
                compared = first;
            }
        }
        let mut against = vec![Vec::new(); self.tors()];
        for (from, outputs) in self.outputs.iter().enumerate() {
            for to in outputs {
                against[to.index()].push(TorId::at(from));
            }
        }
        let start = TorId(0);
        let first_unreached = |outputs| lit_over(outputs, start, |_, _| true).zeroes().next();
        if let Some(to) = first_unreached(&self.outputs).map(TorId::at) {
            return Err(Fault::Unreachable { from: start, to });
        }
        if let Some(from) = first_unreached(&against).map(TorId::at) {
            return Err(Fault::Unreachable { from, to: start });
        }
        Ok(())
    }

    /// The ToRs that light from `root` can reach when every ToR relays all that it receives. The root
    /// is among them only where light comes back to it. `arrives` says what parts let through.
    pub fn lit(&self, root: TorId, arrives: impl Fn(TorId, TorId) -> bool) -> FixedBitSet {
        lit_over(&self.outputs, root, arrives)
    }
}

fn lit_over(
    outputs: &[Vec<TorId>],
    root: TorId,
    arrives: impl Fn(TorId, TorId) -> bool,
) -> FixedBitSet {
    let mut lit = FixedBitSet::with_capacity(outputs.len());
    let mut queue = VecDeque::from([root]);
    while let Some(at) = queue.pop_front() {
        for &to in outputs[at.index()].iter().filter(|&&to| arrives(at, to)) {
            if !lit.put(to.index()) {
                queue.push_back(to);
            }
        }
    }
    lit
}

/// What switches do with one source's packets, and what fibres and transceivers let through.
pub trait Parts {
    /// Whether a ToR has a rule for the source.
    fn has_rule(&self, tor: TorId) -> bool;

    /// Whether what one ToR transmits arrives at a receiver of its splitter.
    fn arrives(&self, from: TorId, to: TorId) -> bool {
        let _ = (from, to);
        true
    }

    /// Whether a ToR takes the source's packets from a relay that reaches it.
    fn accepts(&self, tor: TorId, from: TorId) -> bool {
        let _ = (tor, from);
        true
    }
}

/// Nothing is broken, and all is taken from everyone.
struct Sound<F>(F);

impl<F: Fn(TorId) -> bool> Parts for Sound<F> {
    fn has_rule(&self, tor: TorId) -> bool {
        self.0(tor)
    }
}

/// Replays sources over one wiring, with buffers that are used again.
#[derive(Debug)]
pub struct Replay<'a> {
    wiring: &'a Wiring,
    arrival: Vec<Option<Copy>>,
    queue: VecDeque<TorId>,
}

/// What a replay saw.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Delivered {
    /// Copies that arrived, the source's own returning one included.
    pub copies: u64,
    /// Hops to the farthest other ToR.
    pub max_hops: u32,
}

/// The copy that a ToR got.
#[derive(Debug, Clone, Copy)]
struct Copy {
    hops: u32,
    sent_by: TorId,
}

impl<'a> Replay<'a> {
    /// A replay over these wires.
    pub fn new(wiring: &'a Wiring) -> Self {
        Self { wiring, arrival: vec![None; wiring.tors()], queue: VecDeque::new() }
    }

    /// Sends one packet from `source` over sound parts and follows every copy. `has_rule` says whether
    /// a ToR has a rule for this source. Proves that every other ToR gets exactly one copy, within
    /// `bound` hops, without a loop, and that the source relays no copy that comes back.
    ///
    /// # Errors
    /// The first [`Fault`].
    pub fn source(
        &mut self,
        source: TorId,
        bound: u32,
        has_rule: impl Fn(TorId) -> bool,
    ) -> Result<Delivered, Fault> {
        self.deliver(source, source, &Sound(has_rule), |_| true, Some(bound))
    }

    /// Follows a packet as [`Self::follow`] does, and proves that every other ToR that is `lit` gets a
    /// copy, within `bound` hops where there is a bound. The source and the root have the packet.
    ///
    /// # Errors
    /// The first [`Fault`].
    pub fn deliver(
        &mut self,
        source: TorId,
        root: TorId,
        parts: &impl Parts,
        lit: impl Fn(TorId) -> bool,
        bound: Option<u32>,
    ) -> Result<Delivered, Fault> {
        self.follow(source, root, parts)?;
        let mut delivered = Delivered::default();
        for tor in (0..self.wiring.tors()).map(TorId::at) {
            let has_packet = tor == source || tor == root;
            let Some(hops) = self.hops(tor) else {
                if has_packet || !lit(tor) {
                    continue;
                }
                return Err(Fault::NoCopy { source_tor: source, tor });
            };
            delivered.copies += 1;
            if has_packet {
                continue;
            }
            if let Some(bound) = bound.filter(|&bound| hops > bound) {
                return Err(Fault::TooDeep { source_tor: source, tor, hops, bound });
            }
            delivered.max_hops = delivered.max_hops.max(hops);
        }
        Ok(delivered)
    }

    /// Has `root` (the source, or the stand-in that it unicasts to) transmit one packet of `source`
    /// and follows every copy. Afterwards [`Self::hops`] tells who got it.
    ///
    /// # Errors
    /// A [`Fault`] when the root has no rule for the source, or some ToR takes a second copy.
    pub fn follow(&mut self, source: TorId, root: TorId, parts: &impl Parts) -> Result<(), Fault> {
        self.arrival.fill(None);
        self.queue.clear();
        if !parts.has_rule(root) {
            return Err(Fault::NotAdmitted(source));
        }
        self.transmit(source, root, root, 1, parts)?;
        while let Some(relay) = self.queue.pop_front() {
            // The returning copy ends here: what a ToR brings in, it never relays from the fabric.
            if relay == source || relay == root || !parts.has_rule(relay) {
                continue;
            }
            let hops = self.hops(relay).unwrap_or(0);
            self.transmit(source, root, relay, hops + 1, parts)?;
        }
        Ok(())
    }

    /// The hops that the copy of a ToR took; none if it got none.
    pub fn hops(&self, tor: TorId) -> Option<u32> {
        self.arrival[tor.index()].map(|copy| copy.hops)
    }

    /// One transmission: each output of the relay's splitter carries a copy.
    fn transmit(
        &mut self,
        source_tor: TorId,
        root: TorId,
        relay: TorId,
        hops: u32,
        parts: &impl Parts,
    ) -> Result<(), Fault> {
        let wiring = self.wiring;
        for &tor in &wiring.outputs[relay.index()] {
            if !parts.arrives(relay, tor) || !parts.accepts(tor, relay) {
                continue;
            }
            if self.arrival[tor.index()].is_some() {
                return Err(if self.has_passed(root, relay, tor) {
                    Fault::Loop { source_tor, tor, relay }
                } else {
                    Fault::SecondCopy { source_tor, tor, relay }
                });
            }
            self.arrival[tor.index()] = Some(Copy { hops, sent_by: relay });
            self.queue.push_back(tor);
        }
        Ok(())
    }

    /// Whether the copy that `relay` is sending has passed `tor` on its way from the source.
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
