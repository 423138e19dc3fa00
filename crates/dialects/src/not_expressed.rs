//! What a dialect cannot express.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Something that a switch must be told and that a dialect cannot express.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NotExpressed {
    /// What it is, in one or two words.
    pub what: String,
    /// Why the files lack it.
    pub why: String,
    /// What to do in its place.
    pub instead: String,
    /// Number of switches that it concerns.
    pub switches: usize,
    /// Whether receivers lose packets unless something is done.
    pub loses_packets: bool,
}

/// What a dialect lacks, without loss of packets.
pub(super) fn lacking(what: &str, why: &str, instead: &str, switches: usize) -> NotExpressed {
    let (what, why, instead) = (what.into(), why.into(), instead.into());
    NotExpressed { what, why, instead, switches, loses_packets: false }
}
