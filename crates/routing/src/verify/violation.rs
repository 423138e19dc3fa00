//! Errors in wires or rules that a proof finds.

use lightloom_topology::TorId;

/// An error in wires or rules.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    /// The source has no rule for its own id.
    #[error("source {0}: it has no entry of its own, so its servers' packets never leave it")]
    NotAdmitted(TorId),
    /// A copy reached a ToR that already has one.
    #[error("source {source_tor}: ToR {tor} gets a second copy, from relay {relay}")]
    SecondCopy {
        /// The source.
        source_tor: TorId,
        /// The ToR that gets two copies.
        tor: TorId,
        /// The ToR that sent the second copy.
        relay: TorId,
    },
    /// A copy came back to a relay that it has passed.
    #[error("source {source_tor}: packets loop; relay {relay} sends them back to ToR {tor}")]
    Loop {
        /// The source.
        source_tor: TorId,
        /// The ToR that the packet has passed before.
        tor: TorId,
        /// The ToR that closes the loop.
        relay: TorId,
    },
    /// A ToR gets no copy.
    #[error("source {source_tor}: ToR {tor} gets no copy")]
    NoCopy {
        /// The source.
        source_tor: TorId,
        /// The ToR without a copy.
        tor: TorId,
    },
    /// A copy takes more hops than the plan promises.
    #[error(
        "source {source_tor}: ToR {tor} is {hops} hops away, more than the {bound} of the plan"
    )]
    TooDeep {
        /// The source.
        source_tor: TorId,
        /// The late ToR.
        tor: TorId,
        /// Number of hops of its copy.
        hops: u32,
        /// Largest allowed number of hops.
        bound: u32,
    },
    /// Two splitters share some receivers but not all, so they are not one cassette.
    #[error("the splitters of ToRs {a} and {b} share receiver {shared}, but not all receivers")]
    MixedCassette {
        /// One transmitter.
        a: TorId,
        /// Another transmitter.
        b: TorId,
        /// A receiver that both light.
        shared: TorId,
    },
    /// A splitter lights more receivers than it has outputs, or one receiver twice.
    #[error(
        "the splitter of ToR {tor} has {outputs} fibres to distinct or repeated receivers, but {fan_out} outputs"
    )]
    Splitter {
        /// The transmitter.
        tor: TorId,
        /// Number of fibres in the list.
        outputs: usize,
        /// Number of outputs of the splitter.
        fan_out: u32,
    },
    /// A source has no working transmitter and no stand-in, although some ToR transmits.
    #[error("source {0}: its transmitter is out, and `via` names no stand-in for it")]
    NoStandIn(TorId),
    /// A source has a stand-in that cannot help it.
    #[error("source {source_tor}: `via` names ToR {root}, {why}")]
    StandIn {
        /// The source.
        source_tor: TorId,
        /// The stand-in.
        root: TorId,
        /// Why it cannot help.
        why: &'static str,
    },
    /// Light from one ToR cannot reach another ToR, with any rules.
    #[error("no way leads from ToR {from} to ToR {to}")]
    Unreachable {
        /// The transmitting ToR.
        from: TorId,
        /// The ToR that is not reached.
        to: TorId,
    },
}
