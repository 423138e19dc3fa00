//! Failures as people write them: `relay:8, tx:8, splitter:8, branch:3->7, rx:12/2, tor:40,
//! cassette:5`. A ToR is a number or a rack's name.

use std::collections::BTreeSet;

use lightloom_routing::failure::{Damage, Failure};
use lightloom_topology::CassetteId;

use crate::{InputError, Project};

/// Failures, each with its standard text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailureSet {
    /// The failures, as they were listed.
    pub(crate) failures: Vec<Failure>,
}

impl FailureSet {
    /// Reads a list, separated by commas.
    ///
    /// # Errors
    /// [`InputError`] for an empty list, something unknown, or the same failure twice.
    pub fn parse(project: &Project, list: &str) -> Result<Self, InputError> {
        let mut seen = BTreeSet::new();
        let mut failures = Vec::new();
        if list.trim().is_empty() {
            return Err(refuse("names no failure; give some, such as relay:8,branch:3->7"));
        }
        for item in list.split(',').map(str::trim) {
            let failure = parse_one(project, item)?;
            if !seen.insert(failure) {
                return Err(refuse(&format!("{item} is there twice")));
            }
            failures.push(failure);
        }
        let set = Self { failures };
        set.damage(project)?;
        Ok(set)
    }

    /// What is left of the fabric.
    pub(crate) fn damage<'a>(&self, project: &'a Project) -> Result<Damage<'a>, InputError> {
        Damage::new(&project.fabric, &self.failures).map_err(|error| refuse(&error.to_string()))
    }

    /// The failures in their standard form.
    pub fn names(&self) -> Vec<String> {
        self.failures.iter().map(name).collect()
    }
}

fn refuse(message: &str) -> InputError {
    InputError::new(message).in_field("--failed")
}

fn parse_one(project: &Project, item: &str) -> Result<Failure, InputError> {
    let wrong = |expected: &str| refuse(&format!("found {item:?}; expected {expected}"));
    let kinds =
        "relay:TOR, tx:TOR, splitter:TOR, branch:TOR->TOR, rx:TOR/PORT, tor:TOR or cassette:N";
    let (kind, part) = item.split_once(':').ok_or_else(|| wrong(kinds))?;
    let tor =
        |text: &str| project.tor(text).map_err(|error| error.in_field(format!("--failed {item}")));
    Ok(match kind {
        "relay" => Failure::Relay(tor(part)?),
        "tx" => Failure::Transmitter(tor(part)?),
        "splitter" => Failure::Splitter(tor(part)?),
        "tor" => Failure::Tor(tor(part)?),
        "branch" => {
            let (from, to) = part.split_once("->").ok_or_else(|| wrong("branch:TOR->TOR"))?;
            Failure::Branch { from: tor(from)?, to: tor(to)? }
        }
        "rx" => {
            let (of, port) = part.rsplit_once('/').ok_or_else(|| wrong("rx:TOR/PORT"))?;
            let port = port.trim().parse().map_err(|_| wrong("rx:TOR/PORT"))?;
            Failure::Receiver { tor: tor(of)?, port }
        }
        "cassette" => {
            Failure::Cassette(CassetteId(part.trim().parse().map_err(|_| wrong("cassette:N"))?))
        }
        _ => return Err(wrong(kinds)),
    })
}

/// The standard text of a failure.
pub(crate) fn name(failure: &Failure) -> String {
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
