//! Branches of a fabric: by their ends, and by the ports that they join.

use lightloom_plan::project::Project;
use lightloom_request::InputError;
use lightloom_topology::TorId;

/// A branch by its ends: the ToR whose light it carries, and the receiving ToR.
pub type Ends = (TorId, TorId);

/// The ToR and the number of the port that a text such as `R1.05/3` or `port 7/0` names. `None`: it is no such
/// text. Whether the port has a fibre is not checked.
pub fn port_named(project: &Project, text: &str) -> Option<(TorId, u32)> {
    let name = text.trim();
    let name = name.strip_prefix("port ").unwrap_or(name);
    let (tor, port) = name.rsplit_once('/')?;
    Some((project.tor(tor).ok()?, port.trim().parse().ok()?))
}

/// The branches of a ToR's port: the one that it receives, and those that it feeds.
///
/// # Errors
/// [`InputError`] if there is no such ToR, or if the port has no fibre.
pub fn branches_of_port(project: &Project, tor: TorId, port: u32) -> Result<Vec<Ends>, InputError> {
    let fabric = project.fabric();
    if tor.index() >= fabric.tors() {
        return Err(InputError::new(format!("there is no ToR {tor}")).in_option("trace"));
    }
    let heard = fabric.transmitters(fabric.receives_from(tor)).iter();
    let received = heard.filter(|&&from| fabric.receive_port(from) == port);
    let mut found: Vec<Ends> = received.map(|&from| (from, tor)).collect();
    if fabric.transmit_port(tor) == port {
        found.extend(sent(project, tor));
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
pub(crate) fn sent(project: &Project, tor: TorId) -> impl Iterator<Item = Ends> {
    let fabric = project.fabric();
    fabric.receivers(fabric.transmits_into(tor)).iter().map(move |&to| (tor, to))
}

/// A branch, if it is there.
pub(crate) fn branch(project: &Project, (from, to): Ends) -> Result<Ends, InputError> {
    let tors = project.fabric().tors();
    if let Some(missing) = [from, to].into_iter().find(|tor| tor.index() >= tors) {
        return Err(InputError::new(format!("there is no ToR {missing}")).in_option("trace"));
    }
    if sent(project, from).all(|(_, receiver)| receiver != to) {
        let heard: Vec<String> = sent(project, from).map(|(_, to)| to.to_string()).collect();
        let message = format!(
            "the splitter of ToR {from} has no branch to ToR {to}; it has branches to {}",
            heard.join(", ")
        );
        return Err(InputError::new(message).in_option("trace"));
    }
    Ok((from, to))
}
