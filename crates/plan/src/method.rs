//! Names of methods of recovery.

use lightloom_request::InputError;
use lightloom_routing::recovery::{Method, MethodName, Objective};

/// Reads the names of a method and an objective. Default: `replan` with the fewest changes.
///
/// # Errors
/// [`InputError`] for an unknown name, and for an objective with `algorithm2`.
pub fn parse(method: Option<&str>, objective: Option<&str>) -> Result<Method, InputError> {
    let method = method.map_or(Ok(MethodName::Replan), |word| {
        MethodName::named(word).ok_or_else(|| unknown(word, &MethodName::names(), "method"))
    })?;
    let goal = objective.map(|word| {
        Objective::named(word).ok_or_else(|| unknown(word, &Objective::names(), "objective"))
    });
    match (method, goal.transpose()?) {
        (MethodName::Replan, goal) => Ok(Method::Replan(goal.unwrap_or(Objective::FewestChanges))),
        (MethodName::Algorithm2, None) => Ok(Method::Algorithm2),
        (MethodName::Algorithm2, Some(_)) => {
            Err(InputError::new("has no meaning with algorithm2").in_option("objective"))
        }
    }
}

fn unknown(word: &str, names: &[&str], option: &'static str) -> InputError {
    let message = format!("found {word:?}; expected one of {}", names.join(", "));
    InputError::new(message).in_option(option)
}
