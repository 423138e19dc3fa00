//! What is wrong with wires or rules.

use lightloom_topology::TorId;

/// What a proof finds wrong with wires or rules.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
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
