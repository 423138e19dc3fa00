//! Branches that a user names.

use lightloom_request::InputError;
use lightloom_topology::TorId;

use crate::finding::Found;
use crate::project::Project;

/// A branch by its ends: the ToR whose light it carries, and the receiving ToR.
pub type Ends = (TorId, TorId);

impl Project {
    /// The branches of what a user names ([`Project::find`]): a fibre, a cable or a port. A feed has those of its
    /// splitter.
    ///
    /// # Errors
    /// [`InputError`] if nothing has this name, or if it is no fibre, cable or port.
    pub fn branches_named(&self, text: &str) -> Result<Vec<Ends>, InputError> {
        let mut found = match self.find(text).map_err(|error| error.in_option("trace"))? {
            Found::Port { tor, port } => self.branches_of_port(tor, port)?,
            Found::Fibres { fibres, .. } => {
                let mut found = Vec::new();
                for (from, to) in fibres {
                    match to {
                        Some(to) => found.push((from, to)),
                        None => found.extend(self.sent(from)),
                    }
                }
                found
            }
            Found::Tor { .. } | Found::Cassette { .. } => Vec::new(),
        };
        if found.is_empty() {
            let message = format!(
                "found {text:?}; name a fibre by its ToRs, such as \"3->7\", a port, such as \"7/0\", or a label of a \
                 fibre, cable or port, such as \"F3\""
            );
            return Err(InputError::new(message).in_option("trace"));
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// The ToR and the number of the port that a text such as `R1.05/3` or `port 7/0` names. `None`: it is no such
    /// text. Whether the port has a fibre is not checked.
    pub fn port_named(&self, text: &str) -> Option<(TorId, u32)> {
        let name = text.trim();
        let name = name.strip_prefix("port ").unwrap_or(name);
        let (tor, port) = name.rsplit_once('/')?;
        Some((self.tor(tor).ok()?, port.trim().parse().ok()?))
    }

    /// The branches of a ToR's port: the one that it receives, and those that it feeds.
    ///
    /// # Errors
    /// [`InputError`] if there is no such ToR, or if the port has no fibre.
    pub fn branches_of_port(&self, tor: TorId, port: u32) -> Result<Vec<Ends>, InputError> {
        let fabric = &self.fabric;
        if tor.index() >= fabric.tors() {
            return Err(InputError::new(format!("there is no ToR {tor}")).in_option("trace"));
        }
        let heard = fabric.transmitters(fabric.receives_from(tor)).iter();
        let received = heard.filter(|&&from| fabric.receive_port(from) == port);
        let mut found: Vec<Ends> = received.map(|&from| (from, tor)).collect();
        if fabric.transmit_port(tor) == port {
            found.extend(self.sent(tor));
        }
        if found.is_empty() {
            let ports = fabric.transceivers(tor);
            let message = format!(
                "port {port} of ToR {tor} has no fibre; the ToR has {ports} fabric ports, from 0"
            );
            return Err(InputError::new(message).in_option("trace"));
        }
        Ok(found)
    }

    /// The branches of a ToR's splitter.
    pub(crate) fn sent(&self, tor: TorId) -> impl Iterator<Item = Ends> {
        let fabric = &self.fabric;
        fabric.receivers(fabric.transmits_into(tor)).iter().map(move |&to| (tor, to))
    }

    /// A branch, if it is there.
    pub(crate) fn branch(&self, (from, to): Ends) -> Result<Ends, InputError> {
        let tors = self.fabric.tors();
        if let Some(missing) = [from, to].into_iter().find(|tor| tor.index() >= tors) {
            return Err(InputError::new(format!("there is no ToR {missing}")).in_option("trace"));
        }
        if self.sent(from).all(|(_, receiver)| receiver != to) {
            let heard: Vec<String> = self.sent(from).map(|(_, to)| to.to_string()).collect();
            let message = format!(
                "the splitter of ToR {from} has no branch to ToR {to}; it has branches to {}",
                heard.join(", ")
            );
            return Err(InputError::new(message).in_option("trace"));
        }
        Ok((from, to))
    }
}
