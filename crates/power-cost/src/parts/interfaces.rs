//! Interfaces of a switch model: names by pattern, rate, form factor, connector and breakout.

use std::collections::BTreeSet;

use lightloom_units::text::is_hidden;
use lightloom_units::{BitRate, named_enum};
use serde::{Deserialize, Serialize};

use crate::parts::row::RowError;

/// Largest number of ports of a switch. Several times the largest chassis on sale, but small enough to catch
/// slips.
pub const MOST_PORTS: usize = 4096;
/// Longest name of an interface, in characters.
const LONGEST: usize = 64;
/// Text between the two ends of a cable's label.
pub const BETWEEN_ENDS: &str = " / ";
/// Largest number of lanes of a port.
const MOST_LANES: u32 = 16;

named_enum! {
    /// The plug that goes into an optical port.
    pub enum Connector {
        /// LC, one fibre a ferrule.
        Lc = "lc",
        /// MPO, several fibres a ferrule.
        Mpo = "mpo",
    }
}

/// Interfaces of one kind: a name pattern with one number range, such as `Ethernet1/{1-48}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InterfaceGroup {
    /// Name pattern with one number range.
    pub names: String,
    /// Line rate of an interface.
    pub rate: BitRate,
    /// Form factor of the port, such as `qsfp28`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub form: Option<String>,
    /// Plug of the transceivers that fit the fabric: duplex optics have LC.
    pub connector: Connector,
    /// How a port is split into several interfaces. `None`: it cannot be split, or the catalogue does not say how.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub breakout: Option<Breakout>,
}

/// A port that is split into several interfaces of a lower rate. Their plugs are LC, at the legs of a harness.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Breakout {
    /// Number of interfaces of a port.
    pub into: u32,
    /// Line rate of each of them.
    pub rate: BitRate,
    /// Name pattern with `{port}`, the number of the port, and `{lane}`.
    pub names: String,
    /// Number of the first lane: 0 or 1, by platform.
    #[serde(default)]
    pub first_lane: u32,
}

/// One interface of a switch model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelInterface {
    /// Its name.
    pub name: String,
    /// Its line rate.
    pub rate: BitRate,
    /// Its plug.
    pub connector: Connector,
}

impl InterfaceGroup {
    /// The interfaces of the group, in order. `lanes` is the number of interfaces that each port is split into;
    /// 1 leaves all ports whole. A group whose breakout has another number of lanes stays whole too.
    ///
    /// # Errors
    /// The field and the message if a pattern is wrong.
    pub fn interfaces(&self, lanes: u32) -> Result<Vec<ModelInterface>, RowError> {
        let pattern = Pattern::new(&self.names)?;
        let split = self.breakout.as_ref().filter(|breakout| lanes > 1 && breakout.into == lanes);
        let ports = pattern.first..=pattern.last;
        Ok(match split {
            None => ports
                .map(|port| ModelInterface {
                    name: pattern.name(port),
                    rate: self.rate,
                    connector: self.connector,
                })
                .collect(),
            Some(breakout) => ports
                .flat_map(|port| (0..breakout.into).map(move |lane| (port, lane)))
                .map(|(port, lane)| ModelInterface {
                    name: breakout.name(port, lane),
                    rate: breakout.rate,
                    connector: Connector::Lc,
                })
                .collect(),
        })
    }
}

impl Breakout {
    fn name(&self, port: u32, lane: u32) -> String {
        let lane = self.first_lane + lane;
        self.names.replace("{port}", &port.to_string()).replace("{lane}", &lane.to_string())
    }

