//! The hash of its rules that every switch carries.

use std::fmt;

use sha2::{Digest as _, Sha256};

use crate::config::{CopyBack, FirstStage, SwitchConfig};

/// A number that tells rules from any other rules. Members of groups do not count: they change all the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stamp(u64);

impl Stamp {
    /// The stamp of one switch: its ToR, address, stand-in, first stage, and the copies of its accelerator.
    pub fn of(switch: &SwitchConfig) -> Self {
        let mut hash = Sha256::new();
        hash.update(format!("{} {} {:?}\n", switch.tor, switch.address, switch.stand_in));
        for FirstStage { priority, ingress, source, destination, outcome, .. } in &switch.first {
            hash.update(format!("{priority} {ingress:?} {source} {destination} {outcome:?}\n"));
        }
        for CopyBack { vlan, port, to } in &switch.copies {
            hash.update(format!("{vlan} {port} {to:?}\n"));
        }
        Self::first_bytes(hash)
    }

    /// The stamp of a plan: of the stamps of its switches, ToR 0 first.
    pub fn of_plan(switches: impl IntoIterator<Item = Self>) -> Self {
        let mut hash = Sha256::new();
        switches.into_iter().for_each(|stamp| hash.update(stamp.0.to_be_bytes()));
        Self::first_bytes(hash)
    }

    fn first_bytes(hash: Sha256) -> Self {
        let bytes = hash.finalize();
        let bytes = bytes.iter().take(8);
        // 0 stands for no rules.
        Self(bytes.fold(0_u64, |number, &byte| number << 8 | u64::from(byte)).max(1))
    }

    /// The number.
    pub fn as_u64(self) -> u64 {
        self.0
    }
}

impl fmt::Display for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#018x}", self.0)
    }
}
