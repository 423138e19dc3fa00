//! Reads failures from text: `relay:8, tx:8, splitter:8, branch:3->7, rx:12/2, tor:40, cassette:5`.
//!
//! The text before the first colon is the kind of the failure. ToRs are written as in [`crate::naming`]:
//! `relay:R7`, `relay:tor:8`, `tor:rack:12`, `branch:rack:12->tor:15`.

use lightloom_request::InputError;
use lightloom_routing::failure::Failure;
use lightloom_topology::{CassetteId, TorId};

use crate::failure_set::{FailureSet, name, refuse};
use crate::naming::{Around, Misnamed};
use crate::project::Project;

const KINDS: &str =
    "relay:TOR, tx:TOR, splitter:TOR, branch:TOR->TOR, rx:TOR/PORT, tor:TOR or cassette:N";

/// Reads the ToR of a failure. The text around it is for messages.
type ReadTor<'a> = &'a dyn Fn(&str, Around<'_>) -> Result<TorId, Misnamed>;

impl FailureSet {
    /// Reads a list separated by commas.
    ///
    /// # Errors
    /// [`InputError`] for an empty list, an unknown item, an ambiguous text, or a repeated failure.
    pub fn parse(project: &Project, list: &str) -> Result<Self, InputError> {
        if list.trim().is_empty() {
            return Err(refuse("names no failure; give some, such as relay:8,branch:3->7"));
        }
        let tor: ReadTor<'_> = &|text, around| project.tor_within(text, around);
        let failures = project.listed(list, |item| read(item, tor)).map_err(|error| {
            // The field already names the wrong failure.
            if error.field.is_some() { error } else { error.in_option("failed") }
        })?;
        Ok(Self::new(&project.fabric, failures)?.with_switches(&project.placement))
    }

    /// Reads standard texts from a plan's document. Their ToRs are numbers.
    ///
    /// # Errors
    /// [`InputError`] for a text that is not in standard form, and as [`FailureSet::parse`].
    pub fn restore(project: &Project, names: &[String]) -> Result<Self, InputError> {
        let tor: ReadTor<'_> = &|text, _| {
            project.tor_numbered(text).ok_or_else(|| {
                let last = project.fabric.tors() - 1;
                let message = format!("found {text:?}; expected the number of a ToR, 0 to {last}");
                Misnamed::Nothing(InputError::new(message))
            })
        };
        let failures = names.iter().map(|name| read(name, tor).map_err(Misnamed::into_error));
        let failures = failures.collect::<Result<_, InputError>>()?;
        Ok(Self::new(&project.fabric, failures)?.with_switches(&project.placement))
    }
}

/// Reads one failure.
fn read(item: &str, read_tor: ReadTor<'_>) -> Result<Failure, Misnamed> {
    let wrong =
        |expected: &str| Misnamed::Nothing(refuse(&format!("found {item:?}; expected {expected}")));
    let (kind, part) = item.split_once(':').ok_or_else(|| wrong(KINDS))?;
    let in_item = |error: InputError| error.in_part("failed", item);
    let within = |text: &str, around: Around<'_>| {
        read_tor(text, around).map_err(|misnamed| match misnamed {
            Misnamed::Nothing(error) => Misnamed::Nothing(in_item(error)),
            Misnamed::NotOne(error) => Misnamed::NotOne(in_item(error)),
        })
    };
    let tor = |text| within(text, Around { before: &format!("{kind}:"), after: "" });
    Ok(match kind {
        "relay" => Failure::Relay(tor(part)?),
        "tx" => Failure::Transmitter(tor(part)?),
        "splitter" => Failure::Splitter(tor(part)?),
        "tor" => Failure::Tor(tor(part)?),
        "branch" => {
            let ends = |(at, arrow): (usize, &str)| {
                let (from, to) = (&part[..at], &part[at + arrow.len()..]);
                let before = format!("branch:{from}->");
                Ok(Failure::Branch {
                    from: within(from, Around { before: "branch:", after: &format!("->{to}") })?,
                    to: within(to, Around { before: &before, after: "" })?,
                })
            };
            return one_reading(part.match_indices("->").map(ends))
                .unwrap_or_else(|| Err(wrong("branch:TOR->TOR")));
        }
        "rx" => {
            let (of, port) = part.rsplit_once('/').ok_or_else(|| wrong("rx:TOR/PORT"))?;
            let number = port.trim().parse().map_err(|_| wrong("rx:TOR/PORT"))?;
            let around = Around { before: "rx:", after: &format!("/{port}") };
            Failure::Receiver { tor: within(of, around)?, port: number }
        }
        "cassette" => {
            Failure::Cassette(CassetteId(part.trim().parse().map_err(|_| wrong("cassette:N"))?))
        }
        _ => return Err(wrong(KINDS)),
    })
}

/// The only reading of a branch. Names of racks may contain arrows, so there may be several ways to split it.
/// If more than one is valid, the text is refused as ambiguous.
fn one_reading(
    readings: impl Iterator<Item = Result<Failure, Misnamed>>,
) -> Option<Result<Failure, Misnamed>> {
    let (nothing, sense): (Vec<_>, Vec<_>) =
        readings.partition(|reading| matches!(reading, Err(Misnamed::Nothing(_))));
    let mut sense = sense.into_iter();
    match (sense.next(), sense.next()) {
        (None, _) => nothing.into_iter().next(),
        (Some(only), None) => Some(only),
        (Some(Ok(one)), Some(Ok(other))) => Some(Err(Misnamed::NotOne(refuse(&format!(
            "found a branch that can be read as {} and as {}; write its ToRs by number, such as \
             branch:tor:3->tor:7",
            name(&one),
            name(&other)
        ))))),
        (Some(Err(error)), Some(_)) | (Some(_), Some(Err(error))) => Some(Err(error)),
    }
}
