//! ToRs and ports whose cords must not move.
//!
//! | text | what must not move |
//! |---|---|
//! | `R7`, `tor:12` | the feed and the branches of the ToR's splitter |
//! | `R7:tx` | the cord of its transmitter |
//! | `R7:rx2` | the cord of its receiver at port 2 |
//! | `R7:2` | the cords at port 2; port 0 has a transmitter, too |

use std::collections::BTreeSet;

use lightloom_request::InputError;
use lightloom_routing::growth::SplittersStay;
use lightloom_topology::TorId;

use crate::naming::{Around, Misnamed};
use crate::project::Project;

/// One item of the list of pins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pin {
    /// Its text.
    text: String,
    /// The ToR that must transmit where it does. `None`: no growth moves the cord.
    tor: Option<TorId>,
}

/// Parts of a ToR.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Transmitter,
    Receiver(u32),
    Port(u32),
}

/// Reads a list of pins, separated by commas. Empty: none.
///
/// # Errors
/// [`InputError`] if an item names no ToR or no port of it.
pub(super) fn pins(
    project: &Project,
    list: &str,
    splitters_stay: SplittersStay,
) -> Result<Vec<Pin>, InputError> {
    if list.trim().is_empty() {
        return Ok(Vec::new());
    }
    project.listed(list, |item| read(project, item, splitters_stay))
}

/// The ToRs that must transmit where they do.
pub(super) fn pinned(pins: &[Pin]) -> BTreeSet<TorId> {
    pins.iter().filter_map(|pin| pin.tor).collect()
}

/// The first pin that leaves fewer than `needed` ToRs that may move. `None`: they leave enough.
pub(super) fn one_too_many(pins: &[Pin], tors: usize, needed: usize) -> Option<&str> {
    let mut kept = BTreeSet::new();
    let is_too_many = |pin: &&Pin| {
        kept.extend(pin.tor);
        pin.tor.is_some() && tors - kept.len() < needed
    };
    pins.iter().find(is_too_many).map(|pin| pin.text.as_str())
}

fn read(project: &Project, item: &str, splitters_stay: SplittersStay) -> Result<Pin, Misnamed> {
    let pin = |tor| Pin { text: item.trim().to_owned(), tor };
    // A rack's name may have a colon.
    let whole = match project.tor_within(item, Around::default()) {
        Err(Misnamed::Nothing(error)) => error,
        found => return Ok(pin(Some(found?))),
    };
    let Some((name, port)) = item.rsplit_once(':') else { return Err(Misnamed::Nothing(whole)) };
    let around = Around { before: "", after: &format!(":{port}") };
    let tor = project.tor_within(name, around).map_err(|_| Misnamed::Nothing(whole))?;
    let fabric = &project.fabric;
    let heard = |port: u32| -> Result<TorId, Misnamed> {
        fabric.heard_at(tor, port).ok_or_else(|| {
            let ports: Vec<String> = fabric.heard(tor).map(|(port, _)| port.to_string()).collect();
            Misnamed::NotOne(InputError::new(format!(
                "found {item:?}; ToR {:?} receives at ports {}",
                project.tor_name(tor),
                ports.join(", ")
            )))
        })
    };
    let part = part(port.trim()).ok_or_else(|| {
        Misnamed::NotOne(InputError::new(format!(
            "found {item:?}; name a port as in \"{name}:tx\", \"{name}:rx1\" or \"{name}:1\""
        )))
    })?;
    let with_tor = splitters_stay == SplittersStay::WithTor;
    let tor = match part {
        // The feed stays with the splitter, which stays with the ToR.
        Part::Transmitter => Some(tor).filter(|_| !with_tor),
        Part::Port(port) if !with_tor && port == fabric.transmit_port(tor) => Some(tor),
        Part::Port(port) | Part::Receiver(port) => Some(heard(port)?).filter(|_| with_tor),
    };
    Ok(pin(tor))
}

fn part(text: &str) -> Option<Part> {
    if text == "tx" {
        return Some(Part::Transmitter);
    }
    match text.strip_prefix("rx") {
        Some(port) => port.parse().ok().map(Part::Receiver),
        None => text.parse().ok().map(Part::Port),
    }
}
