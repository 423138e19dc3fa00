//! How to recover, by name.

use lightloom_request::InputError;
use lightloom_routing::recovery::{Method, Objective};

/// Reads the names of a method and an objective.
///
/// # Errors
/// [`InputError`] for any other name.
pub fn parse(method: Option<&str>, objective: Option<&str>) -> Result<Method, InputError> {
    let goal = match objective {
        None | Some("fewest-changes") => Objective::FewestChanges,
        Some("fewest-hops") => Objective::FewestHops,
        Some(other) => {
            let message = format!("found {other:?}; expected fewest-changes or fewest-hops");
            return Err(InputError::new(message).in_option("objective"));
        }
    };
    match method {
        None | Some("replan") => Ok(Method::Replan(goal)),
        Some("algorithm2") if objective.is_none() => Ok(Method::Algorithm2),
        Some("algorithm2") => {
            Err(InputError::new("has no meaning with algorithm2").in_option("objective"))
        }
        Some(other) => {
            let message = format!("found {other:?}; expected algorithm2 or replan");
            Err(InputError::new(message).in_option("method"))
        }
    }
}
