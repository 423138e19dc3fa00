//! Tokens of a mixture of experts, and where their experts are.

use std::collections::BTreeMap;

use lightloom_request::InputError;
use lightloom_schedules::Route;
use lightloom_topology::electrical::NodeId;

use crate::build::context::Context;
use crate::said::{Node, Place};

/// What a router chose: a row for each token and each of its experts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Routing {
    /// The rows, in the order of the file.
    pub rows: Vec<RoutedToken>,
}

/// A token and one of its experts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoutedToken {
    /// The line of the file that it is on, from 1.
    pub line: u64,
    /// What the token is called.
    pub token: String,
    /// The host that has it.
    pub from: Node,
    /// The host with the expert.
    pub to: Node,
}

/// The tokens, with members by their places.
pub(super) fn routes(
    routing: &Routing,
    members: &[NodeId],
    (place, context): (Place, &Context),
) -> Result<Vec<Route>, InputError> {
    let places: BTreeMap<NodeId, u32> = members.iter().copied().zip(0..).collect();
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    let mut routes: Vec<Route> = Vec::new();
    for RoutedToken { line, token, from, to } in &routing.rows {
        let refuse = |field: &'static str, message: String| {
            InputError::new(message).in_field(field).at_line(*line)
        };
        let member = |field: &'static str, said: &Node| {
            let host = context.nodes.host_of(place, field, said);
            let host = host.map_err(|error| error.in_field(field).at_line(*line))?;
            places.get(&host).copied().ok_or_else(|| {
                let name = context.nodes.network.name(host);
                refuse(
                    field,
                    format!("found {name:?}, which is no member of the operation; name a member"),
                )
            })
        };
        let (from, to) = (member("from", from)?, member("to", to)?);
        let at = *known.entry(token).or_insert(routes.len());
        match routes.get_mut(at) {
            None => routes.push(Route { from, to: vec![to] }),
            Some(route) if route.from != from => {
                let name = context.nodes.network.name(members[route.from as usize]);
                let message = format!(
                    "found another host for token {token:?} than {name:?}; a token is at one host"
                );
                return Err(refuse("from", message));
            }
            Some(route) if route.to.contains(&to) => {
                let message = format!(
                    "token {token:?} goes to this host twice; give each host of its experts once"
                );
                return Err(refuse("to", message));
            }
            Some(route) => route.to.push(to),
        }
    }
    match routes.is_empty() {
        true => Err(place.refuse("routes", "names a file without tokens")),
        false => Ok(routes),
    }
}