    fn check(&self) -> Result<(), RowError> {
        let refuse = |message: String| Err(RowError::new("interfaces", message));
        if !(2..=MOST_LANES).contains(&self.into) {
            let message =
                format!("found a breakout into {}; expected 2 to {MOST_LANES}", self.into);
            return refuse(message);
        }
        if self.rate.as_bps() == 0 {
            return refuse("found a breakout of 0 bps; expected more".into());
        }
        let once = |mark: &str| self.names.matches(mark).count() == 1;
        let rest = self.names.replacen("{port}", "", 1).replacen("{lane}", "", 1);
        if !once("{port}") || !once("{lane}") || rest.contains(['{', '}']) {
            let message = format!(
                "found the breakout names {:?}; expected {{port}} and {{lane}} once each, as in \
                 \"et-0/0/{{port}}:{{lane}}\"",
                self.names
            );
            return refuse(message);
        }
        if self.first_lane > 1 {
            let message = format!("found first_lane {}; expected 0 or 1", self.first_lane);
            return refuse(message);
        }
        Ok(())
    }
}

/// A name pattern with one number range.
struct Pattern<'a> {
    before: &'a str,
    first: u32,
    last: u32,
    after: &'a str,
}

impl<'a> Pattern<'a> {
    fn new(text: &'a str) -> Result<Self, RowError> {
        let refuse = || {
            let message = format!(
                "found the names {text:?}; expected a pattern with one range, such as \
                 \"Ethernet1/{{1-48}}\""
            );
            RowError::new("interfaces", message)
        };
        let (before, rest) = text.split_once('{').ok_or_else(refuse)?;
        let (range, after) = rest.split_once('}').ok_or_else(refuse)?;
        let (first, last) = range.split_once('-').ok_or_else(refuse)?;
        let number = |digits: &str| {
            let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
            digits.parse::<u32>().ok().filter(|_| plain).ok_or_else(refuse)
        };
        let (first, last) = (number(first)?, number(last)?);
        let marks = |text: &str| text.contains(['{', '}']);
        if marks(before) || marks(after) || first > last || (last - first) as usize >= MOST_PORTS {
            return Err(refuse());
        }
        Ok(Self { before, first, last, after })
    }

    fn name(&self, number: u32) -> String {
        format!("{}{number}{}", self.before, self.after)
    }
}

/// Why a text is no name of an interface. `None`: it is one. A name is part of labels, so it has no control
/// characters and not the text between two ends.
pub fn interface_name_fault(text: &str) -> Option<String> {
    if text.trim().is_empty() {
        return Some("found no name; give each interface a name".into());
    }
    if let Some(c) = text.chars().find(|&c| is_hidden(c)) {
        return Some(format!(
            "found {c:?} in the name; remove line breaks, tabs and control characters"
        ));
    }
    if text.trim() != text {
        return Some(format!("found {text:?}; remove the space at the ends of the name"));
    }
    if text.contains(BETWEEN_ENDS) {
        return Some(format!(
            "found {text:?}; {BETWEEN_ENDS:?} separates the two ends of a label, so rename the interface \
             without it"
        ));
    }
    let length = text.chars().count();
    (length > LONGEST)
        .then(|| format!("found a name of {length} characters; expected at most {LONGEST}"))
}

/// Checks the groups of a model: patterns, and names that are names and differ.
pub(super) fn check(groups: &[InterfaceGroup]) -> Result<(), RowError> {
    let refuse = |message: String| Err(RowError::new("interfaces", message));
    let mut lanes = BTreeSet::from([1]);
    for group in groups {
        if group.rate.as_bps() == 0 {
            return refuse("found interfaces of 0 bps; expected more".into());
        }
        if let Some(breakout) = &group.breakout {
            breakout.check()?;
            lanes.insert(breakout.into);
        }
    }
    for lanes in lanes {
        let mut names = BTreeSet::new();
        for group in groups {
            for interface in group.interfaces(lanes)? {
                if let Some(fault) = interface_name_fault(&interface.name) {
                    return refuse(fault);
                }
                if let Some(twice) = names.replace(interface.name) {
                    return refuse(format!("found two interfaces with the name {twice:?}"));
                }
                if names.len() > MOST_PORTS * MOST_LANES as usize {
                    return refuse(format!("found more than {MOST_PORTS} ports"));
                }
            }
        }
    }
    Ok(())
}
