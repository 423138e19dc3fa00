//! What a typed name selects.

use lightloom::{InputError, Project};

use crate::command::Selection;

/// The ToR, the port or the fibre of this name. A label of several fibres selects the first one.
pub fn found(project: &Project, name: &str) -> Result<Selection, InputError> {
    if let Some((tor, port)) = project.port_named(name) {
        project.branches_of_port(tor, port)?;
        return Ok(Selection::Port(tor, port));
    }
    let no_tor = match project.tor(name) {
        Ok(tor) => return Ok(Selection::Tor(tor)),
        Err(error) => error,
    };
    match project.branches_named(name) {
        Ok(branches) => match branches.first() {
            Some(&(from, to)) => Ok(Selection::Fibre(from, to)),
            None => Err(no_tor),
        },
        Err(error) if name.contains("->") => Err(error),
        Err(_) => Err(no_tor),
    }
}
