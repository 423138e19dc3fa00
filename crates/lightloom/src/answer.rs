//! Answers as JSON texts, with the version of their format.

use lightloom_request::{Error, InputError};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Version of all answers. It grows if a key changes its meaning or is removed. A new key does not change it.
pub const FORMAT: u32 = 1;

/// Writes an answer as one line of JSON. Its first key is `format`, the version ([`FORMAT`]).
///
/// # Errors
/// [`Error::Input`] if the answer is not a JSON object.
pub fn to_json<T: Serialize>(answer: &T) -> Result<String, Error> {
    let refuse = |error: &dyn std::fmt::Display| {
        Error::from(InputError::new(format!("the answer is not JSON: {error}")))
    };
    let text = serde_json::to_string(answer).map_err(|error| refuse(&error))?;
    let keys = text.strip_prefix('{').ok_or_else(|| refuse(&"it is no object"))?;
    let comma = if keys == "}" { "" } else { "," };
    Ok(format!("{{\"format\":{FORMAT}{comma}{keys}"))
}

/// The key that every answer has in addition to its own.
#[derive(Deserialize)]
struct Head {
    format: Option<serde_json::Value>,
}

/// Reads an answer that [`to_json`] wrote.
///
/// ```
/// let text = r#"{"format":1,"tor":3,"sources":[0,3]}"#;
/// let rules: lightloom::plan::RulesReport = lightloom::from_json(text)?;
/// assert_eq!(rules.sources.len(), 2);
/// assert_eq!(lightloom::to_json(&rules)?, text);
/// # Ok::<(), lightloom::Error>(())
/// ```
///
/// # Errors
/// [`InputError`] if the text is not JSON, has another version, or is not an answer of this type.
pub fn from_json<T: DeserializeOwned>(text: &str) -> Result<T, InputError> {
    let refuse = |error: serde_json::Error| {
        InputError::new(format!("is no such answer: {error}")).at_line(error.line() as u64)
    };
    let Head { format } = serde_json::from_str(text).map_err(refuse)?;
    match format {
        Some(found) if found == FORMAT => serde_json::from_str(text).map_err(refuse),
        Some(found) => {
            let message = format!("found {found}; this version of lightloom reads {FORMAT}");
            Err(InputError::new(message).in_field("format"))
        }
        None => {
            let message = format!("is missing; an answer begins with \"format\": {FORMAT}");
            Err(InputError::new(message).in_field("format"))
        }
    }
}
