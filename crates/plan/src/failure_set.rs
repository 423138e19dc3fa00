//! Sets of failures with their standard texts.

use std::collections::BTreeSet;

use lightloom_request::InputError;
use lightloom_routing::failure::{Damage, Failure};
use lightloom_topology::hall::Placement;
use lightloom_topology::{Fabric, TorId};

/// A set of failures with their standard texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailureSet {
    /// The failures, in the given order.
    pub failures: Vec<Failure>,
}

impl FailureSet {
    /// Makes a set of failures of a fabric.
    ///
    /// # Errors
    /// [`InputError`] for a failure of a part that the fabric does not have, or for a repeated failure.
    pub fn new(fabric: &Fabric, failures: Vec<Failure>) -> Result<Self, InputError> {
        let mut seen = BTreeSet::new();
        if let Some(twice) = failures.iter().find(|&failure| !seen.insert(*failure)) {
            return Err(refuse(&format!("{} is there twice", name(twice))));
        }
        let set = Self { failures };
        set.damage_of(fabric)?;
        Ok(set)
    }

    /// The same failures, and all logical ToRs of each switch that has no power: they fall together.
    #[must_use]
    pub fn with_switches(self, placement: &Placement) -> Self {
        let mut all: Vec<Failure> = Vec::with_capacity(self.failures.len());
        for failure in self.failures {
            let together = match failure {
                Failure::Tor(tor) => fallen(placement, tor),
                _ => vec![failure],
            };
            for one in together {
                if !all.contains(&one) {
                    all.push(one);
                }
            }
        }
        Self { failures: all }
    }

    /// The fabric with these failures.
    ///
    /// # Errors
    /// [`InputError`] for a failure of a part that the fabric does not have.
    pub fn damage_of<'a>(&self, fabric: &'a Fabric) -> Result<Damage<'a>, InputError> {
        Damage::new(fabric, &self.failures).map_err(|error| refuse(&error.to_string()))
    }

    /// The failures in standard form.
    pub fn names(&self) -> Vec<String> {
        self.failures.iter().map(name).collect()
    }
}

/// All logical ToRs of the switch of a ToR without power, this ToR first: they fall together.
pub fn fallen(placement: &Placement, tor: TorId) -> Vec<Failure> {
    let others = placement.beside(tor).filter(|&other| other != tor);
    std::iter::once(tor).chain(others).map(Failure::Tor).collect()
}

/// An error about the list of failures.
pub fn refuse(message: &str) -> InputError {
    InputError::new(message).in_option("failed")
}

/// The standard text of a failure.
pub fn name(failure: &Failure) -> String {
    match failure {
        Failure::Relay(tor) => format!("relay:{tor}"),
        Failure::Transmitter(tor) => format!("tx:{tor}"),
        Failure::Splitter(tor) => format!("splitter:{tor}"),
        Failure::Branch { from, to } => format!("branch:{from}->{to}"),
        Failure::Receiver { tor, port } => format!("rx:{tor}/{port}"),
        Failure::Tor(tor) => format!("tor:{tor}"),
        Failure::Cassette(cassette) => format!("cassette:{cassette}"),
    }
}
