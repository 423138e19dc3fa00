//! Branches that a user names.

use lightloom_plan::project::Project;
use lightloom_request::InputError;

use crate::branches::{Ends, branches_of_port, sent};
use crate::finding::{Found, find};

/// The branches of what a user names ([`find`]): a fibre, a cable or a port. A feed has those of its
/// splitter.
///
/// # Errors
/// [`InputError`] if nothing has this name, or if it is no fibre, cable or port.
pub fn branches_named(project: &Project, text: &str) -> Result<Vec<Ends>, InputError> {
    let mut found = match find(project, text).map_err(|error| error.in_option("trace"))? {
        Found::Port { tor, port } => branches_of_port(project, tor, port)?,
        Found::Fibres { fibres, .. } => {
            let mut found = Vec::new();
            for (from, to) in fibres {
                match to {
                    Some(to) => found.push((from, to)),
                    None => found.extend(sent(project, from)),
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
